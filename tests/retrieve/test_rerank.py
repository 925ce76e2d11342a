"""Reranking: the best moments are read again, best first, while time is left."""

from collections.abc import Sequence
from dataclasses import replace
from threading import Event
from time import perf_counter

import numpy as np
import pytest
from worlds import moment, store_of

from onrecord.errors import RerankError, SettingError
from onrecord.models.double import OverlapReranker
from onrecord.retrieve import Rerank, Tools
from onrecord.retrieve.rerank import text_to_rerank
from onrecord.types import Evidence, Moment, Passage, Question

TEXTS = ("nothing much", "freight costs", "freight costs rose", "other things", "more of them")
FOUND = tuple(
    Moment((Passage("a", 2 * at, text),), 1 - at / 10, {"dense": 0.5}) for at, text in enumerate(TEXTS)
)
QUESTION = Evidence(Question("why freight costs rose"), FOUND)


class Slow(OverlapReranker):
    """A reranker with a clock of its own, on which every batch takes 60 ms."""

    def __init__(self) -> None:
        self.now = 0.0

    def score(self, question: str, texts: Sequence[str]) -> np.ndarray:
        self.now += 0.06
        return super().score(question, texts)


class Broken:
    name = "broken"

    def score(self, question: str, texts: Sequence[str]) -> np.ndarray:
        raise RerankError("the reranker is gone")


def tools(reranker: object) -> Tools:
    return Tools(store_of({}), reranker=reranker, rerank_milliseconds=60_000)


def test_the_reranker_decides() -> None:
    moments = Rerank().run(QUESTION, tools(OverlapReranker())).moments
    assert [m.text for m in moments[:2]] == ["freight costs rose", "freight costs"]
    assert moments[0].scores == {"dense": 0.5, "rerank": 0.75} and moments[0].score == 0.75


def test_only_the_best_are_read_and_the_others_come_after() -> None:
    moments = Rerank(most=2).run(QUESTION, tools(OverlapReranker())).moments
    assert [m.text for m in moments] == [TEXTS[1], TEXTS[0], *TEXTS[2:]]
    scores = [m.score for m in moments]
    assert scores == sorted(scores, reverse=True)


def test_it_stops_where_the_next_batch_would_be_too_late_and_says_so() -> None:
    slow = Slow()
    step = replace(tools(slow), clock=lambda: slow.now)
    reranked = Rerank(batch=1, milliseconds=200)(QUESTION, step)
    assert reranked.trace[0].note == "the time was over after 3 of 5"
    assert slow.now == pytest.approx(0.18)
    in_time = Rerank(batch=1, milliseconds=400)(QUESTION, step)
    assert in_time.trace[0].note == ""


def test_batches_are_as_large_as_fits_and_the_limit_of_the_tools_counts() -> None:
    sizes = []

    class Even(OverlapReranker):
        now = 0.0

        def score(self, question: str, texts: Sequence[str]) -> np.ndarray:
            sizes.append(len(texts))
            self.now += 0.05 * len(texts)
            return super().score(question, texts)

    even = Even()
    step = replace(tools(even), clock=lambda: even.now, rerank_milliseconds=210)
    reranked = Rerank(batch=5)(QUESTION, step)
    assert sizes == [1, 3] and even.now <= 0.21
    assert sum("rerank" in m.scores for m in reranked.moments) == 4


def test_what_takes_too_long_is_not_waited_for_the_first_batch_neither() -> None:
    over = Event()

    class Stuck(OverlapReranker):
        def score(self, question: str, texts: Sequence[str]) -> np.ndarray:
            over.wait(30)
            return super().score(question, texts)

    began = perf_counter()
    reranked = Rerank(milliseconds=50)(QUESTION, tools(Stuck()))
    took = perf_counter() - began
    over.set()
    assert reranked.moments == FOUND and took < 5
    assert reranked.trace[0].note == "the time was over before one of 5" and reranked.trace[0].cut


def test_no_time_at_all_reads_nothing() -> None:
    assert Rerank(milliseconds=0)(QUESTION, tools(OverlapReranker())).moments == FOUND


def test_without_a_reranker_nothing_changes_and_that_is_said() -> None:
    step = Rerank()(QUESTION, tools(None))
    assert step.moments == FOUND and "there is no reranker" in step.trace[0].note


def test_one_that_fails_leaves_everything_as_it_was() -> None:
    step = Rerank()(QUESTION, tools(Broken()))
    assert step.moments == FOUND
    assert step.trace[0].note == "left as it was: the reranker is gone"


def test_the_weight_is_the_share_of_the_reranker() -> None:
    assert Rerank(weight=0).run(QUESTION, tools(OverlapReranker())).moments[0].text == TEXTS[0]
    with pytest.raises(SettingError, match=r"Rerank.weight.*from 0 to 1"):
        Rerank(weight=1.5)


def test_one_that_knows_only_a_share_is_heard_beside_the_ranking_that_was_there() -> None:
    class Half(OverlapReranker):
        share = 0.5

    alone = Rerank().run(QUESTION, tools(OverlapReranker()))
    half = Rerank().run(QUESTION, tools(Half()))
    before = {m.text: m.score for m in FOUND}
    low, high = min(before.values()), max(before.values())
    read = {m.text: m.scores["rerank"] for m in half.moments}
    spread = max(read.values()) - min(read.values())
    for result in half.moments:
        judged = (read[result.text] - min(read.values())) / spread
        assert result.score == pytest.approx(0.5 * judged + 0.5 * (before[result.text] - low) / (high - low))
    assert [m.text for m in half.moments] != [m.text for m in FOUND]
    assert {m.text: m.scores["rerank"] for m in alone.moments} == pytest.approx(read)


def test_what_is_read_begins_with_the_best_passage() -> None:
    long = replace(moment("a", 0, 3), peak=2)
    assert text_to_rerank(long) == "a says 2 a says 3"
    assert len(text_to_rerank(Moment((Passage("a", 0, "word " * 900),), 1.0)).split()) == 200
