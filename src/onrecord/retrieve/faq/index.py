"""Stage one: every live entry against a question, and how sure the best fit is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from onrecord.retrieve.faq.classes import Classes
from onrecord.retrieve.faq.grams import Grams
from onrecord.retrieve.faq.nearest import Nearest
from onrecord.retrieve.faq.scale import Scale
from onrecord.retrieve.faq.spelling import Spelling
from onrecord.retrieve.faq.text import is_negated
from onrecord.types import FaqEntry

if TYPE_CHECKING:
    from onrecord.types import Rows, Scores, Vector, Vectors

SHORTLIST = 20
"""Entries, by their nearest way of asking, that are looked at closely."""
WAYS = 16
"""Of each of them, the nearest ways of asking."""
LETTERS = 0.3
"""Weight of letters against that of vectors."""
TEMPERATURE = 0.05
"""Of the soft maximum over ways of asking; as it nears 0, the best alone counts."""
BELONGING = 0.25
"""Weight of what the classifier says against that of likeness."""
LEAD = 0.25
"""Weight of the lead over the best other entry, which counts up to MOST_LEAD."""
MOST_LEAD = 0.3
NOTHING = 0.5
"""What is there besides the entries: one among few must lead over it too."""
NEGATION = 0.1
"""Taken off for a negation in the question that the entry's ways of asking do not have."""


@dataclass(frozen=True, slots=True)
class Match:
    """An entry that a question may mean.

    `score` is the chance, in 0..1, that the entry answers the question. What it is made of: `likeness` to
    its ways of asking, `belonging` by the classifier (a cosine), and the `lead` over the best other entry,
    below zero for one that trails.
    """

    entry: FaqEntry
    score: float
    likeness: float
    belonging: float
    lead: float


class FaqIndex:
    """The live entries of one version, in memory. `vectors` has a row for every way of asking, entry by
    entry; `scale` says what the model's cosines mean."""

    def __init__(self, entries: Sequence[FaqEntry], vectors: Vectors, scale: Scale) -> None:
        self.entries = tuple(entries)
        self._vectors, self._scale = vectors, scale
        texts = [way for entry in entries for way in entry.ways]
        sizes = [len(entry.ways) for entry in entries]
        owners = np.repeat(np.arange(len(entries)), sizes)
        self._starts: Rows = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
        self._affirmed = np.array([not is_negated(text) for text in texts], np.float32)
        self._grams = Grams(texts)
        self._nearest = Nearest(vectors, owners)
        self._classes = Classes(vectors, owners, len(entries)) if entries else None
        self.spelling = Spelling(texts)

    def match(self, vector: Vector, text: str, count: int = 5) -> tuple[Match, ...]:
        """The `count` entries that fit best, best first."""
        if self._classes is None:
            return ()
        entries = self._nearest.entries(vector, SHORTLIST)
        likeness, affirmed = self._likeness(entries, vector, text)
        belonging = self._classes.cosines(vector, entries)
        lead = np.clip(_leads(likeness + belonging) / 2, -MOST_LEAD, MOST_LEAD)
        fit = (1 - BELONGING) * likeness + BELONGING * belonging + LEAD * lead
        if is_negated(text):
            fit -= NEGATION * affirmed
        scores = self._scale.chances(np.asarray(fit, np.float32), np.asarray(lead, np.float32))
        values = np.stack([scores, likeness, belonging, lead], axis=1)
        best = np.argsort(-scores, kind="stable")[:count]
        return tuple(Match(self.entries[entries[place]], *values[place].tolist()) for place in best)

    def _likeness(self, entries: Rows, vector: Vector, text: str) -> tuple[Scores, Scores]:
        """Of the question to each entry; and the share of it that is owed to ways of asking without a
        negation, 0..1.

        It is the soft maximum over ways of asking, so that several good ones count for more than one.
        """
        parts = [self._near_ways(entry, vector) for entry in entries]
        sizes = np.array([len(rows) for rows, _ in parts], np.int64)
        starts = np.cumsum(sizes) - sizes
        rows = np.concatenate([rows for rows, _ in parts])
        cosines = self._scale.cosines(np.concatenate([cosines for _, cosines in parts]))
        likeness = (1 - LETTERS) * cosines + LETTERS * self._grams.likeness(text, rows)
        peaks = np.maximum.reduceat(likeness, starts)
        weights = np.exp((likeness - np.repeat(peaks, sizes)) / TEMPERATURE)
        totals = np.add.reduceat(weights, starts)
        affirmed = np.add.reduceat(weights * self._affirmed[rows], starts) / totals
        return (peaks + TEMPERATURE * np.log(totals)).astype(np.float32), affirmed.astype(np.float32)

    def _near_ways(self, entry: int, vector: Vector) -> tuple[Rows, Scores]:
        """The nearest ways of asking an entry: rows and cosines."""
        first, end = self._starts[entry], self._starts[entry + 1]
        cosines = self._vectors[first:end] @ vector
        if len(cosines) <= WAYS:
            return np.arange(first, end), cosines
        best = np.argpartition(-cosines, WAYS)[:WAYS]
        return first + best, cosines[best]


def _leads(fits: Scores) -> Scores:
    """How far each is ahead of the best of the others, or of NOTHING."""
    best = int(fits.argmax())
    leads: Scores = fits - fits[best]
    leads[best] = fits[best] - np.delete(fits, best).max(initial=NOTHING)
    return leads
