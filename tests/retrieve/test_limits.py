"""How many moments stay, and which: by intent, by importance, by speaker, by several signals."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from worlds import EMBEDDER, curve_of, moment, places, store_of, tools_of

import onrecord
from onrecord.errors import SettingError
from onrecord.retrieve import Balance, Grouped, Important, Limits, Passages, Threshold, Tools, Weigh
from onrecord.stores.memory import MemoryStore
from onrecord.types import Details, Evidence, Moment, Passage, Plan, Question, Recording

NONE = tools_of({})
MANY = tuple(moment("a", 4 * at, 4 * at + 2, 1 - at / 50) for at in range(30))  # three passages each


def remaining(stage: Limits, intent: str | None) -> int:
    plan = Plan("x", intent) if intent else None
    return sum(len(m.passages) for m in stage.run(Evidence(Question("x"), MANY, plan=plan), NONE).moments)


def test_a_fact_wants_few_and_a_summary_many() -> None:
    """A9: 20-50 passages for a summary, 1-3 for a fact, 30-50 for an exploratory question."""
    assert 1 <= remaining(Limits(), "factual") <= 3
    assert 20 <= remaining(Limits(), "summary") <= 50
    assert 30 <= remaining(Limits(), "exploratory") <= 50
    assert remaining(Limits(), None) == remaining(Limits(), "an intent of later") == 10


def test_the_last_moment_is_cut_around_its_best() -> None:
    moment_cut = replace(MANY[0], peak=2)
    cut = Limits(unplanned=2).run(Evidence(Question("x"), (moment_cut,)), NONE).moments
    assert places(cut) == [("a", [1, 2])] and cut[0].peak == 1


@given(st.integers(1, 100))
def test_a_limit_is_used_up_and_kept(most: int) -> None:
    assert remaining(Limits(unplanned=most), None) == min(most, 90)


def valued(*importances: float | None) -> Evidence:
    moments = [
        Moment((Passage("a", 2 * at, "x", importance=worth),), 1 - at / 10)
        for at, worth in enumerate(importances)
    ]
    return Evidence(Question("x"), tuple(moments))


def test_the_most_important_are_kept() -> None:
    evidence = Important(2, relevance=0)(valued(0.1, 0.9, 0.4, 0.6), NONE)
    assert [m.passages[0].position for m in evidence.moments] == [2, 6] and evidence.trace[0].note == ""


def test_what_speaks_to_the_question_counts_more_than_what_weighs_in_the_talk() -> None:
    far_but_grave = valued(0.1, 0.2, 0.1, 0.9)  # scores fall from the first to the last
    positions = [m.passages[0].position for m in Important(2).run(far_but_grave, NONE).moments]
    assert positions == [0, 2]
    equal = replace(far_but_grave, moments=tuple(replace(m, score=1.0) for m in far_but_grave.moments))
    assert [m.passages[0].position for m in Important(2).run(equal, NONE).moments] == [6, 2]


def test_importance_that_is_not_known_falls_back_to_the_score() -> None:
    evidence = Important(2)(valued(None, None, None), NONE)
    assert [m.passages[0].position for m in evidence.moments] == [0, 2]
    assert evidence.trace[0].note == "by score: the importance of 3 of 3 is not known"
    mixed = (
        Important(2, relevance=0).run(valued(0.2, None, 0.9), NONE).moments
    )  # the second has 0.5 of the scores' range
    assert [m.passages[0].position for m in mixed] == [4, 2]
    assert Important().run(Evidence(Question("x")), NONE).moments == ()


def test_moments_are_grouped_by_the_mean_of_their_recording() -> None:
    """A5, by hand: b has .8, a the mean of .9, .5 and .1, c .4."""
    moments = (moment("a", 0, 0, 0.9), moment("b", 0, 0, 0.8), moment("a", 2, 2, 0.5), moment("c", 0, 0, 0.4))
    whole = Grouped().run(Evidence(Question("x"), (*moments, moment("a", 4, 4, 0.1))), NONE).moments
    assert places(whole) == [("b", [0]), ("a", [0]), ("a", [2]), ("a", [4]), ("c", [0])]
    assert [m.scores["recording"] for m in whole] == pytest.approx([0.8, 0.5, 0.5, 0.5, 0.4])
    assert [m.scores["rank"] for m in whole] == [1, 0, 2, 4, 3]
    assert Grouped().run(Evidence(Question("x")), NONE).moments == ()


def said_by(*speakers: str | None) -> Evidence:
    moments = [Moment((Passage("a", 2 * at, "x", name),), 1 - at / 10) for at, name in enumerate(speakers)]
    return Evidence(Question("x"), tuple(moments))


def test_speakers_take_turns() -> None:
    evidence = Balance(each=2, most=5)(said_by("Ann", "Ann", "Ann", "Bob", None, "Bob"), NONE)
    assert [m.passages[0].speaker for m in evidence.moments] == ["Ann", "Bob", None, "Ann", "Bob"]
    assert evidence.trace[0].note == "Ann, Bob, somebody"


def test_the_best_single_passages_of_a_curve() -> None:
    tools = tools_of({"a": ["one two", "three", "four"], "b": ["five"]})
    start = curve_of(tools, [0.1, 0.7, 0.0, 0.9])
    start = replace(start, curve=replace(start.curve, parts={"dense": np.array([0, 1, 2, 3], np.float32)}))
    moments = Passages(3).run(start, tools).moments
    assert places(moments) == [("b", [0]), ("a", [1]), ("a", [0])]
    assert [m.scores["dense"] for m in moments] == [3, 1, 0]


def test_the_floor_of_the_model_is_another_level() -> None:
    ranked = tuple(moment("a", 2 * at, 2 * at, score, "dense") for at, score in enumerate([0.5, 0.2, 0.05]))
    tools = Tools(store_of({}), EMBEDDER)  # floor .1, sure .3
    count = {
        level: len(Threshold(level=level, least=1).run(Evidence(Question("x"), ranked), tools).moments)
        for level in ("sure", "floor")
    }
    assert count == {"sure": 1, "floor": 2}
    with pytest.raises(SettingError, match=r"Threshold.level.*'sure' or 'floor'"):
        Threshold(level="high")


def dated() -> Tools:
    store = MemoryStore()
    for name, date in (("old", "2019"), ("new", "2024-03"), ("bare", None)):
        passages = [Passage(name, 0, "x", importance=0.5)]
        store.add(Recording(name, name, name, "t", Details(date=date)), passages)
    return Tools(store)


def test_several_signals_make_one_score() -> None:
    """By hand: dense 0, 1, .5 of its range; rerank 1, 0 of its range, and none for the third."""
    tools = dated()
    moments = tuple(
        Moment(tuple(tools.store.transcript(name)), 0.0, scores)
        for name, scores in (
            ("old", {"dense": 0.2, "rerank": 0.9}),
            ("new", {"dense": 0.6, "rerank": 0.1}),
            ("bare", {"dense": 0.4}),
        )
    )
    evidence = Weigh(dense=1, lexical=1, graph=0, rerank=0.4, importance=0, recency=0)(
        Evidence(Question("x"), moments), tools
    )
    assert [(m.recording, round(m.score, 6)) for m in evidence.moments] == [
        ("new", 1),
        ("bare", 0.5),
        ("old", 0.4),
    ]
    assert evidence.trace[0].note.endswith("; without lexical: none of the moments has it")
    newest = Weigh(dense=0, lexical=0, graph=0, rerank=0, importance=0, recency=1)
    assert newest.run(Evidence(Question("x"), moments), tools).moments[0].recording == "new"
    assert Weigh().run(Evidence(Question("x")), tools).moments == ()


def test_the_graph_weighs_moments_of_talk_by_the_names_they_share_with_the_question(tmp_path: Path) -> None:
    """A passage mentions Porto and the question's name, so the passage with Porto alone is two steps away."""
    texts = {
        "asked": "We think that Halden Cycles sells bicycles to everybody.",
        "both": "Last year Halden Cycles opened a shop in Porto for its frames.",
        "beside": "Nobody has seen the shop in Porto.",
        "other": "The soup on Monday was salty, and so was the bread.",
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.txt").write_text(text)
    with onrecord.open(tmp_path / "a.db", embedding={"model": "none"}, make=True) as archive:
        passages = [p for r in archive.add(tmp_path).added for p in archive.transcript(r.id)]
        moments = tuple(Moment((passage,), 0.0, {"dense": 0.5}) for passage in passages)
        by_graph = Weigh(dense=0, lexical=0, graph=1, rerank=0, importance=0)
        with archive.store.snapshot() as reader:
            evidence = by_graph(Evidence(Question("What did Halden Cycles do?"), moments), Tools(reader))
            silent = by_graph(Evidence(Question("What was salty?"), moments), Tools(reader))
    scores = {m.passages[0].text: m.score for m in evidence.moments}
    assert scores[texts["other"]] == 0.0 < scores[texts["beside"]]
    assert scores[texts["beside"]] < min(scores[texts["asked"]], scores[texts["both"]])
    assert silent.trace[0].note.endswith("without graph: none of the moments has it")
