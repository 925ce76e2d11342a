"""The stage that reads candidates with the question and ranks them by whether they answer it."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from worlds import tools_of

from onrecord.errors import ModelError, SettingError
from onrecord.models.base import Reading
from onrecord.models.double import OverlapReader
from onrecord.retrieve import Moments, Read, Search, Tools
from onrecord.retrieve.read import LONGEST, cut, first_words, holding, rendered, sentences_of
from onrecord.types import Evidence, Moment, Passage, Question

FILLER = "we went on and on about this and that and the other thing for quite a while that day"


@pytest.fixture
def tools() -> Tools:
    texts = [FILLER, f"tariffs tariffs tariffs {FILLER}", "Halden margins fell because of frames.", FILLER]
    return replace(tools_of({"r": texts}), reader=OverlapReader())


def read_evidence(tools: Tools, text: str, **settings: object) -> Evidence:
    stages = Search() >> Moments(words=500) >> Read(**settings)
    return stages(Evidence(Question(text)), tools)


def test_what_answers_comes_first(tools: Tools) -> None:
    evidence = read_evidence(tools, "Why did Halden margins fall: because of frames?")
    assert "frames" in evidence.moments[0].text
    assert evidence.moments[0].scores["read"] == max(m.scores.get("read", -99) for m in evidence.moments)


def test_what_is_not_put_in_front_stays_as_it_was_said(tools: Tools) -> None:
    evidence = read_evidence(tools, "Why did Halden margins fall: because of frames?", first=1)
    assert [m.passages[0].position for m in evidence.moments] == [2, 0, 1, 3]


def beside_the_moments(tools: Tools) -> Evidence:
    """Return evidence whose moments lack the passage with the answer, which has the best score of its own."""
    searched = Search()(Evidence(Question("Why did Halden margins fall: because of frames?")), tools)
    curve = searched.curve
    assert curve is not None
    flowed = replace(curve, score=np.array([0.9, 0.8, 0.7, 0.6], np.float32))
    passages = tools.store.passages(curve.timeline.rows[[0, 1, 3]])
    moments = tuple(Moment((passage,), 0.5) for passage in passages)
    return replace(searched, curve=flowed, moments=moments)


def test_a_passage_beside_the_moments_is_read_for_its_own_score(tools: Tools) -> None:
    evidence = Read(most=2)(beside_the_moments(tools), tools)
    assert "frames" in evidence.moments[0].text
    assert all("frames" not in m.text for m in Read(own=0)(beside_the_moments(tools), tools).moments)


def test_what_was_not_read_makes_room_for_what_was(tools: Tools) -> None:
    evidence = Read(most=1, own=2, first=0, words=30)(beside_the_moments(tools), tools)
    assert ["read" in moment.scores for moment in evidence.moments] == [False, True]
    assert "frames" in evidence.moments[1].text


def test_without_a_reader_the_order_stays(tools: Tools) -> None:
    bare = replace(tools, reader=None)
    before = (Search() >> Moments(words=500))(Evidence(Question("tariffs")), bare)
    after = Read()(before, bare)
    assert after.moments == before.moments
    assert "no reader" in after.trace[-1].note


def test_a_reader_that_fails_leaves_the_order_and_says_so(tools: Tools) -> None:
    class Broken(OverlapReader):
        def read(self, question, passages):
            raise ModelError("out of order")

    evidence = read_evidence(replace(tools, reader=Broken()), "tariffs")
    assert evidence.moments
    assert any("out of order" in step.note and step.cut for step in evidence.trace)


def slow(tools: Tools) -> Tools:
    """Return tools with a clock on which a second passes from one look to the next."""
    ticks = iter(range(1000))
    return replace(tools, clock=lambda: float(next(ticks)))


def test_it_stops_where_time_is_over_and_says_that_it_was_cut(tools: Tools) -> None:
    evidence = read_evidence(slow(tools), "tariffs", batch=1, milliseconds=1)
    assert sum("read" in moment.scores for moment in evidence.moments) == 1
    assert [step.note for step in evidence.trace if step.cut] == ["the time was over after 1 of 4"]


@pytest.mark.parametrize("settings", [{"batch": 4}, {"most": 1}])
def test_what_was_read_whole_is_not_cut_however_late(tools: Tools, settings: dict[str, int]) -> None:
    evidence = read_evidence(slow(tools), "tariffs", milliseconds=1, **settings)
    assert any("read" in moment.scores for moment in evidence.moments)
    assert not any(step.cut for step in evidence.trace)


def test_no_more_is_needed_than_a_sure_answer(tools: Tools) -> None:
    class Sure(OverlapReader):
        def read(self, question, passages):
            return [replace(reading, core=reading.core + 20) for reading in super().read(question, passages)]

    evidence = read_evidence(slow(replace(tools, reader=Sure())), "tariffs", batch=1, milliseconds=1)
    assert sum("read" in moment.scores for moment in evidence.moments) == 1
    assert not any(step.cut for step in evidence.trace)


@pytest.mark.parametrize("settings", [{"most": 0}, {"words": 0}, {"own": -1}, {"batch": 0}])
def test_bad_settings_are_refused(settings: dict[str, int]) -> None:
    with pytest.raises(SettingError):
        Read(**settings)


def test_sentences_carry_the_speaker_where_it_changes(tools: Tools) -> None:
    spoken = Passage("r", 0, "Why? It rained. I see.", "Ann", voices=((0, "Ann"), (5, "Bob"), (16, "Ann")))
    texts = rendered(sentences_of(spoken, tools.store))
    assert texts == ["Ann: Why?", "Bob: It rained.", "Ann: I see."]


def test_odds_of_sentences_add_up() -> None:
    reading = Reading(np.array([0.0, 0.0], np.float32), np.zeros(2, np.float32))
    assert holding(reading, 0.0) == pytest.approx(np.log(2))
    assert holding(Reading(np.zeros(0, np.float32), np.zeros(0, np.float32)), 0.0) < -20


sizes = st.lists(st.integers(1, 200), min_size=1, max_size=12)


def moment_of(words: list[int]) -> Moment:
    return Moment(tuple(Passage("r", at, " ".join(["word"] * n)) for at, n in enumerate(words)), 1.0)


@given(sizes)
def test_stretches_hold_every_passage_once_in_order(words: list[int]) -> None:
    moment = moment_of(words)
    stretches = list(cut(Evidence(Question("?"), (moment,))))
    assert [p for stretch in stretches for p in stretch.passages] == list(moment.passages)
    assert all(stretch.words <= LONGEST or len(stretch.passages) == 1 for stretch in stretches)


@given(st.lists(sizes, min_size=1, max_size=4), st.integers(1, 600))
def test_no_more_words_are_left_than_asked_for(moments: list[list[int]], words: int) -> None:
    remaining = first_words([moment_of(sizes) for sizes in moments], words)
    assert sum(m.words for m in remaining) <= max(words, moments[0][0])
    assert remaining and remaining[0].passages[0].position == 0
