"""A stage for dialogue acts: passages in which a speaker decides, promises, asks, warns, and so on.

"What was decided?" has no subject to search for. So the trained reader reads the likeliest passages in scope
with a question for the act (``data/act_questions.yaml``), on which it was trained. The evidence is the
passages that perform the act, the newest recordings first. Without a reader, and in languages that it does
not read, sentences are compared with examples of the act (`onrecord.understand.intents`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice, zip_longest
from math import inf
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from onrecord.retrieve.curve.prefer import matching, preferred_timeline
from onrecord.retrieve.moments.moments import within_words
from onrecord.retrieve.read import sentences_of
from onrecord.retrieve.read_acts import (
    ActReading,
    act_questions,
    direction_of,
    in_readers_language,
    read_for,
)
from onrecord.retrieve.sentences import Sentence
from onrecord.retrieve.stage import Stage, Tools, remarked
from onrecord.stores.base import Snapshot
from onrecord.stores.ranking import top
from onrecord.stores.scope import names_speaker
from onrecord.stores.words import STOP, terms
from onrecord.types import Evidence, Moment, PassageTimeline, Plan
from onrecord.understand.intents import strength

if TYPE_CHECKING:
    from onrecord.types import Rows


LIKELY = 0.3
"""The least probability by the reader with which a sentence counts as performing an act.

Quotes from .25 on were right less often (.44 of 853, compared with .49 of 702, in recordings outside the
training data).
"""
_ALIKE, _BESIDE = 0.9, 0.5
"""Thresholds for sentences that resemble an example of the act.

A sentence with at least the first similarity counts whatever the reader says; its score is then multiplied by
the second.
"""
ACT = "act"
"""The key in `Moment.scores` for the strength with which the act is performed."""
_SHORT = 6
"""Number of different content words below which a sentence counts for less."""
_ALONE, _LEAD, _TOGETHER = 3, 6, 20
"""Most words of a sentence that is scored with those before it, how many these are, and most words of all."""
_TELLING = 0.55
"""The least strength of sentences together. In 107 recordings it adds two wrong sentences; .45 adds eight."""
_OWN = re.compile(
    r"\b(?:i(?:'ll| will| shall| can|'m| am)|je|leave (?:it|that) (?:to|with) me)\b", re.IGNORECASE
)
"""Words with which speakers take on a task."""
_MUTE = frozenset(("operator", "moderator"))


@dataclass(frozen=True)
class Acts(Stage):
    """A stage that returns the passages that perform the plan's act, at most `words` words.

    The reader reads at most `read` passages, the likeliest by their vectors; at most `most` are compared with
    examples. If no passage performs the act, or the plan has no act, `otherwise` runs. The stage sets the
    score "act".
    """

    otherwise: Stage
    words: int = 1500
    most: int = 600
    read: int = 48
    act: str = ""
    prefers: ClassVar = True
    ranges: ClassVar = {"words": (1, inf), "most": (1, inf), "read": (1, inf)}

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        if evidence.plan is not None and self.act:
            evidence = replace(evidence, plan=replace(evidence.plan, act=self.act))
        if evidence.plan is None or not evidence.plan.act:
            return self.otherwise(evidence, tools)
        timeline, scope = preferred_timeline(evidence, tools.store)
        narrowed = replace(evidence, question=replace(evidence.question, scope=scope))
        for matcher in ActMatcher.of(evidence.plan, tools).and_by_examples():
            rows = self._rows(timeline, matcher, tools)
            rankings, problem = _performing(rows, matcher, tools.store)
            if problem:
                narrowed = remarked(narrowed, "Acts", problem, cut=True)
            in_turns = [moment for turn in zip_longest(*rankings) for moment in turn if moment]
            if moments := within_words(in_turns, self.words):
                return narrowed.with_moments(moments)
        return self.otherwise(narrowed, tools)

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        act = after.plan.act if after.plan else ""
        done = sum(ACT in moment.scores for moment in after.moments)
        return f"{act or 'no act'}: {done} passages" if done else f"{act or 'no act'}: nowhere"

    def _rows(self, timeline: PassageTimeline, matcher: ActMatcher, tools: Tools) -> list[Rows]:
        """Return the rows of each recording to read or compare with examples, the newest recordings first."""
        recordings = {recording.id: recording for recording in tools.store.recordings()}
        names = (
            in_readers_language(recordings[name] for name in timeline.names) if matcher.reads else frozenset()
        )
        read = np.array([name in names for name in timeline.names], bool)[timeline.recordings]
        direction = direction_of(matcher.act, tools.embedder) if read.sum() > self.read else None
        if direction is not None:
            promise = np.where(read, tools.store.dense(direction, timeline), -inf).astype(np.float32)
            likely = np.zeros(len(timeline), bool)
            likely[top(promise, self.read)] = True
            timeline = matching(timeline, likely | ~read)
        dates = [recordings[name].details.date or "" for name in timeline.names]
        room, rows_by_recording = {True: self.read, False: self.most}, []
        for number in sorted(range(len(dates)), key=dates.__getitem__, reverse=True):
            is_read = timeline.names[number] in names
            if left := room[is_read]:
                rows = timeline.rows[timeline.recordings == number][-left:]
                rows_by_recording.append(rows)
                room[is_read] -= len(rows)
        return rows_by_recording


def _performing(
    rows_by_recording: Sequence[Rows], matcher: ActMatcher, store: Snapshot
) -> tuple[list[list[Moment]], str]:
    """Return the passages of each recording that perform an act, the most substantial first.

    The text beside them says why not all passages were read; it is empty if they were.
    """
    passages = [store.passages(rows) for rows in rows_by_recording]
    spoken = {passage.row: sentences_of(passage, store) for passage in chain(*passages)}
    sentences = list(chain(*spoken.values()))
    reading = matcher.read(sentences)
    all_strengths = iter(matcher.strengths(sentences, reading))
    rankings = []
    for of_recording in passages:
        moments = []
        for passage in of_recording:
            strengths = list(islice(all_strengths, len(spoken[passage.row])))
            worth = [w * substance(s.text) for w, s in zip(strengths, spoken[passage.row], strict=True)]
            if best := max(worth, default=0.0):
                moments.append(Moment((passage,), best, {ACT: max(strengths)}))
        rankings.append(sorted(moments, key=lambda moment: -moment.score))
    return rankings, reading.problem


@dataclass(frozen=True, slots=True)
class ActMatcher:
    """A matcher of sentences that perform an act; for tasks, only those of `people`, if any are named."""

    act: str
    tools: Tools
    people: tuple[str, ...] = ()

    @classmethod
    def of(cls, plan: Plan, tools: Tools) -> ActMatcher:
        """Return the matcher for the act that a plan asks for."""
        return cls(plan.act, tools, plan.entities if plan.act == "task" else ())

    def and_by_examples(self) -> tuple[ActMatcher, ...]:
        """Return this matcher, and as a fallback one that only compares with examples."""
        return (self, replace(self, tools=replace(self.tools, reader=None))) if self.reads else (self,)

    @property
    def reads(self) -> bool:
        """Whether it uses the reader: the tools have one, and it was trained on the act."""
        return self.tools.reader is not None and self.act in act_questions()

    def read(self, sentences: Sequence[Sentence]) -> ActReading:
        """Read the passages of the sentences, as far as there is a reader and time."""
        return read_for(self.act, sentences, self.tools)

    def strengths(self, sentences: Sequence[Sentence], reading: ActReading) -> list[float]:
        """Return the strength with which each sentence performs the act, in 0..1."""
        chances = reading.chances
        read = {row for row, _ in chances}
        strengths = []
        for at, sentence in enumerate(sentences):
            text, speaker = sentence.text, sentence.speaker
            is_mute = (speaker or "").lower().strip() in _MUTE
            if is_mute or (self.people and not any(owes(name, text, speaker) for name in self.people)):
                strengths.append(0.0)
                continue
            likely = strength(text, self.act) or self._strength_in_turn(sentences, at)
            if sentence.passage.row in read:
                alike = _BESIDE * likely if likely >= _ALIKE else 0.0
                chance = chances.get((sentence.passage.row, sentence.begin), 0.0)
                likely = max(chance, alike) if chance >= LIKELY else alike
            strengths.append(likely)
        return strengths

    def _strength_in_turn(self, sentences: Sequence[Sentence], at: int) -> float:
        """Return the strength of a sentence too short to tell, together with those before it in its turn.

        "Carried." says little without "All in favour? Five. Against? Two.".
        """
        last, words, together = sentences[at], sentences[at].words, sentences[at].text
        if words > _ALONE or last.text.rstrip().endswith("?"):
            return 0.0
        for before in reversed(sentences[max(0, at - _LEAD) : at]):
            words += before.words
            if (before.passage.row, before.speaker) != (last.passage.row, last.speaker) or words > _TOGETHER:
                return 0.0
            together = f"{before.text} {together}"
            if (likely := strength(together, self.act)) >= _TELLING:
                return likely
        return 0.0


def owes(name: str, text: str, speaker: str | None) -> bool:
    """Return whether a task belongs to a person, who says "I'll" or is named by another speaker."""
    if speaker and (names_speaker(name, speaker) or names_speaker(speaker, name)):
        return bool(_OWN.search(text))
    said = terms(text)
    return any(part in said for part in terms(name) if len(part) > 2)


def owner(text: str, speaker: str | None, people: Sequence[str]) -> str | None:
    """Return the one of `people`, other than the speaker, who owns the task; None for nobody or several."""
    if _OWN.search(text):
        return None
    named = [name for name in people if name != speaker and owes(name, text, speaker)]
    return named[0] if len(named) == 1 else None


def substance(text: str) -> float:
    """Return the weight of a sentence by its number of different content words, from 0.5 to 1."""
    content = {term for term in terms(text) if term not in STOP and len(term) > 2}
    return 0.5 + 0.5 * min(1.0, len(content) / _SHORT)
