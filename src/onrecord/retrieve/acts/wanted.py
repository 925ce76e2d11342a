"""What is asked for of what is done in speaking, and which sentences do it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from onrecord.retrieve.acts.groups import MUTE, Group, answering
from onrecord.retrieve.acts.performed import LEAST, heard, possible, strength, words_of
from onrecord.retrieve.sentences import Sentence
from onrecord.stores.base import Reader
from onrecord.stores.scope import names_speaker
from onrecord.stores.words import STOP, terms
from onrecord.types import Evidence, Passage

_SHORT = 6
"""A sentence of fewer words, without those that name nothing, says less."""
_AS_LONG = 8
"""In the time in which a passage is searched for what is done in it, so many are read for who speaks."""
_OWN = re.compile(r"\b(?:i(?:'ll| will| shall| can|'m| am)|je|leave (?:it|that) (?:to|with) me)\b")
"""Whoever says it owes what is said."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """An act that is asked for: one of `onrecord.retrieve.acts.ACTS`. `people` are those who owe a task,
    where a question asks for theirs; `group` are those who do it, and `to` is whom they ask, where a question
    says so; `called` are its words for the group, `untold` those for somebody whom no recording
    tells. Who is of the group is `known` of the recordings in which that was looked for."""

    act: str
    people: tuple[str, ...] = ()
    group: Group | None = None
    to: Group | None = None
    called: str = ""
    untold: str = ""
    known: dict[str, frozenset[str]] = field(default_factory=dict, compare=False)

    @classmethod
    def of(cls, evidence: Evidence, reader: Reader) -> Wanted | None:
        """What the plan of a question says that it asks for; None where it asks for no act."""
        plan = evidence.plan
        if plan is None or not plan.act:
            return None
        people = plan.entities if plan.act == "task" else ()
        from onrecord.retrieve.plan.asked import Asked  # beside the planner, whose patterns take a while
        from onrecord.retrieve.plan.wish import is_office, wish

        asked, named = Asked.of(evidence.question.text), evidence.question.scope.speakers
        told = wish(asked)
        if told is None:
            return cls(plan.act, people)
        who, whom = told.group(asked), told.whom(asked)
        group = Group.named(asked.text if plan.act == "question" and not named else who)
        group = group or Group.in_role(who, reader)
        to = _asked_of(whom, plan.entities, reader) if whom else None
        untold = whom if whom and to is None else who if is_office(who) and not (group or named) else ""
        return cls(plan.act, people, group, to, "" if named else who, untold)

    def words(self, languages: Iterable[str | None]) -> Collection[str]:
        """Words by which passages in which it is done are found."""
        return (self.group and self.group.called) or words_of(self.act, languages)

    def possible_in(self, passage: Passage, language: str | None, reader: Reader) -> bool:
        """Whether it may be done in a passage: much quicker to see than in which sentence."""
        if self.group is not None and not self.group.may_speak(passage):
            return False
        if not possible(passage.text, self.act, language):
            return False
        there = (passage.speaker, *(voice for _, voice in passage.voices))
        if self.group is None or not self._voices(passage.recording, reader).isdisjoint(there):
            return True
        if self.act == "question":
            return possible(passage.text, "relayed", language)
        return self.group.told_in(passage.text)

    def _voices(self, recording: str, reader: Reader) -> frozenset[str]:
        """Those of the group who speak in a recording, looked for once."""
        if recording not in self.known and self.group:
            self.known[recording] = self.group.voices(recording, reader)
        return self.known.get(recording, frozenset())

    def beside(self, recording: str, reader: Reader) -> int:
        """What is read of a recording to tell who is an outsider, as a number of passages in which as long is
        looked for what is done."""
        told = reader.recording(recording) if self.group and self.group.outsiders else None
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
        if self.group:
            found = self._of_group(self.group, said, found, languages, reader)
        return _put_to(self.to, said, found, reader) if self.to else found

    def _of_group(
        self,
        group: Group,
        said: Sequence[Sentence],
        found: Sequence[float],
        languages: Mapping[str, str | None],
        reader: Reader,
    ) -> list[float]:
        """The same, with what others do than those of a group only where they speak of them; of questions
        only where they tell what one of them asks. Who they are is only looked for where anything is done:
        a whole transcript may be read for it."""
        doing = dict.fromkeys(s.passage.recording for s, worth in zip(said, found, strict=True) if worth)
        voices = {name: self._voices(name, reader) for name in doing}
        left = list(found)
        for at, sentence in enumerate(said):
            name = sentence.passage.recording
            if left[at] and sentence.speaker not in voices[name]:
                left[at] = self._told_of(group, sentence, left[at], languages[name])
        return left

    def _told_of(self, group: Group, sentence: Sentence, worth: float, language: str | None) -> float:
        """How surely a sentence tells what one of a group does who does not speak."""
        if self.act != "question":
            return worth if group.told_in(sentence.text) else 0.0
        if group.kind != "audience" and not group.told_in(sentence.text):
            return 0.0
        relayed = strength(sentence.text, "relayed", language)
        return relayed if relayed >= LEAST else 0.0

    def _of_theirs(self, sentence: Sentence) -> bool:
        """Whether it is for one of the people to do, where some are asked for, and not the operator's."""
        if (sentence.speaker or "").lower().strip() in MUTE:
            return False
        return not self.people or any(owes(name, sentence.text, sentence.speaker) for name in self.people)


def _asked_of(words: str, people: Sequence[str], reader: Reader) -> Group | None:
    """Whom a question asks to have been asked: who is what it says, or one of the people it names; None where
    nobody who speaks is called so."""
    speakers = {name for recording in reader.recordings() for name in recording.speakers}
    named = (name for name in people if names_speaker(words, name))
    person = next((n for n in named if any(names_speaker(n, one) for one in speakers)), None)
    return Group.in_role(words, reader) or (Group("person", person) if person else None)


def _put_to(to: Group, said: Sequence[Sentence], found: Sequence[float], reader: Reader) -> list[float]:
    """What is asked of somebody: they are named in it, or speak next."""
    left = list(found)
    for at in (at for at, worth in enumerate(found) if worth):
        sentence = said[at]
        voices = to.voices(sentence.passage.recording, reader) - {sentence.speaker}
        named = any(owes(name, sentence.text, None) for name in voices)
        if not named and not (voices and answering(sentence, reader) in voices):
            left[at] = 0.0
    return left


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
