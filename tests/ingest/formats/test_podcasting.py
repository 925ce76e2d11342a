"""Tests of the reader of Podcasting 2.0 JSON transcripts."""

from pathlib import Path
from typing import Any

import pytest
from reading import assert_sound, fitting, lines, read_one, spans

from onrecord.errors import FormatError
from onrecord.ingest.formats.base import Source
from onrecord.ingest.formats.podcasting import FORMAT


def podcast(*segments: dict[str, Any]) -> dict[str, Any]:
    return {"version": "1.0.0", "segments": list(segments)}


def test_bodies_may_be_words() -> None:
    words = ["Good", " ", "day", ",", "Ann", "."]
    talk = podcast(
        *({"startTime": n / 2, "endTime": n / 2 + 0.4, "body": body} for n, body in enumerate(words))
    )
    assert lines(read_one(FORMAT, talk)) == [(None, "Good day, Ann.")]


def test_bodies_may_be_sentences_and_a_missing_speaker_is_the_one_before() -> None:
    talk = podcast(
        {"speaker": "Ann", "startTime": 0, "endTime": 2.5, "body": "So it began.\n"},
        {"startTime": 4, "endTime": "6.5", "body": "It did."},
        {"speaker": "Bo", "startTime": 6.5, "body": " Did it?"},
    )
    transcript = read_one(FORMAT, talk)
    assert lines(transcript) == [("Ann", "So it began. It did."), ("Bo", "Did it?")]
    assert spans(transcript) == [(0.0, 6.5), (6.5, 6.5)]
    assert transcript.turns[0].marks == ((0, 0.0), (12, 2.5), (13, 4.0))


def test_an_empty_speaker_names_nobody() -> None:
    talk = podcast(
        {"speaker": "Ann", "startTime": 0, "endTime": 2, "body": "So it began."},
        {"speaker": "", "startTime": 2, "endTime": 4, "body": "I doubt it."},
    )
    assert lines(read_one(FORMAT, talk)) == [("Ann", "So it began."), (None, "I doubt it.")]


@pytest.mark.parametrize(
    ("segment", "message"),
    [
        ({"startTime": 0, "endTime": 1, "body": ""}, "no words"),
        ({"startTime": 0, "endTime": 1}, r"segments\[0\]\.body: expected text, found nothing"),
        ({"startTime": "later", "body": "a"}, r"segments\[0\]\.startTime: .*'later'"),
    ],
)
def test_what_is_broken_is_named(segment: dict[str, Any], message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read_one(FORMAT, podcast(segment))


def test_chapters_are_no_transcript() -> None:
    assert (
        fitting(Source("chapters.json", '{"version": "1.2.0", "chapters": [{"startTime": 0, "title": "x"}]}'))
        == []
    )


@pytest.mark.data
def test_original(data: Path) -> None:
    transcript = read_one(FORMAT, (data / "transcript_formats/raw/podcasting2_json/example.json").read_text())
    assert_sound(transcript)
    assert [len(turn.text.split()) for turn in transcript.turns] == [4, 1]
    assert spans(transcript) == [(0.5, 2.5), (2.75, 3.0)]
    assert transcript.turns[0].text.endswith("father.")
