"""Ask archives of spoken word a question; get an answer you can check: who said it, where, which second.

::

    archive = onrecord.open("talks.db")
    archive.add("transcripts/")
    print(archive.ask("Why did margins fall?"))
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from onrecord.archive import Added, Archive, Ask, open  # noqa: A004 - onrecord.open(...)
    from onrecord.errors import OnRecordError
    from onrecord.strategies import Strategy
    from onrecord.types import (
        Answer,
        Citation,
        Evidence,
        Exchange,
        Heading,
        Moment,
        Passage,
        Plan,
        Question,
        Recording,
        Scope,
        Step,
    )

_HOMES = {
    "archive": ("Added", "Archive", "Ask", "open"),
    "errors": ("OnRecordError",),
    "strategies": ("Strategy",),
    "types": (
        "Answer",
        "Citation",
        "Evidence",
        "Exchange",
        "Heading",
        "Moment",
        "Passage",
        "Plan",
        "Question",
        "Recording",
        "Scope",
        "Step",
    ),
}

__all__ = [
    "Added",
    "Answer",
    "Archive",
    "Ask",
    "Citation",
    "Evidence",
    "Exchange",
    "Heading",
    "Moment",
    "OnRecordError",
    "Passage",
    "Plan",
    "Question",
    "Recording",
    "Scope",
    "Step",
    "Strategy",
    "open",
]


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used: `onrecord --help` needs none of them."""
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"onrecord.{home}"), name)
    raise AttributeError(f"module 'onrecord' has no attribute {name!r}")
