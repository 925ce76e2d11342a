"""Times of the parts of a search: planning, embedding, searching, reranking, and loading of models."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from threading import Thread
from typing import TYPE_CHECKING

import pytest

from onrecord.archive.answering import part_seconds
from onrecord.models.caching import CachedEmbedder
from onrecord.models.double import HashingEmbedder
from onrecord.models.loading import loading, seconds_of_loading
from onrecord.retrieve.route import Branch, Route
from onrecord.retrieve.stage import Stage, Tools
from onrecord.stores.memory import MemoryStore
from onrecord.types import Evidence, Question, Step

if TYPE_CHECKING:
    from onrecord.types import Vector, Vectors


class Slow(HashingEmbedder):
    """An embedder that takes at least 0.02 s a call."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        time.sleep(0.02)
        return super().embed(texts)

    def embed_query(self, text: str) -> Vector:
        return self.embed([text])[0]  # type: ignore[no-any-return]


class Failing(HashingEmbedder):
    """An embedder that raises an error after 0.02 s."""

    def embed_query(self, text: str) -> Vector:
        time.sleep(0.02)
        raise ZeroDivisionError


def test_an_embedder_is_the_same_and_counted() -> None:
    timed = CachedEmbedder(Slow())
    assert (timed.name, timed.fingerprint, timed.dimensions) == ("hashing", "hashing/256", 256)
    assert timed.calibration is HashingEmbedder.calibration and timed.seconds == 0
    assert (timed.embed_query("tariffs") == HashingEmbedder().embed_query("tariffs")).all()
    assert timed.embed(["tariffs"]).shape == (1, 256)
    assert timed.seconds >= 0.04


def test_what_fails_took_time_too() -> None:
    timed = CachedEmbedder(Failing())
    with pytest.raises(ZeroDivisionError):
        timed.embed_query("tariffs")
    assert timed.seconds >= 0.02


class Lazy(HashingEmbedder):
    """An embedder that loads its model at first use, as the embedded model does."""

    @cached_property
    def model(self) -> str:
        with loading():
            time.sleep(0.05)
        return "loaded"

    def embed_query(self, text: str) -> Vector:
        assert self.model
        time.sleep(0.01)
        return super().embed_query(text)


@dataclass(frozen=True)
class Embeds(Stage):
    """A stage that embeds the question."""

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        assert tools.embedder
        tools.embedder.embed_query(evidence.question.text)
        return evidence


@dataclass(frozen=True)
class Holds(Stage):
    """A stage that waits 0.01 s and then runs another stage."""

    held: Stage

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        time.sleep(0.01)
        return self.held(evidence, tools)


def test_a_model_that_is_loaded_meanwhile_is_no_work_on_the_question() -> None:
    """Loading a model is a step of its own, and its time does not count in the stages around it."""
    timed = CachedEmbedder(Lazy())
    tools = Tools(MemoryStore(), timed)
    began = time.perf_counter()
    first = Holds(Embeds())(Evidence(Question("tariffs")), tools)
    elapsed = time.perf_counter() - began
    assert [step.stage.partition("(")[0] for step in first.trace] == ["Load", "Embeds", "Holds"]
    load, inner, outer = (step.seconds for step in first.trace)
    assert load >= 0.05 and 0.01 <= timed.seconds <= inner and outer >= 0.01
    assert part_seconds(first.trace, timed.seconds)["load"] == load
    assert load + inner + outer <= elapsed
    again = Embeds()(first, tools)
    assert [step.stage for step in again.trace[3:]] == ["Embeds()"]


def test_loading_in_another_thread_is_not_waited_for() -> None:
    before = seconds_of_loading()
    thread = Thread(target=lambda: Lazy().model)
    thread.start()
    thread.join()
    assert seconds_of_loading() == before


def test_parts_are_distinguished() -> None:
    """The times of steps are added by part, and the time of embedding is subtracted from the search."""
    steps = [
        Step("Route(balanced)", 0, 0, 0.003),
        Step("Search(dense=0.6)", 0, 9, 0.040),
        Step("Moments(words=9)", 9, 3, 0.010),
        Step("Load", 3, 3, 0.200),
        Step("Rerank(50)", 3, 3, 0.150),
    ]
    spent = part_seconds(steps, 0.030)
    expected = {"embed": 0.030, "plan": 0.003, "search": 0.020, "load": 0.200, "rerank": 0.150}
    assert spent == pytest.approx(expected)
    assert part_seconds([], 0.0) == {}
    assert part_seconds(steps[1:2], 0.5)["search"] == 0


def test_what_is_loaded_already_is_no_step() -> None:
    tools = Tools(MemoryStore(), Lazy())
    route = Route((Branch("balanced", Embeds()),))
    route(Evidence(Question("tariffs")), tools)
    again = route(Evidence(Question("tariffs")), tools)
    assert [step.stage.partition("(")[0] for step in again.trace] == ["Route", "Embeds"]
