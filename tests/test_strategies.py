"""Strategies are values: stages under a name."""

import pytest

import onrecord.retrieve as r
from onrecord.errors import NotFoundError, RetrievalError
from onrecord.models.double import HashingEmbedder
from onrecord.stores.memory import MemoryStore
from onrecord.strategies import BALANCED, DIRECT, STRATEGIES, Strategy, named
from onrecord.types import Details, Passage, Question, Recording

TEXTS = [
    "welcome to the show",
    "margins fell because freight costs rose",
    "yes, exactly",
    "see you next week",
]


@pytest.fixture
def tools() -> r.Tools:
    store, embedder = MemoryStore(), HashingEmbedder()
    passages = [Passage("show", at, text) for at, text in enumerate(TEXTS)]
    store.add(Recording("show", "s", "c", "test", Details()), passages, vectors=embedder.embed(TEXTS))
    return r.Tools(store, embedder)


SEARCHING = [strategy for strategy in STRATEGIES.values() if strategy.name != "overview"]


@pytest.mark.parametrize("strategy", SEARCHING, ids=str)
def test_every_preset_finds_the_passage_and_leaves_a_trail(strategy: Strategy, tools: r.Tools) -> None:
    evidence = strategy.retrieve(Question("Why did margins fall?"), tools)
    best = evidence.moments[0]
    assert best.passages[best.peak].text == TEXTS[1]
    assert len(evidence.trail) >= 2 and all(step.seconds >= 0 for step in evidence.trail)


@pytest.mark.parametrize("strategy", STRATEGIES.values(), ids=str)
def test_every_preset_bears_an_empty_archive(strategy: Strategy) -> None:
    empty = r.Tools(MemoryStore(), HashingEmbedder())
    assert strategy.retrieve(Question("anything?"), empty).moments == ()


def test_a_user_can_make_their_own(tools: r.Tools) -> None:
    careful = Strategy("careful", r.Fuse(r.Keyword(50), r.Semantic(50)) >> r.Moments(words=1000))
    assert careful.retrieve(Question("freight costs"), tools).moments[0].words == 16
    assert ">> Moments(words=1000, " in repr(careful.stages)


def test_balanced_does_without_an_embedder_and_direct_refuses(tools: r.Tools) -> None:
    bare = r.Tools(tools.store)
    assert BALANCED.retrieve(Question("freight costs"), bare).moments
    with pytest.raises(RetrievalError, match="embedder"):
        DIRECT.retrieve(Question("freight costs"), bare)


def test_a_wrong_name_suggests_the_right_one() -> None:
    assert named("balanced") is BALANCED
    with pytest.raises(NotFoundError, match="did you mean 'balanced'"):
        named("balancd")
    with pytest.raises(NotFoundError, match="there are auto, balanced, direct"):
        named("zzz")
