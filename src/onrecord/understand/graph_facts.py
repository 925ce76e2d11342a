"""Facts from the graph: how names connect, what they share, who mentions something, what caused it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from onrecord.errors import InputError
from onrecord.graph.nouns import key_of
from onrecord.graph.paths import SPEAKS
from onrecord.graph.queries import Graph
from onrecord.graph.results import Common, Edge, Path, Quote, Topic
from onrecord.stores.scope import names_speaker
from onrecord.types import Fact, GraphSource, one_line
from onrecord.understand.conditions import Asked
from onrecord.understand.intents import frame_words
from onrecord.understand.lexicon import Messages, lexicon, plain
from onrecord.understand.linking import Linked
from onrecord.understand.reading import without_excepted

_PATHS, _TOPICS, _PEOPLE = 2, 4, 8
_PLACES = ("recording", "since", "until", "section", "language")
"""Fields of filters that say where to look; other fields describe the subject."""
_HEARD = 40
"""Number of people that are fetched before some are left out."""


def graph_facts(asked: Asked) -> tuple[Fact, ...]:
    """Return the facts from the graph for a question, each with a quote and its position.

    The result is empty, and the question goes to search, if the question mentions nothing that the archive
    speaks about, uses a name that several people share, or says where to look: the graph cannot be restricted
    to some recordings."""
    reading, background = asked.reading, asked.background
    if asked.question.scope or any(mention.of_several for mention in reading.linked.mentions):
        return ()
    names = named(asked.kind.name, without_excepted(reading, background).linked)
    # A title that is one of the names is what the question asks about, not a place.
    if any(each.field in _PLACES and (each.exact or each.said not in names) for each in asked.filters):
        return ()
    teller = _Teller(Graph(background.reader.graph, background.reader), background.messages)
    try:
        if asked.kind.name == "mentioned_by":
            excepted = [person for mention in reading.excepted for person in mention.values]
            answers = len(names) == 1 and not _asks_for_role(reading.linked)
            return tuple(teller.mentioners(names[0], excepted)) if answers else ()
        least, most, ask = _GRAPH_QUERIES[asked.kind.name]
        answers = least <= len(names) <= most and not reading.excepted
        if answers and len({key_of(name) for name in names}) < len(names):
            return (teller.named_twice(names[0]),)
        return tuple(ask(teller, names)) if answers else ()
    except InputError:  # nobody speaks about the entity, or both names mean the same entity
        return ()


def _asks_for_role(linked: Linked) -> bool:
    """Check whether a question asks for people with a role, such as guests; the graph knows no roles."""
    roles = frozenset().union(*lexicon().same_roles)
    return any((token.word,) in roles for at, token in enumerate(linked.tokens) if at not in linked.at)


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


@dataclass(frozen=True)
class _Teller:
    """Facts from the graph, written with the messages of a language."""

    graph: Graph
    say: Messages

    def connected(self, names: Sequence[str]) -> Iterator[Fact]:
        """Yield the paths that connect two entities."""
        connection = self.graph.between(names[0], names[1], most=_PATHS)
        heading = self.say.say("connected", one=connection.one.name, other=connection.other.name)
        yield from self._steps(connection.paths, heading)

    def named_twice(self, name: str) -> Fact:
        """Return a fact that says that a question relates a name to itself."""
        return Fact(self.say.say("named_twice", said=self.say.quoted(name)))

    def caused(self, names: Sequence[str]) -> Iterator[Fact]:
        """Yield the chains of causes between two entities, or all that lead to one.

        "how did x lead to y" asks for the first, "what caused y" for the second."""
        causes = self.graph.causes(names[-1], names[0] if len(names) > 1 else None, most=_PATHS)
        yield from self._steps(causes.paths, self.say.say("caused", name=causes.entity.name))

    def _steps(self, paths: Sequence[Path], heading: str) -> Iterator[Fact]:
        """Yield the paths step by step, each under a heading."""
        for path in paths:
            yield Fact(heading)
            yield from (self._edge_fact(step) for step in path.steps)
            heading = self.say.say("way_on")

    def defined(self, names: Sequence[str]) -> Iterator[Fact]:
        """Yield the definitions of an entity: its "is a" edges."""
        read = self.graph.linker.read(names[0])
        for edge in self.graph.relations(read.key, "is a"):
            if edge.subject == read.entity.name and edge.quotes:
                yield self._edge_fact(edge)

    def shared(self, names: Sequence[str]) -> Iterator[Fact]:
        """Yield the topics that all the people speak about, with a quote from each person.

        An encyclopedia has no speakers, so there is nothing to yield."""
        yield from self._shared(self.graph.common(*names))

    def _shared(self, common: Common) -> Iterator[Fact]:
        topics = [topic for topic in common.shared if all(map(_spoken, topic.quotes))]
        people = self.say.listed([entity.name for entity in common.entities])
        yield from self._topics("shared" if len(common.entities) == 2 else "shared_by_all", people, topics)

    def contrasted(self, names: Sequence[str]) -> Iterator[Fact]:
        """Yield the topics that two people share, and those of each person alone.

        The facts do not say whether the two agree; the reader judges that from the quotes."""
        common = self.graph.common(*names)
        alone = [fact for number in (0, 1) for fact in self._alone(common, number)]
        if alone:
            yield from (*self._shared(common), *alone)

    def alone(self, names: Sequence[str]) -> Iterator[Fact]:
        """Yield the topics that the first of two people speaks about and the second does not."""
        yield from self._alone(self.graph.common(*names), 0)

    def _alone(self, common: Common, number: int) -> Iterator[Fact]:
        topics = [topic for topic in common.only[number] if any(map(_spoken, topic.quotes))]
        yield from self._topics("only", common.entities[number].name, topics)

    def _topics(self, heading: str, people: str, topics: Sequence[Topic]) -> Iterator[Fact]:
        """Yield a heading, and a fact for each quote with all topics that it shows."""
        topics = topics[:_TOPICS]
        names = self.say.listed([topic.entity.name for topic in topics]) if topics else ""
        if topics:
            yield Fact(self.say.say(heading, name=people, names=people, topics=names))
        lines: dict[tuple[str, int, int], tuple[Quote, list[str]]] = {}
        for topic in topics:
            for quote in filter(None, map(_spoken, topic.quotes)):
                lines.setdefault(_place(quote), (quote, []))[1].append(topic.entity.name)
        for quote, shown in lines.values():
            text = self.say.say("speaks_of", one=quote.speaker or "", other=self.say.listed(shown))
            yield self.fact(GraphSource("mention", quote.speaker or "", SPEAKS, shown[0], text), quote)

    def mentioners(self, name: str, excepted: Sequence[str]) -> Iterator[Fact]:
        """Yield the people who speak about an entity, each with a quote, without the `excepted` people."""
        profile = self.graph.about(name, _HEARD)
        others = (v for v in profile.voices if not any(names_speaker(each, v.speaker) for each in excepted))
        shown = list(islice(others, _PEOPLE))
        said, but = self.say.quoted(profile.entity.name), self.say.listed(excepted) if excepted else ""
        if profile.voices:
            key = "others_mention" if excepted else "mentioners"
            heading = self.say.say(key, len(shown), said=said, names=but)
            yield Fact(" ".join(filter(None, (heading, self._unnamed(profile.entity.key)))))
        for voice in shown:
            passages = self.say.say("passages", voice.passages)
            text = self.say.say("said_by", name=voice.speaker, passages=passages)
            source = GraphSource("mention", voice.speaker, SPEAKS, profile.entity.name, text)
            yield self.fact(source, voice.quote) if voice.quote else Fact(text)

    def _unnamed(self, key: str) -> str:
        """Return a sentence on the recordings in which somebody without a name mentions an entity, or ""."""
        mentions = self.graph.linker.mentions(key)
        count = len({m.recording for m in mentions if m.speaker is None and m.begin >= 0})
        return self.say.say("unnamed_mention", count) if count else ""

    def _edge_fact(self, edge: Edge) -> Fact:
        """Return a fact for an edge, with its first quote."""
        kind = "inferred" if edge.inferred else "mention" if edge.relation == SPEAKS else "relation"
        key = edge.relation.replace(" ", "_")
        known = key if key in _SENTENCES else "states"
        sentence = self.say.say(known, one=edge.subject, other=edge.object, relation=edge.relation)
        return self.fact(
            GraphSource(kind, edge.subject, edge.relation, edge.object, sentence), edge.quotes[0]
        )

    def fact(self, source: GraphSource, quote: Quote) -> Fact:
        """Return a fact with the quote that supports it and the quote's position."""
        words = self.say.quote(one_line(quote.text))
        shown = self.say.introduced(plain(quote.speaker), words) if quote.speaker else words
        until = quote.begin + len(quote.text)
        return Fact(
            source.description, (shown,), (quote.recording,), _place(quote), until=until, graph=source
        )


def _place(quote: Quote) -> tuple[str, int, int]:
    """Return where a quote begins: recording id, passage position, character offset."""
    return quote.recording, quote.position, quote.begin


def _spoken(quotes: Sequence[Quote]) -> Quote | None:
    """Return the first quote of a known speaker, or None."""
    return next((quote for quote in quotes if quote.speaker), None)


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
