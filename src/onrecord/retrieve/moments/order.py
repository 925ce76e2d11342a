"""The order of moments by reading, recording or language, and the passages beside and between them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from math import inf
from typing import ClassVar

from onrecord.retrieve.diversity.diverse import grouped_by
from onrecord.retrieve.moments.budget import tokens_of
from onrecord.retrieve.moments.moments import Place, in_scope, place, places, unique
from onrecord.retrieve.stage import Stage, Tools, remarked
from onrecord.stores.base import Snapshot
from onrecord.types import Evidence, Moment, Passage, Recording, primary_language


@dataclass(frozen=True)
class ReadingOrder(Stage):
    """A stage that puts moments in spoken order, starting with the recording of the best moment.

    Adjacent moments are merged, and no passage is in two moments. `Moment.scores` stores their "rank", from
    0, so that the best moments stay known.
    """

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        return evidence.with_moments(in_reading_order(evidence.moments))


def in_reading_order(moments: Iterable[Moment]) -> tuple[Moment, ...]:
    """Return moments in reading order (see `ReadingOrder`). If all moments have a rank, they keep it."""
    ranked = by_rank(tuple(moments))
    if not all("rank" in moment.scores for moment in ranked):
        ranked = with_ranks(ranked)
    recordings = {name: at for at, name in enumerate(dict.fromkeys(m.recording for m in ranked))}
    ordered: list[Moment] = []
    for moment in sorted(unique(ranked), key=lambda m: (recordings[m.recording], m.passages[0].position)):
        if ordered and adjoin(ordered[-1], moment):
            ordered[-1] = together(ordered[-1], moment)
        else:
            ordered.append(moment)
    return tuple(ordered)


def with_ranks(moments: Sequence[Moment], best_first: Sequence[Moment] = ()) -> tuple[Moment, ...]:
    """Return moments in their order, each with its rank, from 0, in `best_first`, or else in this order."""
    ranks = {id(moment): float(rank) for rank, moment in enumerate(best_first or moments)}
    return tuple(replace(m, scores={**m.scores, "rank": ranks[id(m)]}) for m in moments)


def by_rank(moments: Sequence[Moment]) -> tuple[Moment, ...]:
    """Return moments best first, even if they are in reading order."""
    ranks = [moment.scores.get("rank", at) for at, moment in enumerate(moments)]
    return tuple([moments[at] for at in sorted(range(len(moments)), key=ranks.__getitem__)])


def adjoin(one: Moment, other: Moment) -> bool:
    """Return whether the second moment begins where the first ends."""
    last, then = one.passages[-1], other.passages[0]
    return last.recording == then.recording and last.position + 1 == then.position


def together(one: Moment, other: Moment) -> Moment:
    """Return two adjacent moments as one.

    It has the peak and the score of the better moment, the best value of each signal, and the better rank.
    """
    better, offset = (other, len(one.passages)) if other.score > one.score else (one, 0)
    scores = {
        name: (min if name == "rank" else max)(m.scores[name] for m in (one, other) if name in m.scores)
        for name in {**one.scores, **other.scores}
    }
    return Moment(one.passages + other.passages, better.score, scores, offset + better.peak)


@dataclass(frozen=True)
class Grouped(Stage):
    """A stage that groups moments by recording, ordered by the mean score of each recording's moments.

    Within a recording, moments are ordered by their own score. Both orders are falling. `Moment.scores`
    stores their "rank", from 0, and the mean as "recording".
    """

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        groups = []
        for group in grouped_by(lambda moment: moment.recording, with_ranks(by_rank(evidence.moments))):
            mean = sum(moment.score for moment in group) / len(group)
            groups.append([replace(moment, scores={**moment.scores, "recording": mean}) for moment in group])
        groups.sort(key=lambda group: -group[0].scores["recording"])
        best_first = [sorted(group, key=lambda moment: -moment.score) for group in groups]
        return evidence.with_moments(tuple(chain(*best_first)))


CLEARLY = 0.9
"""The least score of a moment in the question's language, as a share of the best score, to come first.

Vectors of multilingual models differ by some hundredths between languages.
"""


def spoken_in(recording: Recording | None) -> str:
    """Return the ISO 639-1 code of a recording's language, or an empty string if it is not known."""
    return recording.details.language_code if recording else ""


def other_language(evidence: Evidence, recording: Recording | None) -> str:
    """Return the language of a recording if it differs from the question's, else an empty string.

    Empty also if either language is unknown, and if the scope names languages.
    """
    asked = primary_language(evidence.plan.language) if evidence.plan else ""
    spoken = spoken_in(recording)
    return spoken if asked and asked != spoken and not evidence.question.scope.languages else ""


def own_language_first(evidence: Evidence, store: Snapshot) -> Evidence:
    """Return evidence with a moment in the question's language first.

    Another language stays first if its best moment is clearly better.
    """
    if not evidence.moments:
        return evidence
    ranked = by_rank(evidence.moments)
    if not other_language(evidence, store.recording(ranked[0].recording)):
        return evidence
    for moment in ranked:
        if moment.score < CLEARLY * ranked[0].score:
            continue
        recording = store.recording(moment.recording)
        if spoken_in(recording) and not other_language(evidence, recording):
            moved = (moment, *(other for other in ranked if other is not moment))
            if any("rank" in other.scores for other in moved):  # restore the reading order
                moved = in_reading_order(with_ranks(moved))
            note = "first in the question's language: what is in another one is not clearly better"
            return remarked(evidence.with_moments(moved), "Own language", note)
    return evidence


# ---------------------------------------------------------------- passages beside and between moments


@dataclass(frozen=True)
class Neighbours(Stage):
    """A stage that adds the passage before a moment, and the one after it, if their relevance is over `over`.

    The relevance of adjacent passages (`Passage.before`, `Passage.after`, 0..1) is judged when a recording is
    added; if it was not judged, the cosine of the two vectors is used. A passage that is in another moment,
    or out of the question's scope, is not added.
    """

    over: float = 0.7
    ranges: ClassVar = {"over": (0, 1)}

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        seen = places(evidence.moments)
        widened = [self._widened(moment, evidence, tools, seen) for moment in evidence.moments]
        return evidence.with_moments(tuple(widened))

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        added = len(places(after.moments)) - len(places(before.moments))
        return f"{added} passages added" if added else ""

    def _widened(self, moment: Moment, evidence: Evidence, tools: Tools, seen: set[Place]) -> Moment:
        first, last = moment.passages[0], moment.passages[-1]
        around = tools.store.transcript(moment.recording, max(first.position - 1, 0), last.position + 1)
        allowed = [p for p in in_scope(around, evidence.question.scope, tools.store) if place(p) not in seen]
        before = [p for p in allowed if p.position < first.position and self._belongs(first, p, tools)]
        after = [p for p in allowed if p.position > last.position and self._belongs(last, p, tools)]
        seen |= {place(p) for p in (*before, *after)}
        return replace(moment, passages=(*before, *moment.passages, *after), peak=moment.peak + len(before))

    def _belongs(self, passage: Passage, beside: Passage, tools: Tools) -> bool:
        judged = passage.before if beside.position < passage.position else passage.after
        if judged is None:
            one, other = tools.store.vectors([passage.row, beside.row])
            judged = float(one @ other)
        return judged > self.over


@dataclass(frozen=True)
class FillGaps(Stage):
    """A stage that fills gaps of fewer than `smaller` passages between moments, smallest first.

    A gap is filled only if all moments together stay within `tokens`, and then completely. Moments come out
    in reading order, and those whose gap was filled are merged. No passage is used or counted twice, and none
    is out of the question's scope.
    """

    smaller: int = 5
    tokens: int = 4000
    ranges: ClassVar = {"smaller": (1, inf), "tokens": (0, inf)}

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        moments = in_reading_order(evidence.moments)
        room = self.tokens - sum(tokens_of(p.text) for m in moments for p in m.passages)
        fillings = {
            at: f for at in range(1, len(moments)) if (f := self._filling(moments, at, evidence, tools))
        }
        chosen: dict[int, Moment] = {}
        for at in sorted(fillings, key=lambda at: (len(fillings[at].passages), at)):
            need = sum(tokens_of(p.text) for p in fillings[at].passages)
            if need <= room:
                chosen[at] = fillings[at]
                room -= need
        whole = list(moments[:1])
        for at, moment in enumerate(moments[1:], 1):
            if at in chosen:
                whole[-1] = together(together(whole[-1], chosen[at]), moment)
            else:
                whole.append(moment)
        return evidence.with_moments(tuple(whole))

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        added = len(places(after.moments)) - len(places(before.moments))
        return f"{added} passages filled in" if added else ""

    def _filling(self, moments: Sequence[Moment], at: int, evidence: Evidence, tools: Tools) -> Moment | None:
        """Return the passages between the moments `at` - 1 and `at`, as a moment of the lowest score.

        Return None if the gap is too large, between two recordings, or partly out of scope.
        """
        last, then = moments[at - 1].passages[-1], moments[at].passages[0]
        missing = then.position - last.position - 1
        if last.recording != then.recording or not 0 < missing < self.smaller:
            return None
        between = tools.store.transcript(last.recording, last.position + 1, then.position - 1)
        allowed = in_scope(between, evidence.question.scope, tools.store)
        return Moment(tuple(allowed), -inf) if len(allowed) == missing else None
