"""What is asked for of what is done in speaking, and which sentences do it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from onrecord.retrieve.acts.performed import LEAST, heard, strength
from onrecord.retrieve.sentences import Sentence
from onrecord.stores.base import Reader
from onrecord.stores.scope import names_speaker
from onrecord.stores.words import STOP, terms
from onrecord.types import Evidence, Section

_SHORT = 6
"""A sentence of fewer words, without those that name nothing, says less."""
_MUTE = frozenset(("operator", "moderator", "conference operator", "coordinator"))
"""Who speaks of the talk alone."""
_OUTSIDERS = re.compile(
    r"\b(?:audience|analysts?|listeners?|viewers?|callers?|public|investors?|shareholders?|journalists?|"
    r"reporters?|floor|"
    r"auditeurs?|analystes?|salle|spectateurs?|internautes?)\b",
    re.IGNORECASE,
)
_QA = ("qa", "exchange")
_INSIDER = 0.08
"""Share of the words of a recording that somebody says who is no guest of it."""
_AS_LONG = 8
"""In the time in which a passage is searched for what is done in it, so many are read for who speaks."""
_OWN = re.compile(r"\b(?:i(?:'ll| will| shall| can|'m| am)|je|leave (?:it|that) (?:to|with) me)\b")
"""Whoever says it owes what is said."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """An act that is asked for: one of `onrecord.retrieve.acts.ACTS`. `people` are those who owe a task,
    where a question asks for theirs; with `outsiders` only questions of those who speak in the questions and
    answers of a recording, and nowhere else in it."""

    act: str
    people: tuple[str, ...] = ()
    outsiders: bool = False

    @classmethod
    def of(cls, evidence: Evidence) -> Wanted | None:
        """What the plan of a question says that it asks for; None where it asks for no act."""
        plan = evidence.plan
        if plan is None or not plan.act:
            return None
        people = plan.entities if plan.act == "task" else ()
        outsiders = plan.act == "question" and bool(_OUTSIDERS.search(evidence.question.text))
        return cls(plan.act, people, outsiders)

    def beside(self, recording: str, reader: Reader) -> int:
        """What is read of a recording to tell who is an outsider, as a number of passages in which as long is
        looked for what is done."""
        told = reader.recording(recording) if self.outsiders else None
        return told.passages // _AS_LONG if told else 0

    def strengths(self, said: Sequence[Sentence], reader: Reader) -> list[float]:
        """How surely each of some sentences, in order of talk, does what is asked for, in 0..1; 0 below
        `LEAST`."""
        languages = _languages(said, reader)
        found = []
        last: Sentence | None = None
        for sentence in said:
            reply = last is not None and _follows(last, sentence)
            language = languages[sentence.passage.recording]
            worth = strength(sentence.text, self.act, language, reply)
            found.append(worth if worth >= LEAST and self._of_theirs(sentence) else 0.0)
            last = sentence
        return self._without_insiders(said, found, languages, reader) if self.outsiders else found

    def _without_insiders(
        self,
        said: Sequence[Sentence],
        found: Sequence[float],
        languages: Mapping[str, str | None],
        reader: Reader,
    ) -> list[float]:
        """The same, with what is asked by those who are no outsiders only where they tell what one of them
        asks. Who is one is only looked for where anything is asked: a whole transcript is read for it."""
        asking = dict.fromkeys(s.passage.recording for s, worth in zip(said, found, strict=True) if worth)
        insiders = {name: _insiders(name, reader) for name in asking}
        left = list(found)
        for at, sentence in enumerate(said):
            name = sentence.passage.recording
            if left[at] and (sentence.speaker or "") in insiders[name]:
                worth = strength(sentence.text, "relayed", languages[name])
                left[at] = worth if worth >= LEAST else 0.0
        return left

    def _of_theirs(self, sentence: Sentence) -> bool:
        """Whether it is for one of the people to do, where some are asked for, and not the operator's."""
        if (sentence.speaker or "").lower().strip() in _MUTE:
            return False
        return not self.people or any(owes(name, sentence.text, sentence.speaker) for name in self.people)


def owes(name: str, text: str, speaker: str | None) -> bool:
    """Whether what somebody asks or promises is for that person to do: who says "I'll", or who is named."""
    said = heard(text)
    if speaker and (names_speaker(name, speaker) or names_speaker(speaker, name)):
        return bool(_OWN.search(said))
    return any(re.search(rf"\b{re.escape(part)}\b", said) for part in terms(name) if len(part) > 2)


def owner(text: str, speaker: str | None, people: Sequence[str]) -> str | None:
    """The one of `people`, beside who speaks, who is to do what is asked; None where that is not said."""
    if _OWN.search(heard(text)):
        return None
    named = [name for name in people if name != speaker and owes(name, text, speaker)]
    return named[0] if len(named) == 1 else None


def substance(text: str) -> float:
    """How much a sentence says, in 0..1: by its different words that mean something."""
    told = {term for term in terms(text) if term not in STOP and len(term) > 2}
    return min(1.0, len(told) / _SHORT)


def _follows(one: Sentence, other: Sentence) -> bool:
    """Whether the second answers the first: another speaker, right behind."""
    apart = other.passage.position - one.passage.position
    return one.passage.recording == other.passage.recording and apart <= 1 and one.speaker != other.speaker


def _languages(said: Sequence[Sentence], reader: Reader) -> dict[str, str | None]:
    found = {name: reader.recording(name) for name in dict.fromkeys(s.passage.recording for s in said)}
    return {name: recording.details.language if recording else None for name, recording in found.items()}


def _insiders(recording: str, reader: Reader) -> frozenset[str]:
    """Who speaks outside of the questions and answers of a recording; where it has none that are known, who
    says so much of it that they are no guests of it."""
    passages = reader.transcript(recording)
    sections = [section for section in reader.sections(recording) if section.kind in _QA]
    words: Counter[str] = Counter()
    for passage in passages:
        if sections and _within(passage.position, sections):
            continue
        for name in {passage.speaker, *(voice for _, voice in passage.voices)}:
            words[name or ""] += len(passage.text.split())
    least = 0 if sections else _INSIDER * sum(words.values())
    return frozenset({"", *(name for name, count in words.items() if count >= least)})


def _within(position: int, sections: Sequence[Section]) -> bool:
    return any(section.first <= position <= section.last for section in sections)
