"""Calibrates an embedding model on an archive, with questions whose answers are known.

Two cosines matter. From `sure` on, the nearest passages nearly always contain the answer. Below `floor`, a
passage is not informative.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from onrecord.archive import Archive
from onrecord.errors import EmbeddingError, InputError
from onrecord.evaluate.intervals import Share
from onrecord.evaluate.places import Places, key
from onrecord.evaluate.questions import EvalQuestion
from onrecord.models import Calibration
from onrecord.retrieve import Semantic
from onrecord.strategies import Strategy

_MOST, _SHOWN = 50, 10
_NEAREST = Strategy("nearest", Semantic(_MOST), reads=False)


@dataclass(frozen=True, slots=True)
class Probe:
    """The nearest fifty passages to one question.

    `best` is the highest of their `cosines`. `right` says whether one of the first ten answers the question.
    `answers` is the best cosine of a passage that answers it, None if none of the fifty does.
    """

    best: float
    right: bool
    answers: float | None
    cosines: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class CalibrationReport:
    """The result of `measure_calibration`.

    sure: if the nearest passage has at least this cosine, the ten nearest contain the answer with
        `precision`; None if no cosine reaches it.
    floor: at most the accepted share of the passages that answer have a lower cosine.
    held_out: the precision of a `sure` chosen on one half of the questions, measured on the other half.
    """

    sure: float | None
    floor: float
    precision: float
    held_out: Share
    probes: tuple[Probe, ...]

    @property
    def calibration(self) -> Calibration | None:
        """The calibration to use; None if the precision is out of reach."""
        if self.sure is None or not self.within_reach:
            return None
        return Calibration(min(self.floor, self.sure - 0.01), self.sure)

    @property
    def within_reach(self) -> bool:
        return self.sure is not None and self.held_out.interval[1] >= self.precision

    def answered(self, cosine: float) -> Share:
        """Return the share of answered questions whose nearest passage has at least this cosine."""
        return _count_right(self.probes, cosine)

    def falls_back(self, cosine: float, least: int = 3) -> Share:
        """Return the share of questions for which fewer than `least` passages have at least this cosine."""
        counts = [sum(near >= cosine for near in probe.cosines) for probe in self.probes]
        return Share(sum(count < least for count in counts), len(counts))

    def to_json(self) -> dict[str, Any]:
        calibration = self.calibration
        return {
            "questions": len(self.probes),
            "wanted": self.precision,
            "within_reach": self.within_reach,
            "calibration": asdict(calibration) if calibration else None,
            "held_out_precision": {"value": self.held_out.value, "interval": self.held_out.interval},
        }


def measure_calibration(
    archive: Archive, questions: Sequence[EvalQuestion], precision: float = 0.9, lost: float = 0.05
) -> CalibrationReport:
    """Measure the cosine thresholds of the archive's model on these questions.

    Args:
        precision: how often the ten nearest passages should contain the answer, from `sure` on; 0.5..1.
        lost: the share of questions whose answering passages may all lie below `floor`.

    Raises InputError for gold that is not in the archive and for fewer than ten questions with an answer, and
    EmbeddingError if the archive has no model.
    """
    if archive.embedder is None:
        raise EmbeddingError(
            "there is no embedding model to calibrate: set embedding.model to one (`onrecord models list`)"
        )
    places = Places(archive)
    probes = tuple(
        _probe(archive, question, places) for question in questions if question.gold or question.unanswerable
    )
    cosines = sorted(probe.answers for probe in probes if probe.answers is not None)
    if len(cosines) < 10:
        raise InputError(f"{len(cosines)} questions have an answer that was found; 10 are needed at least")
    halves = (probes[::2], probes[1::2])
    shares = [_count_right(test, _choose_sure(train, precision)) for train, test in (halves, halves[::-1])]
    held_out = Share(sum(share.hits for share in shares), sum(share.total for share in shares))
    floor = round(cosines[int(lost * len(cosines))] - 0.005, 2)
    return CalibrationReport(_choose_sure(probes, precision), floor, precision, held_out, probes)


def _probe(archive: Archive, question: EvalQuestion, places: Places) -> Probe:
    answers = places.gold(question).relevant()
    moments = archive.search(question.text, _NEAREST).moments
    cosines = tuple(moment.scores.get("dense", moment.score) for moment in moments)
    right = [key(moment.passages[0]) in answers for moment in moments]
    near = [cosine for cosine, answer in zip(cosines, right, strict=True) if answer]
    return Probe(cosines[0] if cosines else -1.0, any(right[:_SHOWN]), max(near, default=None), cosines)


def _choose_sure(probes: Sequence[Probe], precision: float) -> float | None:
    """Return the lowest cosine from which on the nearest passages answer with this precision.

    It is cut to two decimals; None if there is no such cosine.
    """
    ranked = sorted(probes, key=lambda probe: -probe.best)
    hits, chosen = 0, None
    for number, probe in enumerate(ranked, 1):
        hits += probe.right
        if hits >= precision * number and number >= 5:
            chosen = probe.best
    return None if chosen is None else int(chosen * 100) / 100


def _count_right(probes: Sequence[Probe], sure: float | None) -> Share:
    over = [probe for probe in probes if sure is not None and probe.best >= sure]
    return Share(sum(probe.right for probe in over), len(over))
