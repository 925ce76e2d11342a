"""Queries to the graph: who mentions an entity, since when, with what; what several people talk about.

Co-occurrence is counted in passages and weighted as in Dice's coefficient, 2 n(x, y) / (n(x) + n(y)).
Entities that are mentioned everywhere are not informative and rank low. Every result has quotes that support
it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from math import log

from onrecord.errors import InputError
from onrecord.graph.linking import Linker, NameMatch
from onrecord.graph.own_words import OwnWords
from onrecord.graph.paths import SIMILAR, SPEAKS, TOGETHER, Paths, certainty_of, is_within
from onrecord.graph.quotes import Quoter, Span, by_place, first_within, span_of, span_of_both
from onrecord.graph.results import (
    About,
    Between,
    Causes,
    Common,
    Concept,
    Edge,
    Place,
    Point,
    Quote,
    Timeline,
    Topic,
    Voice,
)
from onrecord.graph.usage import Usage
from onrecord.models.base import Embedder
from onrecord.stores.base import Snapshot
from onrecord.stores.graph.base import GraphSnapshot, spread
from onrecord.types.graph import Entity, Mention

_PLACES = 48
"""Passages of an entity in which other entities are counted."""
_CONSIDERED = 100
"""Most frequent co-occurring entities that are ranked."""
_AT_ONCE = 16
"""Entities of which the database counts the passages at once."""
_QUOTES = 5
"""Quotes of an entity in `Graph.about`."""
_SHOWN = 12
"""Default number of results."""
_COUNTED = 400
"""Mentions that are counted by speaker and recording, spread evenly over all mentions."""
_ALL = 50_000
"""Most mentions that a timeline or a comparison counts."""
_COMPARED = 2000
"""Most passages of each entity in which a comparison counts other entities, spread evenly over all."""
_SAMPLED = 2000
"""Passages, spread evenly over all, that show how concepts are used."""
_Counted = tuple[Counter[str], Mapping[str, list[Span]]]
"""The number of passages that mention each entity, and the spans of the mentions."""


class Graph:
    """Answers queries to the graph of one state of an archive.

    A name may be of a person, a thing or a concept. A name that no passage contains is matched by meaning if
    `embedder` returns a model. Otherwise it raises NotFoundError, which suggests the most similar names.
    """

    def __init__(
        self, graph: GraphSnapshot, reader: Snapshot, embedder: Callable[[], Embedder | None] = lambda: None
    ) -> None:
        self._graph, self._reader, self._embedder = graph, reader, embedder
        self.linker, self.quoter = Linker(graph, reader, embedder), Quoter(reader)

    # ---------------------------------------------------------------- one entity

    def about(self, name: str, most: int = _SHOWN, unsure: bool = False) -> About:
        """Return who mentions an entity, how often, since when and where, and its relations.

        The result also has the entities that are mentioned together with it. With `unsure`, it includes
        relations that are not shown by default.
        """
        match = self.linker.read(name)
        mentions = spread(self.linker.mentions(match.key, _COUNTED), _COUNTED)
        turns = [mention for mention in mentions if mention.rule == "speaker"]
        recordings = {m.recording for m in mentions}
        since, until = self._days(recordings)
        counted, known = len(by_place(mentions)), match.entity.passages
        entity = _with_counts(match.entity, mentions)
        sampled = f"counted in {counted:,} of {known:,} passages" if counted < known else ""
        return About(
            entity=entity,
            aliases=tuple(self.linker.aliases(match.key)),
            voices=self._voices(mentions, most),
            places=self._places(mentions)[:most],
            since=since,
            until=until,
            relations=self.relations(match.key, unsure=unsure, most=most),
            together=self._together(match.entity, mentions, most, unsure),
            quotes=self.quoter.quotes(map(span_of, _informative_first(mentions)), _QUOTES),
            note="; ".join(filter(None, (match.note, sampled))),
            own=self._voice(entity.name, _informative_first(turns)) if turns else None,
        )

    def timeline(self, name: str, by: str = "month") -> Timeline:
        """Return the mentions of an entity over time, by "year", "month" or "day", and by speaker.

        Raises InputError for another period.
        """
        sizes = {"year": 4, "month": 7, "day": 10}
        if by not in sizes:
            raise InputError(f"a timeline is by year, month or day, not by {by!r}")
        match = self.linker.read(name)
        all_mentions = self.linker.mentions(match.key, _ALL)
        periods: defaultdict[str, list[Mention]] = defaultdict(list)
        for mention in all_mentions:
            periods[(self.quoter.date(mention.recording) or "")[: sizes[by]]].append(mention)
        points: list[Point] = []
        for period, mentions in sorted(periods.items()):
            speakers = {
                place: dict.fromkeys(mention.speaker for mention in there if mention.speaker)
                for place, there in by_place(mentions).items()
            }
            counts = Counter(name for names in speakers.values() for name in names or ("",))
            quote = self._first_quote(_informative_first(mentions))
            points.append(Point(period, len(speakers), dict(counts.most_common()), quote))
        return Timeline(_with_counts(match.entity, all_mentions), tuple(points), match.note)

    def _first_quote(self, ranked: Sequence[Mention]) -> Quote | None:
        """Return the first quote that can be shown of the first three mentions, or None."""
        return next(iter(self.quoter.quotes(map(span_of, ranked[:3]), 1)), None)

    def _days(self, recordings: Iterable[str]) -> tuple[str | None, str | None]:
        """Return the first and the last date of some recordings; None for both if no recording has a date."""
        dates = list(filter(None, map(self.quoter.date, recordings)))
        return min(dates, default=None), max(dates, default=None)

    def _voices(self, mentions: Sequence[Mention], most: int) -> tuple[Voice, ...]:
        """Return the speakers who mention an entity, by falling number of passages.

        An entity's own turns as a speaker do not count as mentions.
        """
        by_speaker: defaultdict[str, list[Mention]] = defaultdict(list)
        for mention in mentions:
            if mention.speaker and mention.rule != "speaker":
                by_speaker[mention.speaker].append(mention)
        passages = {name: len(by_place(own)) for name, own in by_speaker.items()}
        speakers = sorted(by_speaker, key=lambda name: (-passages[name], name))[:most]
        ranked = {name: _informative_first(by_speaker[name]) for name in speakers}
        self.quoter.load((m.recording, m.position) for own in ranked.values() for m in own[:1])
        return tuple(self._voice(name, own) for name, own in ranked.items())

    def _voice(self, name: str, ranked: Sequence[Mention]) -> Voice:
        """Return a speaker with mentions, the most informative first."""
        recordings = {mention.recording for mention in ranked}
        quote = self._first_quote(ranked)
        return Voice(name, len(by_place(ranked)), len(recordings), *self._days(recordings), quote)

    def _places(self, mentions: Sequence[Mention]) -> tuple[Place, ...]:
        counts = Counter(recording for recording, _ in by_place(mentions))
        places = [
            Place(name, recording.title, recording.details.date, count)
            for name, count in counts.items()
            if (recording := self.quoter.recording(name))
        ]
        return tuple(sorted(places, key=lambda place: (-place.passages, place.date or "", place.recording)))

    def relations(
        self, key: str, relation: str = "", unsure: bool = False, most: int | None = None
    ) -> tuple[Edge, ...]:
        """Return the relations that are stated of an entity, the most frequent first: see `Linker.stated`."""
        spans_by_edge: defaultdict[tuple[str, str, str], list[Span]] = defaultdict(list)
        for stated, subject, object_ in self.linker.stated(key, unsure):
            if relation in ("", stated.relation):
                span = Span(stated.recording, stated.position, stated.begin, stated.end)
                spans_by_edge[subject, stated.relation, object_].append(span)
        passages = {edge: len({span[:2] for span in spans}) for edge, spans in spans_by_edge.items()}
        ranked = sorted(spans_by_edge.items(), key=lambda item: (-passages[item[0]], item[0]))[:most]
        names = self._graph.entities({name for (one, _, other), _ in ranked for name in (one, other)})
        return tuple(
            Edge(
                _name(names, edge[0]), edge[1], _name(names, edge[2]), False,
                certainty_of(False, passages[edge]), passages[edge], self.quoter.quotes(spans, 2),
            )
            for edge, spans in ranked
        )  # fmt: skip

    def _together(
        self, entity: Entity, mentions: Sequence[Mention], most: int, unsure: bool
    ) -> tuple[Edge, ...]:
        """Return the entities in the same passages, or a speaker's topics, the most specific first.

        Only edges with a quote are returned.
        """
        counts, spans = self._spoken_of(entity.key, mentions, _PLACES, 2 * _CONSIDERED)
        is_speaker = _speaks(mentions)
        relation = SPEAKS if is_speaker else TOGETHER
        candidates = self._rarest_first(counts, 2 * most, unsure or not is_speaker)
        self.quoter.load(spans[other.key][0][:2] for other, _ in candidates)
        edges: list[Edge] = []
        for other, count in candidates:
            strength = 2 * count / max(entity.passages + other.passages, 2 * count)
            if quotes := self.quoter.quotes(spans[other.key], 1):
                edges.append(Edge(entity.name, relation, other.name, not is_speaker, strength, count, quotes))
            if len(edges) == most:
                break
        return tuple(edges)

    def _rarest_first(
        self, counts: Counter[str], most: int, unsure: bool = False
    ) -> list[tuple[Entity, int]]:
        """Return entities and their counts, the ones that are rarest elsewhere first.

        Of names that contain one another, only the first is returned. Phrases that may not be nouns are
        included only with `unsure`.
        """
        commonest = counts.most_common(_CONSIDERED)
        known = self._graph.entities(key for key, _ in commonest)
        total = self.passages
        ranked = sorted(
            (known[key] for key, _ in commonest if key in known),
            key=lambda entity: (-_weight(counts[entity.key], entity, total), entity.key),
        )
        chosen: list[tuple[Entity, int]] = []
        for entity in ranked if unsure else self._nouns(ranked[: 3 * most]):
            words = set(entity.key.split())
            if not any(words <= set(k.key.split()) or words >= set(k.key.split()) for k, _ in chosen):
                chosen.append((entity, counts[entity.key]))
            if len(chosen) == most:
                break
        return chosen

    def _nouns(self, entities: Sequence[Entity]) -> Iterator[Entity]:
        """Yield the entities that are nouns, looked up a few at a time because the first usually suffice."""
        for at in range(0, len(entities), _AT_ONCE):
            yield from self.linker.nouns(entities[at : at + _AT_ONCE])

    @cached_property
    def passages(self) -> int:
        """The number of passages in the archive."""
        return len(self._reader.timeline())

    def similar(self, name: str, most: int = _SHOWN) -> tuple[Edge, ...]:
        """Return concepts that are similar in meaning, whether or not they occur together.

        The edges are inferred by the cosine similarity of the names. Empty without an embedder.
        """
        entity = self.linker.read(name).entity
        embedder = self._embedder()
        if embedder is None:
            return ()
        from onrecord.graph.meaning import nearest_concepts

        nearest = nearest_concepts(entity.name, self._graph, self._reader, embedder)
        others = [each for each in nearest if each[1] > 0 and not is_within(each[0].key, entity.key)]
        return tuple(
            Edge(
                entity.name, SIMILAR, other.name, True, min(strength, 1.0), other.passages,
                self._quotes_of(other, 1),
            )
            for other, strength in others[:most]
        )  # fmt: skip

    def _quotes_of(self, entity: Entity, most: int) -> tuple[Quote, ...]:
        """Return at most `most` quotes that mention an entity."""
        mentions = _informative_first(self.linker.mentions(entity.key, 60))
        return self.quoter.quotes(map(span_of, mentions), most)

    # ---------------------------------------------------------------- several entities

    def between(
        self, one: str, other: str, steps: int = 3, most: int = 5, apart: bool = False, unsure: bool = False
    ) -> Between:
        """Return the connections of two entities: paths of 1 to `steps` edges.

        With `apart`, the result includes connections that no single quote shows; with `unsure`, relations
        that are not correct often enough to be shown by default. Raises InputError if both names mean the
        same entity, or if `steps` is not in 1..3.
        """
        if not 1 <= steps <= 3:
            raise InputError(f"paths have 1 to 3 steps, not {steps}")
        first, last = self.linker.read(one), self.linker.read(other)
        if first.key == last.key:
            raise InputError(f"{one!r} and {other!r} are the same: {first.entity.name}")
        look = Paths(self._graph, self.linker, self.quoter, self.passages, unsure)
        paths = look.between(first.entity, last.entity, steps, most, apart)
        start, end = (_with_counts(each.entity, look.mentions(each.key)) for each in (first, last))
        return Between(start, end, paths, _notes(first, last))

    def causes(self, name: str, origin: str | None = None, steps: int = 3, most: int = 5) -> Causes:
        """Return the stated causes of an entity, and their causes: chains of 1 to `steps` edges.

        If `origin` is given, the chains begin there. Raises InputError if both names mean the same entity, or
        if `steps` is not in 1..3.
        """
        if not 1 <= steps <= 3:
            raise InputError(f"chains of causes have 1 to 3 steps, not {steps}")
        effect = self.linker.read(name)
        first = self.linker.read(origin) if origin else None
        if first and first.key == effect.key:
            raise InputError(f"{origin!r} and {name!r} are the same: {effect.entity.name}")
        look = Paths(self._graph, self.linker, self.quoter, self.passages, unsure=True)
        paths = look.causes(effect.entity, first.entity if first else None, steps, most)
        return Causes(
            effect.entity, first.entity if first else None, paths, _notes(*filter(None, (first, effect)))
        )

    def common(self, *names: str, most: int = _SHOWN, named: bool = False) -> Common:
        """Return the topics that all of some people talk about, and the topics of only one of them.

        Raises InputError if one of them never speaks. With `named`, the entities mentioned together with that
        one count instead, and a note says so.
        """
        if len(names) < 2:
            raise InputError("name two or more, to see what they have in common")
        matches = self._read_different(names)
        mentions = [self.linker.mentions(each.key, _ALL) for each in matches]
        silent = [each.entity.name for each, own in zip(matches, mentions, strict=True) if not _speaks(own)]
        if silent and not named:
            raise InputError(f"{', '.join(silent)}: speaks nowhere")
        counted = [
            self._spoken_of(each.key, own, _COMPARED) for each, own in zip(matches, mentions, strict=True)
        ]
        own_keys = {each.key for each in matches}
        commonest = [key for counts, _ in counted for key, _ in counts.most_common(5 * _CONSIDERED)]
        corrected = self.linker.misspelled(own_keys.union(commonest))
        counted = [_joined(spans, corrected) for _, spans in counted] if corrected else counted
        counts = [
            Counter({key: n for key, n in counts.items() if key not in own_keys}) for counts, _ in counted
        ]
        shared = Counter({key: min(c[key] for c in counts) for key in counts[0]})
        only = [
            Counter({key: n for key, n in mine.items() if not any(c[key] for c in counts if c is not mine)})
            for mine in counts
        ]
        spans = [spans for _, spans in counted]
        words = [OwnWords(self._reader, own) for own in mentions]
        note = f"{', '.join(silent)}: speaks nowhere, so what is named with it counts" if silent else ""
        sampled = [
            f"{each.entity.name}: counted in {_COMPARED:,} of {passages:,} passages"
            for each, own in zip(matches, mentions, strict=True)
            if (passages := len(by_place(own))) > _COMPARED
        ]
        return Common(
            tuple(_with_counts(each.entity, own) for each, own in zip(matches, mentions, strict=True)),
            self._topics(shared, spans, 2, most),
            tuple(
                self._topics(alone, spans, 1, most, [other for other in words if other is not own])
                for alone, own in zip(only, words, strict=True)
            ),
            "; ".join(filter(None, (_notes(*matches), note, *sampled))),
        )

    def _read_different(self, names: Sequence[str]) -> list[NameMatch]:
        """Return the entities of names. Raises InputError if two of the names mean one entity."""
        matches = [self.linker.read(name) for name in names]
        names_by_key: defaultdict[str, list[str]] = defaultdict(list)
        for name, match in zip(names, matches, strict=True):
            names_by_key[match.key].append(name)
        for match in matches:
            if len(same := names_by_key[match.key]) > 1:
                one = " and ".join(map(repr, same))
                raise InputError(f"the same was named twice: {one} are one, {match.entity.name}")
        return matches

    def _topics(
        self,
        counts: Counter[str],
        spans: Sequence[Mapping[str, list[Span]]],
        quotes: int,
        most: int,
        without: Sequence[OwnWords] = (),
    ) -> tuple[Topic, ...]:
        """Return entities as topics, the rarest first, with at most `quotes` quotes of each side.

        Topics whose words also occur in `without` are left out.
        """
        topics: list[Topic] = []
        for entity, _ in self._rarest_first(+counts, 2 * most):
            sides = [side.get(entity.key, []) for side in spans]
            shown = tuple(self.quoter.quotes(side, quotes) for side in sides)
            lacking = any(side and not quoted for side, quoted in zip(sides, shown, strict=True))
            if len(topics) < most and not lacking and not any(each.has(entity.name) for each in without):
                topics.append(Topic(entity, shown))
        return tuple(topics)

    def _spoken_of(
        self, key: str, mentions: Sequence[Mention], places: int, most: int | None = None
    ) -> _Counted:
        """Count the entities that a speaker mentions, or that share a passage with the entity `key`.

        The second case is an entity that never speaks. At most `places` passages are counted, and in them the
        `most` entities with the most mentions.
        """
        turns = [m for m in mentions if m.rule == "speaker"]
        own_at = by_place(turns or mentions)
        there = self._graph.mentioned(spread(sorted(own_at), places))
        by_entity: defaultdict[str, list[Mention]] = defaultdict(list)
        for mention, other in zip(there, self.linker.canonical(there, [key]), strict=True):
            by_entity[other].append(mention)
        for phrase, concepts in self.linker.concepts_within(by_entity).items():
            for concept in concepts:
                by_entity[concept] += by_entity[phrase]
        named = by_entity.pop(key, ())
        own_at = own_at if turns else by_place(dict.fromkeys((*mentions, *named)))
        show = first_within if turns else span_of_both
        spans: dict[str, list[Span]] = {}
        others = [other for other in by_entity if turns or not is_within(other, key)]
        for other in sorted(others, key=lambda other: -len(by_entity[other]))[:most]:
            shown = (show(own_at[at], theirs) for at, theirs in by_place(by_entity[other]).items())
            spans[other] = list(filter(None, shown))
        return +Counter({other: len(shown) for other, shown in spans.items()}), spans

    def concepts(self, across: int = 2, most: int = 20) -> tuple[Concept, ...]:
        """Return diverse concepts of at least `across` recordings, subjects before general words."""
        if across < 1:
            raise InputError(f"concepts are of 1 or more recordings, not {across}")
        widest = self._graph.widest(-(-across // 2), 40 * most)  # two halves may be merged
        usual = self._usual({entity.key: entity for entity in widest})
        usage = self._usage({key: entity.key for key, entity in usual.items()})
        single = {e.key: e for e in widest if e.key not in usual and e.recordings >= across}
        several = _largest(usual, widest)
        likely = _diverse((single | several).values(), usage, 3 * most)
        counted = [
            _with_counts(entity, self.linker.mentions(entity.key, _ALL)) if entity.key in several else entity
            for entity in likely
        ]
        chosen = _diverse((entity for entity in counted if entity.recordings >= across), usage, most)
        return tuple(Concept(entity, self._quotes_of(entity, 3)) for entity in chosen)

    def _usual(self, entities: Mapping[str, Entity]) -> dict[str, Entity]:
        """Return the entities that other names among these keys usually stand for, by the name's key."""
        named = {alias.alias for alias in self._graph.aliases(entities)} & entities.keys()
        named |= self.linker.misspelled(entities).keys()
        return {key: self.linker.usual(entities[key]) for key in sorted(named)}

    def _usage(self, canonical: Mapping[str, str]) -> Usage:
        """Return how entities are used in passages that are spread evenly over the archive."""
        timeline = self._reader.timeline()
        places = (
            (timeline.names[timeline.recordings[row]], int(timeline.positions[row]))
            for row in spread(range(len(timeline)), _SAMPLED)
        )
        return Usage(self._graph.mentioned(places), canonical, len(timeline.names))


def _speaks(mentions: Iterable[Mention]) -> bool:
    return any(mention.rule == "speaker" for mention in mentions)


def _joined(spans: Mapping[str, list[Span]], corrected: Mapping[str, str]) -> _Counted:
    """Return counts and spans by entity, with those of a misspelled name under the correct name."""
    joined: defaultdict[str, list[Span]] = defaultdict(list)
    for key, some in spans.items():
        joined[corrected.get(key, key)] += some
    return Counter({key: len({span[:2] for span in some}) for key, some in joined.items()}), joined


def _with_counts(entity: Entity, mentions: Sequence[Mention]) -> Entity:
    """Return an entity with the counts of its mentions under all of its names, not only under its key."""
    return replace(
        entity,
        passages=max(entity.passages, len(by_place(mentions))),
        recordings=max(entity.recordings, len({mention.recording for mention in mentions})),
    )


def _informative_first(mentions: Iterable[Mention]) -> list[Mention]:
    """Return mentions in words first, before speaker mentions and mentions in details.

    Mentions in passages with many mentions come first.
    """
    all_mentions = list(mentions)
    counts = Counter((m.recording, m.position) for m in all_mentions if m.begin >= 0)
    return sorted(
        all_mentions, key=lambda m: (m.rule == "speaker", m.begin < 0, -counts[m.recording, m.position])
    )


def _weight(count: int, entity: Entity, total: int) -> float:
    """Return how informative it is that an entity occurs `count` times here."""
    return count * log(1 + total / max(entity.passages, 1)) * (1.3 if " " in entity.key else 1.0)


def _largest(usual: Mapping[str, Entity], entities: Iterable[Entity]) -> dict[str, Entity]:
    """Return the entities that names stand for, by key, each with the counts of its most frequent name."""
    largest = {entity.key: entity for entity in usual.values()}
    for entity in entities:
        target = largest.get(usual[entity.key].key if entity.key in usual else entity.key)
        if target and target.passages < entity.passages:
            largest[target.key] = replace(
                target, passages=entity.passages, recordings=max(entity.recordings, target.recordings)
            )
    return largest


def _diverse(entities: Iterable[Entity], usage: Usage, most: int) -> list[Entity]:
    """Return the most prominent entities, without people; no two have a word or a part of one in common."""
    chosen: list[Entity] = []
    taken: set[str] = set()
    for entity in sorted(entities, key=lambda e: (-usage.prominence(e), e.key)):
        parts = entity.key.replace("-", " ").split()  # "heat-pump" is "heat pump"
        if entity.kind != "person" and taken.isdisjoint(parts) and len(chosen) < most:
            chosen.append(entity)
            taken.update(parts)
    return chosen


def _name(names: Mapping[str, Entity], key: str) -> str:
    return names[key].name if key in names else key


def _notes(*matches: NameMatch) -> str:
    return "; ".join(match.note for match in matches if match.note)
