"""How concepts are used, which tells subjects from general words such as "thing" and "process".

A subject recurs where it is mentioned at all: in fewer recordings than chance would spread its passages over
(residual idf, Church and Gale, Inverse document frequency, 1995), and again in the same passage (Katz,
Distribution of content words and phrases, 1996). A general noun needs words in front of it to say what is
meant, so it ends many phrases: "hiring process" (Caraballo and Charniak, Determining the specificity of nouns
from text, 1999). A specific noun stands in front of others: "code review".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from math import expm1, log2

from onrecord.types.graph import PHRASE_KINDS, Entity, Mention

_PRIOR = 10
"""Passages with the average repetition that are added to those of each entity."""
_PHRASES = 2
"""Longer phrases that are added to those that begin, and to those that end in a word."""
_NAMED = 1.5
"""Factor of names, which are seldom general."""


class Usage:
    """Counts how some mentions, of a sample of passages, use each entity in an archive of `recordings`.

    `canonical` maps other names of entities to their keys.
    """

    def __init__(self, mentions: Iterable[Mention], canonical: Mapping[str, str], recordings: int) -> None:
        self._recordings = recordings
        spoken = [m for m in mentions if m.rule != "speaker" and m.begin >= 0]
        keys = [canonical.get(m.entity, m.entity) for m in spoken]
        self._mentions = Counter(keys)
        places = {(key, m.recording, m.position) for key, m in zip(keys, spoken, strict=True)}
        self._passages = Counter(key for key, _, _ in places)
        phrases = [m.entity.split() for m in spoken if " " in m.entity]
        self._behind = Counter(words[-1] for words in phrases)
        self._before = Counter(word for words in phrases for word in words[:-1])
        again = self._mentions.total() - self._passages.total()
        self._average = (again + 1) / (self._passages.total() + 1)

    def prominence(self, entity: Entity) -> float:
        """Return in how many recordings an entity is a subject: their number, weighted by its use."""
        named = 1.0 if entity.kind in PHRASE_KINDS else _NAMED
        burstiness = (1 + self._residual_idf(entity)) * self._repetition(entity.key)
        return entity.recordings * burstiness * self._modifying(entity.key) * named

    def _residual_idf(self, entity: Entity) -> float:
        """Return the logarithm of how many times as many recordings would mention an entity by chance."""
        by_chance = -expm1(-entity.passages / self._recordings) * self._recordings
        return max(0.0, log2(by_chance / entity.recordings))

    def _repetition(self, key: str) -> float:
        """Return how often an entity is mentioned again in a passage that mentions it."""
        again = self._mentions[key] - self._passages[key]
        return (again + _PRIOR * self._average) / (self._passages[key] + _PRIOR)

    def _modifying(self, key: str) -> float:
        """Return the share of the longer phrases with a word in which it is not the last word."""
        before, behind = self._before[key], self._behind[key]
        return (before + _PHRASES) / (before + behind + 2 * _PHRASES)
