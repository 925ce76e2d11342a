"""Connections between two entities: paths of up to three edges, each with quotes that show it.

An edge is a stated relation or a speaker who mentions an entity. An inferred edge joins two entities that are
mentioned in one passage or near one another, or two people who speak in one recording. The search runs from
both ends at once. Each step halves the score of a path. Stated edges count fully; inferred edges count by how
specific the two entities are to one another. A path is returned only if quotes show both ends of every step.
"""

from __future__ import annotations

from bisect import insort
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice, product
from math import log

from onrecord.graph.linking import Linker
from onrecord.graph.quotes import Quoter, Span, by_place, diverse, first_within, span_of, span_of_both
from onrecord.graph.results import Edge, Path
from onrecord.stores.graph.base import GraphSnapshot, Place, spread
from onrecord.types.graph import PHRASE_KINDS, Entity, Mention

TOGETHER, NEAR, SPEAKS, SIMILAR = "named together with", "named near", "speaks of", "similar to"
SPEAKS_WITH = "speaks in a recording with"
_PLACES = 64
"""Passages of each end that are examined."""
_ENDS = 16
"""Neighbors of each end between which a third step is searched; chains of causes kept after each step."""
_EACH = 40
"""Mentions that are read of each of these neighbors."""
_CLOSE = 2
"""Greatest distance, in passages, of two mentions that are near one another in a recording."""
_SHOWN_OF_TURN = 120
"""Most characters that are quoted from the turn of a person who speaks in a recording with another."""
_QUOTES = 2
"""Quotes of each step."""
_APART = {NEAR: 0.2, SPEAKS_WITH: 0.5}
"""Certainty, in 0..1, of a connection that no single quote shows."""
_STEP = 0.5
"""Factor of a path's score for each step after the first."""
_CAUSES = "causes"


@dataclass
class _Link:
    """A connection of two entities: the relation, its direction, and the spans that show it.

    The relation goes from the first entity to the second unless `backward`. If `apart`, the first span shows
    one entity and the second span the other; otherwise each span shows both. `places` are the passages of the
    spans.
    """

    relation: str
    inferred: bool = True
    backward: bool = False
    apart: bool = False
    spans: list[Span] = field(default_factory=list)

    @property
    def places(self) -> set[Place]:
        return {span[:2] for span in self.spans}


class _Links:
    """The connections of one entity, by the key of the other entity.

    They are computed on demand because an entity has hundreds.
    """

    def __init__(
        self, mine_at: Mapping[Place, Collection[Mention]], stated: Mapping[str, list[_Link]]
    ) -> None:
        self._mine_at = mine_at
        self.theirs_at: defaultdict[str, defaultdict[Place, list[Mention]]] = defaultdict(
            lambda: defaultdict(list)
        )
        self._links: dict[str, list[_Link]] = dict(stated)

    def keys(self) -> set[str]:
        """Return the keys of all entities with a stated relation to the entity, or in one of its passages."""
        return {*self._links, *self.theirs_at}

    def passages(self, key: str) -> int:
        """Return the most passages that may connect an entity to this one."""
        stated = max((len(link.spans) for link in self._links.get(key, ())), default=0)
        return max(len(self.theirs_at.get(key, ())), stated)

    def get(self, key: str) -> _Link | None:
        """Return the best connection to an entity; None if no quote can show one."""
        return next(iter(self.every(key)), None)

    def every(self, key: str) -> list[_Link]:
        """Return the connections to an entity, one for each relation and direction, the best first.

        Inferred connections are left out if there are others.
        """
        if key not in self._links:
            spans: defaultdict[tuple[str, bool], list[Span]] = defaultdict(list)
            for at, theirs in self.theirs_at.get(key, {}).items():
                for relation, backward, span in _spans_between(self._mine_at[at], theirs):
                    spans[relation, backward].append(span)
            self._links[key] = _best_first(
                _Link(relation, relation == TOGETHER, backward, spans=some)
                for (relation, backward), some in spans.items()
            )
        return self._links[key]


_Chain = tuple[tuple[str, ...], list[_Link]]
"""Keys of entities, and the link between each two consecutive entities."""


class Paths:
    """Searches paths in one state of the graph of an archive of `total` passages.

    With `unsure`, paths include relations that are not correct often enough to be shown by default.
    """

    def __init__(
        self, graph: GraphSnapshot, linker: Linker, quoter: Quoter, total: int, unsure: bool = False
    ) -> None:
        self._graph, self._linker, self._quoter, self._total = graph, linker, quoter, total
        self._unsure = unsure
        self._known: dict[str, Entity] = {}
        self._mentions: dict[str, list[Mention]] = {}

    def between(self, one: Entity, other: Entity, steps: int, most: int, apart: bool) -> tuple[Path, ...]:
        """Return the best paths of at most `steps` steps between two entities.

        With `apart`, the result includes direct connections that need one quote of each entity.
        """
        self._known |= {one.key: one, other.key: other}
        first_mentions, last_mentions = self.mentions(one.key), self.mentions(other.key)
        shared = self._shared(one.key, other.key)
        first = self._links(one.key, spread(first_mentions, _PLACES - len(shared)), shared)
        last = self._links(other.key, last_mentions)
        direct = first.every(other.key) or list(map(_reverse, last.every(one.key)))
        if apart and (meeting := _speaking_together(first_mentions, last_mentions)):
            direct.append(meeting)
        paths = self._shown([((one.key, other.key), [link]) for link in direct], most)
        if apart and not paths and (link := _near(first_mentions, last_mentions)):
            paths = self._shown([((one.key, other.key), [link])], most)
        chains = self._two_step_paths(one.key, other.key, first, last, 4 * most) if steps > 1 else []
        chains += self._chains_of_causes(one.key, other.key, steps)
        chains += map(_turned, self._chains_of_causes(other.key, one.key, steps))
        if steps > 2 and len(chains) + len(paths) < most:
            chains += self._three_step_paths(one.key, other.key, first, last, 4 * most)
        self._load_entities({key for keys, _ in chains for key in keys})
        ranked = sorted(chains, key=lambda each: (-self._score(*each), each[0]))
        paths += self._shown(ranked, most - len(paths))
        return tuple(sorted(paths, key=lambda path: -path.score))

    def causes(self, effect: Entity, origin: Entity | None, steps: int, most: int) -> tuple[Path, ...]:
        """Return chains of stated causes that end in `effect`, the shortest and best supported first.

        The chains have at most `steps` steps. They begin at `origin` if it is given, else at the earliest
        stated cause.
        """
        self._known |= {each.key: each for each in (effect, origin) if each}
        origin_keys = {key for key, _ in self._linker.keys(origin.key)} if origin else set()
        origin_keys |= set(self._linker.narrower(origin.key)) if origin else set()
        open_chains: list[_Chain] = [((key,), []) for key in (effect.key, *self._linker.narrower(effect.key))]
        ended_chains: list[_Chain] = []
        for _ in range(steps):
            longer_chains = [self._before(chain) for chain in open_chains]
            if not origin:
                ended_chains += [
                    c
                    for c, more in zip(open_chains, longer_chains, strict=True)
                    if len(c[0]) > 1 and not more
                ]
            open_chains = _surest(chain(*longer_chains))
            ended_chains += [each for each in open_chains if each[0][0] in origin_keys]
        if not origin:
            ended_chains += open_chains
        self._load_entities({key for keys, _ in ended_chains for key in keys})
        ranked = sorted(ended_chains, key=lambda each: (len(each[0]), -_certainty(*each[1]), each[0]))
        return tuple(self._shown(ranked, most))

    def _chains_of_causes(self, origin: str, effect: str, steps: int) -> list[_Chain]:
        """Return the chains of three or more stated causes from one entity to another."""
        chains: list[_Chain] = [((effect,), [])]
        found: list[_Chain] = []
        for step in range(steps if steps > 2 else 0):
            chains = _surest(chain(*map(self._before, chains)))
            found += [each for each in chains if step > 1 and each[0][0] == origin]
        return found

    def _shown(self, chains: Sequence[_Chain], most: int) -> list[Path]:
        """Return the paths of the first `most` chains in which quotes show every step."""
        links = chain.from_iterable(links for _, links in chains[:most])
        self._quoter.load(span[:2] for link in links for span in diverse(link.spans, _QUOTES))
        paths = (self._path(keys, links) for keys, links in chains)
        return list(islice(filter(None, paths), most))

    def _before(self, end: _Chain) -> list[_Chain]:
        """Return a chain once for each stated cause of its first entity, with the cause in front."""
        keys, links = end
        return [
            ((cause, *keys), [_reverse(link), *links])
            for cause, stated in self._stated(keys[0]).items()
            for link in stated
            if link.relation == _CAUSES and link.backward and cause not in keys
        ]

    # ---------------------------------------------------------------- links between entities

    def mentions(self, key: str) -> list[Mention]:
        """Return the mentions of an end that are examined, cached."""
        if key not in self._mentions:
            self._mentions[key] = list(spread(self._linker.mentions(key, _PLACES), _PLACES))
        return self._mentions[key]

    def _shared(self, one: str, other: str) -> list[Place]:
        """Return passages that mention both of two entities: a sample of each end seldom has them."""
        keys, others = ({name for name, _ in self._linker.keys(key)} for key in (one, other))
        return self._graph.shared(keys, others, _PLACES // 2)

    def _links(self, key: str, mentions: Sequence[Mention], also: Iterable[Place] = ()) -> _Links:
        """Return the connections of an entity in the passages of its mentions, and in others that have it."""
        mine_at: defaultdict[Place, dict[Mention, None]] = defaultdict(dict)  # ordered, without duplicates
        for mention in mentions:
            mine_at[mention.recording, mention.position][mention] = None
        beside = self._graph.mentioned([*mine_at, *also])
        keys_beside = self._linker.canonical(beside, [key])
        overlapping = {other for other in set(keys_beside) if is_within(other, key)}
        links = _Links(mine_at, self._stated(key))
        for mention, other in zip(beside, keys_beside, strict=True):
            if other == key:
                mine_at[mention.recording, mention.position][mention] = None
            elif other not in overlapping:
                links.theirs_at[other][mention.recording, mention.position].append(mention)
        return links

    def _stated(self, key: str) -> dict[str, list[_Link]]:
        """Return the stated relations of an entity that are shown, by the key of the other end."""
        links: defaultdict[str, dict[tuple[str, bool], _Link]] = defaultdict(dict)
        for stated, subject, object_ in self._linker.stated(key, self._unsure):
            backward = object_ == key
            link = links[subject if backward else object_].setdefault(
                (stated.relation, backward), _Link(stated.relation, False, backward)
            )
            link.spans.append(Span(stated.recording, stated.position, stated.begin, stated.end))
        return {other: _best_first(by_direction.values()) for other, by_direction in links.items()}

    def _two_step_paths(self, one: str, other: str, first: _Links, last: _Links, most: int) -> list[_Chain]:
        """Return paths over an entity connected to both ends.

        An entity is left out if it occurs only in passages that mention both ends, unless both steps are
        stated.
        """
        joining = self._most_specific(first.keys() & last.keys() - {one, other}, first, last, most)
        direct = first.get(other)
        both = direct.places if direct else set()
        return [
            ((one, key, other), [mine, _reverse(theirs)])
            for key, mine, theirs in joining
            if _are_relations(mine, theirs) or not both.issuperset(mine.places | theirs.places)
        ]

    def _three_step_paths(self, one: str, other: str, first: _Links, last: _Links, most: int) -> list[_Chain]:
        """Return paths of three steps, over a neighbor of the one end and a neighbor of the other end."""
        near, far = (
            self._most_specific(mine.keys() - {one, other} - theirs.keys(), mine, mine, _ENDS)
            for mine, theirs in ((first, last), (last, first))
        )
        mentions_at = {key: by_place(self._graph.mentions([(key, "")], _EACH)) for key, *_ in (*near, *far)}
        chains: list[_Chain] = []
        for (x, from_one, _), (y, from_other, _) in product(near, far):
            if is_within(x, y) or is_within(x, other) or is_within(y, one):
                continue
            shared = sorted(mentions_at[x].keys() & mentions_at[y].keys())
            both = (span_of_both(mentions_at[x][at], mentions_at[y][at]) for at in shared)
            if spans := list(filter(None, both)):
                link = _Link(TOGETHER, spans=spans)
                chains.append(((one, x, y, other), [from_one, link, _reverse(from_other)]))
            if len(chains) == most:
                break
        return chains

    # ---------------------------------------------------------------- ranking and quotes

    def _most_specific(
        self, keys: Iterable[str], first: _Links, last: _Links, most: int
    ) -> list[tuple[str, _Link, _Link]]:
        """Return the entities that are connected most often to both ends and mentioned least elsewhere.

        Each comes with its link to either end. Of "heat pumps" and "pumps" in the same passages, only the
        first is returned.
        """
        commonest = sorted(keys, key=lambda key: (-first.passages(key) - last.passages(key), key))[
            : 10 * most
        ]
        self._load_entities(commonest)
        often = {key: min(first.passages(key), last.passages(key)) for key in commonest if key in self._known}
        bounds = sorted((-self._telling(key, n) * certainty_of(False, n), key) for key, n in often.items())
        joined: dict[str, tuple[_Link, _Link]] = {}
        ranked: list[tuple[float, str]] = []
        for bound, key in bounds:
            if len(ranked) >= 2 * most and ranked[2 * most - 1][0] < bound:
                break  # links are slow to compute, and no other can be as informative
            if (mine := first.get(key)) and (theirs := last.get(key)):
                joined[key] = mine, theirs
                insort(ranked, (-self._telling_of(key, mine, theirs), key))
        nouns = self._linker.nouns([self._known[key] for _, key in ranked[: 2 * most]])
        chosen: list[str] = []
        for entity in nouns:
            if not any(_repeats(entity.key, other, joined) for other in chosen):
                chosen.append(entity.key)
        return [(key, *joined[key]) for key in chosen[:most]]

    def _load_entities(self, keys: Iterable[str]) -> None:
        self._known |= self._graph.entities({key for key in keys if key not in self._known})

    def _telling_of(self, key: str, one: _Link, other: _Link) -> float:
        """Return how informative an entity is as a connection of two others, in 0..1."""
        often = min(len(one.places), len(other.places))
        return self._telling(key, often) * _certainty(one, other)

    def _telling(self, key: str, often: int) -> float:
        """Return how informative an entity is that `often` passages connect with each of two others, in 0..1.

        An entity in few passages of the archive that recurs with both others is most informative.
        """
        entity, wide = self._known[key], log(1 + self._total)
        rare = log(1 + self._total / max(1, entity.passages)) / wide if wide else 1.0
        rare *= 1.0 if " " in key or entity.kind not in PHRASE_KINDS else 0.8
        return rare * (1 - 0.5**often)

    def _score(self, keys: Sequence[str], links: Sequence[_Link]) -> float:
        """Return the score of a path, in 0..1: the value of its least informative inner entity.

        Each step after the first halves the score, except in a chain of stated causes. A path of one step has
        the certainty of its link.
        """
        inner = [
            self._telling_of(key, one, other)
            for key, one, other in zip(keys[1:-1], links, links[1:], strict=False)
            if key in self._known
        ]
        are_causes = all(link.relation == _CAUSES for link in links)
        steps = 1 if are_causes else len(links)
        return float(_STEP ** (steps - 1) * min(inner, default=_certainty(*links)))

    def _path(self, keys: Sequence[str], links: Sequence[_Link]) -> Path | None:
        """Return the path of some keys and links; None if no quote shows one of its steps."""
        names = [self._known[key].name if key in self._known else key for key in keys]
        steps = tuple(self._edge(a, b, link) for a, b, link in zip(names, names[1:], links, strict=False))
        return Path(steps, self._score(keys, links)) if all(step.quotes for step in steps) else None

    def _edge(self, one: str, other: str, link: _Link) -> Edge:
        """Return the edge of a link, with at most `_QUOTES` quotes that show both ends.

        If the link is `apart`, the edge has one quote of each end.
        """
        quotes = () if link.apart else self._quoter.quotes(link.spans, _QUOTES)
        if link.apart and all(one_of_each := [self._quoter.quote(span) for span in link.spans[:2]]):
            quotes = tuple(filter(None, one_of_each))
        subject, object_ = (other, one) if link.backward else (one, other)
        sure, count = _certainty(link), len(link.places)
        return Edge(subject, link.relation, object_, link.inferred, sure, count, quotes, link.apart)


def _spans_between(mine: Iterable[Mention], theirs: Sequence[Mention]) -> list[tuple[str, bool, Span]]:
    """Return the connections of two entities in one passage: the relation, whether it is backward, its span.

    Two people who mention one another have a connection in each direction. Empty if no quote shows one.
    """
    connections = [
        (SPEAKS, backward, mentioned)
        for speaking, named, backward in ((mine, theirs, False), (theirs, mine, True))
        if (turns := [each for each in speaking if each.rule == "speaker"])
        and (mentioned := first_within(turns, named))
    ]
    if not connections and (span := span_of_both(mine, theirs)):
        return [(TOGETHER, False, span)]
    return connections


def _best_first(links: Iterable[_Link]) -> list[_Link]:
    """Return links by falling number of spans; inferred links only if there are no others."""
    ranked = sorted(links, key=lambda link: (link.inferred, -len(link.spans)))
    return [link for link in ranked if link.inferred == ranked[0].inferred]


def _speaking_together(mine: Iterable[Mention], theirs: Iterable[Mention]) -> _Link | None:
    """Link two people who speak in the same recordings.

    The spans are the longest turn of each in every shared recording, in the order of the recordings' ids.
    """
    turns = [_longest_turns(mine), _longest_turns(theirs)]
    shared = sorted(turns[0].keys() & turns[1].keys())
    if not shared:
        return None
    spans = [
        Span(turn.recording, turn.position, turn.begin, min(turn.end, turn.begin + _SHOWN_OF_TURN))
        for recording in shared
        for turn in (turns[0][recording], turns[1][recording])
    ]
    return _Link(SPEAKS_WITH, apart=True, spans=spans)


def _longest_turns(mentions: Iterable[Mention]) -> dict[str, Mention]:
    """Return the longest turn of a person in each recording, by recording."""
    turns: dict[str, Mention] = {}
    for mention in mentions:
        longest = turns.get(mention.recording)
        if mention.rule == "speaker" and (
            longest is None or mention.end - mention.begin > longest.end - longest.begin
        ):
            turns[mention.recording] = mention
    return turns


def _near(mine: Iterable[Mention], theirs: Iterable[Mention]) -> _Link | None:
    """Link two entities mentioned in one passage or within `_CLOSE` passages, by the nearest pair."""
    by_recording: defaultdict[str, list[Mention]] = defaultdict(list)
    for mention in theirs:
        if mention.begin >= 0 and mention.rule != "speaker":
            by_recording[mention.recording].append(mention)
    pairs = [
        (mention, other)
        for mention in mine
        if mention.begin >= 0 and mention.rule != "speaker"
        for other in by_recording[mention.recording]
        if abs(other.position - mention.position) <= _CLOSE
    ]
    nearest = min(pairs, key=lambda pair: abs(pair[0].position - pair[1].position), default=None)
    return _Link(NEAR, apart=True, spans=list(map(span_of, nearest))) if nearest else None


def _repeats(key: str, other: str, joined: Mapping[str, tuple[_Link, _Link]]) -> bool:
    """Check whether an entity shares its words and all passages of its links with another one."""
    links = zip(joined[key], joined[other], strict=True)
    return is_within(key, other) and all(mine.places <= theirs.places for mine, theirs in links)


def _are_relations(*links: _Link) -> bool:
    """Check whether words state every link, rather than two mentions in a passage or a speaker's words."""
    return not any(link.inferred or link.relation == SPEAKS for link in links)


def _surest(chains: Iterable[_Chain]) -> list[_Chain]:
    return sorted(chains, key=lambda each: (-_certainty(*each[1]), each[0]))[:_ENDS]


def _turned(chain_of_links: _Chain) -> _Chain:
    """Return a chain from its other end."""
    keys, links = chain_of_links
    return keys[::-1], [_reverse(link) for link in reversed(links)]


def _reverse(link: _Link) -> _Link:
    return replace(link, backward=not link.backward)


def _certainty(*links: _Link) -> float:
    """Return the certainty of the least certain of some links, in 0..1."""
    return min(
        _APART[link.relation] if link.apart else certainty_of(link.inferred, len(link.places))
        for link in links
    )


def certainty_of(inferred: bool, passages: int) -> float:
    """Return the certainty of a link that quotes of `passages` passages show, in 0..1."""
    highest, doubt = (0.9, 0.4) if inferred else (1.0, 0.3)
    return highest - doubt**passages


def is_within(one: str, other: str) -> bool:
    """Check whether all words of one name occur in the other."""
    a, b = set(one.split()), set(other.split())
    return a <= b or b <= a
