"""Misspelt words of a question, read as the words that are said.

A word is misspelt where nobody in the workspace says it, in whatever form, it is no word of its own as far
as can be told, and a slip of the keyboard or of spelling makes it of exactly one word that is said, or that
questions are made of ("abuot"). What is less sure is proposed, and two slips are not looked for: of the
longer words of calls, meetings and podcasts that are spelt right, not said in another archive, and not in
the vocabulary, one in nine is two letters from a word that is said there.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, TypeVar

from onrecord.models.base import Vocabulary
from onrecord.retrieve.compounds import parts
from onrecord.retrieve.plan.asked import low, words_of
from onrecord.retrieve.plan.calendar_words import MONTHS, WEEKDAYS
from onrecord.retrieve.plan.conversation import MOST_READ
from onrecord.retrieve.plan.derived import is_word
from onrecord.retrieve.plan.known import Known, known
from onrecord.retrieve.plan.language import question_language
from onrecord.retrieve.plan.names import FORMAL, ORDINARY, ROLES, TITLES
from onrecord.retrieve.plan.notes import notes_in
from onrecord.retrieve.plan.remembered import Remembered, remembered
from onrecord.retrieve.plan.slips import likely, other_vowels, surest, unlikely
from onrecord.retrieve.wording import inflected
from onrecord.stores.base import Reader
from onrecord.stores.words import FRENCH_STOP, STOP, fold, singular, terms
from onrecord.types import Filter, Question

if TYPE_CHECKING:
    from onrecord.types import Rows

T = TypeVar("T")

_MOST = 6
"""Words of a question that are looked into."""
_PROPOSED = 4
"""Words that are proposed for one: of more, none."""
_LONGEST = 24
"""Letters of a word that is looked into."""
_READ, _FIRST = 10, 2
"""Passages in which is looked how a word is written, and those of them that mostly tell it."""

_CALENDAR = frozenset(word for word in (*MONTHS, *WEEKDAYS) if len(word) > 5)
_ASKING = {
    "en": """
        action actions advice advise advised agree agreed agreement analyst analysts announce announced
        answer anyone anything argue argued because become believe between claim claimed commitment
        commitments compare compared comparison complain complained concern concerned concerns conclude
        conclusion criticise criticize decide decided decision decisions describe described difference
        different disagree disagreed disagreement discuss discussed discusses discussing discussion doubt
        doubts episode episodes everyone everything expect expected expects explain explained explains fear
        fears guest guests happen happened happens hope hopes important interview know list meeting meetings
        mention mentioned mentions opinion oppose opposed overview people person plans please podcast point
        points predict predicted prediction predictions promise promised promises propose proposed proposes
        question questions recommend recommendation recommendations recommended recommends recording
        recordings risk risks show someone something speak speaker speakers speaking speaks suggest
        suggested suggestion suggestions summarise summarize summary talked talking talks task tasks tell
        tells thinks thought thoughts together topic topics understand warn warned without worried worries
        worry
        """,
    "fr": """
        accord annonce annoncer combien comment comparaison comparer conclusion conseille conseillent
        conseiller craint craintes critique différence discussion disent dites décision décisions décrire
        désaccord désaccords engagement engagements enregistrement enregistrements entre explique expliquer
        importance inquiète inquiétudes invité invités opinion parle parlent parler pendant pensent penser
        personne pourquoi promesse promesses promet promettent propos propose proposent proposer prévoit
        quelque question questions recommande recommandent risque risques résumer résumé réunion réunions
        souhaite souhaitent sujet sujets tâches épisode épisodes
        """,
}
_OF_QUESTIONS = {
    language: {fold(word): word for word in (*_CALENDAR, *small, *_ASKING[language].split())}
    for language, small in (("en", STOP - FRENCH_STOP), ("fr", FRENCH_STOP))
}
"""What questions are made of, in each language, by itself without accents; it may be said or not."""


@dataclass(frozen=True, slots=True)
class Spelled:
    """A question as it is read, with what there is to tell of it. `unclear` are the words that could be
    several, or a name, each with what it could be: they are left as they are."""

    text: str
    notes: tuple[str, ...] = ()
    unclear: tuple[tuple[str, str], ...] = ()

    def told(self, filters: Iterable[Filter]) -> tuple[str, ...]:
        """The notes for the user. What was read as the word of a filter after all is told with the filter."""
        read = {word for found in filters for word in words_of(found.said)}
        return (*self.notes, *(note for word, note in self.unclear if low(word) not in read))


def well_spelt(
    question: Question, reader: Reader, vocabulary: Vocabulary | None = None
) -> tuple[Question, Spelled]:
    """A question, the questions that it is said to consist of, and what was asked before it, each as it is
    read; and what there is to tell of it, but for what was before."""
    meant = question.meant

    def of(text: str) -> Spelled:
        return spelled(text, reader, vocabulary, meant.language)

    read, *parts = map(of, (question.text, *meant.queries))
    before = tuple(replace(e, question=of(e.question).text) for e in question.history)
    meant = replace(meant, queries=tuple(part.text for part in parts))
    for part in parts:
        notes, unclear = (*read.notes, *part.notes), (*read.unclear, *part.unclear)
        read = replace(read, notes=tuple(dict.fromkeys(notes)), unclear=tuple(dict.fromkeys(unclear)))
    return replace(question, text=read.text, history=before, meant=meant), read


def spelled(
    text: str, reader: Reader, vocabulary: Vocabulary | None = None, language: str | None = None
) -> Spelled:
    """A question with its misspelt words read as those that are said.

    `language` is the one that it is in, ISO 639-1; None: as its words tell. Words in quotes, names, numbers,
    acronyms, compounds and addresses are left alone, and so is all of a question that is neither English nor
    French. Without a `vocabulary`, which tells English words, and in French, only longer words and surer
    slips are mended. Takes under a millisecond where all words are said, about one for each that is not, and
    some more for the first one of each first letter since the workspace was written to. Of a text that was
    read before, which each turn of a conversation is, it takes none.
    """
    kept = remembered(reader)
    key = "spelled", text, language, id(vocabulary)  # kept with what was read, so that its id stays its own
    return kept.value(key, lambda: (_spelled(text, reader, vocabulary, language, kept), vocabulary))[0]


def _spelled(
    text: str, reader: Reader, vocabulary: Vocabulary | None, language: str | None, kept: Remembered
) -> Spelled:
    plain = text if text.isascii() else unicodedata.normalize("NFC", text)
    names = known(reader).by_name_word
    words = [word for word in _words(plain[:MOST_READ]) if word.end < MOST_READ and word.low not in names]
    if vocabulary:
        own = {each for each in {word.low for word in words} if is_word(each, vocabulary)}
        words = [word for word in words if word.low not in own]
    said = kept.heard({word.low for word in words}, reader)
    unheard = [word for word in words if word.low not in said]
    looked = list(dict.fromkeys(word.text for word in unheard))[:_MOST]
    unheard = [word for word in unheard if word.text in looked]
    language = (language or question_language(text[:MOST_READ])) if unheard else "en"
    if not unheard or language not in ("en", "fr"):
        return Spelled(text)
    alike = {word.low: kept.alike(word.low, reader) for word in unheard}
    speller = _Speller(reader, vocabulary, language, known(reader), kept, alike)
    notes, told, unclear = notes_in(language), [], []
    each = {(word.text, word.name): word for word in unheard}
    could_be = {how: speller.meant(word) for how, word in each.items()}
    for word in reversed(unheard):
        meant = could_be[word.text, word.name]
        if len(meant) != 1 or meant[0].unsure:
            unclear += [(word.text, notes.meant(word.text, [m.text for m in meant]))] if meant else []
            continue
        right = meant[0].text.capitalize() if word.text[0].isupper() else meant[0].text
        plain = plain[: word.begin] + right + plain[word.end :]
        if not meant[0].asks:
            told.append(notes.misspelt(word.text, right))
        elif low(right) not in STOP:
            told.append(notes.near(word.text, right))
    return Spelled(plain, _once(told), _once(unclear))


def _once(found: Sequence[T]) -> tuple[T, ...]:
    """Each once, from the last to the first."""
    return tuple(dict.fromkeys(reversed(found)))


# ---------------------------------------------------------------- the words that could be misspelt


@dataclass(frozen=True, slots=True)
class _Word:
    """A word of a question: `low` without case and accents, `name` where its capital says so, `joined` what
    it makes with the word before and the one behind."""

    text: str
    low: str
    begin: int
    end: int
    name: bool
    joined: tuple[str, ...]


_LETTERS = re.compile(r"[^\W\d_]+")
_QUOTED = re.compile(r"\"[^\"]*\"|“[^“”]*”|«[^«»]*»|„[^„“]*“|(?<!\w)['‘][^'‘’]*['’](?!\w)")
_GLUE = frozenset("-/@_&\\+#0123456789")
_APOSTROPHES = ("'", "’")
_ELISION = re.compile(r"(?:^|(?<=\W))(?:[cdjlmnst]|(?:jus|lors|puis|quoi)?qu)['’]$", re.IGNORECASE)
_OWN = re.compile(r"['’]s?(?!\w)")


def _words(text: str) -> Iterator[_Word]:
    """The words of a text that could be misspelt: of letters alone, in small ones, of three and more."""
    spaces = [quoted.span() for quoted in _QUOTED.finditer(text)]
    found = list(_LETTERS.finditer(text))
    for at, match in enumerate(found):
        word, (begin, end) = match[0], match.span()
        plain = fold(word)
        if not 3 <= len(word) <= _LONGEST or not word[1:].islower() or plain in STOP or not plain.isascii():
            continue
        if _in_one_piece(text, begin, end) or (spaces and any(a <= begin < b for a, b in spaces)):
            continue
        before, behind = found[at - 1][0] if at else "", found[at + 1][0] if at + 1 < len(found) else ""
        joined = tuple(fold(both) for both in (before + word, word + behind) if both != word)
        name = word[0].isupper() and not _begins(text, begin)
        yield _Word(word, plain, begin, end, name, joined)


def _in_one_piece(text: str, begin: int, end: int) -> bool:
    """Whether a word is only a part of what is written in one: of a compound, a number, an address."""
    before, behind = text[begin - 1 : begin], text[end : end + 1]
    if before in _GLUE or behind in _GLUE or before == ".":
        return True
    if before in _APOSTROPHES and not _ELISION.search(text[max(begin - 9, 0) : begin]):
        return True
    if behind in _APOSTROPHES and not _OWN.match(text, end):
        return True
    return behind in (".", ":") and not text[end + 1 : end + 2].isspace() and end + 1 < len(text)


def _begins(text: str, at: int) -> bool:
    """Whether a sentence begins there, so that a capital says nothing."""
    before = text[:at].rstrip(" \"'“‘«(¿¡")
    return not before or before[-1] in ".?!:;…"


# ---------------------------------------------------------------- what they could be


@dataclass(frozen=True, slots=True)
class _Meant:
    """A word that could be meant: `unsure` where it is only to be proposed, `asks` where it is one that
    questions are made of."""

    text: str
    unsure: bool = False
    asks: bool = False


@dataclass(frozen=True, slots=True)
class _Speller:
    """Looks for what misspelt words of one question could be; `alike` are the terms that begin as each of
    them."""

    reader: Reader
    vocabulary: Vocabulary | None
    language: str
    known: Known
    kept: Remembered
    alike: Mapping[str, tuple[str, frozenset[str]]]

    @property
    def _trusted(self) -> bool:
        """Whether there is a vocabulary of the question's language."""
        return self.vocabulary is not None and self.language == "en"

    @property
    def _labels(self) -> dict[str, str]:
        """The roles by which speakers are labelled, which nobody need say: "customer"."""
        return {role: role for role in ROLES if role in self.known.by_name_word}

    def meant(self, word: _Word) -> list[_Meant]:
        """What a word that nobody says could be; empty where it is a word of its own, or nothing is near."""
        if self._own(word):
            return []
        of_questions = {**_OF_QUESTIONS[self.language], **self._labels}
        least = 5 if self._trusted else 6  # of questions' own words, which are few, shorter ones are read
        for near, sure in self._tiers(word):
            asking = near & (_CALENDAR if word.name else of_questions.keys())
            if asking and sure:
                return [_Meant(of_questions[asks], asks=True) for asks in asking] if len(asking) == 1 else []
            said = self._said(word, near) if len(word.low) >= least else frozenset[str]()
            if said:
                return self._chosen(word, said, sure)
        return []

    def _tiers(self, word: _Word) -> Iterator[tuple[set[str], bool]]:
        """What it could be, the surest slips first, and whether these are sure enough to be mended. Where no
        vocabulary tells which words are spelt right, only longer ones are."""
        plain, trusted = word.low, self._trusted
        if len(plain) >= (3 if trusted else 5):
            yield surest(plain), True
        if len(plain) >= (4 if trusted else 6):
            more = other_vowels(plain) if trusted else set()
            near = {near for near in likely(plain) | more if len(singular(near)) > 4}
            yield near, trusted or len(plain) > 7
        if len(plain) > 4 and trusted:
            yield unlikely(plain), False

    def _said(self, word: _Word, near: Collection[str]) -> frozenset[str]:
        """Those of some words that are said. Nearly all begin as the word itself, and are found in a list."""
        beginning, listed = self.alike[word.low]
        others = frozenset(other for other in near if not other.startswith(beginning))
        found = frozenset(other for other in near if other not in others and singular(other) in listed)
        return found | self.kept.heard(others, self.reader) if others else found

    def _own(self, word: _Word) -> bool:
        """Whether it is spelt as it should be: known by itself, or said in another form or in two words."""
        if self._is_known(word.low) or self._said(word, frozenset(self._other_forms(word.low))):
            return True
        return bool(self.kept.heard(word.joined, self.reader)) or self._in_two(word)

    def _in_two(self, word: _Word) -> bool:
        """Whether two words are said side by side in the place of one; they are read where both are said."""
        plain = word.low
        cuts = [at for at in range(3, len(plain) - 2) if plain[:at] not in STOP]
        said = self._said(word, [plain[:at] for at in cuts])
        if not any(plain[:at] in said and self.kept.heard([plain[at:]], self.reader) for at in cuts):
            return False
        return parts(plain, self.reader.line(), self.reader) is not None

    def _other_forms(self, plain: str) -> Iterator[str]:
        """What it may be said as in another number or tense; none where it ends as no English word does."""
        if self.language == "en" and plain.endswith(("ee", "ss")):
            return
        yield from chain.from_iterable(map(inflected, terms(plain)))

    def _is_known(self, plain: str) -> bool:
        """Whether it is a word of a name or an attribute, here, or of the calendar, or a name anywhere."""
        here = (self.known.by_name_word, self.known.value_words)
        return any(
            plain in words for words in (*here, _OF_QUESTIONS[self.language], FORMAL, ORDINARY, ROLES, TITLES)
        )

    def _chosen(self, word: _Word, said: Iterable[str], sure: bool) -> list[_Meant]:
        """The words as the archive writes them, each once; a name only as a proposal. None for a word of a
        title, which nobody need say."""
        if not self.known.title_words.isdisjoint(terms(word.low)):
            return []
        by_term = dict.fromkeys(terms(near)[0] for near in sorted(said))
        if len(by_term) > 2 * _PROPOSED:  # few of them are but labels, or said in another language
            return []
        found = [how for term in by_term for how in self._as_written(term, word.low)]
        sure = sure and not word.name and not self.known.near_names(word.low)
        meant = [_Meant(text, unsure=name or not sure) for text, name in found if name or not word.name]
        return meant if len(meant) <= _PROPOSED else []

    def _as_written(self, term: str, asked: str) -> list[tuple[str, bool]]:
        """How a term is written where it is said in the question's language, as near to what was asked as
        may be, and whether it is a name; empty where only labels of speakers have it."""
        rows, plural = self.reader.holding(term, _READ), asked.endswith("s")
        within: dict[str, None] = {}
        first: dict[str, None] = {}
        best: list[str] = []
        for some in (rows[:_FIRST], rows[_FIRST:]):
            for way, opens in self._written(term, some):
                (first if opens else within)[way.lower() if opens else way] = None
            small = [way for way in within or first if way.islower()]
            best = sorted(small or within, key=lambda way: (low(way).endswith("s") != plural, len(way)))
            if small and low(best[0]).endswith("s") == plural:
                break
        return [(way, not way.islower()) for way in best[:1]]

    def _written(self, term: str, rows: Rows) -> Iterator[tuple[str, bool]]:
        """How passages write a term, of recordings that may be in the question's language."""
        for passage in self.reader.passages(rows):
            recording = self.reader.recording(passage.recording)
            spoken = recording.details.language if recording else None
            if not spoken or spoken.startswith(self.language):
                yield from _written(term, passage.text)


def _written(term: str, text: str) -> Iterator[tuple[str, bool]]:
    """How a term is written in a text, and whether it opens a sentence, so that a capital says nothing."""
    for begin, word in _with_beginning(term[:3], text):
        if terms(word) == [term]:
            yield word, _begins(text, begin)


def _with_beginning(letters: str, text: str) -> Iterator[tuple[int, str]]:
    """The words of a text that begin with some letters, case and accents aside, and where; in a text with
    accents all words."""
    if not text.isascii():
        yield from ((found.start(), found[0]) for found in _LETTERS.finditer(text))
        return
    plain = text.lower()
    at = plain.find(letters)
    while at >= 0:
        if not plain[at - 1 : at].isalpha():
            yield at, _LETTERS.findall(text, at, at + _LONGEST + 2)[0]
        at = plain.find(letters, at + 1)
