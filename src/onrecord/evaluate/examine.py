"""Strategies side by side on questions about one's own archive: what is found, and what is answered."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter

import numpy as np

from onrecord.archive import Archive
from onrecord.evaluate.answers import MEASURES, Examiner
from onrecord.evaluate.judge import by_score
from onrecord.evaluate.measures import Found, Yardstick
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
    golds = [places.gold(asked) for asked in questions]
    examiner = Examiner(archive.store, archive.embedder)
    _warm(archive, strategies[0])
    names = [strategy if isinstance(strategy, str) else strategy.name for strategy in strategies]
    values: dict[str, list[dict[str, float]]] = {name: [] for name in names}
    seconds: dict[str, list[dict[str, float]]] = {name: [] for name in names}
    outcomes: dict[str, list[Outcome]] = {name: [] for name in names}
    for number, (asked, gold) in enumerate(zip(questions, golds, strict=True)):
        if progress:
            progress(number, len(questions), asked.id)
        scope = Scope(recordings=gold.recordings) if known else Scope()
        for turn in range(len(names)):
            at = (number + turn) % len(names)
            began = perf_counter()
            answer = archive.ask(asked.text, strategies[at], scope, asked.history)
            seconds[names[at]].append(stage_seconds(answer.evidence, perf_counter() - began, answered=True))
            found = yardstick.measured(_found(answer.evidence, gold)) if gold.places else {}
            values[names[at]].append({**found, **examiner.values(answer, asked, gold)})
            outcomes[names[at]].append(_outcome(answer))
    if progress:
        progress(len(questions), len(questions), "")
    measures = (*yardstick.measures, *MEASURES)
    return Report(
        tuple(questions),
        measures,
        columns(values, [measure.name for measure in measures]),
        columns(seconds),
        {name: tuple(of) for name, of in outcomes.items()},
        seed,
    )


def _warm(archive: Archive, strategy: Strategy | str) -> None:
    """Load what is loaded at first use. Nothing is found, so no language model is asked to write."""
    archive.search("Is this on?", strategy)
    archive.ask("Is this on?", strategy, Scope(since="9999"))


def _found(evidence: Evidence, gold: Gold) -> Found:
    passages = [passage for moment in evidence.moments for passage in moment.passages]
    shown = np.concatenate([np.zeros(0, bool), *(gold.of(passage) for passage in passages)])
    ranked = list(dict.fromkeys(key(passage) for passage in by_score(evidence)))
    return Found(shown, gold.words, ranked, gold.relevant())


def _outcome(answer: Answer) -> Outcome:
    text = "\n\n".join(part for part in (answer.heading, answer.text) if part)
    return Outcome(answer.verdict, text, tuple(c.source for c in answer.citations), answer.calls)
