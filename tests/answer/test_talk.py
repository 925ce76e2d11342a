"""How well what was said was found, sentence by sentence."""

import numpy as np
import pytest
from talks import found, talks, tools

from onrecord.answer.talk import Talk
from onrecord.retrieve import RecordingPrior
from onrecord.types import Question


def test_a_sentence_is_worth_what_it_is_by_itself_wherever_its_recording_stands() -> None:
    work = tools(talks())
    evidence = found(Question("Why did margins fall?"), work)
    weighed = RecordingPrior().run(evidence, work)
    assert evidence.curve is not None and weighed.curve is not None
    assert not np.array_equal(weighed.curve.score, evidence.curve.score)
    before, after = Talk(evidence, 8, work.store), Talk(weighed, 8, work.store)
    assert after.relevance.tolist() == pytest.approx(before.relevance.tolist())
