"""What is done in speaking: decisions, tasks, promises, questions, risks, ..., for questions that ask for all
of a kind: "What was decided?"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, zip_longest
from math import inf
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from onrecord.errors import SettingError
from onrecord.retrieve.acts.performed import ACTS
from onrecord.retrieve.acts.wanted import Wanted, substance
from onrecord.retrieve.sentences import Sentence, sentences
from onrecord.retrieve.spans import within_words
from onrecord.retrieve.stage import Stage, Tools
from onrecord.types import Evidence, Line, Moment, Passage, Recording

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from onrecord.types import Rows, Scores

    Places = NDArray[np.intp]

ACT = "act"
"""In `Moment.scores`: how surely what is asked for is done in it, in 0..1."""
_EACH = 2
"""So many passages of each recording are looked for before no more recordings are read."""
_STRETCH = 50
"""So many passages of a recording are read in one go, where all are few enough to be read."""
_LEAST_READ = 12
"""So many passages of a recording are read at least, where all are too many."""


@dataclass(frozen=True)
class Acts(Stage):
    """The passages in which what is asked for is done, at most so many `words`: the recordings taking turns,
    the newest first, each with what says most. Where nobody does it, what the stage `otherwise` finds.

    What is asked for is `act`, or what the plan of the question says; without a plan it is planned here. All
    passages in scope are read where there are at most `most`, until there is enough of each recording. Of
    more, those of each recording that have most of the words with which it is done, until enough is found; a
    note says where there is more.
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
        wanted = Wanted.of(evidence, tools.store)
        found = self._found(evidence, wanted, tools) if wanted else evidence
        found = found if found.moments else self._instead(evidence, wanted, tools)
        return _remarked(found, wanted) if wanted else found

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

    def _found(self, evidence: Evidence, wanted: Wanted, tools: Tools) -> Evidence:
        """The evidence with the passages in which it is done; where more recordings have it, or words for
        it that were not read, than are shown, a note of the plan says so."""
        scope = evidence.question.scope
        line, recordings = tools.store.line(scope), tools.store.recordings(scope)
        languages = {recording.details.language for recording in recordings}
        scores = tools.store.keyword(list(wanted.words(languages)), line)
        if len(line) <= self.most:
            order = _newest_first(line, recordings, np.arange(len(line)), scores)
            found = [self._of_one(line, places, scores, wanted, tools) for places in order]
            having = sum(map(bool, found))
        else:
            order = _newest_first(line, recordings, np.flatnonzero(scores > 0), scores)
            found = self._of_many(line, order, scores, wanted, tools)
            having = sum(map(bool, found)) + max(0, len(order) - len(found))
        in_turns = [moment for some in zip_longest(*found) for moment in some if moment]
        return _noted(evidence.with_moments(within_words(in_turns, self.words)), having)

    def _of_one(
        self, line: Line, places: Places, scores: Scores, wanted: Wanted, tools: Tools
    ) -> list[Moment]:
        """Where it is done at some places of a line, what says most first: stretch after stretch, the one
        that has most words for it first, until there is as much as is shown of all recordings."""
        stretches = np.split(places, range(_STRETCH, len(places), _STRETCH))
        found: list[Moment] = []
        for stretch in sorted(stretches, key=lambda stretch: -float(scores[stretch].sum())):
            found += _done(line.rows[stretch], wanted, tools)
            if sum(moment.words for moment in found) >= self.words:
                break
        return sorted(found, key=lambda moment: -moment.score)

    def _of_many(
        self, line: Line, order: Sequence[Places], scores: Scores, wanted: Wanted, tools: Tools
    ) -> list[list[Moment]]:
        """The same, of each recording in those of its places that score best, until there is enough, or a
        third of what may be read is. Where it is nowhere in half of that, as many others that score best."""
        left, room = max(1, self.most // 3), self.words
        half, each = max(1, left // 2), max(_LEAST_READ, left // max(1, len(order)))
        found: list[list[Moment]] = []
        unread = scores.copy()
        for places in order:
            if left <= 0 or room <= 0 or (left <= half and not any(found)):
                break
            best = _best(scores, places, min(each, left))
            found.append(_done(line.rows[best], wanted, tools))
            unread[best] = 0
            left -= len(best) + wanted.beside(line.names[line.recordings[best[0]]], tools.store)
            room -= sum(moment.words for moment in found[-1][:_EACH])
        if any(found):
            return found
        rest = _best(unread, np.flatnonzero(unread > 0), half)
        return [_done(line.rows[rest], wanted, tools)]


def _best(scores: Scores, places: Places, most: int) -> Places:
    """Of some places of a line those that score best, in order of talk."""
    if len(places) > most:  # of very many only those that may be among them are sorted
        least = np.partition(scores[places], -most)[-most]
        places = places[scores[places] >= least]
    return np.sort(places[np.argsort(-scores[places], kind="stable")[:most]])


def _remarked(evidence: Evidence, wanted: Wanted) -> Evidence:
    """Evidence that tells of whom a question asks whom no recording tells."""
    plan = evidence.plan
    if plan is None or not wanted.untold:
        return evidence
    from onrecord.retrieve.plan.notes import notes_in  # after its planner, whose patterns take a while

    told = notes_in(plan.language).untold(wanted.untold)
    return replace(evidence, plan=replace(plan, notes=(*plan.notes, told)))


def _noted(evidence: Evidence, having: int) -> Evidence:
    """Evidence that tells in how many recordings words for it are said, where its moments are of fewer."""
    plan = evidence.plan
    if plan is None or not evidence.moments or having <= len({m.recording for m in evidence.moments}):
        return evidence
    from onrecord.retrieve.plan.notes import notes_in  # after its planner, whose patterns take a while

    return replace(evidence, plan=replace(plan, notes=(*plan.notes, notes_in(plan.language).others(having))))


def _newest_first(
    line: Line, recordings: Sequence[Recording], places: Places, scores: Scores
) -> list[Places]:
    """Places of a line, rising, by recording: those of the newest first, then those of recordings without a
    date, the one that scores most first."""
    numbers = line.recordings[places]
    told = np.bincount(numbers, scores[places], len(line.names)).tolist()
    ends = np.searchsorted(numbers, np.arange(len(line.names) + 1)).tolist()
    number = {name: number for number, name in enumerate(line.names)}
    newest = [number[recording.id] for recording in reversed(recordings) if recording.details.date]
    undated = [number[recording.id] for recording in recordings if not recording.details.date]
    order = newest + sorted(undated, key=lambda number: -told[number])
    return [places[ends[n] : ends[n + 1]] for n in order if ends[n] < ends[n + 1]]


def _done(rows: Rows, wanted: Wanted, tools: Tools) -> list[Moment]:
    """Those of some passages in which it is done, what says most first."""
    passages = tools.store.passages(rows)
    said = list(_spoken(passages, wanted, tools))
    done: dict[int, tuple[float, float]] = {}
    for sentence, worth in zip(said, wanted.strengths(said, tools.store), strict=True):
        if worth:
            told = worth * (0.5 + 0.5 * substance(sentence.text))
            done[sentence.passage.row] = max((told, worth), done.get(sentence.passage.row, (0.0, 0.0)))
    moments = [Moment((p,), done[p.row][0], {ACT: done[p.row][1]}) for p in passages if p.row in done]
    return sorted(moments, key=lambda moment: -moment.score)


def _spoken(passages: Sequence[Passage], wanted: Wanted, tools: Tools) -> Iterator[Sentence]:
    """The sentences of those passages in which it may be done; of any other no word, by who spoke last."""
    for name, some in groupby(passages, key=lambda passage: passage.recording):
        recording = tools.store.recording(name)
        language = recording.details.language if recording else None
        for passage in some:
            if wanted.possible_in(passage, language, tools.store):
                yield from sentences(passage, language)
            else:
                yield Sentence(passage, len(passage.text), len(passage.text))
