"""Manifests: tables with the details of many files."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import zip_longest

from onrecord.errors import FormatError
from onrecord.ingest.details import attribute_name, details_from
from onrecord.ingest.plain import Plain, decode_text, read_csv, read_yaml, type_name
from onrecord.types import Details

NAMES = ("manifest.csv", "manifest.yaml", "manifest.yml")
"""File names that are always manifests."""

_MAX_YAML = 1 << 20
_EXTRA_CELLS = ""
"""Key of cells without a column. No column can have this name."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a manifest: the details of a file.

    `where` is the row's place in the manifest, for messages; `file` is relative to the manifest's folder, ""
    if the row names none; `error` says why the row cannot be read.
    """

    where: str
    file: str
    details: Details = field(default_factory=Details)
    error: FormatError | None = None


def read_manifest(name: str, data: bytes) -> tuple[Row, ...]:
    """Read the rows of a manifest, CSV or YAML by its name. A broken row does not affect the others.

    A CSV file has a header row with a column `file`; it counts as row 1, as in a spreadsheet. A YAML file is
    a list of entries that name their `file`, or a mapping from files to details. Raises FormatError if the
    table is broken.
    """
    text = decode_text(name, data)
    entries = _csv_rows(name, text) if name.lower().endswith(".csv") else _yaml_rows(name, text)
    rows: list[Row] = []
    first_rows: dict[str, str] = {}
    for where, values in entries:
        row = _row(name, where, values)
        earlier = first_rows.setdefault(row.file, where) if row.file else where
        if earlier != where:
            error = FormatError(name, where, f"each file once, but {earlier} names it too", row.file)
            row = Row(where, row.file, error=error)
        rows.append(row)
    return tuple(rows)


def _row(name: str, where: str, values: Plain) -> Row:
    if not isinstance(values, dict):
        return Row(where, "", error=FormatError(name, where, "names and values", type_name(values)))
    details = dict(values)
    file = details.pop(next((key for key in details if attribute_name(key) == "file"), "file"), None)
    if not isinstance(file, str) or not file.strip():
        return Row(where, "", error=FormatError(name, f"{where}, file", "the file's name", type_name(file)))
    file = posixpath.normpath(file.strip().replace("\\", "/"))
    if _EXTRA_CELLS in details:
        expected = "a cell for each column (quote one that holds the separator)"
        return Row(where, file, error=FormatError(name, where, expected, f"{details[_EXTRA_CELLS]} besides"))
    try:
        return Row(where, file, details_from(details, name, where))
    except FormatError as error:
        return Row(where, file, error=error)


# ---------------------------------------------------------------- YAML


def _yaml_rows(name: str, text: str) -> Iterator[tuple[str, Plain]]:
    value = read_yaml(name, text, most=_MAX_YAML)
    if isinstance(value, list):
        for number, entry in enumerate(value, 1):
            yield f"entry {number}", entry
    elif isinstance(value, dict):
        for file, entry in value.items():
            entry = {} if entry is None else entry
            yield repr(file), {**entry, "file": file} if isinstance(entry, dict) else entry
    elif value is not None:
        raise FormatError(name, "line 1", "a list of entries, each with its file", type_name(value))


# ---------------------------------------------------------------- CSV


def _csv_rows(name: str, text: str) -> Iterator[tuple[str, Plain]]:
    rows = read_csv(name, text)
    head = [attribute_name(cell) for cell in next(rows, (1, []))[1]]
    if "file" not in head:
        raise FormatError(name, "row 1", "a column named file", ", ".join(head) or "nothing")
    repeated = [column for column in head if column and head.count(column) > 1]
    if repeated:
        raise FormatError(name, "row 1", "each column once", repeated[0])
    for number, (_, cells) in enumerate(rows, 2):
        row: dict[str, Plain] = {
            column: cell or None for column, cell in zip(head, cells, strict=False) if column
        }
        extra = [
            cell for column, cell in zip_longest(head, cells, fillvalue="") if not column and cell.strip()
        ]
        if extra:
            row[_EXTRA_CELLS] = ", ".join(extra)
        if any(cell.strip() for cell in cells):
            yield f"row {number}", row
