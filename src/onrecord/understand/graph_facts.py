"""Facts from the graph: how names connect, what they share, who mentions something, what caused it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from onrecord.errors import InputError
from onrecord.graph.paths import SPEAKS
from onrecord.graph.queries import Graph
from onrecord.graph.results import Common, Edge, Path, Quote, Topic
from onrecord.stores.scope import names_speaker
from onrecord.types import Fact, GraphSource, one_line
from onrecord.types.graph import Entity
from onrecord.understand.catalog import same_roles
from onrecord.understand.conditions import Asked
from onrecord.understand.intents import frame_words
from onrecord.understand.lexicon import Messages, lexicon, noun_of
from onrecord.understand.linking import Linked
from onrecord.understand.reading import without_excepted

_PATHS, _TOPICS, _PEOPLE = 2, 4, 8
_CONSIDERED, _HEARD = 12, 40
"""Numbers of topics and of people that are fetched before some are left out."""


def graph_facts(asked: Asked) -> tuple[Fact, ...]:
    """Return the facts from the graph for a question, each with a quote and its position.

    The result is empty, and the question goes to search, if the question mentions nothing that the archive
    speaks about, or uses a name that several people share."""
    reading, background = asked.reading, asked.background
    if any(mention.of_several for mention in reading.linked.mentions):
        return ()
    names = named(asked.kind.name, without_excepted(reading, background).linked)
    teller = _Teller(Graph(background.reader.graph, background.reader), background.messages)
    try:
        if asked.kind.name == "mentioned_by":
            return tuple(_mentioners(teller, names[0], asked)) if len(names) == 1 else ()
        least, most, ask = _GRAPH_QUERIES[asked.kind.name]
        answers = least <= len(names) <= most and not reading.excepted
        return tuple(ask(teller, names)) if answers else ()
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


Span = tuple[str, int, int]
"""The start of a quote: recording id, passage position, character offset."""


def _span(quote: Quote) -> Span:
    """Return where a quote begins."""
    return quote.recording, quote.position, quote.begin


@dataclass(frozen=True)
class _Teller:
    """Facts from the graph, written with the messages of a language; `shown` are the quotes shown so far."""

    graph: Graph
    say: Messages
    shown: set[Span] = field(default_factory=set)

    def connected(self, names: Sequence[str]) -> Iterator[Fact]:
        """Yield the paths that connect two entities."""
        connection = self.graph.between(names[0], names[1], most=2 * _PATHS)
        heading = self.say.say("connected", one=connection.one.name, other=connection.other.name)
        yield from self._steps(connection.paths, heading)

    def caused(self, names: Sequence[str]) -> Iterator[Fact]:
        """Yield the chains of causes between two entities, or all that lead to one.

        "how did x lead to y" asks for the first, "what caused y" for the second."""
        causes = self.graph.causes(names[-1], names[0] if len(names) > 1 else None, most=2 * _PATHS)
        yield from self._steps(causes.paths, self.say.say("caused", name=causes.entity.name))

    def _steps(self, paths: Sequence[Path], heading: str) -> Iterator[Fact]:
        """Yield at most `_PATHS` paths step by step; skip a path whose quotes have all been shown."""
        told = 0
        for path in paths:
            new = [self._new(step.quotes) for step in path.steps]
            if told == _PATHS or not any(new):
                continue
            told += 1
            yield Fact(heading)
            quotes = [quote or step.quotes[0] for step, quote in zip(path.steps, new, strict=True)]
            yield from map(self._edge_fact, path.steps, quotes)
            self.shown.update(map(_span, quotes))
            heading = self.say.say("way_on")

    def defined(self, names: Sequence[str]) -> Iterator[Fact]:
        """Yield the definitions of an entity: its "is a" edges."""
        read = self.graph.linker.read(names[0])
        for edge in self.graph.relations(read.key, "is a"):
            if edge.subject == read.entity.name and edge.quotes:
                yield self._edge_fact(edge, edge.quotes[0])

    def shared(self, names: Sequence[str]) -> Iterator[Fact]:
        """Yield the topics that all the people speak about, with a quote from each person.

        An encyclopedia has no speakers, so there is nothing to yield."""
        yield from self._of_all(self.graph.common(*names, most=_CONSIDERED))

    def contrasted(self, names: Sequence[str]) -> Iterator[Fact]:
        """Yield the topics that two people share, and those of each person alone.

        The facts do not say whether the two agree; the reader judges that from the quotes."""
        common = self.graph.common(*names, most=_CONSIDERED)
        alone = [_spoken(topics, any) for topics in common.only]
        if any(alone):
            yield from self._of_all(common)
            for entity, topics in zip(common.entities, alone, strict=True):
                yield from self._of_one(entity, topics)

    def alone(self, names: Sequence[str]) -> Iterator[Fact]:
        """Yield the topics that the first of two people speaks about and the second does not."""
        common = self.graph.common(*names, most=_CONSIDERED)
        yield from self._of_one(common.entities[0], _spoken(common.only[0], any))

    def _of_all(self, common: Common) -> Iterator[Fact]:
        """Yield a heading and quotes for the topics that all the people share."""
        topics = self._with_new_words(_spoken(common.shared, all))
        if topics:
            people = self.say.listed([entity.name for entity in common.entities])
            listed = self.say.listed([topic.entity.name for topic in topics])
            key = "shared" if len(common.entities) == 2 else "shared_by_all"
            yield Fact(self.say.say(key, names=people, topics=listed))
            yield from self._speaking(topics)

    def _of_one(self, entity: Entity, topics: Sequence[Topic]) -> Iterator[Fact]:
        """Yield a heading and quotes for the topics of one person alone."""
        topics = self._with_new_words(topics)
        if topics:
            listed = self.say.listed([topic.entity.name for topic in topics])
            yield Fact(self.say.say("only", name=entity.name, topics=listed))
            yield from self._speaking(topics)

    def _with_new_words(self, topics: Sequence[Topic]) -> list[Topic]:
        """Return at most `_TOPICS` topics with one quote for each side, and add the quotes to `shown`.

        Topics with a quote that has not been shown come first."""
        fresh: list[Topic] = []
        repeated: list[Topic] = []
        for topic in topics:
            new = [self._new(side) for side in topic.quotes]
            quotes = tuple((q,) if q else side[:1] for q, side in zip(new, topic.quotes, strict=True))
            (fresh if any(new) else repeated).append(replace(topic, quotes=quotes))
            self.shown.update(map(_span, chain(*quotes)))
            if len(fresh) == _TOPICS:
                break
        return [*fresh, *repeated][:_TOPICS]

    def _new(self, quotes: Sequence[Quote]) -> Quote | None:
        """Return the first quote that has not been shown, or None."""
        return next((quote for quote in quotes if _span(quote) not in self.shown), None)

    def _speaking(self, topics: Sequence[Topic]) -> Iterator[Fact]:
        """Yield a fact for each quote: the speaker, the words, and all topics that the quote shows."""
        lines: dict[Span, tuple[Quote, list[str]]] = {}
        for topic in topics:
            for quote in chain(*topic.quotes):
                lines.setdefault(_span(quote), (quote, []))[1].append(topic.entity.name)
        for quote, names in lines.values():
            listed = self.say.listed(list(dict.fromkeys(names)))
            text = self.say.say("speaks_of", one=quote.speaker or "", other=listed)
            yield self.fact(GraphSource("mention", quote.speaker or "", SPEAKS, names[0], text), quote)

    def _edge_fact(self, edge: Edge, quote: Quote) -> Fact:
        """Return a fact for an edge, with one of its quotes."""
        kind = "inferred" if edge.inferred else "mention" if edge.relation == SPEAKS else "relation"
        key = edge.relation.replace(" ", "_")
        known = key if key in _SENTENCES else "states"
        sentence = self.say.say(known, one=edge.subject, other=edge.object, relation=edge.relation)
        source = GraphSource(kind, edge.subject, edge.relation, edge.object, sentence)
        return self.fact(source, quote)

    def fact(self, source: GraphSource, quote: Quote) -> Fact:
        """Return a fact with the quote that supports it and the quote's position."""
        words = self.say.quote(one_line(quote.text))
        shown = self.say.introduced(one_line(quote.speaker), words) if quote.speaker else words
        until = quote.begin + len(quote.text)
        return Fact(source.description, (shown,), (quote.recording,), _span(quote), until=until, graph=source)


def _spoken(topics: Sequence[Topic], sides: Callable[[Iterable[bool]], bool]) -> list[Topic]:
    """Return the topics with quotes from known speakers.

    Args:
        sides: `all` if every side must have such a quote, `any` if one is enough.
    """
    named = [
        replace(t, quotes=tuple(tuple(q for q in side if q.speaker) for side in t.quotes)) for t in topics
    ]
    return [topic for topic in named if sides(map(bool, topic.quotes))]


def _mentioners(teller: _Teller, name: str, asked: Asked) -> Iterator[Fact]:
    """Yield the people who speak about an entity, each with a quote.

    People whom the question excepts are left out. If the question asks for a role, only its holders are
    listed, as far as they are known."""
    graph, say = teller.graph, teller.say
    excepted = [person for mention in asked.reading.excepted for person in mention.values]
    nouns, holders = _roles_asked(asked)
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
        yield teller.fact(source, voice.quote) if voice.quote else Fact(text)


def _roles_asked(asked: Asked) -> tuple[list[str], frozenset[str]]:
    """Return the roles in a question about who mentions something, and their holders.

    Both are empty if the question asks for no role."""
    frame = frame_words("mentioned_by")
    known = {role for same in lexicon().same_roles for role in same}
    roles = [t for t in asked.reading.linked.tokens if t.word in frame and (t.word,) in known]
    known_holders = asked.background.catalog.credits
    held = [known_holders.get(role, {}) for token in roles for role in same_roles((token.word,))]
    holders = frozenset(name for there in held for names in there.values() for name in names)
    return list(map(noun_of, roles)), holders


_SENTENCES = ("speaks_of", "named_together_with", "named_near", "causes", "is_a")
"""Relations that have a sentence in `messages.yaml`."""
_GRAPH_QUERIES: Mapping[str, tuple[int, int, Callable[[_Teller, Sequence[str]], Iterator[Fact]]]] = {
    "connection": (2, 2, _Teller.connected),
    "common_ground": (2, 6, _Teller.shared),
    "contrast": (2, 2, _Teller.contrasted),
    "alone": (2, 2, _Teller.alone),
    "causes": (1, 2, _Teller.caused),
    "defined": (1, 1, _Teller.defined),
}
"""The minimum and maximum number of names in a question of each kind, and the function that answers it."""
