"""Where a statement is said: its clauses laid beside the clauses of what was said, word by word.

A word that few clauses have tells more than one that many have: shared words count by their inverse document
frequency over the clauses. What stands in the place of a statement's word is told by its neighbours: the same
preposition or the same word beside it, or the head of the clause.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import log

from onrecord.answer.clauses import (
    OTHERS,
    SPEAKS,
    STANDS_FOR,
    Clause,
    Spoken,
    denied_first,
    denied_in,
    figure_of,
    stems_of,
)
from onrecord.answer.opposites import axes, base
from onrecord.graph.nouns import classes
from onrecord.retrieve.quantities import Token
from onrecord.retrieve.wording import stem
from onrecord.stores.words import STOP, terms

_ELSEWHERE, _BEFORE = 0.6, 0.3
"""What a shared word is worth in another clause of the sentence, and in the sentence before."""
_COVERED = 0.6
"""Of the weight of a statement's words, how much a clause has that tells the same, at least."""
_CLEARLY = 0.15
_PEOPLE = frozenset("he she they il elle ils elles".split())
_APART = 3
"""Words that the end of a clause counts for, in the distance of two words."""
_DETERMINERS = frozenset(
    "the a an this that these those my our your his her its their le la les l un une des du "
    "mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs ce cet cette ces".split()
)


@dataclass(frozen=True, slots=True)
class Place:
    """Where something is said: a clause of a sentence, by their numbers."""

    sentence: int
    clause: int


@dataclass(frozen=True, slots=True)
class Item:
    """A word that names something, or the words of one name: `after` is the word before it, without
    determiners, `left` and `right` are the stems of its neighbours that name something."""

    stems: frozenset[str]
    name: bool
    figure: bool
    after: str
    left: frozenset[str]
    right: frozenset[str]

    @property
    def polar(self) -> bool:
        """Whether it is a word that has opposites, which are told apart by those."""
        return any(word in axes() for word in self.stems)

    def in_place_of(self, other: Item) -> bool:
        """Whether it stands where another one does in its own clause."""
        if self.name != other.name or self.figure or self.polar:
            return False
        beside = {word for word in self.left & other.left | self.right & other.right if word[0] != "="}
        return bool(beside or (self.heads and other.heads) or (self.after and self.after == other.after))

    @property
    def heads(self) -> bool:
        """Whether its clause begins with it."""
        return not self.left and not self.after


def items_of(clause: Clause) -> list[Item]:
    """The words of a clause that name something, in order; capitalized words side by side are one name."""
    rows: list[tuple[set[str], bool, bool, str]] = []
    before, joined, last = "", False, ""
    for token in clause.tokens:
        determines = (
            token.term in _DETERMINERS and last not in _DETERMINERS
        )  # "her son" is none, "son fils" one
        last = token.term
        named, name = _stems(token), token.text[:1].isupper() and not token.quantity
        if not named or determines:
            before = before if determines else token.term
            joined = False
        elif joined and name and rows[-1][1]:
            rows[-1][0].update(named)
        else:
            rows.append((set(named), name, token.quantity is not None, before))
            before, joined = "", True
    stems = [frozenset[str](), *(frozenset(row[0]) for row in rows), frozenset[str]()]
    return [
        Item(stems[n + 1], name, figure, after, stems[n], stems[n + 2])
        for n, (_, name, figure, after) in enumerate(rows)
    ]


def _stems(token: Token) -> frozenset[str]:
    if token.quantity:
        return frozenset() if token.quantity.weak else frozenset((figure_of(token.quantity),))
    return frozenset(stem(base(term)) for term in terms(token.text) if term not in STOP)


def ends_of(token: Token) -> Iterator[tuple[int, int]]:
    """The axes of opposites that a word lies on, each with the end."""
    if not token.quantity:
        for term in terms(token.text):
            yield from axes().get(stem(base(term)), {}).items()


class Alignment:
    """Sentences that were said, to lay statements beside."""

    def __init__(self, said: Sequence[Spoken]) -> None:
        self.said = said

    @cached_property
    def places(self) -> list[Place]:
        """The clauses of what is stated: a question states nothing."""
        stated = ((n, spoken) for n, spoken in enumerate(self.said) if not spoken.asks)
        return [Place(n, m) for n, spoken in stated for m in range(len(spoken.clauses))]

    @cached_property
    def weights(self) -> dict[str, float]:
        """The inverse document frequency of each stem, over the clauses; a speaker's name counts as one that is
        said once."""
        held = Counter({term: 1 for spoken in self.said for term in terms(spoken.speaker)})
        held.update(word for place in self.places for word in stems_of(self.clause(place)))
        return {word: log((len(self.places) + 1) / (count + 0.5)) for word, count in held.items()}

    def clause(self, place: Place) -> Clause:
        return self.said[place.sentence].clauses[place.clause]

    def weight(self, stems: frozenset[str]) -> float:
        return sum(self.weights.get(word, 0.0) for word in stems)

    def coverage(self, stems: frozenset[str], place: Place) -> float:
        """How much of the weight of some stems, in 0..1, a clause has, with less for what stands around it.
        Stems that nobody says do not count."""
        own = stems & stems_of(self.clause(place))
        beside = (stems & self.said[place.sentence].stems) - own
        before = (
            (stems & self.said[place.sentence - 1].stems) - own - beside
            if place.sentence
            else frozenset[str]()
        )
        refers = _ELSEWHERE if STANDS_FOR & set(self.clause(place).words) else _BEFORE
        found = self.weight(own) + _ELSEWHERE * self.weight(beside) + refers * self.weight(before)
        return found / (self.weight(stems) or 1.0)

    def best(self, stems: frozenset[str], least: float = _COVERED) -> list[Place]:
        """The clauses that cover some stems best, and well enough."""
        covered = {place: self.coverage(stems, place) for place in self.places}
        most = max(covered.values(), default=0.0)
        return [place for place, share in covered.items() if share >= most - 1e-9 and most >= least]

    # ---------------------------------------------------------------- opposites

    def is_contrary(self, stated: Spoken) -> bool:
        """Whether a statement has the opposite of what stands by the same words where it is said."""
        for clause in stated.clauses:
            for token in () if denied_in(clause) else clause.tokens:
                for axis, end in ends_of(token):
                    context = stems_of(clause) - _stems(token)
                    context = context if self.weight(context) else stated.stems - _stems(token)
                    places = self.best(context)
                    if places and all(self.end_near(context, axis, place) == -end for place in places):
                        return True
        return False

    def end_near(self, context: frozenset[str], axis: int, place: Place) -> int:
        """The end of an axis that the nearest word to some others lies on, in the sentence of a clause: 1 or -1;
        0 where there is none, or both are as near."""
        rows = [
            (n * 1.0 + _APART * m, token)
            for m, clause in enumerate(self.said[place.sentence].clauses)
            for n, token in enumerate(
                clause.tokens, sum(len(c.tokens) for c in self.said[place.sentence].clauses[:m])
            )
        ]
        shared = [at for at, token in rows if _stems(token) & context]
        near: dict[int, float] = {}
        for at, token in rows:
            for other, end in ends_of(token):
                if other == axis and shared:
                    near[end] = min(near.get(end, 1e9), min(abs(at - one) for one in shared))
        return 0 if not near or near.get(1) == near.get(-1) else min(near, key=lambda end: near[end])

    # ---------------------------------------------------------------- exchanged words

    def exchanged(self, stated: Spoken, exempt: frozenset[str]) -> str:
        """ "name" or "subject" where a word of a statement is said elsewhere, and another one stands in its
        place where the rest is said; nothing where none is."""
        for clause in stated.clauses:
            items = items_of(clause)
            for item in items:
                known = self.weight(item.stems) and not item.figure and not item.polar
                if known and not item.stems & exempt and self._displaced(item, clause, stated):
                    return "name" if item.name else "subject"
        return ""

    def _displaced(self, item: Item, clause: Clause, stated: Spoken) -> bool:
        rest = stems_of(clause) - item.stems
        if len([word for word in rest if word in self.weights]) < 2:
            rest = stated.stems - item.stems
        places = self.best(rest)
        most = max((self.coverage(rest, place) for place in places), default=0.0)
        near = [
            self.coverage(rest, place)
            for place in self.places
            if item.stems & self.around(place) and not self._rival(item, place, stated)
        ]
        enough = bool(places) and max(near, default=0.0) < most - _CLEARLY
        return enough and all(self._rival(item, place, stated) for place in places)

    def _rival(self, item: Item, place: Place, stated: Spoken) -> bool:
        """Whether a clause has another word in the place of one, or "they" that stand for another."""
        items = items_of(self.clause(place))
        if any(item.stems & other.stems for other in items):
            return False
        first = next(iter(self.clause(place).words), "")
        if item.heads and first in _PEOPLE:
            return not item.stems & self.around(place)
        return any(other.in_place_of(item) for other in items if not other.stems & stated.stems)

    def around(self, place: Place) -> frozenset[str]:
        """The stems of a sentence; and what "I" and "they" in a clause may stand for, whose sentence names
        nobody before."""
        spoken, words = self.said[place.sentence], set(self.clause(place).words)
        own = spoken.stems | (frozenset(terms(spoken.speaker)) if words & SPEAKS else frozenset())
        if words & OTHERS and place.sentence and not place.clause:
            return own | self.said[place.sentence - 1].stems
        return own

    # ---------------------------------------------------------------- denials, and who says something

    def denies(self, stated: Spoken) -> bool:
        """Whether what a statement affirms of something is said of it with "not", and nowhere without."""
        for clause in stated.clauses:
            items = () if denied_in(clause) else items_of(clause)
            for item, other in pairwise(items):
                both = [
                    p
                    for p in self.places
                    if item.stems & self.around(p) and other.stems & stems_of(self.clause(p))
                ]
                if both and all(denied_first(self.clause(place)) & other.stems for place in both):
                    return True
            for item in items[:1]:
                there = [
                    place
                    for place in self.best(stems_of(clause))
                    if item.stems & stems_of(self.clause(place))
                ]
                if there and all(denied_first(self.clause(place)) & item.stems for place in there):
                    return True
        return False

    def is_said_by_another(self, stated: Spoken, speakers: frozenset[str]) -> bool:
        """Whether what somebody is stated to say is said by others, and not by them."""
        first = stated.clauses[0] if stated.clauses else Clause(())
        named = frozenset(term for token in first.tokens for term in terms(token.text)) & speakers
        if not named or not set(first.words) & classes()["speaks"]:
            return False
        rest = stated.stems - named - {stem(word) for word in classes()["speaks"]}
        most = max((self.coverage(rest, place) for place in self.best(rest)), default=0.0)
        own = [p for p in self.places if named & frozenset(terms(self.said[p.sentence].speaker))]
        return max((self.coverage(rest, place) for place in own), default=0.0) < most - _CLEARLY
