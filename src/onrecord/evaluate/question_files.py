"""Reads files of questions about an archive: YAML, JSON, JSON Lines and CSV.

YAML and JSON contain a list, or ``questions:`` with a list; JSON Lines has one question on each line. A CSV
row has one piece of gold (recording, from, to, words and speaker are separate columns). Rows with the same id
are one question. ``|`` separates entities, points and history. See docs/evaluation.md.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path

from onrecord.errors import FormatError, InputError
from onrecord.evaluate.questions import FIELDS, GOLD, EvalQuestion, Fields, parse_question
from onrecord.ingest.folders import display_path, read_bytes
from onrecord.ingest.plain import Plain, decode_text, read_csv, read_json, read_yaml, type_name

MOST_BYTES = 16_000_000
MOST_YAML = 4_000_000
"""Most bytes of a YAML file. Reading YAML takes some thirty times as long as reading JSON."""
_LISTS = ("entities", "points", "history")
_SUFFIXES = ".yaml, .yml, .json, .jsonl, .csv or .tsv"


def read_questions(file: str | Path) -> list[EvalQuestion]:
    """Read the questions in a file, in order.

    Raises NotFoundError, IngestError, or FormatError for the first malformed question, with the file, the
    line, the expected value and the actual value.
    """
    path = Path(file)
    name = display_path(path)
    if path.suffix.lower() not in _READERS:
        raise InputError(f"{name}: questions are read from a file that ends in {_SUFFIXES}, or a folder")
    return parse_questions(name, read_bytes(path, MOST_BYTES))


def parse_questions(name: str, content: bytes) -> list[EvalQuestion]:
    """Parse the questions in the content of a file called `name`, whose suffix determines the format.

    Raises FormatError for the first malformed question.
    """
    questions: dict[str, EvalQuestion] = {}
    places: dict[str, str] = {}
    parse = _READERS[Path(name).suffix.lower()]
    for number, fields in enumerate(parse(name, decode_text(name, content)), 1):
        question = parse_question(fields)
        question = question if question.id else replace(question, id=str(number))
        if question.id in questions:
            raise fields.wrong("id", f"another id than at {places[question.id]}", repr(question.id))
        questions[question.id], places[question.id] = question, fields.where
    if not questions:
        raise FormatError(name, "the file", "at least one question", "none")
    return list(questions.values())


# ---------------------------------------------------------------- YAML and JSON


def _yaml(name: str, text: str) -> Iterator[Fields]:
    items = _check_list(name, read_yaml(name, text, MOST_YAML))
    return _as_fields(name, items, _yaml_lines(text))


def _json(name: str, text: str) -> Iterator[Fields]:
    items = _check_list(name, read_json(name, text, MOST_BYTES))
    lines: list[int] = []  # the line on which each item begins
    decoder, at = json.JSONDecoder(), text.index("[") + 1
    line, counted = 1, 0
    for _ in items:
        while text[at] in " \t\r\n,":
            at += 1
        line, counted = line + text.count("\n", counted, at), at
        lines.append(line)
        _, at = decoder.raw_decode(text, at)
    return _as_fields(name, items, lines)


def _json_lines(name: str, text: str) -> Iterator[Fields]:
    lines = re.split(r"\r\n|\r|\n", text)  # texts may hold other line ends, such as U+2028
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                value = read_json(name, line, MOST_BYTES)
            except FormatError as error:
                column = error.where.partition(", ")[2]
                raise FormatError(name, f"line {number}, {column}", "JSON", error.found) from None
            yield from _as_fields(name, [value], [number])


def _check_list(name: str, value: Plain) -> Sequence[Plain]:
    if isinstance(value, dict) and list(value) == ["questions"]:
        value = value["questions"]
    if not isinstance(value, list):
        expected = "a list of questions (- text: ...), or questions: with such a list"
        raise FormatError(name, "line 1", expected, type_name(value))
    return value


def _as_fields(name: str, items: Sequence[Plain], lines: Sequence[int]) -> Iterator[Fields]:
    for line, item in zip(lines, items, strict=True):
        if not isinstance(item, dict):
            raise FormatError(name, f"line {line}", "names and values (text: ...)", type_name(item))
        label = item.get("id")
        yield Fields(name, f"line {line}" + (f", {label}" if isinstance(label, str) else ""), item)


def _yaml_lines(text: str) -> list[int]:
    """Return the line on which each item of the document's first list begins."""
    import yaml

    lines: list[int] = []
    depth, of_list = 0, -1
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        if depth == of_list and isinstance(event, yaml.NodeEvent):
            lines.append(event.start_mark.line + 1 if event.start_mark else 1)
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if of_list < 0 and isinstance(event, yaml.SequenceStartEvent):
                of_list = depth
        elif isinstance(event, yaml.CollectionEndEvent):
            if depth == of_list:
                break
            depth -= 1
    return lines


# ---------------------------------------------------------------- CSV


def _csv(name: str, text: str) -> Iterator[Fields]:
    rows: dict[str, tuple[str, dict[str, Plain]]] = {}
    for where, cells in _table(name, text):
        place: dict[str, Plain] = {field: cells.pop(field) for field in GOLD if field in cells}
        label = cells.get("id") or where
        question = rows.setdefault(label, (f"{where}, {cells.get('id') or 'a question'}", {}))[1]
        for field, cell in cells.items():
            if not cell:
                continue
            value: Plain = cell
            if field in _LISTS:
                value = [part.strip() for part in cell.split("|") if part.strip()]
            if question.setdefault(field, value) != value:
                expected = f"nothing, or the same as in the row before ({question[field]})"
                raise Fields(name, where, {}).wrong(field, expected, str(value))
        if any(place.values()):
            golds = question.setdefault("gold", [])
            assert isinstance(golds, list)  # noqa: S101 - no column is called gold
            golds.append({field: value for field, value in place.items() if value})
    return (Fields(name, where, row) for where, row in rows.values())


def _table(name: str, text: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield every row as its line and its cells by name; empty rows are left out."""
    names: list[str] = []
    for line, row in read_csv(name, text):
        where, cells = f"line {line}", [cell.strip() for cell in row]
        if not any(cells):
            continue
        if not names:
            names = _head(name, where, cells)
        elif len(cells) > len(names):
            expected = f"{len(names)} cells (quote those that hold the separator)"
            raise FormatError(name, where, expected, str(len(cells)))
        else:
            yield where, dict(zip_longest(names, cells, fillvalue=""))


def _head(name: str, where: str, cells: Sequence[str]) -> list[str]:
    names = [cell.lower() for cell in cells]
    allowed = [field for field in FIELDS if field != "gold"] + list(GOLD)
    Fields(name, where, dict.fromkeys("text" if n == "question" else n for n in names)).check(allowed)
    if len(set(names)) < len(names):
        raise FormatError(name, where, "each name once", ", ".join(names))
    return names


_READERS = {
    ".yaml": _yaml,
    ".yml": _yaml,
    ".json": _json,
    ".jsonl": _json_lines,
    ".ndjson": _json_lines,
    ".csv": _csv,
    ".tsv": _csv,
}
