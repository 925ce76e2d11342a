"""Remembers which models open their thoughts by a mark, so that their replies can be shown as they come.

Some servers drop the mark that opens a thought: until it ends, such a reply looks like an answer. So the
reply of a model that nothing is known of waits for its end. If it was an answer from its first word on, a
file in the user's cache folder notes that, also for other processes: a model begins each reply alike.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from pathlib import Path

from onrecord.errors import WeightsError
from onrecord.models.base import LanguageModel, OpensThoughts
from onrecord.models.cache_folder import cache_root, write

_OPENERS: set[str] = set()


def opens_thoughts(model: LanguageModel) -> bool:
    """Return whether what a model writes before any mark is known to be no thought."""
    if isinstance(model, OpensThoughts) and model.opens_thoughts:
        return True
    return _key(model) in _OPENERS or _file(model).exists()


def note_opener(model: LanguageModel) -> None:
    """Note that a whole reply of a model had no thought without a mark that opens it."""
    _OPENERS.add(_key(model))
    with suppress(WeightsError):  # the folder cannot be written to: this process knows it
        write(_file(model), [])


def forget_opener(model: LanguageModel) -> None:
    """Note that a model ended a thought that nothing opened."""
    _OPENERS.discard(_key(model))
    with suppress(OSError):
        _file(model).unlink(missing_ok=True)


def _key(model: LanguageModel) -> str:
    """The model by its name and address: the same name may be another model on another server."""
    return f"{model.name} {getattr(model, 'address', '')}"


def _file(model: LanguageModel) -> Path:
    return cache_root() / "openers" / hashlib.sha256(_key(model).encode()).hexdigest()[:32]
