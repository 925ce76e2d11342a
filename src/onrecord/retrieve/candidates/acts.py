"""Dialogue acts: passages in which somebody decides, promises, asks, warns, ...

"What was decided?" has no subject to search for. So the trained reader reads the likeliest passages in scope
with a question for the act (``data/act_questions.yaml``), from which it has learnt what performs the act. The
passages that perform it are shown, the newest recordings first. Without a reader, and in languages that it
does not read, sentences are compared with examples of the act (`onrecord.understand.intents`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from io import BytesIO
from itertools import zip_longest
from math import inf
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from onrecord.errors import ModelError
from onrecord.retrieve.curve.prefer import preferred_timeline
from onrecord.retrieve.moments.moments import within_words
from onrecord.retrieve.read import read_in_context, sentences_of
from onrecord.retrieve.sentences import Sentence
from onrecord.retrieve.stage import Stage, Tools
from onrecord.stores.base import Reader
from onrecord.stores.ranking import top
from onrecord.stores.scope import names_speaker
from onrecord.stores.words import STOP, terms
from onrecord.types import Evidence, Moment, PassageTimeline, Plan

if TYPE_CHECKING:
    from onrecord.types import Rows, Vector


MODEL = "all-MiniLM-L6-v2/"
"""What the fingerprint of the embedder begins with whose directions of acts are known."""
LIKELY = 0.3
"""The least probability by the reader with which a sentence counts as performing an act. Quotes from .25 on
were right less often (.44 of 853, as against .49 of 702, in recordings that nothing was learnt from)."""
_ALIKE, _BESIDE = 0.9, 0.5
"""How like an example a sentence is that counts whatever the reader says, and what it counts beside those
that the reader takes."""
_READS = "en"
"""The language that the reader reads."""
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
    """The passages that perform the act of the plan, at most so many `words`. The reader reads at most `read`
    of them, the likeliest by their vectors; `most` are compared with examples.

    Where none does, or the plan has no act, runs `otherwise`. Sets the score "act"."""

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
            rankings = [_performing(of_recording, matcher, tools.store) for of_recording in rows]
            in_turns = [moment for turn in zip_longest(*rankings) for moment in turn if moment]
            if moments := within_words(in_turns, self.words):
                return narrowed.with_moments(moments)
        return self.otherwise(narrowed, tools)

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        act = after.plan.act if after.plan else ""
        done = sum(ACT in moment.scores for moment in after.moments)
        return f"{act or 'no act'}: {done} passages" if done else f"{act or 'no act'}: nowhere"

    def _rows(self, timeline: PassageTimeline, matcher: ActMatcher, tools: Tools) -> list[Rows]:
        """The rows of each recording, the newest first, as many as may be read."""
        most = self.read if matcher.question else self.most
        likely = np.ones(len(timeline), bool)
        direction = matcher.direction if len(timeline) > most else None
        if direction is not None:
            likely[:] = False
            likely[top(tools.store.dense(direction, timeline), most)] = True
        dates = {r.id: r.details.date or "" for r in tools.store.recordings()}
        order = sorted(
            range(len(timeline.names)), key=lambda number: dates.get(timeline.names[number], ""), reverse=True
        )
        rows_by_recording = []
        for number in order:
            rows = timeline.rows[likely & (timeline.recordings == number)][-most:]
            rows_by_recording.append(rows)
            most -= len(rows)
            if most <= 0:
                break
        return rows_by_recording


@cache
def act_questions() -> Mapping[str, Sequence[str]]:
    """Questions for each act that the reader has learnt; it reads with the first."""
    from onrecord.understand.lexicon import read_data  # takes a while: only where it is needed

    questions: Mapping[str, Sequence[str]] = read_data("act_questions.yaml")
    return questions


@cache
def act_directions() -> Mapping[str, Vector]:
    """The unit vector of each act among the vectors of `MODEL`, made by `training/directions.py`."""
    file = resources.files("onrecord.models.minilm") / "acts.npz"
    with np.load(BytesIO(file.read_bytes()), allow_pickle=False) as directions:
        return {act: directions[act].astype(np.float32) for act in directions.files}


def _performing(rows: Rows, matcher: ActMatcher, reader: Reader) -> list[Moment]:
    """The passages that perform an act, the most substantial first."""
    moments: list[Moment] = []
    passages = reader.passages(rows)
    spoken = [sentences_of(passage, reader) for passage in passages]
    strengths = iter(matcher.strengths([sentence for some in spoken for sentence in some]))
    for passage, said in zip(passages, spoken, strict=True):
        own = [next(strengths) for _ in said]
        best = max((w * (0.5 + 0.5 * substance(s.text)) for w, s in zip(own, said, strict=True)), default=0.0)
        if best:
            moments.append(Moment((passage,), best, {ACT: max(own)}))
    return sorted(moments, key=lambda moment: -moment.score)


@dataclass(frozen=True, slots=True)
class ActMatcher:
    """Matches sentences that perform an act; of tasks those that `people` owe, if any are named.

    `question` is read with them, if the tools have a reader and it has learnt the act; else it is empty."""

    act: str
    tools: Tools
    people: tuple[str, ...] = ()

    @classmethod
    def of(cls, plan: Plan, tools: Tools) -> ActMatcher:
        """The matcher for the act that a plan asks for."""
        return cls(plan.act, tools, plan.entities if plan.act == "task" else ())

    def and_by_examples(self) -> tuple[ActMatcher, ...]:
        """This matcher, and one that only compares with examples, for where this one matches nothing."""
        return (self, replace(self, tools=replace(self.tools, reader=None))) if self.question else (self,)

    @property
    def question(self) -> str:
        """What the reader reads passages with; empty where it does not read them."""
        return _question(self.act) if self.tools.reader else ""

    @property
    def direction(self) -> Vector | None:
        """The direction of what is worth reading among the vectors of passages; None where none is known."""
        embedder = self.tools.embedder
        known = embedder is not None and embedder.fingerprint.startswith(MODEL)
        return act_directions().get(self.act) if known and self.question else None

    def strengths(self, said: Sequence[Sentence]) -> list[float]:
        """How surely each sentence performs the act, in 0..1."""
        from onrecord.understand.intents import strength  # examples take a while: only where they are needed

        chances = read_for(self.act, said, self.tools)
        read = {row for row, _ in chances}

        def by_any(one: Sentence) -> float:
            by_example = strength(one.text, self.act)
            if one.passage.row not in read:
                return by_example
            chance = chances.get((one.passage.row, one.begin), 0.0)
            return max(
                chance if chance >= LIKELY else 0.0, _BESIDE * by_example if by_example >= _ALIKE else 0.0
            )

        return [by_any(one) if self._of_theirs(one) else 0.0 for one in said]

    def _of_theirs(self, sentence: Sentence) -> bool:
        if (sentence.speaker or "").lower().strip() in _MUTE:
            return False
        return not self.people or any(owes(name, sentence.text, sentence.speaker) for name in self.people)


def read_for(act: str, said: Sequence[Sentence], tools: Tools) -> dict[tuple[int, int], float]:
    """How likely each sentence of the passages of these performs an act, by row and place.

    Left out are passages in languages that the reader does not read, and all of them if it fails, or if there
    is none that has learnt the act.
    """
    if tools.reader is None or not _question(act):
        return {}
    passages = {sentence.passage.row: sentence.passage for sentence in said}
    names = {passage.recording for passage in passages.values()}
    readable = {name for name in names if _language(name, tools.store) == _READS}
    stretches = [Moment((passage,), 0.0) for passage in passages.values() if passage.recording in readable]
    with suppress(ModelError):
        return {
            (sentence.passage.row, sentence.begin): float(chance)
            for read in read_in_context(_question(act), stretches, tools.reader, tools.store)
            for sentence, chance in zip(read.sentences[read.before :], read.own.relevant, strict=True)
        }
    return {}


def _question(act: str) -> str:
    """What the reader reads passages with; empty for an act that it has not learnt."""
    return next(iter(act_questions().get(act, ())), "")


def _language(recording: str, store: Reader) -> str:
    """The code of a recording's language, English where it is unknown."""
    known = store.recording(recording)
    return ((known.details.language if known else None) or _READS).split("-")[0].lower()


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
