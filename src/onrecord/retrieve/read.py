"""A stage that reads the best passages together with the question, and ranks them by whether they answer it.

The search finds passages about the same subject; a trained reader recognizes an answer (Nogueira and Cho,
Passage Re-ranking with BERT, 2019). Every span of about a hundred words gets the log-odds that one of its
sentences holds the answer, against the odds that none does (shared normalization: Clark and Gardner, Simple
and Effective Multi-Paragraph Reading Comprehension, 2018).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from math import inf, log
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from onrecord.errors import ModelError
from onrecord.models.base import Reader, Reading
from onrecord.retrieve.curve.curves import convex
from onrecord.retrieve.curve.entries import has_entries
from onrecord.retrieve.curve.layout import layout_of
from onrecord.retrieve.sentences import Sentence, sentences
from onrecord.retrieve.stage import Stage, Tools, Watch, remarked
from onrecord.stores.base import Snapshot
from onrecord.stores.ranking import top
from onrecord.types import Curve, Evidence, Moment, Passage

if TYPE_CHECKING:
    from onrecord.types import Scores

LONGEST, CONTEXT = 130, 35
"""Most words of a span that is read in one call, and of the context before it.

The context shows what the span replies to. Together they are what a reader of 232 tokens can take beside a
question.
"""


_LEAST, _MOST = 1e-9, 30.0
"""Smallest curve score, and largest absolute log-odds, used in calculations."""
_FAR = 0.25
"""Limit, in natural logarithms, on how far below the best span another counts when quotes are chosen."""
SHARPNESS, TRUST = 0.6, 6.3
"""Coefficients of the log-odds that a sentence holds the answer.

The log-odds are `SHARPNESS` * the reader's log-odds + `TRUST` * ln(the span's score on the curve / the best
score). Fitted by `benchmarks/answering.py --fit` on recordings that the reader was not trained on.
"""
_TRUST_IN_PROBABILITY = 80.0
"""Weight of the curve, in place of `TRUST`, in the probability that becomes a span's score."""
_ENOUGH = 4.0
"""Log-odds of a span that holds the answer, from which on no further span is read."""
_FIRST_ENTRIES = 1
"""Spans moved to the front when entries are searched.

An answer then takes several entries, one step from each, and the curve already ranks these steps.
"""
_DENSE = 0.6
"""Weight of semantic similarity when passages are chosen by their own scores; the rest goes to words."""


@dataclass(frozen=True)
class Read(Stage):
    """A stage that reads spans of the moments with the question, and moves likely answers to the front.

    Spans have at most `LONGEST` words. The best `most` of them are read, and the `first` spans that most
    likely hold the answer move to the front. The others keep the order of the moments: a question about a
    long discussion is answered by all of it, not by one sentence.

    Candidates are the spans of the moments and, if `own` is above 0, single passages beside them. They are
    read in the order of their score on the curve plus `own` times the passage's own score, before scores flow
    to its neighbors. At most `words` words remain; spans that were not read are dropped first. Scores become
    probabilities. The stage reads `batch` spans at a time. It stops when a span almost certainly holds the
    answer, or when the next batch would not fit into `milliseconds` (None: the tools' limit); the trace then
    says how many it read. Without a reader, or if the reader fails, the moments keep their order, up to
    `words`, and the trace says so.
    """

    most: int = 16
    own: float = 0.3
    first: int = 2
    words: int = 2000
    batch: int = 4
    milliseconds: float | None = None
    ranges: ClassVar = {
        "most": (1, inf),
        "own": (0, inf),
        "first": (0, inf),
        "words": (1, inf),
        "batch": (1, inf),
        "milliseconds": (0, inf),
    }

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        if tools.reader is None or not evidence.moments:
            return evidence.with_moments(first_words(evidence.moments, self.words))
        flowing = list(cut(evidence))
        stretches = _by_promise(evidence, flowing, self.own, self.most, tools.store)
        promising = stretches[: self.most]
        try:
            readings, in_time = self._read(evidence.question.text, promising, tools.reader, tools)
        except ModelError as error:
            left = evidence.with_moments(first_words(evidence.moments, self.words))
            return remarked(left, "Read", f"left as it was: {error}", cut=True)
        ranked = evidence.with_moments(self._ranked(evidence, flowing, stretches, readings, tools))
        if in_time:
            return ranked
        note = f"the time was over after {len(readings)} of {len(promising)}"
        return remarked(ranked, "Read", note, cut=True)

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        if tools.reader is None:
            return "skipped: there is no reader (setting reader.model)"
        read = sum("read" in moment.scores for moment in after.moments)
        return f"{read} of these {len(after.moments)} were read"

    def _ranked(
        self,
        evidence: Evidence,
        flowing: Sequence[Moment],
        stretches: Sequence[Moment],
        readings: Sequence[Reading],
        tools: Tools,
    ) -> tuple[Moment, ...]:
        """Return the likeliest spans, then the others of `flowing`, then others that were read."""
        scored = _scored(stretches, readings)
        likeliest = np.argsort(
            np.negative(_odds(stretches, readings, trust_in(evidence.curve, tools.store))), kind="stable"
        )
        first = min(self.first, _FIRST_ENTRIES) if has_entries(evidence.curve, tools.store) else self.first
        front = [scored[at] for at in likeliest[:first].tolist()]
        by_row = {moment.passages[0].row: moment for moment in scored}
        rest = [by_row.pop(moment.passages[0].row) for moment in flowing]
        rest += [moment for moment in by_row.values() if "read" in moment.scores]
        order = (*front, *(moment for moment in rest if moment not in front))
        return first_words(_make_room(order, self.words), self.words)

    def _read(
        self, question: str, stretches: Sequence[Moment], reader: Reader, tools: Tools
    ) -> tuple[list[Reading], bool]:
        """Return the readings of the first spans, and whether time sufficed for all that are needed.

        One batch is read in any case. No more are needed once a span almost certainly holds the answer.
        """
        limit = self.milliseconds if self.milliseconds is not None else tools.reader_milliseconds
        watch, now = Watch(tools), 0.0
        readings: list[Reading] = []
        for at in range(0, len(stretches), self.batch):
            some = stretches[at : at + self.batch]
            readings += [read.own for read in read_in_context(question, some, reader, tools.store)]
            if max(_odds(stretches, readings, TRUST, inf)) >= _ENOUGH:
                break
            last, now = now, watch.milliseconds
            if now + (now - last) > limit:
                return readings, len(readings) == len(stretches)
        return readings, True


def _odds(
    stretches: Sequence[Moment], readings: Sequence[Reading], trust: float, far: float = _FAR
) -> list[float]:
    """Return the log-odds that each span that was read holds the answer (arguments: see `prior`)."""
    best = max(moment.score for moment in stretches)
    read = zip(stretches, readings, strict=False)
    return [holding(reading, prior(moment, best, trust, far)) for moment, reading in read]


def _scored(stretches: Sequence[Moment], readings: Sequence[Reading]) -> list[Moment]:
    """Return the spans with probabilities as scores.

    A span that was not read is scored as if it had the worst reading of all.
    """
    best = max(moment.score for moment in stretches)
    odds = _odds(stretches, readings, _TRUST_IN_PROBABILITY, inf)
    worst = min((holding(reading, 0.0) for reading in readings), default=0.0)
    odds += [worst + prior(moment, best, _TRUST_IN_PROBABILITY, inf) for moment in stretches[len(readings) :]]
    return [
        replace(
            moment,
            score=float(1 / (1 + np.exp(-max(value, -_MOST)))),
            scores={**moment.scores, "read": value} if at < len(readings) else moment.scores,
        )
        for at, (moment, value) in enumerate(zip(stretches, odds, strict=True))
    ]


def trust_in(curve: Curve | None, store: Snapshot) -> float:
    """Return the weight of the curve's score in the log-odds.

    It is `TRUST`, or less for short recordings of talk, in which scores spread little over time and the
    scores of neighbors differ more.
    """
    if curve is None or has_entries(curve, store):
        return TRUST
    return TRUST * layout_of(curve.timeline).fullness


def prior(moment: Moment, best: float, trust: float, far: float = _FAR) -> float:
    """Return the log-odds of a span before reading.

    They are `trust` times the logarithm of its score relative to the best one on the curve. This logarithm is
    at least -`far`: a small archive has few recordings, and the best of them scores far above the rest.
    """
    return trust * max(log(max(moment.score, _LEAST) / max(best, _LEAST)), -far)


def holding(reading: Reading, before: float) -> float:
    """Return the log-odds that some sentence of a span holds the answer.

    They are the logarithm of the sum of the sentences' odds.
    """
    return float(np.logaddexp.reduce(SHARPNESS * reading.core + before)) if len(reading.core) else -_MOST


def _by_promise(
    evidence: Evidence, flowing: Sequence[Moment], own: float, most: int, store: Snapshot
) -> list[Moment]:
    """Return the spans of the moments and the `most` best passages beside them, most promising first."""
    curve = evidence.curve
    if curve is None or not own:
        return sorted(flowing, key=lambda moment: -moment.score)
    weighed = ((_DENSE, "dense"), (1 - _DENSE, "lexical"))
    signals = [(own * weight, curve.parts[name]) for weight, name in weighed if name in curve.parts]
    promise = convex([*signals, (0.0, curve.score)]) + curve.score
    rows, there = curve.timeline.rows, {passage.row for moment in flowing for passage in moment.passages}
    best = [at for at in top(promise, most + len(there)).tolist() if int(rows[at]) not in there][:most]
    stretches = list(flowing)
    for at, passage in zip(best, store.passages(rows[best]), strict=True):
        scores = {name: float(part[at]) for name, part in curve.parts.items()}
        stretches.append(Moment((passage,), float(curve.score[at]), scores))
    promised = _at_rows(promise, curve, stretches)
    return sorted(stretches, key=lambda moment: -max(promised.get(p.row, 0.0) for p in moment.passages))


def _make_room(moments: Sequence[Moment], words: int) -> list[Moment]:
    """Drop the moments that were not read and do not fit into `words` beside those that were."""
    room = words - sum(moment.words for moment in moments if "read" in moment.scores)
    fitting = []
    for moment in moments:
        if "read" not in moment.scores:
            room -= moment.words
            if room < 0:
                continue
        fitting.append(moment)
    return fitting


@dataclass(frozen=True, slots=True)
class ReadStretch:
    """A span with its context and its reading.

    `sentences` are those of the context and the span, in order; the first `before` of them are context.
    `reading` covers all of them.
    """

    sentences: Sequence[Sentence]
    before: int
    reading: Reading

    @property
    def own(self) -> Reading:
        """The reading of the span's sentences, without those of the context."""
        core, relevant = self.reading.core[self.before :], self.reading.relevant[self.before :]
        return Reading(core, relevant)


def read_in_context(
    question: str, stretches: Sequence[Moment], reader: Reader, store: Snapshot
) -> list[ReadStretch]:
    """Read each span together with the sentences before it, which show what it replies to."""
    before = [said_before(stretch.passages[0], store) for stretch in stretches]
    spoken = [list(lead) for lead in before]
    for sentences_read, stretch in zip(spoken, stretches, strict=True):
        for passage in stretch.passages:
            sentences_read += sentences_of(passage, store)
    readings = reader.read(question, [rendered(sentences) for sentences in spoken])
    return [
        ReadStretch(sentences, len(lead), reading)
        for sentences, lead, reading in zip(spoken, before, readings, strict=True)
    ]


def said_before(first: Passage, store: Snapshot) -> list[Sentence]:
    """Return the last sentences of the preceding passage, at most `CONTEXT` words."""
    if not first.position:
        return []
    lead: list[Sentence] = []
    for previous in store.transcript(first.recording, first.position - 1, first.position - 1):
        for sentence in reversed(sentences_of(previous, store)):
            if sum([one.words for one in lead]) + sentence.words > CONTEXT:
                break
            lead.insert(0, sentence)
    return lead


def sentences_of(passage: Passage, store: Snapshot) -> list[Sentence]:
    """Return the sentences of a passage, split by the rules of its language."""
    recording = store.recording(passage.recording)
    return sentences(passage, recording.details.language if recording else None)


def rendered(spoken: Sequence[Sentence]) -> list[str]:
    """Return sentences as input for a reader, with the name of each new speaker in front."""
    texts, last = [], None
    for sentence in spoken:
        new = sentence.speaker and sentence.speaker != last
        texts.append(sentence.spoken if new else sentence.text)
        last = sentence.speaker
    return texts


def cut(evidence: Evidence) -> Iterator[Moment]:
    """Yield the moments split into spans of at most `LONGEST` words, or of one longer passage.

    Each span is scored by the best of its passages on the curve, or by its moment's score if the passage is
    not on the curve.
    """
    curve = evidence.curve
    on_curve = {} if curve is None else _at_rows(curve.score, curve, evidence.moments)
    for moment in evidence.moments:
        scores = [on_curve.get(passage.row, moment.score) for passage in moment.passages]
        for first, last in _borders([len(passage.text.split()) for passage in moment.passages]):
            part = scores[first:last]
            peak = part.index(max(part))
            yield replace(moment, passages=moment.passages[first:last], score=part[peak], peak=peak)


def _at_rows(scores: Scores, curve: Curve, moments: Sequence[Moment]) -> dict[int, float]:
    """Return the scores of the moments' passages by row.

    `scores` has one value for each passage of the curve.
    """
    wanted = [passage.row for moment in moments for passage in moment.passages]
    here = np.flatnonzero(np.isin(curve.timeline.rows, wanted))
    return dict(zip(curve.timeline.rows[here].tolist(), scores[here].tolist(), strict=True))


def _borders(words: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each span, given the word count of each passage."""
    first = total = 0
    for at, count in enumerate(words):
        if at > first and total + count > LONGEST:
            yield first, at
            first, total = at, 0
        total += count
    yield first, len(words)


def first_words(moments: Iterable[Moment], words: int) -> tuple[Moment, ...]:
    """Return the first moments, of at most `words` words together.

    The last of them is cut after a passage. The first passage is included whatever its length.
    """
    fitting: list[Moment] = []
    room = words
    for moment in moments:
        sizes = list(accumulate([len(p.text.split()) for p in moment.passages]))
        count = bisect_right(sizes, room)
        if not count and fitting:
            break
        count = max(count, 1)
        fitting.append(replace(moment, passages=moment.passages[:count], peak=min(moment.peak, count - 1)))
        room -= sizes[-1]
    return tuple(fitting)
