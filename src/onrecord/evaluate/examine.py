"""Strategies side by side on questions about one's own archive: what is found, and what is answered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from onrecord.archive import Archive
from onrecord.evaluate.answers import MEASURES, Examiner
from onrecord.evaluate.judge import by_score
from onrecord.evaluate.measures import Retrieved, Yardstick
from onrecord.evaluate.places import Gold, Places, key
from onrecord.evaluate.questions import Asked
from onrecord.evaluate.report import Outcome, Progress, Report, columns, stage_seconds
from onrecord.strategies import Strategy
from onrecord.types import Answer, Evidence, Scope


def examine(
    archive: Archive,
    questions: Sequence[Asked],
    strategies: Sequence[Strategy | str],
    *,
    known: bool = False,
    yardstick: Yardstick = Yardstick(),  # noqa: B008 - frozen
    progress: Progress | None = None,
    seed: int = 0,
) -> Report:
    """Put every question to the archive, by each strategy, as `Archive.ask` does.

    `known` tells whether a question is put only to the recordings that its gold stands in, or to all. The
    model is loaded before the clock starts; strategies take turns at being first. Raises InputError for
    gold that is not in the archive, before anything is asked.
    """
    places = Places(archive)
    cases = [(asked, places.gold(asked), places.wrong(asked)) for asked in questions]
    bench = _Bench(archive, Examiner(archive.store, archive.embedder), yardstick, known)
    _warm(archive, strategies[0])
    names = [strategy if isinstance(strategy, str) else strategy.name for strategy in strategies]
    rows: dict[str, list[_Row]] = {name: [] for name in names}
    for number, (asked, gold, wrong) in enumerate(cases):
        if progress:
            progress(number, len(cases), asked.id)
        for turn in range(len(names)):
            at = (number + turn) % len(names)
            rows[names[at]].append(bench.put(asked, gold, wrong, strategies[at]))
    if progress:
        progress(len(cases), len(cases), "")
    measures = (*yardstick.measures, *MEASURES)
    return Report(
        tuple(questions),
        measures,
        columns({name: [row.values for row in of] for name, of in rows.items()}, [m.name for m in measures]),
        columns({name: [row.seconds for row in of] for name, of in rows.items()}),
        {name: tuple(row.outcome for row in of) for name, of in rows.items()},
        seed,
    )


@dataclass(frozen=True, slots=True)
class _Row:
    """What is said of one answer."""

    values: dict[str, float]
    seconds: dict[str, float]
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class _Bench:
    archive: Archive
    examiner: Examiner
    yardstick: Yardstick
    known: bool

    def put(self, asked: Asked, gold: Gold, wrong: Gold, strategy: Strategy | str) -> _Row:
        """Ask one question, and judge the answer."""
        scope = Scope(recordings=gold.recordings) if self.known else asked.scope
        began = perf_counter()
        answer = self.archive.ask(asked.text, strategy, scope=scope, history=asked.history)
        seconds = stage_seconds(answer.evidence, perf_counter() - began, answered=True)
        found = self.yardstick.measured(_found(answer.evidence, gold)) if gold.places else {}
        return _Row({**found, **self.examiner.values(answer, asked, gold, wrong)}, seconds, _outcome(answer))


def _warm(archive: Archive, strategy: Strategy | str) -> None:
    """Load what is loaded at first use. Nothing is found, so no language model is asked to write."""
    archive.warm()
    archive.search("Is this on?", strategy)
    archive.ask("Is this on?", strategy, scope=Scope(since="9999"))


def _found(evidence: Evidence, gold: Gold) -> Retrieved:
    passages = [passage for moment in evidence.moments for passage in moment.passages]
    shown = np.concatenate([np.zeros(0, bool), *(gold.of(passage) for passage in passages)])
    ranked = list(dict.fromkeys(key(passage) for passage in by_score(evidence)))
    return Retrieved(shown, gold.words, ranked, gold.relevant())


def _outcome(answer: Answer) -> Outcome:
    text = "\n\n".join(part for part in (answer.heading, answer.text) if part)
    return Outcome(answer.verdict, text, tuple(c.source for c in answer.citations), answer.calls)
