"""Gladia: `result.transcription.utterances` (version 2), or a list `prediction` (version 1)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from onrecord.ingest.formats.fields import Field, Speech, details_of, first_object, json_format
from onrecord.ingest.formats.words import Token, space_words, turn_tokens

_TIMES = (("start", "time_begin"), ("end", "time_end"))


def is_own(value: dict[str, Any]) -> bool:
    if "transcription" in first_object(value.get("prediction")):
        return True
    return isinstance(_holder(value).get("utterances"), list) and "full_transcript" in _holder(value)


def read(root: Field) -> Speech:
    status = root["status"].text
    if status and status != "done":
        raise root["status"].error("a transcription that is done", status)
    inner = root.unwrap("result")
    holder = inner.unwrap("transcription")
    utterances = root["prediction"] if "prediction" in root else holder["utterances"]
    tokens = [token for utterance in utterances for token in _utterance(utterance)]
    language = next(iter(holder["languages"]), root.with_value(None))
    return Speech([tokens], details_of(language, inner["metadata"]["audio_duration"]))


FORMAT = json_format("gladia", is_own, read, "transcription utterances")


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
    words = [Token(word["word"].words, *word.span(*_TIMES), speaker) for word in utterance["words"]]
    span = utterance.span(*_TIMES)
    text = utterance.first("text", "transcription").text
    if text.strip():
        yield from turn_tokens(text, words, Token("", *span, speaker))
    else:
        yield from space_words(words)
