"""Readings of questions: mentions, kind, the sides of a comparison, separate questions and typos."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cache, cached_property
from itertools import pairwise, zip_longest

from onrecord.models.base import Vocabulary
from onrecord.stores.base import Snapshot
from onrecord.stores.scope import in_scope
from onrecord.stores.words import STOP, fold, singular
from onrecord.types import Filter, Question, Scope
from onrecord.understand.catalog import CatalogIndex, catalog_of
from onrecord.understand.intents import (
    FIELD_SIGNS,
    KEY,
    KINDS,
    PLAIN,
    RECORDING,
    SIGNS,
    SUBJECT,
    SURE,
    WHERE,
    WITHOUT_SUBJECT,
    Guess,
    Kind,
    Shape,
    asking_words,
    connections,
    frame_words,
    kinds,
    language_of,
    mask,
    part_of,
    without_preamble,
)
from onrecord.understand.lexicon import Messages, Token, lexicon, messages_in
from onrecord.understand.linking import PEOPLE, Linked, Mention, link

MOST_READ = 1000
"""Maximum number of characters of a question that are compared with the catalog.

The search uses the whole question."""


@dataclass(frozen=True)
class Background:
    """What questions are planned with: catalog, store, date, messages, and the user's settings.

    `without` are the fields of filters that the user removed, `given` is the scope that the user set."""

    catalog: CatalogIndex
    reader: Snapshot
    today: date
    without: Collection[str] = ()
    strategies: Collection[str] = ()
    given: Scope = field(default_factory=Scope)
    messages: Messages = field(default_factory=lambda: messages_in(None))
    _readings: dict[str, Reading] = field(default_factory=dict, repr=False, compare=False)
    """A cache of readings, by the text of the question."""

    def read(self, text: str) -> Reading:
        """Read one question by itself, without the turns before it, and cache the reading."""
        if text not in self._readings:
            self._readings[text] = _with_roles(self._surest(clean(text)[:MOST_READ]))
        return self._readings[text]

    def _surest(self, text: str) -> Reading:
        """Return the reading of a question, without its courtesies if its kind is then surer."""
        reading = _guess(text, self)
        core = without_preamble(reading.linked.tokens)
        if core in ("", text):
            return reading
        bare = _guess(core, self)
        surer = bare.guess.likeness > reading.guess.likeness and bare.guess.kind not in PLAIN
        return bare if surer else reading

    @cached_property
    def within(self) -> frozenset[str]:
        """The ids of the recordings in the given scope."""
        whole = replace(self.given, speakers=(), sections=())
        if not whole:
            return frozenset(self.catalog.by_id)
        return frozenset(r.id for r in self.catalog.recordings if in_scope(r, whole))


@dataclass(frozen=True)
class Reading:
    """The reading of one question: its mentions, its shape and its kind.

    `signs` maps a token position to its sign in the shape. The question asks for the words of `voices`
    (and of others, for their `deeds`), without those `excepted`, for the recordings of those `present`, and
    for an answer in the languages `replies`. No example tells what it asks of the `unplaced`. `asked` is the
    earlier question that a follow-up continues."""

    linked: Linked
    signs: Mapping[int, str]
    shape: Shape
    guess: Guess
    voices: tuple[Mention, ...] = ()
    deeds: tuple[Mention, ...] = ()
    excepted: tuple[Mention, ...] = ()
    present: tuple[Mention, ...] = ()
    unplaced: tuple[Mention, ...] = ()
    replies: tuple[Mention, ...] = ()
    asked: Reading | None = None

    @property
    def kind(self) -> Kind:
        """The kind that the question resembles most, however little."""
        return KINDS[self.guess.kind]

    @property
    def people(self) -> tuple[Mention, ...]:
        """The mentions of people in the question."""
        return tuple(mention for mention in self.linked.mentions if mention.field in PEOPLE)


def clean(text: str) -> str:
    """Return a text as one NFC-normalized line, without NUL characters or repeated whitespace."""
    return " ".join(unicodedata.normalize("NFC", text).replace("\x00", " ").split())


def _with_roles(reading: Reading) -> Reading:
    """Return a reading with the roles of people and languages in the question."""
    parts: defaultdict[str, tuple[Mention, ...]] = defaultdict(tuple)
    mentions, together = reading.linked.mentions, tuple[Mention, ...]()
    for mention, following in zip_longest(mentions, mentions[1:]):
        together += (mention,)
        speak = following and mention.field == following.field == "speaker"
        if speak and _are_joined(reading.linked, mention, following):
            continue  # joined people have the same role in the question: "Ann, Bo and Cleo"
        topic = "person" if mention.field in PEOPLE else mention.field
        if topic in ("person", "language"):
            places = range(together[0].first, mention.last + 1)
            parts[part_of(topic, reading.linked.tokens, reading.signs, places)] += together
        together = ()
    return replace(
        reading,
        voices=parts["voice"] + parts["deed"],
        deeds=parts["deed"],
        excepted=parts["excepted"],
        present=parts["presence"],
        unplaced=parts[""],
        replies=parts["reply"],
    )


_SIGNS = frozenset((*SIGNS.values(), RECORDING))


def _guess(text: str, background: Background) -> Reading:
    """Return the reading of a question: its mentions, its kind and the shape that determines it."""
    examples, asking, catalog = kinds(), asking_words(), background.catalog
    linked = link(text, catalog, background.reader, background.today, asking)
    keys, no_keys = catalog.attributes.keys, asking | lexicon().recordings
    signs = {at: KEY for at, word in enumerate(linked.tokens.words) if word in keys and word not in no_keys}
    signs |= {at: FIELD_SIGNS.get(mention.field, WHERE) for at, mention in linked.at.items()}
    literal = {at for at, mention in linked.at.items() if _is_literal(mention, linked)}
    shown = {at: sign for at, sign in signs.items() if at not in literal}
    opens = any(mention.field == "recording" for mention in linked.operators)  # a link, or an operator
    where = (WHERE,) * opens
    shape = mask(linked.tokens, shown, asking) + where
    any_wording = mask(linked.tokens, shown, examples.known) + where
    says_nothing = _SIGNS.issuperset(shape)
    guess = examples.vote(shape, WITHOUT_SUBJECT if SUBJECT in shape else (), PLAIN)
    if any_wording != shape and (says_nothing or guess.likeness < 1.0):
        other = examples.vote(any_wording, plain=PLAIN)
        if says_nothing or other.likeness >= min(SURE, guess.likeness):
            guess = other
    if shape != guess.example:
        shape = mask(linked.tokens, shown, asking.union(guess.example)) + where
    return Reading(linked, signs, shape, guess)


def _is_literal(mention: Mention, linked: Linked) -> bool:
    """Check whether examples have the words of a mention: "the latest episode", "the host"."""
    words = linked.tokens.words[mention.first : mention.last + 1]
    outermost = any(words[0] in some for some in lexicon().ends.values())
    by_role = mention.field == "role" and asking_words().issuperset(words)
    return by_role or (mention.field == "recording" and outermost)


def without_excepted(reading: Reading, background: Background) -> Reading:
    """Return the reading of a question without its excepted people: "who speaks of salt besides Ann"."""
    if not reading.excepted:
        return reading
    text, words = reading.linked.text, reading.linked.tokens
    first, last = reading.excepted[0].first, reading.excepted[-1].last
    while first and words[first - 1].word in lexicon().excepting:
        first -= 1
    return background.read(text[: words[first].begin] + text[words[last].end :])


def unknown_names(linked: Linked) -> list[range]:
    """Return the positions of adjacent capitalized words that belong to no mention and do not ask."""
    names: list[range] = []
    no_names, openers = STOP | lexicon().recordings, asking_words() | lexicon().excepting
    for at, token in enumerate(linked.tokens):
        asks = token.word in no_names or token.word.isdigit() or (at == 0 and token.word in openers)
        if at in linked.at or asks or not token.text[0].isupper():
            continue
        goes_on = bool(names) and names[-1].stop == at
        names.append(range(names.pop().start if goes_on else at, at + 1))
    return names


def own_words(linked: Linked) -> list[Token]:
    """Return a question's own words: no mentions, stop words, pronouns, prepositions or recording words."""
    lex = lexicon()
    asking = STOP | lex.pronouns | lex.recordings | lex.prepositions
    return [
        token
        for at, token in enumerate(linked.tokens)
        if at not in linked.at
        and len(token.word) > 1
        and asking.isdisjoint((token.word, token.text.casefold()))
    ]


def subject_of(linked: Linked) -> str:
    """Return the words of a question's subject as written, including near mentions of recordings."""
    own = [token for token in own_words(linked) if token.word not in asking_words()]
    near = [
        linked.tokens[at]
        for at, mention in linked.at.items()
        if mention.near and mention.field == "recording"
    ]
    return " ".join(token.text for token in sorted((*own, *near), key=lambda token: token.begin))


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a comparison: its name, the question about it alone, and the ids of its recordings."""

    name: str
    query: str
    recordings: tuple[str, ...] = ()


_BETWEEN_SIDES = frozenset(("what", "ce", "que", "for", "in"))
Span = tuple[int, int]
"""The positions of the first and the last token of a side."""


def sides_of(reading: Reading, comparing: bool) -> tuple[Side, ...]:
    """Return the sides that a question compares, each with a query; empty if it has none.

    Sides are joined mentions of one field. People count only if the question asks for their words. In a
    comparison, the sides may also be the words around a joining word, unless one person speaks about both, or
    mentions that stand apart."""
    linked, apart = reading.linked, list[Span]()
    for name in dict.fromkeys(mention.field for mention in linked.mentions):
        some = reading.voices if name == "speaker" else linked.mentions
        beside = [mention for mention in some if mention.field == name]
        spans = [(mention.first, mention.last) for mention in beside]
        if len(beside) > 1 and all(_are_joined(linked, *two) for two in pairwise(beside)):
            return _queries(linked, spans)
        apart = apart or (spans if len({mention.values for mention in beside}) > 1 else [])
    if not comparing:
        return ()
    joined = [] if len(reading.voices) == 1 else _around_join(linked, reading.signs)
    return _queries(linked, joined) or _queries(linked, apart)


def _are_joined(linked: Linked, one: Mention, other: Mention) -> bool:
    """Check whether two mentions are joined by a joining word or a comma, with nothing else between them."""
    lex = lexicon()
    between = frozenset(token.word for token in linked.tokens[one.last + 1 : other.first])
    comma = "," in linked.tokens.between(one.last, other.first)
    if not comma and between.isdisjoint(lex.joins):
        return False
    return between <= lex.joins | lex.articles | _BETWEEN_SIDES


def _around_join(linked: Linked, signs: Mapping[int, str]) -> list[Span]:
    """Return the spans directly before and after the first joining word that has words on both sides."""
    lex, frames = lexicon(), frame_words("comparison")

    def own(at: int) -> bool:
        word = linked.tokens[at].word
        free = word not in frames and word not in STOP and word not in lex.joins
        return at in signs or free or word in lex.articles or word in ("of", "de")

    for at, token in enumerate(linked.tokens):
        if token.word not in lex.beside:
            continue
        first = last = at
        while first > 0 and own(first - 1):
            first -= 1
        while last + 1 < len(linked.tokens) and own(last + 1):
            last += 1
        sides = [(first, at - 1), (at + 1, last)]
        if first < at < last:
            return sides
    return []


def _queries(linked: Linked, spans: Sequence[Span]) -> tuple[Side, ...]:
    """Return a side for each span, with the question rewritten for this side alone.

    Words about the subject between two sides apply to each side: "Compare what Ann says about salt with
    what Bob says" also asks what Bob says about salt."""
    if len(spans) < 2:
        return ()
    names = [linked.tokens.said(first, last) for first, last in spans]
    before = linked.text[: linked.tokens[spans[0][0]].begin]
    after = linked.text[linked.tokens[spans[-1][1]].end :]
    own = {token for token in own_words(linked) if token.word not in asking_words()}
    content = [at for at, token in enumerate(linked.tokens) if at in linked.at or token in own]
    outside = {linked.tokens[at].word for at in content if not spans[0][0] <= at <= spans[-1][1]}
    between = ""
    for (_, left), (right, _) in pairwise(spans):
        more = [at for at in content if left < at < right and linked.tokens[at].word not in outside]
        between += linked.text[linked.tokens[left].end : linked.tokens[more[-1]].end] if more else ""
    if between:
        after = between + after if any(at > spans[-1][1] for at in content) else between
    return tuple(Side(name, before + name + after) for name in names)


_MOST, _LONGEST = 5, 10
"""Questions in one text, and words of each. Longer ones are mostly about one thing."""


def split_questions(text: str) -> Sequence[str]:
    """Split a text of at most 5 questions, each of at most 10 words, into its distinct questions."""
    parts = dict.fromkeys(re.split(r"(?<=\?)\s+", re.sub(r"\?+", "?", text)))
    several = len(parts) <= _MOST and all(one.endswith("?") and len(one.split()) <= _LONGEST for one in parts)
    return tuple(parts) if several else (text,)


# ---------------------------------------------------------------- typos

_SHORTEST = 5
"""Minimum number of letters of a word that is corrected.

Without a vocabulary, a word of this length is corrected only to one of the example questions. With one, the
first word may be shorter: it is corrected to a function word that example questions begin with.
"""
_MANY = 10
"""Minimum number of example questions that begin with a word to which a shorter one is corrected."""
_LANGUAGES = frozenset(("en", "fr"))
_MOST_CHECKED = 8
"""Maximum number of words of a question that are checked for typos."""
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_QUOTED = re.compile('["«“][^"«»“”]*["»”]|(?<!\\S)\\S*[/@:.]\\S+')
_ENDINGS = ("ing", "ed", "er", "ly", "ness")
"""Endings of inflected forms; a vocabulary has the word without the ending, or with an "e" instead."""


@dataclass(frozen=True, slots=True)
class Corrected:
    """The corrected words of a question, by the words as typed."""

    words: Mapping[str, str]

    def notes(self, language: str | None, filters: Sequence[Filter] = ()) -> Iterator[str]:
        """Yield a note for each correction that no filter already shows."""
        say = messages_in(language)
        for typed, word in self.words.items():
            if fold(word) not in STOP and not any(typed in condition.said for condition in filters):
                yield say.say("misspelt", said=say.quoted(typed), word=say.quoted(word))


def corrected(
    question: Question, reader: Snapshot, vocabulary: Vocabulary | None
) -> tuple[Question, Corrected | None]:
    """Return the question with its typos corrected, and the corrections; None if there are none.

    Corrections are words that somebody in the archive says, or question words. Only questions in English or
    French are corrected; if recordings are in either language, the question must be in one of these."""
    head, tail = question.text[:MOST_READ], question.text[MOST_READ:]
    catalog = catalog_of(reader)
    known = catalog.languages & _LANGUAGES or _LANGUAGES
    if (question.hints.language or language_of(head)) not in known:
        return question, None
    typed = {word: fold(word) for word in _strange_words(head)}
    if not typed:
        return question, None
    known_forms = (reader.heard(typed.values()), catalog.people.name_parts, catalog.title_words)
    unheard = [(word, form) for word, form in typed.items() if not any(form in each for each in known_forms)]
    words: dict[str, str] = {}
    for word, form in unheard[:_MOST_CHECKED]:
        if vocabulary and _is_word(form, vocabulary):
            continue
        correction = _correction(form, reader)
        sure = len(form) > _SHORTEST or (len(form) == _SHORTEST and correction in kinds().known)
        if correction and (vocabulary or sure):
            words[word] = correction.capitalize() if word[0].isupper() else correction
            head = re.sub(rf"\b{re.escape(word)}\b", words[word], head)
    return (replace(question, text=head + tail), Corrected(words)) if words else (question, None)


def _strange_words(text: str) -> Iterator[str]:
    """Yield the longer words of a text, and its first, that are unknown, and no names, quotes or addresses.

    Known words occur in the lexicon or in the example questions."""
    quoted = [match.span() for match in _QUOTED.finditer(text)]
    for match in _WORD.finditer(text):
        word, begin = match[0], match.start()
        as_name = not word.islower() and not (begin == 0 and word[1:].islower())
        if (
            len(word) < (_SHORTEST if begin else 2)
            or as_name
            or any(opens <= begin < ends for opens, ends in quoted)
        ):
            continue
        base = singular(fold(word))
        known = base in lexicon().words or base in kinds().known or base in connections().known
        if fold(word) not in STOP and not known:
            yield word


def _is_word(word: str, vocabulary: Vocabulary) -> bool:
    """Check whether a word, its singular or its stem is in the vocabulary."""
    stems = (word.removesuffix(ending) for ending in _ENDINGS if word.endswith(ending))
    forms = (form for stem in stems if len(stem) > 3 for form in (stem, f"{stem}e"))
    return any(map(vocabulary.has_word, (word, singular(word), *forms)))


def _correction(word: str, reader: Snapshot) -> str:
    """Return the only known word one edit away; "" if there is none, or several, or if it is a name.

    A swap of two adjacent letters is one edit, and any doubled letters are. Both words begin and end with the
    same letter, or with the letter beside it."""
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    base = singular(word)
    said = frozenset[str]().union(*(reader.beginning(letter) for letter in {word[0], word[1]}))
    # a question word that is no longer needs the same letters: "comité" is not "compte", "droits" not "doit"
    asking = {each for each in asking_words() if len(each) > len(word) or set(each) == set(word)}
    known = sorted(
        each
        for each in ({*said, *asking, *lexicon().months} if len(word) >= _SHORTEST else _openings())
        if each.isalpha()
        and len(each) > 1
        and _ends_alike(base, each)
        and _ends_alike(base[::-1], each[::-1])
    )
    near = [each for each in known if _squeeze(each) == _squeeze(base)]
    near = near or [each[0] for each in process.extract(base, known, scorer=OSA.distance, score_cutoff=1)]
    if len(near) != 1 or near[0] in catalog_of(reader).people.name_parts:
        return ""
    return f"{near[0]}s" if word.endswith("s") and not near[0].endswith("s") else near[0]


@cache
def _openings() -> frozenset[str]:
    """Return the function words that many example questions begin with: "what", "which", "qui"."""
    first = Counter(shape.partition(" ")[0] for shape in kinds().shapes)
    return STOP & {word for word, count in first.items() if count >= _MANY}


def _ends_alike(one: str, other: str) -> bool:
    """Check whether two words begin with the same letter, or with the same two letters swapped."""
    return one[0] == other[0] or one[:2] == other[1::-1]


def _squeeze(word: str) -> str:
    """Return a word with each doubled letter as a single letter."""
    return re.sub(r"(.)\1", r"\1", word)
