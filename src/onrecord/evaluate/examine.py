"""Compares the retrieval and the answers of strategies on questions about an archive."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from onrecord.archive import Archive
from onrecord.archive.progress import Progress
from onrecord.evaluate.answers import MEASURES, Examiner
from onrecord.evaluate.judge import by_score
from onrecord.evaluate.measures import Retrieved, Yardstick
from onrecord.evaluate.places import Gold, Places, key
from onrecord.evaluate.questions import EvalQuestion
from onrecord.evaluate.report import Outcome, Report, columns, stage_seconds
from onrecord.strategies import Strategy
from onrecord.types import Scope


def examine(
    archive: Archive,
    questions: Sequence[EvalQuestion],
    strategies: Sequence[Strategy | str],
    *,
    known: bool = False,
    yardstick: Yardstick = Yardstick(),  # noqa: B008 - frozen
    progress: Progress | None = None,
    seed: int = 0,
) -> Report:
    """Ask the archive every question by each strategy, as `Archive.ask` does.

    With `known`, each question is searched only in the recordings that contain its gold. Models are loaded
    before the clock starts, and strategies take turns at being first. Raises InputError, before anything is
    asked, for gold that is not in the archive.
    """
    places = Places(archive)
    cases = [(question, places.gold(question), places.wrong(question)) for question in questions]
    bench = _Bench(archive, Examiner(archive.store, archive.embedder), yardstick, known)
    _warm(archive, strategies[0])
    names = [strategy if isinstance(strategy, str) else strategy.name for strategy in strategies]
    rows: dict[str, list[_Row]] = {name: [] for name in names}
    for number, (question, gold, wrong) in enumerate(cases):
        if progress:
            progress(number, len(cases), question.id)
        for turn in range(len(names)):
            at = (number + turn) % len(names)
            rows[names[at]].append(bench.ask(question, gold, wrong, strategies[at]))
    if progress:
        progress(len(cases), len(cases), "")
    measures = (*yardstick.measures, *MEASURES)
    return Report(
        tuple(questions),
        measures,
        columns({name: [r.values for r in part] for name, part in rows.items()}, [m.name for m in measures]),
        columns({name: [r.seconds for r in part] for name, part in rows.items()}),
        {name: tuple(r.outcome for r in part) for name, part in rows.items()},
        seed,
    )


@dataclass(frozen=True, slots=True)
class _Row:
    """The figures of one answer."""

    values: dict[str, float]
    seconds: dict[str, float]
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class _Bench:
    archive: Archive
    examiner: Examiner
    yardstick: Yardstick
    known: bool

    def ask(self, question: EvalQuestion, gold: Gold, wrong: Gold, strategy: Strategy | str) -> _Row:
        """Ask one question, and measure the answer."""
        scope = Scope(recordings=gold.recordings) if self.known else question.scope
        began = perf_counter()
        answer = self.archive.ask(question.text, strategy, scope=scope, history=question.history)
        seconds = stage_seconds(answer.evidence, perf_counter() - began, answered=True)
        values = self.examiner.measure(answer, question, gold, wrong)
        if gold.places:
            passages = [passage for moment in answer.evidence.moments for passage in moment.passages]
            shown = np.concatenate([np.zeros(0, bool), *(gold.mask_passage(passage) for passage in passages)])
            ranked = list(dict.fromkeys(key(passage) for passage in by_score(answer.evidence)))
            values |= self.yardstick.measure(Retrieved(shown, gold.words, ranked, gold.relevant()))
        text = "\n\n".join(part for part in (answer.heading, answer.text) if part)
        sources = tuple(citation.source for citation in answer.citations)
        return _Row(values, seconds, Outcome(answer.verdict, text, sources, answer.calls))


def _warm(archive: Archive, strategy: Strategy | str) -> None:
    """Load everything that loads at its first use.

    The scope of the question is empty, so no language model is asked to write.
    """
    archive.warm()
    archive.search("Is this on?", strategy)
    archive.ask("Is this on?", strategy, scope=Scope(since="9999"))
