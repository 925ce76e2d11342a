"""Fireflies: `sentences` with `speaker_name`, of its API and its exports."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from onrecord.ingest.formats.base import Format, Source
from onrecord.ingest.formats.fields import Field, broken_json, document, first_object
from onrecord.ingest.formats.words import Token, transcript
from onrecord.types import Details, Transcript, one_line

_NAMES = {"speaker_name", "speakerName"}


def fits(source: Source) -> bool:
    value = source.json
    if value is None:
        return broken_json(source, "sentences", "speaker_name")
    return any(_is_sentence(first_object(sentences)) for sentences in _holders(value))


def read(source: Source) -> tuple[Transcript, ...]:
    root = document(source)
    if isinstance(root.value, list):
        root = Field(source, {"sentences": root.value})
    for key in ("data", "transcript"):
        root = root[key] if isinstance(root.value, dict) and key in root else root
    tokens = list(_sentences(root["sentences"]))
    return (transcript(source, FORMAT.name, tokens, details=_details(root)),)


FORMAT = Format("fireflies", (".json",), fits, read)


def _holders(value: Any) -> Iterator[Any]:
    """Yield the values that may hold sentences: the document, or a part of a reply."""
    yield value
    for _ in range(3):
        if not isinstance(value, dict):
            return
        yield value.get("sentences")
        value = value.get("data") or value.get("transcript")


def _is_sentence(item: dict[str, Any]) -> bool:
    return bool(_NAMES & item.keys()) and bool({"text", "sentence", "raw_text"} & item.keys())


def _sentences(sentences: Field) -> Iterator[Token]:
    for sentence in sentences:
        name = sentence.first("speaker_name", "speakerName").label
        number = sentence.first("speaker_id", "speakerId").label
        start = sentence.first("start_time", "startTime").seconds()
        end = sentence.first("end_time", "endTime").seconds()
        yield Token(sentence.first("text", "sentence", "raw_text").words, start, end, name or number)


def _details(root: Field) -> Details:
    title, date = root["title"].value, root["date"].value
    if isinstance(date, int) and not isinstance(date, bool) and 0 < date < 1e14:
        date = datetime.fromtimestamp(date / 1000, UTC).date().isoformat()
    elif isinstance(date, str) and date[:10].count("-") == 2:
        date = date[:10]
    else:
        date = None
    return Details(title=one_line(title) or None if isinstance(title, str) else None, date=date)
