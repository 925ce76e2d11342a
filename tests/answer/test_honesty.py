import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.answer.honesty import ANSWERED, NOTHING, SURE, Signs, all_alike, confidence, signs, verdict
from onrecord.models.base import Calibration
from onrecord.retrieve.wording import Wording
from onrecord.types import Evidence, Moment, Passage, Question

MODEL = Calibration(floor=0.2, sure=0.6)
SHARES = st.floats(0, 1)
SPOKEN = Moment(
    (Passage("r", 0, "Margins fell.", "Ann"), Passage("r", 1, "Freight rose.", "Bo")), 0.7, {"dense": 0.5}
)


def found(*moments: Moment) -> Evidence:
    return Evidence(Question("q"), moments)


def test_signs_of_what_was_found() -> None:
    words = Wording({"margin": 0.25, "freight": 0.5, "zanzibar": 1.0, "ann": 0.25})
    seen = signs(found(SPOKEN), words, MODEL, 200)
    assert seen.closeness == pytest.approx(0.75)
    assert seen.coverage == pytest.approx(0.25)  # the best passage: margin and ann, or freight and no more
    assert seen.matched == pytest.approx(0.5)
    assert seen.absent == pytest.approx(0.5)


def test_without_vectors_there_is_no_closeness() -> None:
    words = Wording({"margin": 0.5})
    assert signs(found(SPOKEN), words, None, 200).closeness is None
    by_words = Moment(SPOKEN.passages, 3.0, {"lexical": 3.0, "dense": 0.0})
    assert signs(found(by_words), words, MODEL, 200).closeness is None
    assert signs(found(), words, MODEL, 0) == Signs(None, 0.0, 0.0, 0.0, 0)


@given(st.one_of(st.none(), st.floats(-2, 3)), SHARES, st.floats(0, 20), SHARES)
def test_confidence_is_a_probability(
    closeness: float | None, coverage: float, matched: float, absent: float
) -> None:
    assert 0 < confidence(Signs(closeness, coverage, matched, absent, 400)) < 1


@given(st.floats(-1, 2), SHARES, st.floats(0, 9), SHARES)
def test_confidence_rises_with_what_speaks_for_an_answer(
    closeness: float, coverage: float, matched: float, absent: float
) -> None:
    here = confidence(Signs(closeness, coverage, matched, absent, 400))
    assert confidence(Signs(closeness + 0.1, coverage, matched, absent, 400)) > here
    assert confidence(Signs(closeness, coverage + 0.1, matched, absent, 400)) > here
    assert confidence(Signs(closeness, coverage, matched, absent + 0.1, 400)) < here
    words = confidence(Signs(None, coverage, matched, absent, 400))
    assert confidence(Signs(None, coverage, matched + 0.1, absent, 400)) > words
    assert confidence(Signs(None, coverage, matched, absent + 0.1, 400)) < words


def test_the_same_closeness_says_less_where_there_are_more_passages_to_be_near_by_chance() -> None:
    sizes = [confidence(Signs(0.5, 0.5, 1.0, 0.1, passages)) for passages in (1, 200, 500, 5000, 50_000)]
    assert sizes[0] == sizes[1]  # no archive so small was fitted
    assert sizes[1:] == sorted(sizes[1:], reverse=True) and sizes[1] > sizes[-1]
    assert len({confidence(Signs(None, 0.5, 1.0, 0.1, passages)) for passages in (1, 5000)}) == 1


def test_at_the_models_floor_nothing_is_answered_and_where_it_is_sure_all_is() -> None:
    assert confidence(Signs(0.0, 0.2, 0.2, 0.2, 400)) < ANSWERED
    assert confidence(Signs(-0.5, 0.0, 0.0, 0.6, 400)) < NOTHING
    assert confidence(Signs(1.0, 0.4, 1.0, 0.0, 400)) > SURE


@pytest.mark.parametrize(
    ("sure", "said"),
    [(0.0, "nothing_found"), (NOTHING, "low_relevance"), (ANSWERED, "answered"), (0.99, "answered")],
)
def test_verdicts(sure: float, said: str) -> None:
    assert verdict(found(SPOKEN), sure) == said
    assert verdict(found(), sure) == "nothing_found"


@pytest.mark.parametrize(
    ("found", "twins", "same"),
    [(0, 0, False), (1, 0, False), (2, 1, False), (3, 2, True), (5, 2, True), (6, 2, False), (9, 5, True)],
)
def test_all_alike(found: int, twins: int, same: bool) -> None:
    assert all_alike(found, twins) is same
