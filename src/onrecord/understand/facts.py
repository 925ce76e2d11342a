"""Facts from the catalog: chooses the query for a kind of question, and its recordings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from onrecord.stores.words import STOP
from onrecord.types import Fact
from onrecord.understand.catalog_queries import (
    Selection,
    choose_outermost,
    count_recordings,
    find_mentions,
    list_appearances,
    list_companions,
    list_shares,
    list_speakers,
    list_values,
    name_holders,
    tell_date,
    tell_length,
    tell_title,
)
from onrecord.understand.conditions import Asked
from onrecord.understand.intents import KEY, SUBJECT, asking_words
from onrecord.understand.lexicon import Phrase, lexicon, noun_of
from onrecord.understand.reading import Reading

_HOW_MANY = ("many", "combien", "number", "nombre")
_SERIES = ("show", "podcast", "series")


def facts_of(asked: Asked) -> tuple[Fact, ...]:
    """Return the facts that answer a question; empty if it needs a search."""
    kind, scope = asked.kind, asked.question.scope
    if kind.family == "graph":
        from onrecord.understand.graph_facts import graph_facts  # only here: it loads the graph's modules

        return graph_facts(asked)
    of_sections = scope.sections or any(each.field == "section" for each in asked.conditions)
    # The catalog knows who speaks in a recording, but not in which of its parts.
    in_parts = kind.of_people and (scope.speakers or of_sections)
    if in_parts or asked.reading.shape.count(SUBJECT) > (kind.family == "words"):
        return ()
    on = _selection(asked)
    if on and not on.chosen and kind.family != "words":
        return (count_recordings(on),)
    return tuple(filter(None, _ask(on, asked))) if on else ()


def _selection(asked: Asked) -> Selection | None:
    """Return the recordings that a question is about; None if the catalog cannot tell."""
    kind, background, scope = asked.kind, asked.background, asked.question.scope
    base = tuple(background.reader.recordings(scope)) if scope else background.catalog.recordings
    placing, chosen = [each for each in asked.conditions if each.field != "speaker"], base
    if kind.for_one == "when":  # "the latest episode" is the answer here, not a condition
        placing = [each for each in placing if each.field != "recording" or not each.exact]
    for condition in placing:
        there = condition.recordings(background.catalog)
        chosen = tuple(r for r in chosen if r.id in there)
    of_one, has = kind.recordings == "one", asked.reading.linked.tokens.have
    for name in _names(asked) if of_one else ():
        there = background.catalog.speaking(name)  # a person narrows too: "Ann's episode"
        chosen = tuple(r for r in chosen if r.id in there) or chosen
    points = of_one and has(("it", "this", "that")) and not has(lexicon().recordings)
    unclear = points and not placing and len(chosen) > 1
    # A single recording has nothing to be longer or shorter than.
    single = kind.for_one == "length" and len(chosen) < 2 and any(c.field == "recording" for c in placing)
    if not base or unclear or single or not (chosen or placing):
        return None
    ids = [frozenset(each.values) for each in placing if each.field == "recording"]
    scope = replace(scope, recordings=tuple(frozenset.intersection(*ids))) if ids else scope
    return Selection(
        background.catalog, background.reader, background.messages, base, chosen,
        said=tuple(dict.fromkeys(each.said for each in placing)),
        dated=any(each.field == "date" for each in placing),
        scope=scope,
    )  # fmt: skip


def _ask(on: Selection, asked: Asked) -> Sequence[Fact | None]:
    """Return the facts that answer a question: one fact, or one for each mentioned person."""
    kind, reading = asked.kind, asked.reading
    if kind.family == "words":
        return [_mentions(on, asked)]
    if kind.for_one:
        return [choose_outermost(on, kind.name)]
    names = _names(asked)
    facts = _BY_KIND[kind.name](on, reading, names)
    # A new name changes the question: "And Kelly?" after "Who hosts it?" does not ask for the host again.
    asks_anew = kind.name == "roles" and _own_names(reading)
    if not facts and reading.asked and not asks_anew:
        facts = _BY_KIND[kind.name](on, reading.asked, names)
    return facts


def _own_names(reading: Reading) -> list[str]:
    """Return the people that the question itself mentions by an unambiguous name."""
    return [m.values[0] for m in reading.linked.mentions if m.field == "speaker" and len(m.values) == 1]


def _names(asked: Asked) -> list[str]:
    """Return the people that the question mentions, or else those of the conditions."""
    speakers = (name for each in asked.conditions if each.field == "speaker" for name in each.values)
    return _own_names(asked.reading) or list(speakers)


def _counted(on: Selection, reading: Reading, names: Sequence[str]) -> list[Fact | None]:
    """Count the recordings, list a person's recordings, or list the series."""
    nouns = (t.word for t in reading.linked.tokens[1:] if t.word in lexicon().recordings)
    noun = next(nouns, "")
    keyed = on.catalog.attributes.keys.get(noun) if noun in _SERIES else None
    if names:
        return _appearances(on, reading, names)
    return [list_values(on, keyed, noun) if keyed else count_recordings(on, noun)]


def _identity(on: Selection, reading: Reading, names: Sequence[str]) -> list[Fact | None]:
    """Name the holder of a role that stands in place of a name; search for what is said about a person."""
    by_role = any(mention.field == "role" for mention in reading.linked.mentions)
    return _role(on, reading, names) if by_role and not _own_names(reading) else []


def _appearances(on: Selection, reading: Reading, names: Sequence[str]) -> list[Fact | None]:
    """List the recordings in which a person speaks; search for those in which they have a role."""
    return [] if any(_roles_named(on, reading)) else [list_appearances(on, name) for name in names]


def _role(on: Selection, reading: Reading, names: Sequence[str]) -> list[Fact | None]:
    """Name the holders of the role that a question mentions."""
    return [name_holders(on, *role) for role in _roles_named(on, reading)]


def _roles_named(on: Selection, reading: Reading) -> Iterator[tuple[Phrase, str]]:
    """Yield the role that a question mentions, or that its verb implies ("hosts"), and the word to show."""
    tokens = reading.linked.tokens
    roles = dict.fromkeys((*on.catalog.holders, *frozenset().union(*lexicon().same_roles)))
    said = max(tokens.phrases(roles, 4), key=lambda found: found[1] - found[0], default=None)
    if said:
        first, last, _ = said
        yield (
            tokens.words[first : last + 1],
            tokens.said(first, last) if last > first else noun_of(tokens[first]),
        )
    else:
        yield from (((noun,), noun) for verb, noun in lexicon().role_verbs.items() if verb in tokens.words)


def _values(on: Selection, reading: Reading, names: Sequence[str]) -> list[Fact | None]:
    tokens = reading.linked.tokens
    nouns = (token for at, token in enumerate(tokens) if at not in reading.linked.at)
    keys = [token for token in nouns if token.word in on.catalog.attributes.keys]
    languages = [token for token in tokens if token.word in ("language", "langue")]
    if keys:
        return [list_values(on, on.catalog.attributes.keys[keys[0].word], noun_of(keys[0]))]
    return [list_values(on, (), noun_of(token)) for token in languages[:1]]  # the language is no attribute


def _mentions(on: Selection, asked: Asked) -> Fact | None:
    """Find where the words of the subject occur.

    If the question asks for the words of people, by name or by role, only their words count."""
    asking, reading, tokens = asking_words(), asked.reading, asked.reading.linked.tokens
    subject = [
        t.text
        for at, t in enumerate(tokens)
        if at not in reading.linked.at
        and reading.signs.get(at) != KEY  # "companies" in "which companies mention salt"
        and not {t.word} & (asking | STOP | lexicon().recordings)
    ]
    if not subject:  # "how often is Kelly mentioned": the person is the subject
        others = (m for m in reading.linked.mentions if m not in reading.voices)
        subject = [m.said for m in others if m.field not in ("date", "recording")][:1]
    if not 0 < len(subject) < 5:
        return None
    voices = {mention.said for mention in reading.voices}
    people = [each.values for each in asked.conditions if each.field == "speaker" and each.said in voices]
    return find_mentions(on, " ".join(subject), asked.kind.name, tuple(chain(*people)))


_BY_KIND: Mapping[str, Callable[[Selection, Reading, Sequence[str]], Sequence[Fact | None]]] = {
    "count": _counted,
    "list": _counted,
    "appearances": _appearances,
    "identity": _identity,
    "companions": lambda on, reading, names: [list_companions(on, name) for name in names],
    "talkative": lambda on, reading, names: [list_shares(on)],
    "speakers": lambda on, reading, names: [list_speakers(on, reading.linked.tokens.have(_HOW_MANY))],
    "roles": _role,
    "length": lambda on, reading, names: [tell_length(on)],
    "when": lambda on, reading, names: [tell_date(on)],
    "title": lambda on, reading, names: [tell_title(on)],
    "values": _values,
}
