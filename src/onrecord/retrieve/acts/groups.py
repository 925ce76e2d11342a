"""Of whom a question asks what they do in speaking, where it names them by no name: listeners, guests."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import chain

from onrecord.retrieve.acts.performed import heard
from onrecord.retrieve.sentences import Sentence
from onrecord.stores.base import Reader
from onrecord.stores.scope import name_words, names_speaker
from onrecord.stores.words import fold, singular
from onrecord.types import Passage, Section

MUTE = frozenset(("operator", "moderator", "conference operator", "coordinator"))
"""Who speaks of the talk alone."""
_LISTENERS = re.compile(r"\b(?:listener|viewer|caller|reader|auditeur|auditrice|spectateur|internaute)s?\b")
"""They are not there: what they say is read out, or they have no other name."""
_ANALYSTS = re.compile(
    r"\b(?:analysts?|investors?|shareholders?|journalists?|reporters?|analystes?|actionnaires?|journalistes?)\b"
)
_AUDIENCE = re.compile(r"\b(?:audience|public|floor|salle)\b")
"""They are there, and speak where they may ask."""
_NAMED = {"listeners": _LISTENERS, "analysts": _ANALYSTS, "audience": _AUDIENCE}
_OUTSIDERS = ("analysts", "audience")
_LABELS = frozenset("listener viewer caller reader auditeur auditrice spectateur internaute".split())
"""What they are called where they speak."""
_QA = ("qa", "exchange")
_INSIDER = 0.08
"""Share of the words of a recording that somebody says who is no guest of it."""
_ANSWER = 3
"""So many passages on, somebody has answered."""


@dataclass(frozen=True, slots=True)
class Group:
    """Those whom a question calls by what they are; who that is, every recording tells by itself.

    `kind` is "listeners", "analysts" or "audience" (outsiders, who speak where questions are answered, and
    nowhere else), "role" (`words` are what the attributes of a recording call them: "guest") or "person"
    (`words` are the name).
    """

    kind: str
    words: str = ""

    @classmethod
    def named(cls, text: str) -> Group | None:
        """Those who are no part of a recording, or a small one, where a text names them."""
        plain = fold(text)
        return next((cls(kind) for kind, words in _NAMED.items() if words.search(plain)), None)

    @property
    def outsiders(self) -> bool:
        """Whether a transcript has to be read to tell who they are."""
        return self.kind in _OUTSIDERS

    @classmethod
    def in_role(cls, text: str, reader: Reader) -> Group | None:
        """Those who are what a text says, in the singular or plural; None where no recording tells who."""
        words = [word for word in re.findall(r"\w+", fold(text)) if word not in _ARTICLES]
        several = " ".join((*words[:-1], singular(words[-1]))) if words else ""
        return next((cls("role", name) for name in (" ".join(words), several) if _roles(name, reader)), None)

    @property
    def called(self) -> Collection[str]:
        """The words without which nothing of theirs is told: listeners are called so. Empty for others."""
        return _LABELS if self.kind == "listeners" else ()

    def may_speak(self, passage: Passage) -> bool:
        """Whether a passage may have anything of theirs: listeners are called so in it."""
        return self.kind != "listeners" or bool(_LISTENERS.search(fold(passage.spoken)))

    def voices(self, recording: str, reader: Reader) -> frozenset[str]:
        """Those of the group who speak in a recording."""
        there = reader.recording(recording)
        speakers = there.speakers if there else ()
        if self.outsiders:
            return frozenset(speakers) - _insiders(recording, reader)
        if self.kind == "listeners":
            return frozenset(name for name in speakers if not _LABELS.isdisjoint(name_words(name)))
        wanted = [self.words] if self.kind == "person" else _roles(self.words, reader).get(recording, ())
        return frozenset(name for name in speakers if any(names_speaker(one, name) for one in wanted))

    def told_in(self, text: str) -> bool:
        """Whether a sentence speaks of them."""
        return self.kind in _NAMED and bool(_NAMED[self.kind].search(heard(text)))


_ARTICLES = frozenset("the our their your all les des le la".split())


def _roles(words: str, reader: Reader) -> dict[str, Sequence[str]]:
    """Who is something, by the ids of the recordings that tell it."""
    from onrecord.retrieve.plan.known import known  # beside the planner, whose patterns take a while

    return dict(known(reader).in_role.get(tuple(words.split()), {}))


def answering(sentence: Sentence, reader: Reader) -> str | None:
    """Who speaks next, after somebody's sentence, beside who gives the word; None where nobody does."""
    passage = sentence.passage
    rest = [name for begin, name in passage.voices if begin >= sentence.end]
    later = reader.transcript(passage.recording, passage.position + 1, passage.position + _ANSWER)
    others = (name for name in chain(rest, *map(_turns, later)) if name and name != sentence.speaker)
    return next((name for name in others if name.lower().strip() not in MUTE), None)


def _turns(passage: Passage) -> list[str | None]:
    return [name for _, name in passage.voices] or [passage.speaker]


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
    return frozenset(name for name, count in words.items() if count >= least)


def _within(position: int, sections: Sequence[Section]) -> bool:
    return any(section.first <= position <= section.last for section in sections)
