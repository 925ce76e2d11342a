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
    from onrecord.archive import Archive as Archive
    from onrecord.archive import Ask as Ask
    from onrecord.archive import open as open  # noqa: A004 - onrecord.open(...)
    from onrecord.archive.intake import Added as Added
    from onrecord.errors import OnRecordError as OnRecordError
    from onrecord.strategies import Strategy as Strategy
    from onrecord.types import Answer as Answer
    from onrecord.types import Citation as Citation
    from onrecord.types import Evidence as Evidence
    from onrecord.types import Exchange as Exchange
    from onrecord.types import Heading as Heading
    from onrecord.types import Moment as Moment
    from onrecord.types import Passage as Passage
    from onrecord.types import Plan as Plan
    from onrecord.types import Question as Question
    from onrecord.types import Recording as Recording
    from onrecord.types import Scope as Scope
    from onrecord.types import Step as Step

_MODULES = {
    "archive": "Archive Ask open",
    "archive.intake": "Added",
    "errors": "OnRecordError",
    "strategies": "Strategy",
    "types": "Answer Citation Evidence Exchange Heading Moment Passage Plan Question Recording Scope Step",
}
"""The public names, by the module that defines them."""

__all__ = sorted(name for names in _MODULES.values() for name in names.split())


def __getattr__(name: str) -> Any:
    """Import a public name on first use, because `onrecord --help` needs none of them."""
    for module, names in _MODULES.items():
        if name in names.split():
            return getattr(import_module(f"onrecord.{module}"), name)
    raise AttributeError(f"module 'onrecord' has no attribute {name!r}")
