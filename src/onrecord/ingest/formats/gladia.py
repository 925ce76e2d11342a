"""Reader of Gladia: `result.transcription.utterances` (version 2), or a list `prediction` (version 1)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from onrecord.ingest.formats.fields import (
    Field,
    Speech,
    by_channel,
    check_done,
    details_of,
    first_object,
    json_format,
)
from onrecord.ingest.formats.words import Token, turn_tokens, with_channel

_TIMES = (("start", "time_begin"), ("end", "time_end"))


def is_own(value: dict[str, Any]) -> bool:
    if "transcription" in first_object(value.get("prediction")):
        return True
    for key in ("result", "transcription"):  # a job or its result may wrap the object with the utterances
        inner = value.get(key)
        value = inner if isinstance(inner, dict) else value
    return isinstance(value.get("utterances"), list) and "full_transcript" in value


def read(root: Field) -> Speech:
    check_done(root["status"])
    inner = root.unwrap("result")
    holder = inner.unwrap("transcription")
    utterances = root["prediction"] if "prediction" in root else holder["utterances"]
    channels = by_channel(utterances, "channel")
    lines = [[token for each in own for token in _tokens(each, channel)] for channel, own in channels]
    language = next(iter(holder["languages"]), root.with_value(None))
    return Speech(lines, details_of(language, inner["metadata"]["audio_duration"]))


FORMAT = json_format("gladia", is_own, read, "transcription utterances")


def _tokens(utterance: Field, channel: str | None) -> Iterator[Token]:
    label = utterance["speaker"].label
    speaker = with_channel(None if label == "not_activated" else label, channel)
    words = [Token(word["word"].words, *word.span(*_TIMES), speaker) for word in utterance["words"]]
    whole = Token("", *utterance.span(*_TIMES), speaker, opens=True)
    return turn_tokens(utterance.first("text", "transcription").text, words, whole)
