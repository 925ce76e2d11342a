"""Sonix's JSON: a list `transcript` of turns with `speaker`, `start_time` and `words`."""

from __future__ import annotations

from onrecord.ingest.formats.base import Format, Source
from onrecord.ingest.formats.fields import broken_json, details_of, document, first_object
from onrecord.ingest.formats.words import Token, transcript, turn_tokens
from onrecord.types import Transcript


def fits(source: Source) -> bool:
    value = source.json
    if not isinstance(value, dict):
        return broken_json(source, "transcript", "start_time", "speaker")
    return {"text", "start_time"} <= first_object(value.get("transcript")).keys()


def read(source: Source) -> tuple[Transcript, ...]:
    root = document(source)
    tokens: list[Token] = []
    for turn in root["transcript"]:
        speaker = turn["speaker"].label
        words = [
            Token(word["text"].words, *word.span("start_time", "end_time"), speaker) for word in turn["words"]
        ]
        whole = Token("", *turn.span("start_time", "end_time"), speaker)
        tokens += turn_tokens(turn["text"].words, words, whole)
    details = details_of(root["language"], root["duration"])
    return (transcript(source, FORMAT.name, tokens, details=details),)


FORMAT = Format("sonix", (".json",), fits, read)
