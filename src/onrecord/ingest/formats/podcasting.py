"""The Podcasting 2.0 JSON transcript: `segments` of `startTime`, `endTime`, `speaker` and `body`.

A body is a word or a sentence; a segment without a speaker has that of the one before.
"""

from __future__ import annotations

from collections.abc import Iterator

from onrecord.ingest.formats.base import Format, Source
from onrecord.ingest.formats.fields import Field, broken_json, details_of, document, first_object
from onrecord.ingest.formats.words import Token, space_words, transcript
from onrecord.types import Transcript


def fits(source: Source) -> bool:
    value = source.json
    if not isinstance(value, dict):
        return broken_json(source, "segments", "startTime") or broken_json(source, "segments", "body")
    return bool({"body", "startTime"} & first_object(value.get("segments")).keys())


def read(source: Source) -> tuple[Transcript, ...]:
    root = document(source)
    details = details_of(root["language"], root["duration"])
    return (transcript(source, FORMAT.name, space_words(_segments(root["segments"])), details=details),)


FORMAT = Format("podcasting", (".json",), fits, read)


def _segments(segments: Field) -> Iterator[Token]:
    speaker = None
    for segment in segments:
        speaker = segment["speaker"].label or speaker
        span = segment.span("startTime", "endTime")
        yield Token(segment["body"].words, *span, speaker)
