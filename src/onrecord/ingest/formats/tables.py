"""Reader of utterance tables with tabs or commas: Whisper's .tsv, whisper.cpp's .csv, CORAAL, label tracks.

The first line names the columns (start, end, speaker, text, and synonyms). A label track has no column names
and consists of start, end and text. Times are seconds or clock times. They are milliseconds if the column
name says so, or if the whole numbers are too large to be seconds.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

from onrecord.ingest.formats.base import Format, Source, faq_hint
from onrecord.ingest.formats.clock import CLOCK
from onrecord.ingest.formats.labels import is_name
from onrecord.ingest.formats.words import (
    Token,
    bracket_remark,
    end_time,
    per_second,
    seconds,
    speaker_name,
    transcript,
)
from onrecord.types import Transcript

Row = tuple[str, Mapping[str, str]]
"""The place of a row ("line 3") and its cells by column: "start", "end", "duration", "speaker", "text"."""

_NAMES = {
    "start": "start starttime sttime begin begintime from in timestamp time onset tmin",
    "end": "end endtime entime stop stoptime to out offset tmax",
    "duration": "duration dur length",
    "speaker": "speakername participantname speaker spkr spk speakerlabel who participant speakerid",
    "text": "text content transcript transcription body utterance sentence words word message caption said"
    " whatissaid whatwassaid",
}
_COLUMNS = {name: column for column, names in _NAMES.items() for name in names.split()}
_SPEAKERS = tuple(_NAMES["speaker"].split())
"""The names of a speaker's column, those that hold names first."""
_OF_PERSON = ("name", "displayname", "fullname", *_SPEAKERS, "label", "id")
"""The keys of an object that describes a speaker, the best first."""
_PERHAPS_SPEAKER = ("name", "actor", "author", "role")
"""Columns that name the speaker of timed words if no other column does, the best evidence first."""
_UNIT = re.compile(r"([a-z]+?)(?:(ms|msec|msecs|millis|milliseconds)|s|sec|secs|seconds)")
FOREIGN_COLUMNS = {"file", "path", "filename", "question", "answer"}
"""Columns of a manifest or a FAQ; a table with one of them is not a transcript."""
_LABEL = re.compile(r"\d+(?:\.\d+)?\t\d+(?:\.\d+)?\t *[^\s][^\t]*", re.ASCII)
_STAMP = re.compile(rf"\[({CLOCK})\](?:\s|\Z)")
"""A time in brackets, perhaps with a note after it: "[00:03:43] the interview begins"."""
_NO_SPEECH = re.compile(r"\(pause[ \d.]*\)", re.IGNORECASE)


def fits(source: Source) -> bool:
    first = source.text[:20_000].strip("\n").split("\n")[:3]
    if all(_LABEL.fullmatch(line) for line in first):
        return True
    names = [_fold_name(name) for name in _cells(first[0])]
    columns = {_column(name)[0] for name in names}
    if "text" not in columns and _guess_columns([_cells(line) for line in first]):
        return True
    return "text" in columns and bool(columns & {"start", "speaker"}) and not FOREIGN_COLUMNS & set(names)


def read(source: Source) -> tuple[Transcript, ...]:
    names, rows, warnings = _table(source)
    return (transcript(source, FORMAT.name, row_tokens(source, names, rows), warnings=warnings),)


FORMAT = Format("table", (".tsv", ".csv"), fits, read)


def _guess_columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Guess the columns of a table without column names; return an empty list if a row does not fit.

    Either two columns hold times that do not decrease within a row, or one column holds clock times that do
    not decrease from row to row. A column before the times may count the rows. One column holds the words,
    and a short one may hold the speaker.
    """
    rows = [row for row in rows if any(cell.strip() for cell in row)]
    width = min(map(len, rows), default=0)
    if not 3 <= width <= 8 or max(map(len, rows)) > width + 20:
        return []
    if len(rows) == 1 and any(cell.startswith(" ") for cell in rows[0][1:]):
        return []  # the line is prose with commas
    times = [
        at
        for at in range(width)
        if all(seconds(row[at].strip()) is not None and any(map(str.isdecimal, row[at])) for row in rows)
    ]
    if times and _count_rows(rows, times[0]) and _are_times(rows, times[1:]):
        times = times[1:]
    words = [at for at in range(width) if at not in times and any(map(str.isalpha, rows[0][at]))]
    if not words or not _are_times(rows, times):
        return []
    text = max(words, key=lambda at: sum(len(row[at]) for row in rows))
    names = ["" for _ in range(width)]
    names[text] = "text"
    for at, name in zip(times, ("start", "end"), strict=False):
        names[at] = name
    others = [at for at in words if at != text]
    if len(others) == 1 and all(len(row[others[0]]) <= 40 for row in rows):
        names[others[0]] = "speaker"
    return names


def _count_rows(rows: Sequence[Sequence[str]], at: int) -> bool:
    """Return whether a column counts the rows: each whole number is one more than the number above."""
    cells = [row[at].strip() for row in rows]
    whole = all(map(str.isdecimal, cells))
    return whole and all(_time_of(below) == _time_of(above) + 1 for above, below in pairwise(cells))


def _are_times(rows: Sequence[Sequence[str]], times: Sequence[int]) -> bool:
    """Return whether times do not decrease from the first column to the second, or from row to row.

    A single column must hold clock times. A cell that begins with a space shows prose with commas instead.
    """
    if len(times) > 1:
        return all(_time_of(row[times[0]]) <= _time_of(row[times[1]]) for row in rows)
    cells = [row[at] for at in times for row in rows]
    starts = list(map(_time_of, cells))
    prose = any(cell.startswith(" ") for row in rows for cell in row[:3])
    return bool(cells) and not prose and all(":" in cell for cell in cells) and starts == sorted(starts)


def _time_of(cell: str) -> float:
    return seconds(cell.strip()) or 0.0


@lru_cache(4096)
def _fold_name(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.casefold())


def _column(name: str) -> tuple[str, float]:
    """Return the standard column for a folded name, and its units per second.

    The column is "" and the units are 0 if unknown.
    """
    if name in _COLUMNS:
        return _COLUMNS[name], 0.0
    unit = _UNIT.fullmatch(name)
    if unit and unit[1] in _COLUMNS:
        return _COLUMNS[unit[1]], 1000.0 if unit[2] else 1.0
    return "", 0.0


def column_of(name: str) -> str:
    """Return the standard column for a column name, such as "start" or "text", or "" if unknown."""
    return _column(_fold_name(name))[0]


def speaker_keys(record: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the keys under which an object has its speaker, the outermost first; empty if it has none.

    A speaker may be a name, a number, or an object with a name: ``{"speaker": {"id": 1, "name": "Ann"}}``.
    """
    key = _first_key(record, _SPEAKERS)
    if key and isinstance(record[key], dict):
        inner = _first_key(record[key], _OF_PERSON)
        return (key, inner) if inner else (key,)
    return (key,) if key else ()


def _first_key(record: Mapping[str, Any], names: Sequence[str]) -> str:
    """Return the key of the first of these folded names that has a value in an object, or ""."""
    keys = {_fold_name(key): key for key, value in record.items() if value not in (None, "")}
    return next((keys[name] for name in names if name in keys), "")


def row_tokens(source: Source, names: Iterable[str], rows: Sequence[Row]) -> list[Token]:
    """Return a token for each row of a table whose columns have these names.

    A column name may give the time unit; otherwise, it is guessed from the rows. Raises FormatError for a
    time cell that holds no time.
    """
    units = max((unit for _, unit in map(_column, map(_fold_name, names))), default=0.0)
    units = units or _units_per_second(rows)
    return [_token(source, row, units) for row in rows]


def _delimiter(line: str) -> str:
    return max("\t", ",", ";", key=line.count)


def _cells(line: str) -> list[str]:
    return next(csv.reader([line[:10_000]], delimiter=_delimiter(line)), [])


def _table(source: Source) -> tuple[list[str], list[Row], list[str]]:
    """Return the folded names of the columns, the rows that hold speech, and warnings.

    Raises FormatError if no column holds text.
    """
    lines = list(_lines(source))
    if lines and _LABEL.fullmatch("\t".join(lines[0][1])):
        names = ["start", "end", "text"]
    elif lines and (guessed := _guess_columns([cells for _, cells in lines[:50]])):
        names = guessed
    else:
        names = [_fold_name(name) for name in lines.pop(0)[1]] if lines else []
    columns = {_column(name)[0]: at for at, name in reversed(list(enumerate(names)))}
    perhaps = [name for name in _PERHAPS_SPEAKER if name in names]
    if perhaps and "start" in columns and "speaker" not in columns:
        columns["speaker"] = names.index(perhaps[0])
    if "text" not in columns:
        hint = " (details of other files: add those with --manifest)" if "file" in names else faq_hint(names)
        raise source.error("line 1", f"columns named text and start or speaker{hint}", ", ".join(names))
    others = _other_columns(names, columns, [cells for _, cells in lines])
    clocks = [at for at, cells in others.items() if len(cells) > 1 and _are_clocks(cells)]
    if len(clocks) == 1 and not columns.keys() & {"start", "end", "duration"}:
        columns["start"] = clocks[0]
    rows = [(f"line {number}", _row(source, number, cells, columns, len(names))) for number, cells in lines]
    spoken = [(place, row) for place, row in rows if not _NO_SPEECH.fullmatch(row["text"])]
    unread = [] if "speaker" in columns else [names[at] for at, cells in others.items() if _may_name(cells)]
    found = ", ".join(map(repr, unread[:5]))
    return names, spoken, [f"perhaps speakers, but not read: column {found}"] if unread else []


def _other_columns(
    names: Sequence[str], columns: Mapping[str, int], rows: Sequence[Sequence[str]]
) -> dict[int, list[str]]:
    """Return the cells of the columns with unknown names, by index, without empty cells."""
    known = {at for column, at in columns.items() if column}
    unknown = [at for at, name in enumerate(names) if name and at not in known]
    return {at: [cell for row in rows if (cell := "".join(row[at : at + 1]).strip())] for at in unknown}


def _are_clocks(cells: Sequence[str]) -> bool:
    """Return whether all cells are clock times that do not decrease."""
    times = [seconds(cell) for cell in cells if ":" in cell]
    known = [time for time in times if time is not None]
    return len(known) == len(cells) and known == sorted(known)


def _may_name(cells: Sequence[str]) -> bool:
    """Return whether all cells look like names, and at least two differ."""
    return len(set(cells)) > 1 and all(map(is_name, set(cells)))


def _lines(source: Source) -> Iterator[tuple[int, list[str]]]:
    """Yield the line number and the cells of each line that is not empty.

    Tab-separated cells are split without a CSV parser, because they are rarely quoted.
    """
    delimiter = _delimiter(source.text.strip("\n").split("\n", 1)[0])
    lines = source.text.split("\n")
    if delimiter == "\t":
        for number, line in enumerate(lines, start=1):
            if line.strip():
                yield number, [_unquote(cell) for cell in line.split("\t")]
        return
    reader = csv.reader((f"{line}\n" for line in lines), delimiter=delimiter)
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield reader.line_num, cells
    except csv.Error as error:
        raise source.error(f"line {reader.line_num}", "comma-separated cells", str(error)) from None


def _unquote(cell: str) -> str:
    """Remove the quotation marks around a cell that contains doubled quotation marks."""
    inner = cell[1:-1]
    if len(cell) > 1 and cell[0] == cell[-1] == '"' and '""' in inner and '"' not in inner.replace('""', ""):
        return inner.replace('""', '"')
    return cell


def _row(
    source: Source, number: int, cells: Sequence[str], columns: Mapping[str, int], width: int
) -> Mapping[str, str]:
    if len(cells) <= columns["text"]:
        raise source.error(f"line {number}", f"{width} columns", f"{len(cells)}: {' '.join(cells)}")
    row = {column: cells[at].strip() for column, at in columns.items() if at < len(cells)}
    if columns["text"] == width - 1:  # the text in the last cell may hold unquoted commas
        row["text"] = ",".join(cells[width - 1 :]).strip()
    return row


def _units_per_second(rows: Sequence[Row]) -> float:
    """Guess the time units per second from the durations of the utterances."""
    times = [row.get(column, "") for _, row in rows for column in ("start", "end", "duration")]
    if not all(time.isdecimal() for time in times if time):
        return 1.0
    texts = [row["text"] for _, row in rows]
    lengths = [_number(row, "end") - _number(row, "start") for _, row in rows if row.get("end")]
    lengths = lengths or [_number(row, "duration") for _, row in rows if row.get("duration")]
    lengths = lengths or [_number(row, "start") for _, row in rows][-1:]
    return per_second(texts, sum(lengths))


def _number(row: Mapping[str, str], column: str) -> float:
    return float(row.get(column) or 0)


def _token(source: Source, row: Row, units: float) -> Token:
    place, cells = row
    start, end, length = (
        _time(source, place, column, cells, units) for column in ("start", "end", "duration")
    )
    speaker = speaker_name(cells.get("speaker", "").rstrip(": "))
    return Token(bracket_remark(cells["text"]), start, end_time(start, end, length), speaker)


def _time(source: Source, place: str, column: str, cells: Mapping[str, str], units: float) -> float | None:
    cell = cells.get(column, "")
    if not cell:
        return None
    stamp = _STAMP.match(cell)
    second = seconds(stamp[1] if stamp else cell, units)
    if second is None:
        raise source.error(f"{place}, column {column}", "a time from 0", repr(cell))
    return second
