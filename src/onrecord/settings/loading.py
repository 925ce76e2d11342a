"""Loading of settings from one YAML file, environment variables and arguments.

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
"""Notes that were logged already, because settings are loaded more than once."""


def load(**arguments: Any) -> Settings:
    """Return the settings in force.

    `arguments` that are None are ignored; groups are mappings. Raises SettingError with the setting's name,
    its value, its origin and the allowed values.
    """
    sources = _Sources.of(arguments)
    try:
        merged = _merge(_merge(sources.file, sources.environment), sources.arguments)
        return Settings.model_validate(merged)
    except ValidationError as error:
        raise _setting_error(error, origin=sources.origin) from None


@dataclass(frozen=True, slots=True)
class _Sources:
    """The values from the arguments, the environment and the file, as nested mappings."""

    arguments: Mapping[str, Any]
    environment: Mapping[str, Any]
    file: Mapping[str, Any]

    @classmethod
    def of(cls, arguments: Mapping[str, Any]) -> _Sources:
        values = {name: value for name, value in arguments.items() if value is not None}
        return cls(values, _environment_values(), _file_values())

    def origin(self, name: str) -> str:
        """Return the origin of a setting: "argument", a variable, or the file; empty if it is not set."""
        if _in(self.arguments, name):
            return "argument"
        if _in(self.environment, name):
            return next(variable for variable in os.environ if variable.upper() == _variable(name))
        return str(config_file()) if _in(self.file, name) else ""


def checked_group(name: str, group: G, over: Mapping[str, Any]) -> G:
    """Return a group of settings with some values replaced; None is ignored. Raises SettingError."""
    values = {own: value for own, value in over.items() if value is not None}
    try:
        return type(group).model_validate({**group.model_dump(), **values}) if values else group
    except ValidationError as error:
        raise _setting_error(error, name) from None


@dataclass(frozen=True, slots=True)
class Described:
    """A setting in force.

    Attributes:
        value: the value, as JSON can hold it.
        origin: "default", "argument", or the variable or file that sets the value.
        meaning: the description of the setting.
        variable: the environment variable that sets it.
        allowed: the allowed values, in words.
    """

    name: str
    value: Any
    origin: str
    meaning: str
    variable: str
    allowed: str


def described(**arguments: Any) -> list[Described]:
    """Return every setting with its value, origin and meaning; `arguments` are those of `load`.

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
    """Return whether nested values contain a dotted name."""
    group: Any = values
    for part in name.split("."):
        if not isinstance(group, Mapping) or part not in group:
            return False
        group = group[part]
    return True


def _plain(value: Any) -> Any:
    """Return a value as JSON can hold it, with passwords in addresses masked."""
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    if isinstance(value, Path):
        return str(value)
    return re.sub(r"\S+", _without_password, value) if isinstance(value, str) else value


def _without_password(word: re.Match[str]) -> str:
    """Return a word with passwords masked: the one before an address's last "@", and those in its query."""
    before, at, host = word[0].rpartition("@")
    shown = re.sub(r"(://[^/@:]*:).*", r"\1***", before) + at + host
    return re.sub(r"([?&][a-z]*password=)[^&]*", r"\1***", shown, flags=re.IGNORECASE)


def _merge(low: Mapping[str, Any], high: Mapping[str, Any]) -> dict[str, Any]:
    """Merge both mappings, group by group; the values of `high` win."""
    groups = {
        name: _merge(low[name], value)
        for name, value in high.items()
        if isinstance(value, Mapping) and isinstance(low.get(name), Mapping)
    }
    return {**low, **high, **groups}


def _file_values() -> Mapping[str, Any]:
    """Return the values in the YAML file; empty if there is no file."""
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
    """Return the values of environment variables.

    The variable of a setting in a group has both names: ``ONRECORD_LLM__MODEL``.
    """
    variables = {name.upper(): value for name, value in os.environ.items()}
    values: dict[str, Any] = {}
    for name in names():
        *groups, own = name.split(".")
        if groups and groups[0] != "cache" and _variable(groups[0]) in variables:
            group = _variable(groups[0])  # ONRECORD_CACHE is the embedded model's folder
            allowed = f"a variable for each of its settings, such as {_variable(name)}"
            raise SettingError(group, variables[group], allowed)
        if (value := variables.get(_variable(name))) is not None:
            place = values
            for group in groups:
                place = place.setdefault(group, {})
            place[own] = value
    return values


def _variable(name: str) -> str:
    """Return the environment variable of a setting: ``ONRECORD_LLM__MODEL`` for ``llm.model``."""
    return _PREFIX + name.replace(".", "__").upper()


def config_file() -> Path | None:
    """Return the YAML file of settings, or None if there is none.

    Raises SettingError if ``ONRECORD_CONFIG`` names a file that does not exist.
    """
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
    """Return the dotted name and the description of every setting."""
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
"""Variables that are not settings: those of this module, of the models and of tests."""
_KEY = "onr_"
"""The prefix of a server key.

The owner of a key chooses the name of its variable (docs/server.md).
"""


def unknown_variables(environment: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the variables that begin with ``ONRECORD_`` and that nothing reads, with similar known names.

    The name of a group is left out, because loading the settings refuses it. The variable of a server key is
    left out too.
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
    """Return pydantic's first error as a SettingError.

    `group` names the group if it was checked alone. `origin` returns the origin of a setting, by its name.
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
    """Return the most similar setting of the same group, else of any group."""
    *groups, own = map(str, place)
    if near := nearest(own, _beside(place)):
        return [".".join((*groups, *near))]
    last_parts = {name.rpartition(".")[2]: name for name in names()}
    return [last_parts[part] for part in nearest(own, last_parts)]


def _beside(place: Sequence[int | str]) -> Sequence[str]:
    """Return the names in the group of a setting; at the top level, all groups and single settings."""
    schema: Mapping[str, Any] = _schema()
    for name in place[:-1]:
        schema = _resolved(schema["properties"][name], _schema())
    return list(schema["properties"])


def allowed_values(place: Sequence[int | str]) -> str:
    """Return the allowed values of a setting, by its path: "a whole number from 1 to 20"."""
    schema = _schema()
    field: Mapping[str, Any] = schema
    for name in place:
        field = _resolved(field, schema).get("properties", {}).get(name, {})
    return _in_words(_resolved(field, schema))


@cache
def _schema() -> Mapping[str, Any]:
    return Settings.model_json_schema()


def _resolved(field: Mapping[str, Any], schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the definition that a field of a JSON schema refers to, or the field itself."""
    definition: Mapping[str, Any] = schema["$defs"].get(field.get("$ref", "").rpartition("/")[2], field)
    return definition


def _in_words(field: Mapping[str, Any]) -> str:
    """Return the allowed values of a field of a JSON schema, in words.

    None is left out, because it is the default of every field that allows it.
    """
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
    """Return the range of a number, in words.

    Examples: " from 1 to 20", " over 0 and up to 60", " of 0 or more".
    """
    least, over, most = (field.get(name) for name in ("minimum", "exclusiveMinimum", "maximum"))
    if over is not None:
        return f" over {over}" + (f" and up to {most}" if most is not None else "")
    if most is not None:
        return f" from {least} to {most}"
    return f" of {least} or more" if least is not None else ""


def _length(field: Mapping[str, Any]) -> str:
    """Return the length of a text in words, or nothing.

    Examples: " of 1 to 200 characters", " that matches ...".
    """
    if "pattern" in field:
        return f" that matches {field['pattern']}"
    least, most = field.get("minLength", 0), field.get("maxLength")
    if most is None:
        return " that is not empty" if least else ""
    return f" of {least} to {most} characters"
