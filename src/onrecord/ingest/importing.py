"""Recordings from the rows of a table, by a mapping file that assigns its columns."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import date, time, timedelta
from functools import partial
from hashlib import sha256
from itertools import chain
from json import loads
from pathlib import Path
from typing import TYPE_CHECKING, Any

from onrecord.errors import FormatError, InputError, OnRecordError, did_you_mean, nearest
from onrecord.ingest.details import KNOWN, details_from
from onrecord.ingest.folders import display_path, read_bytes
from onrecord.ingest.formats.clock import CLOCK, seconds_of
from onrecord.ingest.outcomes import Refused, Skipped, TranscriptSource, TurnVectors
from onrecord.ingest.plain import Plain, decode_text, read_yaml, type_name
from onrecord.ingest.tables import Row, Table, open_table, value_at
from onrecord.types import Details, Transcript, Turn, one_line

if TYPE_CHECKING:
    from onrecord.types import Vectors

_COLUMNS = ("recording", "text", "speaker", "start", "end", "position", "vector")
_KEYS = ("table", "collection", *_COLUMNS, "model", "times", *KNOWN, "attributes")
_UNITS = {"seconds": 1.0, "milliseconds": 0.001}


@dataclass(frozen=True, slots=True)
class ColumnMapping:
    """The columns of a table that hold text, speaker, times and details.

    `columns` has the keys of `_COLUMNS`, `details` the names of details. `model` is the model of the vectors.
    `unit` is the length of a unit of time, in seconds.
    """

    file: str
    table: str
    columns: Mapping[str, str]
    details: Mapping[str, str]
    model: str | None = None
    unit: float = 1.0

    @property
    def wanted(self) -> tuple[str, ...]:
        """All columns to read, each once. Vectors of an unknown model are not read."""
        used = (name for part, name in self.columns.items() if part != "vector" or self.model)
        return tuple(dict.fromkeys(chain(used, self.details.values())))

    def check(self, table: Table) -> None:
        """Raise FormatError for a column that the table lacks; the message lists its columns."""
        for part, column in chain(self.columns.items(), self.details.items()):
            if column not in table.columns:
                available = ", ".join(table.columns[:30])
                hint = did_you_mean(nearest(column, table.columns), "; ")
                raise FormatError(self.file, part, f"a column of {table.place} ({available}){hint}", column)


def read_mapping(path: Path) -> ColumnMapping:
    """Read a mapping from YAML: see docs/importing.md. Raises FormatError, NotFoundError, IngestError."""
    file = display_path(path)
    values = read_yaml(file, decode_text(file, read_bytes(path)))
    if not isinstance(values, dict):
        raise FormatError(file, "line 1", "names and columns (text: body)", type_name(values))
    for name in values:
        if name not in _KEYS:
            hint = did_you_mean(nearest(name, _KEYS), "; ")
            raise FormatError(file, repr(name), f"one of {', '.join(_KEYS)}{hint}", name)
    attributes = values.get("attributes") or {}
    if not isinstance(attributes, dict):
        raise FormatError(file, "attributes", "names and columns (show: show_name)", type_name(attributes))
    unit = _text(file, values, "times") or "seconds"
    if unit not in _UNITS:
        raise FormatError(file, "times", " or ".join(_UNITS), unit)
    columns = {name: column for name in _COLUMNS if (column := _text(file, values, name))}
    for name in ("recording", "text"):
        if name not in columns:
            raise FormatError(file, name, "the name of a column", "nothing")
    table = _text(file, values, "table") or _text(file, values, "collection")
    if not table:
        raise FormatError(file, "table", "the name of a table or collection", "nothing")
    details = {name: column for name in KNOWN if (column := _text(file, values, name))}
    details |= {name: column for name in attributes if (column := _text(file, attributes, name))}
    return ColumnMapping(file, table, columns, details, _text(file, values, "model"), _UNITS[unit])


def _text(file: str, values: Mapping[str, Plain], name: str) -> str | None:
    value = values.get(name)
    if value is not None and not isinstance(value, str):
        raise FormatError(file, name, "one text", type_name(value))
    return value or None


def import_table(
    paths: Sequence[Path | str], mapping: Path | str, overrides: Details | None
) -> ImportedTable:
    """Open the table at the only address in `paths`. Raises the errors of ImportedTable."""
    if len(paths) != 1:
        raise InputError(f"a mapping describes one table: name one address, not {len(paths)}")
    return ImportedTable(str(paths[0]), read_mapping(Path(mapping)), overrides or Details())


class ImportedTable:
    """The recordings of a table, read one by one during iteration, which is possible once.

    Iterating yields TranscriptSource and Refused, as `sources.Gathering` does. All rows with the same value
    in the column `recording` are one recording; each row is a turn. `len()` is the number of recordings.
    `overrides` are details that take precedence over the table's.

    Raises InputError, NotFoundError or FetchError for the table, FormatError for the mapping.
    """

    def __init__(self, address: str, mapping: ColumnMapping, overrides: Details) -> None:
        self._table, self._mapping, self._overrides = open_table(address, mapping.table), mapping, overrides
        self.skipped: list[Skipped] = []
        try:
            mapping.check(self._table)
            self._length = self._table.count(mapping.columns["recording"])
        except OnRecordError:
            self._table.close()
            raise

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[TranscriptSource | Refused]:
        column, sources = self._mapping.columns["recording"], set[str]()
        with closing(self._table):
            for key, rows in self._table.groups(column, self._mapping.wanted):
                source = f"{self._table.place}/{one_line(key)}"
                try:
                    if source in sources:  # it would replace the recording of that name
                        raise FormatError(source, column, "values that differ in more than spaces", repr(key))
                    sources.add(source)
                    recording = _RecordingRows(self._mapping, source, rows)
                    if recording.turns:
                        yield self._source(key, source, recording)
                    else:
                        self.skipped.append(Skipped(source, "no row has a text"))
                except OnRecordError as error:
                    yield Refused(source, error)

    def _source(self, key: str, source: str, rows: _RecordingRows) -> TranscriptSource:
        details = self._overrides.over(rows.details())
        transcript = Transcript(tuple(rows.turns), self._table.kind, details)
        vectors = rows.vectors()
        digest = sha256(repr((transcript, self._mapping.model)).encode("utf-8", "surrogatepass"))
        if vectors is not None:
            digest.update(vectors.tobytes())
        turn_vectors = TurnVectors(self._mapping.model or "", vectors) if vectors is not None else None
        read = partial(tuple, (transcript,))
        return TranscriptSource(source, one_line(key) or source, digest.hexdigest(), read, turn_vectors)


@dataclass(slots=True)
class _RecordingRows:
    """The rows of one recording that have words, in the order of speech."""

    mapping: ColumnMapping
    source: str
    rows: Sequence[Row]
    turns: list[Turn] = field(default_factory=list)

    def __post_init__(self) -> None:
        spoken = [row for row in self.rows if one_line(_as_text(self._value(row, "text")))]
        if len(spoken) > 1:
            spoken.sort(key=self._place)
        self.rows, self.turns = spoken, [self._turn(row) for row in spoken]

    def _value(self, row: Row, part: str) -> Any:
        column = self.mapping.columns.get(part)
        return value_at(row, column) if column else None

    def _place(self, row: Row) -> float:
        """Return the sort key of a row in its recording: its position, else its start."""
        if "position" not in self.mapping.columns:
            place = self._seconds(row, "start")
        else:
            place = _number(self._value(row, "position"))
        if place is None:
            expected = "a number as position, or a start, which say in what order its rows were spoken"
            raise FormatError(
                self.source, one_line(_as_text(self._value(row, "text")))[:40], expected, "neither"
            )
        return place

    def _turn(self, row: Row) -> Turn:
        start, end = self._seconds(row, "start"), self._seconds(row, "end")
        return Turn(
            text=one_line(_as_text(self._value(row, "text"))),
            speaker=one_line(_as_text(self._value(row, "speaker"))) or None,
            start=start,
            end=end if start is not None and end is not None and end >= start else None,
        )

    def _seconds(self, row: Row, part: str) -> float | None:
        """Return the seconds of a clock time, an interval or a number, or None for an empty cell."""
        value = self._value(row, part)
        seconds: float | None = None
        if isinstance(value, timedelta):
            seconds = value.total_seconds()
        elif isinstance(value, str | time):
            text = value.isoformat() if isinstance(value, time) else value.strip()
            seconds = seconds_of(text) if re.fullmatch(CLOCK, text) else None
        if seconds is None and (number := _number(value)) is not None:
            seconds = number * self.mapping.unit
        if seconds is None and value not in (None, ""):
            raise FormatError(self.source, part, "seconds, or a time such as 1:02:03", _as_text(value))
        if seconds is not None and seconds < 0:
            raise FormatError(self.source, part, "a time from 0 on", _as_text(value))
        return seconds

    def details(self) -> Details:
        """Return the recording's details: for each detail the first value in its rows."""
        values: dict[str, Plain] = {}
        for name, column in self.mapping.details.items():
            cells = (_as_plain(value_at(row, column)) for row in self.rows)
            values[name] = next((cell for cell in cells if cell), None)
        return details_from(values, self.source)

    def vectors(self) -> Vectors | None:
        """Return the vectors of the rows, scaled to unit length.

        Returns None if no model is named, or if not every row has a vector of the same width.
        """
        import numpy as np

        if not (self.mapping.model and "vector" in self.mapping.columns):
            return None
        try:
            cells = (self._value(row, "vector") for row in self.rows)
            rows = [np.asarray(loads(c) if isinstance(c, str) else c, np.float32) for c in cells]
            vectors = np.stack(rows)
            lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        except (OverflowError, RecursionError, TypeError, ValueError):  # not JSON, or no number that fits
            return None
        if vectors.ndim != 2 or not np.isfinite(lengths).all() or not lengths.all():
            return None
        unit: Vectors = (vectors / lengths).astype(np.float32)
        return unit


# ---------------------------------------------------------------- values of cells


def _as_text(value: Any) -> str:
    return "" if value is None else value.isoformat() if isinstance(value, date | time) else str(value)


def _as_plain(value: Any) -> Plain:
    if isinstance(value, list | tuple | set):
        return [_as_text(item) for item in value]
    return _as_text(value)


def _number(value: Any) -> float | None:
    try:
        number = float(value)
    except (OverflowError, TypeError, ValueError):
        return None
    return number if math.isfinite(number) else None
