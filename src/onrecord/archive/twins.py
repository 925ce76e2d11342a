"""Twins: two files with the same words, such as captions and text of one episode."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from zlib import crc32

from onrecord.ingest.formats.clock import longest_rising
from onrecord.types import Transcript, Turn

MIN_WORDS = 30
"""Shorter recordings can be equal by chance ("This meeting is being recorded")."""
FEW_WORDS = 80
"""Twins with fewer words have the very same, but for how figures are written and a title: in two notes of one
form a single word may be all that differs."""
RUN_WORDS = 4
"""Words of a run. Two transcripts of one talk share many runs, two talks by the same people few."""
MIN_SHARE = 0.5
"""Twins have at least this share of the smaller one's runs in common."""
MAX_RATIO = 1.6
"""A twin is at most this much longer than the other; an excerpt is a recording of its own."""
MAX_EXTRA = 0.1
"""At most this share of a twin's words, such as "um" and a title, may have nothing in their place."""
MAX_GAP = 100
"""Two stretches of more words than this without a run in common are different talk."""
MIN_LIKENESS = 0.8
"""Words more alike than this may be one word that two people spell; "Tuesday" and "Thursday" are less."""

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


def may_be_twins(one: Fingerprint, other: Fingerprint) -> bool:
    """Return whether two recordings share enough runs to be compared word by word."""
    smaller, larger = sorted((len(one), len(other)))
    if not smaller or larger > MAX_RATIO * smaller:
        return False
    return len(one & other) >= MIN_SHARE * smaller


@dataclass(frozen=True, slots=True)
class _Difference:
    """Words of the recording that is kept, and the other's in their place; `inner`: within the talk."""

    kept: Sequence[str]
    left: Sequence[str]
    inner: bool


def holds_all(kept: Sequence[str], left: Sequence[str]) -> bool:
    """Return whether the recording that is kept says all that the one to be left out says, in its order.

    Editions of a form share most words, but each has figures, names or words of its own in the same places.
    Transcribers of one talk only spell a word in another way, or leave one out; the one that is kept may also
    have more before the talk and behind it, such as a title.
    """
    extra_kept = extra_left = 0
    exact = min(len(kept), len(left)) < FEW_WORDS
    for difference in _differences(kept, left):
        if _contradicts(difference, exact):
            return False
        extra_kept += max(0, len(difference.kept) - len(difference.left))
        extra_left += max(0, len(difference.left) - len(difference.kept))
    return extra_kept <= MAX_EXTRA * len(kept) and extra_left <= MAX_EXTRA * len(left)


def _differences(kept: Sequence[str], left: Sequence[str]) -> Iterator[_Difference]:
    """Yield what differs between the runs of words that both recordings have once, in the same order."""
    places, others = _single_runs(kept), _single_runs(left)
    both = [(at, others[run]) for run, at in places.items() if run in others]
    in_order = [both[index] for index in longest_rising([beside for _, beside in both])]
    end = (len(kept), len(left))
    at = beside = 0
    for next_at, next_beside in [*in_order, end]:
        if next_at >= at and next_beside >= beside:
            inner = at > 0 and (next_at, next_beside) != end
            yield from _differences_within(kept[at:next_at], left[beside:next_beside], inner)
        elif next_at - at != next_beside - beside:  # it overlaps the run before in one recording alone
            continue
        at, beside = next_at + RUN_WORDS, next_beside + RUN_WORDS


def _single_runs(words: Sequence[str]) -> dict[tuple[str, ...], int]:
    """Return the place of each run of words that occurs once."""
    runs = list(zip(*(words[at:] for at in range(RUN_WORDS)), strict=False))
    counts = Counter(runs)
    return {run: at for at, run in enumerate(runs) if counts[run] == 1}


def _differences_within(kept: Sequence[str], left: Sequence[str], inner: bool) -> Iterator[_Difference]:
    """Yield the differences of two stretches; long ones are a single difference, so that none takes long."""
    if kept == left:
        return
    if max(len(kept), len(left)) > MAX_GAP:
        yield _Difference(kept, left, inner)
        return
    for kind, a, b, c, d in SequenceMatcher(None, kept, left, autojunk=False).get_opcodes():
        if kind != "equal":
            yield _Difference(kept[a:b], left[c:d], inner)


def _contradicts(difference: _Difference, exact: bool) -> bool:
    """Return whether two recordings say different things in one place, or only the one left out says any.

    "One" may be no figure, and then has no other spelling: it is read both ways.
    """
    if not difference.left and not difference.inner:
        return False
    if len(difference.left) - len(difference.kept) >= RUN_WORDS:  # they would be lost
        return True
    return not any(_mean_the_same(difference, exact, weak) for weak in (False, True))


def _mean_the_same(difference: _Difference, exact: bool, weak: bool) -> bool:
    """Return whether two stretches have the same figures and denials, and words that may be the same.

    Args:
        exact: whether the words must be the very same.
        weak: whether words such as "one" and "first" are figures.
    """
    kept, left = _Meaning.of(difference.kept, weak), _Meaning.of(difference.left, weak)
    if kept.figures != left.figures or kept.denials != left.denials:
        return False
    if exact:
        return "".join(kept.words) == "".join(left.words)
    if not (kept.words and left.words):
        return True
    return (
        _are_alike("".join(kept.words), "".join(left.words))
        or _are_alike("".join(difference.kept), "".join(difference.left))  # a blank is missing: "efor"
    )


@dataclass(frozen=True, slots=True)
class _Meaning:
    """What a stretch of words tells: its figures, how often it denies, and its other words."""

    figures: Sequence[float]
    denials: int
    words: Sequence[str]

    @classmethod
    def of(cls, words: Sequence[str], weak: bool) -> _Meaning:
        """Read a stretch of words; `weak`: words that may count nothing are figures."""
        from onrecord.retrieve.diversity.same import denies  # only where two recordings may be twins
        from onrecord.retrieve.quantities import tokens

        read = tokens(" ".join(words[: MAX_GAP + 1]))
        figures = [t.quantity if weak or not (t.quantity and t.quantity.weak) else None for t in read]
        return cls(
            figures=[figure.value for figure in figures if figure],
            denials=sum(map(denies, read)),
            words=[token.text for token, figure in zip(read, figures, strict=True) if not figure],
        )


def _are_alike(one: str, other: str) -> bool:
    """Return whether two spellings may be of the same words."""
    if max(len(one), len(other)) > MAX_GAP:
        return False
    return SequenceMatcher(None, one, other, autojunk=False).ratio() > MIN_LIKENESS


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
