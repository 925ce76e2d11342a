"""How two entities hang together: paths of up to three edges, each with the words that show it.

An edge is a relation that is stated, somebody who speaks of something, or, inferred, two that are named in
one passage or in passages that follow one another. Paths are found from both ends at once; each step halves a
path's score, what is stated counts fully, what is inferred by how special the two are to one another.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, product
from math import log

from onrecord.graph.cues import is_shown
from onrecord.graph.linking import Linker
from onrecord.graph.quotes import Quoter, Span
from onrecord.graph.results import Edge, Path
from onrecord.stores.graph.base import GraphReader, spread
from onrecord.types.graph import PHRASE_KINDS, Entity, Mention

TOGETHER, NEAR, SPEAKS, SIMILAR = "named together with", "named near", "speaks of", "similar to"
_PLACES = 100
"""Passages of each end that are looked into."""
_ENDS = 16
"""Neighbours of each end between which a third step is looked for, in so many passages each."""
_EACH = 40
_CLOSE = 2
"""Passages between two that are near one another in time."""
_WIDE = 350
"""Characters between two that one quote shows."""
_STEP = 0.5
_CAUSES = "causes"


@dataclass
class _Link:
    """What joins two entities: the relation, from the first to the second or back, and where it shows."""

    relation: str
    inferred: bool = True
    backward: bool = False
    spans: list[Span] = field(default_factory=list)


_Chain = tuple[tuple[str, ...], list[_Link]]
"""Keys of entities, and what joins each two that follow one another."""


class Paths:
    """Looks for paths in one state of the graph; `total` is how many passages there are."""

    def __init__(self, graph: GraphReader, linker: Linker, quoter: Quoter, total: int) -> None:
        self._graph, self._linker, self._quoter, self._total = graph, linker, quoter, total
        self._known: dict[str, Entity] = {}

    def between(self, one: Entity, other: Entity, steps: int, most: int) -> tuple[Path, ...]:
        """The best paths of at most so many steps, one for each way of going."""
        self._known |= {one.key: one, other.key: other}
        first_mentions, last_mentions = self._mentions(one.key), self._mentions(other.key)
        first, last = self._links(one.key, first_mentions), self._links(other.key, last_mentions)
        chains: list[_Chain] = []
        link = first.get(other.key)
        if link is None and one.key in last:
            link = _reverse(last[one.key])
        if link := link or _near(first_mentions, last_mentions):
            chains.append(((one.key, other.key), [link]))
        if steps > 1:
            direct = {(m.recording, m.position) for m in first_mentions} & {
                (m.recording, m.position) for m in last_mentions
            }
            chains += [
                ((one.key, key, other.key), [first[key], _reverse(last[key])])
                for key in self._most_specific(
                    first.keys() & last.keys() - {one.key, other.key}, first, last, 4 * most
                )
                if not direct.issuperset(span[:2] for link in (first[key], last[key]) for span in link.spans)
            ]
        if steps > 2 and len(chains) < most:
            chains += self._three_step_paths(one.key, other.key, first, last, 4 * most)
        self._load_entities({key for keys, _ in chains for key in keys})
        ranked = sorted(chains, key=lambda each: (-self._score(*each), each[0]))
        return tuple(self._path(keys, links) for keys, links in ranked[:most])

    def causes(self, effect: Entity, origin: Entity | None, steps: int, most: int) -> tuple[Path, ...]:
        """Chains of stated causes that end in `effect`, back to `origin` where one is given, else as far back
        as they are stated. At most so many steps; the shortest and best supported first."""
        self._known |= {each.key: each for each in (effect, origin) if each}
        origin_keys = {key for key, _ in self._linker.keys(origin.key)} if origin else set()
        open_chains: list[_Chain] = [((effect.key,), [])]
        ended_chains: list[_Chain] = []
        for _ in range(steps):
            longer_chains = [self._before(chain) for chain in open_chains]
            if not origin:
                ended_chains += [
                    c
                    for c, more in zip(open_chains, longer_chains, strict=True)
                    if len(c[0]) > 1 and not more
                ]
            open_chains = sorted(chain(*longer_chains), key=lambda each: (-_certainty(*each[1]), each[0]))[
                :_ENDS
            ]
            ended_chains += [each for each in open_chains if each[0][0] in origin_keys]
        if not origin:
            ended_chains += open_chains
        self._load_entities({key for keys, _ in ended_chains for key in keys})
        ranked = sorted(ended_chains, key=lambda each: (len(each[0]), -_certainty(*each[1]), each[0]))
        return tuple(self._path(keys, links) for keys, links in ranked[:most])

    def _before(self, end: _Chain) -> list[_Chain]:
        """A chain with one more cause before it, for each that is stated."""
        keys, links = end
        return [
            ((cause, *keys), [_reverse(link), *links])
            for cause, link in self._stated(keys[0]).items()
            if link.relation == _CAUSES and link.backward and cause not in keys
        ]

    # ---------------------------------------------------------------- what joins two

    def _mentions(self, key: str) -> list[Mention]:
        return list(spread(self._linker.mentions(key, _PLACES), _PLACES))

    def _links(self, key: str, mentions: Sequence[Mention]) -> dict[str, _Link]:
        """Everything that an entity is joined to, by its key."""
        mentions_at: defaultdict[tuple[str, int], list[Mention]] = defaultdict(list)
        for mention in mentions:
            there = mentions_at[mention.recording, mention.position]
            if all((mention.rule == "speaker") != (link_before.rule == "speaker") for link_before in there):
                there.append(mention)  # one of each sort tells as much as all
        beside = self._graph.mentioned(mentions_at)
        keys_beside = self._linker.canonical(beside)
        overlapping = {other for other in set(keys_beside) if is_within(other, key)}
        links: dict[str, _Link] = {}
        for mention, other in zip(beside, keys_beside, strict=True):
            if other in overlapping or other == key:
                continue
            joined = [
                _link_between(mine, mention) for mine in mentions_at[mention.recording, mention.position]
            ]
            link = min(joined, key=lambda each: each.inferred)
            link_before = links.get(other)
            if link_before is None or (link_before.inferred and not link.inferred):
                links[other] = link
            elif link_before.relation == link.relation:
                link_before.spans += link.spans
        return links | self._stated(key)

    def _stated(self, key: str) -> dict[str, _Link]:
        keys = {alias for alias, _ in self._linker.keys(key)}
        links: dict[str, _Link] = {}
        for relation in self._graph.relations(keys):
            if not is_shown(relation):
                continue
            backward = relation.object in keys
            other = relation.subject if backward else relation.object
            link = links.setdefault(other, _Link(relation.relation, False, backward))
            if link.relation == relation.relation:
                link.spans.append((relation.recording, relation.position, relation.begin, relation.end))
        return links

    def _three_step_paths(
        self, one: str, other: str, first: Mapping[str, _Link], last: Mapping[str, _Link], most: int
    ) -> list[_Chain]:
        """Paths of three steps: something that is named with the one, and with what is named with the
        other."""
        ends = [
            self._most_specific(mine.keys() - {one, other} - theirs.keys(), mine, mine, _ENDS)
            for mine, theirs in ((first, last), (last, first))
        ]
        mentions_at = {key: self._by_place(key) for key in {*ends[0], *ends[1]}}
        chains: list[_Chain] = []
        for x, y in product(*ends):
            shared = sorted(mentions_at[x].keys() & mentions_at[y].keys())
            if shared and not is_within(x, y):
                link = _Link(TOGETHER, spans=[_span(mentions_at[x][at], mentions_at[y][at]) for at in shared])
                chains.append(((one, x, y, other), [first[x], link, _reverse(last[y])]))
            if len(chains) == most:
                break
        return chains

    def _by_place(self, key: str) -> dict[tuple[str, int], Mention]:
        mentions = self._graph.mentions([(key, "")], _EACH)
        return {(m.recording, m.position): m for m in mentions if m.rule != "speaker"}

    # ---------------------------------------------------------------- ranking and quotes

    def _most_specific(
        self, keys: Iterable[str], first: Mapping[str, _Link], last: Mapping[str, _Link], most: int
    ) -> list[str]:
        """The keys that are joined most often, and named least elsewhere."""
        commonest = sorted(keys, key=lambda key: (-len(first[key].spans) - len(last[key].spans), key))[
            : 10 * most
        ]
        self._load_entities(commonest)
        there = [key for key in commonest if key in self._known]
        ranked = sorted(there, key=lambda key: (-self._rarity(key) * _certainty(first[key], last[key]), key))
        nouns = self._linker.nouns([self._known[key] for key in ranked[: 2 * most]])
        return [entity.key for entity in nouns[:most]]

    def _load_entities(self, keys: Iterable[str]) -> None:
        self._known |= self._graph.entities({key for key in keys if key not in self._known})

    def _rarity(self, key: str) -> float:
        """How seldom something is named, in 0..1, next to how many passages there are."""
        entity = self._known[key]
        wide = log(1 + self._total)
        rare = log(1 + self._total / max(1, entity.passages)) / wide if wide else 1.0
        return rare * (1.0 if " " in key or entity.kind not in PHRASE_KINDS else 0.8)

    def _score(self, keys: Sequence[str], links: Sequence[_Link]) -> float:
        inner = [self._rarity(key) for key in keys[1:-1] if key in self._known]
        sure = min(_certainty(link) for link in links)
        return float(_STEP ** (len(links) - 1) * sure * min(inner, default=1.0))

    def _path(self, keys: Sequence[str], links: Sequence[_Link]) -> Path:
        names = [self._known[key].name if key in self._known else key for key in keys]
        steps = tuple(self._edge(a, b, link) for a, b, link in zip(names, names[1:], links, strict=False))
        return Path(steps, self._score(keys, links))

    def _edge(self, one: str, other: str, link: _Link) -> Edge:
        subject, object_ = (other, one) if link.backward else (one, other)
        spans = list(dict.fromkeys(link.spans))
        quotes = self._quoter.quotes(spans, 2)
        return Edge(subject, link.relation, object_, link.inferred, _certainty(link), len(spans), quotes)


def _link_between(mine: Mention, other: Mention) -> _Link:
    """What joins two mentions of one passage."""
    for speaker, named, backward in ((mine, other, False), (other, mine, True)):
        if (
            speaker.rule == "speaker"
            and named.rule != "speaker"
            and speaker.begin <= named.begin < speaker.end
        ):
            span = (named.recording, named.position, named.begin, named.end)
            return _Link(SPEAKS, False, backward, [span])
    return _Link(TOGETHER, spans=[_span(mine, other)])


def _span(one: Mention, other: Mention) -> Span:
    """The characters from one mention to another, or of the second where they are far apart."""
    begin, end = min(one.begin, other.begin), max(one.end, other.end)
    apart = end - begin > _WIDE or one.speaker != other.speaker
    if begin < 0 or apart or "speaker" in (one.rule, other.rule):
        begin, end = (other.begin, other.end) if other.rule != "speaker" else (one.begin, one.end)
    return other.recording, other.position, begin, end


def _near(mine: Sequence[Mention], theirs: Sequence[Mention]) -> _Link | None:
    """Two that are named in passages that nearly follow one another."""
    by_recording: defaultdict[str, list[Mention]] = defaultdict(list)
    for mention in theirs:
        by_recording[mention.recording].append(mention)
    spans: list[Span] = []
    for mention in mine:
        for other in by_recording[mention.recording]:
            if 0 < abs(other.position - mention.position) <= _CLOSE and not spans:
                spans = [(m.recording, m.position, m.begin, m.end) for m in (mention, other)]
    return _Link(NEAR, spans=spans) if spans else None


def _reverse(link: _Link) -> _Link:
    return _Link(link.relation, link.inferred, not link.backward, link.spans)


def _certainty(*links: _Link) -> float:
    """How sure what joins two is, in 0..1."""
    return min(map(_certainty_of, links))


def _certainty_of(link: _Link) -> float:
    if link.relation == NEAR:
        return 0.2
    highest, doubt = (0.9, 0.4) if link.inferred else (1.0, 0.3)
    return float(highest - doubt ** len(link.spans))


def is_within(one: str, other: str) -> bool:
    """Whether one name is part of the other."""
    a, b = set(one.split()), set(other.split())
    return a <= b or b <= a
