"""YAML, JSON and CSV files of details, read as plain values: texts, lists, mappings and None.

Numbers, dates and booleans stay texts: `episode: 007` is "007", `language: no` is Norwegian. Files that are
too large, nest too deeply or repeat a name are refused.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Sequence
from io import StringIO
from typing import TYPE_CHECKING, Any

from onrecord.errors import FormatError

if TYPE_CHECKING:
    from yaml import Event, MarkedYAMLError

MAX_CHARACTERS = 1 << 16
MAX_DEPTH = 8

Plain = str | list["Plain"] | dict[str, "Plain"] | None


def decode_text(name: str, data: bytes) -> str:
    """Return the text of a file in UTF-8, or in UTF-16 with a byte order mark. Raises FormatError."""
    utf16 = data[:2] in (b"\xff\xfe", b"\xfe\xff")
    try:
        return data.decode("utf-16" if utf16 else "utf-8-sig")
    except UnicodeDecodeError as error:
        fault = f"the byte 0x{data[error.start]:02x}" if error.start < len(data) else "its end"
        raise FormatError(name, f"byte {error.start}", "UTF-8 text (save it as UTF-8)", fault) from None


def read_yaml(name: str, text: str, most: int = MAX_CHARACTERS) -> Plain:
    """Return the value of a YAML document of at most `most` characters.

    Tags are ignored; aliases are refused, as they can expand without limit. Raises FormatError with line
    and column.
    """
    _check_size(name, text, most)
    import yaml  # takes 30 ms, and not every command reads a YAML file

    try:
        return _YamlReader(name, yaml.parse(text, Loader=yaml.SafeLoader)).document()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise FormatError(name, _place(mark), _yaml_hint(error), error.problem or "something else") from None
    except yaml.YAMLError as error:  # a character that YAML does not allow
        fault = str(error).splitlines()[0]
        raise FormatError(name, "line 1", "printable characters", fault) from None


def read_json(name: str, text: str, most: int = MAX_CHARACTERS) -> Plain:
    """Return the value of a JSON document of at most `most` characters.

    Raises FormatError with line and column.
    """
    _check_size(name, text, most)
    try:
        value = json.loads(
            text,
            parse_int=str,
            parse_float=str,
            parse_constant=str,
            object_pairs_hook=lambda pairs: _mapping(name, pairs),
        )
    except json.JSONDecodeError as error:
        rest = text[error.pos : error.pos + 40] or "the end of the file"
        raise FormatError(name, f"line {error.lineno}, column {error.colno}", "JSON", rest) from None
    except RecursionError:
        raise _too_deep(name) from None
    return _plain(name, value, 0)


def csv_separator(text: str) -> str:
    """Return the separator of a CSV file. Spreadsheets write commas, semicolons or tabs, by country."""
    return max(",;\t", key=text.lstrip("\r\n").partition("\n")[0].count)


def read_csv(name: str, text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a CSV file, each with the number of its first line. Raises FormatError."""
    rows = csv.reader(StringIO(text, newline=""), delimiter=csv_separator(text), strict=True)
    line = 1
    try:
        for cells in rows:
            yield line, cells
            line = rows.line_num + 1
    except csv.Error as error:
        raise FormatError(name, f"line {rows.line_num}", "CSV", str(error)) from None


def type_name(value: object) -> str:
    """Name the type of a plain value, for messages."""
    names = {str: "text", list: "a list", dict: "a mapping", type(None): "nothing"}
    return names.get(type(value), type(value).__name__)


def _check_size(name: str, text: str, most: int) -> None:
    if len(text) > most:
        raise FormatError(name, "size", f"at most {most:,} characters", f"{len(text):,} characters")


def _too_deep(name: str) -> FormatError:
    return FormatError(name, "line 1", f"nesting at most {MAX_DEPTH} deep", "deeper nesting")


def _mapping(name: str, pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    mapping: dict[str, object] = {}
    for key, value in pairs:
        if key in mapping:
            raise FormatError(name, repr(key), "each name once", "the same name again")
        mapping[key] = value
    return mapping


def _plain(name: str, value: object, depth: int) -> Plain:
    if depth > MAX_DEPTH:
        raise _too_deep(name)
    if isinstance(value, list):
        return [_plain(name, item, depth + 1) for item in value]
    if isinstance(value, dict):
        return {key: _plain(name, item, depth + 1) for key, item in value.items()}
    if isinstance(value, bool):
        return str(value).lower()
    return None if value is None else str(value)


# ---------------------------------------------------------------- YAML

_NULLS = ("", "~", "null", "Null", "NULL")


class _YamlReader:
    """Reads values from the parser's events, so that no YAML constructor runs."""

    def __init__(self, name: str, events: Iterator[Event]) -> None:
        self.name, self.events = name, events

    def document(self) -> Plain:
        from yaml import StreamEndEvent

        next(self.events)  # the stream's start
        if isinstance(next(self.events), StreamEndEvent):
            return None
        value = self.value(next(self.events), 0)
        next(self.events)  # the document's end
        event = next(self.events)
        if not isinstance(event, StreamEndEvent):
            raise self.error(event, "one document", "another document")
        return value

    def value(self, event: Event, depth: int) -> Plain:
        from yaml import MappingStartEvent, ScalarEvent, SequenceStartEvent

        if depth > MAX_DEPTH:
            raise self.error(event, f"nesting at most {MAX_DEPTH} deep", "deeper nesting")
        if isinstance(event, ScalarEvent):
            plain = event.implicit[0]
            return None if plain and event.value in _NULLS else event.value
        if isinstance(event, SequenceStartEvent):
            return list(self.items(depth))
        if isinstance(event, MappingStartEvent):
            return self.mapping(depth)
        raise self.error(event, "a value without aliases", "an alias (*)")

    def items(self, depth: int) -> Iterator[Plain]:
        from yaml import SequenceEndEvent

        for event in self.events:
            if isinstance(event, SequenceEndEvent):
                return
            yield self.value(event, depth + 1)

    def mapping(self, depth: int) -> dict[str, Plain]:
        from yaml import MappingEndEvent

        mapping: dict[str, Plain] = {}
        for event in self.events:
            if isinstance(event, MappingEndEvent):
                break
            key = self.value(event, depth + 1)
            if not isinstance(key, str):
                raise self.error(event, "a name before the colon", type_name(key))
            if key in mapping:
                raise self.error(event, "each name once", f"{key!r} again")
            mapping[key] = self.value(next(self.events), depth + 1)
        return mapping

    def error(self, event: Event, expected: str, found: str) -> FormatError:
        return FormatError(self.name, _place(event.start_mark), expected, found)


def _yaml_hint(error: MarkedYAMLError) -> str:
    if "mapping values" in (error.problem or ""):  # title: Part 2: The return
        return 'YAML (a text that holds ": " stands in quotes)'
    if "but got '?'" in (error.problem or ""):  # {text: Why?, type: causal}
        return "YAML (a text that ends in ? stands in quotes)"
    return "YAML"


def _place(mark: Any) -> str:
    """Return line and column of a mark, for messages.

    The class of a mark depends on the parser, and it may be None.
    """
    return f"line {mark.line + 1}, column {mark.column + 1}" if mark else "line 1"
