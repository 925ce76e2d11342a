"""A stage that searches for each side of a comparison, with equal shares.

A single search for "what do Ann and Bob think of tariffs" returns mostly the person who uses the word more
often. So each side is searched for separately, and the moments of all sides are interleaved.
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
from onrecord.retrieve.wording import has_subject, without
from onrecord.stores.words import terms
from onrecord.types import Evidence, Moment, Passage, Plan, Step

SIDE = "side "
"""The prefix of "side 0", "side 1", ... in `Moment.scores`.

The value is the score of the moment for the query with that number in `Plan.queries`.
"""


@dataclass(frozen=True)
class Sides(Stage):
    """A stage that runs `stage` for each query of the plan, and interleaves the best `each` of every result.

    The order is the best moment of each side, then the second of each, and so on. No passage appears twice,
    but a moment is marked for every side whose results contain it.

    The search for a side follows the preferences of its plan (`Plan.sides`): the words of its speaker, or the
    recording that it names. If a question has no sides, or none was planned, the stage runs once on the
    question.
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
        """Return the evidence for one side, in the scope that the side's plan prefers."""
        query = plan.queries[number]
        own = plan.sides[number] if number < len(plan.sides) else None
        if own is None:  # the planner returned only the queries
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
"""Words with which a question compares, and which speakers do not use about its subject."""
_LEADING = re.compile(r"^\W*(?:(?:from|on|about|regarding|in terms of|sur|à propos de)\b\W*)+", re.IGNORECASE)


def without_names(query: str, names: Iterable[str]) -> str:
    """Return a query without the names, or the whole query if nothing else is left."""
    rest = _LEADING.sub("", " ".join(_COMPARING.sub(" ", without(names, query)).split()))
    return rest if has_subject(rest) else query


def names_apart(plan: Plan) -> list[str]:
    """Return the names that distinguish the sides: those missing from at least one query."""
    queries = plan.queries
    return [name for name in plan.entities if not all(name_in(name, query) for query in queries)]


def name_in(name: str, query: str) -> bool:
    """Return whether a query contains all words of a name."""
    words = terms(name)
    return bool(words) and set(words) <= set(terms(query))


def voices_of(passage: Passage) -> tuple[str, ...]:
    """Return the speakers of a passage, its main speaker first."""
    names = (passage.speaker, *(name for _, name in passage.voices))
    return tuple(dict.fromkeys(name for name in names if name))


def _shared(moment: Moment, sides: Sequence[Sequence[Moment]]) -> Moment:
    """Return a moment with the marks of all sides that have one of its passages."""
    here = places([moment])
    marks: dict[str, float] = {}
    for other in chain(*sides):
        if here & places([other]):
            marks |= {name: score for name, score in other.scores.items() if name.startswith(SIDE)}
    return replace(moment, scores={**marks, **moment.scores})
