"""Which quotes would a person point at? Fits and tries `onrecord.answer.honesty.quote_confidence`.

    python benchmarks/quotes.py [--data ../shared/data] [--keep FOLDER]

Two things make a quote a good one. Its recording answers the question: told by MuSiQue and HotpotQA, whose
questions are answered by several documents together, and people marked by which. And it stands in the right
place there: told by QMSum, questions about one meeting in which people marked the stretch that answers; a
quote is good where half of its words lie in it. What other meetings say of the question nobody marked: the
place is fitted on quotes from the meeting alone.

Each is weighed by logistic regression: the recording by MuSiQue, and tried on HotpotQA; the place by one
half of the meetings, with the questions put to the meeting and to all, and tried on the other half. Printed
are the weights, the area under the ROC curve and the expected calibration error (ten bins), and the same of
the present weights. Then what answers show, with the weights that the package has: how many quotes, how many
of them are good, how many questions get a good one. "All meetings" is the lower bound: what is quoted from
another meeting counts as wrong.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from honesty import area
from onrecord.answer.extract import Extractive
from onrecord.answer.honesty import quote_confidence
from onrecord.answer.likely import Likelihood
from onrecord.answer.quotes import Choice
from onrecord.evaluate import fill, load
from onrecord.evaluate.datasets import Labelled
from onrecord.evaluate.judge import Judge
from onrecord.evaluate.places import Talk
from onrecord.ingest.passages import Cutter
from onrecord.models import open_embedder
from onrecord.models.base import Embedder
from onrecord.retrieve import Tools
from onrecord.retrieve.order import by_rank
from onrecord.retrieve.question import subject
from onrecord.retrieve.wording import wording
from onrecord.stores import open_store
from onrecord.strategies import BALANCED
from onrecord.types import Evidence, Moment, Passage, Question, Scope

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Seen:
    """A quote that was chosen: its signs, and whether it is good. `asked` is the recording that the question
    is about, `own` whether it was said there (or no recording was asked about)."""

    score: float
    rank: int
    standing: float | None
    asked: str | None
    own: bool
    good: bool


class Labels:
    """A labelled set in an archive, and what its questions get."""

    def __init__(self, folder: Path, place: Path, embedder: Embedder) -> None:
        dataset, file = load(folder), place / f"{folder.name}.db"
        built = file.exists()
        store = open_store(file)
        if not built:
            fill(store, dataset, embedder, Cutter())
        self.tools, self.judge = Tools(store, embedder), Judge(dataset, store)
        self.questions = [question for question in dataset.questions if question.type != "general"]

    def evidence(self, known: bool) -> Iterator[tuple[Labelled, Evidence]]:
        for labelled in self.questions:
            scope = Scope(recordings=(labelled.recording,)) if known and labelled.recording else Scope()
            yield labelled, BALANCED.retrieve(Question(labelled.text, scope), self.tools)

    def quotes(self, known: bool) -> list[Seen]:
        """All quotes that are chosen, before the unlikely ones are left out."""
        found = []
        for labelled, evidence in self.evidence(known):
            ranked, text = evidence.with_moments(by_rank(evidence.moments)), subject(labelled.text)
            about = wording(text, self.tools.store.line(evidence.question.scope), self.tools.store)
            quotes = Choice().choose(text, ranked, about, self.tools).quotes
            likely = Likelihood.of(ranked, quotes)
            for quote in quotes:
                good = self.good(quote.passages, quote.text, labelled)
                own = labelled.recording in (None, quote.recording)
                rank, standing = likely.ranks[quote.moment], likely.standing.get(quote.recording)
                found.append(Seen(quote.score, rank, standing, labelled.recording, own, good))
        return found

    def good(self, passages: Sequence[Passage], quote: str, labelled: Labelled) -> bool:
        """Whether half of a quote's words are gold."""
        gold = self.judge.shown(Evidence(Question(""), (Moment(tuple(passages), 0.0),)), labelled)
        return bool(gold[Talk(passages).quoted(quote, 0.0)].mean() >= 0.5)

    def shown(self, known: bool) -> str:
        """What answers show."""
        counts, shares = [], []
        for labelled, evidence in self.evidence(known):
            citations = Extractive().answer(evidence, self.tools).citations
            if citations:
                good = [self.good(c.passages, c.quote, labelled) for c in citations]
                counts.append(len(good))
                shares.append(sum(good))
        some = np.mean(np.array(shares) > 0)
        return (
            f"{np.mean(counts):.2f} quotes a question, {sum(shares) / sum(counts):.3f} of them good, "
            f"{some:.3f} of the questions with a good one"
        )


def weigh(signs: Floats, good: Floats) -> Floats:
    """Weights of (1, *signs) by logistic regression (Newton's method)."""
    signs = np.column_stack([np.ones(len(signs)), signs])
    weights = np.zeros(signs.shape[1])
    for _ in range(30):
        likely = 1 / (1 + np.exp(-signs @ weights))
        curvature = (signs * (likely * (1 - likely))[:, None]).T @ signs
        weights += np.linalg.solve(curvature + 1e-9 * np.eye(len(weights)), signs.T @ (good - likely))
    return weights


def tried(likely: Floats, good: Floats) -> str:
    """Area under the ROC curve and expected calibration error."""
    bins = np.minimum((likely * 10).astype(int), 9)
    error = sum(abs(float((good - likely)[bins == b].sum())) for b in range(10)) / len(good)
    return f"area {area(likely[good > 0].tolist(), likely[good == 0].tolist()):.3f}   error {error:.3f}"


def by(weights: Floats, signs: Floats) -> Floats:
    return 1 / (1 + np.exp(-(weights[0] + signs @ weights[1:])))


def of_place(quotes: Sequence[Seen]) -> tuple[Floats, Floats]:
    signs = np.array([(quote.score, quote.rank) for quote in quotes], float)
    return signs, np.array([quote.good for quote in quotes], float)


def of_recording(quotes: Sequence[Seen]) -> tuple[Floats, Floats]:
    told = [quote for quote in quotes if quote.standing is not None]
    return np.array([[q.standing] for q in told], float), np.array([q.good for q in told], float)


def fit_recordings(fitted: Labels, other: Labels) -> None:
    here, there = of_recording(fitted.quotes(False)), of_recording(other.quotes(False))
    weights = weigh(*here)
    print(f"recording: {len(here[1])} quotes of MuSiQue, weights {np.round(weights, 2)}")
    print(f"  on HotpotQA           {tried(by(weights, there[0]), there[1])}   ({len(there[1])} quotes)")
    print(
        f"  weights of both sets  {np.round(weigh(*map(np.concatenate, zip(here, there, strict=True))), 2)}"
    )


def fit_places(meetings: Labels) -> None:
    known, every = meetings.quotes(True), meetings.quotes(False)
    quotes = [*known, *(quote for quote in every if quote.own)]
    names = sorted({str(quote.asked) for quote in quotes})
    first = set(random.Random(7).sample(names, len(names) // 2))
    halves = [[quote for quote in quotes if (quote.asked in first) is side] for side in (True, False)]
    print(f"place: {len(quotes)} quotes of QMSum, weights {np.round(weigh(*of_place(quotes)), 2)}")
    for half, other in (halves, halves[::-1]):
        signs, good = of_place(other)
        weights = weigh(*of_place(half))
        print(f"  half, on the other    {tried(by(weights, signs), good)}   weights {np.round(weights, 2)}")
    for name, some in (("meeting known", known), ("all meetings", every)):
        likely = np.array([quote_confidence(q.score, q.rank, q.standing) for q in some])
        good = np.array([quote.good for quote in some], float)
        print(f"  as it is, {name:13} {tried(likely, good)}   ({len(some)} quotes)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=Path(__file__).parent.parent.parent / "shared" / "data")
    parser.add_argument("--keep", type=Path, help="build the archives here, or use those built before")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place, embedder = options.keep or Path(folder), open_embedder("minilm")
        names = ("hipporag_musique", "hipporag_hotpotqa", "qmsum")
        musique, hotpotqa, meetings = (Labels(options.data / name, place, embedder) for name in names)
        fit_recordings(musique, hotpotqa)
        fit_places(meetings)
        print("answers")
        print(f"  meeting known   {meetings.shown(True)}")
        print(f"  all meetings    {meetings.shown(False)}")
        for name, labels in (("MuSiQue", musique), ("HotpotQA", hotpotqa)):
            print(f"  {name:15} {labels.shown(False)}")


if __name__ == "__main__":
    main()
