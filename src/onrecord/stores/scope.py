"""The rules by which a recording, a speaker or a section matches a Scope. All stores share them."""

from __future__ import annotations

import re
from functools import lru_cache

from onrecord.errors import SettingError
from onrecord.stores.words import fold as fold_text
from onrecord.types import Recording, Scope

fold = lru_cache(4096)(fold_text)  # a few titles, names and attributes are folded again and again
DATE = r"\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?"
"""The pattern of an ISO date of any precision."""
A_DATE = "a date such as 2024-03-05, 2024-03 or 2024"


def check_scope(scope: Scope) -> None:
    """Raise SettingError if `since` or `until` is not a date."""
    check_date("since", scope.since)
    check_date("until", scope.until)


def check_date(name: str, date: str | None) -> None:
    """Raise SettingError unless a value is None or an ISO date of any precision."""
    if date is not None and not re.fullmatch(DATE, date):
        raise SettingError(name, date, A_DATE)


def in_scope(recording: Recording, scope: Scope) -> bool:
    """Return whether a recording meets all conditions of a scope except those on speakers and sections.

    The language "en" includes "en-GB"; "en-GB" includes only itself. An attribute with several values,
    "freight; tariffs", matches each of them.
    """
    details = recording.details
    if scope.recordings and recording.id not in scope.recordings:
        return False
    if not dated(details.date, scope):
        return False
    if scope.languages:
        language = (details.language or "").casefold()
        wanted = map(str.casefold, scope.languages)
        if not any(language == each or language.startswith(each + "-") for each in wanted):
            return False
    attributes = [(fold(key), fold(value)) for key, value in details.attributes.items()]
    conditions = ((fold(key), fold(value)) for key, value in scope.attributes.items())
    return all(
        any(key == name and (of == value or value in each_value(of)) for key, of in attributes)
        for name, value in conditions
    )


def each_value(value: str) -> list[str]:
    """Return the values that an attribute has: two in "freight; tariffs"."""
    return value.split("; ")


@lru_cache(4096)
def name_words(name: str) -> frozenset[str]:
    """Return the words of a name, without case and accents."""
    return frozenset(re.findall(r"\w+", fold(name)))


def names_speaker(wanted: str, name: str) -> bool:
    """Return whether every wanted word is a whole word of the name.

    For example, "kelly" matches Brendan Kelly, and "al" does not match Alan.
    """
    words = name_words(wanted)
    return words <= name_words(name) if words else fold(wanted).strip() == fold(name).strip()


@lru_cache(4096)
def names_section(wanted: str, title: str) -> bool:
    """Return whether two titles are the same, apart from case, accents and spaces."""
    return fold(wanted).split() == fold(title).split()


def dated(date: str | None, scope: Scope) -> bool:
    """Return whether a date is within `since` and `until`.

    Two dates are compared at the lower of their precisions: "2024-03" is neither before nor after
    "2024-03-05".
    """
    if scope.since is None and scope.until is None:
        return True
    if date is None:
        return False
    since, until = scope.since or "", scope.until or ""
    return date[: len(since)] >= since[: len(date)] and date[: len(until)] <= until[: len(date)]
