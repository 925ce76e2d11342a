"""The headings above quotes."""

import numpy as np
import pytest

from onrecord.answer.paragraphs import heading_for, nothing_on, sides_of
from onrecord.stores.memory import MemoryStore
from onrecord.types import (
    Citation,
    Details,
    Evidence,
    Filter,
    Moment,
    Passage,
    PassageTimeline,
    Plan,
    Question,
    Recording,
)
from onrecord.understand.lexicon import messages_in

LINE = PassageTimeline(*(np.zeros(0, np.int64) for _ in range(4)), names=("r1", "r2"))  # type: ignore[arg-type]


@pytest.mark.parametrize("messages", [messages_in("en"), messages_in("fr")])
@pytest.mark.parametrize("verdict", ["answered", "low_relevance", "low_diversity", "nothing_found"])
@pytest.mark.parametrize("whole", [True, False])
def test_without_citations_there_is_a_heading_all_the_same(messages, verdict, whole):
    assert heading_for(verdict, 0.9, whole, (), LINE, messages)


def cited(title, confidence):
    recording = Recording(title, f"{title}.vtt", "", "webvtt", Details(title=title))
    return Citation(1, recording, "It fell.", (), "Ann", None, None, None, confidence)


@pytest.mark.parametrize(
    ("confidence", "heading"),
    [(0.3, "Two recordings answer this, Call most directly."), (0.02, "Call answers this.")],
)
def test_a_recording_whose_quotes_are_unlikely_is_not_said_to_answer(confidence, heading):
    citations = (cited("Call", 0.6), cited("Desk", confidence))
    assert heading_for("answered", 0.9, False, citations, LINE, messages_in("en")) == heading


def test_two_sides_of_one_speaker_are_told_apart_by_their_subjects():
    store = MemoryStore()
    passage = Passage("a", 0, "The tariff took three points.", "Ann Bell")
    store.add(Recording("a", "a", "a", "t", Details(title="Call", language="en"), 1), [passage])
    queries = ("What did Ann Bell say about tariffs?", "What did Ann Bell say about zebras?")
    plan = Plan("x", "comparison", queries=queries, filters=(Filter("speaker", "Ann Bell", "Ann Bell"),))
    (stored,) = store.transcript("a")
    evidence = Evidence(Question("x"), (Moment((stored,), 1.0, {"side 0": 1.0}),), plan=plan)
    sides = sides_of(evidence, store.timeline(), store)
    assert len({side.label for side in sides}) == 2
    (line,) = nothing_on(sides, sides[:1], messages_in("en"))
    assert "zebras" in line
