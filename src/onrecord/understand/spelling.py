"""Typos: a word that nobody says is read as the one word that is said and one slip of the keyboard away."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from onrecord.stores.base import Reader
from onrecord.stores.words import STOP, fold, singular
from onrecord.types import Filter, Question
from onrecord.understand.catalog import catalog_of
from onrecord.understand.intents import kinds, language_of
from onrecord.understand.lexicon import lexicon, messages_in

_SHORTEST, _LONGER = 5, 6
_MOST = 8
"""Words of a question that are looked into."""
_MOST_READ = 1000
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_QUOTED = re.compile('["«“][^"«»“”]*["»”]|(?<!\\S)\\S*[/@:.]\\S+')


class Vocabulary(Protocol):
    """What tells whether a word is one of its language."""

    def has_word(self, word: str) -> bool: ...


@dataclass(frozen=True, slots=True)
class Correction:
    """A word as it was typed, and as it was read; of `others` nothing was read."""

    typed: str
    read: str = ""
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Corrected:
    """What was read otherwise in a question."""

    corrections: tuple[Correction, ...]

    def notes(self, language: str | None, filters: Sequence[Filter] = ()) -> Iterator[str]:
        """A remark for each word, but for those that a filter tells."""
        say = messages_in(language)
        for each in self.corrections:
            if any(each.typed in kept.said for kept in filters) or fold(each.read) in STOP:
                continue
            if each.read:
                yield say.say("misspelt", said=say.quoted(each.typed), word=say.quoted(each.read))
            else:
                yield say.say("did_you_mean", said=say.quoted(each.typed), names=say.choices(each.others))


def corrected(
    question: Question, reader: Reader, vocabulary: Vocabulary | None
) -> tuple[Question, Corrected | None]:
    """The question with its typos read as what is said, and what these were."""
    head, tail = question.text[:_MOST_READ], question.text[_MOST_READ:]
    if question.hints.language not in (None, "en", "fr") or language_of(head) is None:
        return question, None  # its words are not known, so none is wrong
    quoted = [found.span() for found in _QUOTED.finditer(head)]
    some = [
        found
        for found in _WORD.finditer(head)
        if len(found[0]) >= _SHORTEST
        and (found[0].islower() or (found.start() == 0 and found[0][1:].islower()))
        and not any(begin <= found.start() < end for begin, end in quoted)
    ]
    doubted = _doubted([found[0] for found in some], reader, vocabulary)
    corrections = {word: _correction(word, reader, vocabulary) for word in doubted}
    made = [each for each in corrections.values() if each]
    if not made:
        return question, None
    read = {
        each.typed: each.read.capitalize() if each.typed[0].isupper() else each.read
        for each in made
        if each.read
    }
    text = head
    for found in reversed(some):
        if found[0] in read:
            text = text[: found.start()] + read[found[0]] + text[found.end() :]
    return replace(question, text=text + tail), Corrected(tuple(made))


def _doubted(typed: Sequence[str], reader: Reader, vocabulary: Vocabulary | None) -> list[str]:
    """The words that nobody says, that no example question has, and that are not known to be right."""
    known = kinds().known
    some = [
        word
        for word in dict.fromkeys(typed)
        if singular(fold(word)) not in known and fold(word) not in STOP and not _named(singular(fold(word)))
    ]
    heard = reader.heard([fold(word) for word in some]) if some else frozenset()
    some = [word for word in some if fold(word) not in heard]  # the vocabulary takes a while to load
    return [word for word in some if not (vocabulary and _is_word(fold(word), vocabulary))][:_MOST]


def _named(word: str) -> bool:
    lex = lexicon()
    return any(
        word in some for some in (*lex.sets.values(), lex.months, lex.units, lex.limits, lex.languages)
    )


def _is_word(word: str, vocabulary: Vocabulary) -> bool:
    """Whether a word, or what it is an everyday form of, is in the vocabulary."""
    stems = [word, singular(word)]
    for ending, base in (
        ("ing", ""),
        ("ing", "e"),
        ("ed", ""),
        ("ed", "e"),
        ("er", ""),
        ("ly", ""),
        ("ies", "y"),
        ("ness", ""),
    ):
        if word.endswith(ending) and len(word) - len(ending) > 3:
            stems.append(word[: -len(ending)] + base)
    return any(vocabulary.has_word(stem) for stem in stems)


def _correction(typed: str, reader: Reader, vocabulary: Vocabulary | None) -> Correction | None:
    """What a word was meant to be: the one that is said, or that questions are made of, one edit away; a
    proposal where it is not clear enough."""
    word = fold(typed)
    near = _candidates(word, reader)
    sure = vocabulary is not None or len(word) >= _LONGER or any(each in kinds().known for each in near[:1])
    names = catalog_of(reader).name_parts
    if len(near) == 1 and sure and near[0] not in names and _is_slip(word, near[0]):
        return Correction(typed, near[0])
    if near and len(word) > 4 and any(each[-1] == word[-1] or len(word) > _LONGER for each in near):
        return Correction(typed, others=tuple(near[:3]))
    return None


def _candidates(word: str, reader: Reader) -> list[str]:
    """The known words one edit away (two letters exchanged count as one), nearest first."""
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    beginnings = dict.fromkeys((word[0], word[1]))  # the first two letters may be exchanged
    said: Collection[str] = frozenset[str]().union(*(reader.beginning(letter) for letter in beginnings))
    some = [
        known
        for known in {*said, *kinds().known, *lexicon().months}
        if abs(len(known) - len(word)) < 2 and known.isalpha()
    ]
    near = [
        str(each[0])
        for form in {word, singular(word)}
        for each in process.extract(form, some, scorer=OSA.distance, score_cutoff=1, limit=4)
    ]
    squeezed = singular(_squeeze(word))
    near += [known for known in some if squeezed in (_squeeze(known), known)]
    found = [_in_form(known, word) for known in dict.fromkeys(near) if len(known) > 2]
    inner = [known for known in found if word[:-1] != known and known[:-1] != word]
    return list(dict.fromkeys(inner or found))


def _squeeze(word: str) -> str:
    """A word without doubled letters."""
    return re.sub(r"(.)\1", r"\1", word)


def _in_form(known: str, word: str) -> str:
    """A known word in the plural where what was typed is in it."""
    return f"{known}s" if word.endswith("s") and not known.endswith("s") else known


def _is_slip(word: str, meant: str) -> bool:
    """Whether the first letter is the same, or the first two are exchanged."""
    return (word[0] == meant[0] or word[:2] == meant[1::-1]) and (
        word[-1] == meant[-1] or word[-2:] == meant[:-3:-1]
    )
