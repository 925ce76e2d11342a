"""Which sentences are read beside a claim."""

from hypothesis import given
from hypothesis import strategies as st

from premise import choose_premise

WORDS = st.frozensets(st.sampled_from("abcdefgh"), max_size=5)
TALKS = st.lists(st.tuples(WORDS, st.integers(1, 30)), max_size=12)


@given(WORDS, TALKS, st.integers(0, 120))
def test_what_is_chosen_fits_and_stands_in_order(claim, talk, words):
    heard, lengths = [stems for stems, _ in talk], [length for _, length in talk]
    chosen = choose_premise(claim, heard, lengths, words)
    assert chosen == sorted(set(chosen)) and all(0 <= at < len(talk) for at in chosen)
    assert sum(lengths[at] for at in chosen) <= words
    if sum(lengths) <= words:
        assert chosen == list(range(len(talk)))


@given(WORDS.filter(bool), TALKS)
def test_a_sentence_with_all_words_of_the_claim_is_read(claim, talk):
    heard = [stems - claim for stems, _ in talk] + [claim]
    chosen = choose_premise(claim, heard, [length for _, length in talk] + [10], 10)
    assert chosen == [len(talk)]


def test_a_word_said_twice_leaves_room_for_another():
    heard = [frozenset("ab"), frozenset("x"), frozenset("ab"), frozenset("x"), frozenset("c")]
    assert choose_premise(frozenset("abc"), heard, [5] * 5, 10) == [0, 4]


def test_a_sentence_beside_one_that_fits_is_read_before_one_far_away():
    heard = [frozenset("x"), frozenset("a"), frozenset("y"), frozenset("z"), frozenset("w")]
    assert choose_premise(frozenset("a"), heard, [5] * 5, 15) == [0, 1, 2]


def test_nothing_is_read_of_talk_about_something_else():
    assert choose_premise(frozenset("a"), [frozenset("x")] * 3, [50] * 3, 100) == []
