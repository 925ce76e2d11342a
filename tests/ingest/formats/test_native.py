"""Tests of the reader and the writer of onrecord's JSON."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reading import assert_sound, fitting, read_one

from onrecord.errors import FormatError
from onrecord.ingest.formats.base import Source
from onrecord.ingest.formats.native import FORMAT, read, write
from onrecord.types import Details, Section, Transcript, Turn

TALK = Transcript(
    turns=(
        Turn("Good day.", "Ann Lee", 0.5, 1.25, ((0, 0.5), (5, 0.8))),
        Turn("So it “began” – <b>&amp;", "Bo", 1.0, 3.0),
        Turn("Nobody knows.", None, None, None),
    ),
    format="webvtt",
    details=Details(
        title="Prices and people",
        date="2024-03-05",
        language="en",
        people=("Ann Lee", "Bo"),
        link="https://example.com/talk",
        attributes={"show": "Night Desk", "episode": "007"},
    ),
    sections=(
        Section("Opening", 0.0, 1.0, 0, 0, "opening", None, "Good day."),
        Section("Rest", 1.0, under="Opening"),
    ),
    warnings=("a cue was empty",),
)


def test_reading_what_was_written_gives_the_same() -> None:
    assert read_one(FORMAT, write([TALK])) == TALK


def test_several_recordings() -> None:
    both = (TALK, Transcript((Turn("Hi."),), "srt", part="two"))
    assert read(Source("x", write(both))) == both


def test_a_line_for_every_turn() -> None:
    assert sum(line.startswith('{"') and '"text"' in line for line in write([TALK]).split("\n")) == 3


def test_a_little_is_enough() -> None:
    transcript = read_one(FORMAT, {"onrecord": 1, "turns": [{"text": " So it\nbegan. "}]})
    assert transcript == Transcript((Turn("So it began."),), "onrecord")


def test_numbers_in_details_are_texts() -> None:
    talk = {"onrecord": 1, "details": {"episode": 7, "show": "Desk"}, "turns": [{"text": "Hi."}]}
    assert read_one(FORMAT, talk).details.attributes == {"episode": "7", "show": "Desk"}


def test_times_that_fall_back_are_moved_forward() -> None:
    talk = {"onrecord": 1, "turns": [{"text": "a", "start": 5}, {"text": "b", "start": 4, "end": 4.5}]}
    transcript = read_one(FORMAT, talk)
    assert (transcript.turns[1].start, transcript.turns[1].end) == (5.0, 5.0)
    assert transcript.warnings == ("2 times ran backwards, moved to the last one before",)


TURN = {"text": "Hi you", "start": 1}


@pytest.mark.parametrize(
    ("talk", "message"),
    [
        ({"onrecord": 2}, r"onrecord: expected 1, the version.*update.*found 2"),
        ({"onrecord": True}, "onrecord: expected 1.*found true"),
        ({"onrecord": 1}, "turns: expected turns with words, found nothing"),
        ({"onrecord": 1, "recordings": []}, "no words"),
        ({"onrecord": 1, "recordings": [{}]}, r"recordings\[0\]\.turns"),
        ({"onrecord": 1, "turns": [{"text": " "}]}, r"turns\[0\]\.text: expected words, found ' '"),
        (
            {"onrecord": 1, "turns": [{"text": "a", "start": "x"}]},
            r"turns\[0\]\.start: expected a number.*'x'",
        ),
        (
            {"onrecord": 1, "turns": [{"text": "a", "end": 1}]},
            r"turns\[0\]\.start: .*as the turn has other times",
        ),
        (
            {"onrecord": 1, "turns": [TURN | {"marks": [[0, 1], [0, 2]]}]},
            r"marks\[1\]\[0\]: .*above the one before",
        ),
        (
            {"onrecord": 1, "turns": [TURN | {"marks": [[7, 1]]}]},
            r"marks\[0\]\[0\]: .*\(6 characters\).*found 7",
        ),
        ({"onrecord": 1, "turns": [TURN | {"marks": [[0]]}]}, r"marks\[0\]: expected \[offset, second\]"),
        ({"onrecord": 1, "turns": [TURN | {"text": "a  b", "marks": [[0, 1]]}]}, "single spaces"),
        ({"onrecord": 1, "turns": [TURN], "details": {"link": "javascript:x"}}, "details, link: .*https"),
        ({"onrecord": 1, "turns": [TURN], "details": {"show": {"a": 1}}}, "details, show: .*a mapping"),
        ({"onrecord": 1, "turns": [TURN], "details": 3}, "details: expected text, found 3"),
        (
            {"onrecord": 1, "turns": [TURN], "sections": [{"title": "a", "first": 1, "last": 1}]},
            r"sections\[0\]\.first",
        ),
        ({"onrecord": 1, "turns": [TURN], "sections": [{"title": "a", "last": 0}]}, r"sections\[0\]\.first"),
        ({"onrecord": 1, "turns": [TURN], "sections": [{"start": 1}]}, r"sections\[0\]\.title"),
    ],
)
def test_what_is_broken_is_named(talk: Any, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read_one(FORMAT, talk)


def test_a_file_that_breaks_off_is_recognised() -> None:
    source = Source("cut.json", write([TALK])[:200])
    assert fitting(source) == ["onrecord"]
    with pytest.raises(FormatError, match=r"cut\.json, line \d+, column \d+"):
        read(source)


words = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=6)
texts = st.lists(words, min_size=1, max_size=6).map(" ".join).map(lambda t: " ".join(t.split())).filter(bool)
times = st.floats(0, 1e6, allow_nan=False)


@st.composite
def turns(draw: st.DrawFn, start: float) -> Turn:
    text, speaker = draw(texts), draw(st.none() | texts)
    if draw(st.booleans()):
        return Turn(text, speaker)
    offsets = sorted(draw(st.sets(st.integers(0, len(text)), max_size=4)))
    seconds = sorted(start + draw(times) for _ in offsets)
    first = seconds[0] if offsets[:1] == [0] else start
    end = draw(st.none() | times.map(lambda more: max([first, *seconds]) + more))
    return Turn(text, speaker, first, end, tuple(zip(offsets, seconds, strict=True)))


@st.composite
def transcripts(draw: st.DrawFn) -> Transcript:
    spoken: list[Turn] = []
    floor = 0.0
    for _ in range(draw(st.integers(1, 5))):
        turn = draw(turns(floor))
        floor = turn.start if turn.start is not None else floor
        spoken.append(turn)
    position = st.integers(0, len(spoken) - 1)
    places = st.just((-1, -1)) | st.tuples(position, position).map(sorted)
    sections = draw(st.lists(st.tuples(texts, st.none() | times, places), max_size=3))
    return Transcript(
        tuple(spoken),
        draw(st.sampled_from(["webvtt", "nlp"])),
        Details(draw(st.none() | st.just("A title")), language=draw(st.none() | st.just("fr"))),
        tuple(Section(title, start, None, *place) for title, start, place in sections),
        part=draw(st.sampled_from(["", "a guid"])),
    )


@given(st.lists(transcripts(), min_size=1, max_size=3))
def test_any_transcripts_come_back_as_they_were(written: list[Transcript]) -> None:
    source = Source("x", write(written))
    assert fitting(source) == ["onrecord"]
    transcripts_read = read(source)
    assert transcripts_read == tuple(written)
    for transcript in transcripts_read:
        assert_sound(transcript)


def test_what_is_written_is_json() -> None:
    assert json.loads(write([TALK, TALK]))["recordings"][0]["turns"][0]["marks"] == [[0, 0.5], [5, 0.8]]
