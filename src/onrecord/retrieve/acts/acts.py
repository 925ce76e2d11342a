"""What is done in speaking: decisions, tasks, promises, questions, risks, ..., for questions that ask for all
of a kind: "What was decided?"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby, zip_longest
from math import inf
from typing import ClassVar

import numpy as np

from onrecord.errors import SettingError
from onrecord.retrieve.acts.performed import ACTS, words_of
from onrecord.retrieve.acts.wanted import Wanted, substance
from onrecord.retrieve.sentences import Sentence, sentences
from onrecord.retrieve.spans import within_words
from onrecord.retrieve.stage import Stage, Tools
from onrecord.types import Evidence, Line, Moment, Passage

ACT = "act"
"""In `Moment.scores`: how surely what is asked for is done in it, in 0..1."""


@dataclass(frozen=True)
class Acts(Stage):
    """The passages in which what is asked for is done, at most so many `words`: what says most first, the
    recordings taking turns. Where nobody does it, what the stage `otherwise` finds.

    What is asked for is `act`, or what the plan of the question says; without a plan it is planned here. All
    passages in scope are read where there are at most `most`; of more, the best by words with which it is
    done.
    """

    otherwise: Stage
    words: int = 1500
    most: int = 600
    act: str = ""
    ranges: ClassVar = {"words": (1, inf), "most": (1, inf)}

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.act and self.act not in ACTS:
            raise SettingError("Acts.act", self.act, "one of " + ", ".join(ACTS))

    def check(self, tools: Tools) -> None:
        self.otherwise.check(tools)

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        evidence = self._planned(evidence, tools)
        wanted = Wanted.of(evidence)
        found = self._found(evidence, wanted, tools) if wanted else ()
        return evidence.with_moments(found) if found else self._instead(evidence, wanted, tools)

    def _instead(self, evidence: Evidence, wanted: Wanted | None, tools: Tools) -> Evidence:
        """What is found where nobody does it: of the people whose tasks are asked for, if they speak."""
        if wanted and wanted.people:
            theirs = replace(evidence.question.scope, speakers=wanted.people)
            narrowed = replace(evidence, question=replace(evidence.question, scope=theirs))
            found = self.otherwise(narrowed, tools)
            if found.moments:
                return replace(found, question=evidence.question)
        return self.otherwise(evidence, tools)

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        act = after.plan.act if after.plan else ""
        done = sum(ACT in moment.scores for moment in after.moments)
        return f"{act or 'no act'}: {done} passages" if done else f"{act or 'no act'}: nowhere"

    def _planned(self, evidence: Evidence, tools: Tools) -> Evidence:
        plan = evidence.plan
        if plan is None:
            from onrecord.retrieve.plan import plan as by_rules  # its patterns take a while to compile

            plan = (tools.planner or by_rules)(evidence.question, tools.store, tools.today())
            plan = replace(plan, strategy="acts")
        return replace(evidence, plan=replace(plan, act=self.act or plan.act))

    def _found(self, evidence: Evidence, wanted: Wanted, tools: Tools) -> tuple[Moment, ...]:
        line = tools.store.line(evidence.question.scope)
        passages = self._candidates(line, wanted, tools)
        said = list(_spoken(passages, tools))
        done: dict[int, tuple[float, float]] = {}
        for sentence, worth in zip(said, wanted.strengths(said, tools.store), strict=True):
            if worth:
                told = worth * (0.5 + 0.5 * substance(sentence.text))
                done[sentence.passage.row] = max((told, worth), done.get(sentence.passage.row, (0.0, 0.0)))
        moments = [Moment((p,), done[p.row][0], {ACT: done[p.row][1]}) for p in passages if p.row in done]
        return within_words(_in_turns(moments), self.words)

    def _candidates(self, line: Line, wanted: Wanted, tools: Tools) -> list[Passage]:
        """Passages in order of talk: all, or those that have most of the words with which it is done."""
        if len(line) <= self.most:
            return tools.store.passages(line.rows)
        languages = {recording.details.language for recording in tools.store.recordings()}
        scores = tools.store.keyword(list(words_of(wanted.act, languages)), line)
        best = np.argsort(-scores, kind="stable")[: self.most]
        return tools.store.passages(line.rows[np.sort(best[scores[best] > 0])])


def _spoken(passages: Sequence[Passage], tools: Tools) -> Iterator[Sentence]:
    for name, some in groupby(passages, key=lambda passage: passage.recording):
        recording = tools.store.recording(name)
        for passage in some:
            yield from sentences(passage, recording.details.language if recording else None)


def _in_turns(moments: Sequence[Moment]) -> list[Moment]:
    """The best of each recording, the second best of each, ..., each round best first."""
    each: dict[str, list[Moment]] = {}
    for moment in sorted(moments, key=lambda m: -m.score):
        each.setdefault(moment.recording, []).append(moment)
    rounds = zip_longest(*each.values())
    return list(chain.from_iterable(sorted(filter(None, some), key=lambda m: -m.score) for some in rounds))
