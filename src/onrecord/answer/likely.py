"""How likely each of the quotes that were chosen is one that a person would point at, beside the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from onrecord.answer.honesty import quote_confidence
from onrecord.answer.quotes import Quote
from onrecord.types import Evidence


@dataclass(frozen=True, slots=True)
class Likelihood:
    """What there is to know of the quotes of one evidence: `ranks` has the rank of every moment among those
    of its recording, `standing` the best score of a recording's quotes beside the best of all (1: the best).
    It is empty where only one recording could be quoted."""

    ranks: tuple[int, ...]
    standing: dict[str, float]

    @classmethod
    def of(cls, evidence: Evidence, quotes: Sequence[Quote]) -> Likelihood:
        """From the moments that the quotes were chosen from, in the order that their ranks count."""
        seen: Counter[str] = Counter()
        ranks = []
        for moment in evidence.moments:
            ranks.append(seen[moment.recording])
            seen[moment.recording] += 1
        best: dict[str, float] = {}
        for quote in quotes if len(seen) > 1 else ():
            best[quote.recording] = max(quote.score, best.get(quote.recording, 0.0))
        most = max(best.values(), default=0.0) or 1.0
        return cls(tuple(ranks), {name: score / most for name, score in best.items()})

    def __call__(self, quote: Quote) -> float:
        """See `onrecord.answer.honesty.quote_confidence`."""
        return quote_confidence(quote.score, self.ranks[quote.moment], self.standing.get(quote.recording))
