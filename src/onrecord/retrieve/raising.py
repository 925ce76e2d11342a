"""What the graph raised: the edges over which passages gained score, for questions that ask to explain.

An edge is a link of a passage to an entity that the question names, or that another passage names, too. Where
words state a relation of an entity of the question, and this edge leads on from it, the edge is this
relation, with its quote. Nothing of this is imported unless a question asks for it (`Tools.explain`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from heapq import nlargest
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from onrecord.graph.queries import Graph
from onrecord.graph.results import Edge
from onrecord.stores.base import Snapshot
from onrecord.stores.graph.base import Place
from onrecord.types import Evidence, Fact, GraphSource, Raised, RaisingEdge

if TYPE_CHECKING:
    from onrecord.types import Scores

MOST = 3
"""The most edges of a passage."""


class Link(NamedTuple):
    """An entity through which a passage gained score.

    `via` is another passage that names it, or None if the question does.
    """

    entity: str
    via: Place | None
    gained: float


def risen(scores: Scores, without: Scores) -> dict[int, tuple[int, int]]:
    """Return the indices that rank better by `scores` than `without`, with both places, from 1."""
    after, before = np.empty(len(scores), np.int64), np.empty(len(scores), np.int64)
    for place, ranked in ((after, scores), (before, without)):
        place[np.argsort(-ranked, kind="stable")] = np.arange(1, len(scores) + 1)
    return {at: (int(after[at]), int(before[at])) for at in np.flatnonzero(after < before).tolist()}


def raised_by(
    links: Iterable[tuple[Place, Link]],
    places: Mapping[Place, tuple[int, int]],
    asked: Collection[str],
    store: Snapshot,
) -> tuple[Raised, ...]:
    """Return the passages of `links` that rose, in the order of their places.

    `places` are the place of each risen passage, and the one without the graph. `asked` are the entities of
    the question.
    """
    gained: defaultdict[Place, defaultdict[tuple[str, Place | None], float]]
    gained = defaultdict(lambda: defaultdict(float))
    for place, link in links:
        if place in places and link.gained > 0:
            gained[place][link.entity, link.via] += link.gained
    strongest = {
        place: nlargest(MOST, (Link(*ends, score) for ends, score in gained[place].items()), _gained)
        for place in sorted(gained, key=places.__getitem__)
    }
    namer = _Namer(store, asked, {link.entity for some in strongest.values() for link in some})
    return tuple(
        Raised(place[0], namer.title(place[0]), place[1], *places[place], tuple(namer.edges(place, some)))
        for place, some in strongest.items()
    )


class _Namer:
    """Writes links as edges: with the names of entities and titles, and with relations that are stated."""

    def __init__(self, store: Snapshot, asked: Collection[str], keys: Collection[str]) -> None:
        self._graph = Graph(store.graph, store)
        self._names = {key: entity.name for key, entity in store.graph.entities({*keys, *asked}).items()}
        self._stated = [(key, edge) for key in asked for edge in self._graph.relations(key)]

    def title(self, recording: str) -> str:
        known = self._graph.quoter.recording(recording)
        return known.title if known else recording

    def edges(self, place: Place, links: Sequence[Link]) -> Iterator[RaisingEdge]:
        for link in links:
            edge = next(self._relations(place, link), None) or self._mention(place, link)
            yield replace(edge, gained=link.gained, via=link.via)

    def _relations(self, place: Place, link: Link) -> Iterator[RaisingEdge]:
        """Yield the relations with the entity that one of the two passages states of one of the question."""
        name = self._names[link.entity]
        for key, edge in self._stated:
            if key == link.entity or (link.via and name in _ends(edge)):
                for quote in edge.quotes:
                    if (quote.recording, quote.position) in (place, link.via):
                        said = f"{edge.subject} {edge.relation} {edge.object}"
                        source = GraphSource("relation", edge.subject, edge.relation, edge.object, said)
                        yield RaisingEdge(source, quote=quote.text)

    def _mention(self, place: Place, link: Link) -> RaisingEdge:
        name, shared = self._names[link.entity], "which the question names"
        if link.via:
            shared = f"as does {self.title(link.via[0])}, passage {link.via[1] + 1}"
        said = f"mentions {name}, {shared}"
        return RaisingEdge(GraphSource("mention", self.title(place[0]), "mentions", name, said))


def _ends(edge: Edge) -> tuple[str, str]:
    return edge.subject, edge.object


def raised_by_facts(facts: Iterable[Fact], store: Snapshot) -> tuple[Raised, ...]:
    """Return the passages that facts of the graph quote, in their order: the graph alone found them."""
    edges: defaultdict[Place, list[RaisingEdge]] = defaultdict(list)
    for fact in facts:
        if fact.graph and fact.place:
            edges[fact.place[:2]].append(RaisingEdge(fact.graph))
    titles = {name: known.title for name, _ in edges if (known := store.recording(name))}
    return tuple(
        Raised(name, titles.get(name, name), position, place, None, tuple(some[:MOST]))
        for place, ((name, position), some) in enumerate(edges.items(), 1)
    )


# ---------------------------------------------------------------- what the evidence has


def with_raised_of_evidence(evidence: Evidence) -> Evidence:
    """Return evidence whose steps name only raised passages of its moments and facts.

    Each has its strongest `MOST` edges, over all steps.
    """
    passages = {(p.recording, p.position) for moment in evidence.moments for p in moment.passages}
    edges: defaultdict[Place, list[RaisingEdge]] = defaultdict(list)
    for each in (each for step in evidence.trace for each in step.raised):
        if each.without is None or (each.recording, each.position) in passages:
            edges[each.recording, each.position] += each.edges
    kept = {place: nlargest(MOST, some, _gained) for place, some in edges.items()}
    steps = (replace(step, raised=tuple(_limited(step.raised, kept))) for step in evidence.trace)
    return replace(evidence, trace=tuple(steps))


def _limited(passages: Iterable[Raised], kept: Mapping[Place, Sequence[RaisingEdge]]) -> Iterator[Raised]:
    """Yield those of the passages that have edges to be kept, with these edges."""
    for each in passages:
        edges = tuple(edge for edge in each.edges if edge in kept.get((each.recording, each.position), ()))
        if edges:
            yield replace(each, edges=edges)


def _gained(edge: Link | RaisingEdge) -> float:
    return edge.gained or 0.0
