"""Compounds that archives write as one word and questions as two ("homelab", "home lab"), or in reverse."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from onrecord.stores.base import Reader
from onrecord.stores.words import STOP, fold, terms
from onrecord.types import Line

if TYPE_CHECKING:
    from onrecord.types import Scores

_LEAST = 3
"""Letters that a part of a compound has at least: "setup" is left alone."""
_MOST = 40
"""Letters that a word has at most whose parts are looked for: every place to cut it is tried."""
_READ = 20
"""In how many passages that have both parts is looked for one that has them side by side."""


def by_words(text: str, line: Line, store: Reader) -> Scores:
    """BM25 of every passage of a line for a text, with what stands for its compounds."""
    return store.keyword([text, *compounds(text, line, store)], line)


def compounds(text: str, line: Line, store: Reader) -> list[str]:
    """What stands for the compounds of a text, besides its own words: each two neighbours in one word, said
    or not, and the parts of each word that nobody says, where these are said side by side."""
    words = re.findall(r"\w+(?:['\u2019-]\w+)*", fold(text))
    joined = [one + other for one, other in pairwise(words) if _may_be_part(one) and _may_be_part(other)]
    long = [word for word in words if word.isalpha() and len(word) >= 2 * _LEAST and word not in STOP]
    heard = store.heard(long)
    split = [parts(word, line, store) for word in long if word not in heard]
    return joined + [" ".join(both) for both in split if both]


def parts(word: str, line: Line, store: Reader) -> tuple[str, str] | None:
    """The two words that are said side by side in the place of one; None where there are none."""
    ends = range(_LEAST, len(word) - _LEAST + 1) if len(word) <= _MOST else ()
    cuts = [(word[:at], word[at:]) for at in ends]
    cuts = [both for both in cuts if all(map(_may_be_part, both))]
    heard = store.heard({part for both in cuts for part in both})
    return next((both for both in cuts if heard.issuperset(both) and _side_by_side(both, line, store)), None)


def _may_be_part(word: str) -> bool:
    return word.isalpha() and len(word) >= _LEAST and word not in STOP


def _side_by_side(both: tuple[str, str], line: Line, store: Reader) -> bool:
    """Whether some passage has one word and then the other; the first `_READ` that have both are read."""
    held = (store.keyword([both[0]], line) > 0) & (store.keyword([both[1]], line) > 0)
    wanted = [*terms(both[0]), *terms(both[1])]
    found = store.passages(line.rows[np.flatnonzero(held)[:_READ]])
    return any(wanted == list(two) for passage in found for two in pairwise(terms(passage.spoken)))
