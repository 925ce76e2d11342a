"""Tests of the reader of Amberscript JSON files."""

from typing import Any

import pytest
from reading import lines, read_one, spans

from onrecord.errors import FormatError
from onrecord.ingest.formats.amberscript import FORMAT


def word(text: str, start: float, end: float) -> dict[str, Any]:
    """Return a word as Amberscript writes it; times are in seconds."""
    return {"start": start, "end": end, "duration": end - start, "text": text, "conf": 1.0, "pristine": True}


def amberscript(*segments: dict[str, Any]) -> dict[str, Any]:
    """Return a document with these segments and two speakers, of whom only the first has a name."""
    speakers = [{"spkid": "spk1", "name": "Ann Lee"}, {"spkid": "spk2", "name": ""}]
    return {
        "id": "x",
        "filename": "a.mp3",
        "startTimeOffset": 0.0,
        "speakers": speakers,
        "segments": list(segments),
    }


def test_segments_are_turns_of_named_speakers() -> None:
    talk = amberscript(
        {"speaker": "spk1", "words": [word("Hi,", 0.45, 1.0), word("welcome.", 1.1, 1.6)]},
        {"speaker": "spk1", "words": [word("Ready?", 2.0, 2.5)]},
        {"speaker": "spk2", "words": [word("Yes.", 2.6, 3.0)]},
        {"speaker": "spk3", "words": [word("No.", 3.1, 3.5)]},
    )
    transcript = read_one(FORMAT, talk)
    assert lines(transcript) == [
        ("Ann Lee", "Hi, welcome."),
        ("Ann Lee", "Ready?"),
        ("spk2", "Yes."),
        ("spk3", "No."),
    ]
    assert spans(transcript)[0] == (0.45, 1.6)
    assert transcript.turns[0].marks == ((0, 0.45), (4, 1.1))


def test_it_is_recognised_without_a_table_of_speakers() -> None:
    talk = {"segments": [{"speaker": "spk1", "words": [word("Hi.", 0.0, 1.0)]}]}
    assert lines(read_one(FORMAT, talk)) == [("spk1", "Hi.")]


@pytest.mark.parametrize(
    ("segments", "message"),
    [
        ([], "no words"),
        (
            [{"speaker": "spk1", "words": [word("a", 0, 1) | {"end": None, "start": {}}]}],
            r"\.start: .*an object",
        ),
        (
            [{"speaker": ["spk1"], "words": [word("a", 0, 1)]}],
            r"segments\[0\]\.speaker: expected a name or a number",
        ),
    ],
)
def test_what_is_broken_is_named(segments: list[dict[str, Any]], message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read_one(FORMAT, amberscript(*segments))
