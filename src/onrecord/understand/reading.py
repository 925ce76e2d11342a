"""Reads a question by the catalogue and the examples, with its sides, its parts and the turns before it."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from itertools import pairwise

from onrecord.stores.base import Reader
from onrecord.stores.scope import in_scope
from onrecord.stores.words import STOP
from onrecord.types import Scope
from onrecord.understand.catalog import CatalogIndex
from onrecord.understand.examples import KEY, RECORDING, SIGNS, SUBJECT, WHERE, Guess, Shape, mask, sign_of
from onrecord.understand.intents import (
    ACTS,
    CATALOGUE,
    COURTESY,
    PLAIN,
    SURE,
    WITHOUT_SUBJECT,
    asking_words,
    frame_words,
    kinds,
    part_of,
)
from onrecord.understand.lexicon import Token, lexicon, tokens
from onrecord.understand.linking import link
from onrecord.understand.mentions import Linked, Mention, by_title_words

PEOPLE = ("speaker", "role")
MOST_READ = 1000
"""Characters of a question that are held against the catalogue; all of it is searched for."""


@dataclass(frozen=True)
class Background:
    """What questions are read by: the catalogue, the store, the day, and what the user set or removed."""

    catalog: CatalogIndex
    reader: Reader
    today: date
    without: Collection[str]
    strategies: Collection[str]
    given: Scope
    readings: dict[str, Reading] = field(default_factory=dict, repr=False, compare=False)
    """Earlier readings, by the text."""

    @cached_property
    def within(self) -> frozenset[str]:
        """The ids of the recordings in the scope that was given."""
        whole = replace(self.given, speakers=(), sections=())
        if not whole:
            return frozenset(self.catalog.by_id)
        return frozenset(r.id for r in self.catalog.recordings if in_scope(r, whole))


@dataclass(frozen=True)
class Reading:
    """One question: what it mentions, its shape, and the kind of that shape.

    `voices` are the people whose words are asked for, `excepted` those whose words are not, `present` those
    whose recordings are, and `replies` the languages to answer in. `asked` is the question that says what is
    asked, where this one only goes on with it: "Who hosts episode 41?" for "And 42?"."""

    linked: Linked
    signs: Mapping[int, str]
    shape: Shape
    guess: Guess
    voices: tuple[Mention, ...] = ()
    excepted: tuple[Mention, ...] = ()
    present: tuple[Mention, ...] = ()
    replies: tuple[Mention, ...] = ()
    asked: Reading | None = None


def clean(text: str) -> str:
    """A text as one line without control characters, once where it was pasted twice."""
    words = unicodedata.normalize("NFC", text).replace("\x00", " ").split()
    bare = [word.strip("?!.,;").casefold() for word in words]
    half = len(words) // 2
    twice = half > 1 and bare[:half] == bare[half:]
    return " ".join(words[:half] if twice else words)


def read(text: str, background: Background) -> Reading:
    """What one question mentions and of what kind it is, by itself."""
    if text in background.readings:
        return background.readings[text]
    catalog, asking = background.catalog, asking_words()
    linked = link(clean(text)[:MOST_READ], catalog, background.reader, background.today, asking)
    best = _guess(linked, catalog)
    named = by_title_words(linked, catalog, asking)
    if best.guess.likeness < 1.0 and len(named.mentions) > len(linked.mentions):
        other = _guess(named, catalog)
        if other.guess.kind in _OF_RECORDINGS and other.guess.likeness >= max(SURE, best.guess.likeness):
            best = other
    beside: list[tuple[Mention, ...]] = []
    parts: defaultdict[str, tuple[Mention, ...]] = defaultdict(tuple)
    excepting = lexicon().sets["excepting"]
    for together in _together(best.linked):
        field, places = together[0].field, range(together[0].first, together[-1].last + 1)
        if field == "recording" and len(together) > 1:
            beside.append(together)
        topic = "person" if field in PEOPLE else field
        if topic in ("person", "language"):
            part = part_of(topic, best.linked.tokens, best.signs, places)
            excepts = together[0].first and best.linked.tokens[together[0].first - 1].word in excepting
            parts[part if excepts or part != "excepted" else ""] += together
    background.readings[text] = replace(
        best,
        linked=_equally_exact(best.linked, beside) if beside else best.linked,
        voices=parts["voice"],
        excepted=parts["excepted"],
        present=parts["presence"],
        replies=parts["reply"],
    )
    return background.readings[text]


_OF_RECORDINGS = (*ACTS, "overview", "when", "speakers", "roles")
"""Kinds of questions about a recording, which may be named by a word of its title."""

_SIGNS = frozenset((*SIGNS.values(), RECORDING))


def _guess(linked: Linked, catalog: CatalogIndex) -> Reading:
    """The kind of a question with these mentions, and the shape by which it is of that kind."""
    examples, asking, signs = kinds(), asking_words(), _signs(linked, catalog)
    opens = any(mention.field == "recording" for mention in linked.operators)  # a link, or an operator
    where = (WHERE,) * opens
    chosen, shape, guess = signs, Shape(), Guess("search", -1.0)
    for masking in _maskings(linked, signs, catalog):
        plain = mask(linked.tokens, masking, asking) + where
        any_wording = mask(linked.tokens, masking, examples.known) + where
        says_nothing = _SIGNS.issuperset(plain)
        likely = examples.vote(plain, WITHOUT_SUBJECT if SUBJECT in plain else COURTESY, PLAIN)
        if any_wording != plain and (says_nothing or likely.likeness < 1.0):
            other = examples.vote(any_wording, COURTESY, PLAIN)
            if says_nothing or other.likeness >= min(SURE, likely.likeness):
                likely = other
        if likely.likeness > guess.likeness:
            chosen, shape, guess = masking, plain, likely
    signs |= {at: sign for at, sign in chosen.items() if sign == KEY}
    if shape != guess.example:
        shape = mask(linked.tokens, chosen, asking.union(guess.example)) + where
    return Reading(linked, signs, shape, guess)


def _maskings(linked: Linked, signs: dict[int, str], catalog: CatalogIndex) -> Iterator[dict[int, str]]:
    """The signs of a question in every way in which examples may have it.

    "The latest episode" and "the host" are read as they are written, and as a recording and a person; "show"
    as a recording, and as an attribute. A role that no example names is only a person."""
    lex, asking = lexicon(), asking_words()
    literal = dict(signs)
    for mention in linked.mentions:
        outermost = any(linked.tokens[mention.first].word in words for words in lex.ends.values())
        as_written = all(linked.tokens[at].word in asking for at in mention.places)
        if (mention.field == "role" and as_written) or (mention.field == "recording" and outermost):
            for at in mention.places:
                literal.pop(at, None)
    if literal != signs:
        yield literal
    yield signs
    keyed = dict(signs)
    for at, token in enumerate(linked.tokens):
        if token.word in lex.sets["recordings"] and token.word in catalog.attributes.keys:
            keyed.setdefault(at, KEY)
    if keyed != signs:
        yield keyed


def _signs(linked: Linked, catalog: CatalogIndex) -> dict[int, str]:
    """The sign of every word of a mention, and of names of attributes."""
    signs: dict[int, str] = {}
    recordings, known = lexicon().sets["recordings"], asking_words()
    for at, token in enumerate(linked.tokens):
        mention = linked.at.get(at)
        if mention is not None:
            signs[at] = sign_of(mention.field)
        elif (
            token.word in catalog.attributes.keys and token.word not in known and token.word not in recordings
        ):
            signs[at] = KEY
    return signs


def _equally_exact(linked: Linked, beside: Iterable[Sequence[Mention]]) -> Linked:
    """A question whose recordings side by side are exact where one of them is: none excludes the other."""
    exact = {
        mention: replace(mention, exact=True)
        for together in beside
        if any(m.exact for m in together) and not any(m.near for m in together)
        for mention in together
    }
    mentions = tuple(exact.get(mention, mention) for mention in linked.mentions)
    return replace(linked, mentions=mentions, at={at: m for m in mentions for at in m.places})


def _together(linked: Linked) -> Iterator[tuple[Mention, ...]]:
    """The mentions; people who are joined as one, since they have one part ("Ann, Bo and Cleo"), and
    recordings that are."""
    joined: tuple[Mention, ...] = ()
    for mention in linked.mentions:
        alike = (
            bool(joined) and mention.field == joined[-1].field and mention.field in ("speaker", "recording")
        )
        if joined and not (alike and _are_joined(linked, joined[-1], mention)):
            yield joined
            joined = ()
        joined += (mention,)
    if joined:
        yield joined


def without_excepted(reading: Reading) -> Reading:
    """A question without those whose words are not asked for, and without the words that except them: what
    is left of "who speaks of salt besides Ann" is asked of everybody."""
    linked, excepting = reading.linked, lexicon().sets["excepting"]
    first, last = reading.excepted[0].first, reading.excepted[-1].last
    while first and linked.tokens[first - 1].word in excepting:
        first -= 1
    kept = [at for at in range(len(linked.tokens)) if not first <= at <= last]
    left = replace(
        linked,
        tokens=tuple(linked.tokens[at] for at in kept),
        at={n: linked.at[at] for n, at in enumerate(kept) if at in linked.at},
    )
    signs = {n: reading.signs[at] for n, at in enumerate(kept) if at in reading.signs}
    return replace(reading, linked=left, signs=signs)


def like_a_name(linked: Linked, at: int) -> bool:
    """Whether a word is written as a name, and is no word that only asks."""
    token = linked.tokens[at]
    if not token.text[0].isupper() or (at == 0 and token.word in asking_words()):
        return False
    return not (token.word in STOP or token.word in lexicon().sets["recordings"] or token.word.isdigit())


def own_words(linked: Linked) -> list[Token]:
    """The words of the subject of a question: none of a mention, and no word that only asks."""
    sets = lexicon().sets
    asking = STOP | sets["pronouns"] | sets["recordings"] | sets["prepositions"]
    return [
        token
        for at, token in enumerate(linked.tokens)
        if at not in linked.at
        and len(token.word) > 1
        and asking.isdisjoint((token.word, token.text.casefold()))
    ]


def subject_of(linked: Linked) -> str:
    """The words of a question's subject, as they are written, and of what may be the name of a recording."""
    own = [token for token in own_words(linked) if token.word not in asking_words()]
    near = [
        linked.tokens[at]
        for at, mention in linked.at.items()
        if mention.near and mention.field == "recording"
    ]
    return " ".join(token.text for token in sorted((*own, *near), key=lambda token: token.begin))


def searched_with(text: str, subject: str) -> str:
    """A question behind those words of the subject before it that it lacks."""
    have = {token.word for token in tokens(text)}
    more = [token.text for token in tokens(subject) if token.word not in have]
    return " ".join((*more, text))


_BETWEEN_SIDES = frozenset(("what", "ce", "que", "for", "in"))
Span = tuple[int, int]
"""The first and the last token of a side."""


def sides_of(reading: Reading, comparing: bool) -> tuple[tuple[str, str], ...]:
    """The words for each side, and the question with those of the others left out; empty without sides.

    Sides are mentions of one field beside one another; of people, those whose words are asked for. Where a
    question compares, they may also be what stands around a joining word, or mentions that stand apart.
    What one person says of two things is one subject: "What did Ann say about salt versus pepper?"."""
    linked, apart = reading.linked, list[Span]()
    for name in dict.fromkeys(mention.field for mention in linked.mentions):
        some = reading.voices if name == "speaker" else linked.mentions
        beside = [mention for mention in some if mention.field == name]
        spans = [(mention.first, mention.last) for mention in beside]
        if len(beside) > 1 and all(_are_joined(linked, *two) for two in pairwise(beside)):
            return _queries(linked, spans)
        apart = apart or (spans if len({mention.values for mention in beside}) > 1 else [])
    joined = [] if _compares_itself(reading) else _around_join(linked, reading.signs)
    return (_queries(linked, joined) or _queries(linked, apart)) * comparing


def _compares_itself(reading: Reading) -> bool:
    """Whether it is one person who compares, and not the question: nothing asks to compare what they say."""
    if len(reading.voices) != 1:
        return False
    before = {token.word for token in reading.linked.tokens[: reading.voices[0].first]}
    return before.isdisjoint(frame_words("comparison") - frame_words("search") - lexicon().sets["beside"])


def _are_joined(linked: Linked, one: Mention, other: Mention) -> bool:
    """Whether nothing but joining words stands between two mentions."""
    lex = lexicon()
    between = frozenset(token.word for token in linked.tokens[one.last + 1 : other.first])
    comma = "," in linked.text[linked.tokens[one.last].end : linked.tokens[other.first].begin]
    if not comma and between.isdisjoint(lex.sets["joins"]):
        return False
    return between <= lex.sets["joins"] | lex.sets["articles"] | _BETWEEN_SIDES


def _around_join(linked: Linked, signs: Mapping[int, str]) -> list[Span]:
    """The runs of words right before and behind the first joining word that has some on both sides."""
    lex, frames = lexicon(), frame_words("comparison")

    def own(at: int) -> bool:
        word = linked.tokens[at].word
        free = word not in frames and word not in STOP and word not in lex.sets["joins"]
        return at in signs or free or word in lex.sets["articles"] or word in ("of", "de")

    def apart(at: int) -> bool:
        return "," in linked.text[linked.tokens[at].end : linked.tokens[at + 1].begin]

    for at, token in enumerate(linked.tokens):
        if token.word not in lex.sets["beside"]:
            continue
        first = last = at
        while first > 0 and own(first - 1) and not apart(first - 1):
            first -= 1
        while last + 1 < len(linked.tokens) and own(last + 1) and not apart(last):
            last += 1
        sides = [(first, at - 1), (at + 1, last)]
        if all(
            any(token.word not in lex.sets["articles"] for token in linked.tokens[begin : end + 1])
            for begin, end in sides
        ):
            return sides
    return []


def _queries(linked: Linked, spans: Sequence[Span]) -> tuple[tuple[str, str], ...]:
    """The words of each span, and the question with them in the place of all.

    What a question says of its subject between two sides is asked of each: "Compare what Ann says about salt
    with what Bob says" asks what Bob says about salt."""
    if len(spans) < 2:
        return ()
    names = [linked.text[linked.tokens[first].begin : linked.tokens[last].end] for first, last in spans]
    before = linked.text[: linked.tokens[spans[0][0]].begin]
    after = linked.text[linked.tokens[spans[-1][1]].end :]
    content = _content(linked)
    outside = {linked.tokens[at].word for at in content if not spans[0][0] <= at <= spans[-1][1]}
    between = ""
    for (_, left), (right, _) in pairwise(spans):
        own = [at for at in content if left < at < right and linked.tokens[at].word not in outside]
        between += linked.text[linked.tokens[left].end : linked.tokens[own[-1]].end] if own else ""
    if between:
        after = between + after if any(at > spans[-1][1] for at in content) else between
    return tuple((name, before + name + after) for name in names)


def _content(linked: Linked) -> list[int]:
    """The places of the words that say what a question is about, also of what it mentions."""
    sets = lexicon().sets
    asking = asking_words() | STOP | sets["prepositions"] | sets["joins"] | sets["pronouns"]
    return [at for at, token in enumerate(linked.tokens) if at in linked.at or token.word not in asking]


_MOST, _LONGEST, _ALIKE = 5, 25, 0.55


def split_questions(text: str, background: Background) -> Sequence[str]:
    """The questions of a text that consists of several short ones; empty where it is searched as a whole.

    Each is known without a search, or else of a kind that an example shows. Those of which one is like no
    example stay together, and so does one that goes on from the question before, unless either is known
    without a search. What is asked twice is asked once."""
    said = re.split(r"(?<=\?)\s+", re.sub(r"\?+", "?", text).strip())
    if len(said) > 2 * _MOST or any(len(one.split()) > _LONGEST for one in said):
        return ()
    if len(said) > 1 and not all(part.endswith("?") for part in said):
        return ()
    said = [clause for one in said for clause in _clauses(one, background)]
    said = list({re.sub(r"\W+", " ", one.casefold()): one for one in reversed(said)}.values())[::-1]
    guesses = [read(one, background).guess for one in said]
    alike = all(each.likeness >= _ALIKE for each in guesses)
    parts: list[str] = []
    for one, each, before in zip(said, guesses, [None, *guesses], strict=False):
        known = _is_known(each) or (before is not None and _is_known(before))
        if parts and not known and (each.kind == "followup" or not alike):
            parts[-1] = f"{parts[-1]} {one}"
        else:
            parts.append(one)
    return parts if 1 < len(parts) <= _MOST else ()


def _is_known(guess: Guess) -> bool:
    """Whether a question is of a kind that the catalogue answers."""
    return guess.kind in CATALOGUE and guess.likeness >= SURE


def _clauses(text: str, background: Background) -> list[str]:
    """The two questions around an "and", where the catalogue knows both; else the one as it is."""
    whole = read(text, background)
    joins = lexicon().sets["continuing"]
    for at, token in enumerate(whole.linked.tokens if whole.guess.likeness < 1 else ()):
        if at and token.word in joins and at not in whole.linked.at:
            one, other = text[: token.begin].rstrip(" ,"), text[token.end :].lstrip()
            if other and all(_is_known(read(each, background).guess) for each in (one, other)):
                return [f"{one}?", other]
    return [text]
