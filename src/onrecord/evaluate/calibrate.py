"""What a model's cosines mean in an archive: the figure from which what is nearest holds the answer nearly
always, and the one under which it says nothing, measured on questions whose answers are known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from onrecord.archive import Archive
from onrecord.errors import EmbeddingError, InputError
from onrecord.evaluate.faq import Share
from onrecord.evaluate.places import Places, key
from onrecord.evaluate.questions import Asked
from onrecord.models import Calibration
from onrecord.retrieve import Semantic
from onrecord.strategies import Strategy

_MOST, _SHOWN = 50, 10
_NEAREST = Strategy("nearest", Semantic(_MOST), reads=False)


@dataclass(frozen=True, slots=True)
class Probe:
    """One question: the cosine of its nearest passage, whether one of the ten nearest answers it, and the
    best cosine of those that do; None where none of the first fifty does."""

    best: float
    right: bool
    answers: float | None
    cosines: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Calibrated:
    """`sure` is the least cosine of the nearest passage from which on the ten nearest hold the answer as
    often as wanted, None where there is none; `floor` loses no more of the passages that answer than may be
    lost. `held` is the precision of `sure` chosen on one half of the questions, on the other."""

    sure: float | None
    floor: float
    wanted: float
    held: Share
    probes: tuple[Probe, ...]

    @property
    def calibration(self) -> Calibration | None:
        """What to use; None where the wanted precision cannot be had."""
        if self.sure is None or not self.within_reach:
            return None
        return Calibration(min(self.floor, self.sure - 0.01), self.sure)

    @property
    def within_reach(self) -> bool:
        return self.sure is not None and self.held.interval[1] >= self.wanted

    def answered(self, cosine: float) -> Share:
        """Of the questions whose nearest passage has this cosine or more, those that are answered."""
        over = [probe for probe in self.probes if probe.best >= cosine]
        return Share(sum(probe.right for probe in over), len(over))

    def falls_back(self, cosine: float, least: int = 3) -> Share:
        """The questions for which fewer than `least` passages have this cosine or more."""
        few = sum(sum(each >= cosine for each in probe.cosines) < least for probe in self.probes)
        return Share(few, len(self.probes))

    def to_json(self) -> dict[str, Any]:
        made = self.calibration
        return {
            "questions": len(self.probes),
            "wanted": self.wanted,
            "within_reach": self.within_reach,
            "calibration": asdict(made) if made else None,
            "held_out_precision": {"value": self.held.value, "interval": self.held.interval},
        }


def calibrated(
    archive: Archive, questions: Sequence[Asked], precision: float = 0.9, lost: float = 0.05
) -> Calibrated:
    """What the cosines of the archive's model mean, by these questions.

    Args:
        precision: how often the ten nearest passages should hold the answer, from `sure` on; 0.5..1.
        lost: the share of questions whose passages that answer may all lie under `floor`.

    Raises InputError for gold that is not in the archive, or where too few questions have any, and
    EmbeddingError where there is no model.
    """
    if archive.embedder is None:
        raise EmbeddingError("there is no embedding model to calibrate: onrecord models list")
    places = Places(archive)
    probes = tuple(_probe(archive, asked, places) for asked in questions if asked.gold or asked.unanswerable)
    found = sorted(probe.answers for probe in probes if probe.answers is not None)
    if len(found) < 10:
        raise InputError(f"{len(found)} questions have an answer that was found; 10 are needed at least")
    halves = (probes[::2], probes[1::2])
    held = [_right(other, _sure(one, precision)) for one, other in (halves, halves[::-1])]
    both = Share(sum(share.hits for share in held), sum(share.total for share in held))
    floor = round(found[int(lost * len(found))] - 0.005, 2)
    return Calibrated(_sure(probes, precision), floor, precision, both, probes)


def _probe(archive: Archive, asked: Asked, places: Places) -> Probe:
    answers = places.gold(asked).relevant()
    moments = archive.search(asked.text, _NEAREST).moments
    cosines = tuple(moment.scores.get("dense", moment.score) for moment in moments)
    right = [key(moment.passages[0]) in answers for moment in moments]
    near = [cosine for cosine, answer in zip(cosines, right, strict=True) if answer]
    return Probe(cosines[0] if cosines else -1.0, any(right[:_SHOWN]), max(near, default=None), cosines)


def _sure(probes: Sequence[Probe], precision: float) -> float | None:
    """The least cosine from which on what is nearest answers often enough, to two decimals."""
    ranked = sorted(probes, key=lambda probe: -probe.best)
    hits, chosen = 0, None
    for number, probe in enumerate(ranked, 1):
        hits += probe.right
        if hits >= precision * number and number >= 5:
            chosen = probe.best
    return None if chosen is None else int(chosen * 100) / 100


def _right(probes: Sequence[Probe], sure: float | None) -> Share:
    over = [probe for probe in probes if sure is not None and probe.best >= sure]
    return Share(sum(probe.right for probe in over), len(over))
