"""One search for each side of a comparison, with equal shares.

A single search for "what do Ann and Bob think of tariffs" shows whoever says the word more often; each side
is asked for by itself, and what was found is laid side by side.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import chain
from math import inf
from typing import ClassVar

from onrecord.retrieve.curves import highest
from onrecord.retrieve.plan.planner import plan
from onrecord.retrieve.spans import interleaved
from onrecord.retrieve.stage import Stage, Tools, asking
from onrecord.stores.words import STOP, terms
from onrecord.types import Evidence, Moment, Plan, Question, Scope, Step

SIDE = "side "
"""In `Moment.scores`, "side 0", "side 1", ...: what a moment was worth to the query of that number in
`Plan.queries`."""


@dataclass(frozen=True)
class Sides(Stage):
    """Runs `stage` for each query of the plan, takes the best `each` of every one, and interleaves them:
    the best of each side, the second of each, ...; no passage twice.

    Without a plan the question is planned here. A side is searched for where it says: in what its speaker
    says, in the recording it names; and everywhere in scope where that gives nothing. Where a question has
    no sides, the stage runs once as it is.
    """

    stage: Stage
    each: int = 5
    ranges: ClassVar = {"each": (1, inf)}

    def check(self, tools: Tools) -> None:
        self.stage.check(tools)

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        known = evidence.plan or plan(evidence.question, tools.store, tools.today())
        if len(known.queries) < 2:
            return self.stage(evidence, tools)
        found = [self._side(evidence, known, query, tools) for query in known.queries]
        sides = [_marked(side.moments[: self.each], number) for number, side in enumerate(found)]
        trail: tuple[Step, ...] = tuple(chain(evidence.trail, *(side.trail for side in found)))
        return replace(
            evidence,
            moments=interleaved(sides),
            curve=highest([side.curve for side in found], tools.store.line(evidence.question.scope)),
            trail=trail,
            plan=evidence.plan or replace(known, strategy="comparison"),
        )

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        queries = after.plan.queries if after.plan else ()
        shares = [sum(f"{SIDE}{n}" in m.scores for m in after.moments) for n in range(len(queries))]
        parts = [f"{query}: {share}" for query, share in zip(queries, shares, strict=True)]
        return "; ".join(parts) if len(parts) > 1 else "the question has no sides"

    def _side(self, evidence: Evidence, known: Plan, query: str, tools: Tools) -> Evidence:
        text, scope = _narrowed(evidence.question.scope, known, query, tools)
        asked = asking(evidence, text)
        theirs = self.stage(replace(asked, question=replace(asked.question, scope=scope)), tools)
        if theirs.moments or scope == evidence.question.scope:
            return theirs
        return self.stage(replace(asked, trail=theirs.trail), tools)


def _narrowed(scope: Scope, known: Plan, query: str, tools: Tools) -> tuple[str, Scope]:
    """What to search for on one side, and where: the scope without those filters that were read from the
    whole question, which names all sides, and with those that this side names."""
    read = {found.field for found in known.filters}
    speakers = () if "speaker" in read else scope.speakers
    recordings = () if "recording" in read else scope.recordings
    free = replace(scope, speakers=speakers, recordings=recordings)
    side = plan(Question(query, free), tools.store, tools.today())
    titled = side.scope.recordings or side.scope.speakers or _titled(query, scope, tools)
    if titled and not (side.scope.recordings or side.scope.speakers):
        return side.text, replace(side.scope, recordings=titled)
    return side.text, side.scope if titled else scope


def _titled(query: str, scope: Scope, tools: Tools) -> tuple[str, ...]:
    """The recordings of whose titles a name in the query is part: at most a third of those in scope."""
    recordings = tools.store.recordings(scope)
    names = {term for word in re.findall(r"[A-ZÀ-Þ0-9]\w+", query) for term in terms(word)} - STOP
    found = [{r.id for r in recordings if name in terms(r.title)} for name in sorted(names)]
    few = [ids for ids in found if 0 < len(ids) <= len(recordings) / 3]
    both = set.intersection(*few) if few else set()
    return tuple(r.id for r in recordings if r.id in (both or set().union(*few)))


def _marked(moments: tuple[Moment, ...], number: int) -> list[Moment]:
    return [replace(m, scores={**m.scores, f"{SIDE}{number}": m.score}) for m in moments]
