"""Tests of the reader of YouTube's json3 captions."""

import json
from typing import Any

import pytest
from reading_texts import read_text, spoken_turns, times

from onrecord.errors import FormatError
from onrecord.ingest.formats import read
from onrecord.types import Transcript


def json3(*events: dict[str, Any], **more: Any) -> Transcript:
    return read_text(json.dumps({"wireMagic": "pb3", "pens": [{}], "events": events, **more}), "youtube")


def event(start: int, duration: int, *segments: Any, **more: Any) -> dict[str, Any]:
    """Return a caption event; each segment is a text, or a text and its offset in milliseconds."""
    segs = [{"utf8": s} if isinstance(s, str) else {"utf8": s[0], "tOffsetMs": s[1]} for s in segments]
    return {"tStartMs": start, "dDurationMs": duration, "segs": segs, **more}


def test_automatic_captions() -> None:
    transcript = json3(
        {"tStartMs": 0, "dDurationMs": 9000, "id": 1, "wpWinPosId": 1, "wsWinStyleId": 1},
        event(160, 4790, "good", (" evening", 240), (" everyone", 480), wWinId=1),
        event(2389, 2561, "\n", wWinId=1, aAppend=1),
        event(2399, 4000, "to", (" the", 160), (" meeting", 400), wWinId=1),
        event(8000, 2000, "[Music]", wWinId=1),
    )
    (turn,) = transcript.turns
    assert turn.text == "good evening everyone to the meeting [Music]"
    assert turn.marks == (
        *((0, 0.16), (5, 0.4), (13, 0.64), (22, 2.399), (25, 2.559), (29, 2.799)),
        *((36, 6.399), (37, 8.0)),
    )
    assert (turn.start, turn.end) == (0.16, 10.0)


def test_captions_written_by_people() -> None:
    transcript = json3(
        event(1000, 2000, "Ann: Where were\nyou?"),
        event(3000, 2000, "\u200b\n\u200bBo: Away &amp; out.\u200b"),
        event(5000, 2000, "Ann: Oh."),
    )
    assert spoken_turns(transcript) == [("Ann", "Where were you?"), ("Bo", "Away & out."), ("Ann", "Oh.")]
    assert times(transcript) == [(1.0, 3.0), (3.0, 5.0), (5.0, 7.0)]


def test_chevrons_change_the_speaker() -> None:
    transcript = json3(event(0, 2000, ">> so", (" far", 300)), event(2000, 2000, ">> indeed"))
    assert spoken_turns(transcript) == [(None, "so far"), (None, "indeed")]


def test_languages_without_spaces_keep_the_times_of_words() -> None:
    (turn,) = json3(event(0, 3000, "今日", ("は", 500), ("晴れ", 900))).turns
    assert turn.text == "今日は晴れ"
    assert turn.marks == ((0, 0.0), (2, 0.5), (3, 0.9))


def test_what_is_absent_is_nothing() -> None:
    transcript = read_text(
        '{"events": [{"segs": [{"utf8": "Hi"}]}, {"tStartMs": 500, "segs": [{}, {"utf8": "ho"}]}]}', "youtube"
    )
    assert spoken_turns(transcript) == [(None, "Hi ho")]
    assert times(transcript) == [(0.0, 0.5)]


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ('{"wireMagic": "pb3", "events": []}', "expected a transcript with words"),
        ('{"wireMagic": "pb3", "events": [{"tStartMs": 1}]}', "expected a transcript with words"),
        ('{"events": [{"tStartMs": "x", "segs": []}]}', "events[0].tStartMs: expected a number from 0"),
        ('{"events": [{"tStartMs": -5, "segs": []}]}', "events[0].tStartMs: expected a number from 0"),
        ('{"events": [{"tStartMs": 1, "segs": {}}]}', "events[0].segs: expected a list"),
        ('{"events": [{"tStartMs": 1, "segs": [3]}]}', "events[0].segs[0]: expected an object"),
        ('{"events": [{"tStartMs": 1, "segs": [{"utf8": 3}]}]}', "events[0].segs[0].utf8: expected text"),
        ('{"wireMagic": "pb3", "events": [{"tStartMs": 1, "se', "line 1, column 49: expected JSON"),
    ],
)
def test_a_broken_document_is_an_error_that_names_the_place(document: str, message: str) -> None:
    with pytest.raises(FormatError) as error:
        read("talk.json3", document.encode())
    assert message in str(error.value)
