"""Translation of setting names that other retrieval systems use.

Only names are translated. A value passes the same checks as one under onrecord's own name.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

Values = dict[str, Any]

_FILE = Path(__file__).parents[1] / "data" / "foreign_settings.yaml"
_PROVIDERS = ("generation.provider", "llm.provider")


def translate(written: Mapping[str, Any]) -> tuple[Values, list[str]]:
    """Return a file's values under onrecord's names, with a note for each translated name.

    A note reads "THEIRS as OURS". An unknown name stays as it is, so that a later check refuses it and
    suggests the most similar name. If the same file also has onrecord's own name, that value wins.
    """
    fields = {
        (group, own): value
        for group, values in written.items()
        if isinstance(values, Mapping)
        for own, value in values.items()
    }
    notes = []
    for theirs, ours in _names().items():
        if (value := fields.pop(_place(theirs), None)) is not None:
            if theirs.endswith("mmr_lambda") and isinstance(value, int | float):
                value = round(1 - value, 6)
            fields.setdefault(_place(ours), value)
            notes.append(f"{theirs} as {ours}")
    for name in _PROVIDERS:
        if (provider := fields.pop(_place(name), None)) is not None:
            if isinstance(model := fields.get(_place("llm.model")), str):
                fields[_place("llm.model")] = f"{provider}:{model.removeprefix(f'{provider}:')}"
            notes.append(f"{name} as the first part of llm.model")
    for name in ("embedding.model", "rerank.model"):
        if _is_on_hub(model := fields.get(_place(name))):
            fields[_place(name)] = f"sentence-transformers:{model}"
            notes.append(f"{name} as a model of sentence-transformers")
    return _nested(written, fields), notes


@cache
def _names() -> Mapping[str, str]:
    """Return onrecord's setting names, by the names in other systems."""
    import yaml  # imported here, because not every command reads a settings file

    names: Mapping[str, str] = yaml.safe_load(_FILE.read_text(encoding="utf-8"))
    return names


def _place(name: str) -> tuple[str, str]:
    """Split a dotted name into the group and the name within it."""
    group, _, own = name.partition(".")
    return group, own


def _nested(written: Mapping[str, Any], fields: Mapping[tuple[str, str], Any]) -> Values:
    """Return the fields by group, with the values written outside groups.

    A group without fields is left out.
    """
    values: Values = {name: value for name, value in written.items() if not isinstance(value, Mapping)}
    values |= {name: {} for name, value in written.items() if value == {}}
    for (group, own), value in fields.items():
        if isinstance(settings := values.setdefault(group, {}), dict):
            settings[own] = value
    return values


def _is_on_hub(model: object) -> bool:
    """Return whether this names a model on a hub, such as ``BAAI/bge-m3``.

    The check does not need the library that loads the model.
    """
    if not isinstance(model, str) or ":" in model or model.startswith((".", "/", "~")):
        return False
    return model.count("/") == 1
