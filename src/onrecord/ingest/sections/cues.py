"""Phrases with which people leave one topic and take up another, English and French."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from onrecord.ingest.sections.words import folded

GROUPS = (
    "move on|moving on|moved on|passons|passer a|on passe|enchainons",
    "next|prochain|prochaine|suivant|suivante|ensuite",
    "let's talk|let's move|let's go|let's turn|let's look|let's start|let's get|let's discuss|let's see|"
    "let's continue|let's switch|let's begin|let us|parlons|commencons|continuons|regardons|revenons",
    "turn to|turning to|come to|come back|coming to|coming back|go to|going to|go back|going back|get to|"
    "venons|revenir|on en vient|on arrive",
    "thank you|thanks|merci",
    "question|questions",
    "talk about|talking about|discuss|discussion|discussing|speak about|speak on|parler de|discuter",
    "agenda|today|minutes|presentation|meeting|topic|item|ordre du jour|aujourd'hui|reunion|sujet",
    "first|second|third|last|final|finally|lastly|premier|deuxieme|troisieme|dernier|derniere|enfin",
    "anything else|that's it|that's all|any comments|any other|autre chose|c'est tout|d'autres",
    "over to|go ahead|your turn|i'll start|i will start|you ready|do you want|la parole|allez-y|a vous",
)
"""Each is one sign, however often and in whatever words it is given."""

_OPENERS = frozenset(
    "okay ok kay right alright all now so well um uh yeah good great bon alors donc bien voila euh".split()
)


def _by_first() -> dict[str, list[tuple[tuple[str, ...], int]]]:
    found: defaultdict[str, list[tuple[tuple[str, ...], int]]] = defaultdict(list)
    for group, phrases in enumerate(GROUPS):
        for phrase in phrases.split("|"):
            first, *rest = phrase.split()
            found[first].append((tuple(rest), group))
    return dict(found)


_PHRASES = _by_first()


def cues(said: Sequence[str]) -> int:
    """How many different signs of a change of topic stand in these words."""
    return len(set(_groups([folded(word) for word in said])))


def opens(said: Sequence[str]) -> bool:
    """Whether it begins as people begin when they take something up: "Okay. So ..."."""
    return len(said) > 1 and folded(said[0]) in _OPENERS and folded(said[1]) in _OPENERS


def _groups(words: Sequence[str]) -> Iterator[int]:
    for at, word in enumerate(words):
        for rest, group in _PHRASES.get(word, ()):
            if tuple(words[at + 1 : at + 1 + len(rest)]) == rest:
                yield group
