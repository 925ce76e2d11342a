"""Compares strategies on the questions of a dataset."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from time import perf_counter
from typing import Any, cast

import numpy as np

from onrecord.archive.progress import Progress
from onrecord.evaluate.datasets import Dataset, Labelled
from onrecord.evaluate.judge import Judge
from onrecord.evaluate.measures import Yardstick
from onrecord.evaluate.report import Report, columns, stage_seconds
from onrecord.retrieve import Tools
from onrecord.stores.base import Snapshot
from onrecord.strategies import Strategy
from onrecord.types import PassageTimeline, Question, Scope


def compare(
    tools: Tools,
    dataset: Dataset,
    strategies: Sequence[Strategy],
    *,
    known: bool = False,
    yardstick: Yardstick = Yardstick(),  # noqa: B008 - frozen
    progress: Progress | None = None,
    seed: int = 0,
) -> Report:
    """Ask each strategy the dataset's questions, over a store that `datasets.fill` filled.

    With `known`, each question is searched only in the recording that it was asked about. Passages that
    contain a word of an excluded unit are hidden from the search.
    """
    judge = Judge(dataset, tools.store)
    values: dict[str, list[dict[str, float]]] = {strategy.name: [] for strategy in strategies}
    seconds: dict[str, list[dict[str, float]]] = {strategy.name: [] for strategy in strategies}
    for number, labelled in enumerate(dataset.questions):
        if progress:
            progress(number, len(dataset.questions), labelled.id)
        question, visible = _prepare(labelled, tools, judge, known)
        for strategy in strategies:
            began = perf_counter()
            evidence = strategy.retrieve(question, visible)
            seconds[strategy.name].append(stage_seconds(evidence, perf_counter() - began, answered=False))
            values[strategy.name].append(yardstick.measure(judge.judge(evidence, labelled)))
    if progress:
        progress(len(dataset.questions), len(dataset.questions), "")
    measured, took = columns(values), columns(seconds)
    return Report(tuple(dataset.questions), yardstick.measures, measured, took, seed=seed)


def _prepare(labelled: Labelled, tools: Tools, judge: Judge, known: bool) -> tuple[Question, Tools]:
    """Return a question in its scope, and the tools without the passages that it excludes."""
    scope = Scope(recordings=(labelled.recording,)) if known and labelled.recording else Scope()
    question = Question(labelled.text, scope)
    if not labelled.exclude:
        return question, tools
    hidden = judge.rows(labelled.exclude)
    return question, replace(tools, store=cast(Snapshot, FilteredSnapshot(tools.store, hidden)))


class FilteredSnapshot:
    """A Snapshot without the passages of some rows.

    Hidden passages are on no timeline, so they are never shown and do not affect the scores of their
    neighbors. All other methods are those of `reader`.
    """

    def __init__(self, reader: Snapshot, hidden: Collection[int]) -> None:
        self._reader, self._hidden = reader, np.array(sorted(hidden), np.int64)

    def timeline(self, scope: Scope = Scope()) -> PassageTimeline:  # noqa: B008 - frozen
        """Return the timeline without the hidden passages."""
        timeline = self._reader.timeline(scope)
        keep = ~np.isin(timeline.rows, self._hidden)
        return PassageTimeline(
            timeline.rows[keep],
            timeline.recordings[keep],
            timeline.positions[keep],
            timeline.words[keep],
            timeline.names,
        )

    def __getattr__(self, name: str) -> Any:
        return getattr(self._reader, name)
