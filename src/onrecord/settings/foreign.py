"""Settings by the names of other retrieval systems, translated to ours.

Only names are translated: a value goes through the same checks as if it had been written under our own name.
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
    """The values of a file by our names, and "THEIRS as OURS" for each name that was translated.

    An unknown name stays as it is, to be refused with the most similar one. Our own name in the same file
    wins.
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
    """Our names by theirs."""
    import yaml  # not every command reads settings of a file

    names: Mapping[str, str] = yaml.safe_load(_FILE.read_text(encoding="utf-8"))
    return names


def _place(name: str) -> tuple[str, str]:
    """The group of a setting and its own name there."""
    group, _, own = name.partition(".")
    return group, own


def _nested(written: Mapping[str, Any], fields: Mapping[tuple[str, str], Any]) -> Values:
    """The fields by group, with what was written outside of groups; a group without fields is left out."""
    values: Values = {name: value for name, value in written.items() if not isinstance(value, Mapping)}
    values |= {name: {} for name, value in written.items() if value == {}}
    for (group, own), value in fields.items():
        if isinstance(settings := values.setdefault(group, {}), dict):
            settings[own] = value
    return values


def _is_on_hub(model: object) -> bool:
    """Whether this names a model on a hub, ``BAAI/bge-m3``, without the library that opens it."""
    if not isinstance(model, str) or ":" in model or model.startswith((".", "/", "~")):
        return False
    return model.count("/") == 1
