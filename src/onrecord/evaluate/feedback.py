"""Turns feedback into evaluation questions, and compares strategies on live questions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from onrecord.answer.verify import OMISSION, verbatim
from onrecord.archive import Archive
from onrecord.evaluate.intervals import Estimate, Share, mean_of
from onrecord.stores.ledger import Tally
from onrecord.types import REFUSALS, Feedback, Quoted

_SHORTEST = 3
"""Fewest words of a piece of a quote that is looked up separately."""


# ---------------------------------------------------------------- as questions


@dataclass(frozen=True, slots=True)
class FeedbackQuestions:
    """Questions as plain values, which `read_questions` reads from a file.

    `unmeasurable` is feedback that gives no question: the place of the answer to a wrongly refused question
    is unknown, and the words of some quotes are no longer in the archive.
    """

    questions: tuple[dict[str, Any], ...]
    unmeasurable: tuple[Feedback, ...] = ()


def export_questions(archive: Archive, feedback: Sequence[Feedback]) -> FeedbackQuestions:
    """Return one question for all feedback on the same question in the same scope.

    Quotes that a good answer cited are gold. Quotes that only bad answers cited are `wrong`. A refusal that
    somebody rated good makes an unanswerable question. Only words that are still in the archive count.
    """
    groups: dict[object, list[Feedback]] = {}
    for judgement in feedback:
        before = tuple(turn.question for turn in judgement.history)
        groups.setdefault((judgement.question.casefold(), before, repr(judgement.scope)), []).append(
            judgement
        )
    questions = [(judgements, _question(archive, judgements)) for judgements in groups.values()]
    unmeasurable = (
        judgement for judgements, question in questions if question is None for judgement in judgements
    )
    return FeedbackQuestions(tuple(question for _, question in questions if question), tuple(unmeasurable))


def _question(archive: Archive, judgements: Sequence[Feedback]) -> dict[str, Any] | None:
    """Return the question that some feedback gives; None if nothing in it can be measured."""
    first = judgements[0]
    liked = [j for j in judgements if j.good and not _shows_nothing(j)]
    disliked = [j for j in judgements if not j.good]
    gold = _places(archive, (quote for judgement in liked for quote in judgement.evidence))
    wrong = _places(archive, (quote for judgement in disliked for quote in judgement.evidence))
    wrong = [place for place in wrong if place not in gold]
    measured: dict[str, Any] = {"gold": gold} if gold else {}
    if not gold and any(judgement.good and _shows_nothing(judgement) for judgement in judgements):
        measured = {"unanswerable": True}
    elif wrong:
        measured["wrong"] = wrong
    if not measured:
        return None
    question: dict[str, Any] = {
        "id": f"feedback-{first.id[:12]}",
        "text": first.question,
        "type": "liked" if gold else "refused" if "unanswerable" in measured else "rejected",
    }
    if first.history:
        question["history"] = [turn.question for turn in first.history]
    if first.scope:
        conditions = first.scope.conditions.items()
        question["scope"] = {n: list(v) if isinstance(v, tuple) else v for n, v in conditions}
    notes = " / ".join(judgement.note for judgement in judgements if judgement.note)
    return question | measured | ({"note": notes} if notes else {})


def _shows_nothing(judgement: Feedback) -> bool:
    """Return whether no quotes were shown.

    If quotes were shown as the nearest, a good rating is about these quotes.
    """
    return judgement.verdict in REFUSALS and not judgement.evidence


def _places(archive: Archive, quotes: Iterable[Quoted]) -> list[dict[str, Any]]:
    """Return the places of quotes in the form of question files; a quote with omissions has several."""
    places: list[dict[str, Any]] = []
    for quoted in quotes:
        passages = archive.store.transcript(quoted.recording)
        for piece in OMISSION.split(quoted.quote):
            span = verbatim(piece, passages, quoted.start) if len(piece.split()) >= _SHORTEST else None
            if span is None:
                continue
            place: dict[str, Any] = {"recording": quoted.recording, "words": " ".join(piece.split())}
            if span.start is not None:
                place["from"] = f"{span.start:.2f}"
            if place not in places:
                places.append(place)
    return places


# ---------------------------------------------------------------- live


@dataclass(frozen=True, slots=True)
class Arm:
    """The results of the live questions that one strategy answered.

    `refused` is the share of questions refused, `good` the share of ratings that are good, and `marked` the
    share of sentences shown as doubtful. `seconds` is the mean time of an answer.
    """

    strategy: str
    asked: int
    refused: Share
    good: Share
    marked: Share
    seconds: Estimate

    def to_json(self) -> dict[str, Any]:
        """Return all figures; shares with their intervals."""
        shares = {"refused": self.refused, "good": self.good, "marked": self.marked}
        figures = {
            name: {"hits": share.hits, "total": share.total, "value": share.value, "interval": share.interval}
            for name, share in shares.items()
        }
        return {"strategy": self.strategy, "asked": self.asked, **figures, "seconds": asdict(self.seconds)}


def arms(tallies: Sequence[Tally], feedback: Sequence[Feedback], since: str = "") -> list[Arm]:
    """Return the results of a trial's questions by strategy, the most frequently asked strategy first.

    Only questions whose strategy was chosen at random count: people who name a strategy ask other questions.
    `since` is the first day, ISO. A question counts as often as it was asked.
    """
    counted = [tally for tally in tallies if tally.trial and tally.day >= since]
    judged = [judgement for judgement in feedback if judgement.trial and judgement.made >= since]
    arms_by_strategy = []
    for name in sorted({tally.strategy for tally in counted}):
        branch = [tally for tally in counted if tally.strategy == name]
        asked = sum(tally.asked for tally in branch)
        good = [judgement.good for judgement in judged if judgement.strategy == name]
        arm = Arm(
            name,
            asked,
            refused=Share(sum(tally.asked for tally in branch if tally.verdict in REFUSALS), asked),
            good=Share(sum(good), len(good)),
            marked=Share(sum(t.marked for t in branch), sum(t.sentences for t in branch)),
            seconds=mean_of(asked, sum(t.seconds for t in branch), sum(t.squares for t in branch)),
        )
        arms_by_strategy.append(arm)
    return sorted(arms_by_strategy, key=lambda arm: -arm.asked)
