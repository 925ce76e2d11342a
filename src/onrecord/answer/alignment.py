"""Word-by-word alignment of a statement's clauses with the clauses of what was said.

Shared words count by their inverse document frequency over the clauses, because a word that few clauses have
tells more than a word that many have. The neighbors of a word decide which other word stands in its place:
the same preposition, the same word beside it, or the position at the head of the clause.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import log

from onrecord.answer.clauses import (
    DATES,
    OTHERS,
    SPEAKS,
    STANDS_FOR,
    Clause,
    Spoken,
    content_roots,
    denied_in,
    stems_of,
)
from onrecord.answer.opposites import axes, root, roots
from onrecord.graph.nouns import BREAKS, classes, word_class
from onrecord.retrieve.diversity.same import hedges
from onrecord.retrieve.quantities import Token
from onrecord.stores.words import terms

_ELSEWHERE, _BEFORE = 0.6, 0.3
"""The weights, in 0..1, of a shared word in another clause of the sentence and in the sentence before."""
_COVERED = 0.6
"""The least share of the weight of a statement's words that a matching clause has."""
_CLEARLY = 0.15
"""The least difference in coverage by which one match is clearly better than another."""
_ALIKE = 0.8
"""The least share of the words of a clause or sentence that another one has which says nearly the same."""
_CONDITIONS = frozenset("if unless si".split())
_PEOPLE = frozenset("he she they il elle ils elles".split())
_APART = 3
"""The extra distance, in words, between two words that the end of a clause adds."""
_COMPARES = frozenset("than before after above below over under ahead behind avant apres".split())
_PASSIVE = frozenset(("by", "par"))
_DETERMINERS = frozenset(
    "the a an this that these those my our your his her its their le la les l un une des du "
    "mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs ce cet cette ces".split()
)


@dataclass(frozen=True, slots=True)
class Place:
    """A clause of a sentence, given by the numbers of both."""

    sentence: int
    clause: int


@dataclass(frozen=True, slots=True)
class Item:
    """A content word, or the words of one name.

    `noun` is false for verbs and for words that only modify others. `after` is the word before the item,
    determiners aside. `left` and `right` are the roots of the neighboring items.
    """

    stems: frozenset[str]
    name: bool
    noun: bool
    figure: bool
    after: str
    left: frozenset[str]
    right: frozenset[str]

    @property
    def is_person(self) -> bool:
        """Return whether the item is a name other than a day or a month."""
        return self.name and self.stems.isdisjoint(DATES)

    @property
    def has_opposites(self) -> bool:
        """Return whether the item has opposites. Such items are compared by their opposites instead."""
        return any(word in axes() for word in self.stems)

    def in_place_of(self, other: Item) -> bool:
        """Return whether the item stands in its clause where another item stands in its own clause."""
        if (
            self.figure
            or self.has_opposites
            or self.is_person != other.is_person
            or not (self.noun and other.noun)
        ):
            return False
        beside = any(word[0] != "=" for word in self.left & other.left | self.right & other.right)
        return (
            beside
            or (self.opens_clause and other.opens_clause)
            or bool(self.after and self.after == other.after)
        )

    @property
    def opens_clause(self) -> bool:
        """Return whether the item is the first word of its clause."""
        return not self.left and not self.after


def items_of(clause: Clause) -> list[Item]:
    """Return the content words of a clause, in order. Adjacent capitalized words form one name."""
    rows: list[tuple[set[str], bool, bool, bool, str]] = []
    before, joined, last = "", False, ""
    for token in clause.tokens:
        # "son" is a determiner in "son fils" but not in "her son"
        determines = token.term in _DETERMINERS and last not in _DETERMINERS
        last = token.term
        named, name = content_roots((token,)), token.text[:1].isupper() and not token.quantity
        if not named or determines or len(token.text) < 2:
            before = before if determines else token.term
            joined = False
        elif joined and name and rows[-1][1]:
            rows[-1][0].update(named)
        else:
            noun = name or not word_class(token.text)[1] & BREAKS
            rows.append((set(named), name, noun, token.quantity is not None, before))
            before, joined = "", True
    stems = [frozenset[str](), *(frozenset(row[0]) for row in rows), frozenset[str]()]
    return [
        Item(stems[n + 1], name, noun, figure, after, stems[n], stems[n + 2])
        for n, (_, name, noun, figure, after) in enumerate(rows)
    ]


def all_items(said: Sequence[Spoken]) -> Iterator[Item]:
    """Return the items of all clauses."""
    return (item for spoken in said for clause in spoken.clauses for item in items_of(clause))


def _triples(clause: Clause) -> Iterator[tuple[str, frozenset[str], frozenset[str]]]:
    """Yield (pivot, left, right): a word and the roots of an item before it and of one after it.

    The pivot is a word of comparison, such as "than", or a content word between two names. A clause with "by"
    or "not" yields nothing, because these words reverse the roles.
    """
    words = set(clause.words)
    if words & _PASSIVE or denied_in(clause):
        return
    for at, token in enumerate(clause.tokens):
        left = [item for item in items_of(replace(clause, tokens=clause.tokens[:at])) if not item.figure]
        right = [
            item for item in items_of(replace(clause, tokens=clause.tokens[at + 1 :])) if not item.figure
        ]
        if not left or not right:
            continue
        if token.term in _COMPARES:  # "earlier than" is not "later than"
            ends = sorted({f"{axis}{end:+}" for one in clause.tokens for axis, end in ends_of(one)})
            yield " ".join((token.term, *ends)), left[0].stems, right[0].stems
        else:
            names = [[item for item in items if item.is_person] for items in (left, right)]
            if all(names):  # the nearest name on each side
                yield from ((word, names[0][-1].stems, names[1][0].stems) for word in content_roots((token,)))


def ends_of(token: Token) -> Iterator[tuple[int, int]]:
    """Yield the axes of opposites that a word lies on, each with its end, 1 or -1."""
    if not token.quantity:
        for term in terms(token.text):
            yield from axes().get(root(term), {}).items()


def _share(some: frozenset[str], others: frozenset[str]) -> float:
    return len(some & others) / max(1, len(some))


def _hedged(clauses: Iterable[Clause]) -> bool:
    """Return whether a clause has a hedge. The month of May is none."""
    hedged = (token for clause in clauses for token in clause.tokens if token.term in hedges())
    return any(token.text.islower() or token.term not in DATES for token in hedged)


class Alignment:
    """The sentences that were said, for comparison with statements."""

    def __init__(self, said: Sequence[Spoken]) -> None:
        self.said = said
        self._covered: dict[frozenset[str], Mapping[Place, float]] = {}

    @cached_property
    def places(self) -> list[Place]:
        """The clauses of all sentences that are not questions, because a question states nothing."""
        stated = ((n, spoken) for n, spoken in enumerate(self.said) if not spoken.asks)
        return [Place(n, m) for n, spoken in stated for m in range(len(spoken.clauses))]

    @cached_property
    def speakers(self) -> frozenset[str]:
        """The roots of the names of all speakers."""
        return roots(" ".join(spoken.speaker for spoken in self.said))

    @cached_property
    def stems(self) -> dict[Place, frozenset[str]]:
        """The roots of the content words of each clause."""
        return {place: stems_of(self.clause(place)) for place in self.places}

    @cached_property
    def weights(self) -> dict[str, float]:
        """The inverse document frequency of each root over the clauses.

        Each root of a speaker's name has one extra count.
        """
        counts = Counter(dict.fromkeys(self.speakers, 1))
        counts.update(word for stems in self.stems.values() for word in stems)
        return {word: log((len(self.places) + 1) / (count + 0.5)) for word, count in counts.items()}

    def clause(self, place: Place) -> Clause:
        return self.said[place.sentence].clauses[place.clause]

    def weight(self, stems: frozenset[str]) -> float:
        return sum(self.weights.get(word, 0.0) for word in stems)

    @cached_property
    def _around(self) -> list[tuple[Place, frozenset[str], frozenset[str], frozenset[str], float]]:
        """Each clause with its roots, its sentence's, those of the sentence before, and their weight."""
        nothing = frozenset[str]()
        befores = [nothing, *(spoken.stems for spoken in self.said)]
        return [
            (
                place,
                self.stems[place],
                self.said[place.sentence].stems,
                befores[place.sentence],
                _BEFORE if STANDS_FOR.isdisjoint(self.clause(place).words) else _ELSEWHERE,
            )
            for place in self.places
        ]

    def coverage(self, stems: frozenset[str]) -> Mapping[Place, float]:
        """Return the share, in 0..1, of the weight of some roots that each clause covers.

        A root elsewhere in the sentence or in the sentence before counts for less. Roots that nobody says do
        not count.
        """
        if stems not in self._covered:
            weights = {word: self.weights[word] for word in stems if word in self.weights}
            whole = sum(weights.values()) or 1.0
            self._covered[stems] = {
                place: sum(
                    weight
                    * (1.0 if word in own else _ELSEWHERE if word in sentence else refers * (word in before))
                    for word, weight in weights.items()
                )
                / whole
                for place, own, sentence, before, refers in self._around
            }
        return self._covered[stems]

    def best(self, stems: frozenset[str], least: float = _COVERED) -> list[Place]:
        """Return the clauses with the best coverage of some roots, if that coverage is at least `least`."""
        covered = self.coverage(stems)
        most = max(covered.values(), default=0.0)
        return [place for place, share in covered.items() if share >= most - 1e-9 and most >= least]

    # ---------------------------------------------------------------- hedges

    def left_open(self, stated: Spoken) -> str:
        """Return "certainty" if the statement affirms what was only said to be possible, else ""."""
        if _hedged(stated.clauses):
            return ""
        for clause in stated.clauses:
            places = self._alike(stems_of(clause), stated.stems)
            if places and all(map(self._is_hedged, places)):
                return "certainty"
        return ""

    def _alike(self, some: frozenset[str], whole: frozenset[str]) -> list[Place]:
        """Return the clauses with nearly all of some roots, in sentences with nearly all of a statement's."""
        return [
            place
            for place in self.places
            if _share(whole, self.said[place.sentence].stems) >= _ALIKE
            and _share(some, self.stems[place]) >= _ALIKE
        ]

    def _is_hedged(self, place: Place) -> bool:
        """Return whether a clause has a hedge, or stands beside a clause that begins with "if"."""
        clauses = self.said[place.sentence].clauses
        conditions = [clause for clause in clauses if clause.tokens[0].term in _CONDITIONS]
        return _hedged((self.clause(place), *conditions))

    # ---------------------------------------------------------------- opposites

    def contrary(self, stated: Spoken) -> str:
        """Return "direction" if a clause says the opposite of a word of the statement, else "".

        The clause is the one that has the words around that word.
        """
        for clause in stated.clauses:
            for token in () if denied_in(clause) else clause.tokens:
                for axis, end in ends_of(token):
                    context = stems_of(clause) - content_roots((token,))
                    context = context if self.weight(context) else stated.stems - content_roots((token,))
                    places = self.best(context)
                    if places and all(self._end_near(context, axis, place) == -end for place in places):
                        return "direction"
        return ""

    def _end_near(self, context: frozenset[str], axis: int, place: Place) -> int:
        """Return the end of an axis, 1 or -1, whose words stand nearest to some roots in a sentence.

        Return 0 if the sentence has no such words, or if both ends are equally near.
        """
        rows: list[tuple[int, Token]] = []
        for clause in self.said[place.sentence].clauses:
            begin = rows[-1][0] + _APART if rows else 0
            rows += enumerate(clause.tokens, begin + 1)
        shared = [at for at, token in rows if content_roots((token,)) & context]
        near: dict[int, int] = {}
        for at, token in rows:
            for other, end in ends_of(token):
                if other == axis and shared:
                    near[end] = min(near.get(end, len(rows) * _APART), min(abs(at - one) for one in shared))
        return 0 if not near or near.get(1) == near.get(-1) else min(near, key=lambda end: near[end])

    # ---------------------------------------------------------------- exchanged words

    def exchanged(self, stated: Spoken, exempt: frozenset[str]) -> str:
        """Return "name" or "subject" if a word of the statement was exchanged for another one, else "".

        A word was exchanged if another word stands in its place where the rest is said, and it is said
        elsewhere; or it is said nowhere, and nearly all of the rest is said in one sentence.
        """
        for clause in stated.clauses:
            items = items_of(clause)
            for item in items:
                if item.figure or item.has_opposites or item.stems & exempt:
                    continue
                is_exchanged = self._is_displaced if self.weight(item.stems) else self._is_invented
                if is_exchanged(item, clause, stated):
                    return "name" if item.name else "subject"
        return ""

    def _is_invented(self, item: Item, clause: Clause, stated: Spoken) -> bool:
        """Return whether an item that nobody says stands where nearly the same clause has another word."""
        if item.stems & (self.everything | self.speakers):
            return False
        rest = stems_of(clause) - item.stems
        places = self._alike(rest, stated.stems - item.stems)
        return (
            len(rest) > 1 and bool(places) and all(self._has_other(item, place, stated) for place in places)
        )

    def _is_displaced(self, item: Item, clause: Clause, stated: Spoken) -> bool:
        rest = stems_of(clause) - item.stems
        if len([word for word in rest if word in self.weights]) < 2:
            rest = stated.stems - item.stems
        places = self.best(rest)
        most = max((self.coverage(rest)[place] for place in places), default=0.0)
        near = [
            self.coverage(rest)[place]
            for place in self.places
            if item.stems & self.around(place) and not self._has_rival(item, place, stated)
        ]
        enough = bool(places) and max(near, default=0.0) < most - _CLEARLY
        return enough and all(self._has_rival(item, place, stated) for place in places)

    def _has_rival(self, item: Item, place: Place, stated: Spoken) -> bool:
        """Return whether a clause has another word, or a pronoun for one, in the place of an item."""
        items = self._items[place]
        if any(item.stems & other.stems for other in items):
            return False
        first = next(iter(self.clause(place).words), "")
        if item.opens_clause and first in _PEOPLE:
            return not item.stems & self.around(place)
        return self._has_other(item, place, stated)

    def _has_other(self, item: Item, place: Place, stated: Spoken) -> bool:
        items = (other for other in self._items[place] if not other.stems & stated.stems)
        return any(other.in_place_of(item) for other in items)

    @cached_property
    def everything(self) -> frozenset[str]:
        """The roots of all that is said, in questions as well."""
        return frozenset[str]().union(*(spoken.stems for spoken in self.said))

    def around(self, place: Place) -> frozenset[str]:
        """Return the stems of the clause's sentence and of what its pronouns may stand for.

        "I" stands for the speaker. "They" may stand for a word of the sentence before, if the clause is the
        first of its sentence.
        """
        spoken, words = self.said[place.sentence], set(self.clause(place).words)
        own = spoken.stems | (roots(spoken.speaker) if words & SPEAKS else frozenset())
        if words & OTHERS and place.sentence and not place.clause:
            return own | self.said[place.sentence - 1].stems
        return own

    def turned_around(self, stated: Spoken) -> str:
        """Return "subject" if the statement exchanges the two words on either side of a third, else "".

        An example is "the males come before the females" for "the females come before the males".
        """
        own = [triple for clause in stated.clauses for triple in _triples(clause)]
        for pivot, left, right in own:
            there = [(before, after) for word, before, after in self._triples if word == pivot]
            straight = any(left & before and right & after for before, after in there)
            if not straight and any(left & after and right & before for before, after in there):
                return "subject"
        return ""

    @cached_property
    def _triples(self) -> list[tuple[str, frozenset[str], frozenset[str]]]:
        return [triple for place in self.places for triple in _triples(self.clause(place))]

    @cached_property
    def _names(self) -> frozenset[frozenset[str]]:
        """The names that are said, and the names of speakers."""
        named = {item.stems for item in all_items(self.said) if item.name}
        return frozenset(named | {roots(spoken.speaker) for spoken in self.said})

    @cached_property
    def _items(self) -> dict[Place, list[Item]]:
        return {place: items_of(self.clause(place)) for place in self.places}

    def miscombined(self, stated: Spoken) -> str:
        """Return "name" if a name in the statement combines parts of several full names, else ""."""
        full = [name for name in self._names if len(name) > 1]
        for item in all_items((stated,)):
            several = item.name and len(item.stems) > 1
            known = all(any(word in name for name in full) for word in item.stems)
            if several and known and not any(item.stems <= name for name in full):
                return "name"
        return ""

    # ---------------------------------------------------------------- speakers

    def said_by_another(self, stated: Spoken) -> str:
        """Return "subject" if only others say what the statement attributes to a speaker, else ""."""
        first = stated.clauses[0] if stated.clauses else Clause(())
        named = roots(" ".join(token.text for token in first.tokens)) & self.speakers
        if not named or not set(first.words) & classes()["speaks"]:
            return ""
        rest = stated.stems - named - {root(word) for word in classes()["speaks"]}
        most = max((self.coverage(rest)[place] for place in self.best(rest)), default=0.0)
        own = [p for p in self.places if named & roots(self.said[p.sentence].speaker)]
        least = max((self.coverage(rest)[place] for place in own), default=0.0)
        return "subject" if least < most - _CLEARLY else ""
