"""What the turns before a question lend it: people and places are preferred, their words searched with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from onrecord.stores.words import STOP
from onrecord.types import Exchange
from onrecord.understand.intents import Guess
from onrecord.understand.lexicon import lexicon
from onrecord.understand.linking import Linked, Mention
from onrecord.understand.tokens import tokens

MOST_TURNS = 3
"""Turns that lend something to a question."""
_FEW = 2
"""Words of its own with which a question may still lean on the one before it."""


@dataclass(frozen=True)
class Prior:
    """What the turns before tell: what they mention, latest first, and the words of their subject."""

    mentions: tuple[Mention, ...] = ()
    voices: tuple[Mention, ...] = ()
    words: str = ""
    kind: str = ""
    beside: tuple[Mention, ...] = ()


def turns_of(history: Sequence[Exchange]) -> list[Exchange]:
    """The last turns, oldest first."""
    return list(history[-MOST_TURNS:])


def leans(linked: Linked, guess: Guess, sure: float) -> bool:
    """Whether a question goes on from the one before: it is shaped like one that does, it has a pronoun where
    it names nobody, or next to nothing of its own."""
    if guess.kind == "followup" and guess.likeness >= sure:
        return True
    own = [token for at, token in enumerate(linked.tokens) if own_word(linked, at)]
    if not own and guess.likeness < sure:
        return True
    lex = lexicon()
    named = any(m.field in ("speaker", "recording") for m in linked.mentions)
    person = any(token.word in lex.sets["personal"] for token in linked.tokens)
    thing = any(token.word in lex.sets["pronouns"] for token in linked.tokens)
    return not named and (person or len(own) < (_FEW if thing else 1))


def own_word(linked: Linked, at: int) -> bool:
    """Whether a word is of the subject of a question: none of a mention, and no word that only asks."""
    lex = lexicon()
    word = linked.tokens[at].word
    small = word in STOP or word in lex.sets["pronouns"] or word in lex.sets["recordings"] or len(word) < 2
    return linked.at(at) is None and not small and word not in lex.sets["prepositions"]


def subject_of(text: str, linked: Linked, common: frozenset[str]) -> str:
    """The words of a question's subject, as they are written."""
    some = [token for at, token in enumerate(linked.tokens) if own_word(linked, at)]
    return " ".join(token.text for token in some if token.word not in common)


def searched_with(text: str, prior: Prior) -> str:
    """A question behind the words of the subject before it."""
    if not prior.words:
        return text
    have = {token.word for token in tokens(text)}
    more = [token.text for token in tokens(prior.words) if token.word not in have]
    return f"{' '.join(more)} {text}" if more else text
