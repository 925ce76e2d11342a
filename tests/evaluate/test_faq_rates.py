"""FAQ evaluation: shares, rates and proposed thresholds, against values computed by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.errors import InputError
from onrecord.evaluate.faq import (
    LabelledMatch,
    auroc,
    choose_thresholds,
    forecast_rates,
    match_labelled,
    measure_rates,
)
from onrecord.evaluate.faq_chart import curves, plot_text
from onrecord.evaluate.intervals import Share
from onrecord.models.double import HashingEmbedder
from onrecord.retrieve.faq import Faq
from onrecord.stores.faq import MemoryFaqStore, Thresholds
from onrecord.types import FaqEntry


def judged(*rows: tuple[float, str]) -> list[LabelledMatch]:
    """Return matches from scores and labels: r right entry, w wrong entry, o a question without an entry."""
    outcomes = []
    for number, (score, kind) in enumerate(rows):
        expected = "" if kind == "o" else "a"
        outcomes.append(
            LabelledMatch(f"q{number}", expected, "b" if kind == "w" else "a", score, kind == "r")
        )
    return outcomes


SEEN = judged(*zip((0.95, 0.9, 0.8, 0.7, 0.6, 0.5, 0.3, 0.1, 0.05), "rrorrworo", strict=True))


def test_rates_are_counted() -> None:
    rates = measure_rates(SEEN, Thresholds(0.7, 0.3))
    assert rates.precision == Share(3, 4)
    assert rates.answered == Share(3, 6)
    assert rates.clarified == Share(2, 9)
    assert rates.lost == Share(1, 6)
    assert rates.between == Share(3, 9)


def test_the_interval_is_wilsons() -> None:
    assert Share(9, 10).interval == pytest.approx((0.5958, 0.9821), abs=1e-4)
    assert Share(0, 10).interval == pytest.approx((0, 0.2775), abs=1e-4)
    assert Share(0, 0).interval == (0, 1)
    assert str(Share(9, 10)) == " 90.0%  [59.6%, 98.2%]  9 of 10"


@given(st.integers(0, 50), st.integers(1, 50))
def test_an_interval_holds_its_share(hits: int, more: int) -> None:
    share = Share(hits, hits + more)
    low, high = share.interval
    assert 0 <= low <= share.value <= high <= 1


def test_the_proposed_pair_answers_most_at_the_wanted_precision() -> None:
    assert choose_thresholds(SEEN, precision=0.99, lost=0) == Thresholds(0.85, 0.075)
    assert choose_thresholds(SEEN, precision=0.8, lost=0.2) == Thresholds(0.55, 0.4)
    assert choose_thresholds(SEEN, precision=0.6, lost=0) == Thresholds(0.075, 0.075)
    assert choose_thresholds(judged((0.9, "o"), (0.8, "w"))) is None
    assert choose_thresholds([]) is None


def test_equal_scores_are_not_distinguished() -> None:
    """No threshold can separate a right and a wrong match with equal scores."""
    assert choose_thresholds(judged((0.9, "r"), (0.9, "o"), (0.5, "o")), precision=0.9) is None


ROWS = st.lists(
    st.tuples(st.sampled_from([0.1, 0.25, 0.5, 0.75, 0.9, 1.0]), st.sampled_from("rwo")), max_size=30
)


@given(ROWS, st.floats(0.5, 1), st.floats(0, 0.5))
def test_what_is_proposed_holds_on_what_it_was_proposed_for(
    rows: list[tuple[float, str]], p: float, lost: float
) -> None:
    chosen = choose_thresholds(judged(*rows), p, lost)
    if chosen is not None:
        rates = measure_rates(judged(*rows), chosen)
        assert chosen.low <= chosen.high
        assert rates.precision.value >= p - 1e-9
        assert rates.lost.value <= lost + 1e-9


@given(ROWS)
def test_auroc_is_the_share_of_pairs_in_order(rows: list[tuple[float, str]]) -> None:
    inside = [score for score, kind in rows if kind != "o"]
    outside = [score for score, kind in rows if kind == "o"]
    pairs = [(a > b) + (a == b) / 2 for a in inside for b in outside]
    assert auroc(judged(*rows)) == pytest.approx(sum(pairs) / len(pairs) if pairs else 0.5)


def test_a_forecast_is_measured_on_the_other_half() -> None:
    """Thresholds chosen on half of the questions are measured on the other half."""
    assert forecast_rates(judged((0.9, "r"), (0.9, "o"), (0.8, "r"), (0.8, "o"))) is None
    rates = forecast_rates(judged(*[(0.9, "r")] * 4, *[(0.2, "o")] * 4))
    assert rates is not None
    assert (rates.precision, rates.answered, rates.thresholds.high) == (Share(4, 4), Share(4, 4), 0.55)


def test_labels_are_ids_or_questions_of_live_entries() -> None:
    faq = Faq(MemoryFaqStore(), HashingEmbedder)
    faq.add(FaqEntry("pay", "How can I pay?", "By card."), live=True)
    faq.add(FaqEntry("send", "How do you send it?", "By post."))
    seen = match_labelled(faq, [("paying?", "pay"), ("how to pay", "how can i PAY?"), ("hi", "")])
    assert [(one.expected, one.best) for one in seen] == [("pay", "pay"), ("pay", "pay"), ("", "pay")]
    with pytest.raises(InputError, match="no live FAQ entry"):
        match_labelled(faq, [("sending", "send")])


def test_curves_and_their_drawing() -> None:
    over_high, over_low = curves(SEEN, Thresholds(0.7, 0.3))
    assert over_high["answered"][0] == 1 and over_high["answered"][100] == 0
    assert over_high["precision"][100] != over_high["precision"][100]  # NaN: no question is answered
    assert over_low["asked back"][0] == 0 and over_low["asked back"][100] == 1
    lines = plot_text("upper", over_high, 0.7, width=40, height=9).splitlines()
    assert lines[0] == "upper" and lines[-1].strip() == "P precision   A answered   S stage two"
    assert all(len(line) <= 46 for line in lines[1:-1])
    assert sum("." in line for line in lines[1:10]) >= 5 and any("P" in line for line in lines[1:10])
