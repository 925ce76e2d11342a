"""What every FAQ store refuses, in the same words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from onrecord.errors import InputError, NotFoundError, SettingError, StoreError, did_you_mean, nearest
from onrecord.stores.faq.base import STATUSES
from onrecord.types import FaqEntry

if TYPE_CHECKING:
    from onrecord.types import Vectors


def check_put(entries: Sequence[FaqEntry], vectors: Vectors | None) -> None:
    """Raises where entries and vectors do not fit together."""
    for entry in entries:
        check_status(entry.status)
    ways = sum(len(entry.ways) for entry in entries)
    if vectors is not None and len(vectors) != ways:
        raise StoreError(f"{len(vectors)} vectors for {ways} ways of asking: there must be one for each")
    if vectors is None and any(entry.status == "live" for entry in entries):
        raise no_vectors([entry.id for entry in entries if entry.status == "live"])
    if len({entry.id for entry in entries}) < len(entries):
        raise StoreError("two entries have the same id: give each its own")


def check_status(status: str) -> None:
    """Raises SettingError for a status that is none."""
    if status not in STATUSES:
        raise SettingError("status", status, "one of " + ", ".join(STATUSES))


def no_vectors(ids: Sequence[str]) -> InputError:
    """The error for entries that cannot be live yet."""
    return InputError(f"no vectors of the FAQ entries {', '.join(ids[:5])}: promote them, which embeds them")


def missing(name: str, known: Iterable[str]) -> NotFoundError:
    """The error for an id that is none."""
    hint = did_you_mean(nearest(name, known)) or "see: onrecord faq list"
    return NotFoundError(f"there is no FAQ entry {name!r} in this workspace; {hint}")
