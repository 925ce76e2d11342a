"""Speakers of a twin: captions without names take them from a text of the same talk."""

import re
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import onrecord
from onrecord.archive import Archive
from onrecord.archive.twin_speakers import with_speakers_of
from onrecord.types import Details, Section, Transcript, Turn

WORDS = (
    "margin freight tariff bicycle frame harbour winter lantern quarter copper meadow signal thunder".split()
)
PEOPLE = ("Ann Lee", "Bo Díaz", "Cy Park")


def talk(seed: int, count: int = 24) -> list[tuple[str, str]]:
    """Return turns: who speaks, and one to four sentences of words that hardly recur."""
    draw = Random(seed)

    def sentence() -> str:
        words = (f"{draw.choice(WORDS)}{draw.randrange(900)}" for _ in range(draw.randrange(2, 12)))
        return " ".join(words).capitalize() + "."

    return [
        (PEOPLE[at % 2 if at % 7 else 2], " ".join(sentence() for _ in range(draw.randrange(1, 5))))
        for at in range(count)
    ]


def text(turns: list[tuple[str, str]]) -> str:
    return "\n\n".join(f"{name}: {said}" for name, said in turns) + "\n"


def cues(words: list[str], each: int) -> str:
    """Return captions of `each` words, one a second, wherever sentences or turns end."""
    lines = [" ".join(words[at : at + each]) for at in range(0, len(words), each)]
    times = [f"00:{at // 60:02}:{at % 60:02}" for at in range(len(lines))]
    shown = (f"{at}.000 --> {at}.900\n{line}" for at, line in zip(times, lines, strict=True))
    return "WEBVTT\n\n" + "\n\n".join(shown) + "\n"


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    return onrecord.open(tmp_path / "talks.db", embedding={"model": "hashing"}, reader=None)


@pytest.mark.parametrize("order", [("a.vtt", "a.txt"), ("a.txt", "a.vtt")])
def test_captions_without_names_take_them_from_a_text(
    tmp_path: Path, archive: Archive, order: tuple[str, str]
) -> None:
    turns = talk(1)
    (tmp_path / "a.txt").write_text(text(turns))
    (tmp_path / "a.vtt").write_text(cues(" ".join(said for _, said in turns).split(), 7))
    for name in order:
        report = archive.add(tmp_path / name)
    assert [Path(name).name for name, _ in report.twins] == ["a.txt"]
    assert len(report.notes) == 1 and "a.txt" in report.notes[0] and "its speakers" in report.notes[0]
    (recording,) = archive.recordings()
    passages = archive.transcript(recording.id)
    assert recording.format == "webvtt" and set(recording.details.people or PEOPLE) == set(PEOPLE)
    said = [
        (speaker, passage.text[begin:end].strip())
        for passage in passages
        for begin, end, speaker in passage.turns
    ]
    assert spoken(said) == spoken(turns)
    assert all(passage.start is not None for passage in passages)
    again = archive.add(*(tmp_path / name for name in order))
    assert (len(again.unchanged), len(again.twins), again.notes) == (1, 1, ())
    assert {speaker for p in archive.transcript(recording.id) for *_, speaker in p.turns} == set(PEOPLE)


def spoken(turns: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return each word with its speaker."""
    return [(speaker, word) for speaker, said in turns for word in said.split()]


@given(st.integers(0, 9999), st.integers(2, 30), st.integers(0, 3))
@settings(max_examples=60, deadline=None)
def test_no_word_gets_the_name_of_another(seed: int, each: int, noise: int) -> None:
    """Words that the text lacks, and words it spells otherwise, have their speaker or none."""
    draw, turns = Random(seed), talk(seed)
    heard = []  # words of the captions, with their speakers
    for speaker, word in spoken(turns):
        if draw.randrange(100) < noise:
            heard.append((speaker, draw.choice(("um", "er", "hm"))))
        if draw.randrange(100) >= noise:
            heard.append((speaker, f"{word[:-2]}x." if draw.randrange(100) < noise else word))
    captions = [
        Turn(" ".join(word for _, word in heard[at : at + each]), start=float(at), end=at + 0.9)
        for at in range(0, len(heard), each)
    ]
    twin = Transcript(tuple(Turn(said, speaker) for speaker, said in turns), "text", Details())
    named = with_speakers_of(Transcript(tuple(captions), "webvtt", Details()), twin)
    assert named is not None
    words = [(turn.speaker, word) for turn in named.turns for word in turn.text.split()]
    assert [word for _, word in words] == [word for _, word in heard]
    wrong = [
        pair
        for (name, word), pair in zip(words, heard, strict=True)
        if name not in (None, pair[0]) and re.search(r"\d", word)
    ]
    assert not wrong
    assert sum(name is not None for name, _ in words) >= 0.9 * len(words)


def test_sections_keep_their_words() -> None:
    one, two = "Alpha beta gamma delta epsilon zeta.", "Eta theta iota kappa lambda mu."
    captions = Transcript(
        (Turn(f"{one} {two}", start=0.0), Turn("Nu xi omicron pi.", start=9.0)),
        "webvtt",
        Details(),
        (Section("Start", first=0, last=0), Section("End", first=1, last=1), Section("Later", start=9.0)),
    )
    twin = Transcript((Turn(one, "Ann"), Turn(f"{two} Nu xi omicron pi.", "Bo")), "text", Details())
    named = with_speakers_of(captions, twin)
    assert named is not None
    assert [(turn.speaker, turn.text) for turn in named.turns] == [
        ("Ann", one),
        ("Bo", two),
        ("Bo", "Nu xi omicron pi."),
    ]
    assert [(s.title, s.first, s.last) for s in named.sections] == [
        ("Start", 0, 1),
        ("End", 2, 2),
        ("Later", -1, -1),
    ]


def test_only_a_transcript_without_names_takes_them() -> None:
    said = "Alpha beta gamma delta epsilon zeta."
    nameless, ann, bo = (Transcript((Turn(said, name),), "text", Details()) for name in (None, "Ann", "Bo"))
    assert with_speakers_of(ann, bo) is None
    assert with_speakers_of(nameless, nameless) is None
    assert with_speakers_of(nameless, ann) == ann
