"""Small files of details as plain values: texts, lists, mappings and None, and nothing else.

Numbers, dates and booleans stay the texts that were written: `episode: 007` is "007", `language: no` is
Norwegian, not False. Files that are too large or nested too deep, and names given twice, are refused.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from onrecord.errors import FormatError

MAX_CHARACTERS = 1 << 16
MAX_DEPTH = 8

Plain = str | list["Plain"] | dict[str, "Plain"] | None


def decoded(name: str, data: bytes) -> str:
    """The text of a file in UTF-8, or in UTF-16 with a byte order mark. Raises FormatError."""
    utf16 = data[:2] in (b"\xff\xfe", b"\xfe\xff")
    try:
        return data.decode("utf-16" if utf16 else "utf-8-sig")
    except UnicodeDecodeError as error:
        found = f"the byte 0x{data[error.start]:02x}" if error.start < len(data) else "its end"
        raise FormatError(name, f"byte {error.start}", "UTF-8 text (save it as UTF-8)", found) from None


def read_yaml(name: str, text: str, most: int = MAX_CHARACTERS) -> Plain:
    """The value of a YAML document of at most `most` characters. Nothing is constructed from tags, and
    aliases (and with them their bombs) are refused. Raises FormatError with line and column."""
    _check_size(name, text, most)
    from onrecord.ingest.plain_yaml import read  # yaml takes 30 ms to import

    return read(name, text, MAX_DEPTH)


def read_json(name: str, text: str, most: int = MAX_CHARACTERS) -> Plain:
    """The value of a JSON document of at most `most` characters. Raises FormatError with line and
    column."""
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
        found = text[error.pos : error.pos + 40] or "the end of the file"
        raise FormatError(name, f"line {error.lineno}, column {error.colno}", "JSON", found) from None
    except RecursionError:
        raise _too_deep(name) from None
    return _plain(name, value, 0)


def kind(value: object) -> str:
    """What a plain value is, for messages."""
    names = {str: "text", list: "a list", dict: "a mapping", type(None): "nothing"}
    return names.get(type(value), type(value).__name__)


def _check_size(name: str, text: str, most: int) -> None:
    if len(text) > most:
        raise FormatError(name, "size", f"at most {most:,} characters", f"{len(text):,} characters")


def _too_deep(name: str) -> FormatError:
    return FormatError(name, "line 1", f"nesting at most {MAX_DEPTH} deep", "deeper nesting")


def _mapping(name: str, pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise FormatError(name, repr(key), "each name once", "the same name again")
        found[key] = value
    return found


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
