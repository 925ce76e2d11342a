"""The headings above quotes."""

import numpy as np
import pytest

from onrecord.answer.paragraphs import heading_for
from onrecord.types import Citation, Details, PassageTimeline, Recording
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
