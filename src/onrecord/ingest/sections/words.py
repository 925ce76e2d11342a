"""The words of passages: content words, their counts and rarity, and phrases that announce a new topic."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import lru_cache
from math import log
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np
from yaml import safe_load

from onrecord.ingest.sounds import without_sounds
from onrecord.types import Passage, without_accents

if TYPE_CHECKING:
    from onrecord.types import Vectors

_TOKEN = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")
_ELIDED = re.compile("^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|quoiqu)['\u2019]")
BUCKETS = 1024
"""Most columns of a matrix of words or speakers. Two of them in one column do little harm in a mean."""

DATA = safe_load((Path(__file__).parents[2] / "data" / "sections.yaml").read_text(encoding="utf-8"))
COMMON = frozenset(f"{DATA['common_english']} {DATA['common_french']}".split())
"""Words that say little about a topic, English and French, without accents."""


@lru_cache(50_000)  # the same words recur often
def fold(word: str) -> str:
    """Fold case, accents and apostrophes of a word: "L\u2019Économie" becomes "l'economie"."""
    return without_accents(word.replace("\u2019", "'"))


@lru_cache(50_000)
def content_stem(word: str) -> str:
    """Return the stem of a word: economie for both "L'économie" and "économies", "" for a common word."""
    plain = fold(word)
    if plain in COMMON:
        return ""
    plain = _ELIDED.sub("", plain)
    plain = plain.partition("'")[0]
    if len(plain) < 3 or plain in COMMON or not plain[0].isalpha():
        return ""
    return plain[:-1] if len(plain) > 3 and plain.endswith("s") and not plain.endswith("ss") else plain


class Words:
    """The words of passages: `tokens` as spoken, and `counts` of their stems. Noted sounds are left out.

    `passages` counts the passages with each stem.
    """

    def __init__(self, passages: Sequence[Passage]) -> None:
        self.tokens = [_TOKEN.findall(without_sounds(passage.text)) for passage in passages]
        self.counts = [Counter(filter(None, map(content_stem, tokens))) for tokens in self.tokens]
        self.passages = Counter(word for counts in self.counts for word in counts)

    def __len__(self) -> int:
        return len(self.tokens)

    def rarity(self, word: str) -> float:
        """Return ln(n / number of the n passages with the word); 0 if no passage has it."""
        return log(len(self) / self.passages[word]) if word in self.passages else 0.0

    def matrix(self) -> Vectors:
        """Return hashed unit vectors of the words that occur in several passages; shape (n, 1024).

        The weight of a word is (1 + ln count) * rarity.
        """
        rows = np.zeros((len(self), BUCKETS), np.float32)
        weights = {
            w: (crc32(w.encode()) % BUCKETS, self.rarity(w)) for w, n in self.passages.items() if n > 1
        }
        for row, counts in zip(rows, self.counts, strict=True):
            for word, count in counts.items():
                if word in weights:
                    bucket, rarity = weights[word]
                    row[bucket] += (1 + log(count)) * rarity
        return unit_rows(rows)


def unit_rows(rows: Vectors) -> Vectors:
    """Scale rows to unit length; rows of zeros stay zero."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(lengths > 0, lengths, 1), np.float32)


# ---------------------------------------------------------------- phrases of a change of topic

_OPENERS = frozenset(
    "okay ok kay right alright all now so well um uh yeah good great bon alors donc bien voila euh".split()
)


def _by_first() -> dict[str, list[tuple[tuple[str, ...], int]]]:
    phrases_by_word: defaultdict[str, list[tuple[tuple[str, ...], int]]] = defaultdict(list)
    for group, phrases in enumerate(DATA["cues"]):
        for phrase in phrases.split("|"):
            first, *rest = phrase.split()
            phrases_by_word[first].append((tuple(rest), group))
    return dict(phrases_by_word)


_PHRASES = _by_first()


def count_cues(tokens: Sequence[str]) -> int:
    """Count the different groups of phrases in these words that announce a new topic."""
    words = [fold(word) for word in tokens]
    groups: set[int] = set()
    for at, word in enumerate(words):
        for rest, group in _PHRASES.get(word, ()):
            if tuple(words[at + 1 : at + 1 + len(rest)]) == rest:
                groups.add(group)
    return len(groups)


def is_opener(tokens: Sequence[str]) -> bool:
    """Check whether words begin like a new topic: "Okay. So ..."."""
    return len(tokens) > 1 and fold(tokens[0]) in _OPENERS and fold(tokens[1]) in _OPENERS
