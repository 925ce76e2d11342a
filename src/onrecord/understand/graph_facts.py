"""Facts from the graph: how names connect, what they share, who mentions something, what caused it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from onrecord.errors import InputError
from onrecord.graph.paths import SPEAKS
from onrecord.graph.queries import Graph
from onrecord.graph.results import Common, Edge, Path, Quote, Topic
from onrecord.stores.scope import names_speaker
from onrecord.types import Fact, GraphSource, one_line
from onrecord.types.graph import Entity
from onrecord.understand.catalog import same_roles
from onrecord.understand.intents import frame_words
from onrecord.understand.lexicon import Messages, lexicon, noun_of
from onrecord.understand.linking import Linked
from onrecord.understand.reading import Background, Reading, without_excepted

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
    frame, articles = frame_words(kind), lexicon().articles
    frame |= frame_words("comparison") if kind == "contrast" else frozenset()
    runs: list[list[int]] = []
    for at, token in enumerate(linked.tokens):
        inside = at in linked.at or token.word not in frame | articles
        listed = "," in linked.tokens.between(at - 1, at) if at else False
        if inside and (not runs or runs[-1][-1] != at - 1 or listed):
            runs.append([at])
        elif inside:
            runs[-1].append(at)
    return [linked.tokens.said(run[0], run[-1]) for run in runs]


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
