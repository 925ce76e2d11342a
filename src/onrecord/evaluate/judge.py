"""Maps the passages that a strategy shows to the labeled units of a dataset.

It does not depend on how passages are cut.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from onrecord.errors import InputError
from onrecord.evaluate.datasets import Dataset, Labelled
from onrecord.evaluate.measures import Retrieved
from onrecord.retrieve.moments.order import by_rank
from onrecord.stores.base import Snapshot
from onrecord.types import Evidence, Passage

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Judge:
    """Compares evidence with the labels, for a store that was filled from a dataset."""

    def __init__(self, dataset: Dataset, reader: Snapshot) -> None:
        self._dataset, self._reader = dataset, reader
        self._places = {u.id: (name, i) for name, us in dataset.units.items() for i, u in enumerate(us)}
        self._units: dict[str, list[NDArray[np.int64]]] = {}

    def judge(self, evidence: Evidence, question: Labelled) -> Retrieved:
        """Return the input of the measures for one evidence."""
        shown, ranked = self.mask_gold(evidence, question), self.rank_units(evidence)
        return Retrieved(shown, self.count_gold(question), ranked, question.grades)

    def count_gold(self, question: Labelled) -> int:
        """Return the number of gold words."""
        return sum(len(self._dataset.units[name][at].text.split()) for name, at in self._relevant(question))

    def mask_gold(self, evidence: Evidence, question: Labelled) -> NDArray[np.bool_]:
        """Return whether each shown word is gold, moment after moment; shape (words shown,)."""
        relevant = self._relevant(question)
        words = [np.zeros(0, bool)]
        for passage in (p for moment in evidence.moments for p in moment.passages):
            gold = [at for name, at in relevant if name == passage.recording]
            words.append(np.isin(self._units_of(passage), gold))
        return np.concatenate(words)

    def rank_units(self, evidence: Evidence) -> list[str]:
        """Return the ids of the units shown, best first, in the order of `by_score`."""
        units: dict[str, None] = {}
        for passage in by_score(evidence):
            recording_units = self._dataset.units[passage.recording]
            units.update(
                (recording_units[at].id, None) for at in dict.fromkeys(self._units_of(passage).tolist())
            )
        return list(units)

    def rows(self, units: Iterable[str]) -> list[int]:
        """Return the rows of the passages that contain a word of any of the units."""
        rows: list[int] = []
        for name, at in (self._places[unit] for unit in units):
            passages = self._reader.transcript(name)
            rows += [p.row for p in passages if at in self._units_of(p)]
        return rows

    def _relevant(self, question: Labelled) -> list[tuple[str, int]]:
        return [self._places[unit] for unit, grade in question.grades.items() if grade > 0]

    def _units_of(self, passage: Passage) -> NDArray[np.int64]:
        """Return the number of the unit of each word of a passage."""
        name = passage.recording
        if name not in self._units:
            sizes = [len(each.text.split()) for each in self._reader.transcript(name)]
            units = [len(unit.text.split()) for unit in self._dataset.units[name]]
            if sum(sizes) != sum(units):
                raise InputError(
                    f"recording {name!r} has {sum(sizes)} words in the store and {sum(units)} in the dataset "
                    f"{self._dataset.name!r}: fill an empty workspace from the dataset first"
                )
            self._units[name] = np.split(np.repeat(np.arange(len(units)), units), np.cumsum(sizes[:-1]))
        return self._units[name][passage.position]


def by_score(evidence: Evidence) -> list[Passage]:
    """Return the passages shown, best first.

    The order is the curve's, as the passages of a moment are in the order of speech. If there is no curve, or
    a later stage ranked the moments differently, the order is moment after moment.
    """
    moments = by_rank(evidence.moments)
    if evidence.curve is None:
        return [passage for moment in moments for passage in moment.passages]
    timeline, score = evidence.curve.timeline, evidence.curve.score
    scores = dict(zip(timeline.rows.tolist(), score.tolist(), strict=True))
    ranked = [sorted(m.passages, key=lambda p: -scores.get(p.row, -inf)) for m in moments]
    best = [scores.get(passages[0].row, -inf) for passages in ranked]
    passages = list(chain.from_iterable(ranked))
    if best == sorted(best, reverse=True):
        passages.sort(key=lambda passage: -scores.get(passage.row, -inf))
    return passages
