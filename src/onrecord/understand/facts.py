"""What the catalogue answers: which query a question of a kind is, and what it is asked of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from onrecord.stores.words import STOP
from onrecord.types import Fact, Filter, Scope
from onrecord.understand.catalog import longest_at
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
from onrecord.understand.conditions import Condition
from onrecord.understand.examples import KEY, SUBJECT
from onrecord.understand.intents import GRAPH, OF_ONE, OF_PEOPLE, OF_WORDS, asking_words
from onrecord.understand.lexicon import Messages, Phrase, lexicon, noun_of, span_text
from onrecord.understand.people_queries import (
    Appearances,
    Companions,
    Identity,
    RoleHolders,
    RoleOf,
    Speakers,
    Talk,
)
from onrecord.understand.reading import Background, Reading

_PLACES = ("recording", "since", "until", "section", "language")
"""Fields of filters that say where to look; others name what is asked about."""
_SERIES = ("show", "podcast", "series")


def facts_of(
    kind: str,
    reading: Reading,
    conditions: Sequence[Condition],
    filters: Sequence[Filter],
    scope: Scope,
    background: Background,
    say: Messages,
) -> tuple[Fact, ...]:
    """What the catalogue or the graph knows of a question of a kind; empty where it is to be searched."""
    if kind in GRAPH:  # which knows nothing of places
        placed = bool(scope) or any(each.field in _PLACES for each in filters)
        from onrecord.understand.graph_facts import graph_facts  # only where it may answer

        return () if placed else graph_facts(kind, reading, background, say)
    if reading.shape.count(SUBJECT) > (kind in OF_WORDS):
        return ()
    parts_only = scope.speakers or scope.sections or any(each.field == "section" for each in conditions)
    base = tuple(background.reader.recordings(scope)) if scope else background.catalog.recordings
    if not base or (kind in OF_PEOPLE and parts_only):  # whole recordings tell who speaks, not their parts
        return ()
    outermost = kind in ("latest", "oldest")  # "the latest episode" is what is asked for, and no condition
    asked_of = frozenset(_role_names(reading, background)) if kind == "appearances" else frozenset()
    placing = [
        c
        for c in conditions
        if c.field != "speaker"
        and not (outermost and c.field == "recording" and c.exact)
        and (c.field in _PLACES or asked_of.isdisjoint(c.values))  # "guest: Bo Diaz" is no place
    ]
    chosen = base
    for condition in placing:
        there = condition.recordings(background.catalog)
        chosen = tuple(r for r in chosen if r.id in there)
    if kind in OF_ONE:
        for name in _names(reading, conditions):
            there = background.catalog.speaking(name)  # "the guest of Ann Bell", "Ann's episode"
            chosen = tuple(r for r in chosen if r.id in there) or chosen
    unclear = not placing and kind in OF_ONE and len(chosen) > 1 and _has(reading, "it", "this", "that")
    if unclear and not any(t.word in lexicon().sets["recordings"] for t in reading.linked.tokens):
        return ()
    if not chosen and not placing:
        return ()
    if kind in ("longest", "shortest") and any(c.field == "recording" for c in placing) and len(chosen) < 2:
        return ()  # one recording that is named is not the longest of itself
    selection = Selection(
        background.catalog, background.reader, say, base, chosen,
        said=tuple(dict.fromkeys(each.said for each in placing)),
        dated=any(each.field == "date" for each in placing),
        scope=_within(scope, placing),
    )  # fmt: skip
    none_fit = not chosen and kind not in OF_WORDS
    queries = [Count()] if none_fit else _queries(kind, reading, conditions, background)
    return tuple(fact for query in queries if (fact := query.run(selection)))


def _within(scope: Scope, conditions: Sequence[Condition]) -> Scope:
    """The scope in which words are counted."""
    ids = [frozenset(w.values) for w in conditions if w.field == "recording"]
    return replace(scope, recordings=tuple(frozenset.intersection(*ids))) if ids else scope


def _queries(
    kind: str, reading: Reading, conditions: Sequence[Condition], background: Background
) -> Iterator[Query]:
    """The queries of a kind: one, or one for each person that is named."""
    if kind in OF_WORDS:
        yield from _mentions(kind, reading, _speakers(reading, conditions))
    elif kind in _BY_KIND:
        names = _names(reading, conditions)
        queries = list(_BY_KIND[kind](reading, background, names))
        asks_anew = kind == "roles" and _own_names(reading)  # "And Kelly?" after "Who hosts it?"
        if not queries and reading.asked and not asks_anew:
            queries = list(_BY_KIND[kind](reading.asked, background, names))
        yield from queries
    else:
        yield Outermost(kind)


def _own_names(reading: Reading) -> list[str]:
    """Those whom the question itself names."""
    return [m.values[0] for m in reading.linked.mentions if m.field == "speaker" and len(m.values) == 1]


def _speakers(reading: Reading, conditions: Sequence[Condition]) -> tuple[str, ...]:
    """Those whose words the question itself asks for, also by a role."""
    voices = {mention.said for mention in reading.voices}
    asked = (each for each in conditions if each.field == "speaker" and each.said in voices)
    return tuple(name for condition in asked for name in condition.values)


def _names(reading: Reading, conditions: Sequence[Condition]) -> list[str]:
    """Those who are named, or were before."""
    return _own_names(reading) or [
        name for each in conditions if each.field == "speaker" for name in each.values
    ]


def _has(reading: Reading, *some: str) -> bool:
    return any(token.word in some for token in reading.linked.tokens)


def _counted(reading: Reading, background: Background, names: Sequence[str]) -> Iterator[Query]:
    """How many recordings, of somebody, or how many series."""
    nouns = (t.word for t in reading.linked.tokens[1:] if t.word in lexicon().sets["recordings"])
    noun = next(nouns, "")
    keyed = background.catalog.attributes.keys.get(noun) if noun in _SERIES else None
    if names:
        yield from map(Appearances, names)
    else:
        yield Values(keyed, noun) if keyed else Count(noun)


def _talk(reading: Reading, background: Background, names: Sequence[str]) -> Iterator[Query]:
    least = _has(reading, "least", "less", "moin", "moins")
    yield Talk(names[0] if len(names) == 1 else "", least)


def _length(reading: Reading, background: Background, names: Sequence[str]) -> Iterator[Query]:
    nouns = [t for t in reading.linked.tokens if t.word in lexicon().sets["recordings"]]
    yield Length(single=any(noun.singular for noun in nouns))


def _identity(reading: Reading, background: Background, names: Sequence[str]) -> Iterator[Query]:
    """Who somebody is, or who holds the role that is named in place of a name."""
    if not _own_names(reading) and any(mention.field == "role" for mention in reading.linked.mentions):
        yield from _role(reading, background, names)
    else:
        yield from map(Identity, names[:1])


def _appearances(reading: Reading, background: Background, names: Sequence[str]) -> Iterator[Query]:
    """Where somebody speaks, or is what the question calls them, heard by name or not."""
    roles = list(_roles_named(reading, background))
    if roles and (held := _role_names(reading, background)):
        yield from (RoleOf(name, *roles[0]) for name in held)
    else:
        yield from map(Appearances, names)


def _role_names(reading: Reading, background: Background) -> tuple[str, ...]:
    """Those whom a question names and who hold a role in some recording."""
    asked, named = [t.word for t in reading.linked.tokens], background.catalog.holders_by_words
    sizes = ((at, longest_at(named, asked, at)) for at in range(len(asked)))
    found = [named[tuple(asked[at : at + size])] for at, size in sizes if size]
    holders = frozenset(named.values())
    return tuple(dict.fromkeys((*(n for n in _own_names(reading) if n in holders), *found)))


def _role(reading: Reading, background: Background, names: Sequence[str]) -> Iterator[Query]:
    """Who holds the role that a question names."""
    yield from (RoleHolders(*role) for role in _roles_named(reading, background))


def _roles_named(reading: Reading, background: Background) -> Iterator[tuple[Phrase, str]]:
    """The role that a question names, or that its verb says ("hosts"), with the question's word for it."""
    asked = [t.word for t in reading.linked.tokens]
    roles = dict.fromkeys((*background.catalog.credits, *frozenset().union(*lexicon().same_roles)))
    sizes = [longest_at(roles, asked, at, 4) for at in range(len(asked))]
    if size := max(sizes, default=0):
        at = sizes.index(size)
        said = reading.linked.tokens[at : at + size]
        noun = noun_of(said[0]) if size == 1 else span_text(reading.linked.text, said)
        yield tuple(asked[at : at + size]), noun
    else:
        yield from (((noun,), noun) for verb, noun in lexicon().role_verbs.items() if verb in asked)


def _values(reading: Reading, background: Background, names: Sequence[str]) -> Iterator[Query]:
    for at, sign in sorted(reading.signs.items()):
        if sign == KEY:
            token = reading.linked.tokens[at]
            yield Values(background.catalog.attributes.keys[token.word], noun_of(token))
            return
    if _has(reading, "language", "langue"):  # a detail that is no attribute
        noun = next(t for t in reading.linked.tokens if t.word in ("language", "langue"))
        yield Values((), noun_of(noun))


def _mentions(kind: str, reading: Reading, speakers: tuple[str, ...]) -> Iterator[Query]:
    """Of the words of the subject, as these people say them if there are any."""
    asking, tokens = asking_words(), reading.linked.tokens
    subject = [
        t.text
        for at, t in enumerate(tokens)
        if at not in reading.linked.at and not {t.word} & (asking | STOP | lexicon().sets["recordings"])
    ]
    if not subject:  # "how often is Kelly mentioned": somebody is the subject
        others = (m for m in reading.linked.mentions if m not in reading.voices)
        subject = [m.said for m in others if m.field not in ("date", "recording")][:1]
    if 0 < len(subject) < 5:
        which = {"first_said": "first", "last_said": "last", "mentioned_in": "recordings"}.get(kind, "")
        yield Mentions(" ".join(subject), which, speakers)


_BY_KIND: Mapping[str, Callable[[Reading, Background, Sequence[str]], Iterator[Query]]] = {
    "count": _counted,
    "list": _counted,
    "appearances": _appearances,
    "identity": _identity,
    "companions": lambda reading, background, names: map(Companions, names),
    "talkative": _talk,
    "speakers": lambda reading, background, names: iter(
        [Speakers(_has(reading, "many", "combien", "number", "nombre"))]
    ),
    "roles": _role,
    "length": _length,
    "when": lambda reading, background, names: iter([When()]),
    "title": lambda reading, background, names: iter([Title()]),
    "values": _values,
}
