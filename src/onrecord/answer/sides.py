"""The sides of a comparison, each with what was found for it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from onrecord.answer.confidence import FEW
from onrecord.retrieve.loops.sides import SIDE, name_in, names_apart, voices_of, without_names
from onrecord.retrieve.wording import Wording, subject, wording
from onrecord.stores.base import Reader
from onrecord.types import Citation, Evidence, Filter, Passage, PassageTimeline, Plan
from onrecord.understand.lexicon import Messages


@dataclass(frozen=True, slots=True)
class Side:
    """`label` is what stands above it: the name that is compared, or the question; `evidence` is what was
    found for what is asked of it, without that name, and `words` are those of that question; `people` are
    those who speak for it, where it is of people."""

    label: str
    evidence: Evidence
    words: Wording
    people: tuple[str, ...] = ()

    @property
    def own(self) -> Evidence:
        """The evidence without passages in which none of its people speaks, where it is of people: what
        somebody else says of the matter does not tell that they do."""
        kept = [(m, [p for p in m.passages if self._speaks_in(p)]) for m in self.evidence.moments]
        moments = (replace(moment, passages=tuple(passages)) for moment, passages in kept if passages)
        return self.evidence.with_moments(tuple(moments))

    def _speaks_in(self, passage: Passage) -> bool:
        return not self.people or not set(self.people).isdisjoint(voices_of(passage))

    @property
    def rows(self) -> frozenset[int]:
        """Of the passages that were found for it."""
        return frozenset(p.row for moment in self.evidence.moments for p in moment.passages)


def sides_of(evidence: Evidence, timeline: PassageTimeline, store: Reader) -> list[Side]:
    """The sides, in the order in which the question names them; none where nothing was found for any. Their
    words are weighed on the line of the whole question."""
    if evidence.plan is None:
        return []
    numbers = range(len(evidence.plan.queries))
    sides = [_side(number, evidence, evidence.plan, timeline, store) for number in numbers]
    return sides if any(side.evidence.moments for side in sides) else []


def _side(number: int, evidence: Evidence, plan: Plan, timeline: PassageTimeline, store: Reader) -> Side:
    query = plan.queries[number]
    people = [kept.value for kept in plan.filters if kept.field == "speaker" and name_in(kept.said, query)]
    names = people or [name for name in names_apart(plan) if name_in(name, query)]
    moments = tuple(m for m in evidence.moments if f"{SIDE}{number}" in m.scores)
    voices = dict.fromkeys(name for m in moments for p in m.passages for name in voices_of(p))
    one = tuple(name for name in voices if name in people or name_in(name, query))
    apart = [kept.said for kept in plan.filters if _tells_apart(kept, query, plan)]
    question = replace(
        evidence.question,
        text=_of_them(query, [*names_apart(plan), *apart]),
        scope=replace(evidence.question.scope, speakers=one or evidence.question.scope.speakers),
    )
    names = names or [_named(kept) for kept in plan.filters if _tells_apart(kept, query, plan)]
    label = names[0] if len(names) == 1 else subject(query)
    words = wording(subject(question.text), timeline, store, FEW)
    return Side(label, replace(evidence, question=question, moments=moments, curve=None), words, one)


_OF_NOBODY = re.compile(
    r"^(\W*(?:what|how|when) (?:did|do|does|would)) |^(\W*que (?:disent|pensent)) ", re.IGNORECASE
)


def _of_them(query: str, names: Sequence[str]) -> str:
    """What a query asks of those it names: of "what did Ann say about salt", what is said about salt."""
    bare = without_names(query, names)
    whole = _OF_NOBODY.sub(lambda found: f"{found[1]} they " if found[1] else f"{found[2]}-ils ", bare)
    return whole if bare != query and subject(whole) != subject(bare) else bare


def _tells_apart(kept: Filter, query: str, plan: Plan) -> bool:
    """Whether a filter is of one side: its words stand in the query of that side, and not in all."""
    return name_in(kept.said, query) and not all(name_in(kept.said, other) for other in plan.queries)


def _named(kept: Filter) -> str:
    """What a filter is of, as a name: recordings by the question's words, everything else by its value."""
    return kept.said if kept.field == "recording" else kept.value


def of_whom(passage: Passage, speaker: str | None, sides: Sequence[Side]) -> tuple[int, ...]:
    """The numbers of the sides that a passage was found for; that of the speaker alone, where it is one."""
    found = [number for number, side in enumerate(sides) if passage.row in side.rows]
    own = tuple(number for number in found if sides[number].label == speaker)
    return own or tuple(found)


def labels_of(citations: Sequence[Citation], sides: Sequence[Side]) -> dict[int, str]:
    """The side of each citation, or the sides, by its number."""
    return {
        c.number: ", ".join(dict.fromkeys(sides[n].label for n in of_whom(c.passage, c.speaker, sides)))
        for c in citations
    }


def nothing_on(sides: Sequence[Side], met: Sequence[Side], said: Messages) -> Iterator[str]:
    """A line for each side that has no answer, where another has one."""
    answered = {side.label for side in met}
    for side in sides:
        if met and side.label not in answered:
            yield said.introduced(side.label, said.say("nothing_on_side"))
