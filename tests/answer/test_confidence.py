"""The confidence of an answer without a reader."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.answer.confidence import ANSWERED, NOTHING, best_cosine, best_coverage, confidence, verdict_for
from onrecord.models.base import Calibration
from onrecord.retrieve.wording import Wording
from onrecord.types import Evidence, Moment, Passage, Question

MODEL = Calibration(floor=0.2, sure=0.6)
SHARES = st.floats(0, 1)
WORDS = Wording({"margin": 0.25, "freight": 0.5, "zanzibar": 1.0, "ann": 0.25})
PASSAGES = (Passage("r", 0, "Margins fell.", "Ann"), Passage("r", 1, "Freight rose.", "Bo"))


def evidence(*moments: Moment) -> Evidence:
    return Evidence(Question("q"), moments)


def near(cosine: float, *texts: str) -> Evidence:
    """Return evidence with one moment of this cosine, in which these sentences are spoken."""
    passages = tuple(Passage("r", at, text, "Ann") for at, text in enumerate(texts or ("Rain.",)))
    return evidence(Moment(passages, 1.0, {"dense": cosine} if cosine else {"lexical": 2.0}))


def test_the_best_passage_tells_how_much_of_the_question_is_said() -> None:
    assert best_coverage(evidence(Moment(PASSAGES, 0.7)), WORDS) == pytest.approx(0.25)
    assert best_coverage(evidence(), WORDS) == 0


def test_words_count_wherever_quotes_are_chosen_from() -> None:
    moments = tuple(Moment((Passage("r", at, f"ship{at}", "Ann"),), 1.0) for at in range(12))
    for at, seen in ((0, 1.0), (7, 1.0), (8, 0.0)):
        assert best_coverage(evidence(*moments), Wording({f"ship{at}": 0.5})) == seen


def test_what_was_found_by_words_has_no_cosine() -> None:
    assert best_cosine(near(0.5)) == 0.5
    assert best_cosine(near(0.0)) is None
    assert best_cosine(evidence()) is None


@given(st.floats(0.01, 1, allow_subnormal=False), st.sampled_from(["Rain.", "Margins, Ann.", "Freight."]))
def test_confidence_rises_with_nearness_and_words(cosine: float, text: str) -> None:
    here = confidence(near(cosine, text), WORDS, 400, MODEL)
    assert 0 < here < 1
    assert confidence(near(cosine + 0.1, text), WORDS, 400, MODEL) > here
    assert confidence(near(cosine, f"{text} Zanzibar."), WORDS, 400, MODEL) > here
    by_words = confidence(near(cosine, text), WORDS, 400, None)
    assert 0 < by_words < confidence(near(cosine, f"{text} Zanzibar."), WORDS, 400, None)


def test_the_same_nearness_says_less_where_there_are_more_passages_to_be_near_by_chance() -> None:
    sizes = [confidence(near(0.4), WORDS, passages, MODEL) for passages in (1, 200, 500, 5000, 50_000)]
    assert sizes[0] == sizes[1]  # no archive this small was used for fitting
    assert sizes[1:] == sorted(sizes[1:], reverse=True) and sizes[1] > sizes[-1]


def test_at_the_models_floor_nothing_is_found_and_where_it_is_sure_all_is() -> None:
    assert confidence(near(0.1), WORDS, 400, MODEL) < NOTHING
    assert confidence(near(0.65, "Margins, freight: Ann."), WORDS, 400, MODEL) > ANSWERED


@pytest.mark.parametrize(
    ("sure", "verdict"),
    [(0.0, "nothing_found"), (NOTHING, "low_relevance"), (ANSWERED, "answered"), (0.99, "answered")],
)
def test_verdicts(sure: float, verdict: str) -> None:
    assert verdict_for(evidence(Moment(PASSAGES, 0.7)), sure) == verdict
    assert verdict_for(evidence(), sure) == "nothing_found"
