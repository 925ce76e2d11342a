"""Genres of recordings, and the phrases that mark their parts (``data/sections.yaml``)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter

from onrecord.ingest.sections.words import DATA
from onrecord.types import Details


def _any(phrases: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{phrases})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Genre:
    """A genre of recordings: its signs and its kinds of parts.

    `signs` in the first or last passages speak for it; an attribute of the recording that is one of
    `attributes` counts as two signs. `parts` mark passages of a kind anywhere, `opening`
    and `closing` the first and last ones; `topic` is the kind of all between.
    """

    name: str
    attributes: frozenset[str]
    signs: tuple[re.Pattern[str], ...]
    opening: re.Pattern[str]
    closing: re.Pattern[str]
    parts: Mapping[str, re.Pattern[str]]
    topic: str | None


def _genre(name: str) -> Genre:
    """The genre of a name in the data."""
    data = DATA["genres"][name]
    return Genre(
        name,
        frozenset(data["attributes"]),
        tuple(map(_any, data["signs"])),
        _any(data["opening"]),
        _any(data["closing"]),
        {kind: _any(phrases) for kind, phrases in data.get("parts", {}).items()},
        data.get("topic"),
    )


EARNINGS, MEETING, TALK = map(_genre, ("earnings", "meeting", "talk"))
GENRES = (EARNINGS, _genre("podcast"), MEETING, TALK)
DECISION = _any(DATA["decision"])
"""Phrases of chairs and members for a decision."""
_END_PASSAGES = 6
"""Passages at the beginning and at the end that may have signs."""


def genre_of(texts: Sequence[str], details: Details, voices: Sequence[str | None]) -> Genre | None:
    """Return the genre with most different signs in the title and the first and last passages.

    It needs two signs, and more than any other genre; else None. `voices` are the speakers of the passages:
    the speaker of a talk says most of it.
    """
    ends = " ".join([details.title or "", *texts[:_END_PASSAGES], *texts[_END_PASSAGES:][-_END_PASSAGES:]])
    attributes = {name.casefold() for name in details.attributes}
    most_of_one = max(Counter(voices).values(), default=0)
    scores: list[tuple[int, Genre]] = []
    for genre in GENRES:
        if genre is not TALK or most_of_one >= 0.6 * len(voices):
            signs = sum(bool(sign.search(ends)) for sign in genre.signs)
            scores.append((signs + 2 * bool(attributes & genre.attributes), genre))
    (best, genre), (second, _), *_ = sorted(scores, key=itemgetter(0), reverse=True)
    return genre if best >= 2 and best > second else None
