"""How long the parts of finding took."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

import pytest

from onrecord.models.double import HashingEmbedder
from onrecord.retrieve.timing import TimedEmbedder, part_seconds
from onrecord.types import Step

if TYPE_CHECKING:
    from onrecord.types import Vector, Vectors


class Slow(HashingEmbedder):
    def embed(self, texts: Sequence[str]) -> Vectors:
        time.sleep(0.02)
        return super().embed(texts)

    def embed_query(self, text: str) -> Vector:
        return self.embed([text])[0]  # type: ignore[no-any-return]


class Failing(HashingEmbedder):
    def embed_query(self, text: str) -> Vector:
        time.sleep(0.02)
        raise ZeroDivisionError


def test_an_embedder_is_the_same_and_counted() -> None:
    timed = TimedEmbedder(Slow())
    assert (timed.name, timed.fingerprint, timed.dimensions) == ("hashing", "hashing/256", 256)
    assert timed.calibration is HashingEmbedder.calibration and timed.seconds == 0
    assert (timed.embed_query("tariffs") == HashingEmbedder().embed_query("tariffs")).all()
    assert timed.embed(["tariffs"]).shape == (1, 256)
    assert timed.seconds >= 0.04


def test_what_fails_took_time_too() -> None:
    timed = TimedEmbedder(Failing())
    with pytest.raises(ZeroDivisionError):
        timed.embed_query("tariffs")
    assert timed.seconds >= 0.02


def test_parts_are_told_apart() -> None:
    steps = [
        Step("Route(balanced)", 0, 0, 0.003),
        Step("Search(dense=0.6)", 0, 9, 0.040),
        Step("Moments(words=9)", 9, 3, 0.010),
        Step("Rerank(50)", 3, 3, 0.150),
    ]
    spent = part_seconds(steps, 0.030)
    assert spent == pytest.approx({"embed": 0.030, "plan": 0.003, "search": 0.020, "rerank": 0.150})
    assert part_seconds([], 0.0) == {}
    assert part_seconds(steps[1:2], 0.5)["search"] == 0
