"""Resolution of names: from a name to its entity, and from an entity to all of its names."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise

from onrecord.errors import NotFoundError, did_you_mean
from onrecord.graph.cues import is_shown
from onrecord.graph.names import SLIP_REASON, SLIP_SCORE
from onrecord.graph.nouns import BREAKS, STOPS, classes, key_of, word_class, words_in
from onrecord.graph.quotes import by_place
from onrecord.graph.text_search import MOST_PASSAGES, TextSearch, begins_sentence
from onrecord.models.base import Embedder
from onrecord.stores.base import Snapshot
from onrecord.stores.graph.base import GraphSnapshot, effective_aliases
from onrecord.stores.words import STOP, terms
from onrecord.types.graph import PHRASE_KINDS, Alias, Entity, Mention, Relation

_DEEP = 4
"""Longest chain of aliases that is followed."""
_NEAR = 70
"""Lowest spelling similarity, in 0..100, of a name that is suggested."""
_SAMPLE = 50
"""Mentions of a name that are searched for one that shows that the person takes part in a recording."""
_TAKES_PART = ("speaker", "attribute")
"""Rules of the mentions that show that a person takes part in a recording."""
_NAMED_KINDS = ("person", "name")
"""Kinds of the names that may be misspelled."""
_NAMED = 0.6
"""Lowest share of the passages with a word that mention it as an entity, for it to count as a noun.

Chosen on seeds 1-4 of benchmarks/data/edges.tsv.
"""
_WIDELY, _NAMED_OF_TERM = 3, 0.3
"""`_WIDELY` is the number of recordings from which a phrase of several words is a term.

`_NAMED_OF_TERM` replaces `_NAMED` for the last word of a term.
"""
_MANY = 1000
"""Archive size, in passages, from which a word that occurs in one passage is not a noun.

In smaller archives most words occur once.
"""


@dataclass(frozen=True, slots=True)
class NameMatch:
    """The entity that a name was resolved to, with a note where the choice is not obvious."""

    entity: Entity
    note: str = ""

    @property
    def key(self) -> str:
        return self.entity.key


class Linker:
    """Resolves names against one state of the graph.

    `reader` reads the passages from which the graph was built. `embedder` returns the model that made their
    vectors; it is called only for a name that no passage contains.
    """

    def __init__(
        self, graph: GraphSnapshot, reader: Snapshot, embedder: Callable[[], Embedder | None] = lambda: None
    ) -> None:
        self._graph, self._reader, self._embedder = graph, reader, embedder
        self._text = TextSearch(reader)
        self._aliases: dict[str, list[Alias]] = {}
        self._effective: dict[str, Mapping[tuple[str, str, str], Alias]] = {}
        self._keys: dict[str, list[tuple[str, str]]] = {}

    # ---- from names to entities

    def read(self, name: str) -> NameMatch:
        """Return the entity of a name: by the whole name, a part, a misspelling, or its meaning.

        Raises NotFoundError, which suggests the most similar names.
        """
        if match := self.find(name) or self._by_meaning(name):
            return match
        key = key_of(name)
        near = self._spelt_nearly(_without_article(key))
        names = [entity.name for entity in self._graph.entities(each for each, _ in near[:4]).values()]
        hint = did_you_mean(names) or "the concepts of the graph show what is spoken of"
        raise NotFoundError(f"nobody speaks of {name!r}: {hint}")

    def _by_meaning(self, name: str) -> NameMatch | None:
        """Return the concept most similar in meaning to a name that no passage contains, or None."""
        embedder = self._embedder()
        if embedder is None or not key_of(name):
            return None
        from onrecord.graph.meaning import NEAR, nearest_concepts

        for entity, strength in nearest_concepts(name, self._graph, self._reader, embedder)[:1]:
            if strength >= NEAR:
                note = f"nobody says {name!r}; {entity.name!r} comes nearest in meaning ({strength:.2f})"
                return NameMatch(entity, note)
        return None

    def find(self, name: str) -> NameMatch | None:
        """Return the entity of a whole, partial or misspelled name; None if no passage contains it.

        Raises NotFoundError if the name could be any of several entities.
        """
        key = key_of(name)
        bare = _without_article(key)
        for form in filter(None, dict.fromkeys((key, bare))):
            if match := self._by_key(form, name):
                person = self._by_surname(match, name) if match.key == form else None
                return person or match
        if not bare:
            return None
        if by_part := self._by_part(bare, name):
            return self._by_key(by_part.key, name)
        if word_mentions := self._text.mentions(bare):
            places = {(m.recording, m.position) for m in word_mentions}
            recordings = len({m.recording for m in word_mentions})
            return NameMatch(
                Entity(bare, name.strip(), "concept", len(places), recordings), "counted by its words"
            )
        if by_itself := key_of(_explained_name(name)):
            return self._by_key(by_itself, name)
        near = self._spelt_nearly(bare)
        if near and near[0][1] >= 90 and (len(near) == 1 or near[1][1] < near[0][1]):
            return self._by_key(near[0][0], name)
        return None

    def exact(self, name: str) -> str:
        """Return the key of a name without following aliases.

        The key lacks the determiners of the name if it is known only without them.
        """
        key = key_of(name)
        bare = _without_article(key)
        return key if self._graph.entities([key]) else bare

    def targets(self, key: str) -> set[str]:
        """Return the entities of which a key is a name, in some recording or by a manual alias."""
        return {target for alias, target, _ in self._effective_aliases(key) if alias == key}

    def spoken(self, name: str) -> str:
        """Return the key of a name that occurs in the archive exactly as given.

        Raises NotFoundError otherwise, with a suggestion.
        """
        key = self.exact(name)
        if self._graph.entities([key]) or self._text.mentions(key):
            return key
        match = self.find(name)
        hint = f"did you mean {match.entity.name!r}? " if match else ""
        raise NotFoundError(
            f"nobody speaks of {name!r}: {hint}`graph alias` makes it another name of something"
        )

    def _by_key(self, key: str, name: str) -> NameMatch | None:
        """Return the entity of a key, or the entity of which the key is usually an alias."""
        own = self._graph.entities([key]).get(key)
        target = self._usual_target(key, own)
        entity = own if own and target == key else self._living(target)
        if entity is None:
            return None
        typed = key_of(name)
        plain = target == key and key in (typed, _without_article(typed))
        return NameMatch(entity, "" if plain else f"{name!r} is read as {entity.name!r}")

    def usual(self, entity: Entity) -> Entity:
        """Return the entity that an entity's name usually stands for."""
        return self._living(self._usual_target(entity.key, entity)) or entity

    def _living(self, key: str) -> Entity | None:
        """Return the entity of a key; under its most frequent other name if nobody says the key any more."""
        if entity := self._graph.entities([key]).get(key):
            return entity
        others = self._graph.entities(alias for alias, _ in self.keys(key)).values()
        most = max(others, key=lambda entity: (entity.passages, entity.key), default=None)
        return most and replace(most, key=key)

    def _usual_target(self, key: str, entity: Entity | None) -> str:
        """Return the entity that a key stands for, by hand or in at least half of its recordings."""
        for _ in range(_DEEP):
            recordings_by_target: dict[str, set[str]] = defaultdict(set)
            by_hand = ""
            for (alias, target, recording), _alias in self._effective_aliases(key).items():
                if alias == key and not recording:
                    by_hand = target
                elif alias == key:
                    recordings_by_target[target].add(recording)
            most, commonest = max(
                ((len(recordings), target) for target, recordings in recordings_by_target.items()),
                default=(0, ""),
            )
            if not by_hand and (not commonest or (entity and 2 * most < entity.recordings)):
                return key
            key = by_hand or commonest
            entity = self._graph.entities([key]).get(key)
        return key

    def _by_surname(self, match: NameMatch, name: str) -> NameMatch | None:
        """Return the person whose surname was read as an entity of its own; None if it is one, or of nobody.

        Raises NotFoundError if several people who take part have the surname.
        """
        key = match.key
        rare_word = " " not in key and match.entity.passages <= _SAMPLE
        if match.entity.kind not in PHRASE_KINDS or not rare_word or not self._may_be_name(key):
            return None
        split = {each.entity for each in self._aliases_of(key) if each.alias == key and not each.score}
        people = [
            e
            for e in self._graph.named(key)
            if e.key.endswith(f" {key}") and e.key not in split and self._takes_part(e.key)
        ]
        if not people or not self._is_surname_of(key, people):
            return None
        if len(people) > 1:
            raise NotFoundError(f"{name!r} could be any of: {', '.join(e.name for e in people[:5])}")
        return self._by_key(people[0].key, name)

    def _is_surname_of(self, key: str, people: Iterable[Entity]) -> bool:
        """Check whether a word always means these people.

        With a capital, it does where one of them takes part. Without, it does only next to a full name.
        """
        theirs = [m for each in people for m in self.mentions(each.key, _SAMPLE)]
        named_at, recordings = by_place(theirs), {m.recording for m in theirs if m.rule in _TAKES_PART}
        return all(
            (m.recording, m.position) in named_at if m.name == m.name.lower() else m.recording in recordings
            for m in self._graph.mentions([(key, "")], _SAMPLE)
        )

    def _may_be_name(self, key: str) -> bool:
        """Check whether a word has mentions, and a capital in all recordings whose capitals mark names."""
        mentions, uncased = self._graph.mentions([(key, "")], _SAMPLE), self._graph.learnt(capitals=False)
        small = {m.recording for m in mentions if m.name == m.name.lower()}
        return bool(mentions) and small <= uncased.keys()

    def _by_part(self, key: str, name: str) -> Entity | None:
        """Return the one name that has all words of a key, or the shortest if all others contain it.

        Raises NotFoundError if several names match.
        """
        parts = [part for part in key.split() if part not in STOP]
        if not parts:
            return None
        candidates = [e for e in self._graph.named(max(parts, key=len)) if set(parts) <= set(e.key.split())]
        candidates = [e for e in candidates if e.key != key]
        people = [e for e in candidates if e.kind == "person"] or candidates
        shortest = min(people, key=lambda e: len(e.key), default=None)
        if shortest and all(set(shortest.key.split()) <= set(e.key.split()) for e in people):
            return shortest
        if len(people) > 1 and not self._text.mentions(key):
            names = ", ".join(e.name for e in people[:5])
            raise NotFoundError(f"{name!r} could be any of: {names}")
        return None

    def _spelt_nearly(self, key: str) -> list[tuple[str, float]]:
        """Return the keys with similar spelling and their similarity in 0..100, the most similar first."""
        if not key:
            return []
        from rapidfuzz import fuzz, process

        keys_by_form = {
            form: name for name in self._graph.beginning(key[0]) for form in (name, *name.split())
        }
        matches = process.extract(key, list(keys_by_form), scorer=fuzz.ratio, score_cutoff=_NEAR, limit=8)
        nearest: dict[str, float] = {}
        for form, score, _ in matches:
            nearest.setdefault(keys_by_form[str(form)], float(score))
        return list(nearest.items())

    def _aliases_of(self, key: str) -> list[Alias]:
        """Return all aliases that have a key on either side, cached.

        Slips of other recordings come first, so that manual aliases overrule them. A slip is a full name that
        is one edit from the name of exactly one person who takes part in a recording, and that belongs to
        nobody who takes part.
        """
        if key in self._aliases:
            return self._aliases[key]
        near = self._one_edit_from(key)
        pairs = [(key, near), *((other, self._one_edit_from(other)) for other in near)]
        slips = []
        for name, others in pairs:
            people = [other for other in others if self._takes_part(other)]
            if len(people) == 1 and key in (name, people[0]) and not self._takes_part(name):
                slips.append(Alias(name, people[0], SLIP_SCORE, SLIP_REASON, ""))
        self._aliases[key] = [*slips, *self._graph.aliases([key])]
        return self._aliases[key]

    def _one_edit_from(self, key: str) -> list[str]:
        """Return the full names one edit away, with the same first letter and number of words."""
        words = key.split()
        entity = self._graph.entities([key]).get(key) if len(words) > 1 else None
        if entity is None or entity.kind not in _NAMED_KINDS:
            return []
        beside = {entity.key for entity in self._graph.named(words[-1])}
        beside |= set(self._graph.beginning(f"{words[0]} {words[1][0]}"))
        return sorted(
            other
            for other in beside
            if other[0] == key[0] and len(other.split()) == len(words) and _is_slip(other, key)
        )

    def _takes_part(self, key: str) -> bool:
        """Check whether a person of this name speaks, or is named in the details of a recording."""
        mentions = self._graph.mentions([(key, "")], _SAMPLE)
        return any(m.rule in _TAKES_PART and m.kind == "person" for m in mentions)

    def _effective_aliases(self, key: str) -> Mapping[tuple[str, str, str], Alias]:
        """Return the aliases in force that have a key on either side, cached."""
        if key not in self._effective:
            aliases = self._aliases_of(key)
            found = [each for each in aliases if each.recording or each.reason == SLIP_REASON]
            names = {key, *(each.alias for each in aliases)}  # each may stand for another entity by hand
            by_hand = self._graph.aliases_at((name, "") for name in names)
            self._effective[key] = effective_aliases([*found, *by_hand])
        return self._effective[key]

    def nouns(self, entities: Sequence[Entity]) -> list[Entity]:
        """Return the entities without phrases whose last word is usually not a noun in this archive.

        The phrase "individual work" may have been cut too early: most passages that contain "individual" do
        not mention it as an entity, while nearly all that contain "tariff" do. A phrase of several words that
        several recordings mention, such as "mental health", is a term, and a lower share is enough for its
        last word.
        """
        heads = {e.key.rpartition(" ")[2] for e in entities if e.kind in PHRASE_KINDS}
        named = self._graph.entities(head for head in heads if terms(head) == [head] and head not in STOP)
        passages = self._reader.frequencies(named)
        total = len(self._reader.timeline())

        def is_thing(entity: Entity) -> bool:
            head = entity.key.rpartition(" ")[2]
            if entity.kind not in PHRASE_KINDS or head not in named:
                return True
            term = entity.key != head and entity.recordings >= _WIDELY
            return is_noun(named[head].passages, passages[head], total, _NAMED_OF_TERM if term else _NAMED)

        return [entity for entity in entities if is_thing(entity)]

    # ---- from entities to mentions

    def keys(self, key: str) -> list[tuple[str, str]]:
        """Return every key that stands for an entity, with the recording in which it does.

        The recording is "" where the key stands for the entity in all recordings.
        """
        if key in self._keys:
            return self._keys[key]
        keys: dict[tuple[str, str], None] = {(key, ""): None}
        pending = [key]
        for _ in range(_DEEP):
            aliases = [alias for each in pending for alias in self._effective_aliases(each)]
            new = {(alias, rec): None for (alias, target, rec) in aliases if target in pending}
            pending = [alias for alias, rec in new if not rec and (alias, rec) not in keys]
            keys |= new
            if not pending:
                break
        self._keys[key] = list(keys)
        return self._keys[key]

    def mentions(self, key: str, most: int = 2000) -> list[Mention]:
        """Return the mentions of an entity under all of its names.

        They include names in transcripts without capital letters, and the words of a concept within longer
        phrases. The text is searched for every name that stands for the entity in all recordings.
        """
        pairs = self.keys(key)
        away = {
            recording
            for (alias, target, recording) in self._effective_aliases(key)
            if alias == key and target != key
        }
        mentions = [
            m for m in self._graph.mentions(pairs, most) if m.entity != key or m.recording not in away
        ]
        by_name: dict[str, list[Mention]] = {name: [] for name, recording in pairs if not recording}
        for m in mentions:
            by_name.get(m.entity, by_name[key]).append(m)
        said = chain.from_iterable(self._said_elsewhere(*each, most) for each in by_name.items())
        elsewhere = {
            (m.recording, m.position, m.begin): m for m in said if m.entity != key or m.recording not in away
        }
        for m in mentions if elsewhere else ():
            elsewhere.pop((m.recording, m.position, m.begin), None)
        return [*mentions, *elsewhere.values()]

    def _said_elsewhere(self, name: str, known: Sequence[Mention], most: int) -> list[Mention]:
        """Return the places with the words of a name that are not among its known mentions.

        They are searched only if few are known.
        """
        if known and len(known) >= min(most, MOST_PASSAGES):
            return []
        if any(m.rule != "phrase" for m in known[:50]):
            return self._unrecognized(name, known)
        return self._text.mentions(name)

    def _unrecognized(self, key: str, mentions: Sequence[Mention]) -> list[Mention]:
        """Return further mentions of a name, in places where capital letters did not reveal it.

        They are in recordings whose capitals do not mark names, and at the beginning of sentences, if the
        name is spelled as elsewhere and not part of a longer name. If the words also occur without a capital,
        a sentence may begin with an ordinary word, so mentions at the beginning of sentences are left out.
        """
        there, small = by_place(mentions), self._graph.learnt(capitals=False)
        said = list(self._text.places(key))
        uncased = [m for _, m in said if m.recording in small and (m.recording, m.position) not in there]
        written = {m.name for m in mentions if m.begin >= 0 and m.rule not in ("phrase", "speaker")}
        cased = [(passage.text, m) for passage, m in said if m.recording not in small]
        if any(m.name == m.name.lower() for _, m in cased):
            return uncased
        heads = [
            m
            for text, m in cased
            if m.name in written and (m.recording, m.position) not in there and begins_sentence(text, m.begin)
        ]
        longer_at = by_place(self._names_at(heads))
        return uncased + [
            m
            for m in heads
            if not any(
                longer.begin <= m.begin < longer.end
                for longer in longer_at.get((m.recording, m.position), ())
            )
        ]

    def _names_at(self, places: Iterable[Mention]) -> list[Mention]:
        """Return the names in the passages of some mentions: no turns, and no phrases of common words."""
        there = [m for m in self._graph.mentioned(by_place(places)) if m.rule != "speaker"]
        phrases = self._graph.entities({m.entity for m in there if m.rule == "phrase"})
        words = {key for key, entity in phrases.items() if entity.kind in PHRASE_KINDS}
        return [m for m in there if m.entity not in words]

    def narrower(self, key: str) -> list[str]:
        """Return the longer concepts that end in a key, and the key's changes ("margins fell").

        Only passages that contain the words of the key are searched.
        """
        places = {(m.recording, m.position) for m in self._text.mentions(key)}
        longer = []
        for name in {mention.entity for mention in self._graph.mentioned(places)}:
            behind = name.removeprefix(f"{key} ").split()
            is_change = name.startswith(f"{key} ") and all(word_class(word)[1] & BREAKS for word in behind)
            if is_change or name.endswith(f" {key}"):
                longer.append(name)
        return sorted(longer)

    def concepts_within(self, keys: Iterable[str]) -> Mapping[str, list[str]]:
        """Return the two-word concepts in three-word phrases, by phrase.

        "mental health service" contains "mental health".
        """
        pairs = {
            key: [" ".join(pair) for pair in pairwise(key.split())] for key in keys if key.count(" ") == 2
        }
        known = self._graph.entities(chain.from_iterable(pairs.values()))
        concepts = {key for key, entity in known.items() if entity.kind in PHRASE_KINDS}
        return {key: [pair for pair in within if pair in concepts] for key, within in pairs.items()}

    def canonical(self, mentions: Sequence[Mention], known: Iterable[str] = ()) -> list[str]:
        """Return the entity that each mention stands for.

        A misspelled full name stands for the person whose name is mentioned, too, or among the `known` keys.
        """
        wanted = {(m.entity, "" if m.rule == "phrase" else m.recording) for m in mentions}
        keys = self._canonical([(m.entity, m.recording) for m in mentions], wanted)
        names = {m.entity for m in mentions if m.kind in _NAMED_KINDS}
        corrected = self.misspelled(names.union(known))
        return [corrected.get(key, key) for key in keys] if corrected else keys

    def misspelled(self, keys: Iterable[str]) -> Mapping[str, str]:
        """Return the correct name of each full name, among some keys, that is one edit from another of them.

        Only these are looked up, because a look-up of every name takes too long.
        """
        alike: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
        for key in keys:
            first, _, others = key.partition(" ")
            if others:
                alike[key[0], key.rpartition(" ")[2]].append(key)
                alike[first, others[0]].append(key)
        shared = [some for some in alike.values() if len(some) > 1]
        near = {key for some in shared for key in some if any(_is_slip(key, other) for other in some)}
        names = (key for key, each in self._graph.entities(near).items() if each.kind in _NAMED_KINDS)
        return {
            alias: target
            for key in sorted(names)
            for (alias, target, recording), each in self._effective_aliases(key).items()
            if alias == key and not recording and each.reason == SLIP_REASON
        }

    def _canonical(self, keys: Sequence[tuple[str, str]], wanted: set[tuple[str, str]]) -> list[str]:
        """Return the entity that each key stands for in its recording.

        Aliases are looked up only for the keys in `wanted`.
        """
        targets: dict[tuple[str, str], str] = {}
        for _ in range(_DEEP):
            aliases = effective_aliases(self._graph.aliases_at(wanted)) if wanted else {}
            new = {(alias, recording): target for alias, target, recording in aliases}
            targets |= new
            recordings = {recording for _, recording in wanted}
            wanted = {(t, name) for (_, rec), t in new.items() for name in ([rec] if rec else recordings)}
            wanted -= targets.keys()
        named = {key for key, _ in targets}
        return [self._follow(*each, targets) if each[0] in named else each[0] for each in keys]

    @staticmethod
    def _follow(key: str, recording: str, by_place: dict[tuple[str, str], str]) -> str:
        for _ in range(_DEEP):
            ahead = by_place.get((key, "")) or by_place.get((key, recording))
            if not ahead:
                return key
            key = ahead
        return key

    def stated(self, key: str, unsure: bool) -> list[tuple[Relation, str, str]]:
        """Return the relations of an entity under all of its names, each with the keys of its two ends.

        Relations between two names of one entity are left out. Relations that are not correct often enough to
        be shown by default are included only with `unsure`.
        """
        names = set(self.keys(key)) - {(key, "")}
        known = self._graph.relations({key, *(alias for alias, _ in names)})
        relations = [each for each in known if unsure or is_shown(each)]
        ends = [(end, each.recording) for each in relations for end in (each.subject, each.object)]
        read = [
            key if names & {end, (end[0], "")} else other
            for end, other in zip(ends, self._canonical(ends, set(ends)), strict=True)
        ]
        stated = zip(relations, read[::2], read[1::2], strict=True)
        return [each for each in stated if each[1] != each[2] and key in each[1:]]

    def aliases(self, key: str) -> list[Alias]:
        """Return the names of an entity as written, with reasons; manual aliases come last.

        If two names were both joined and separated by hand, the last action is returned.
        """
        of_key = [a for a in self._aliases_of(key) if a.entity == key or not a.recording]
        by_hand = {(a.alias, a.entity): a for a in of_key if not a.recording}
        aliases = [a for a in of_key if by_hand.get((a.alias, a.entity), a) is a]
        names = self._graph.entities({name for a in aliases for name in (a.alias, a.entity)})
        shown: dict[tuple[str, str, str], Alias] = {}
        for a in aliases:
            alias, entity = (names[k].name if k in names else self._written(k) for k in (a.alias, a.entity))
            shown[alias, entity, a.reason] = replace(a, alias=alias, entity=entity)
        return list(shown.values())

    def _written(self, key: str) -> str:
        """Return the most frequent written form of a key without mentions, or the key if nobody says it."""
        forms = Counter(mention.name for mention in self._text.mentions(key))
        return max(forms, key=forms.__getitem__, default=key)


def _is_slip(key: str, other: str) -> bool:
    """Check whether a name is exactly one edit away from another."""
    from rapidfuzz.distance import OSA

    return OSA.distance(key, other, score_cutoff=1) == 1


def is_noun(named: int, said: int, passages: int, share: float = _NAMED) -> bool:
    """Check whether a word is a noun: `said` passages contain it and `named` mention it as an entity."""
    return named >= share * (said + (passages >= _MANY))


def _without_article(key: str) -> str:
    """Return a key without the determiners before it. The result is empty only for an empty key."""
    while " " in key and key.partition(" ")[0] in classes()["determiners"]:
        key = key.partition(" ")[2]
    return key


def _explained_name(name: str) -> str:
    """Return the name that a general noun explains, or "" if there is none.

    It is "Vellmark" for "the Vellmark file system" and for "le logiciel Vellmark".
    """
    words = [word for word in words_in(name) if word.key]
    capitals = [at for at, word in enumerate(words) if word.capital and not word.kind & STOPS]
    if not capitals:
        return ""
    first, last = capitals[0], capitals[-1]
    nouns = words[max(0, first - 1) : first] + words[last + 1 :][-1:]
    general = classes()["works"] | classes()["organizations"]
    return name[words[first].begin : words[last].end] if any(noun.key in general for noun in nouns) else ""
