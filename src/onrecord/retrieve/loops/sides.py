"""One search for each side of a comparison, with equal shares.

A single search for "what do Ann and Bob think of tariffs" shows whoever says the word more often. So each
side is searched for by itself, and the moments of both are interleaved.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from math import inf
from typing import ClassVar

from onrecord.retrieve.curve.curves import highest
from onrecord.retrieve.curve.prefer import preferred_timeline
from onrecord.retrieve.moments.moments import interleaved, places
from onrecord.retrieve.stage import Stage, Tools, asking
from onrecord.retrieve.wording import subject
from onrecord.stores.words import STOP, terms
from onrecord.types import Evidence, Moment, Passage, Plan, Step

SIDE = "side "
"""In `Moment.scores`, "side 0", "side 1", ...: what a moment was worth to the query of that number in
`Plan.queries`."""


@dataclass(frozen=True)
class Sides(Stage):
    """Runs `stage` for each query of the plan, takes the best `each` of every one, and interleaves them:
    the best of each side, the second of each, ...; no passage twice, but marked for every side that found it.

    A side is searched for where its plan (`Plan.sides`) prefers: in what its speaker says, in the recording
    it names. Where a question has no sides, or none was planned, the stage runs once as it is.
    """

    stage: Stage
    each: int = 5
    ranges: ClassVar = {"each": (1, inf)}

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        plan = evidence.plan or tools.plan(evidence.question, ("comparison", "balanced"))
        if len(plan.queries) < 2:
            return self.stage(evidence, tools)
        results = [self._side(evidence, plan, number, tools) for number in range(len(plan.queries))]
        sides = [
            [replace(m, scores={**m.scores, f"{SIDE}{number}": m.score}) for m in side.moments[: self.each]]
            for number, side in enumerate(results)
        ]
        trace: tuple[Step, ...] = tuple(chain(evidence.trace, *(side.trace for side in results)))
        return replace(
            evidence,
            moments=tuple(_shared(moment, sides) for moment in interleaved(sides)),
            curve=highest([side.curve for side in results], tools.store.timeline(evidence.question.scope)),
            trace=trace,
            plan=plan,
        )

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        queries = after.plan.queries if after.plan else ()
        shares = [sum(f"{SIDE}{n}" in m.scores for m in after.moments) for n in range(len(queries))]
        parts = [f"{query}: {share}" for query, share in zip(queries, shares, strict=True)]
        return "; ".join(parts) if len(parts) > 1 else "the question has no sides"

    def _side(self, evidence: Evidence, plan: Plan, number: int, tools: Tools) -> Evidence:
        """The evidence for one side, in the scope that its own plan prefers."""
        query = plan.queries[number]
        own = plan.sides[number] if number < len(plan.sides) else None
        if own is None:  # whoever planned it gave the queries alone
            own = tools.plan(replace(evidence.question, text=query, history=()), ("balanced",))
        text = without_names(query, names_apart(plan)) if own.filters else query
        asked = replace(asking(evidence, text), plan=replace(own, intent=plan.intent))
        asked = replace(asked, question=replace(asked.question, scope=own.scope or asked.question.scope))
        _, scope = preferred_timeline(asked, tools.store)
        return self.stage(replace(asked, question=replace(asked.question, scope=scope)), tools)


_COMPARING = re.compile(
    r"^\W*(?:(?:how|in what way)\s+)?(?:do|does|did|are|is|was|were)\b(?:\s+see\b)?|"
    r"\b(?:differ|compare[sd]?|disagree|different(?:ly)?|alike|diff[ée]remment)\b|"
    r"\b(?:the )?differences? between\b|\b(?:in )?the same way\b|\bde la même (?:façon|manière)\b",
    re.IGNORECASE,
)
"""What a question compares with, which nobody says of its subject."""
_LEADING = re.compile(r"^\W*(?:(?:from|on|about|regarding|in terms of|sur|à propos de)\b\W*)+", re.IGNORECASE)


def without_names(query: str, names: Iterable[str]) -> str:
    """A query without the names; all of it where nothing else is left."""
    rest = query
    for name in sorted(names, key=len, reverse=True):
        rest = re.sub(rf"\b{re.escape(name)}\b('s)?", " ", rest, flags=re.IGNORECASE)
    rest = _LEADING.sub("", " ".join(_COMPARING.sub(" ", rest).split()))
    return rest if set(terms(subject(rest))) - STOP else query


def names_apart(plan: Plan) -> list[str]:
    """The names that tell sides apart: those that some query leaves out."""
    queries = plan.queries
    return [name for name in plan.entities if not all(name_in(name, query) for query in queries)]


def name_in(name: str, query: str) -> bool:
    """Whether a query has a whole name."""
    words = terms(name)
    return bool(words) and set(words) <= set(terms(query))


def voices_of(passage: Passage) -> tuple[str, ...]:
    """Who speaks in a passage, its main speaker first."""
    names = (passage.speaker, *(name for _, name in passage.voices))
    return tuple(dict.fromkeys(name for name in names if name))


def _shared(moment: Moment, sides: Sequence[Sequence[Moment]]) -> Moment:
    """A moment with the marks of all sides that have one of its passages."""
    here = places([moment])
    marks: dict[str, float] = {}
    for other in chain(*sides):
        if here & places([other]):
            marks |= {name: score for name, score in other.scores.items() if name.startswith(SIDE)}
    return replace(moment, scores={**marks, **moment.scores})
