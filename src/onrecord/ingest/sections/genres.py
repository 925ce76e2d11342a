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

    `signs` are phrases in the first or last passages that indicate the genre. An attribute of the recording
    that is in `attributes` counts as two signs. `parts` are phrases that mark passages of a kind anywhere;
    `opening` and `closing` mark the first and last passages. `topic` is the kind of all passages between.
    """

    name: str
    attributes: frozenset[str]
    signs: tuple[re.Pattern[str], ...]
    opening: re.Pattern[str]
    closing: re.Pattern[str]
    parts: Mapping[str, re.Pattern[str]]
    topic: str | None


def _genre(name: str) -> Genre:
    """Return the genre with a name in the data file."""
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
"""Phrases with which chairs and members announce a decision."""
_END_PASSAGES = 6
"""Number of passages at the beginning and at the end that are searched for signs."""


def genre_of(texts: Sequence[str], details: Details, voices: Sequence[str | None]) -> Genre | None:
    """Return the genre with the most different signs in the title and the first and last passages.

    It needs two signs, and more than any other genre; otherwise the result is None. `voices` are the speakers
    of the passages: in a talk, one speaker has most passages.
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
