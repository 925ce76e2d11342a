"""Conversion of stages to plain values, for files that people write, and back.

A list is a sequence of stages. A stage is its name, or a mapping from its name to its fields. A field that is
a stage holds one stage, or a list. Only names of stages and fields are looked up, and nothing in a value is
executed::

    - Fuse:
        legs: [Keyword: {most: 50}, Semantic: {most: 50}]
    - Moments: {words: 1000}
    - Distinct
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields
from functools import cache, reduce
from operator import rshift
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from onrecord.errors import SettingError, did_you_mean, nearest
from onrecord.retrieve.stage import Sequence, Stage

_MOST = 200
"""Most stages in one value. YAML references let a few lines expand to billions of stages."""
_DEEPEST = 20
_LARGEST = 1e9
_hints = cache(get_type_hints)


@cache
def stage_types() -> Mapping[str, type[Stage]]:
    """Return the stages that a value may name."""
    import onrecord.retrieve as retrieve

    exported = {name: getattr(retrieve, name) for name in retrieve.__all__}
    return {
        name: kind
        for name, kind in exported.items()
        if isinstance(kind, type) and issubclass(kind, Stage) and kind not in (Stage, Sequence)
    }


def to_value(stage: Any) -> Any:
    """Return a stage with all of its fields, or a field value, as lists, mappings, strings and numbers."""
    if isinstance(stage, Sequence | tuple):
        return [to_value(each) for each in (stage.stages if isinstance(stage, Sequence) else stage)]
    if not isinstance(stage, Stage):
        return stage
    values = {f.name: to_value(getattr(stage, f.name)) for f in fields(stage)}
    return {type(stage).__name__: values} if values else type(stage).__name__


def from_value(value: Any, place: str = "stages") -> Stage:
    """Return the stage that a value describes.

    Raises SettingError with the place of the error, the value there, and the allowed values.
    """
    return _Parser().stage(value, place, 0)


class _Parser:
    """A parser for one value. It counts the stages that it creates."""

    def __init__(self) -> None:
        self.made = 0

    def stage(self, value: Any, place: str, depth: int) -> Stage:
        if depth > _DEEPEST:
            raise SettingError(place, "...", f"stages within stages, {_DEEPEST} deep at most")
        if isinstance(value, list) and value:
            stages = [self.stage(item, f"{place}[{at}]", depth + 1) for at, item in enumerate(value)]
            return reduce(rshift, stages)
        name, settings = _named(value, place)
        self.made += 1
        if self.made > _MOST:
            raise SettingError(place, name, f"{_MOST} stages at most")
        known = stage_types()
        if name not in known:
            raise SettingError(place, name, _similar(name, known, "stage"))
        return self._build(known[name], settings, f"{place}.{name}", depth)

    def _build(self, kind: type[Stage], settings: Any, place: str, depth: int) -> Stage:
        if not isinstance(settings, dict):
            raise SettingError(place, settings, "a mapping of fields")
        hints = _hints(kind)  # type: ignore[arg-type]  # a class can be hashed
        known = {field.name: field for field in fields(kind)}
        for name in settings:
            if name not in known:
                raise SettingError(f"{place}.{name}", settings[name], _similar(str(name), known, "field"))
        required = [f.name for f in known.values() if f.default is MISSING and f.default_factory is MISSING]
        for name in required:
            if name not in settings:
                raise SettingError(f"{place}.{name}", None, _allowed(hints[name]))
        values = {
            name: self._value(value, hints[name], f"{place}.{name}", depth)
            for name, value in settings.items()
        }
        try:
            return kind.of(**values)
        except SettingError as error:
            where = place.removesuffix(error.name.partition(".")[0]) + error.name
            raise SettingError(where, error.value, error.allowed) from None

    def _value(self, value: Any, hint: Any, place: str, depth: int) -> Any:
        if isinstance(hint, type) and issubclass(hint, Stage):
            return self.stage(value, place, depth + 1)
        options = get_args(hint)
        if get_origin(hint) in (Union, UnionType):
            if value is None and NoneType in options:
                return None
            hint = next(option for option in options if option is not NoneType)
        if get_origin(hint) is tuple and isinstance(value, list):
            return tuple(
                self._value(item, options[0], f"{place}[{at}]", depth) for at, item in enumerate(value)
            )
        if not _fits(value, hint):
            raise SettingError(place, value, _allowed(hint))
        return value


def _named(value: Any, place: str) -> tuple[str, Any]:
    """Return the name of a stage and its fields."""
    if isinstance(value, str):
        return value, {}
    if isinstance(value, dict) and len(value) == 1:
        ((name, settings),) = value.items()
        if isinstance(name, str):
            return name, {} if settings is None else settings
    raise SettingError(place, value, "the name of a stage, `Name: {field: value}`, or a list of such")


def _similar(name: str, known: Mapping[str, Any], what: str) -> str:
    hint = did_you_mean(nearest(name, known)) or ", ".join(known) or "none"
    return f"a {what} that exists: {hint}"


def _fits(value: Any, hint: Any) -> bool:
    """Return whether a value has the type of a hint.

    It is no slower than a TypeAdapter, which would have to be built first.
    """
    if isinstance(value, bool):  # bool is a subclass of int
        return hint is bool
    if isinstance(value, int | float):
        return abs(value) <= _LARGEST and (hint is float or (hint is int and isinstance(value, int)))
    return isinstance(hint, type) and isinstance(value, hint)


def _allowed(hint: Any) -> str:
    if get_origin(hint) is tuple:
        return f"a list, each {_allowed(get_args(hint)[0])}"
    if isinstance(hint, type) and issubclass(hint, Stage):
        return "a stage, or a list of stages"
    names = {int: "a whole number", float: "a number", str: "a text", bool: "true or false"}
    return names.get(hint, "a value of another kind")


def lines(stage: Stage, indent: str = "") -> list[str]:
    """Return a stage as readable lines: one for each stage, indented under the stage that contains it."""
    if isinstance(stage, Sequence):
        return [line for each in stage.stages for line in lines(each, indent)]
    return [indent + stage.label, *(line for each in stage.inner for line in lines(each, indent + "    "))]
