"""A test of whether two texts say the same.

Texts whose numbers, names or negations differ never do, however many words they share: four calls in which
"revenue was ... million" occurs each give different information.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from onrecord.retrieve.quantities import Quantity, Token, tokens
from onrecord.stores.words import STOP, terms

NOTS = frozenset(
    terms(
        "not no never none nobody nothing neither nor without cannot "
        "ne pas jamais aucun rien sans ni personne"
    )
)
"""Negation words, English and French."""
_ALIGNED = 2
"""Least number of adjacent shared words for two texts to be aligned."""


def adds(text: str, shown: str) -> bool:
    """Return whether a text adds to an earlier text, `shown`.

    It does if it has a number or a name that `shown` lacks, or if only one of them is negated.
    """
    new, old = tokens(text), tokens(shown)
    figures, others = ([t.quantity for t in one if t.quantity and not t.quantity.weak] for one in (new, old))
    # Within a sentence all capitalized words are names. At its beginning, a capitalized word is a name unless
    # it is a function word.
    capitals = (t for t in new if t.text[:1].isupper() and not t.quantity and t.term not in STOP)
    names = {term for token in capitals for term in terms(token.text) if len(term) > 1}
    if not _in_order(figures, others) or not names.issubset(t for token in old for t in terms(token.text)):
        return True
    return sum(map(denies, new)) != sum(map(denies, _beside(new, old)))


def denies(token: Token) -> bool:
    """Return whether a word is a negation: "not", or the t of "didn't"."""
    return token.term == "t" or not NOTS.isdisjoint(terms(token.text))


def _in_order(figures: Sequence[Quantity], others: Sequence[Quantity]) -> bool:
    """Return whether all `figures` are among `others`, in the same order."""
    rest = iter(others)
    return all(any(figure.same(other) for other in rest) for figure in figures)


def _beside(text: Sequence[Token], shown: Sequence[Token]) -> Sequence[Token]:
    """Return the part of `shown` with which a text can be aligned.

    It reaches from the first words that both share to the last. If they share no adjacent words, it is all of
    `shown`.
    """
    own, others = ([t.term for t in one if not denies(t) and not t.mark] for one in (text, shown))
    places = [at for at, token in enumerate(shown) if not denies(token) and not token.mark]
    blocks = SequenceMatcher(None, own, others, autojunk=False).get_matching_blocks()
    shared = [block for block in blocks if block.size >= _ALIGNED]
    if not shared:
        return shown
    begin = max(0, shared[0].b - shared[0].a)
    end = min(len(places), shared[-1].b + shared[-1].size + len(own) - shared[-1].a - shared[-1].size)
    return shown[places[begin] if begin else 0 : places[end - 1] + 1 if end < len(places) else len(shown)]
