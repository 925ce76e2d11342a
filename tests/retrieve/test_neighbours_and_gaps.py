"""The surroundings of a moment: relevant neighbors, gaps, and the reading order."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from worlds import EMBEDDER, places

from onrecord.retrieve import FillGaps, Neighbours, ReadingOrder, Tools
from onrecord.retrieve.moments.budget import tokens_of
from onrecord.stores.memory import MemoryStore
from onrecord.types import Details, Evidence, Moment, Passage, Question, Recording, Scope

LONG = 20


def tools_with(**judged: list[float | None]) -> Tools:
    """Two recordings of twenty passages of four words (5 tokens) each; Ann and Bob take turns."""
    store = MemoryStore()
    for name in ("a", "b"):
        passages = [
            Passage(name, at, f"{name} says word {at:02}", speaker="Ann Bell" if at % 2 else "Bob Cray")
            for at in range(LONG)
        ]
        for field, values in judged.items():
            passages = [replace(p, **{field: v}) for p, v in zip(passages, values, strict=True)]
        texts = [p.text for p in passages]
        store.add(Recording(name, name, name, "t", Details(), LONG), passages, vectors=EMBEDDER.embed(texts))
    return Tools(store, EMBEDDER)


JUDGED = tools_with(before=[0.9] * LONG, after=[0.1] * LONG)
PLAIN = tools_with()


def evidence(tools: Tools, *spans: tuple[str, int, int], scope: Scope | None = None) -> Evidence:
    moments = [Moment(tuple(tools.store.transcript(*span)), 1 - rank / 10) for rank, span in enumerate(spans)]
    return Evidence(Question("x", scope or Scope()), tuple(moments))


def shown(retrieved: Evidence) -> list[tuple[str, int]]:
    return [(name, at) for name, positions in places(retrieved.moments) for at in positions]


def test_neighbours_are_added_where_they_belong() -> None:
    retrieved = Neighbours(0.7)(evidence(JUDGED, ("a", 4, 5), ("b", 0, 0)), JUDGED)
    assert places(retrieved.moments) == [("a", [3, 4, 5]), ("b", [0])]
    assert retrieved.moments[0].peak == 1 and retrieved.trace[0].note == "1 passages added"
    both = tools_with(before=[0.71] * LONG, after=[0.71] * LONG)
    assert places(Neighbours(0.7).run(evidence(both, ("a", 4, 4)), both).moments) == [("a", [3, 4, 5])]


def test_what_nobody_judged_is_judged_by_its_vector() -> None:
    # "a says word 04" and its neighbors share all words but one
    assert places(Neighbours(0.4).run(evidence(PLAIN, ("a", 4, 4)), PLAIN).moments) == [("a", [3, 4, 5])]
    assert places(Neighbours(0.99).run(evidence(PLAIN, ("a", 4, 4)), PLAIN).moments) == [("a", [4])]


def test_a_neighbour_that_another_moment_has_is_not_added_twice() -> None:
    both = tools_with(before=[0.9] * LONG, after=[0.9] * LONG)
    retrieved = Neighbours(0.7).run(evidence(both, ("a", 4, 4), ("a", 6, 6), ("a", 8, 8)), both)
    assert places(retrieved.moments) == [("a", [3, 4, 5]), ("a", [6, 7]), ("a", [8, 9])]


def test_neighbours_stay_in_scope() -> None:
    both = tools_with(before=[0.9] * LONG, after=[0.9] * LONG)
    scope = Scope(speakers=("ann",))
    assert places(Neighbours(0.7).run(evidence(both, ("a", 5, 5), scope=scope), both).moments) == [("a", [5])]


def test_small_gaps_are_filled_the_smallest_first() -> None:
    start = evidence(PLAIN, ("a", 12, 12), ("a", 2, 2), ("a", 5, 5), ("b", 3, 3), ("b", 5, 5))
    retrieved = FillGaps(smaller=5, tokens=4000)(start, PLAIN)
    assert places(retrieved.moments) == [("a", [2, 3, 4, 5]), ("a", [12]), ("b", [3, 4, 5])]
    assert retrieved.trace[0].note == "3 passages filled in"
    # five moments of 4 tokens; one gap of one passage fits, the one of two does not
    tight = FillGaps(smaller=5, tokens=24).run(start, PLAIN)
    assert places(tight.moments) == [("a", [2]), ("a", [5]), ("a", [12]), ("b", [3, 4, 5])]


def test_a_gap_of_as_many_as_said_is_not_small() -> None:
    start = evidence(PLAIN, ("a", 0, 0), ("a", 5, 5))
    assert len(FillGaps(smaller=4).run(start, PLAIN).moments) == 2
    assert places(FillGaps(smaller=5).run(start, PLAIN).moments) == [("a", [0, 1, 2, 3, 4, 5])]


def test_a_gap_is_filled_wholly_or_not_at_all() -> None:
    start = evidence(PLAIN, ("a", 1, 1), ("a", 5, 5), scope=Scope(speakers=("ann",)))
    assert places(FillGaps().run(start, PLAIN).moments) == [("a", [1]), ("a", [5])]


SPANS = st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, LONG - 3), st.integers(0, 2)), max_size=7)


@settings(deadline=None)
@given(SPANS, st.integers(1, 8), st.integers(0, 250), st.booleans())
def test_laws_of_neighbours_and_gaps(
    spans: list[tuple[str, int, int]], smaller: int, tokens: int, judged: bool
) -> None:
    """No passage appears twice or is lost, the budget holds, and only passages in between are added."""
    tools = JUDGED if judged else PLAIN
    start = evidence(tools, *((name, first, first + more) for name, first, more in spans))
    wide = (Neighbours(0.7) >> ReadingOrder())(start, tools)
    assert len(shown(wide)) == len(set(shown(wide)))
    assert set(shown(start)) <= set(shown(wide))
    full = FillGaps(smaller, tokens).run(wide, tools)
    assert len(shown(full)) == len(set(shown(full)))
    before = sum(tokens_of(p.text) for m in wide.moments for p in m.passages)
    after = sum(tokens_of(p.text) for m in full.moments for p in m.passages)
    assert after <= max(before, tokens)
    for name, at in set(shown(full)) - set(shown(wide)):
        around = [place for place in shown(wide) if place[0] == name]
        assert any(there < at for _, there in around) and any(there > at for _, there in around)


@pytest.mark.parametrize("stage", [Neighbours(), ReadingOrder(), FillGaps()])
def test_nothing_found_stays_nothing(stage: Neighbours) -> None:
    assert stage.run(Evidence(Question("x")), PLAIN).moments == ()
