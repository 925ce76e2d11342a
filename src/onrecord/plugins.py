"""Finds formats, stores and models of other packages by their entry points."""

from __future__ import annotations

from importlib.metadata import EntryPoint, entry_points
from typing import Any

from onrecord.errors import SettingError

FORMATS, STORES, MODELS = "onrecord.formats", "onrecord.stores", "onrecord.models"
"""Groups of entry points. A store is named by the scheme of its addresses, a model by the part before ":"."""


def plugins(group: str) -> list[EntryPoint]:
    """The entry points of a group, by name. Reading the installed packages takes some milliseconds."""
    return sorted(entry_points(group=group), key=lambda point: point.name)


def load_plugin(group: str, name: str, setting: str) -> Any:
    """What an installed package registers under a name; None if no package does.

    Raises SettingError for the `setting` if that package cannot be imported.
    """
    point = next((point for point in plugins(group) if point.name == name), None)
    try:
        return point and point.load()
    except Exception as error:  # another package's import may raise anything
        reason = f"{type(error).__name__}: {error}"
        raise SettingError(setting, name, f"what loads; its plug-in does not ({reason})") from error
