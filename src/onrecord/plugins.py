"""What other packages add to onrecord, found by their entry points: formats, stores and models."""

from __future__ import annotations

from importlib.metadata import EntryPoint, entry_points
from typing import Any

from onrecord.errors import SettingError

FORMATS, STORES, MODELS = "onrecord.formats", "onrecord.stores", "onrecord.models"
"""Groups of entry points: a store goes by the scheme of its addresses, a model by what stands before ":"."""


def plugins(group: str) -> list[EntryPoint]:
    """The entry points of a group, by name. It reads what is installed, which takes some milliseconds."""
    return sorted(entry_points(group=group), key=lambda point: point.name)


def load_plugin(group: str, name: str, setting: str) -> Any:
    """What an installed package registers under a name; None where none does.

    Raises SettingError for the `setting` where that package cannot be imported.
    """
    point = next((point for point in plugins(group) if point.name == name), None)
    try:
        return point and point.load()
    except Exception as error:  # whatever another package does when it is imported
        reason = f"{type(error).__name__}: {error}"
        raise SettingError(setting, name, f"what loads; its plug-in does not ({reason})") from error
