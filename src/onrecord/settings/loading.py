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
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from platformdirs import user_config_path
from pydantic import BaseModel, ValidationError

from onrecord.errors import SettingError, did_you_mean, nearest
from onrecord.settings.groups import Settings

G = TypeVar("G", bound=BaseModel)
log = logging.getLogger(__name__)
_noted: set[str] = set()
"""What was reported already: settings are loaded more than once."""


def load(**arguments: Any) -> Settings:
    """The settings in force. `arguments` that are None are ignored; groups are mappings.

    Raises SettingError with the setting's name, its value and what is allowed.
    """
    values = {name: value for name, value in arguments.items() if value is not None}
    try:
        return Settings.model_validate(_merge(_merge(_file_values(), _environment_values()), values))
    except ValidationError as error:
        raise _setting_error(error) from None


def checked_group(name: str, group: G, over: Mapping[str, Any]) -> G:
    """A group of settings with other values for some; None is ignored. Raises SettingError."""
    values = {own: value for own, value in over.items() if value is not None}
    try:
        return type(group).model_validate({**group.model_dump(), **values}) if values else group
    except ValidationError as error:
        raise _setting_error(error, name) from None


@dataclass(frozen=True, slots=True)
class Described:
    """A setting in force. `origin` is "default", "argument", or the variable or file that sets it."""

    name: str
    value: Any
    origin: str
    meaning: str
    variable: str


def described(**arguments: Any) -> list[Described]:
    """Every setting with its value, the value's origin, and its meaning; `arguments` as of `load`.

    Passwords in addresses are masked. Raises SettingError.
    """
    settings = load(**arguments)
    values = {name: value for name, value in arguments.items() if value is not None}
    variables = {name.upper(): name for name in os.environ}
    sources = ((values, "argument"), (_environment_values(), ""), (_file_values(), str(config_file())))
    in_force = []
    for name, meaning in names().items():
        origin = next((where for values, where in sources if _in(values, name)), "default")
        origin = origin or variables[_variable(name)]
        value = _plain(_value(settings, name))
        in_force.append(Described(name, value, origin, meaning, _variable(name)))
    return in_force


def _value(settings: Settings, name: str) -> Any:
    value: Any = settings
    for part in name.split("."):
        value = getattr(value, part)
    return value


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
    return re.sub(r"(://[^/@\s:]*:)\S*(?=@)", r"\1***", value) if isinstance(value, str) else value


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
        summary = str(error).splitlines()[0]
        raise SettingError("file", str(file), f"a YAML mapping of settings ({summary})") from None
    if not isinstance(values, Mapping | None):
        raise SettingError("file", str(file), f"a YAML mapping of settings, not a {type(values).__name__}")
    from onrecord.settings.foreign import translated

    native, translations = translated(values or {})
    note = f"onrecord: {file.name}: onrecord reads {', '.join(translations)}"
    if translations and note not in _noted:
        log.warning(note)
        _noted.add(note)
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
    return _PREFIX + _own(name)


def _own(name: str) -> str:
    return name.replace(".", "__").upper()


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
    known = [_own(name) for name in names()]
    known += [group.upper() for group in Settings.model_fields]
    known += _NO_SETTINGS
    unknown = {}
    for name, value in environment.items():
        own = name.upper().removeprefix(_PREFIX)
        if own != name.upper() and own not in known and not value.startswith(_KEY):
            unknown[name] = [_PREFIX + near for near in nearest(own, known)]
    return unknown


def _setting_error(error: ValidationError, group: str = "") -> SettingError:
    """The first error of pydantic as a SettingError; in the `group` that was checked by itself, if any."""
    first = error.errors()[0]
    place = (*filter(None, (group,)), *first["loc"])
    name = ".".join(map(str, place))
    if first["type"] == "extra_forbidden":
        hint = did_you_mean(nearest(name, names()))
        known = f"a setting that exists: {hint}" if hint else ", ".join(names())
        return SettingError(name, first["input"], known)
    if first["type"] == "value_error":
        return SettingError(name, first["input"], str(first["ctx"]["error"]))
    return SettingError(name, first["input"], _allowed(place) or first["msg"])


def _allowed(place: Sequence[int | str]) -> str:
    """The values that a setting allows, from its JSON schema: "a whole number from 1 to 20"."""
    schema = Settings.model_json_schema()
    field: dict[str, Any] = schema
    for name in place:
        field = field.get("properties", {}).get(name, {})
        reference = field.get("$ref", "").rpartition("/")[2]
        field = schema["$defs"].get(reference, field)
    if "enum" in field:
        return "one of " + ", ".join(field["enum"])
    if field.get("type") == "integer":
        return f"a whole number from {field['minimum']} to {field['maximum']}"
    if field.get("type") == "string":
        return (
            f"a text of {field.get('minLength', 0)} to {field.get('maxLength', 'any number of')} characters"
        )
    return ", ".join(f"a {kind['type']}" for kind in field.get("anyOf", ()) if kind["type"] != "null")
