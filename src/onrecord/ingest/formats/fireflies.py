"""Reader of Fireflies' API responses and exports: `sentences` with `speaker_name`."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from onrecord.ingest.formats.fields import Field, Speech, first_object, json_format
from onrecord.ingest.formats.words import Token
from onrecord.types import Details, one_line

_NAMES = {"speaker_name", "speakerName"}
_TEXTS = {"text", "sentence", "raw_text"}


def is_own(value: dict[str, Any]) -> bool:
    for _ in range(3):  # the sentences stand in the document or in a nested part of an API response
        sentence = first_object(value.get("sentences"))
        if _NAMES & sentence.keys() and _TEXTS & sentence.keys():
            return True
        value = value.get("data") or value.get("transcript") or {}
        if not isinstance(value, dict):
            return False
    return False


def read(root: Field) -> Speech:
    if isinstance(root.value, list):
        root = root.with_value({"sentences": root.value})
    for key in ("data", "transcript"):
        root = root.unwrap(key)
    tokens = []
    for sentence in root["sentences"]:
        name = sentence.first("speaker_name", "speakerName").label
        number = sentence.first("speaker_id", "speakerId").label
        span = sentence.span(("start_time", "startTime", "start"), ("end_time", "endTime", "end"))
        tokens.append(Token(sentence.first("text", "sentence", "raw_text").words, *span, name or number))
    return Speech([tokens], _details(root))


FORMAT = json_format("fireflies", is_own, read, "sentences speaker_name", listed="sentences")


def _details(root: Field) -> Details:
    title, date = root["title"].value, root["date"].value
    if isinstance(date, int) and not isinstance(date, bool) and 0 < date < 1e14:
        date = datetime.fromtimestamp(date / 1000, UTC).date().isoformat()
    elif isinstance(date, str) and date[:10].count("-") == 2:
        date = date[:10]
    else:
        date = None
    return Details(title=one_line(title) or None if isinstance(title, str) else None, date=date)
