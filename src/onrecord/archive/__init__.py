"""Archives of spoken word: open one, add to it, ask it."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from onrecord.archive.archive import Archive, open  # noqa: A004 - onrecord.open(...)
from onrecord.archive.asking import Ask, AskOptions
from onrecord.archive.lookup import is_called
from onrecord.archive.models import WITHOUT_MEANINGS

if TYPE_CHECKING:
    from onrecord.archive.editing import Removed
    from onrecord.archive.intake import Added, AddOptions, Progress
    from onrecord.archive.ledger import MOST_NOTE, MOST_QUOTES, MOST_TEXT, tally_of
    from onrecord.archive.watching import Watcher

_HOMES = {
    "editing": ("Removed",),
    "intake": ("AddOptions", "Added", "Progress"),
    "ledger": ("MOST_NOTE", "MOST_QUOTES", "MOST_TEXT", "tally_of"),
    "watching": ("Watcher",),
}
"""What a question does not need, by the module that has it."""

__all__ = [
    "MOST_NOTE",
    "MOST_QUOTES",
    "MOST_TEXT",
    "WITHOUT_MEANINGS",
    "AddOptions",
    "Added",
    "Archive",
    "Ask",
    "AskOptions",
    "Progress",
    "Removed",
    "Watcher",
    "is_called",
    "open",
    "tally_of",
]


def __getattr__(name: str) -> Any:
    """Load a name when it is first used."""
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"onrecord.archive.{home}"), name)
    raise AttributeError(f"module 'onrecord.archive' has no attribute {name!r}")
