"""Twins: two files with the same words, such as captions and text of one episode."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from zlib import crc32

from onrecord.ingest.export import transcript_of
from onrecord.ingest.formats.clock import longest_rising
from onrecord.stores import Store
from onrecord.stores.words import terms
from onrecord.types import Recording, Transcript, Turn

RARE, MOST_HOLDING, MOST_TWINS = 12, 20, 3
"""Limits of the search for a twin: rare words to look up, passages of each word, and recordings to
compare."""
MIN_WORDS = 30
"""Shorter recordings can be equal by chance ("This meeting is being recorded")."""
FEW_WORDS = 80
"""The word count below which twins must have the same words, apart from how figures are written and a title.

In two notes of one form, a single word may be the only difference.
"""
RUN_WORDS = 4
"""The words of a run. Two transcripts of one talk share many runs; two talks by the same people share few."""
MIN_SHARE = 0.5
"""The least share of the smaller recording's runs that twins have in common."""
MAX_RATIO = 1.6
"""The largest ratio of the lengths of twins. An excerpt is a recording of its own."""
MAX_EXTRA = 0.1
"""The largest share of a twin's words without a counterpart, such as "um" and a title."""
LONG_WORDS = 1000
"""The word count from which twins may contradict each other in a few places, as transcribers mishear words.

In a shorter talk, one figure or one name may be what tells two editions of a form apart.
"""
MAX_UNLIKE = 0.012
"""The largest share of a long twin's words in stretches with another meaning."""
MAX_FACTS = 0.0008
"""The largest number of stretches with another figure, denial or name, per word of a long twin."""
MAX_LOST = 0.02
"""The largest share of a long twin's words that only the other has before and after the talk."""
MAX_STRETCH = 20
"""The most words of one stretch with another meaning. More of them are another answer or an advertisement."""
MAX_GAP = 100
"""The most words between common runs. Longer stretches without one are different talk."""
MIN_LIKENESS = 0.8
"""The least similarity of two spellings of one word. "Tuesday" and "Thursday" are less similar."""
MAY_SOUND_ALIKE = 0.4
"""The least similarity of words of which one may be misheard as the other ("ingress", "English")."""

WORD = re.compile(r"[^\W_]+")

Fingerprint = frozenset[int]
"""The runs of words of a recording, as checksums."""


@dataclass(frozen=True, slots=True)
class Twin:
    """A stored recording with the same words as a new one, and its transcript.

    `poorer` is true if the stored recording says less about who speaks when.
    """

    recording: Recording
    transcript: Transcript
    poorer: bool


def find_twin(store: Store, recording: Recording, transcript: Transcript) -> Twin | None:
    """Return a stored recording of another source with the same words; None without one.

    The richer of the two recordings has all words of the other.
    """
    words = words_in(turn.text for turn in transcript.turns)
    runs = fingerprint(words)
    if not runs:
        return None
    hits: Counter[str] = Counter()
    with store.snapshot() as snapshot:
        for term in terms(" ".join(rare_words(words, RARE))):
            hits.update({p.recording for p in snapshot.passages(snapshot.holding(term, MOST_HOLDING))})
        for name, count in hits.most_common(MOST_TWINS):
            other = snapshot.recording(name)
            if count < 2 or other is None or other.source == recording.source:
                continue
            passages = snapshot.transcript(name)
            said = words_in(passage.text for passage in passages)
            if not may_be_twins(runs, fingerprint(said)):
                continue
            stored = transcript_of(other, snapshot.sections(name), passages)
            poorer = is_richer(transcript, stored.turns)
            if holds_all(*((words, said) if poorer else (said, words))):
                return Twin(other, stored, poorer)
    return None


def words_in(texts: Iterable[str]) -> list[str]:
    """Return the words of texts, case-folded and without punctuation."""
    return [word for text in texts for word in WORD.findall(text.casefold())]


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
    """Words of the richer recording, which stays, and the poorer one's words in their place.

    `inner` is true within the talk, false before and after it.
    """

    richer: Sequence[str]
    poorer: Sequence[str]
    inner: bool


def holds_all(richer: Sequence[str], poorer: Sequence[str]) -> bool:
    """Return whether the richer recording has the words of the poorer one, in the same order.

    Editions of a form share most words, but each has figures, names or words of its own in the same places.
    Transcribers of one talk spell a word differently, omit one, or mishear a few in a thousand. The richer
    recording may also have more words before and after the talk, such as a title.
    """
    few = min(len(richer), len(poorer))
    contradictions = _Contradictions(frozenset(richer), frozenset(poorer))
    extra_richer = extra_poorer = 0
    for difference in _differences(richer, poorer):
        contradictions.add(difference, few < FEW_WORDS)
        if contradictions.exceed_limits(few):
            return False
        extra_richer += max(0, len(difference.richer) - len(difference.poorer))
        extra_poorer += max(0, len(difference.poorer) - len(difference.richer))
    return extra_richer <= MAX_EXTRA * len(richer) and extra_poorer <= MAX_EXTRA * len(poorer)


@dataclass(slots=True)
class _Contradictions:
    """What two recordings say differently, so far.

    `in_richer` and `in_poorer` are the words that each says anywhere. `words` counts the words of the
    stretches with another meaning, and `longest` those of the longest one. `facts` counts the stretches with
    other figures, denials or names. `lost` counts the words that only the poorer recording has before and
    after the talk.
    """

    in_richer: frozenset[str]
    in_poorer: frozenset[str]
    words: int = 0
    longest: int = 0
    facts: int = 0
    lost: int = 0

    def add(self, difference: _Difference, exact: bool) -> None:
        """Count a difference; with `exact`, any other word has another meaning."""
        lost = len(difference.poorer) - len(difference.richer)
        if not difference.inner:
            if not difference.poorer:
                return
            self.lost += lost if lost >= RUN_WORDS else 0
            if lost >= RUN_WORDS and not difference.richer:
                return
        if (difference.inner and lost >= RUN_WORDS) or not _mean_the_same(difference, exact):
            length = max(len(difference.richer), len(difference.poorer))
            self.words += length
            self.longest = max(self.longest, length)
            self.facts += not _have_same_facts(difference) or self._has_own_words(difference)

    def _has_own_words(self, difference: _Difference) -> bool:
        """Return whether each recording has a word in this place that the other one never says.

        Such words are what is named in one edition only (May, June). Misheard words sound alike, and most are
        common words.
        """
        richer = "".join(word for word in difference.richer if word not in self.in_poorer)
        poorer = "".join(word for word in difference.poorer if word not in self.in_richer)
        return bool(richer and poorer) and not _are_alike(richer, poorer, MAY_SOUND_ALIKE)

    def exceed_limits(self, few: int) -> bool:
        """Return whether two recordings, the shorter one of `few` words, are too different for twins."""
        if few < LONG_WORDS:
            return bool(self.words or self.lost)
        return (
            self.words > MAX_UNLIKE * few
            or self.facts > MAX_FACTS * few
            or self.lost > MAX_LOST * few
            or self.longest > MAX_STRETCH
        )


def _differences(richer: Sequence[str], poorer: Sequence[str]) -> Iterator[_Difference]:
    """Yield the differences between the runs that both recordings have once, in the same order."""
    end = (len(richer), len(poorer))
    for a, b, c, d in _gaps(richer, poorer):
        yield from _differences_within(richer[a:b], poorer[c:d], inner=a > 0 and (b, d) != end)


def _gaps(richer: Sequence[str], poorer: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
    """Yield the stretches between the runs that both have once, in the same order.

    They are words a..b of the richer and c..d of the poorer recording. The last stretch ends with both.
    """
    places, others = _single_runs(richer), _single_runs(poorer)
    both = [(at, others[run]) for run, at in places.items() if run in others]
    in_order = [both[index] for index in longest_rising([beside for _, beside in both])]
    at = beside = 0
    for next_at, next_beside in [*in_order, (len(richer), len(poorer))]:
        if next_at >= at and next_beside >= beside:
            yield at, next_at, beside, next_beside
        elif next_at - at != next_beside - beside:  # the run overlaps the previous one in one recording only
            continue
        at, beside = next_at + RUN_WORDS, next_beside + RUN_WORDS


def counterparts(words: Sequence[str], others: Sequence[str]) -> list[int | None]:
    """Return, for each word of a recording, the place of the same word in its twin; None without one."""
    places: list[int | None] = [None] * len(words)
    at = beside = 0
    for a, b, c, d in _gaps(words, others):
        places[at:a] = range(beside, c)
        if max(b - a, d - c) <= MAX_GAP:
            matcher = SequenceMatcher(None, words[a:b], others[c:d], autojunk=False)
            for i, j, size in matcher.get_matching_blocks():
                places[a + i : a + i + size] = range(c + j, c + j + size)
        at, beside = b, d
    return places


def _single_runs(words: Sequence[str]) -> dict[tuple[str, ...], int]:
    """Return the place of each run of words that occurs once."""
    runs = list(zip(*(words[at:] for at in range(RUN_WORDS)), strict=False))
    counts = Counter(runs)
    return {run: at for at, run in enumerate(runs) if counts[run] == 1}


def _differences_within(richer: Sequence[str], poorer: Sequence[str], inner: bool) -> Iterator[_Difference]:
    """Yield the differences of two stretches. Long stretches form a single difference, to limit the time."""
    if richer == poorer:
        return
    if max(len(richer), len(poorer)) > MAX_GAP:
        yield _Difference(richer, poorer, inner)
        return
    for kind, a, b, c, d in SequenceMatcher(None, richer, poorer, autojunk=False).get_opcodes():
        if kind != "equal":
            yield _Difference(richer[a:b], poorer[c:d], inner)


def _mean_the_same(difference: _Difference, exact: bool) -> bool:
    """Return whether two stretches have the same figures and denials, and words that may be the same.

    "One" may be no figure, and then has no other spelling, so it is read both ways. With `exact`, the words
    must be identical.
    """
    return any(
        _same_facts(richer, poorer) and _have_like_words(difference, richer, poorer, exact)
        for richer, poorer in _readings(difference)
    )


def _have_same_facts(difference: _Difference) -> bool:
    """Return whether two stretches have the same figures and denials, whatever their other words."""
    return any(_same_facts(richer, poorer) for richer, poorer in _readings(difference))


def _readings(difference: _Difference) -> Iterator[tuple[_StretchContent, _StretchContent]]:
    """Yield the meanings of two stretches: "one" and "first" are no figures, then figures."""
    for weak in (False, True):
        yield _StretchContent.of(difference.richer, weak), _StretchContent.of(difference.poorer, weak)


def _same_facts(richer: _StretchContent, poorer: _StretchContent) -> bool:
    return richer.figures == poorer.figures and richer.denials == poorer.denials


def _have_like_words(
    difference: _Difference, richer: _StretchContent, poorer: _StretchContent, exact: bool
) -> bool:
    """Return whether the other words of two stretches may be the same."""
    if exact:
        return "".join(richer.words) == "".join(poorer.words)
    if not (richer.words and poorer.words):
        return True
    return (
        _are_alike("".join(richer.words), "".join(poorer.words))
        or _are_alike("".join(difference.richer), "".join(difference.poorer))  # a missing space: "efor"
    )


@dataclass(frozen=True, slots=True)
class _StretchContent:
    """The meaning of a stretch of words: its figures, the number of its denials, and its other words."""

    figures: Sequence[float]
    denials: int
    words: Sequence[str]

    @classmethod
    def of(cls, words: Sequence[str], weak: bool) -> _StretchContent:
        """Read a stretch of words. With `weak`, words that may count nothing are figures."""
        from onrecord.retrieve.diversity.same import denies  # imported late: only possible twins need it
        from onrecord.retrieve.quantities import tokens

        read = tokens(" ".join(words[: MAX_GAP + 1]))
        figures = [t.quantity if weak or not (t.quantity and t.quantity.weak) else None for t in read]
        return cls(
            figures=[figure.value for figure in figures if figure],
            denials=sum(map(denies, read)),
            words=[token.text for token, figure in zip(read, figures, strict=True) if not figure],
        )


def _are_alike(one: str, other: str, likeness: float = MIN_LIKENESS) -> bool:
    """Return whether two spellings may be of the same words."""
    if max(len(one), len(other)) > MAX_GAP:
        return False
    return SequenceMatcher(None, one, other, autojunk=False).ratio() > likeness


def rare_words(words: Sequence[str], most: int) -> list[str]:
    """Return the words to look a recording up by: the rarest first, and of equally rare ones the longest."""
    counts = Counter(words)
    return sorted(counts, key=lambda word: (counts[word], -len(word), word))[:most]


def richness(turns: Sequence[Turn]) -> tuple[float, float, float]:
    """Rate how much a transcript says about who speaks when, to compare transcripts of one talk.

    Return whether words have names and times (0 to 2), whether they have times, and the marks per character.
    """
    total = sum(len(turn.text) for turn in turns) or 1
    timed = sum(len(turn.text) for turn in turns if turn.start is not None) / total
    marks = sum(len(turn.marks) for turn in turns) / total
    return round(timed) + are_named(turns), round(timed), round(marks, 2)


def are_named(turns: Sequence[Turn]) -> bool:
    """Return whether most of the words have a speaker."""
    named = sum(len(turn.text) for turn in turns if turn.speaker)
    return 2 * named > sum(len(turn.text) for turn in turns)


def is_richer(transcript: Transcript, turns: Sequence[Turn]) -> bool:
    """Return whether a transcript says more about who speaks when than these turns of the same talk."""
    return richness(transcript.turns) > richness(turns)
