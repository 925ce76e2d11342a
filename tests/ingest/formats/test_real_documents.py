"""Tests of readers on unmodified real transcripts, compared with an independent conversion of each talk."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from reading_texts import assert_well_made, words

from onrecord.ingest.formats import read
from onrecord.types import Transcript

pytestmark = pytest.mark.data

EPISODES = {  # turns, speakers and timestamps; a turn between two timestamps has a start
    "away-from-keyboard-8": (75, 2, 0),
    "changelog--friends-44": (338, 2, 21),
    "go-time-117": (99, 4, 15),
    "js-party-151": (790, 7, 12),
    "js-party-8": (80, 3, 13),
    "practical-ai-81": (56, 3, 11),
    "spotlight-12": (147, 2, 13),
    "the-changelog-607": (298, 3, 17),
}


def read_file(path: Path) -> Transcript:
    """Return the only transcript in a file, after checking that it is well made."""
    (transcript,) = read(path.name, path.read_bytes())
    assert_well_made(transcript)
    return transcript


@pytest.fixture(scope="module")
def units() -> dict[str, list[dict[str, Any]]]:
    """Return the paragraphs of the same episodes, by episode, as converted independently of this package."""
    data = Path(__file__).parents[4] / "shared" / "data"
    units_by_file: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for line in (data / "changelog" / "corpus.jsonl").read_text().splitlines():
        unit = json.loads(line)
        units_by_file[unit["recording_id"]].append(unit)
    return units_by_file


def counts(pairs: Iterator[tuple[str | None, str]]) -> Counter[str | None]:
    """Return the number of words of each speaker."""
    counted: Counter[str | None] = Counter()
    for speaker, text in pairs:
        counted[speaker] += len(text.split())
    return counted


@pytest.mark.parametrize("episode", EPISODES)
def test_changelog(data: Path, units: dict[str, list[dict[str, Any]]], episode: str) -> None:
    (path,) = (data / "changelog" / "raw").rglob(f"{episode}.md")
    transcript = read_file(path)
    turns, speakers, stamps = EPISODES[episode]
    assert transcript.format == "markdown"
    assert len(transcript.turns) == turns
    assert len({turn.speaker for turn in transcript.turns} - {None}) == speakers
    ours = counts((turn.speaker, turn.text) for turn in transcript.turns)
    theirs = counts((unit["speaker"], unit["text"]) for unit in units[episode])
    if episode == "the-changelog-607":  # the other conversion read one label inside a paragraph as words
        assert (ours - theirs).total() + (theirs - ours).total() <= 6
    else:
        assert ours == theirs
    marks = {second: turn.text[at : at + 20] for turn in transcript.turns for at, second in turn.marks}
    stamped = [(s, u["text"][at : at + 20]) for u in units[episode] for at, s in u.get("timestamps", ())]
    assert len(stamped) == stamps
    assert all(marks[second] == text for second, text in stamped)


@pytest.mark.parametrize(
    ("name", "turns", "count", "speakers"),
    [
        ("the-changelog-300.md", 262, 16635, {"Jerod Santo", "Adam Stacoviak", "Zed Shaw"}),
        ("changelog--friends-10.md", 504, 14839, {"Jerod Santo", "Adam Stacoviak", "Gerhard Lazu"}),
    ],
)
def test_other_episodes(data: Path, name: str, turns: int, count: int, speakers: set[str]) -> None:
    transcript = read_file(data / "transcript_formats" / "raw" / "changelog_markdown" / name)
    assert {turn.speaker for turn in transcript.turns} - {None} == speakers
    assert (len(transcript.turns), len(words(transcript))) == (turns, count)
    assert not any("\\" in turn.text or ":**" in turn.text for turn in transcript.turns)
    timed = [turn for turn in transcript.turns if turn.start is not None]
    assert len(timed) > 0.9 * len(transcript.turns)


def test_speakers_on_lines_of_their_own(data: Path) -> None:
    transcript = read_file(
        data / "transcript_formats" / "raw" / "changelog_markdown" / "changelog-news-10.md"
    )
    labels = Counter(turn.speaker for turn in transcript.turns)
    assert labels["Jerod Santo"] == 13
    assert {"Slim Shady", "Jared Dunn", "Bill", "Rain Man", "The Borg", "Kraftwerk"} <= set(labels)
    assert not any("http" in turn.text for turn in transcript.turns if turn.speaker in ("Bill", "The Borg"))
    assert all(turn.start is None for turn in transcript.turns)


def test_one_episode_as_subrip_and_as_html(data: Path) -> None:
    raw = data / "transcript_formats" / "raw"
    srt = read_file(raw / "podcasting2_srt" / "example.srt")
    html = read_file(raw / "podcasting2_html" / "example.html")
    assert words(srt) == words(html)
    assert [turn.speaker for turn in srt.turns] == [turn.speaker for turn in html.turns]
    assert [turn.speaker for turn in html.turns][:4] == ["Travis", "Sarah", "Travis", "Gilon"]
    for fine, coarse in zip(srt.turns, html.turns, strict=True):
        assert fine.start is not None and coarse.start is not None
        assert int(fine.start) == coarse.start
    assert srt.warnings == html.warnings == ()


def test_voices_of_podcasting_2(data: Path) -> None:
    transcript = read_file(data / "transcript_formats" / "raw" / "podcasting2_vtt" / "example.vtt")
    sarah, gillian = transcript.turns
    assert (sarah.speaker, sarah.start, sarah.end, len(sarah.marks)) == ("Sarah", 0.0, 18.63, 5)
    assert (gillian.speaker, gillian.start, gillian.end, len(gillian.marks)) == ("Gillian", 19.08, 25.35, 2)
    assert "Q&A" in sarah.text
