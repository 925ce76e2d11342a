"""Reader of Sonix's JSON: a list `transcript` of turns with `speaker`, `start_time` and `words`."""

from __future__ import annotations

from typing import Any

from onrecord.ingest.formats.fields import Field, Speech, details_of, first_object, json_format
from onrecord.ingest.formats.words import Token, turn_tokens

_TIMES = ("start_time", "end_time")


def is_own(value: dict[str, Any]) -> bool:
    return {"text", "start_time"} <= first_object(value.get("transcript")).keys()


def read(root: Field) -> Speech:
    tokens: list[Token] = []
    for turn in root["transcript"]:
        speaker = turn["speaker"].label
        words = [Token(word["text"].words, *word.span(*_TIMES), speaker) for word in turn["words"]]
        whole = Token("", *turn.span(*_TIMES), speaker, opens=True)
        tokens += turn_tokens(turn["text"].words, words, whole)
    return Speech([tokens], details_of(root["language"], root["duration"]))


FORMAT = json_format("sonix", is_own, read, "transcript start_time speaker")
