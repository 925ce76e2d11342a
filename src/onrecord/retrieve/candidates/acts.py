"""Dialogue acts: passages in which somebody decides, promises, asks, warns, ...

"What was decided?" has no subject to search for. So the sentences in scope are compared with examples of the
act (`onrecord.understand.intents`), and the passages that perform it are shown, the newest recordings first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from math import inf
from typing import TYPE_CHECKING, ClassVar

from onrecord.retrieve.curve.prefer import preferred_timeline
from onrecord.retrieve.moments.moments import within_words
from onrecord.retrieve.sentences import Sentence, sentences
from onrecord.retrieve.stage import Stage, Tools
from onrecord.stores.base import Reader
from onrecord.stores.scope import names_speaker
from onrecord.stores.words import STOP, terms
from onrecord.types import Evidence, Moment, PassageTimeline, Plan

if TYPE_CHECKING:
    from onrecord.types import Rows


ACT = "act"
"""In `Moment.scores`: how surely the act is done in it."""
_SHORT = 6
"""A sentence of fewer words, without those that name nothing, says less."""
_OWN = re.compile(
    r"\b(?:i(?:'ll| will| shall| can|'m| am)|je|leave (?:it|that) (?:to|with) me)\b", re.IGNORECASE
)
"""Words with which speakers take a task on themselves."""
_MUTE = frozenset(("operator", "moderator"))


@dataclass(frozen=True)
class Acts(Stage):
    """The passages that perform the act of the plan, at most so many `words`; at most `most` are read.

    Where none does, or the plan has no act, runs `otherwise`. Sets the score "act"."""

    otherwise: Stage
    words: int = 1500
    most: int = 600
    act: str = ""
    prefers: ClassVar = True
    ranges: ClassVar = {"words": (1, inf), "most": (1, inf)}

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        if evidence.plan is not None and self.act:
            evidence = replace(evidence, plan=replace(evidence.plan, act=self.act))
        if evidence.plan is None or not evidence.plan.act:
            return self.otherwise(evidence, tools)
        matcher = ActMatcher.of(evidence.plan)
        timeline, scope = preferred_timeline(evidence, tools.store)
        narrowed = replace(evidence, question=replace(evidence.question, scope=scope))
        rows = self._read(timeline, tools.store)
        rankings = [_performing(of_recording, matcher, tools.store) for of_recording in rows]
        in_turns = [moment for turn in zip_longest(*rankings) for moment in turn if moment]
        result = narrowed.with_moments(within_words(in_turns, self.words))
        return result if result.moments else self.otherwise(narrowed, tools)

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        act = after.plan.act if after.plan else ""
        done = sum(ACT in moment.scores for moment in after.moments)
        return f"{act or 'no act'}: {done} passages" if done else f"{act or 'no act'}: nowhere"

    def _read(self, timeline: PassageTimeline, reader: Reader) -> list[Rows]:
        """The rows of each recording, the newest first, as many as may be read."""
        dates = {r.id: r.details.date or "" for r in reader.recordings()}
        order = sorted(
            range(len(timeline.names)), key=lambda number: dates.get(timeline.names[number], ""), reverse=True
        )
        room, rows_by_recording = self.most, []
        for number in order:
            rows = timeline.rows[timeline.recordings == number][-room:]
            rows_by_recording.append(rows)
            room -= len(rows)
            if room <= 0:
                break
        return rows_by_recording


def _performing(rows: Rows, matcher: ActMatcher, reader: Reader) -> list[Moment]:
    """The passages that perform an act, the most substantial first."""
    moments: list[Moment] = []
    for passage in reader.passages(rows):
        recording = reader.recording(passage.recording)
        spoken = sentences(passage, recording.details.language if recording else None)
        strengths = matcher.strengths(spoken)
        best = max(
            (w * (0.5 + 0.5 * substance(s.text)) for w, s in zip(strengths, spoken, strict=True)), default=0.0
        )
        if best:
            moments.append(Moment((passage,), best, {ACT: max(strengths)}))
    return sorted(moments, key=lambda moment: -moment.score)


@dataclass(frozen=True, slots=True)
class ActMatcher:
    """Matches sentences that perform an act; of tasks those that `people` owe, if any are named."""

    act: str
    people: tuple[str, ...] = ()

    @classmethod
    def of(cls, plan: Plan) -> ActMatcher:
        """The matcher for the act that a plan asks for."""
        return cls(plan.act, plan.entities if plan.act == "task" else ())

    def strengths(self, said: Sequence[Sentence]) -> list[float]:
        """How surely each sentence performs the act, in 0..1."""
        from onrecord.understand.intents import strength  # examples take a while: only where they are needed

        return [strength(one.text, self.act) if self._of_theirs(one) else 0.0 for one in said]

    def _of_theirs(self, sentence: Sentence) -> bool:
        if (sentence.speaker or "").lower().strip() in _MUTE:
            return False
        return not self.people or any(owes(name, sentence.text, sentence.speaker) for name in self.people)


def owes(name: str, text: str, speaker: str | None) -> bool:
    """Whether a task is that person's: whoever says "I'll", or is named."""
    if speaker and (names_speaker(name, speaker) or names_speaker(speaker, name)):
        return bool(_OWN.search(text))
    said = terms(text)
    return any(part in said for part in terms(name) if len(part) > 2)


def owner(text: str, speaker: str | None, people: Sequence[str]) -> str | None:
    """The one of `people`, other than the speaker, whose task it is; None for nobody or several."""
    if _OWN.search(text):
        return None
    named = [name for name in people if name != speaker and owes(name, text, speaker)]
    return named[0] if len(named) == 1 else None


def substance(text: str) -> float:
    """How much a sentence says, in 0..1: by the number of its different content words."""
    content = {term for term in terms(text) if term not in STOP and len(term) > 2}
    return min(1.0, len(content) / _SHORT)
