"""Tests of the reader of turns stored as records in JSON and JSON Lines."""

import json

import pytest

from onrecord.errors import FormatError
from onrecord.ingest.formats import read

TURNS = [("Ann", "Why did margins fall?"), ("Bo", "Tariffs.")]
OBJECTS = [{"speaker": name, "text": text, "note": None} for name, text in TURNS]


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(OBJECTS),
        json.dumps({"title": "Call", "data": {"id": 3, "dialog": OBJECTS, "tags": ["a"]}}),
        "\n\n".join(map(json.dumps, OBJECTS)) + "\n",
        json.dumps([{"Speaker Name": name, "content": text} for name, text in TURNS]),
        json.dumps([{"speaker": {"id": 7, "name": name}, "text": text} for name, text in TURNS]),
        json.dumps([{"participant": {"display_name": name}, "text": text} for name, text in TURNS]),
        json.dumps([{"speaker_id": 7, "participantName": name, "text": text} for name, text in TURNS]),
    ],
)
def test_records_of_turns(text: str) -> None:
    (transcript,) = read("talk.json", text.encode())
    assert [(turn.speaker, turn.text) for turn in transcript.turns] == TURNS
    assert (transcript.format, transcript.details.title) == ("records", "Call" if "Call" in text else None)


def test_times_of_records_have_units() -> None:
    objects = [
        {"who": at, "message": "so", "start_ms": 1200 * at, "end_ms": 1200 * at + 900} for at in (1, 2)
    ]
    (transcript,) = read("talk.jsonl", "\n".join(map(json.dumps, objects)).encode())
    assert [(turn.speaker, turn.start, turn.end) for turn in transcript.turns] == [
        ("Speaker 1", 1.2, 2.1),
        ("Speaker 2", 2.4, 3.3),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"speaker": "Ann", "text": "Why?"}\n\n{"speaker": "Bo"', "line 3: expected a JSON object"),
        (
            '{"speaker": "Ann", "text": "Why?"}\n{"speaker": "Bo"}',
            "line 2: expected words under a key such as",
        ),
        (
            '[{"speaker": "Ann", "text": "Why?", "begin": "noon"}]',
            "item 1, column start: expected a time from 0",
        ),
        ('[{"title": "Why?", "content": "So.", "author": "Ann"}]', "expected a transcript"),
        ('[{"file": "a.vtt", "text": "So.", "speaker": "Ann"}]', "expected a transcript"),
        (
            '{"a": [{"who": "Ann", "text": "So."}], "b": [{"who": "Bo", "text": "So."}]}',
            "expected a transcript",
        ),
    ],
)
def test_other_records_are_refused(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read("talk.json", text.encode())
