"""Which catalogue query a question of a kind is, and what it is asked of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from onrecord.stores.scope import in_scope
from onrecord.stores.words import STOP
from onrecord.types import Fact, Recording, Scope
from onrecord.understand.catalog_queries import (
    Appearances,
    Companions,
    Count,
    Length,
    Mentions,
    Outermost,
    Query,
    RoleHolders,
    Selection,
    Speakers,
    Talk,
    Title,
    Values,
    When,
)
from onrecord.understand.intents import KEY, SUBJECT, kinds
from onrecord.understand.lexicon import lexicon
from onrecord.understand.messages import Messages
from onrecord.understand.tokens import Token, words

if TYPE_CHECKING:
    from onrecord.understand.planner import Background, Reading, Wish

_OF_WORDS = ("frequency", "first_said", "last_said")
_OF_ONE = ("length", "when", "title", "speakers", "talkative", "values")
_OF_PEOPLE = ("speakers", "talkative", "appearances", "companions", "roles")


def facts_of(
    kind: str, reading: Reading, wishes: Sequence[Wish], scope: Scope, on: Background, say: Messages
) -> tuple[Fact, ...]:
    """What the catalogue knows of a question of a kind; empty where it does not, so that it is searched."""
    from onrecord.understand.planner import fitting

    if reading.shape.count(SUBJECT) > (kind in _OF_WORDS):
        return ()
    if kind in _OF_PEOPLE and (scope.speakers or scope.sections):
        return ()
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
    """Of several recordings those that are called as the question calls the one it means ("the meeting"); none
    where it does not say which ("it")."""
    lex = lexicon()
    nouns = [t for t in reading.linked.tokens if t.word in lex.sets["recordings"]]
    if not nouns:
        return () if any(t.word in lex.sets["pronouns"] for t in reading.linked.tokens) else some
    if nouns[0].word != nouns[0].text.lower():  # the plural
        return some
    having = tuple(r for r in some if nouns[0].word in words(" ".join((r.title, *r.details.attributes.values()))))
    return having or some


def _within(scope: Scope, conditions: Sequence[Wish]) -> Scope:
    """The scope in which words are counted."""
    ids = [frozenset(w.values) for w in conditions if w.field == "recording"]
    return Scope(recordings=tuple(frozenset.intersection(*ids)) if ids else scope.recordings, speakers=scope.speakers,
                 since=scope.since, until=scope.until, languages=scope.languages, sections=scope.sections,
                 attributes=scope.attributes)


def _queries(kind: str, reading: Reading, wishes: Sequence[Wish], on: Background) -> Iterator[Query]:
    """The queries of a kind: one, or one for each person that is named."""
    people = [m for m in reading.linked.mentions if m.field == "speaker" and len(m.values) == 1]
    names = [m.values[0] for m in people] or [v for w in wishes if w.field == "speaker" for v in w.values]
    tokens = reading.linked.tokens
    noun = next((t.word for t in tokens[1:] if t.word in lexicon().sets["recordings"]), "")
    if kind in ("count", "list"):
        keyed = on.catalog.keys.get(noun) if noun in ("show", "podcast", "series") else None
        if names:
            yield from (Appearances(name) for name in names)
        else:
            yield Values(keyed, noun) if keyed else Count(noun)
    elif kind in ("latest", "oldest", "longest", "shortest"):
        yield Outermost(kind)
    elif kind in ("appearances", "companions"):
        yield from (Appearances(name) if kind == "appearances" else Companions(name) for name in names)
    elif kind == "talkative":
        least = any(t.word in ("least", "moin", "moins") for t in tokens)
        most = least or any(t.word in ("most", "plus") for t in tokens)
        if names or most:
            yield Talk(names[0] if names else "", least)
    elif kind == "speakers":
        yield Speakers(any(t.word in ("many", "combien", "number", "nombre") for t in tokens))
    elif kind == "roles":
        yield from _role(reading, on)
    elif kind == "length":
        yield Length(single=any(t.word in lexicon().sets["recordings"] and t.word == t.text.lower() for t in tokens))
    elif kind in ("when", "title"):
        yield When() if kind == "when" else Title()
    elif kind == "values":
        yield from _values(reading, on)
    else:
        yield from _mentions(kind, reading)


def noun_of(token: Token) -> str:
    """A noun as it is shown: in the singular, with its accents."""
    return token.word if token.text.isascii() else token.text.lower()


def _role(reading: Reading, on: Background) -> Iterator[Query]:
    """Of the role that a question names, or of what its verb says ("hosts")."""
    some = [t.word for t in reading.linked.tokens]
    ways = {way: way for same in lexicon().same_roles for way in same} | {way: way for way in on.catalog.holders}
    for size in range(min(4, len(some)), 0, -1):
        for at in range(len(some) - size + 1):
            phrase = tuple(some[at : at + size])
            if phrase in ways:
                said = [noun_of(t) for t in reading.linked.tokens[at : at + size]]
                yield RoleHolders(phrase, " ".join(said))
                return
    verbs = {"hosts": "host", "moderate": "host", "present": "host", "chair": "chair", "anime": "host", "presente": "host", "preside": "chair"}
    for word in some:
        if word in verbs:
            yield RoleHolders((verbs[word],), verbs[word])
            return


def _values(reading: Reading, on: Background) -> Iterator[Query]:
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
        subject = [m.said for m in reading.linked.mentions if m.field not in ("date", "recording") and m not in reading.voices][:1]
    if 0 < len(subject) < 5:
        which = {"first_said": "first", "last_said": "last"}.get(kind, "")
        by_whom = any(t.word == "whom" for t in some) or "par qui" in reading.linked.text.casefold()
        yield Mentions(" ".join(subject), which, by_whom)
