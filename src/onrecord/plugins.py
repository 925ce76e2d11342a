"""Entry points of other packages that add formats, stores and models."""

from __future__ import annotations

from importlib.metadata import EntryPoint, entry_points
from typing import Any

from onrecord.errors import SettingError

FORMATS, STORES, MODELS = "onrecord.formats", "onrecord.stores", "onrecord.models"
"""Groups of entry points.

A store is named by the scheme of its addresses, a model by the part before ":".
"""


def plugins(group: str) -> list[EntryPoint]:
    """Return the entry points of a group, sorted by name.

    Reading the installed packages takes some milliseconds.
    """
    return sorted(entry_points(group=group), key=lambda point: point.name)


def load_plugin(group: str, name: str, setting: str) -> Any:
    """Return the object that an installed package registers under a name, or None if no package does.

    Raises SettingError for the `setting` if that package cannot be imported.
    """
    point = next((point for point in plugins(group) if point.name == name), None)
    try:
        return point and point.load()
    except Exception as error:  # the import of another package may raise any error
        reason = f"{type(error).__name__}: {error}"
        raise SettingError(setting, name, f"what loads; its plug-in does not ({reason})") from error
