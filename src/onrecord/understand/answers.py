"""Which catalogue query a question of a kind is, and what it is asked of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from onrecord.stores.words import STOP
from onrecord.types import Fact, Recording, Scope
from onrecord.understand.catalog_queries import (
    Count,
    Length,
    Mentions,
    Outermost,
    Query,
    Selection,
    Title,
    Values,
    When,
)
from onrecord.understand.intents import KEY, SUBJECT, kinds
from onrecord.understand.lexicon import Messages, Token, lexicon, words
from onrecord.understand.people_queries import Appearances, Companions, RoleHolders, Speakers, Talk
from onrecord.understand.reading import Background, Reading
from onrecord.understand.wishes import Wish, fitting

_OF_WORDS = ("frequency", "first_said", "last_said")
_OF_ONE = ("length", "when", "title", "speakers", "talkative", "values")
_SERIES = ("show", "podcast", "series")
_OF_PEOPLE = ("speakers", "talkative", "appearances", "companions", "roles")


def facts_of(
    kind: str, reading: Reading, wishes: Sequence[Wish], scope: Scope, on: Background, say: Messages
) -> tuple[Fact, ...]:
    """What the catalogue knows of a question of a kind; empty where it does not, so that it is searched."""
    if reading.shape.count(SUBJECT) > (kind in _OF_WORDS):
        return ()
    within = scope.speakers or scope.sections or any(wish.field == "section" for wish in wishes)
    if kind in _OF_PEOPLE and within:
        return ()  # whole recordings tell who speaks, and not their parts
    base = tuple(on.reader.recordings(scope)) if scope else on.catalog.recordings
    if not base:
        return ()
    outermost = kind in ("latest", "oldest")  # "the latest episode" is what is asked for, and no condition
    conditions = [w for w in wishes if w.field != "speaker" and not (outermost and w.field == "recording")]
    chosen = base
    for wish in conditions:
        there = fitting(wish, on.catalog)
        chosen = tuple(r for r in chosen if r.id in there)
    if not conditions and kind in _OF_ONE and len(chosen) > 1:
        chosen = _called(reading, chosen)
    selection = Selection(
        on.catalog, on.reader, say, base, chosen,
        tuple(dict.fromkeys(w.said for w in conditions)),
        any(w.field == "date" for w in conditions),
        _within(scope, conditions),
    )  # fmt: skip
    if not chosen and not conditions:
        return ()
    if not chosen and kind not in _OF_WORDS:
        fact = Count().run(selection)
        return (fact,) if fact else ()
    return tuple(fact for query in _queries(kind, reading, wishes, on) if (fact := query.run(selection)))


def _called(reading: Reading, some: tuple[Recording, ...]) -> tuple[Recording, ...]:
    """Of several recordings those that are called as the question calls the one it means ("the meeting").

    None where it does not say which ("it")."""
    lex = lexicon()
    nouns = [t for t in reading.linked.tokens if t.word in lex.sets["recordings"]]
    if not nouns:
        return () if _has(reading, "it", "this", "that") else some
    if nouns[0].word != nouns[0].text.lower():  # the plural
        return some
    noun = nouns[0].word
    told = {r.id: " ".join((r.title, *r.details.attributes.values())) for r in some}
    return tuple(r for r in some if noun in words(told[r.id])) or some


def _within(scope: Scope, conditions: Sequence[Wish]) -> Scope:
    """The scope in which words are counted."""
    ids = [frozenset(w.values) for w in conditions if w.field == "recording"]
    return replace(scope, recordings=tuple(frozenset.intersection(*ids))) if ids else scope


def _queries(kind: str, reading: Reading, wishes: Sequence[Wish], on: Background) -> Iterator[Query]:
    """The queries of a kind: one, or one for each person that is named."""
    if kind in _OF_WORDS:
        yield from _mentions(kind, reading)
    elif kind in _BY_KIND:
        yield from _BY_KIND[kind](reading, on, _names(reading, wishes))
    else:
        yield Outermost(kind)


def _names(reading: Reading, wishes: Sequence[Wish]) -> list[str]:
    """Those who are named, or were before."""
    own = [m.values[0] for m in reading.linked.mentions if m.field == "speaker" and len(m.values) == 1]
    return own or [name for wish in wishes if wish.field == "speaker" for name in wish.values]


def _has(reading: Reading, *some: str) -> bool:
    return any(token.word in some for token in reading.linked.tokens)


def _counted(reading: Reading, on: Background, names: Sequence[str]) -> Iterator[Query]:
    """How many recordings, of somebody, or how many series."""
    nouns = (t.word for t in reading.linked.tokens[1:] if t.word in lexicon().sets["recordings"])
    noun = next(nouns, "")
    keyed = on.catalog.keys.get(noun) if noun in _SERIES else None
    if names:
        yield from map(Appearances, names)
    else:
        yield Values(keyed, noun) if keyed else Count(noun)


def _talk(reading: Reading, on: Background, names: Sequence[str]) -> Iterator[Query]:
    least = _has(reading, "least", "moin", "moins")
    if names or least or _has(reading, "most", "plus"):
        yield Talk(names[0] if names else "", least)


def _length(reading: Reading, on: Background, names: Sequence[str]) -> Iterator[Query]:
    nouns = [t for t in reading.linked.tokens if t.word in lexicon().sets["recordings"]]
    yield Length(single=any(noun.word == noun.text.lower() for noun in nouns))


def noun_of(token: Token) -> str:
    """A noun as it is shown: in the singular, with its accents."""
    return token.word if token.text.isascii() else token.text.lower()


def _role(reading: Reading, on: Background, names: Sequence[str]) -> Iterator[Query]:
    """Of the role that a question names, or of what its verb says ("hosts")."""
    some = [t.word for t in reading.linked.tokens]
    ways = {*on.catalog.credits, *(way for same in lexicon().same_roles for way in same)}
    for size in range(min(4, len(some)), 0, -1):
        for at in range(len(some) - size + 1):
            phrase = tuple(some[at : at + size])
            if phrase in ways:
                said = [noun_of(t) for t in reading.linked.tokens[at : at + size]]
                yield RoleHolders(phrase, " ".join(said))
                return
    for role in (role for verb, role in lexicon().role_verbs.items() if verb in some):
        yield RoleHolders((role,), role)


def _values(reading: Reading, on: Background, names: Sequence[str]) -> Iterator[Query]:
    for at, sign in sorted(reading.signs.items()):
        if sign == KEY:
            token = reading.linked.tokens[at]
            yield Values(on.catalog.keys[token.word], noun_of(token))
            return


def _mentions(kind: str, reading: Reading) -> Iterator[Query]:
    """Of the words of the subject."""
    known, some = kinds().known, reading.linked.tokens
    subject = [
        t.text
        for at, t in enumerate(some)
        if reading.linked.at(at) is None and not {t.word} & (known | STOP | lexicon().sets["recordings"])
    ]
    if not subject:  # "how often is Kelly mentioned": somebody is the subject
        others = (m for m in reading.linked.mentions if m not in reading.voices)
        subject = [m.said for m in others if m.field not in ("date", "recording")][:1]
    if 0 < len(subject) < 5:
        which = {"first_said": "first", "last_said": "last"}.get(kind, "")
        by_whom = _has(reading, "whom") or "par qui" in reading.linked.text.casefold()
        yield Mentions(" ".join(subject), which, by_whom)


_BY_KIND: Mapping[str, Callable[[Reading, Background, Sequence[str]], Iterator[Query]]] = {
    "count": _counted,
    "list": _counted,
    "appearances": lambda reading, on, names: map(Appearances, names),
    "companions": lambda reading, on, names: map(Companions, names),
    "talkative": _talk,
    "speakers": lambda reading, on, names: iter(
        [Speakers(_has(reading, "many", "combien", "number", "nombre"))]
    ),
    "roles": _role,
    "length": _length,
    "when": lambda reading, on, names: iter([When()]),
    "title": lambda reading, on, names: iter([Title()]),
    "values": _values,
}
