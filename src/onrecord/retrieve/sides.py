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
from onrecord.retrieve.spans import interleaved
from onrecord.retrieve.stage import Stage, Tools, asking
from onrecord.stores.words import STOP, fold
from onrecord.types import Evidence, Moment, Plan, Scope, Step

SIDE = "side "
"""In `Moment.scores`, "side 0", "side 1", ...: what a moment was worth to the query of that number in
`Plan.queries`."""


@dataclass(frozen=True)
class Sides(Stage):
    """Runs `stage` for each query of the plan, takes the best `each` of every one, and interleaves them:
    the best of each side, the second of each, ...; no passage twice.

    Without a plan the sides are read from the question ("compare A and B on C", "A versus B"); where it
    names none, the stage runs once as it is. A side that names one speaker in scope, and no other, is
    searched for in what that speaker says, and everywhere where that gives nothing.
    """

    stage: Stage
    each: int = 5
    ranges: ClassVar = {"each": (1, inf)}

    def check(self, tools: Tools) -> None:
        self.stage.check(tools)

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        queries = queries_of(evidence)
        if len(queries) < 2:
            return self.stage(evidence, tools)
        found = [self._side(evidence, query, tools) for query in queries]
        sides = [_marked(side.moments[: self.each], number) for number, side in enumerate(found)]
        trail: tuple[Step, ...] = tuple(chain(evidence.trail, *(side.trail for side in found)))
        plan = evidence.plan or Plan(evidence.question.text, "comparison", strategy="comparison")
        return replace(
            evidence,
            moments=interleaved(sides),
            curve=highest([side.curve for side in found], tools.store.line(evidence.question.scope)),
            trail=trail,
            plan=replace(plan, queries=tuple(queries)),
        )

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        queries = queries_of(after)
        shares = [sum(f"{SIDE}{n}" in m.scores for m in after.moments) for n in range(len(queries))]
        parts = [f"{query}: {share}" for query, share in zip(queries, shares, strict=True)]
        return "; ".join(parts) if len(parts) > 1 else "the question has no sides"

    def _side(self, evidence: Evidence, query: str, tools: Tools) -> Evidence:
        asked = asking(evidence, query)
        speaker = speaker_in(query, evidence.question.scope, tools)
        if speaker is None:
            return self.stage(asked, tools)
        scope = replace(evidence.question.scope, speakers=(speaker,))
        theirs = self.stage(replace(asked, question=replace(asked.question, scope=scope)), tools)
        return theirs if theirs.moments else self.stage(replace(asked, trail=theirs.trail), tools)


def _marked(moments: tuple[Moment, ...], number: int) -> list[Moment]:
    return [replace(m, scores={**m.scores, f"{SIDE}{number}": m.score}) for m in moments]


_AND = r"(?:and|with|to|versus|vs\.?|against|from|et|avec|contre|à)"
_ABOUT = (
    r"(?P<rest>(?: (?:on|about|regarding|in terms of|when it comes to|sur|à propos de|en matière de) .+)?)"
)
_COMPARED = (
    rf"(?:compare|contrast|comparez?) (?P<one>.+?) {_AND} (?P<other>.+?){_ABOUT}",
    r"(?:.*? )?(?:difference|differences|différence|différences) (?:between|entre) "
    rf"(?P<one>.+?) (?:and|et) (?P<other>.+?){_ABOUT}",
    rf"(?:(?:how|what|where) (?:do|does|did|is|are) )?(?P<one>.+?) (?:versus|vs\.?) (?P<other>.+?){_ABOUT}",
    rf"how (?:do|does|did|is|are) (?P<one>.+?) (?:and|different from) (?P<other>.+?) "
    rf"(?:differ|compare|disagree)?{_ABOUT}",
)
_PATTERNS = [re.compile(pattern, re.IGNORECASE) for pattern in _COMPARED]


def queries_of(evidence: Evidence) -> list[str]:
    """What to ask for, one by one: the queries of the plan, else the sides of a comparison that the question
    spells out, each with what they are compared in; empty where there are not two."""
    if evidence.plan is not None and len(evidence.plan.queries) > 1:
        return list(evidence.plan.queries)
    text = " ".join(evidence.question.text.split()).strip(" ?.!")
    for pattern in _PATTERNS:
        if match := pattern.fullmatch(text):
            return [" ".join((match[side] + match["rest"]).split()) for side in ("one", "other")]
    return []


def speaker_in(text: str, scope: Scope, tools: Tools) -> str | None:
    """The one speaker in scope whose whole name, or a name of whose, stands in a text; None where there is
    none, or more than one."""
    if scope.speakers:
        return None
    words = set(re.findall(r"\w+", fold(text)))
    names = {name for recording in tools.store.recordings(scope) for name in recording.speakers}
    named = [name for name in names if _named(name, words)]
    whole = [name for name in named if words.issuperset(re.findall(r"\w+", fold(name)))]
    found = whole or named
    return found[0] if len(found) == 1 else None


def _named(name: str, words: set[str]) -> bool:
    parts = re.findall(r"[^\W\d_]+", fold(name))
    return any(len(part) > 2 and part in words and part not in STOP for part in parts)
