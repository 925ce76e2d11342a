"""Comparing strategies: gold words shown, ranks of units, and bootstrap intervals."""

from dataclasses import replace

import numpy as np
import pytest

from onrecord.errors import InputError
from onrecord.evaluate import Dataset, Labelled, Unit, compare, fill
from onrecord.evaluate.intervals import bootstrap
from onrecord.evaluate.judge import Judge, by_score
from onrecord.ingest.passages import Cutter
from onrecord.models.double import HashingEmbedder
from onrecord.retrieve import Keyword, Moments, Search, Smooth, Tools
from onrecord.stores.memory import MemoryStore
from onrecord.strategies import Strategy
from onrecord.types import Curve, Evidence, Moment, PassageTimeline, Question

TEXTS = {
    "a": ["why did margins fall", "well freight costs rose", "and margins fell with them", "thank you"],
    "b": ["margins are another story", "good night"],
}
UNITS = {
    name: [Unit(f"{name}:{i}", name, t, f"S{i}") for i, t in enumerate(texts)]
    for name, texts in TEXTS.items()
}
ASKED = Labelled("q", "why did margins fall", {"a:1": 1.0, "a:2": 1.0}, "a", exclude=("a:0",), type="why")
DATASET = Dataset("toy", UNITS, [ASKED, Labelled("r", "good night", {"b:1": 1.0}, "b")])
WORDS = Strategy("words", Keyword(10))
LINE = Strategy("line", Search() >> Smooth(forward=5, backward=5) >> Moments(words=1000))


@pytest.fixture
def tools(monkeypatch: pytest.MonkeyPatch) -> Tools:
    monkeypatch.setattr("onrecord.retrieve.curve.layout.FULL", 1)  # treats a recording of four turns as long
    store, embedder = MemoryStore(), HashingEmbedder()
    fill(store, DATASET, embedder)
    return Tools(store, embedder)


def test_words_are_judged_through_any_cut() -> None:
    """Gold words do not depend on how the passages are cut."""
    store = MemoryStore()
    fill(store, DATASET, cutter=Cutter(least=6, most=9, aside=0))
    judge = Judge(DATASET, store)
    passages = store.transcript("a")
    assert len(passages) < len(UNITS["a"]) and judge.count_gold(ASKED) == 9
    evidence = Evidence(Question("x"), (Moment(tuple(passages), 1.0),))
    assert judge.mask_gold(evidence, ASKED).tolist() == [False] * 4 + [True] * 9 + [False] * 2
    assert judge.rank_units(evidence) == ["a:0", "a:1", "a:2", "a:3"]


def test_passages_rank_by_the_curve_unless_a_later_stage_ranked_otherwise(tools: Tools) -> None:
    timeline = tools.store.timeline()
    # Rows 0 to 3 are passages a:0 to a:3; rows 4 and 5 are b:0 and b:1.
    rows = dict(zip([0, 1, 2, 3, 4, 5], tools.store.passages(timeline.rows), strict=True))
    score = np.array([0.1, 0.9, 0.4, 0.2, 0.5, 0.3], np.float32)
    first, second = Moment((rows[1], rows[2]), 0.9), Moment((rows[4],), 0.5)

    def ranked(*moments: Moment, curve: Curve | None = Curve(timeline, score)) -> list[str]:  # noqa: B008
        passages = by_score(Evidence(Question("q"), moments, curve))
        return [f"{p.recording}:{p.position}" for p in passages]

    assert ranked(first, second) == ["a:1", "b:0", "a:2"]
    assert ranked(second, first) == ["b:0", "a:1", "a:2"]  # a reranker changed the order
    reranked = [replace(m, scores={"rank": float(at)}) for at, m in enumerate((first, second))]
    assert ranked(reranked[1], reranked[0]) == ["a:1", "b:0", "a:2"]  # by rank, though shown in reading order
    assert ranked(first, second, curve=None) == ["a:1", "a:2", "b:0"]
    few = PassageTimeline(
        timeline.rows[:2], timeline.recordings[:2], timeline.positions[:2], timeline.words[:2], timeline.names
    )
    assert ranked(Moment((rows[0], rows[1], rows[2]), 1.0), curve=Curve(few, score[:2])) == [
        "a:1",
        "a:0",
        "a:2",
    ]


def test_a_store_filled_with_something_else_is_reported(tools: Tools) -> None:
    other = Dataset("other", {"a": [Unit("a:0", "a", "other words")]}, [])
    with pytest.raises(InputError, match="fill an empty workspace"):
        Judge(other, tools.store).rows(["a:0"])


def test_the_asking_unit_is_neither_found_nor_helps(tools: Tools) -> None:
    """The unit that asks the question is hidden from the search."""
    seen = {}

    class Spy(Keyword):
        def run(self, evidence: Evidence, tools: Tools) -> Evidence:
            after = super().run(evidence, tools)
            seen[evidence.question.text] = [m.passages[0].text for m in after.moments]
            return after

    compare(tools, DATASET, [Strategy("spy", Spy(10))])
    assert TEXTS["a"][0] not in seen[ASKED.text] and TEXTS["a"][2] in seen[ASKED.text]


def test_figures_of_two_strategies_by_hand(tools: Tools) -> None:
    report = compare(tools, DATASET, [WORDS, LINE], known=True)
    # Only "and margins fell with them" shares a word with the question: one of two units, five of nine words.
    assert report.values["words"]["recall@5"].tolist() == [0.5, 1.0]
    assert report.values["words"]["R"] == pytest.approx([5 / 9, 1.0])
    assert report.values["words"]["mrr"].tolist() == [1.0, 1.0]
    assert report.values["line"]["R"].tolist() == [1.0, 1.0]
    assert report.mean("line", "R") == 1.0
    assert report.difference("line", "words", "R").mean == pytest.approx(2 / 9)
    assert report.of_type("why").mean("words", "R") == pytest.approx(5 / 9)


def test_every_stage_is_timed(tools: Tools) -> None:
    times = compare(tools, DATASET, [LINE]).percentile("line", 95)
    assert [name.split("(")[0] for name in times] == ["Search", "Smooth", "Moments", "total"]
    assert 0 < max(times[stage] for stage in times if stage != "total") <= times["total"]


def test_the_bootstrap_interval() -> None:
    values = np.random.default_rng(1).normal(0.5, 1, 400)
    interval = bootstrap(values)
    error = values.std() / 20
    assert interval.mean == pytest.approx(values.mean())
    assert interval.low == pytest.approx(values.mean() - 1.96 * error, abs=error / 4)
    assert interval.high == pytest.approx(values.mean() + 1.96 * error, abs=error / 4)
    assert bootstrap(values) == interval
    assert str(bootstrap(np.ones(3))) == "1.000 [1.000, 1.000]"
    assert np.isnan(bootstrap(np.zeros(0)).mean)
