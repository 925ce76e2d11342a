"""Twins: two files with the same words, such as captions and text of one episode."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from zlib import crc32

from onrecord.types import Transcript, Turn

MIN_WORDS = 80
"""Shorter recordings can be equal by chance ("This meeting is being recorded")."""
RUN_WORDS = 4
"""Words of a run. Two transcripts of one talk share many runs, two talks by the same people few."""
MIN_SHARE = 0.5
"""Twins have at least this share of the smaller one's runs in common."""
MAX_RATIO = 1.6
"""A twin is at most this much longer than the other; an excerpt is a recording of its own."""

_WORD = re.compile(r"[^\W_]+")

Fingerprint = frozenset[int]
"""The runs of words of a recording, as checksums."""


def words_in(texts: Iterable[str]) -> list[str]:
    """Return the words of texts, case-folded and without punctuation."""
    return [word for text in texts for word in _WORD.findall(text.casefold())]


def fingerprint(words: Sequence[str]) -> Fingerprint:
    """Return the fingerprint of a recording; empty if it is too short to compare."""
    if len(words) < MIN_WORDS:
        return frozenset()
    runs = zip(*(words[at:] for at in range(RUN_WORDS)), strict=False)
    return frozenset(crc32(" ".join(run).encode()) for run in runs)


def are_twins(one: Fingerprint, other: Fingerprint) -> bool:
    """Return whether two recordings have the same words, except where transcribers differ."""
    smaller, larger = sorted((len(one), len(other)))
    if not smaller or larger > MAX_RATIO * smaller:
        return False
    return len(one & other) >= MIN_SHARE * smaller


def rare_words(words: Sequence[str], most: int) -> list[str]:
    """Return words to look a recording up by: those said least often, the longest first."""
    counts = Counter(words)
    return sorted(counts, key=lambda word: (counts[word], -len(word), word))[:most]


def richness(turns: Sequence[Turn]) -> tuple[float, float, float]:
    """Rate how much is known of who says what when, to compare transcripts of one talk.

    Returns whether words have names and times (0 to 2), whether they have times, and marks a character.
    """
    total = sum(len(turn.text) for turn in turns) or 1
    timed = sum(len(turn.text) for turn in turns if turn.start is not None) / total
    named = sum(len(turn.text) for turn in turns if turn.speaker) / total
    marks = sum(len(turn.marks) for turn in turns) / total
    return round(timed) + round(named), round(timed), round(marks, 2)


def is_richer(transcript: Transcript, turns: Sequence[Turn]) -> bool:
    """Return whether a transcript says more of who speaks when than these turns of the same talk."""
    return richness(transcript.turns) > richness(turns)
