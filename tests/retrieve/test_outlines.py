"""Parts of recordings: selected whole, all of them in order, or left out."""

from dataclasses import replace
from datetime import date

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from worlds import EMBEDDER, places

from onrecord.retrieve import DropIrrelevant, Focus, Full, Overall, Search, Sections, Stage, Tools
from onrecord.retrieve.candidates.sections import outline, paths
from onrecord.retrieve.moments.budget import tokens_of
from onrecord.stores.memory import MemoryStore
from onrecord.types import Details, Evidence, Moment, Passage, Question, Recording, Scope, Section
from onrecord.understand.planner import plan

CALL = (
    "welcome to the call everyone",
    "forward looking statements and so on",
    "margins fell as freight costs rose",
    "freight was dear in spring and summer",
    "we opened four workshops in Norway",
    "the workshops repair bicycles",
    "a question about the workshops please",
    "they will open in April",
    "goodbye and thanks for the call",
)
SECTIONS = (
    Section("Opening", first=0, last=1, kind="opening", summary="Welcome to the call."),
    Section("Disclaimer", first=1, last=1, kind="disclaimer", under="Opening"),
    Section("Costs", first=2, last=3, kind="discussion", summary="Margins fell as freight costs rose."),
    Section("Workshops", first=4, last=7, kind="qa", summary="Four workshops were opened."),
    Section("Questions by Ann", first=6, last=7, kind="exchange", under="Workshops"),
)


def tools_of(sections: tuple[Section, ...] = SECTIONS, **fields: list[float]) -> Tools:
    store = MemoryStore()
    for name, texts in (("call", CALL), ("other", ("roses need water", "tulips less"))):
        passages = [Passage(name, at, text) for at, text in enumerate(texts)]
        if name == "call":
            for field, values in fields.items():
                passages = [replace(p, **{field: v}) for p, v in zip(passages, values, strict=True)]
        recording = Recording(name, name, name, "t", Details(title=f"The {name}"), len(texts))
        vectors = EMBEDDER.embed(texts)
        store.add(recording, passages, sections if name == "call" else (), vectors=vectors)
    return Tools(store, EMBEDDER)


def found_by(stage: Stage, question: str, tools: Tools, scope: Scope | None = None) -> Evidence:
    asked = Question(question, scope or Scope())
    understood = plan(asked, tools.store, date(2025, 6, 18), strategies=("balanced", "overview", "full"))
    return (Search() >> stage)(Evidence(asked, plan=understood), tools)


def test_an_outline_is_the_primary_sections_and_what_lies_between() -> None:
    tools = tools_of()
    parts = outline(tools.store.timeline(), 0, tools.store)
    assert [(p.section and p.section.title, p.at.tolist()) for p in parts] == [
        ("Opening", [0, 1]),
        ("Costs", [2, 3]),
        ("Workshops", [4, 5, 6, 7]),
        (None, [8]),
    ]
    assert parts[1].text == "Costs. Margins fell as freight costs rose."


def test_a_single_section_over_all_is_divided_by_those_below_it() -> None:
    below = (Section("Costs", first=0, last=3, under="Talk"), Section("Talk", first=4, last=8, under="Talk"))
    for outer in (Section("Talk", first=0, last=8), Section("Talk", first=-1, last=-1)):
        tools = tools_of((outer, *below))
        parts = [p.at.tolist() for p in outline(tools.store.timeline(), 0, tools.store)]
        assert parts == ([[0, 1, 2, 3], [4, 5, 6, 7, 8]] if outer.first == 0 else [list(range(9))])
    alone = tools_of((Section("Talk", first=0, last=8), Section("Talk", first=0, last=4, under="Talk")))
    assert [p.at.tolist() for p in outline(alone.store.timeline(), 0, alone.store)] == [
        [0, 1, 2, 3, 4],
        [5, 6, 7, 8],
    ]


def test_without_sections_a_recording_is_cut_by_length() -> None:
    tools = tools_of(())
    timeline = tools.store.timeline()
    assert [p.at.tolist() for p in outline(timeline, 0, tools.store)] == [list(range(9))]
    long = replace(timeline, words=np.full(len(timeline), 500, np.int32))
    assert [p.at.tolist() for p in outline(long, 0, tools.store)] == [[0, 1], [2, 3], [4, 5, 6], [7, 8]]


def test_the_way_to_a_section() -> None:
    assert paths(SECTIONS)["Questions by Ann"] == "Workshops > Questions by Ann"
    assert paths([Section("a", under="b"), Section("b", under="a")])["a"] == "b > a"


def test_whole_sections_are_taken_by_what_they_are_about() -> None:
    """E4: from the sections with their summaries, the best one and all of its passages."""
    evidence = found_by(Sections(most=1), "why did margins fall", tools_of())
    assert places(evidence.moments) == [("call", [2, 3])]
    assert evidence.moments[0].scores["section"] == evidence.moments[0].score
    assert evidence.trace[-1].note == "a part without a name"  # passages know their sections from ingest
    both = found_by(Sections(most=3, least=0.0), "freight and workshops", tools_of())
    assert {("call", (2, 3)), ("call", (4, 5, 6, 7))} <= {(n, tuple(at)) for n, at in places(both.moments)}


def test_sections_stay_in_scope() -> None:
    tools = tools_of(speaker=["Ann" if at % 2 else "Bob" for at in range(9)])  # type: ignore[list-item]
    evidence = found_by(Sections(most=1), "workshops", tools, Scope(speakers=("ann",)))
    assert places(evidence.moments) == [("call", [5]), ("call", [7])]


def test_everything_comes_in_order_with_nothing_left_out() -> None:
    evidence = found_by(Full(tokens=4000), "what about the freight", tools_of())
    assert places(evidence.moments) == [
        ("call", [0, 1]),
        ("call", [2, 3]),
        ("call", [4, 5, 6, 7]),
        ("call", [8]),
    ]
    ranks = [m.scores["rank"] for m in evidence.moments]
    assert sorted(ranks) == [0, 1, 2, 3] and ranks[1] == 0
    assert evidence.trace[-1].note.startswith("1 of 2 recordings, ")


@settings(deadline=None)
@given(st.integers(1, 60), st.booleans())
def test_laws_of_everything(tokens: int, titled: bool) -> None:
    """E5: over the budget it is split between passages; no passage is cut or left out."""
    evidence = found_by(Full(tokens), "freight", tools_of(SECTIONS if titled else ()))
    assert [at for _, positions in places(evidence.moments) for at in positions] == list(range(9))
    for moment in evidence.moments:
        size = sum(tokens_of(p.text) for p in moment.passages)
        assert size <= tokens or len(moment.passages) == 1
        assert 0 <= moment.peak < len(moment.passages)


def test_the_best_recording_is_chosen_first() -> None:
    evidence = found_by(Focus(1), "roses", tools_of())
    assert evidence.curve is not None and set(evidence.curve.timeline.recordings.tolist()) == {1}
    assert evidence.trace[-1].note == "1 of 2 recordings"
    assert len(evidence.curve.score) == len(evidence.curve.parts["dense"]) == 2


def test_all_of_a_recording_is_judged_by_what_its_passages_say() -> None:
    worth = [0.1, 0.0, 0.9, 0.8, 0.7, 0.2, 0.3, 0.4, 0.1]
    tools = tools_of(importance=worth)
    scope = Scope(recordings=("call",))
    for question in (
        "Summarize the call",
        "What is the call about?",
        "the call",
        "Give me the full transcript of the call",
    ):
        evidence = found_by(Overall(), question, tools, scope)
        assert evidence.curve is not None and evidence.curve.score.tolist() == pytest.approx(worth)
    for question in ("Summarize the freight costs", "What are the workshops about?"):
        before = found_by(Focus(9), question, tools, scope)
        assert Overall().run(before, tools) == before
    bare = tools_of()
    left = found_by(Focus(9), "Summarize the call", bare, scope)
    assert Overall().run(left, bare) == left


def evidence_of(tools: Tools, *positions: int) -> Evidence:
    moments = [
        Moment(tuple(tools.store.transcript("call", at, at)), 1 - rank / 10)
        for rank, at in enumerate(positions)
    ]
    return Evidence(Question("why did margins fall, freight?"), tuple(moments))


def test_passages_of_sections_that_say_nothing_are_dropped() -> None:
    tools = tools_of()
    remaining = DropIrrelevant(keep=1, least=0.0)(evidence_of(tools, 0, 1, 2, 8), tools)
    assert places(remaining.moments) == [
        ("call", [2]),
        ("call", [8]),
    ]  # the last passage is in no known section
    assert remaining.trace[0].note == "2 dropped by their section"


def test_passages_of_sections_about_something_else_are_dropped() -> None:
    tools = tools_of()
    assert places(DropIrrelevant(keep=1).run(evidence_of(tools, 2, 4, 3), tools).moments) == [
        ("call", [2]),
        ("call", [3]),
    ]


def test_enough_is_kept_whatever_its_section() -> None:
    tools = tools_of()
    assert places(DropIrrelevant(keep=3).run(evidence_of(tools, 0, 2, 4, 1), tools).moments) == [
        ("call", [0]),
        ("call", [2]),
        ("call", [4]),
    ]
