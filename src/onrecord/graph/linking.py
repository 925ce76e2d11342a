"""From a name to the entity that is meant, and from an entity to all of its names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from onrecord.errors import NotFoundError, did_you_mean
from onrecord.graph.nouns import classes, key_of, words_in
from onrecord.stores.base import Reader
from onrecord.stores.graph.base import GraphReader, settled
from onrecord.stores.words import STOP
from onrecord.types import Passage
from onrecord.types.graph import Alias, Entity, Mention

_DEEP = 4
"""Aliases of aliases that are followed."""
_NEAR = 70
"""How alike, of 100, a name is that is proposed."""
_LOOKED_THROUGH = 300
"""Passages without capitals in which a name is looked for."""


@dataclass(frozen=True, slots=True)
class Read:
    """The entity that a name was read as, and a note where that is not plain."""

    entity: Entity
    note: str = ""

    @property
    def key(self) -> str:
        return self.entity.key


class Linker:
    """Reads names against one state of the graph; `reader` are the passages that it was made of."""

    def __init__(self, graph: GraphReader, reader: Reader) -> None:
        self._graph, self._reader = graph, reader

    # ---- from names to entities

    def read(self, name: str) -> Read:
        """The entity of a name, whole, in part or misspelt. Raises NotFoundError, which names the nearest."""
        key = key_of(name)
        bare = " ".join(_without_article(key.split()))
        for way in dict.fromkeys((key, bare)):
            if found := way and self._known(way, name):
                return found
        part = self._part(bare, name) if bare else None
        if part:
            return part
        if said := bare and self.said(bare):
            places = {(m.recording, m.position) for m in said}
            recordings = len({m.recording for m in said})
            return Read(
                Entity(bare, name.strip(), "concept", len(places), recordings), "counted by its words"
            )
        near = self._near(bare or key)
        if near and near[0][1] >= 90 and (len(near) == 1 or near[1][1] < near[0][1]):
            entity = self._entity(near[0][0])
            return Read(entity, f"{name!r} is read as {entity.name!r}")
        names = [entity.name for entity in self._graph.entities([way for way, _ in near[:4]]).values()]
        hint = did_you_mean(names) or "`onrecord graph concepts` shows what is spoken of"
        raise NotFoundError(f"nobody speaks of {name!r}: {hint}")

    def exact(self, name: str) -> str:
        """The key of a name as it is, without following aliases; the bare one where that is known."""
        key = key_of(name)
        bare = " ".join(_without_article(key.split()))
        return key if self._graph.entities([key]) or not bare else bare

    def spoken(self, name: str) -> str:
        """The key of a name that is spoken of just so. Raises NotFoundError."""
        key = self.exact(name)
        if self._graph.entities([key]) or self.said(key):
            return key
        hint = f"did you mean {self.read(name).entity.name!r}? " if key else ""
        raise NotFoundError(
            f"nobody speaks of {name!r}: {hint}`graph alias` makes it another name of something"
        )

    def _known(self, key: str, name: str) -> Read | None:
        """The entity of a key, or the one that the key is mostly an alias of."""
        there = self._graph.entities([key])
        target = self._mostly(key, there.get(key))
        if target == key:
            return Read(there[key]) if key in there else None
        entity = self._entity(target)
        return Read(entity, f"{name!r} is read as {entity.name!r}")

    def _mostly(self, key: str, entity: Entity | None) -> str:
        """What a key stands for in at least half of the recordings that have it, or by hand."""
        for _ in range(_DEEP):
            told: dict[str, set[str]] = defaultdict(set)
            by_hand = ""
            for (alias, target, recording), _alias in settled(self._graph.aliases([key])).items():
                if alias == key and not recording:
                    by_hand = target
                elif alias == key:
                    told[target].add(recording)
            best = max(told, key=lambda name: (len(told[name]), name), default="")
            most = len(told[best]) if best else 0
            if not by_hand and (not best or (entity and 2 * most < entity.recordings)):
                return key
            key, entity = by_hand or best, None
            entity = self._graph.entities([key]).get(key)
        return key

    def _part(self, key: str, name: str) -> Read | None:
        """The one name that has all words of a key. Raises NotFoundError where there are several."""
        parts = [part for part in key.split() if part not in STOP]
        if not parts:
            return None
        some = [e for e in self._graph.named(max(parts, key=len)) if set(parts) <= set(e.key.split())]
        some = [e for e in some if e.key != key]
        people = [e for e in some if e.kind == "person"] or some
        if len(people) == 1:
            return Read(people[0], f"{name!r} is read as {people[0].name!r}")
        if len(people) > 1 and not self.said(key):
            names = ", ".join(e.name for e in people[:5])
            raise NotFoundError(f"{name!r} could be any of: {names}")
        return None

    def _near(self, key: str) -> list[tuple[str, float]]:
        """Keys that are spelt nearly so, the nearest first, with how alike they are, of 100."""
        if not key:
            return []
        from rapidfuzz import fuzz, process

        ways = {way: name for name in self._graph.beginning(key[0]) for way in (name, *name.split())}
        found = process.extract(key, list(ways), scorer=fuzz.ratio, score_cutoff=_NEAR, limit=8)
        nearest: dict[str, float] = {}
        for way, score, _ in found:
            nearest.setdefault(ways[str(way)], float(score))
        return list(nearest.items())

    def _entity(self, key: str) -> Entity:
        return self._graph.entities([key]).get(key) or Entity(key, key, "name", 0, 0)

    # ---- from entities to mentions

    def keys(self, key: str) -> list[tuple[str, str]]:
        """Everything that stands for an entity: keys, each with the recording in which it does, "" for
        all."""
        found: dict[tuple[str, str], None] = {(key, ""): None}
        open_ones = [key]
        for _ in range(_DEEP):
            held = settled(self._graph.aliases(open_ones))
            new = {(alias, rec): None for (alias, target, rec) in held if target in open_ones}
            open_ones = [alias for alias, rec in new if not rec and (alias, rec) not in found]
            found |= new
            if not open_ones:
                break
        return list(found)

    def mentions(self, key: str, most: int = 2000) -> list[Mention]:
        """The mentions of an entity under all of its names, also where a transcript has no capitals."""
        pairs = self.keys(key)
        away = {
            recording
            for (alias, target, recording) in settled(self._graph.aliases([key]))
            if alias == key and target != key
        }
        found = [m for m in self._graph.mentions(pairs, most) if m.entity != key or m.recording not in away]
        if not found:
            return self.said(key)
        if any(m.rule != "phrase" for m in found[:50]):
            found += self._small(key, {(m.recording, m.position) for m in found})
        return found

    def _small(self, key: str, there: set[tuple[str, int]]) -> list[Mention]:
        """Where a name known from elsewhere is said in recordings whose capitals tell nothing."""
        small = self._graph.learnt(capitals=False)
        if not small:
            return []
        return [m for m in self.said(key) if m.recording in small and (m.recording, m.position) not in there]

    def said(self, key: str) -> list[Mention]:
        """Where the words of a key are said one after the other, as the word index has them."""
        parts = key.split()
        telling = [part for part in parts if part not in STOP and self._reader.heard([part])]
        if len(telling) < len([part for part in parts if part not in STOP]) or not telling:
            return []
        rows = min((self._reader.holding(part, _LOOKED_THROUGH) for part in telling), key=len)
        return [mention for passage in self._reader.passages(rows) for mention in _said_in(passage, parts)]

    def canonical(self, mentions: Sequence[Mention]) -> list[str]:
        """The entity that each mention stands for."""
        wanted = {(m.entity, "" if m.rule == "phrase" else m.recording) for m in mentions}
        targets: dict[tuple[str, str], str] = {}
        for _ in range(_DEEP):
            held = settled(self._graph.aliases_at(wanted)) if wanted else {}
            new = {(alias, recording): target for alias, target, recording in held}
            targets |= new
            told = {recording for _, recording in wanted}
            wanted = {(t, name) for (_, rec), t in new.items() for name in ([rec] if rec else told)}
            wanted -= targets.keys()
        named = {key for key, _ in targets}
        return [
            self._followed(m.entity, m.recording, targets) if m.entity in named else m.entity
            for m in mentions
        ]

    @staticmethod
    def _followed(key: str, recording: str, by_place: dict[tuple[str, str], str]) -> str:
        for _ in range(_DEEP):
            ahead = by_place.get((key, "")) or by_place.get((key, recording))
            if not ahead:
                return key
            key = ahead
        return key

    def aliases(self, key: str) -> list[Alias]:
        """The names of an entity as they are written, with reasons; those by hand last."""
        some = [a for a in self._graph.aliases([key]) if a.entity == key or not a.recording]
        names = self._graph.entities({name for a in some for name in (a.alias, a.entity)})
        told: dict[tuple[str, str, str], Alias] = {}
        for a in some:
            alias, entity = (names[k].name if k in names else k for k in (a.alias, a.entity))
            told[alias, entity, a.reason] = replace(a, alias=alias, entity=entity)
        return list(told.values())


def _without_article(parts: Sequence[str]) -> Sequence[str]:
    small = classes()["determiners"]
    at = 0
    while at < len(parts) - 1 and parts[at] in small:
        at += 1
    return parts[at:]


def _said_in(passage: Passage, parts: Sequence[str]) -> Iterator[Mention]:
    words = [word for word in words_in(passage.text) if word.key]
    keys = [word.key for word in words]
    for at in range(len(keys) - len(parts) + 1):
        if keys[at : at + len(parts)] == list(parts):
            begin, end = words[at].begin, words[at + len(parts) - 1].end
            yield Mention(
                " ".join(parts), passage.recording, passage.position, begin, end,
                passage.text[begin:end], "concept", "phrase", passage.speaker_at(begin),
            )  # fmt: skip
