"""Reader of Podcasting 2.0 JSON: `segments` with `startTime`, `endTime`, `speaker` and `body`.

A body is a word or a sentence. A segment without a `speaker` has the speaker of the previous segment. An
empty `speaker` means that the speaker is unknown.
"""

from __future__ import annotations

from typing import Any

from onrecord.ingest.formats.fields import Field, Speech, details_of, first_object, json_format
from onrecord.ingest.formats.words import Token, space_words


def is_own(value: dict[str, Any]) -> bool:
    return bool({"body", "startTime"} & first_object(value.get("segments")).keys())


def read(root: Field) -> Speech:
    tokens, speaker = [], None
    for segment in root["segments"]:
        speaker = segment["speaker"].label if "speaker" in segment else speaker
        span = segment.span("startTime", "endTime")
        tokens.append(Token(segment["body"].words, *span, speaker))
    return Speech([space_words(tokens)], details_of(root["language"], root["duration"]))


FORMAT = json_format("podcasting", is_own, read, "segments startTime", "segments body")
