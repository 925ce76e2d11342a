"""The smallest graph store that passes the contract: it keeps the knowledge of recordings in a dict."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from onrecord.errors import NotFoundError
from onrecord.stores.graph.base import Place, alias_order, entity_of, relation_order, spread
from onrecord.types.graph import Alias, Entity, EntityName, Knowledge, Mention, NameAt, Relation


class MemoryGraph:
    """A graph store in memory. `has` returns whether there is a recording with an id."""

    def __init__(self, has: Callable[[str], bool]) -> None:
        self._has = has
        self._known: dict[str, Knowledge] = {}
        self._by_hand: list[Alias] = []

    def learn(self, recording: str, knowledge: Knowledge) -> None:
        if not self._has(recording):
            raise NotFoundError(f"there is no recording {recording!r}")
        mentioned = {mention.entity for mention in knowledge.mentions}
        relations = tuple(r for r in knowledge.relations if {r.subject, r.object} <= mentioned)
        self._known[recording] = replace(knowledge, relations=relations)

    def of(self, recordings: Collection[str]) -> MemoryGraph:
        """Return a copy of the graph with only the knowledge of these recordings."""
        graph = MemoryGraph(recordings.__contains__)
        graph._known = {name: known for name, known in self._known.items() if name in recordings}
        graph._by_hand = list(self._by_hand)
        return graph

    def name(self, alias: Alias) -> None:
        self._by_hand.append(alias)

    def entities(self, keys: Iterable[str]) -> dict[str, Entity]:
        wanted = set(keys)
        by_key: defaultdict[str, list[Mention]] = defaultdict(list)
        for mention in self._mentions():
            if mention.entity in wanted:
                by_key[mention.entity].append(mention)
        entities: dict[str, Entity] = {}
        for key, mentions in by_key.items():
            uses = {(m.name, m.kind, m.rule, m.recording, m.position) for m in mentions}
            counts = Counter((name, kind, rule) for name, kind, rule, *_ in uses)
            forms = [EntityName(key, *form, count) for form, count in counts.items()]
            passages = {(m.recording, m.position) for m in mentions}
            recordings = {recording for recording, _ in passages}
            entities[key] = entity_of(key, forms, len(passages), len(recordings))
        return entities

    def mentions(self, keys: Iterable[tuple[str, str]], most: int = 2000) -> list[Mention]:
        mentions = [
            mention
            for key, recording in dict.fromkeys(keys)
            for mention in spread(
                [m for m in self._mentions() if m.entity == key and recording in ("", m.recording)], most
            )
        ]
        return sorted(set(mentions), key=_order)

    def mentioned(self, places: Iterable[Place]) -> list[Mention]:
        wanted = set(places)
        return [m for m in self._mentions() if (m.recording, m.position) in wanted]

    def shared(self, keys: Iterable[str], others: Iterable[str], most: int) -> list[Place]:
        one, other = (
            {(m.recording, m.position) for m in self._mentions() if m.entity in wanted}
            for wanted in (set(keys), set(others))
        )
        return list(spread(sorted(one & other), most))

    def names_in(self, places: Iterable[Place], widest: int) -> list[NameAt]:
        wanted = set(places)
        some = [m for m in self._mentions() if (m.recording, m.position) in wanted and m.rule != "phrase"]
        return [n for n in self._names(some, widest) if n.passages > 1]

    def names_of(self, keys: Iterable[str], widest: int) -> list[NameAt]:
        wanted = set(keys)
        return self._names([m for m in self._mentions() if m.entity in wanted and m.rule != "phrase"], widest)

    def _names(self, mentions: Sequence[Mention], widest: int) -> list[NameAt]:
        entities = self.entities(m.entity for m in mentions)
        titled_at: dict[tuple[str, str, int], bool] = {}
        for m in mentions:
            at = m.entity, m.recording, m.position
            titled_at[at] = titled_at.get(at, False) or m.begin < 0
        names = (NameAt(*at, entities[at[0]].passages, titled) for at, titled in titled_at.items())
        return sorted(name for name in names if name.passages <= widest)

    def relations(self, keys: Iterable[str]) -> list[Relation]:
        wanted = set(keys)
        relations = (
            r for known in self._known.values() for r in known.relations if {r.subject, r.object} & wanted
        )
        return sorted(relations, key=relation_order)

    def aliases(self, keys: Iterable[str] = (), recordings: Iterable[str] = ()) -> list[Alias]:
        wanted, within = set(keys), set(recordings)

        def fits(a: Alias) -> bool:
            return not wanted or bool({a.alias, a.entity} & wanted)

        by_recording = (
            a
            for name, known in self._known.items()
            if not within or name in within
            for a in known.aliases
            if fits(a)
        )
        by_hand = filter(fits, self._by_hand)
        return [*sorted(by_recording, key=alias_order), *by_hand]

    def aliases_at(self, pairs: Iterable[tuple[str, str]]) -> list[Alias]:
        wanted = set(pairs)
        keys = {key for key, _ in wanted}
        return [
            alias
            for alias in self.aliases(keys)
            if (alias.alias, alias.recording) in wanted or (not alias.recording and alias.alias in keys)
        ]

    def named(self, word: str, most: int = 50) -> list[Entity]:
        keys = {m.entity for m in self._mentions() if m.rule != "phrase" and word in m.entity.split()}
        return sorted(self.entities(keys).values(), key=lambda e: (-e.passages, e.key))[:most]

    def beginning(self, letters: str, most: int = 20_000) -> list[str]:
        words = (
            m.entity
            for m in self._mentions()
            if m.entity.startswith(letters)
            or (m.rule != "phrase" and any(word.startswith(letters) for word in m.entity.split()))
        )
        return sorted(set(words))[:most]

    def widest(self, across: int, most: int) -> list[Entity]:
        entities = self.entities(m.entity for m in self._mentions()).values()
        wide_enough = (entity for entity in entities if entity.recordings >= across)
        return sorted(wide_enough, key=lambda e: (-e.recordings, -e.passages, e.key))[:most]

    def knowledge(self, recording: str) -> Knowledge | None:
        known = self._known.get(recording)
        if known is None:
            return None
        return replace(
            known,
            mentions=tuple(sorted(set(known.mentions), key=_order)),
            relations=tuple(sorted(known.relations, key=relation_order)),
            aliases=tuple(sorted(known.aliases, key=lambda a: (a.alias, a.entity))),
        )

    def learnt(self, capitals: bool | None = None) -> dict[str, bool]:
        capitals_of = {recording: known.capitals for recording, known in self._known.items()}
        return {name: tell for name, tell in capitals_of.items() if capitals in (None, tell)}

    def _mentions(self) -> Iterator[Mention]:
        for _, known in sorted(self._known.items()):
            yield from sorted(known.mentions, key=_order)


def _order(mention: Mention) -> tuple[str, int, int, int, str, str]:
    return mention.recording, mention.position, mention.begin, mention.end, mention.entity, mention.rule
