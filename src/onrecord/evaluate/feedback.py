"""What people thought of answers, as questions to measure by; and two strategies on live questions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from math import sqrt
from typing import Any

from onrecord.answer.verify import verbatim
from onrecord.archive import Archive
from onrecord.evaluate.answers import REFUSALS
from onrecord.evaluate.faq import Z95, Share
from onrecord.evaluate.report import Difference, Estimate
from onrecord.stores.ledger import Tally
from onrecord.types import Feedback, Quoted

_OMITTED = re.compile(r"\s*\[(?:\.\.\.|…)\]\s*")
_SHORTEST = 3
"""Words of a piece of a quote that is looked for by itself."""


# ---------------------------------------------------------------- as questions


@dataclass(frozen=True, slots=True)
class Exported:
    """Questions as plain values, which `read_questions` reads from a file; and the judgements left out: of
    answers that were wrongly refused, as where the answer stands is not known, and of words that are gone."""

    questions: tuple[dict[str, Any], ...]
    unmeasurable: tuple[Feedback, ...] = ()


def exported(archive: Archive, feedback: Sequence[Feedback]) -> Exported:
    """One question for all judgements of the same question in the same scope.

    What a good answer cited is gold; what a bad one cited, and no good one, is `wrong`; a refusal that
    somebody found good is a question that has no answer here. Only words that stand in the archive now count.
    """
    groups: dict[object, list[Feedback]] = {}
    for one in feedback:
        before = tuple(turn.question for turn in one.history)
        groups.setdefault((one.question.casefold(), before, repr(one.scope)), []).append(one)
    made = [(given, _question(archive, given)) for given in groups.values()]
    left = (one for given, question in made if question is None for one in given)
    return Exported(tuple(question for _, question in made if question), tuple(left))


def _question(archive: Archive, given: Sequence[Feedback]) -> dict[str, Any] | None:
    """Judgements of one question as a question; None where they say nothing that can be measured."""
    first = given[0]
    gold = _places(archive, (q for one in given if one.good and not _refused(one) for q in one.evidence))
    wrong = [
        place
        for place in _places(archive, (q for one in given if not one.good for q in one.evidence))
        if place not in gold
    ]
    measured: dict[str, Any] = {"gold": gold} if gold else {}
    if not gold and any(one.good and _refused(one) for one in given):
        measured = {"unanswerable": True}
    elif wrong:
        measured["wrong"] = wrong
    if not measured:
        return None
    question: dict[str, Any] = {
        "id": f"feedback-{first.id[:12]}",
        "text": first.question,
        "type": _type(measured),
    }
    if first.history:
        question["history"] = [turn.question for turn in first.history]
    if first.scope:
        scope = {name: value for name, value in asdict(first.scope).items() if value}
        question["scope"] = {n: list(v) if isinstance(v, tuple) else v for n, v in scope.items()}
    notes = " / ".join(one.note for one in given if one.note)
    return question | measured | ({"note": notes} if notes else {})


def _refused(one: Feedback) -> bool:
    """Whether nothing was shown; whoever likes what was shown as the nearest, likes those words."""
    return one.verdict in REFUSALS and not one.evidence


def _type(measured: dict[str, Any]) -> str:
    return "liked" if "gold" in measured else "refused" if "unanswerable" in measured else "rejected"


def _places(archive: Archive, quotes: Iterable[Quoted]) -> list[dict[str, Any]]:
    """Where quotes stand, as question files name it; a quote with omissions is several places."""
    found: list[dict[str, Any]] = []
    for quoted in quotes:
        passages = archive.store.transcript(quoted.recording)
        for piece in _OMITTED.split(quoted.quote):
            span = verbatim(piece, passages, quoted.start) if len(piece.split()) >= _SHORTEST else None
            if span is None:
                continue
            place: dict[str, Any] = {"recording": quoted.recording, "words": " ".join(piece.split())}
            if span.start is not None:
                place["from"] = f"{span.start:.2f}"
            if place not in found:
                found.append(place)
    return found


# ---------------------------------------------------------------- live


@dataclass(frozen=True, slots=True)
class Arm:
    """What became of the live questions that one strategy answered; `seconds` is their mean. `good` is the
    share of thumbs that are up."""

    strategy: str
    asked: int
    refused: Share
    good: Share
    marked: Share
    seconds: Estimate

    def to_json(self) -> dict[str, Any]:
        """All figures; shares with their intervals."""
        shares = {"refused": self.refused, "good": self.good, "marked": self.marked}
        told = {
            name: {"hits": share.hits, "total": share.total, "value": share.value, "interval": share.interval}
            for name, share in shares.items()
        }
        return {"strategy": self.strategy, "asked": self.asked, **told, "seconds": asdict(self.seconds)}


def arms(tallies: Sequence[Tally], feedback: Sequence[Feedback], since: str = "") -> list[Arm]:
    """What became of the questions of a trial, strategy by strategy, most asked first.

    Only questions whose strategy chance chose count: those who name one ask other things. `since` is the
    first day, ISO. Questions count as often as they were asked.
    """
    counted = [tally for tally in tallies if tally.trial and tally.day >= since]
    judged = [one for one in feedback if one.trial and one.made >= since]
    names = sorted({tally.strategy for tally in counted})
    made = [
        _arm(
            name,
            [tally for tally in counted if tally.strategy == name],
            [one.good for one in judged if one.strategy == name],
        )
        for name in names
    ]
    return sorted(made, key=lambda arm: -arm.asked)


def _arm(name: str, tallies: Sequence[Tally], good: Sequence[bool]) -> Arm:
    asked = sum(tally.asked for tally in tallies)
    return Arm(
        name,
        asked,
        refused=Share(sum(tally.asked for tally in tallies if tally.verdict in REFUSALS), asked),
        good=Share(sum(good), len(good)),
        marked=Share(sum(t.marked for t in tallies), sum(t.sentences for t in tallies)),
        seconds=_mean(asked, sum(t.seconds for t in tallies), sum(t.squares for t in tallies)),
    )


def _mean(count: int, total: float, squares: float) -> Estimate:
    """A mean and its normal interval, from sums."""
    if not count:
        return Estimate(float("nan"), float("nan"), float("nan"))
    mean = total / count
    spread = max(squares / count - mean * mean, 0.0) * count / max(count - 1, 1)
    half = Z95 * sqrt(spread / count)
    return Estimate(mean, mean - half, mean + half)


def share_difference(one: Share, base: Share) -> Difference:
    """How much one share is above another, of different questions, with the 95 % interval of Newcombe's
    hybrid score method (Interval estimation for the difference between independent proportions, 1998,
    method 10). It is -1..1 where either is of nothing."""
    if not one.total or not base.total:
        return Difference(float("nan"), -1.0, 1.0)
    (low, high), (base_low, base_high) = one.interval, base.interval
    mean = one.value - base.value
    below = sqrt((one.value - low) ** 2 + (base_high - base.value) ** 2)
    above = sqrt((high - one.value) ** 2 + (base.value - base_low) ** 2)
    return Difference(mean, mean - below, mean + above)
