"""One search for each side of a comparison, with equal shares.

A single search for "what do Ann and Bob think of tariffs" shows whoever says the word more often; each side
is asked for by itself, and what was found is laid side by side.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from math import inf
from typing import ClassVar

from onrecord.retrieve.curves import highest
from onrecord.retrieve.question import subject
from onrecord.retrieve.spans import interleaved, places
from onrecord.retrieve.stage import Stage, Tools, asking
from onrecord.stores.words import STOP, terms
from onrecord.types import Evidence, Moment, Passage, Plan, Question, Scope, Step

SIDE = "side "
"""In `Moment.scores`, "side 0", "side 1", ...: what a moment was worth to the query of that number in
`Plan.queries`."""


@dataclass(frozen=True)
class Sides(Stage):
    """Runs `stage` for each query of the plan, takes the best `each` of every one, and interleaves them:
    the best of each side, the second of each, ...; no passage twice, but marked for every side that found it.

    Without a plan the question is planned here. A side is searched for where it says: in what its speaker
    says, in the recording it names; what somebody else says is not shown for it. Where a question has no
    sides, the stage runs once as it is.
    """

    stage: Stage
    each: int = 5
    ranges: ClassVar = {"each": (1, inf)}

    def check(self, tools: Tools) -> None:
        self.stage.check(tools)

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        known = evidence.plan or _planned(evidence.question, tools)
        if len(known.queries) < 2:
            known = replace(known, queries=_by_names(known))
        if len(known.queries) < 2:
            return self.stage(evidence, tools)
        found = [self._side(evidence, known, query, tools) for query in known.queries]
        sides = [_marked(side.moments[: self.each], number) for number, side in enumerate(found)]
        trail: tuple[Step, ...] = tuple(chain(evidence.trail, *(side.trail for side in found)))
        return replace(
            evidence,
            moments=tuple(_shared(moment, sides) for moment in interleaved(sides)),
            curve=highest([side.curve for side in found], tools.store.line(evidence.question.scope)),
            trail=trail,
            plan=known if evidence.plan else replace(known, strategy="comparison"),
        )

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        queries = after.plan.queries if after.plan else ()
        shares = [sum(f"{SIDE}{n}" in m.scores for m in after.moments) for n in range(len(queries))]
        parts = [f"{query}: {share}" for query, share in zip(queries, shares, strict=True)]
        return "; ".join(parts) if len(parts) > 1 else "the question has no sides"

    def _side(self, evidence: Evidence, known: Plan, query: str, tools: Tools) -> Evidence:
        text, scope = _narrowed(evidence.question.scope, known, query, tools)
        asked = asking(evidence, text)
        return self.stage(replace(asked, question=replace(asked.question, scope=scope)), tools)


def _planned(question: Question, tools: Tools) -> Plan:
    from onrecord.retrieve.plan.planner import plan  # its patterns take a while to compile

    return plan(question, tools.store, tools.today())


def _narrowed(scope: Scope, known: Plan, query: str, tools: Tools) -> tuple[str, Scope]:
    """What to search for on one side, and where: the scope without those filters that were read from the
    whole question, which names all sides, and with those that this side names."""
    read = {found.field for found in known.filters}
    speakers = () if "speaker" in read else scope.speakers
    recordings = () if "recording" in read else scope.recordings
    free = replace(scope, speakers=speakers, recordings=recordings)
    side = _planned(Question(query, free), tools)
    named = {found.field for found in side.filters} - {"since", "until", "language", "section"}
    if named or side.scope.recordings or side.scope.speakers:
        return without_names(side.text, names_apart(known)), side.scope
    titled = _titled(query, free, tools)
    if titled:
        return without_names(side.text, names_apart(known)), replace(side.scope, recordings=titled)
    return side.text, scope


_COMPARING = re.compile(
    r"^(?:how|in what way) (?:do|does|did|are|is|was|were)\b|\b(?:differ|compare[sd]?|disagree|different)\b|"
    r"\b(?:the )?differences? between\b",
    re.IGNORECASE,
)
_LEADING = re.compile(r"^\W*(?:(?:from|on|about|regarding|in terms of|sur|à propos de)\b\W*)+", re.IGNORECASE)


def without_names(query: str, names: Iterable[str]) -> str:
    """What a query asks of those it names; all of it where that is nothing."""
    rest = query
    for name in sorted(names, key=len, reverse=True):
        rest = re.sub(rf"\b{re.escape(name)}\b('s)?", " ", rest, flags=re.IGNORECASE)
    rest = _LEADING.sub("", " ".join(_COMPARING.sub(" ", rest).split()))
    return rest if set(terms(subject(rest))) - STOP else query


def names_apart(known: Plan) -> list[str]:
    """The names by which sides are told apart: not those of what all of them are asked about."""
    queries = known.queries
    return [name for name in known.entities if not all(name_in(name, query) for query in queries)]


def name_in(name: str, query: str) -> bool:
    """Whether a query has a whole name."""
    words = terms(name)
    return bool(words) and set(words) <= set(terms(query))


def voices_of(passage: Passage) -> tuple[str, ...]:
    """Who speaks in a passage, its main speaker first."""
    names = (passage.speaker, *(name for _, name in passage.voices))
    return tuple(dict.fromkeys(name for name in names if name))


def _by_names(known: Plan) -> tuple[str, ...]:
    """A query for each name where a question sets several beside one another: "how do Ann and Bob differ"."""
    places = [(found.start(), found.end()) for name in known.entities if (found := _find(name, known.text))]
    places.sort()
    for (_, end), (begin, _) in pairwise(places):
        if not _BESIDE.fullmatch(known.text[end:begin]):
            return ()
    if len(places) < 2:
        return ()
    before, after = known.text[: places[0][0]], known.text[places[-1][1] :]
    return tuple(before + known.text[begin:end] + after for begin, end in places)


_BESIDE = re.compile(r"(?:,|and|or|vs\.?|versus|with|to|et|ou|avec|contre|\s)++")


def _find(name: str, text: str) -> re.Match[str] | None:
    return re.search(rf"\b{re.escape(name)}\b", text, re.IGNORECASE)


def _titled(query: str, scope: Scope, tools: Tools) -> tuple[str, ...]:
    """The recordings of whose titles a name in the query is part: at most a third of those in scope."""
    recordings = tools.store.recordings(scope)
    names = {term for word in re.findall(r"[A-ZÀ-Þ0-9][\w.-]+", query) for term in terms(word)} - STOP
    found = [{r.id for r in recordings if name in terms(r.title)} for name in sorted(names)]
    few = [ids for ids in found if 0 < len(ids) <= max(1, len(recordings) / 3)]
    both = set.intersection(*few) if few else set()
    return tuple(r.id for r in recordings if r.id in (both or set().union(*few)))


def _shared(moment: Moment, sides: Sequence[Sequence[Moment]]) -> Moment:
    """A moment with the marks of all sides that found one of its passages: where the old gate is spoken of,
    the new one is too."""
    here = places([moment])
    marks: dict[str, float] = {}
    for found in chain(*sides):
        if here & places([found]):
            marks |= {name: score for name, score in found.scores.items() if name.startswith(SIDE)}
    return replace(moment, scores={**marks, **moment.scores})


def _marked(moments: tuple[Moment, ...], number: int) -> list[Moment]:
    return [replace(m, scores={**m.scores, f"{SIDE}{number}": m.score}) for m in moments]
