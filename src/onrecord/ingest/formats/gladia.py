"""Gladia: `result.transcription.utterances` (version 2), or a list `prediction` (version 1)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from onrecord.ingest.formats.base import Format, Source
from onrecord.ingest.formats.fields import Field, broken_json, details_of, document, first_object
from onrecord.ingest.formats.words import Token, space_words, transcript, turn_tokens
from onrecord.types import Transcript


def fits(source: Source) -> bool:
    value = source.json
    if not isinstance(value, dict):
        return broken_json(source, "transcription", "utterances")
    if "transcription" in first_object(value.get("prediction")):
        return True
    return isinstance(_holder(value).get("utterances"), list) and "full_transcript" in _holder(value)


def read(source: Source) -> tuple[Transcript, ...]:
    root = document(source)
    status = root["status"].text
    if status and status != "done":
        raise source.error("status", "a transcription that is done", status)
    inner = root.unwrap("result")
    holder = inner.unwrap("transcription")
    utterances = root["prediction"] if "prediction" in root else holder["utterances"]
    tokens = [token for utterance in utterances for token in _utterance(utterance)]
    languages = list(holder["languages"])
    language = languages[0] if languages else Field(source, None)
    details = details_of(language, inner["metadata"]["audio_duration"])
    return (transcript(source, FORMAT.name, tokens, details=details),)


FORMAT = Format("gladia", (".json",), fits, read)


def _holder(value: dict[str, Any]) -> dict[str, Any]:
    """Return the object that holds the utterances: in a job, in a result, or the document."""
    for key in ("result", "transcription"):
        inner = value.get(key)
        value = inner if isinstance(inner, dict) else value
    return value


def _utterance(utterance: Field) -> Iterator[Token]:
    speaker = utterance["speaker"].label
    if speaker == "not_activated":
        speaker = None
    words = [
        Token(
            word["word"].words,
            word.first("start", "time_begin").seconds(),
            word.first("end", "time_end").seconds(),
            speaker,
        )
        for word in utterance["words"]
    ]
    start = utterance.first("start", "time_begin").seconds()
    end = utterance.first("end", "time_end").seconds()
    text = utterance.first("text", "transcription").text
    if text.strip():
        yield from turn_tokens(text, words, Token("", start, end, speaker))
    else:
        yield from space_words(words)
