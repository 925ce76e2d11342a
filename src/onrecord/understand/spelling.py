"""Typos: a word that nobody says is read as the one word that is said and one edit away."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from onrecord.models.base import Vocabulary
from onrecord.stores.base import Reader
from onrecord.stores.words import STOP, fold, singular
from onrecord.types import Filter, Question
from onrecord.understand.catalog import catalog_of
from onrecord.understand.intents import asking_words, connections, kinds, language_of
from onrecord.understand.lexicon import lexicon, messages_in

_SHORTEST, _LONGER = 5, 6
_LANGUAGES = frozenset(("en", "fr"))
_MOST = 8
"""Words of a question that are checked."""
_MOST_READ = 1000
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_QUOTED = re.compile('["«“][^"«»“”]*["»”]|(?<!\\S)\\S*[/@:.]\\S+')
_ENDINGS = ("ing", "ed", "er", "ly", "ness")
"""Endings of everyday forms, in whose place a vocabulary has nothing or an e."""


@dataclass(frozen=True, slots=True)
class Correction:
    """A word as it was `typed` and as it was `read`; where that is empty, `others` are proposals."""

    typed: str
    read: str = ""
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Corrected:
    """The corrections in a question."""

    corrections: tuple[Correction, ...]

    def notes(self, language: str | None, filters: Sequence[Filter] = ()) -> Iterator[str]:
        """A note for each correction, except where a filter already says it."""
        say = messages_in(language)
        for each in self.corrections:
            if any(each.typed in condition.said for condition in filters) or fold(each.read) in STOP:
                continue
            if each.read:
                yield say.say("misspelt", said=say.quoted(each.typed), word=say.quoted(each.read))
            else:
                yield say.say("did_you_mean", said=say.quoted(each.typed), names=say.choices(each.others))


def corrected(
    question: Question, reader: Reader, vocabulary: Vocabulary | None
) -> tuple[Question, Corrected | None]:
    """The question with its typos replaced by words that are said, and what was replaced.

    Only questions in English and French are corrected, and in a language of the recordings."""
    head, tail = question.text[:_MOST_READ], question.text[_MOST_READ:]
    known = catalog_of(reader).languages & _LANGUAGES or _LANGUAGES
    if (question.hints.language or language_of(head)) not in known:
        return question, None
    typed = list(_checked_words(head))
    doubted = _doubted(typed, reader, vocabulary)
    corrections = {word: each for word in doubted if (each := _correction(word, reader, vocabulary))}
    if not corrections:
        return question, None
    text = head
    for match in reversed(typed):
        correction = corrections.get(match[0])
        if correction and correction.read:
            read = correction.read.capitalize() if match[0][0].isupper() else correction.read
            text = text[: match.start()] + read + text[match.end() :]
    return replace(question, text=text + tail), Corrected(tuple(corrections.values()))


def _checked_words(text: str) -> Iterator[re.Match[str]]:
    """The longer words of a text that are not written as names, and not in quotes or addresses."""
    quoted = [match.span() for match in _QUOTED.finditer(text)]
    for match in _WORD.finditer(text):
        plain = match[0].islower() or (match.start() == 0 and match[0][1:].islower())
        inside = any(begin <= match.start() < end for begin, end in quoted)
        if plain and not inside and len(match[0]) >= _SHORTEST:
            yield match


def _doubted(typed: Sequence[re.Match[str]], reader: Reader, vocabulary: Vocabulary | None) -> Sequence[str]:
    """The words that nobody says, that no example question has, and that no vocabulary knows."""
    strange: dict[str, str] = {}  # as they are folded, by how they are typed
    for match in typed:
        form = fold(match[0])
        words = (lexicon().words, kinds().known, connections().known)
        if form not in STOP and not any(singular(form) in some for some in words):
            strange[match[0]] = form
    if not strange:
        return ()
    heard = reader.heard(list(strange.values()))
    unheard = {word: form for word, form in strange.items() if form not in heard}
    if vocabulary:  # which takes a while to load
        unheard = {word: form for word, form in unheard.items() if not _is_word(form, vocabulary)}
    return list(unheard)[:_MOST]


def _is_word(word: str, vocabulary: Vocabulary) -> bool:
    """Whether a word, or what it is an everyday form of, is in the vocabulary."""
    stems = (word.removesuffix(ending) for ending in _ENDINGS if word.endswith(ending))
    forms = (form for stem in stems if len(stem) > 3 for form in (stem, f"{stem}e"))
    return any(map(vocabulary.has_word, (word, singular(word), *forms)))


def _correction(typed: str, reader: Reader, vocabulary: Vocabulary | None) -> Correction | None:
    """The one word that was meant; a proposal where several could be."""
    word = fold(typed)
    near = _edit_candidates(word, reader)
    sure = vocabulary is not None or len(word) >= _LONGER or any(each in kinds().known for each in near[:1])
    names = catalog_of(reader).people.name_parts
    if len(near) == 1 and sure and near[0] not in names and _keeps_its_ends(word, near[0]):
        return Correction(typed, near[0])
    likely = any(each[-1] == word[-1] or len(word) > _LONGER for each in near)  # "debug" is no "debut"
    return Correction(typed, others=tuple(near[:3])) if likely else None


def _edit_candidates(word: str, reader: Reader) -> list[str]:
    """The known words one edit away (two letters exchanged count as one), nearest first."""
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    said = frozenset[str]().union(*(reader.beginning(letter) for letter in {word[0], word[1]}))
    letters = sorted(word)  # a word with another letter is another word: "comité" does not ask, as "compte"
    asking = {each for each in asking_words() if len(each) != len(word) or sorted(each) == letters}
    words = {*said, *asking, *lexicon().months}
    known = sorted(each for each in words if abs(len(each) - len(word)) < 2 and each.isalpha())
    near = [
        str(each[0])
        for form in (word, singular(word))
        for each in process.extract(form, known, scorer=OSA.distance, score_cutoff=1, limit=4)
    ]
    squeezed = singular(_squeeze(word))
    near += [each for each in known if squeezed in (_squeeze(each), each)]
    plural = word.endswith("s")
    return list(dict.fromkeys(f"{each}s" if plural and not each.endswith("s") else each for each in near))


def _squeeze(word: str) -> str:
    """A word without doubled letters."""
    return re.sub(r"(.)\1", r"\1", word)


def _keeps_its_ends(word: str, meant: str) -> bool:
    """Whether the first and the last letter are the same, or each exchanged with its neighbour."""
    return (word[0] == meant[0] or word[:2] == meant[1::-1]) and (
        word[-1] == meant[-1] or word[-2:] == meant[:-3:-1]
    )
