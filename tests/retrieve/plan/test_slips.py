"""Slips, and what they are taken back to."""

from hypothesis import given
from hypothesis import strategies as st

from onrecord.retrieve.plan.slips import likely, other_vowels, surest, unlikely

WORDS = st.text("abcdefghijklmnopqrstuvwxyz", min_size=3, max_size=14)


@given(WORDS, st.data())
def test_letters_exchanged_doubled_or_no_longer_double_are_taken_back(word: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(word) - 2))
    exchanged = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    doubled = word[: at + 1] + word[at] + word[at + 1 :]
    assert exchanged == word or word in surest(exchanged)
    assert word in surest(doubled) and doubled in surest(word)
    other = data.draw(st.integers(0, len(word) - 1))
    moved = word[: other + 1] + word[other] + word[other + 1 :]
    assert doubled == moved or moved in surest(doubled)


@given(WORDS, st.data())
def test_a_letter_left_out_behind_the_first_is_put_back(word: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(1, len(word) - 2)) if len(word) > 2 else 1
    slip = word[:at] + word[at + 1 :]
    assert slip == word or word in likely(slip)


@given(WORDS)
def test_no_word_is_a_slip_of_itself_and_first_letters_stay(word: str) -> None:
    for near in (surest(word), likely(word), other_vowels(word), unlikely(word)):
        assert word not in near
    assert all(other[0] == word[0] for other in likely(word) | other_vowels(word) | unlikely(word))
    assert all(abs(len(other) - len(word)) <= 1 for other in surest(word) | likely(word) | unlikely(word))


def test_neighbours_on_the_keyboard() -> None:
    for slip in ("fteight", "freoght", "frewight"):
        assert "freight" in likely(slip)
    for slip in ("frepight", "frexght"):
        assert "freight" not in likely(slip) and "freight" in unlikely(slip)


def test_a_last_letter_is_another_form_of_a_word() -> None:
    assert not {"supplied", "suppliers"} & likely("supplier") and "supplied" in unlikely("supplier")
    assert "listeneds" not in likely("listeners")


def test_vowels_of_longer_words() -> None:
    assert "separate" in other_vowels("seperate") and not other_vowels("panter")
