"""A test of whether two texts say the same.

Two texts say the same only if all words that carry meaning are the same, in the same order: four calls in
which "revenue was ... million" occurs each give different information. Only inflection, the words around the
shared part, and function words may differ, except those that change whether a statement is true: "only",
"might" (`changing` in ``data/opposites.yaml``, `doubts` in ``data/relations.yaml``).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import zip_longest

from onrecord.retrieve.quantities import Quantity, Token, measures, tokens
from onrecord.retrieve.wording import ELIDED, stem
from onrecord.stores.words import STOP, fold, singular

NOTS = frozenset(
    "not no never none nobody nothing neither nor without cannot "
    "ne pas jamais aucun rien sans ni personne".split()
)
"""Negation words, English and French, as they are written: the term of "sans" is that of the name "San"."""
_CLITICS = re.compile(rf"\b(?:{ELIDED})['\u2019](?=\w)|(?<=\w)['\u2019](?:s|re|ve|ll|m|d)\b", re.IGNORECASE)
"""Function words that are written together with a word, except negations: "l'appel", "we're"."""
_SIGNS = re.compile(r"(?<=\w)(?:\+\+|#)(?!\w)|(?:[<>]=?|[≤≥])(?=\s*[-−$€£]?\d)")
_SAID = {"++": "plus", "#": "sharp", "<": " less than ", ">": " more than ",
         "≤": " at most ", "≥": " at least ", "<=": " at most ", ">=": " at least "}  # fmt: skip
"""The words for the signs of C++ and C#, and for those before figures: "<7"."""
_JOINS = frozenset(
    "and but or so now well right okay ok yeah um uh oh hmm et mais ou donc alors bien".split()
)
"""Function words at the beginning or end of a sentence that do not belong to the words beside them."""
_PARTICLES = frozenset("before after off out up to onto till than".split())
"""English function words that are used like prepositions."""
_DETERMINERS = frozenset("a d l".split())
"""Words that are prepositions, "à", only in French."""
_ENDS = frozenset(".!?;:")
_DECIMALS = re.compile(r"^\d+[.](\d+)$")


def adds(text: str, shown: str) -> bool:
    """Return whether a text adds to an earlier text, `shown`.

    It does unless its words that carry meaning are, in the same order and without any between them, a part of
    `shown`.
    """
    new, old = _content_words(text), _content_words(shown)
    if not new:  # "Yes." has function words alone
        return fold(text.strip()) not in fold(shown)
    places = (slice(at, at + len(new)) for at in range(len(old) - len(new) + 1))
    return not any(_match(new, old[place]) and _stands_alone(old, place) for place in places)


def denies(token: Token) -> bool:
    """Return whether a word is a negation: "not", the t of "didn't", or the "zero" of "zero complaints"."""
    if token.quantity:
        counted = token.quantity.unit and not measures(token.quantity.unit)
        return token.quantity.value == 0 and bool(counted)
    return token.term == "t" or fold(token.text) in NOTS


@cache
def hedges() -> frozenset[str]:
    """Return the words that leave open whether a statement is so: "might", "if"."""
    from onrecord.graph.nouns import data  # loaded only where quotes are compared

    return frozenset(data("relations.yaml")["words"]["doubts"].split())


@cache
def _changing() -> frozenset[str]:
    """Return the words that change whether a statement is true: negations, quantities, limits, doubts."""
    from onrecord.graph.nouns import data  # loaded only where quotes are compared

    return NOTS.union(data("opposites.yaml")["changing"].split(), hedges())


@dataclass(slots=True)
class _ContentWord:
    """A word or number that carries meaning, and the function words `before` and `after` it.

    They reach to the next word that carries meaning, or to the end of the sentence, where the word `opens` or
    `closes` it. A word that `changes` the truth of its sentence is like a negation. `name` is a capitalized
    word as it is written, folded. The sentence of a word may be a question, in which it is `asked`.
    """

    word: str = ""
    name: str = ""
    quantity: Quantity | None = None
    changes: bool = False
    opens: bool = False
    closes: bool = False
    asked: bool = False
    decimals: str = ""
    before: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)

    def same(self, other: _ContentWord) -> bool:
        if self.asked != other.asked:
            return False
        if self.quantity and other.quantity:
            return _are_same_figure(self.quantity, other.quantity) and self._has_decimals_of(other)
        if self.quantity or other.quantity:
            return False
        if self.name and other.name:  # Williams is not William
            return self.name == other.name
        return self.word == other.word

    def _has_decimals_of(self, other: _ContentWord) -> bool:
        """Return whether two bare figures have the same digits: "version 2.10" is not 2.1."""
        measured = any(word.quantity and measures(word.quantity.unit) for word in (self, other))
        return bool(measured) or not (self.decimals and other.decimals) or self.decimals == other.decimals

    def placed(self, other: _ContentWord, cut: bool = False) -> bool:
        """Return whether no preposition before the word is replaced by another one.

        Before a figure, none is left out either: "rose 20 million" is not "rose to 20 million". That does not
        hold where the text may be `cut` before the word.
        """
        from onrecord.graph.nouns import classes  # loaded only where quotes are compared

        placing = (classes()["prepositions"] | _PARTICLES) - _DETERMINERS
        own, others = placing.intersection(self.before), placing.intersection(other.before)
        if self.quantity and not cut:
            return own == others
        return own <= others or others <= own


def _are_same_figure(one: Quantity, other: Quantity) -> bool:
    """Return whether two figures are the same number of the same measure, or of things."""
    if not one.same(other) or (one.ordinal, one.kind) != (other.ordinal, other.kind):
        return False
    measured = measures(one.unit) or measures(other.unit)
    return not measured or one.unit == other.unit or one.shares_with(other)


def _match(some: Sequence[_ContentWord], others: Sequence[_ContentWord]) -> bool:
    """Return whether two sequences of equal length mean the same.

    "We can", before "ship", does not match "we can hardly": the function words at both ends have to stand
    beside the same words, unless the sentence begins or ends there.
    """
    if not all(one.same(other) for one, other in zip(some, others, strict=True)):
        return False
    if not some[0].placed(others[0], cut=True):
        return False
    for before, one, other in zip(some, some[1:], others[1:], strict=False):
        # "didn't say that we sell" and "said that we don't sell" differ in what follows the negation
        if not one.placed(other) or (before.changes and one.before != other.before):
            return False
    first = next((word for word in some[0].before if word not in _JOINS), None)
    last = next((word for word in reversed(some[-1].after) if word not in _JOINS), None)
    begins = first is None or others[0].opens or first in others[0].before
    return begins and (last is None or others[-1].closes or last in others[-1].after)


def _stands_alone(words: Sequence[_ContentWord], place: slice) -> bool:
    """Return whether no word beside a part of some words changes its truth: "not", "only".

    A word in the sentence before or after it does not.
    """
    first, last = words[place.start], words[place.stop - 1]
    before, after = words[max(0, place.start - 1) : place.start], words[place.stop : place.stop + 1]
    changed_before = not first.opens and any(word.changes for word in before)
    return not changed_before and (last.closes or not any(word.changes for word in after))


@lru_cache(maxsize=1 << 10)
def _content_words(text: str) -> Sequence[_ContentWord]:
    """Return the words and numbers of a text that carry meaning, in order."""
    plain = _SIGNS.sub(lambda sign: _SAID[sign[0]], _CLITICS.sub(" ", text))
    read = tokens(plain)
    words: list[_ContentWord] = []
    between: list[str] = []
    begin, opens, pauses = 0, True, False
    for token, after in zip_longest(read, read[1:]):
        if token.mark:
            if token.text in _ENDS:
                is_tag = pauses and bool(between)  # "It sails in May, right?" states that it does
                _end_sentence(words, between, begin if token.text == "?" and not is_tag else len(words))
                between, begin, opens = [], len(words), True
            pauses = True
        elif _is_function_word(token, after):
            between.append(token.term)
        else:
            if words and not opens:
                words[-1].after = between
            words.append(_content_word(token, opens, between))
            between, opens, pauses = [], False, False
    _end_sentence(words, between, len(words))
    return words


def _content_word(token: Token, opens: bool, before: list[str]) -> _ContentWord:
    folded, decimals = fold(token.text), _DECIMALS.match(token.text)
    return _ContentWord(
        word="not" if token.term in ("t", "cannot") else stem(singular(folded)),
        name=folded if token.text[:1].isupper() else "",
        quantity=token.quantity,
        changes=denies(token) or token.term in _changing(),
        opens=opens,
        decimals=decimals[1] if decimals else "",
        before=before,
    )


def _end_sentence(words: Sequence[_ContentWord], after: list[str], asked_from: int) -> None:
    """Note that a sentence ends after the last word, if it has not ended before.

    The words from `asked_from` on are asked.
    """
    if words and not words[-1].closes:
        words[-1].after, words[-1].closes = after, True
    for word in words[asked_from:]:
        word.asked = True


def _is_function_word(token: Token, after: Token | None) -> bool:
    """Return whether a word carries no meaning of its own. Negations do, such as the t of "didn't"."""
    if token.quantity:
        counts = token.term == "one" and token.quantity.unit  # "one complaint"
        return token.quantity.weak and not token.quantity.ordinal and not counts
    if denies(token) or token.term in _changing() or token.term.endswith("nt"):  # "dont"
        return False
    return token.term in STOP or (after is not None and after.term == "t" and token.term.endswith("n"))
