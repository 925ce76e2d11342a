"""Reader of turns in generic JSON: objects with words, and a speaker or a time.

The objects form a list, which may stand in another object, or one object stands on each line (JSON Lines).
Their keys have the names that are accepted for table columns. The enclosing object may have a title.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from typing import Any

from onrecord.ingest.formats.base import Format, Source
from onrecord.ingest.formats.tables import FOREIGN_COLUMNS, Row, column_of, row_tokens, speaker_keys
from onrecord.ingest.formats.words import seconds, transcript
from onrecord.types import Details, Transcript, one_line

Record = Mapping[str, Any]

_DEPTH = 3
"""The maximum number of objects that enclose the list."""


def fits(source: Source) -> bool:
    if _list_of_turns(source.json) is not None:
        return True
    line = source.text.lstrip().split("\n", 1)[0]
    value = Source(source.name, line).json if line.startswith("{") else None
    return isinstance(value, dict) and _is_turn(value)


def read(source: Source) -> tuple[Transcript, ...]:
    records, place = _list_of_turns(source.json), "item"
    if records is None:
        records, place = list(_lines(source)), "line"
    rows: list[Row] = []
    for number, record in enumerate(records, 1):
        if not record:  # an empty record stands for a blank line
            continue
        cells = _cells(record)
        if "text" not in cells:
            keys = f"the keys {', '.join(record)}"
            raise source.error(f"{place} {number}", "words under a key such as text", keys)
        rows.append((f"{place} {number}", cells))
    names = {key for record in records for key in record}
    title = source.json.get("title") if isinstance(source.json, dict) else None
    details = Details(title=one_line(title) or None if isinstance(title, str) else None)
    return (transcript(source, FORMAT.name, row_tokens(source, names, rows), details=details),)


FORMAT = Format("records", (".jsonl", ".ndjson"), fits, read)


def _list_of_turns(value: Any, depth: int = _DEPTH) -> Sequence[Record] | None:
    """Return the only list of turns in a JSON value, or None if there is not exactly one."""
    if isinstance(value, list):
        whole = bool(value) and all(isinstance(item, dict) for item in value)
        return value if whole and any(map(_is_turn, value[:20])) else None
    if not isinstance(value, dict) or not depth:
        return None
    lists = [turns for item in value.values() if (turns := _list_of_turns(item, depth - 1)) is not None]
    return lists[0] if len(lists) == 1 else None


def _is_turn(record: Record) -> bool:
    """Return whether an object has words, and a speaker or a time.

    An object with a key of a manifest or a FAQ is not a turn.
    """
    if FOREIGN_COLUMNS & record.keys():
        return False
    cells = _cells(record)
    timed = seconds(cells.get("start", "")) is not None
    return bool(cells.get("text")) and (bool(cells.get("speaker")) or timed)


def _cells(record: Record) -> dict[str, str]:
    """Return the strings and numbers of an object as text, by the columns that its keys name."""
    named = [(column_of(key), value) for key, value in reversed(list(record.items()))]
    named.append(("speaker", reduce(lambda value, key: value[key], speaker_keys(record), record)))
    return {
        column: str(value).strip()
        for column, value in named
        if column and isinstance(value, str | int | float) and not isinstance(value, bool)
    }


def _lines(source: Source) -> Iterator[Record]:
    """Yield the object on each line, or an empty object for a blank line.

    Raises FormatError if a line is not a JSON object.
    """
    for number, line in enumerate(source.text.split("\n"), 1):
        value = Source(source.name, line).json if line.strip() else {}
        if not isinstance(value, dict):
            raise source.error(f"line {number}", "a JSON object", line.strip()[:40])
        yield value
