"""Strategies are values: named sequences of stages."""

from dataclasses import fields
from pathlib import Path
from typing import TypeVar

import pytest

import onrecord
import onrecord.retrieve as r
from onrecord.errors import MissingToolError, NotFoundError, SettingError
from onrecord.models.double import HashingEmbedder, OverlapReranker
from onrecord.stores.memory import MemoryStore
from onrecord.strategies import BALANCED, DIRECT, STRATEGIES, Strategy, named
from onrecord.types import Details, Passage, Question, Recording

S = TypeVar("S", bound=r.Stage)
TEXTS = [
    "welcome to the show",
    "margins fell because freight costs rose",
    "yes, exactly",
    "see you next week",
]


@pytest.fixture
def tools() -> r.Tools:
    """Return tools for an archive with one short recording."""
    store, embedder = MemoryStore(), HashingEmbedder()
    passages = [Passage("show", at, text) for at, text in enumerate(TEXTS)]
    store.add(Recording("show", "s", "c", "test", Details()), passages, vectors=embedder.embed(TEXTS))
    return r.Tools(store, embedder)


SEARCHING = [strategy for strategy in STRATEGIES.values() if strategy.name not in ("overview", "acts")]


@pytest.mark.parametrize("strategy", SEARCHING, ids=str)
def test_every_preset_finds_the_passage_and_leaves_a_trace(strategy: Strategy, tools: r.Tools) -> None:
    """Every searching preset ranks the right passage first and records its steps."""
    evidence = strategy.retrieve(Question("Why did margins fall?"), tools)
    best = evidence.moments[0]
    assert best.passages[best.peak].text == TEXTS[1]
    assert len(evidence.trace) >= 2 and all(step.seconds >= 0 for step in evidence.trace)


@pytest.mark.parametrize("strategy", STRATEGIES.values(), ids=str)
def test_every_preset_bears_an_empty_archive(strategy: Strategy) -> None:
    """No preset fails on an empty archive."""
    empty = r.Tools(MemoryStore(), HashingEmbedder())
    assert strategy.retrieve(Question("anything?"), empty).moments == ()


def test_a_user_can_make_their_own(tools: r.Tools) -> None:
    careful = Strategy("careful", r.Fuse(r.Keyword(50), r.Semantic(50)) >> r.Moments(words=1000))
    assert careful.retrieve(Question("freight costs"), tools).moments[0].words == 16
    assert ">> Moments(words=1000, " in repr(careful.stages)


def test_balanced_does_without_an_embedder_and_direct_refuses(tools: r.Tools) -> None:
    """Without an embedder, ``balanced`` still searches, and ``direct`` raises an error."""
    bare = r.Tools(tools.store)
    assert BALANCED.retrieve(Question("freight costs"), bare).moments
    with pytest.raises(MissingToolError, match="embedder"):
        DIRECT.retrieve(Question("freight costs"), bare)


def test_the_page_on_strategies_lists_every_stage() -> None:
    stages = {name for name in r.__all__ if issubclass(getattr(r, name), r.Stage)} - {"Stage", "Sequence"}
    page = (Path(__file__).parent.parent / "docs" / "strategies.md").read_text()
    rows = "".join(line for line in page.splitlines() if line.startswith("| `"))
    assert {stage for stage in stages if f"`{stage}(" not in rows} == set()


def test_a_wrong_name_suggests_the_right_one() -> None:
    assert named("balanced") is BALANCED
    with pytest.raises(NotFoundError, match="did you mean 'balanced'"):
        named("balancd")
    with pytest.raises(NotFoundError, match="there are auto, balanced, fast, direct"):
        named("zzz")


# ---------------------------------------------------------------- figures of the specification


def stages_of(strategy: Strategy) -> list[r.Stage]:
    """Return the stages of a strategy in order, including nested ones."""
    stages, waiting = [], [strategy.stages]
    while waiting:
        stage = waiting.pop(0)
        held = [value for field in fields(stage) for value in [getattr(stage, field.name)]]
        inner = [s for v in held for s in (v if isinstance(v, tuple) else (v,)) if isinstance(s, r.Stage)]
        waiting = inner + waiting
        stages += [] if isinstance(stage, r.Sequence) else [stage]
    return stages


def the(kind: type[S], strategy: Strategy) -> S:
    """Return the only stage of a type in a strategy."""
    (stage,) = [stage for stage in stages_of(strategy) if type(stage) is kind]
    return stage  # type: ignore[return-value]


def test_direct_takes_ten_that_are_near_or_the_best_three() -> None:
    """Requirement A3: ``direct`` keeps at most ten near passages, and at least the best three.

    Requirement A9 gives other limits for other intents.
    """
    assert the(r.Threshold, DIRECT).least == 3 and the(r.Threshold, DIRECT).floor is None
    assert the(r.Limits, DIRECT).unplanned == 10


def test_each_type_of_question_has_its_number_and_its_diversity() -> None:
    """Requirement B2: the number of passages and the diversity of each type of question.

    The required values are 5 and 0.2; 10 to 15 and 0.1; 5 for each aspect and 0.4; 8 to 10 and 0.5.
    """
    figures = {
        name: the(r.Diverse, STRATEGIES[name]) for name in ("factual", "summary", "comparison", "exploratory")
    }
    assert {name: (stage.most, stage.diversity) for name, stage in figures.items()} == {
        "factual": (5, 0.2),
        "summary": (15, 0.1),
        "comparison": (5, 0.4),
        "exploratory": (10, 0.5),
    }
    assert the(r.Sides, STRATEGIES["comparison"]).each == 5
    assert the(r.Focus, STRATEGIES["summary"]).recordings == 1


def test_the_first_stage_takes_twenty_and_weighs_meaning_before_words() -> None:
    """Requirements B3 and B5: the figures of the first stage, and reranking.

    B3: 20 candidates, weights of 0.7 (dense) and 0.3 (lexical), the floor of the model, and five kept
    passages. B5: results are reranked if a reranker is available.
    """
    factual = STRATEGIES["factual"]
    assert (the(r.Search, factual).dense, the(r.Search, factual).lexical) == (0.7, 0.3)
    assert the(r.Passages, factual).most == 20
    floor = the(r.Threshold, factual)
    assert (floor.level, floor.most, floor.least) == ("floor", 20, 5)
    assert the(r.Rerank, factual).most == 20


def test_earnings_calls_take_six_stages() -> None:
    """Requirement E3: the six stages for earnings calls, exactly as specified."""
    assert [type(stage) for stage in stages_of(STRATEGIES["earnings"])] == [
        r.Semantic,
        r.DropIrrelevant,
        r.Important,
        r.Neighbours,
        r.ReadingOrder,
        r.FillGaps,
    ]
    earnings = STRATEGIES["earnings"]
    assert (the(r.Semantic, earnings).most, the(r.Important, earnings).most) == (20, 10)
    assert the(r.Neighbours, earnings).over == 0.7
    assert (the(r.FillGaps, earnings).smaller, the(r.FillGaps, earnings).tokens) == (5, 4000)


@pytest.mark.parametrize("strategy", STRATEGIES.values(), ids=lambda s: s.name)
def test_every_preset_says_what_it_is_for_and_has_a_page(strategy: Strategy) -> None:
    page = Path(__file__).parent.parent / "docs" / "strategies" / f"{strategy.name}.md"
    assert strategy.about and page.read_text().startswith(f"# {strategy.name}\n")
    assert f"strategies/{strategy.name}.md" in page.parent.with_suffix(".md").read_text()


@pytest.mark.parametrize("strategy", STRATEGIES.values(), ids=lambda s: s.name)
def test_no_preset_shows_a_passage_twice(strategy: Strategy, tools: r.Tools) -> None:
    for text in ("Why did margins fall?", "Compare the show and the costs", "next week, exactly", "this"):
        shown = [p.row for m in strategy.retrieve(Question(text), tools).moments for p in m.passages]
        assert len(shown) == len(set(shown))


# ---------------------------------------------------------------- in an archive


def test_the_reranker_of_the_settings_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def opened(name: str) -> OverlapReranker:
        asked.append(name)
        return OverlapReranker()

    monkeypatch.setattr("onrecord.archive.models.open_reranker", opened)
    rerank = {"model": "fastembed:some/model", "milliseconds": 50}
    (tmp_path / "talk.md").write_text(
        "**Ann:** Margins fell as freight costs rose.\n\n**Bob:** Roses need water.\n"
    )
    with onrecord.open(tmp_path / "a.db", rerank=rerank, embedding={"model": "hashing"}) as archive:
        archive.add(tmp_path / "talk.md")
        evidence = archive.search("why did freight costs rise", "factual")
        assert all("rerank" in moment.scores for moment in evidence.moments)
        archive.search("roses", "factual")
    assert asked == ["fastembed:some/model"]  # the reranker is opened once


def test_a_reranker_that_is_none_is_refused_with_its_setting(tmp_path: Path) -> None:
    """An unknown reranker is refused with the name of the setting."""
    with (
        onrecord.open(tmp_path / "a.db", rerank={"model": "bge"}, embedding={"model": "hashing"}) as archive,
        pytest.raises(SettingError, match=r"rerank.model"),
    ):
        archive.search("anything", "factual")
