"""Scores answers against a person's description of a good answer.

A refusal is a verdict of "nothing_found" or "low_relevance". If an answerable question is refused, its answer
counts as one without entities, points and gold, even if nearby quotes were shown.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from onrecord.answer.verify import citation_fault
from onrecord.evaluate.places import Gold
from onrecord.evaluate.questions import EvalQuestion
from onrecord.evaluate.report import Measure
from onrecord.ingest.language import sentence_spans
from onrecord.models.base import Embedder
from onrecord.retrieve.wording import stem, stems
from onrecord.stores.base import Snapshot
from onrecord.stores.words import fold, terms
from onrecord.types import Answer

MEASURES = (
    Measure("right", "rightly answered or refused", "answered"),
    Measure("citation_accuracy", "citations that are gold", "answered"),
    Measure("hit", "answers with a gold citation", "answered"),
    Measure("entity_coverage", "entities named", "answered"),
    Measure("completeness", "points made, by words", "answered"),
    Measure("completeness_meaning", "points made, by meaning", "answered"),
    Measure("rejection", "unanswerable refused", "answered"),
    Measure("wrong_refusal", "answerable refused", "answered", higher=False),
    Measure("repeated", "answers that cite what was rejected", "answered", higher=False),
    Measure("unsupported", "sentences without support", "answered", higher=False),
    Measure("withheld", "sentences written and withheld", "answered", higher=False),
)

WORDS_SHARE = 0.75
"""Share of a point's words, 0..1, from which on an answer makes the point by words. All of its figures must
occur, too."""
WINDOWS = (6, 12)
"""Sizes, in words, of the windows of an answer that a point is compared with by meaning.

A point is made if its cosine to a window reaches the model's `calibration.sure`. On the built-in suite this
holds for 94 % of the points that an answer makes word for word, and for 3 % of the points of other questions.
Whole sentences are too long: 34 % at the same threshold.
"""

_MARK = re.compile(r"\[(?:Source )?(\d+)\]")
_MARKS_AFTER_STOP = re.compile(r"""([.!?…]["'”’»)]*)((?:\s*\[(?:Source )?\d+\])+)""")
"""Citation marks after the end of their sentence."""
_FIGURES = frozenset(
    stem(word)
    for word in terms(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
        "sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred "
        "thousand million billion half third quarter tenth un deux trois quatre cinq sept huit neuf dix onze "
        "douze treize quatorze quinze seize vingt trente quarante cinquante soixante cent mille milliard "
        "moitié tiers"
    )
)


@dataclass(frozen=True, slots=True)
class Examiner:
    """Scores answers. `store` is the archive's store. Without an `embedder`, nothing is scored by meaning."""

    store: Snapshot
    embedder: Embedder | None = None

    def measure(
        self, answer: Answer, question: EvalQuestion, gold: Gold, wrong: Gold | None = None
    ) -> dict[str, float]:
        """Return the value of every measure that applies to this question, by name."""
        refused = answer.refuses
        values = self._measure_support(answer)
        if wrong and wrong.places:
            values["repeated"] = float(not refused and any(map(wrong.holds, answer.citations)))
            if not (gold.places or question.entities or question.points):
                return values  # the labels do not show whether the question has an answer
        if question.unanswerable:
            return {"right": float(refused), "rejection": float(refused), **values}
        values["wrong_refusal"] = float(refused)
        if gold.places:
            shares = [] if refused else [gold.holds(c) for c in answer.citations]
            values["hit"] = values["right"] = float(any(shares))
            if shares:
                values["citation_accuracy"] = sum(shares) / len(shares)
        text = "" if refused else answer.text
        if question.entities:
            with_sources = "\n".join([text, *(c.source for c in answer.citations)]) if text else ""
            # an entity is named by any of its names, as whole words, in any case and with any accents
            words = f" {_bare(with_sources)} "
            named = [any(f" {_bare(name)} " in words for name in names) for names in question.entities]
            values["entity_coverage"] = _share(named)
        if question.points:
            values["completeness"] = _share([_makes_point(point, text) for point in question.points])
        if question.points and self.embedder:
            values["completeness_meaning"] = _share(_match_points(question.points, text, self.embedder))
        return values

    def _measure_support(self, answer: Answer) -> dict[str, float]:
        """Return the shares `unsupported` and `withheld`.

        `unsupported` is the share of the shown sentences, `withheld` the share of the sentences that a model
        wrote. A sentence is unsupported if it is marked as doubtful, cites a number without a citation, or
        cites a quote that is not in the transcript.
        """
        sentences = _sentences(answer.text)
        withheld = len(answer.unsupported) - answer.marked
        values = {"withheld": withheld / (withheld + len(sentences))} if answer.calls and sentences else {}
        if sentences:
            quoted = [(c, self.store.passages([p.row for p in c.passages])) for c in answer.citations]
            sound = {c.number for c, passages in quoted if citation_fault(c, passages) is None}
            wrong = [not sound.issuperset(map(int, _MARK.findall(sentence))) for sentence in sentences]
            values["unsupported"] = sum(wrong) / len(wrong)
        return values


def _bare(text: str) -> str:
    """Return the words without marks, case and accents, separated by single spaces."""
    return " ".join(re.findall(r"\w+", fold(_MARK.sub("", text))))


def _makes_point(point: tuple[str, ...], text: str) -> bool:
    """Return whether a text has enough words, and all figures, of one of a point's wordings."""
    spoken = stems(text)
    for expected in map(stems, point):
        figures = {word for word in expected if word in _FIGURES or word.isdecimal()}
        if expected and figures <= spoken and len(expected & spoken) >= WORDS_SHARE * len(expected):
            return True
    return False


def _sentences(text: str) -> list[str]:
    """Return the sentences of an answer's text, each with its marks before its full stop; [?] becomes [0]."""
    text = _MARKS_AFTER_STOP.sub(r"\2\1", text.replace("[?]", "[0]"))
    sentences = [line[a:b] for line in text.splitlines() for a, b in sentence_spans(line)]
    return [sentence for sentence in sentences if _bare(sentence)]


def _match_points(points: Sequence[tuple[str, ...]], text: str, embedder: Embedder) -> list[bool]:
    """Return which points a text makes by meaning.

    The windows of words have no citation marks and overlap by half.
    """
    unique: dict[str, None] = {}
    for line in text.splitlines():  # no window crosses a line
        words = _MARK.sub("", line).split()
        for size in WINDOWS:
            begins = range(0, max(1, len(words) - size // 2), size // 2)
            unique.update((" ".join(words[at : at + size]), None) for at in begins if words)
    if not unique:
        return [False] * len(points)
    vectors = embedder.embed([*unique, *(wording for point in points for wording in point)])
    cosines = (vectors[len(unique) :] @ vectors[: len(unique)].T).max(axis=1)
    near = iter(cosines >= embedder.calibration.sure)
    return [any(list(islice(near, len(point)))) for point in points]


def _share(hits: Sequence[bool]) -> float:
    return float(np.mean(hits))
