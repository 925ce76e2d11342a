"""Strategies side by side on the questions of a dataset."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter
from typing import cast

from onrecord.evaluate.datasets import Dataset, Labelled
from onrecord.evaluate.hiding import Hiding
from onrecord.evaluate.judge import Judge
from onrecord.evaluate.measures import Yardstick
from onrecord.evaluate.report import Progress, Report, columns, stage_seconds
from onrecord.retrieve import Tools
from onrecord.stores.base import Reader
from onrecord.strategies import Strategy
from onrecord.types import Question, Scope


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
    """Put the dataset's questions to each strategy over a store that `datasets.fill` filled.

    `known` tells whether a question is put to the recording it was asked about alone, or to all.
    Excluded units are hidden from the search: a passage that holds a word of one is on no line.
    """
    judge = Judge(dataset, tools.store)
    values: dict[str, list[dict[str, float]]] = {strategy.name: [] for strategy in strategies}
    seconds: dict[str, list[dict[str, float]]] = {strategy.name: [] for strategy in strategies}
    for number, labelled in enumerate(dataset.questions):
        if progress:
            progress(number, len(dataset.questions), labelled.id)
        question, seen = _put(labelled, tools, judge, known)
        for strategy in strategies:
            began = perf_counter()
            evidence = strategy.retrieve(question, seen)
            seconds[strategy.name].append(stage_seconds(evidence, perf_counter() - began, answered=False))
            values[strategy.name].append(yardstick.measured(judge.found(evidence, labelled)))
    if progress:
        progress(len(dataset.questions), len(dataset.questions), "")
    measured, took = columns(values), columns(seconds)
    return Report(tuple(dataset.questions), yardstick.measures, measured, took, seed=seed)


def _put(labelled: Labelled, tools: Tools, judge: Judge, known: bool) -> tuple[Question, Tools]:
    scope = Scope(recordings=(labelled.recording,)) if known and labelled.recording else Scope()
    question = Question(labelled.text, scope)
    if not labelled.exclude:
        return question, tools
    return question, replace(tools, store=cast(Reader, Hiding(tools.store, judge.rows(labelled.exclude))))
