"""Questions that the graph answers: how things hang together, what people share, who else speaks of
something."""

from __future__ import annotations

from collections.abc import Iterator

from onrecord.errors import InputError
from onrecord.graph.queries import Graph
from onrecord.graph.results import Between, Common, Edge, Quote
from onrecord.stores.base import Reader
from onrecord.types import Fact
from onrecord.understand.intents import frame_words
from onrecord.understand.lexicon import Messages, lexicon
from onrecord.understand.linking import Linked

_PATHS, _TOPICS, _PEOPLE = 2, 4, 8


def graph_facts(kind: str, linked: Linked, reader: Reader, say: Messages) -> tuple[Fact, ...]:
    """What the graph knows of a question of a kind, each step with its place; empty where it does not name
    what the archive speaks of, so that it is searched."""
    names, graph = named(kind, linked), Graph(reader.graph, reader)
    try:
        if kind == "mentioned_by" and len(names) == 1:
            return tuple(_mentioners(graph, names[0], say))
        if len(names) != 2:
            return ()
        if kind == "common_ground":
            return tuple(_shared(graph.common(*names, most=_TOPICS), say))
        return tuple(_connected(graph.between(names[0], names[1], most=_PATHS), say))
    except InputError:  # nobody speaks of it, or both are the same
        return ()


def named(kind: str, linked: Linked) -> list[str]:
    """What a question of a kind names: its words, run by run, that no example of the kind has."""
    frame, articles = frame_words(kind), lexicon().sets["articles"]
    runs: list[list[int]] = []
    for at, token in enumerate(linked.tokens):
        inside = linked.at(at) is not None or token.word not in frame | articles
        if inside and (not runs or runs[-1][-1] != at - 1):
            runs.append([at])
        elif inside:
            runs[-1].append(at)
    return [linked.text[linked.tokens[run[0]].begin : linked.tokens[run[-1]].end] for run in runs]


def _connected(found: Between, say: Messages) -> Iterator[Fact]:
    for number, path in enumerate(found.paths):
        if not all(step.quotes for step in path.steps):
            continue
        key = "way_on" if number else "connected"
        yield Fact(say.say(key, one=found.one.name, other=found.other.name))
        yield from (_fact(_told(step, say), step.quotes[0]) for step in path.steps)


def _told(step: Edge, say: Messages) -> str:
    key = step.relation.replace(" ", "_")
    known = key if key in ("speaks_of", "named_together_with", "named_near") else "states"
    return say.say(known, one=step.subject, other=step.object, relation=step.relation)


def _shared(found: Common, say: Messages) -> Iterator[Fact]:
    """What all of them speak of, with a quote each; nothing where nobody speaks, as in an encyclopaedia."""
    names = [entity.name for entity in found.entities]
    spoken = [topic for topic in found.shared if all(quotes and quotes[0].speaker for quotes in topic.quotes)]
    if not spoken:
        return
    topics = say.listed([topic.entity.name for topic in spoken])
    yield Fact(say.say("shared", names=say.listed(names), topics=topics))
    for topic in spoken:
        for quotes in topic.quotes:
            text = say.say("speaks_of", one=quotes[0].speaker or "", other=topic.entity.name)
            yield _fact(text, quotes[0])


def _mentioners(graph: Graph, name: str, say: Messages) -> Iterator[Fact]:
    found = graph.about(name, _PEOPLE)
    if not found.voices:
        return
    yield Fact(say.say("mentioners", len(found.voices), said=say.quoted(found.entity.name)))
    for voice in found.voices:
        told = say.say("said_by", name=voice.speaker, passages=say.say("passages", voice.passages))
        yield _fact(told, voice.quote) if voice.quote else Fact(told)


def _fact(text: str, quote: Quote) -> Fact:
    """A line with the place where it is said."""
    place = quote.recording, quote.position, quote.begin
    return Fact(text, recordings=(quote.recording,), place=place, until=quote.begin + len(quote.text))
