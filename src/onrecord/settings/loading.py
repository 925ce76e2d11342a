"""Where settings come from: one YAML file, each overridable by an environment variable and by an argument.

The first of these that has a value wins:

1. arguments (command-line options, keywords of `onrecord.open`),
2. environment variables: ``ONRECORD_ARCHIVE``, ``ONRECORD_ANSWER__QUOTES``, ...,
3. the YAML file: ``ONRECORD_CONFIG``, else ``onrecord.yaml`` in the working folder, else in the
   user's configuration folder,
4. the defaults in `onrecord.settings.groups`.
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeVar

from platformdirs import user_config_path
from pydantic import BaseModel, ValidationError

from onrecord.errors import SettingError, UnknownSettingError, did_you_mean, nearest
from onrecord.settings.groups import Settings

G = TypeVar("G", bound=BaseModel)
Origin = Callable[[str], str]
log = logging.getLogger(__name__)
_logged: set[str] = set()
"""Notes logged already: settings are loaded more than once."""


def load(**arguments: Any) -> Settings:
    """The settings in force. `arguments` that are None are ignored; groups are mappings.

    Raises SettingError with the setting's name, its value, what sets it and what is allowed.
    """
    sources = _Sources.of(arguments)
    try:
        merged = _merge(_merge(sources.file, sources.environment), sources.arguments)
        return Settings.model_validate(merged)
    except ValidationError as error:
        raise _setting_error(error, origin=sources.origin) from None


@dataclass(frozen=True, slots=True)
class _Sources:
    """The values of the arguments, the environment and the file, as nested mappings."""

    arguments: Mapping[str, Any]
    environment: Mapping[str, Any]
    file: Mapping[str, Any]

    @classmethod
    def of(cls, arguments: Mapping[str, Any]) -> _Sources:
        values = {name: value for name, value in arguments.items() if value is not None}
        return cls(values, _environment_values(), _file_values())

    def origin(self, name: str) -> str:
        """What sets a setting: "argument", a variable, or the file; empty if nothing does."""
        if _in(self.arguments, name):
            return "argument"
        if _in(self.environment, name):
            return next(variable for variable in os.environ if variable.upper() == _variable(name))
        return str(config_file()) if _in(self.file, name) else ""


def checked_group(name: str, group: G, over: Mapping[str, Any]) -> G:
    """A group of settings with other values for some; None is ignored. Raises SettingError."""
    values = {own: value for own, value in over.items() if value is not None}
    try:
        return type(group).model_validate({**group.model_dump(), **values}) if values else group
    except ValidationError as error:
        raise _setting_error(error, name) from None


@dataclass(frozen=True, slots=True)
class Described:
    """A setting in force.

    `origin` is "default", "argument", or the variable or file that sets it; `allowed` are the values that it
    may have, in words.
    """

    name: str
    value: Any
    origin: str
    meaning: str
    variable: str
    allowed: str


def described(**arguments: Any) -> list[Described]:
    """Every setting with its value, the value's origin, and its meaning; `arguments` as of `load`.

    Passwords in addresses are masked. Raises SettingError.
    """
    settings, sources = load(**arguments), _Sources.of(arguments)
    return [
        Described(
            name,
            _plain(attrgetter(name)(settings)),
            sources.origin(name) or "default",
            meaning,
            _variable(name),
            allowed_values(name.split(".")),
        )
        for name, meaning in names().items()
    ]


def _in(values: Mapping[str, Any], name: str) -> bool:
    """Whether nested values have a dotted name."""
    group: Any = values
    for part in name.split("."):
        if not isinstance(group, Mapping) or part not in group:
            return False
        group = group[part]
    return True


def _plain(value: Any) -> Any:
    """A value as JSON has it, without the password in an address."""
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    if isinstance(value, Path):
        return str(value)
    return re.sub(r"\S+", _without_password, value) if isinstance(value, str) else value


def _without_password(word: re.Match[str]) -> str:
    """A word with the passwords masked that an address in it has: up to its last "@", and in its query."""
    before, at, host = word[0].rpartition("@")
    shown = re.sub(r"(://[^/@:]*:).*", r"\1***", before) + at + host
    return re.sub(r"([?&][a-z]*password=)[^&]*", r"\1***", shown, flags=re.IGNORECASE)


def _merge(low: Mapping[str, Any], high: Mapping[str, Any]) -> dict[str, Any]:
    """Both mappings merged, group by group; the values of `high` win."""
    groups = {
        name: _merge(low[name], value)
        for name, value in high.items()
        if isinstance(value, Mapping) and isinstance(low.get(name), Mapping)
    }
    return {**low, **high, **groups}


def _file_values() -> Mapping[str, Any]:
    """The values in the YAML file; empty where there is none."""
    file = config_file()
    if file is None:
        return {}
    import yaml

    try:
        values = yaml.safe_load(file.read_text(encoding="utf-8"))
    except (yaml.YAMLError, ValueError, RecursionError, OSError) as error:
        mark, problem = getattr(error, "problem_mark", None), getattr(error, "problem", None)
        summary = f"line {mark.line + 1}: {problem}" if mark and problem else str(error).splitlines()[0]
        raise SettingError("file", str(file), f"a YAML mapping of settings ({summary})") from None
    if not isinstance(values, Mapping | None):
        raise SettingError("file", str(file), f"a YAML mapping of settings, not a {type(values).__name__}")
    from onrecord.settings.foreign import translate

    native, translations = translate(values or {})
    note = f"onrecord: {file.name}: onrecord reads {', '.join(translations)}"
    if translations and note not in _logged:
        log.warning(note)
        _logged.add(note)
    return native


def _environment_values() -> Mapping[str, Any]:
    """The values of environment variables. One of a group has two names: ``ONRECORD_LLM__MODEL``."""
    variables = {name.upper(): value for name, value in os.environ.items()}
    values: dict[str, Any] = {}
    for name in names():
        *groups, own = name.split(".")
        if groups and groups[0] != "cache" and _variable(groups[0]) in variables:
            group = _variable(groups[0])  # but ONRECORD_CACHE is the folder that keeps the embedded model
            allowed = f"a variable for each of its settings, such as {_variable(name)}"
            raise SettingError(group, variables[group], allowed)
        if (value := variables.get(_variable(name))) is not None:
            place = values
            for group in groups:
                place = place.setdefault(group, {})
            place[own] = value
    return values


def _variable(name: str) -> str:
    """The environment variable of a setting: ``ONRECORD_LLM__MODEL`` of ``llm.model``."""
    return _PREFIX + name.replace(".", "__").upper()


def config_file() -> Path | None:
    """The YAML file that is read, or None where there is none."""
    named = os.environ.get("ONRECORD_CONFIG")
    if named:
        if not Path(named).is_file():
            raise SettingError("ONRECORD_CONFIG", named, "the path of a file that exists")
        return Path(named)
    for folder in (Path.cwd(), user_config_path("onrecord")):
        if (folder / "onrecord.yaml").is_file():
            return folder / "onrecord.yaml"
    return None


def names(model: type[BaseModel] = Settings, prefix: str = "") -> Mapping[str, str]:
    """Every setting's dotted name with its description."""
    descriptions: dict[str, str] = {}
    for name, field in model.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            descriptions |= names(kind, f"{prefix}{name}.")
        else:
            descriptions[prefix + name] = field.description or ""
    return descriptions


_PREFIX = "ONRECORD_"
_NO_SETTINGS = ("CONFIG", "CACHE", "LLM_API_KEY", "WEB_TESTS", "OPENWEBUI")
"""Variables that are no settings: of this module, of the models and of tests."""
_KEY = "onr_"
"""A key of the server begins like this; the name of its variable is its owner's choice (docs/server.md)."""


def unknown_variables(environment: Mapping[str, str]) -> dict[str, list[str]]:
    """Variables that begin with ``ONRECORD_`` and that nothing reads, each with the most similar known ones.

    The name of a group is left out, as loading the settings refuses it, and so is that of a server's key.
    """
    settings = (*names(), *Settings.model_fields)
    known = [*(_variable(name).removeprefix(_PREFIX) for name in settings), *_NO_SETTINGS]
    unknown = {}
    for name, value in environment.items():
        own = name.upper().removeprefix(_PREFIX)
        if own != name.upper() and own not in known and not value.startswith(_KEY):
            unknown[name] = [_PREFIX + near for near in nearest(own, known)]
    return unknown


def _setting_error(error: ValidationError, group: str = "", origin: Origin = lambda name: "") -> SettingError:
    """The first error of pydantic as a SettingError.

    `group` is the one that was checked by itself, if any; `origin` says what sets a setting, by its name.
    """
    first = error.errors()[0]
    place = (*filter(None, (group,)), *first["loc"])
    name, value = ".".join(map(str, place)), first["input"]
    if first["type"] == "extra_forbidden":
        hint = did_you_mean(_similar(place)) or f"there are {', '.join(_beside(place))}"
        return UnknownSettingError(name, value, hint, origin(name))
    if first["type"] == "value_error":
        return SettingError(name, value, str(first["ctx"]["error"]), origin(name))
    return SettingError(name, value, allowed_values(place) or first["msg"], origin(name))


def _similar(place: Sequence[int | str]) -> list[str]:
    """The most similar setting of the same group, else of any."""
    *groups, own = map(str, place)
    if near := nearest(own, _beside(place)):
        return [".".join((*groups, *near))]
    last_parts = {name.rpartition(".")[2]: name for name in names()}
    return [last_parts[part] for part in nearest(own, last_parts)]


def _beside(place: Sequence[int | str]) -> Sequence[str]:
    """The names in the group of a setting, or all groups and settings outside them."""
    schema: Mapping[str, Any] = _schema()
    for name in place[:-1]:
        schema = _resolved(schema["properties"][name], _schema())
    return list(schema["properties"])


def allowed_values(place: Sequence[int | str]) -> str:
    """The values that a setting allows, by its place in the groups: "a whole number from 1 to 20"."""
    schema = _schema()
    field: Mapping[str, Any] = schema
    for name in place:
        field = _resolved(field, schema).get("properties", {}).get(name, {})
    return _in_words(_resolved(field, schema))


@cache
def _schema() -> Mapping[str, Any]:
    return Settings.model_json_schema()


def _resolved(field: Mapping[str, Any], schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """The definition that a field of a JSON schema refers to, or the field itself."""
    definition: Mapping[str, Any] = schema["$defs"].get(field.get("$ref", "").rpartition("/")[2], field)
    return definition


def _in_words(field: Mapping[str, Any]) -> str:
    """What a field of a JSON schema allows. None is left out: it is the default of whatever may be None."""
    if "enum" in field:
        return "one of " + ", ".join(field["enum"])
    match field.get("type"):
        case "integer":
            return "a whole number" + _span(field)
        case "number":
            return "a number" + _span(field)
        case "boolean":
            return "true or false"
        case "string":
            return "a path" if field.get("format") == "path" else "a text" + _length(field)
        case "array":
            return "a list of texts"
        case "object":
            return "a group of " + ", ".join(field["properties"])
    return " or ".join(filter(None, map(_in_words, field.get("anyOf", ()))))


def _span(field: Mapping[str, Any]) -> str:
    """The range of a number: " from 1 to 20", " over 0 and up to 60", " of 0 or more"."""
    least, over, most = (field.get(name) for name in ("minimum", "exclusiveMinimum", "maximum"))
    if over is not None:
        return f" over {over}" + (f" and up to {most}" if most is not None else "")
    if most is not None:
        return f" from {least} to {most}"
    return f" of {least} or more" if least is not None else ""


def _length(field: Mapping[str, Any]) -> str:
    """The length of a text: " of 1 to 200 characters", " that matches ...", or nothing."""
    if "pattern" in field:
        return f" that matches {field['pattern']}"
    least, most = field.get("minLength", 0), field.get("maxLength")
    if most is None:
        return " that is not empty" if least else ""
    return f" of {least} to {most} characters"
