"""Reader of Gladia: `result.transcription.utterances` (version 2), or a list `prediction` (version 1)."""

from __future__ import annotations

from typing import Any

from onrecord.ingest.formats.fields import Field, Speech, details_of, first_object, json_format
from onrecord.ingest.formats.words import Token, turn_tokens

_TIMES = (("start", "time_begin"), ("end", "time_end"))


def is_own(value: dict[str, Any]) -> bool:
    if "transcription" in first_object(value.get("prediction")):
        return True
    for key in ("result", "transcription"):  # a job or its result may wrap the object with the utterances
        inner = value.get(key)
        value = inner if isinstance(inner, dict) else value
    return isinstance(value.get("utterances"), list) and "full_transcript" in value


def read(root: Field) -> Speech:
    status = root["status"].text
    if status and status != "done":
        raise root["status"].error("a transcription that is done", status)
    inner = root.unwrap("result")
    holder = inner.unwrap("transcription")
    tokens: list[Token] = []
    for utterance in root["prediction"] if "prediction" in root else holder["utterances"]:
        speaker = utterance["speaker"].label
        speaker = None if speaker == "not_activated" else speaker
        words = [Token(word["word"].words, *word.span(*_TIMES), speaker) for word in utterance["words"]]
        whole = Token("", *utterance.span(*_TIMES), speaker, opens=True)
        tokens += turn_tokens(utterance.first("text", "transcription").text, words, whole)
    language = next(iter(holder["languages"]), root.with_value(None))
    return Speech([tokens], details_of(language, inner["metadata"]["audio_duration"]))


FORMAT = json_format("gladia", is_own, read, "transcription utterances")
