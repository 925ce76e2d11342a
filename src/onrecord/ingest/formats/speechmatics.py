"""Reader of Speechmatics: `results` of words and punctuation (v2), or `words` and `speakers` (v1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from onrecord.ingest.formats.fields import (
    Field,
    Speech,
    assign_speakers,
    by_channel,
    details_of,
    first_object,
    json_format,
)
from onrecord.ingest.formats.words import Token, speaker_name, with_channel

_NOBODY = "UU"


def is_own(value: dict[str, Any]) -> bool:
    result = first_object(value.get("results"))
    if "type" in result and "content" in first_object(result.get("alternatives")):
        return True
    return {"name", "time"} <= first_object(value.get("words")).keys()


def read(root: Field) -> Speech:
    if "results" in root:
        lines = [_results(own, channel) for channel, own in by_channel(root["results"], "channel")]
        language = root["metadata"]["transcription_config"]["language"]
    else:
        lines, language = [_words(root)], root["job"]["lang"]
    return Speech(lines, details_of(language, root["job"]["duration"]))


FORMAT = json_format("speechmatics", is_own, read, "results alternatives content end_time")


def _results(results: Sequence[Field], channel: str | None) -> Iterator[Token]:
    """Yield words and punctuation marks; a mark joins the previous word unless it names the next one."""
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
            with_channel(_speaker(best["speaker"]), channel),
            joined or (mark and attached in ("", "previous", "both")),
        )
        joined = mark and attached in ("next", "both")


def _speaker(label: Field) -> str | None:
    return None if label.value == _NOBODY else speaker_name(label.code or "", "S")


def _words(root: Field) -> Iterator[Token]:
    """Yield the words of version 1, which lists the start times of speakers' turns separately."""
    words = [Token(word["name"].words, *word.span("time", length="duration")) for word in root["words"]]
    turns = ((turn["time"], _speaker(turn["name"])) for turn in root["speakers"])
    for token in assign_speakers(words, turns):
        yield replace(token, start=None, end=None) if token.text in (".", ",", "?", "!") else token
