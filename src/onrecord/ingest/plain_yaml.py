"""YAML as plain values, read off the parser's events: there is no constructor that could be tricked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import yaml

from onrecord.errors import FormatError
from onrecord.ingest.plain import Plain, kind

_NULLS = ("", "~", "null", "Null", "NULL")


def read(name: str, text: str, max_depth: int) -> Plain:
    """See `onrecord.ingest.plain.read_yaml`."""
    try:
        return _Reader(name, yaml.parse(text, Loader=yaml.SafeLoader), max_depth).document()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise FormatError(name, _place(mark), _wanted(error), error.problem or "something else") from None
    except yaml.YAMLError as error:  # a character that YAML does not allow
        found = str(error).splitlines()[0]
        raise FormatError(name, "line 1", "printable characters", found) from None


class _Reader:
    def __init__(self, name: str, events: Iterator[yaml.Event], max_depth: int) -> None:
        self.name, self.events, self.max_depth = name, events, max_depth

    def document(self) -> Plain:
        next(self.events)  # the stream's start
        if isinstance(next(self.events), yaml.StreamEndEvent):
            return None
        value = self.value(next(self.events), 0)
        next(self.events)  # the document's end
        event = next(self.events)
        if not isinstance(event, yaml.StreamEndEvent):
            raise self.error(event, "one document", "a second one")
        return value

    def value(self, event: yaml.Event, depth: int) -> Plain:
        if depth > self.max_depth:
            raise self.error(event, f"nesting at most {self.max_depth} deep", "deeper nesting")
        if isinstance(event, yaml.ScalarEvent):
            plain = event.implicit[0]
            return None if plain and event.value in _NULLS else event.value
        if isinstance(event, yaml.SequenceStartEvent):
            return list(self.items(depth))
        if isinstance(event, yaml.MappingStartEvent):
            return self.mapping(depth)
        raise self.error(event, "a value written out", "an alias (*)")

    def items(self, depth: int) -> Iterator[Plain]:
        for event in self.events:
            if isinstance(event, yaml.SequenceEndEvent):
                return
            yield self.value(event, depth + 1)

    def mapping(self, depth: int) -> dict[str, Plain]:
        found: dict[str, Plain] = {}
        for event in self.events:
            if isinstance(event, yaml.MappingEndEvent):
                break
            key = self.value(event, depth + 1)
            if not isinstance(key, str):
                raise self.error(event, "a name before the colon", kind(key))
            if key in found:
                raise self.error(event, "each name once", f"{key!r} again")
            found[key] = self.value(next(self.events), depth + 1)
        return found

    def error(self, event: yaml.Event, expected: str, found: str) -> FormatError:
        return FormatError(self.name, _place(event.start_mark), expected, found)


def _wanted(error: yaml.MarkedYAMLError) -> str:
    colon = "mapping values" in (error.problem or "")  # title: Part 2: The return
    return 'YAML (a text that holds ": " stands in quotes)' if colon else "YAML"


def _place(mark: Any) -> str:
    """`mark` is of either of two unrelated classes, by the parser at hand, or None."""
    return f"line {mark.line + 1}, column {mark.column + 1}" if mark else "line 1"
