"""Tests of the reader of JSON from Rev AI and rev.com."""

from typing import Any

import pytest
from reading import lines, read_one, spans

from onrecord.errors import FormatError
from onrecord.ingest.formats.rev import FORMAT


def text(value: str, start: float | None = None, end: float | None = None) -> dict[str, Any]:
    return {"type": "text", "value": value, "ts": start, "end_ts": end, "confidence": 0.9}


def punct(value: str) -> dict[str, Any]:
    return {"type": "punct", "value": value}


def monologue(speaker: Any, *elements: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"speaker": speaker, "elements": list(elements), **more}


def test_words_and_punctuation() -> None:
    talk = {
        "monologues": [
            monologue(0, text("Hi", 0.5, 0.7), punct(","), punct(" "), text("Ann", 0.8, 1.2), punct(".")),
            monologue(
                1, text("Hello", 1.3, 1.6), punct(". "), text("5", 2.0, 2.2), punct("-"), text("1", 2.3, 2.5)
            ),
        ]
    }
    transcript = read_one(FORMAT, talk)
    assert lines(transcript) == [("Speaker 0", "Hi, Ann."), ("Speaker 1", "Hello. 5-1")]
    assert spans(transcript) == [(0.5, 1.2), (1.3, 2.5)]
    assert transcript.turns[0].marks == ((0, 0.5), (4, 0.8))


def test_each_monologue_is_a_turn() -> None:
    talk = {"monologues": [monologue(0, text("One", 0, 1), punct(" ")), monologue(0, text("Two", 1, 2))]}
    assert lines(read_one(FORMAT, talk)) == [("Speaker 0", "One"), ("Speaker 0", "Two")]


def test_names_of_speakers() -> None:
    talk = {
        "speakers": [{"id": 1, "name": "Ann Lee"}, {"id": 2, "name": "Speaker 2"}],
        "monologues": [
            monologue(1, text("One", 0, 1)),
            monologue(2, text("Two", 1, 2)),
            monologue(3, text("Three", 2, 3), speaker_info={"id": 3, "display_name": "Bo"}),
            monologue(4, text("Four", 3, 4), speaker_info=None),
            monologue(None, text("Five", 4, 5)),
        ],
    }
    speakers = [speaker for speaker, _ in lines(read_one(FORMAT, talk))]
    assert speakers == ["Ann Lee", "Speaker 2", "Bo", "Speaker 4", None]


def test_rev_com_writes_clock_times_tags_and_whole_sentences() -> None:
    elements = [
        {
            "type": "text",
            "value": "Well, it began.",
            "timestamp": "00:00:01,000",
            "end_timestamp": "00:00:02,500",
        },
        {"type": "tag", "name": "crosstalk", "timestamp": "00:00:03,000"},
        {"type": "text", "value": "It did.", "timestamp": "00:01:04,000", "end_timestamp": "00:01:05,250"},
    ]
    transcript = read_one(FORMAT, {"monologues": [monologue(0, *elements)]})
    assert lines(transcript) == [("Speaker 0", "Well, it began. [crosstalk] It did.")]
    assert spans(transcript) == [(1.0, 65.25)]


def test_elements_without_spaces_are_spaced_as_in_writing() -> None:
    elements = [text("So", 0, 1), text("it", 1, 2), text("began", 2, 3), punct("."), text("Ha", 3, 4)]
    assert lines(read_one(FORMAT, {"monologues": [monologue("A", *elements)]})) == [("A", "So it began. Ha")]


def test_what_was_not_understood() -> None:
    elements = [
        text("The", 0, 1),
        punct(" "),
        {"type": "unknown", "value": "<inaudible>"},
        punct(" "),
        text("fell"),
    ]
    assert lines(read_one(FORMAT, {"monologues": [monologue(0, *elements)]})) == [
        ("Speaker 0", "The [inaudible] fell")
    ]


@pytest.mark.parametrize(
    ("talk", "message"),
    [
        ({"monologues": []}, "no words"),
        ({"monologues": [monologue(0, punct(" "))]}, "no words"),
        (
            {"monologues": [monologue(0, text("a", 0, 1)), monologue(0, text("b") | {"ts": "x"})]},
            r"monologues\[1\]\.elements\[0\]\.ts: expected a number from 0, found 'x'",
        ),
        (
            {"monologues": [{"speaker": 0, "elements": [{"type": "text"}]}]},
            r"elements\[0\]\.value: .*found nothing",
        ),
        ({"monologues": [3]}, r"monologues\[0\]: expected an object, found 3"),
    ],
)
def test_what_is_broken_is_named(talk: Any, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read_one(FORMAT, talk)
