"""Facts from the catalog and the graph: chooses the query for a kind of question, and its recordings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from onrecord.errors import InputError
from onrecord.graph.paths import SPEAKS
from onrecord.graph.queries import Graph
from onrecord.graph.results import Common, Edge, Path, Quote, Topic
from onrecord.stores.scope import names_speaker
from onrecord.stores.words import STOP
from onrecord.types import Fact, Filter, GraphSource, Scope, one_line
from onrecord.types.graph import Entity
from onrecord.understand.catalog import CatalogIndex, same_roles
from onrecord.understand.catalog_queries import (
    Selection,
    choose_outermost,
    count_recordings,
    find_mentions,
    identify,
    list_appearances,
    list_companions,
    list_role,
    list_speakers,
    list_values,
    name_holders,
    tell_date,
    tell_length,
    tell_talk,
    tell_title,
)
from onrecord.understand.conditions import Condition
from onrecord.understand.intents import (
    GRAPH,
    KEY,
    OF_ONE,
    OF_PEOPLE,
    OF_WORDS,
    SUBJECT,
    asking_words,
    frame_words,
)
from onrecord.understand.lexicon import Messages, Phrase, lexicon, noun_of, span_text
from onrecord.understand.linking import Linked, longest_at
from onrecord.understand.reading import Background, Reading, without_excepted

_PLACES = ("recording", "since", "until", "section", "language")
"""Fields of filters that say where to look; other fields describe the subject."""
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
    """Return the facts that answer a question of a kind; empty if it needs a search.

    Args:
        scope: the scope that the user set.
        say: the messages in the language of the answer.
    """
    if kind in GRAPH:  # the graph cannot be restricted to some recordings
        placed = bool(scope) or any(each.field in _PLACES for each in filters)
        return () if placed else graph_facts(kind, reading, background, say)
    if reading.shape.count(SUBJECT) > (kind in OF_WORDS):
        return ()
    parts_only = scope.speakers or scope.sections or any(each.field == "section" for each in conditions)
    base = tuple(background.reader.recordings(scope)) if scope else background.catalog.recordings
    # The catalog knows who speaks in a recording, but not in which of its parts.
    if not base or (kind in OF_PEOPLE and parts_only):
        return ()
    outermost = kind in ("latest", "oldest")  # "the latest episode" is the answer here, not a condition
    asked_of = frozenset(_role_names(reading, background.catalog)) if kind == "appearances" else frozenset()
    placing = [
        c
        for c in conditions
        if c.field != "speaker"
        and not (outermost and c.field == "recording" and c.exact)
        and (c.field in _PLACES or asked_of.isdisjoint(c.values))  # "guest: Bo Diaz" says not where to look
    ]
    chosen = base
    for condition in placing:
        there = condition.recordings(background.catalog)
        chosen = tuple(r for r in chosen if r.id in there)
    if kind in OF_ONE:
        for name in _names(reading, conditions):
            there = background.catalog.speaking(name)  # a person narrows too: "Ann's episode"
            chosen = tuple(r for r in chosen if r.id in there) or chosen
    unclear = not placing and kind in OF_ONE and len(chosen) > 1 and _has(reading, "it", "this", "that")
    if unclear and not any(t.word in lexicon().sets["recordings"] for t in reading.linked.tokens):
        return ()
    if not chosen and not placing:
        return ()
    if kind in ("longest", "shortest") and any(c.field == "recording" for c in placing) and len(chosen) < 2:
        return ()  # a single recording has nothing to be longer or shorter than
    on = Selection(
        background.catalog, background.reader, say, base, chosen,
        said=tuple(dict.fromkeys(each.said for each in placing)),
        dated=any(each.field == "date" for each in placing),
        scope=_within(scope, placing),
    )  # fmt: skip
    none_fit = not chosen and kind not in OF_WORDS
    return (count_recordings(on),) if none_fit else tuple(filter(None, _ask(kind, on, reading, conditions)))


def _ask(
    kind: str, on: Selection, reading: Reading, conditions: Sequence[Condition]
) -> Sequence[Fact | None]:
    """Return the facts that answer a question of a kind: one fact, or one for each mentioned person."""
    if kind in OF_WORDS:
        return [_mentions(kind, on, reading, conditions)]
    if kind not in _BY_KIND:
        return [choose_outermost(on, kind)]
    names = _names(reading, conditions)
    facts = _BY_KIND[kind](on, reading, names)
    # A new name changes the question: "And Kelly?" after "Who hosts it?" does not ask for the host again.
    asks_anew = kind == "roles" and _own_names(reading)
    if not facts and reading.asked and not asks_anew:
        facts = _BY_KIND[kind](on, reading.asked, names)
    return facts


def _within(scope: Scope, conditions: Sequence[Condition]) -> Scope:
    """Return the scope in which words are counted: the given scope, limited to mentioned recordings."""
    ids = [frozenset(w.values) for w in conditions if w.field == "recording"]
    return replace(scope, recordings=tuple(frozenset.intersection(*ids))) if ids else scope


def _own_names(reading: Reading) -> list[str]:
    """Return the people that the question itself mentions by an unambiguous name."""
    return [m.values[0] for m in reading.linked.mentions if m.field == "speaker" and len(m.values) == 1]


def _names(reading: Reading, conditions: Sequence[Condition]) -> list[str]:
    """Return the people that the question mentions, or else those of the conditions."""
    return _own_names(reading) or [
        name for each in conditions if each.field == "speaker" for name in each.values
    ]


def _has(reading: Reading, *some: str) -> bool:
    return any(token.word in some for token in reading.linked.tokens)


def _counted(on: Selection, reading: Reading, names: Sequence[str]) -> list[Fact | None]:
    """Count the recordings, list a person's recordings, or list the series."""
    nouns = (t.word for t in reading.linked.tokens[1:] if t.word in lexicon().sets["recordings"])
    noun = next(nouns, "")
    keyed = on.catalog.attributes.keys.get(noun) if noun in _SERIES else None
    if names:
        return [list_appearances(on, name) for name in names]
    return [list_values(on, keyed, noun) if keyed else count_recordings(on, noun)]


def _length(on: Selection, reading: Reading, names: Sequence[str]) -> list[Fact | None]:
    nouns = [t for t in reading.linked.tokens if t.word in lexicon().sets["recordings"]]
    return [tell_length(on, single=any(noun.singular for noun in nouns))]


def _identity(on: Selection, reading: Reading, names: Sequence[str]) -> list[Fact | None]:
    """Identify a person, or name the holder of a role that stands in place of a name."""
    if not _own_names(reading) and any(mention.field == "role" for mention in reading.linked.mentions):
        return _role(on, reading, names)
    return [identify(on, name) for name in names[:1]]


def _appearances(on: Selection, reading: Reading, names: Sequence[str]) -> list[Fact | None]:
    """List the recordings in which a person speaks or holds the role that the question mentions."""
    roles = list(_roles_named(on, reading))
    if roles and (held := _role_names(reading, on.catalog)):
        return [list_role(on, name, *roles[0]) for name in held]
    return [list_appearances(on, name) for name in names]


def _role_names(reading: Reading, catalog: CatalogIndex) -> tuple[str, ...]:
    """Return the people that a question mentions and who hold a role in some recording."""
    asked, named = [t.word for t in reading.linked.tokens], catalog.holders_by_words
    sizes = ((at, longest_at(named, asked, at)) for at in range(len(asked)))
    found = [named[tuple(asked[at : at + size])] for at, size in sizes if size]
    holders = frozenset(named.values())
    return tuple(dict.fromkeys((*(n for n in _own_names(reading) if n in holders), *found)))


def _role(on: Selection, reading: Reading, names: Sequence[str]) -> list[Fact | None]:
    """Name the holders of the role that a question mentions."""
    return [name_holders(on, *role) for role in _roles_named(on, reading)]


def _roles_named(on: Selection, reading: Reading) -> Iterator[tuple[Phrase, str]]:
    """Yield the role that a question mentions, or that its verb implies ("hosts"), and the word to show."""
    asked = [t.word for t in reading.linked.tokens]
    roles = dict.fromkeys((*on.catalog.credits, *frozenset().union(*lexicon().same_roles)))
    sizes = [longest_at(roles, asked, at, 4) for at in range(len(asked))]
    if size := max(sizes, default=0):
        at = sizes.index(size)
        said = reading.linked.tokens[at : at + size]
        noun = noun_of(said[0]) if size == 1 else span_text(reading.linked.text, said)
        yield tuple(asked[at : at + size]), noun
    else:
        yield from (((noun,), noun) for verb, noun in lexicon().role_verbs.items() if verb in asked)


def _values(on: Selection, reading: Reading, names: Sequence[str]) -> list[Fact | None]:
    tokens = reading.linked.tokens
    keys = [tokens[at] for at, sign in sorted(reading.signs.items()) if sign == KEY]
    languages = [token for token in tokens if token.word in ("language", "langue")]
    if keys:
        return [list_values(on, on.catalog.attributes.keys[keys[0].word], noun_of(keys[0]))]
    return [list_values(on, (), noun_of(token)) for token in languages[:1]]  # the language is no attribute


def _mentions(kind: str, on: Selection, reading: Reading, conditions: Sequence[Condition]) -> Fact | None:
    """Find where the words of the subject occur.

    If the question asks for the words of people, by name or by role, only their words count."""
    asking, tokens = asking_words(), reading.linked.tokens
    subject = [
        t.text
        for at, t in enumerate(tokens)
        if at not in reading.linked.at and not {t.word} & (asking | STOP | lexicon().sets["recordings"])
    ]
    if not subject:  # "how often is Kelly mentioned": the person is the subject
        others = (m for m in reading.linked.mentions if m not in reading.voices)
        subject = [m.said for m in others if m.field not in ("date", "recording")][:1]
    if not 0 < len(subject) < 5:
        return None
    which = {"first_said": "first", "last_said": "last", "mentioned_in": "recordings"}.get(kind, "")
    voices = {mention.said for mention in reading.voices}
    asked = [each.values for each in conditions if each.field == "speaker" and each.said in voices]
    return find_mentions(on, " ".join(subject), which, tuple(chain(*asked)))


_BY_KIND: Mapping[str, Callable[[Selection, Reading, Sequence[str]], Sequence[Fact | None]]] = {
    "count": _counted,
    "list": _counted,
    "appearances": _appearances,
    "identity": _identity,
    "companions": lambda on, reading, names: [list_companions(on, name) for name in names],
    "talkative": lambda on, reading, names: [
        tell_talk(on, names[0] if len(names) == 1 else "", _has(reading, "least", "less", "moin", "moins"))
    ],
    "speakers": lambda on, reading, names: [
        list_speakers(on, _has(reading, "many", "combien", "number", "nombre"))
    ],
    "roles": _role,
    "length": _length,
    "when": lambda on, reading, names: [tell_date(on)],
    "title": lambda on, reading, names: [tell_title(on)],
    "values": _values,
}

# ---------------------------------------------------------------- what the graph answers


_PATHS, _TOPICS, _PEOPLE = 2, 4, 8
_CONSIDERED, _HEARD = 12, 40
"""Numbers of topics and of people that are fetched before some are left out."""


def graph_facts(kind: str, reading: Reading, background: Background, say: Messages) -> tuple[Fact, ...]:
    """Return the facts from the graph for a question of a kind, each with a quote and its position.

    The result is empty, and the question goes to search, if the question mentions nothing that the archive
    speaks about, or uses a name that several people share."""
    if any(mention.of_several for mention in reading.linked.mentions):
        return ()
    names = named(kind, without_excepted(reading, background).linked)
    graph = Graph(background.reader.graph, background.reader)
    try:
        if kind == "mentioned_by":
            return tuple(_mentioners(graph, names[0], reading, background, say)) if len(names) == 1 else ()
        least, most, ask = _GRAPH_QUERIES[kind]
        asked = least <= len(names) <= most and not reading.excepted
        return tuple(ask(graph, names, say)) if asked else ()
    except InputError:  # nobody speaks about the entity, or both names mean the same entity
        return ()


def named(kind: str, linked: Linked) -> list[str]:
    """Return the names in a question: each run of words that the examples of its kind do not have."""
    frame, articles = frame_words(kind), lexicon().sets["articles"]
    frame |= frame_words("comparison") if kind == "contrast" else frozenset()
    runs: list[list[int]] = []
    for at, token in enumerate(linked.tokens):
        inside = at in linked.at or token.word not in frame | articles
        listed = "," in linked.text[linked.tokens[at - 1].end : token.begin] if at else False
        if inside and (not runs or runs[-1][-1] != at - 1 or listed):
            runs.append([at])
        elif inside:
            runs[-1].append(at)
    return [linked.text[linked.tokens[run[0]].begin : linked.tokens[run[-1]].end] for run in runs]


def _connected(graph: Graph, names: Sequence[str], say: Messages) -> Iterator[Fact]:
    """Yield the paths that connect two entities."""
    connection = graph.between(names[0], names[1], most=2 * _PATHS)
    heading = say.say("connected", one=connection.one.name, other=connection.other.name)
    yield from _steps(connection.paths, heading, say)


def _caused(graph: Graph, names: Sequence[str], say: Messages) -> Iterator[Fact]:
    """Yield the chains of causes between two entities, or all that lead to one.

    "how did x lead to y" asks for the first, "what caused y" for the second."""
    causes = graph.causes(names[-1], names[0] if len(names) > 1 else None, most=2 * _PATHS)
    yield from _steps(causes.paths, say.say("caused", name=causes.entity.name), say)


def _steps(paths: Sequence[Path], heading: str, say: Messages) -> Iterator[Fact]:
    """Yield at most `_PATHS` paths step by step; skip a path whose quotes have all been shown."""
    shown: set[Span] = set()
    told = 0
    for path in paths:
        quotes = [next((q for q in step.quotes if _span(q) not in shown), None) for step in path.steps]
        if told == _PATHS or not any(quotes):
            continue
        told += 1
        yield Fact(heading)
        for step, quote in zip(path.steps, quotes, strict=True):
            yield _edge_fact(step, quote or step.quotes[0], say)
        shown.update(_span(quote or step.quotes[0]) for step, quote in zip(path.steps, quotes, strict=True))
        heading = say.say("way_on")


def _defined(graph: Graph, names: Sequence[str], say: Messages) -> Iterator[Fact]:
    """Yield the definitions of an entity: its "is a" edges."""
    read = graph.linker.read(names[0])
    for edge in graph.relations(read.key, "is a"):
        if edge.subject == read.entity.name and edge.quotes:
            yield _edge_fact(edge, edge.quotes[0], say)


def _shared(graph: Graph, names: Sequence[str], say: Messages) -> Iterator[Fact]:
    """Yield the topics that all the people speak about, with a quote from each person.

    An encyclopedia has no speakers, so there is nothing to yield."""
    yield from _of_all(graph.common(*names, most=_CONSIDERED), set(), say)


def _contrasted(graph: Graph, names: Sequence[str], say: Messages) -> Iterator[Fact]:
    """Yield the topics that two people share, and those of each person alone.

    The facts do not say whether the two agree; the reader judges that from the quotes."""
    common, shown = graph.common(*names, most=_CONSIDERED), set[Span]()
    alone = [_spoken(topics, any) for topics in common.only]
    if any(alone):
        yield from _of_all(common, shown, say)
        for entity, topics in zip(common.entities, alone, strict=True):
            yield from _of_one(entity, topics, shown, say)


def _alone(graph: Graph, names: Sequence[str], say: Messages) -> Iterator[Fact]:
    """Yield the topics that the first of two people speaks about and the second does not."""
    common = graph.common(*names, most=_CONSIDERED)
    yield from _of_one(common.entities[0], _spoken(common.only[0], any), set(), say)


def _of_all(common: Common, shown: set[Span], say: Messages) -> Iterator[Fact]:
    """Yield a heading and quotes for the topics that all the people share."""
    topics = _with_new_words(_spoken(common.shared, all), shown)
    if topics:
        people = say.listed([entity.name for entity in common.entities])
        listed = say.listed([topic.entity.name for topic in topics])
        key = "shared" if len(common.entities) == 2 else "shared_by_all"
        yield Fact(say.say(key, names=people, topics=listed))
        yield from _speaking(topics, say)


def _of_one(entity: Entity, topics: Sequence[Topic], shown: set[Span], say: Messages) -> Iterator[Fact]:
    """Yield a heading and quotes for the topics of one person alone."""
    topics = _with_new_words(topics, shown)
    if topics:
        listed = say.listed([topic.entity.name for topic in topics])
        yield Fact(say.say("only", name=entity.name, topics=listed))
        yield from _speaking(topics, say)


def _spoken(topics: Sequence[Topic], sides: Callable[[Iterable[bool]], bool]) -> list[Topic]:
    """Return the topics with quotes from known speakers.

    Args:
        sides: `all` if every side must have such a quote, `any` if one is enough.
    """
    named = [
        replace(t, quotes=tuple(tuple(q for q in side if q.speaker) for side in t.quotes)) for t in topics
    ]
    return [topic for topic in named if sides(map(bool, topic.quotes))]


def _with_new_words(topics: Sequence[Topic], shown: set[Span]) -> list[Topic]:
    """Return at most `_TOPICS` topics with one quote for each side, and add the quotes to `shown`.

    Topics with a quote that has not been shown come first."""
    fresh: list[Topic] = []
    repeated: list[Topic] = []
    for topic in topics:
        new = [next((q for q in side if _span(q) not in shown), None) for side in topic.quotes]
        quotes = tuple((q,) if q else side[:1] for q, side in zip(new, topic.quotes, strict=True))
        (fresh if any(new) else repeated).append(replace(topic, quotes=quotes))
        shown.update(_span(quote) for quote in chain(*quotes))
        if len(fresh) == _TOPICS:
            break
    return [*fresh, *repeated][:_TOPICS]


Span = tuple[str, int, int]
"""The start of a quote: recording id, passage position, character offset."""


def _span(quote: Quote) -> Span:
    """Return where a quote begins."""
    return quote.recording, quote.position, quote.begin


def _speaking(topics: Sequence[Topic], say: Messages) -> Iterator[Fact]:
    """Yield a fact for each quote: the speaker, the words, and all topics that the quote shows."""
    lines: dict[Span, tuple[Quote, list[str]]] = {}
    for topic in topics:
        for quote in chain(*topic.quotes):
            lines.setdefault(_span(quote), (quote, []))[1].append(topic.entity.name)
    for quote, names in lines.values():
        listed = say.listed(list(dict.fromkeys(names)))
        text = say.say("speaks_of", one=quote.speaker or "", other=listed)
        yield _fact(GraphSource("mention", quote.speaker or "", SPEAKS, names[0], text), quote, say)


def _mentioners(
    graph: Graph, name: str, reading: Reading, background: Background, say: Messages
) -> Iterator[Fact]:
    """Yield the people who speak about an entity, each with a quote.

    People whom the question excepts are left out. If the question asks for a role, only its holders are
    listed, as far as they are known."""
    excepted = [person for mention in reading.excepted for person in mention.values]
    nouns, holders = _roles_asked(reading, background)
    profile = graph.about(name, _HEARD if excepted or holders else _PEOPLE)
    if not profile.voices:
        return
    others = [v for v in profile.voices if not any(names_speaker(each, v.speaker) for each in excepted)]
    held = [v for v in others if any(names_speaker(each, v.speaker) for each in holders)]
    shown = (held or others)[:_PEOPLE]
    said, but = say.quoted(profile.entity.name), say.listed(excepted) if excepted else ""
    heading = say.say("others_mention" if excepted else "mentioners", len(shown), said=said, names=but)
    if nouns and not held:
        roles = say.listed(list(map(say.quoted, nouns)))
        heading = f"{heading} {say.say('role_unknown', said=roles)}"
    yield Fact(heading)
    for voice in shown:
        text = say.say("said_by", name=voice.speaker, passages=say.say("passages", voice.passages))
        source = GraphSource("mention", voice.speaker, SPEAKS, profile.entity.name, text)
        yield _fact(source, voice.quote, say) if voice.quote else Fact(text)


def _roles_asked(reading: Reading, background: Background) -> tuple[list[str], frozenset[str]]:
    """Return the roles in a question about who mentions something, and their holders.

    Both are empty if the question asks for no role."""
    frame = frame_words("mentioned_by")
    known = {role for same in lexicon().same_roles for role in same}
    asked = [token for token in reading.linked.tokens if token.word in frame and (token.word,) in known]
    held = [background.catalog.credits.get(role, {}) for token in asked for role in same_roles((token.word,))]
    holders = frozenset(name for there in held for names in there.values() for name in names)
    return list(map(noun_of, asked)), holders


def _edge_fact(edge: Edge, quote: Quote, say: Messages) -> Fact:
    """Return a fact for an edge, with one of its quotes."""
    kind = "inferred" if edge.inferred else "mention" if edge.relation == SPEAKS else "relation"
    key = edge.relation.replace(" ", "_")
    known = key if key in _SENTENCES else "states"
    sentence = say.say(known, one=edge.subject, other=edge.object, relation=edge.relation)
    source = GraphSource(kind, edge.subject, edge.relation, edge.object, sentence)
    return _fact(source, quote, say)


def _fact(source: GraphSource, quote: Quote, say: Messages) -> Fact:
    """Return a fact with the quote that supports it and the quote's position."""
    words = say.quote(one_line(quote.text))
    shown = say.introduced(one_line(quote.speaker), words) if quote.speaker else words
    place, until = (quote.recording, quote.position, quote.begin), quote.begin + len(quote.text)
    return Fact(source.description, (shown,), (quote.recording,), place, until=until, graph=source)


_SENTENCES = ("speaks_of", "named_together_with", "named_near", "causes", "is_a")
"""Relations that have a sentence in `messages.yaml`."""
_GRAPH_QUERIES: Mapping[str, tuple[int, int, Callable[[Graph, Sequence[str], Messages], Iterator[Fact]]]] = {
    "connection": (2, 2, _connected),
    "common_ground": (2, 6, _shared),
    "contrast": (2, 2, _contrasted),
    "alone": (2, 2, _alone),
    "causes": (1, 2, _caused),
    "defined": (1, 1, _defined),
}
"""The minimum and maximum number of names in a question of each kind, and the function that answers it."""
