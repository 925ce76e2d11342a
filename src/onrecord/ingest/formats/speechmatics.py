"""Reader of Speechmatics: `results` of words and punctuation (v2), or `words` and `speakers` (v1)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import replace
from operator import itemgetter
from typing import Any

from onrecord.ingest.formats.fields import Field, Speech, details_of, first_object, json_format
from onrecord.ingest.formats.words import Token, space_words

_NOBODY = "UU"


def is_own(value: dict[str, Any]) -> bool:
    result = first_object(value.get("results"))
    if "type" in result and "content" in first_object(result.get("alternatives")):
        return True
    return {"name", "time"} <= first_object(value.get("words")).keys()


def read(root: Field) -> Speech:
    if "results" in root:
        tokens, language = _results(root["results"]), root["metadata"]["transcription_config"]["language"]
    else:
        tokens, language = _words(root), root["job"]["lang"]
    return Speech([tokens], details_of(language, root["job"]["duration"]))


FORMAT = json_format("speechmatics", is_own, read, "results alternatives content end_time")


def _results(results: Field) -> Iterator[Token]:
    """Yield words and punctuation marks; a mark joins the previous word unless it names the next one."""
    channels = {result["channel"].text for result in results} - {""}
    joined = False
    for result in results:
        best = next(iter(result["alternatives"]), None)
        kind = result["type"].text
        if best is None or kind == "speaker_change":
            continue
        attached = result["attaches_to"].text
        mark = kind == "punctuation"
        yield Token(
            best["content"].words,
            None if mark else result["start_time"].seconds(),
            None if mark else result["end_time"].seconds(),
            _speaker(best, result, len(channels) > 1),
            joined or (mark and attached in ("", "previous", "both")),
        )
        joined = mark and attached in ("next", "both")


def _speaker(best: Field, result: Field, several: bool) -> str | None:
    label = best["speaker"].text
    if label and label != _NOBODY:
        number = label[1:]
        return f"Speaker {number}" if label[0] in "SMF" and number.isdecimal() else best["speaker"].label
    return result["channel"].label if several else None


def _words(root: Field) -> Iterator[Token]:
    """Yield the words of version 1, which lists the start times of speakers' turns separately."""
    turns = [(turn["time"].seconds() or 0.0, turn["name"].label) for turn in root["speakers"]]
    turns.sort(key=itemgetter(0))
    begins = [begin for begin, _ in turns]
    tokens = []
    for word in root["words"]:
        start, length = word["time"].seconds(), word["duration"].seconds()
        at = bisect_right(begins, (start or 0.0) + 0.001) - 1
        label = turns[at][1] if at >= 0 else None
        end = None if start is None or length is None else start + length
        tokens.append(Token(word["name"].words, start, end, None if label == _NOBODY else label))
    for token in space_words(tokens):
        yield replace(token, start=None, end=None) if token.text in (".", ",", "?", "!") else token
