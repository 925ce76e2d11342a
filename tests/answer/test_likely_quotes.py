"""Which of the quotes that were chosen are worth showing, beside the others."""

from hypothesis import given
from hypothesis import strategies as st

from onrecord.answer.honesty import quote_confidence
from onrecord.answer.likely import Likelihood
from onrecord.answer.quotes import Quote
from onrecord.retrieve.sentences import Sentence
from onrecord.types import Evidence, Moment, Passage, Question

SHARES = st.floats(0, 1)


def moment(recording: str, position: int) -> Moment:
    return Moment((Passage(recording, position, "Freight rose by a third.", "Ann"),), 0.5)


def quote(recording: str, rank: int, score: float) -> Quote:
    return Quote((Sentence(Passage(recording, rank, "Freight rose by a third.", "Ann"), 0, 24),), score, rank)


def likelihood(quotes: list[Quote], *recordings: str) -> Likelihood:
    moments = tuple(moment(name, position) for position, name in enumerate(recordings))
    return Likelihood.of(Evidence(Question("q"), moments), quotes)


@given(SHARES, st.integers(0, 60), st.one_of(st.none(), SHARES))
def test_a_quotes_confidence_is_a_probability_that_falls_with_its_rank(
    score: float, rank: int, standing: float | None
) -> None:
    here = quote_confidence(score, rank, standing)
    assert 0 < here < 1
    assert quote_confidence(score, rank + 1, standing) < here < quote_confidence(score + 0.1, rank, standing)
    assert standing is None or here < quote_confidence(score, rank, standing + 0.1)


def test_another_recordings_best_moment_is_not_its_fourth() -> None:
    quotes = [quote("show", 0, 0.6), quote("show", 3, 0.6), quote("call", 4, 0.6)]
    likely = likelihood(quotes, "show", "show", "show", "show", "call")
    assert likely(quotes[2]) == likely(quotes[0]) > likely(quotes[1])


def test_a_recording_whose_best_quote_is_far_behind_is_hardly_one_that_answers() -> None:
    quotes = [quote("show", 0, 0.6), quote("call", 1, 0.5), quote("talk", 2, 0.3)]
    likely = likelihood(quotes, "show", "call", "talk")
    assert likely(quotes[0]) > likely(quotes[1]) > 10 * likely(quotes[2])


def test_where_only_one_recording_was_found_it_is_not_doubted() -> None:
    alone, beside = quote("show", 0, 0.6), quote("show", 1, 0.6)
    assert likelihood([alone], "show")(alone) > likelihood([alone], "show", "call")(alone)
    assert likelihood([alone, beside], "show", "show")(beside) == quote_confidence(0.6, 1)


def test_quotes_that_are_worth_nothing_are_told_apart_from_none() -> None:
    nothing = quote("show", 0, 0.0)
    assert 0 < likelihood([nothing], "show", "call")(nothing) < 0.01
