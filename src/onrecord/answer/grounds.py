"""Checks for parts of a statement that the sources state differently, without a language model.

The checks cover the figure, the unit, the name, the subject, the negation, the direction, the cause and the
certainty. They compare where words stand beside one another.

A statement may consist of words that are all said and still be false: "the repair costs fourteen million"
where the new bridge does. So each figure and name is looked up where its neighbors are said. If another
figure or name stands nearer to these neighbors, the statement is in doubt. The same holds for the statement's
"not", for words whose opposites are said in their place, and for the words after "because". Where few of the
statement's words are said together, places tell nothing, and only its figures are checked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from onrecord.answer.alignment import Alignment, Place, ends_of
from onrecord.answer.clauses import (
    DATES,
    OTHERS,
    SPEAKS,
    Clause,
    Spoken,
    compared_in,
    denied_in,
    effect_and_cause,
    figure_of,
    names_in,
    rates_in,
    stems_of,
    subject_of,
)
from onrecord.answer.opposites import denials, downward, root, roots
from onrecord.retrieve.diversity.same import NOTS, denies
from onrecord.retrieve.quantities import Quantity, measures, tokens
from onrecord.stores.words import STOP, fold

_OWN = frozenset("my our mine ours mon ma mes notre nos".split())
_BY_PRONOUN = 0.8
"""The weight, in 0..1, of words about the person that a pronoun stands for or that was named just before."""
_PERHAPS, _OF_ANOTHER = 0.6, 0.3
"""The weights, in 0..1, of a speaker's words as words about that speaker, if nothing says so.

The second one applies where the words name another person, or something that belongs to the speaker.
"""
_AGAINST = 0.5
"""The factor on the first of these weights where the words speak against another person."""
_NEARLY = 0.75
_HALF, _SAID = 0.5, 0.3
"""The least shares of the weight of some words in a clause that says the same or is on the same subject."""
_NEARER = 0.1
"""The least lead in coverage that puts another figure or name in a word's place."""
_TOGETHER = 0.5
"""The least share of a statement's words that two sentences in a row have if places of words are to tell."""
_FEW = 10
_LEVELS = frozenset("to from a".split())
"""Words before a figure that something rises or falls to, or from: that figure is no change."""
_SHARE = 1 / 3
"""The least share of a cause's words that the cause in the sources has."""


@dataclass(frozen=True)
class Ground:
    """The sentences that were said, to check statements against.

    `exempt` are the terms of names that may stand anywhere: names in the recording's title and in the
    question.
    """

    said: Sequence[Spoken]
    exempt: frozenset[str] = frozenset()

    @cached_property
    def names(self) -> frozenset[str]:
        """The folded words that are capitalized within sentences or stand in the names of speakers."""
        names = {fold(word) for spoken in self.said for word in spoken.speaker.split()}
        for spoken in self.said:
            for clause in spoken.clauses:
                names |= {token.term for token in clause.tokens[1:] if token.text[:1].isupper()}
        return frozenset(names - STOP)

    def doubts(self, text: str) -> list[str]:
        """Return the parts of a statement that are said differently.

        The result has any of "figure", "unit", "name", "subject", "negation", "direction", "cause" and
        "certainty".
        """
        stated = Spoken(text)
        doubts = [self._doubt_figures(stated), self._doubt_comparison(stated), self._doubt_rates(stated)]
        if self._said_together(stated) >= _TOGETHER:
            doubts += (
                self._doubt_speakers(stated),
                self._doubt_negation(stated),
                self._doubt_cause(stated),
                self.alignment.contrary(stated),
                self.alignment.exchanged(stated, self.exempt_roots),
                self.alignment.turned_around(stated),
                self.alignment.miscombined(stated),
                self.alignment.said_by_another(stated),
                self.alignment.left_open(stated),
            )
        return list(dict.fromkeys(filter(None, doubts)))

    def _said_together(self, stated: Spoken) -> float:
        """Return the largest share of a statement's stems that two consecutive sentences have."""
        said = max((len(stated.stems & pair) for pair in self._pairs), default=0)
        return said / max(1, len(stated.stems))

    @cached_property
    def _pairs(self) -> tuple[frozenset[str], ...]:
        """The stems of each two consecutive sentences, with their speakers."""
        said = [spoken.stems | roots(spoken.speaker) for spoken in self.said]
        return tuple(map(frozenset[str].union, said, [*said[1:], frozenset[str]()]))

    @cached_property
    def alignment(self) -> Alignment:
        return Alignment(self.said)

    # ---------------------------------------------------------------- figures

    @cached_property
    def _places_of_figures(self) -> list[tuple[Quantity, Place]]:
        return [
            (token.quantity, Place(n, m))
            for n, spoken in enumerate(self.said)
            for m, clause in enumerate(spoken.clauses)
            for token in clause.tokens
            if token.quantity
        ]

    def _doubt_figures(self, stated: Spoken) -> str:
        for clause in stated.clauses:
            around = stems_of(clause)
            figures = {figure_of(token.quantity) for token in clause.tokens if token.quantity}
            parts = stated.clauses if around <= figures else (clause,)
            own = [token.quantity for part in parts for token in part.tokens if token.quantity]
            for quantity in (token.quantity for token in clause.tokens if token.quantity):
                if self._orders_otherwise(quantity):
                    return "figure"
                context = (around - {figure_of(quantity)}) or stated.stems - {figure_of(quantity)}
                if not quantity.weak and (doubt := self._doubt_figure(quantity, own, context, clause)):
                    return doubt
        return ""

    def _orders_otherwise(self, quantity: Quantity) -> bool:
        """Return whether the thing after "first" or "second" only occurs with other ordinals."""
        if not (quantity.weak and quantity.ordinal and quantity.unit):
            return False
        heard = [q for q, _ in self._places_of_figures if q.ordinal and q.unit == quantity.unit]
        return bool(heard) and not any(map(quantity.equals, heard))

    def _doubt_figure(
        self, quantity: Quantity, own: Sequence[Quantity], context: frozenset[str], clause: Clause
    ) -> str:
        """Return "figure" or "unit" if either differs where the words beside it are said, else "".

        `own` are all figures that stand with it in the statement. They do not count as replacements for it.
        """
        alike = [
            (other, place)
            for other, place in self._places_of_figures
            if quantity.rounds(other) or other.shortens(quantity)
        ]
        small = quantity.value <= _FEW and not measures(quantity.unit) and not quantity.ordinal
        if not alike and not small:  # the writer may have counted a few things
            return "figure"
        coverage = self.alignment.coverage(context)
        near: dict[str, list[float]] = {"": [], "unit": [], "figure": []}
        for other, place in alike:
            has_other_sign = _comparable(quantity, other) and _signs_differ(
                quantity, clause, other, self.alignment.clause(place)
            )
            difference = "unit" if quantity.clashes(other) else "figure" if has_other_sign else ""
            near[difference].append(coverage.get(place, 0.0))
        same = max(near[""], default=0.0)
        for difference in ("unit", "figure"):
            if near[difference] and (not near[""] or max(near[difference]) > same):
                return difference
        rest = [
            coverage.get(place, 0.0)
            for other, place in self._places_of_figures
            if not any(one.rounds(other) or other.shortens(one) for one in own)
            and _comparable(quantity, other)
        ]
        nearest = max(rest, default=0.0)
        return "figure" if nearest >= max(same + _NEARER, _HALF) else ""

    def _doubt_rates(self, stated: Spoken) -> str:
        """Return "unit" if a rate is said of another period or measure, such as a week for a day."""
        heard = [rate for spoken in self.said for rate in rates_in(spoken)]
        for quantity, period in rates_in(stated):
            others = [other for figure, other in heard if quantity.equals(figure)]
            if others and period not in others:
                return "unit"
        return ""

    def _doubt_comparison(self, stated: Spoken) -> str:
        """Return "figure" if two figures are compared the other way round."""
        roles = compared_in(stated)
        if not any(based for _, based in roles) or all(based for _, based in roles):
            return ""
        for spoken in self.said:
            there = compared_in(spoken)
            turned = [
                (based, other_based)
                for quantity, based in roles
                for other, other_based in there
                if quantity.same(other) and based != other_based
            ]
            if (True, False) in turned and (False, True) in turned:
                return "figure"
        return ""

    # ---------------------------------------------------------------- names

    @cached_property
    def _places_of_names(self) -> list[tuple[frozenset[str], Place, float]]:
        """Each name with its place and the weight of the words there as words about that name.

        The names are those in the sentence, the speaker's, and those that "he" or "she" may stand for.
        """
        places: list[tuple[frozenset[str], Place, float]] = []
        before: list[frozenset[str]] = []
        for n, spoken in enumerate(self.said):
            named = list(names_in(spoken, self.names))
            stands_for = any(OTHERS & set(clause.words) for clause in spoken.clauses)
            people = [name for _, name in named if name.isdisjoint(DATES)]
            antecedents = before if stands_for and not people else []
            for m, clause in enumerate(spoken.clauses):
                place, here = Place(n, m), [name for number, name in named if number == m]
                places += [(name, place, 1.0) for name in here]
                places += [(name, place, _BY_PRONOUN) for name in antecedents]
                # a person named in one clause is the likely subject of the next clause
                antecedents = [name for name in here if name in people] or antecedents
                if spoken.speaker:
                    words = set(clause.words)
                    of_speaker = _OF_ANOTHER if here or words & _OWN else _PERHAPS
                    places.append((roots(spoken.speaker), place, 1.0 if words & SPEAKS else of_speaker))
            before = people or before
        return places

    def _doubt_speakers(self, stated: Spoken) -> str:
        """Return "name" if the words about a speaker were said by or about another person, else ""."""
        names = [(n, name) for n, name in names_in(stated, self.names) if not name <= self.exempt_roots]
        everybody = frozenset[str]().union(*(name for _, name in names))
        no_rivals = everybody - self.alignment.speakers
        for number, name in names:
            if not name & self.alignment.speakers:
                continue
            context = stems_of(stated.clauses[number]) - everybody or stated.stems - everybody
            coverage = self.alignment.coverage(context)
            near = [
                (who, weight, weight * coverage.get(place, 0.0))
                for who, place, weight in self._places_of_names
                if who.isdisjoint(DATES) and not who & no_rivals
            ]
            same = max((share for who, _, share in near if who & name), default=0.0)
            rivals = [(who, share * (_AGAINST if weight == _PERHAPS else 1)) for who, weight, share in near]
            others = max((share for who, share in rivals if not who & name), default=0.0)
            if others >= same + _NEARER:
                return "name"
        return ""

    @cached_property
    def exempt_roots(self) -> frozenset[str]:
        return frozenset(root(term) for term in self.exempt)

    # ---------------------------------------------------------------- the contrary

    def _doubt_negation(self, stated: Spoken) -> str:
        """Return "negation" if the statement denies what was said, or affirms what was denied, else "".

        The words beside a "not" show what it denies.
        """
        if self._is_answered_no(stated.stems - NOTS):
            return "" if any(map(denied_in, stated.clauses)) else "negation"
        for clause in stated.clauses:
            context = stems_of(clause) - NOTS
            denied, subject = denied_in(clause), subject_of(clause)
            if denied:
                if not self.alignment.weight(denied):  # in other words, as "not required" for "don't need"
                    continue
                places = self.alignment.best(denied | subject, _HALF)
                if places and not any(self._says_no(place, denied) for place in places):
                    return "negation"
            elif len(context) > 1:
                there = [self.alignment.clause(place) for place in self.alignment.best(context, _SAID)]
                there = [one for one in there if stems_of(one) & subject] or there
                if there and all(denied_in(one) & context for one in there):
                    return "negation"
        return ""

    def _is_answered_no(self, context: frozenset[str]) -> bool:
        """Return whether a question that has most of the words, more than any statement, is answered "No"."""
        questions, statements = (
            max((len(context & one.stems) for one in several), default=0)
            for several in (self._questions_answered_no, [one for one in self.said if not one.asks])
        )
        return questions > statements and questions >= _HALF * len(context)

    @cached_property
    def _questions_answered_no(self) -> list[Spoken]:
        """The questions whose answer begins with a "no"."""
        return [
            asked
            for asked, answer in pairwise(self.said)
            if asked.asks and answer.clauses and denies(answer.clauses[0].tokens[0])
        ]

    def _says_no(self, place: Place, besides: frozenset[str]) -> bool:
        """Return whether a clause, or a bare sentence after it such as "It did not.", denies something.

        Negations in `besides` do not count.
        """
        after = self.said[place.sentence + 1 : place.sentence + 2]
        bare = any(not one.stems - NOTS and any(map(denies, tokens(one.text))) for one in after)
        clause = self.alignment.clause(place)
        return bare or any(root(term) not in besides for term in denials(clause.tokens))

    # ---------------------------------------------------------------- causes

    def _doubt_cause(self, stated: Spoken) -> str:
        parted = effect_and_cause(stated.text)
        if parted is None:
            return ""
        effect, cause = (Spoken(part).stems for part in parted)
        if not effect or not cause:
            return ""
        everything = self.alignment.everything
        near = [len(effect & spoken.stems) for spoken in self.said]
        most = max(near, default=0)
        if not most:  # the effect is said in other words: then at least the cause has to be said
            return "cause" if not cause & everything else ""
        other = False
        for at in (n for n, share in enumerate(near) if share >= _NEARLY * most):
            window = self.said[max(0, at - 1) : at + 3]
            causes = [parts for spoken in window if (parts := effect_and_cause(spoken.text))]
            said_causes = [Spoken(why).stems for _, why in causes]
            if any(len(why & cause) >= max(1.0, _SHARE * min(len(cause), len(why))) for why in said_causes):
                return ""
            heard = frozenset[str]().union(*(one.affirmed for one in window if not one.asks))
            about = [why for effect_there, why in causes if Spoken(effect_there).stems & effect]
            if not about and len(cause & heard) >= _HALF * len(cause):
                return ""
            other = other or bool(about)
        # Nobody gives the cause in these words. It is in doubt if the effect has another cause, or if the
        # cause's words are said about something else.
        return "cause" if other or len(cause & everything) >= _HALF * len(cause) else ""


def _signs_differ(one: Quantity, stated: Clause, other: Quantity, said: Clause) -> bool:
    """Return whether one figure is below zero and the other is not.

    "Fell by 5" and "a loss of 5" are no other signs than -5, while "fell to 5" is one.
    """
    if one.negative == other.negative:
        return False
    figure, words = (other, said.tokens) if one.negative else (one, stated.tokens)
    before = next(
        (words[at - 1].term for at, token in enumerate(words) if at and token.quantity is figure), ""
    )
    return before in _LEVELS or not any(end in downward() for word in words for end in ends_of(word))


def _comparable(one: Quantity, other: Quantity) -> bool:
    """Return whether one figure could have replaced the other."""
    if one.ordinal != other.ordinal or other.weak or one.clashes(other):
        return False
    if one.unit and other.unit and measures(one.unit) != measures(other.unit):
        return False
    return one.is_year == other.is_year
