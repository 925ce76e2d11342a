"""The same words in two files: an episode as captions and as text is one recording, not two."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from zlib import crc32

from onrecord.types import Transcript, Turn

LEAST = 80
"""Words: shorter recordings may well say the same ("This meeting is being recorded")."""
RUN = 4
"""Words of a run: two accounts of one talk share many of them, two talks by the same people hardly any."""
SHARE = 0.5
"""The share of the smaller one's runs from which on two recordings are the same one."""
LONGER = 1.6
"""How many times as long as the other a twin may be; an excerpt is a recording of its own."""

_WORD = re.compile(r"[^\W_]+")

Print = frozenset[int]
"""The runs of words of a recording, as numbers."""


def words_in(texts: Iterable[str]) -> list[str]:
    """The words of texts without regard to case and punctuation."""
    return [word for text in texts for word in _WORD.findall(text.casefold())]


def print_of(words: Sequence[str]) -> Print:
    """The fingerprint of a recording; empty where it is too short to tell."""
    if len(words) < LEAST:
        return frozenset()
    runs = zip(*(words[at:] for at in range(RUN)), strict=False)
    return frozenset(crc32(" ".join(run).encode()) for run in runs)


def are_twins(some: Print, others: Print) -> bool:
    """Whether two recordings have the same words, but for what transcribers differ in."""
    smaller, larger = sorted((len(some), len(others)))
    if not smaller or larger > LONGER * smaller:
        return False
    return len(some & others) >= SHARE * smaller


def rare_words(words: Sequence[str], most: int) -> list[str]:
    """Words by which a recording is looked up among many: said once, and long."""
    counts = Counter(words)
    return sorted((word for word, count in counts.items() if count == 1), key=lambda w: (-len(w), w))[:most]


def richness(turns: Sequence[Turn]) -> tuple[float, float, float]:
    """How much is known of who says what when, to compare transcripts of one talk: whether words have names
    and times, whether they have times, how close the times stand."""
    total = sum(len(turn.text) for turn in turns) or 1
    timed = sum(len(turn.text) for turn in turns if turn.start is not None) / total
    named = sum(len(turn.text) for turn in turns if turn.speaker) / total
    marks = sum(len(turn.marks) for turn in turns) / total
    return round(timed) + round(named), round(timed), round(marks, 2)


def is_richer(transcript: Transcript, turns: Sequence[Turn]) -> bool:
    """Whether a transcript tells more than these turns of the same talk."""
    return richness(transcript.turns) > richness(turns)
