"""How often something is said, where a question asks that: counted, not guessed from what was found."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from onrecord.retrieve.plan.asked import Asked
from onrecord.retrieve.plan.follow import subject_words
from onrecord.retrieve.wording import stem
from onrecord.stores.base import Reader
from onrecord.stores.words import terms
from onrecord.types import Filter, Scope

_HOW_OFTEN = re.compile(r"\b(?:how (?:often|frequently|many times)|combien de fois|a quelle frequence)\b")
_SAID = re.compile(
    r"\b(?:mention\w*|sa(?:y|ys|id)|talk\w*|speaks?|spoken?|discuss\w*|named?|c[oa]mes? up|brought up|used|"
    r"utter\w*|dit|dire|disent|parle\w*|evoqu\w+|utilis\w+|cite\w*)\b"
)
_A_WORD = frozenset("word words term terms phrase mot mots terme termes".split())
_ENDINGS = ("", "s", "e", "es", "ed", "ing")


def counted(asked: Asked, filters: Sequence[Filter]) -> tuple[str, ...]:
    """The words that a question wants counted, without those of its filters; none where it wants something
    else."""
    text = _HOW_OFTEN.sub(" ", asked.low)
    if text == asked.low or not _SAID.search(text):
        return ()
    named = _A_WORD.union(*(terms(found.said) for found in filters))
    return tuple(word for word in dict.fromkeys(subject_words(_SAID.sub(" ", text))) if word not in named)


def count(words: Sequence[str], scope: Scope, reader: Reader) -> tuple[int, int]:
    """How many passages have all of these words, with whatever ending, and how many recordings."""
    line = reader.line(scope)
    heard = np.ones(len(line), bool)
    for word in words:
        heard &= reader.keyword([word, *(stem(word) + ending for ending in _ENDINGS)], line) > 0
    return int(heard.sum()), len(np.unique(line.recordings[heard]))
