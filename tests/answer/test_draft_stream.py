"""Sentences of a stream: the same for any split into pieces, complete, each with its citations."""

import sys
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.answer import draft
from onrecord.answer.draft import hold_until_cited
from onrecord.answer.draft_sentences import LONGEST, split_stream

TEXTS = st.text(st.sampled_from('aB1. !?…[]"”)\n\t-') | st.sampled_from("é«»。*_"), max_size=80)


LONG = "[a remark that is much too long to be a mark of any kind, so it is not one]"


@pytest.mark.parametrize(
    "sentences",
    [
        [],
        ["Yes"],
        ["One.", " Two!", " Three?"],
        ["It fell by 3.5 % in Q3.", " Then it rose."],
        ["So Dr. Bell of the U.S. office said, e.g. Tuesday.", " Yes."],
        ["It fell. [Source 1]", " Then it rose. [Source 2][Source 3]", " Yes."],
        ["It fell [Source 1].", " Then"],
        ["It fell.", f" {LONG} Yes."],
        ["He said “no.”", " She left."],
        ["It is No. 5.", " Yes."],
        ["Points:", "\n- One. [Source 1]", "\n- Two"],
        ["M. Hulot est parti.", " Il reviendra."],
        ["Wait... what?", " No."],
        ["The bank asked for it.", " the bank is bankrupt [Source 1]."],
        ["The bank asked for it. [Source 1]", " the bank is bankrupt [Source 1]."],
        ["The bank asked for it!", " it is bankrupt."],
        ["It came in Jan. at 5 p.m. on a Monday, i.e. late, ca. ten kg of it.", " Yes."],
        ["“Did it fall?” she asked, and “no.” he said.", " Yes."],
        ["Points:", "\n1. the tariff", "\n2. Freight. [Source 1]"],
        ["It fell to 26.", " the bank is bankrupt."],
    ],
)
def test_where_sentences_end(sentences: list[str]) -> None:
    assert list(split_stream(["".join(sentences)])) == sentences


@given(TEXTS, st.lists(st.integers(0, 80)))
def test_a_stream_is_cut_the_same_whatever_its_pieces(text: str, cuts: list[int]) -> None:
    borders = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    pieces = [text[a:b] for a, b in pairwise(borders)]
    assert list(split_stream(pieces)) == list(split_stream([text]))


@given(TEXTS)
def test_nothing_is_lost(text: str) -> None:
    sentences = list(split_stream([text]))
    assert "".join(sentences) == text
    assert all(sentences)


def test_a_sentence_is_given_before_the_next_one_has_ended() -> None:
    came: list[str] = []

    def pieces():
        yield "It fell. [Source 1] "
        assert came == []  # another punctuation mark may follow
        yield "Then"
        assert came == ["It fell. [Source 1]"]
        yield " it rose."

    for sentence in split_stream(pieces()):
        came.append(sentence)
    assert came == ["It fell. [Source 1]", " Then it rose."]


WORDS = st.sampled_from(["abcd ", "e. f ", "[x]", "G. ", "\n", ". . ", "H! "])


@given(st.lists(WORDS).map("".join), st.integers(0, 2 * LONGEST), st.integers(1, 700))
def test_a_sentence_without_an_end_is_cut_between_words(text: str, long: int, size: int) -> None:
    text = "word " * (long // 5) + text + "x" * (long % 7 * 400)
    sentences = list(split_stream([text]))
    assert "".join(sentences) == text and all(0 < len(one) <= LONGEST for one in sentences)
    assert all(
        len(one.split()[-1]) > 100 or two[0].isspace() for one, two in pairwise(sentences) if one.split()
    )
    assert list(split_stream(text[at : at + size] for at in range(0, len(text), size))) == sentences


def calls_to_split(text: str) -> int:
    """Return how many calls of functions splitting a text takes that comes in pieces of 4 characters."""
    counted: Counter[str] = Counter()
    sys.setprofile(lambda frame, event, arg: counted.update([event]))
    try:
        list(split_stream(text[at : at + 4] for at in range(0, len(text), 4)))
    finally:
        sys.setprofile(None)
    return counted["call"] + counted["c_call"]


@pytest.mark.parametrize("part", ["abc. def ", "a. [x] ", "a.[x]"])
def test_twice_the_text_takes_twice_the_work(part: str) -> None:
    long = 4 * LONGEST // len(part)
    assert calls_to_split(2 * long * part) < 2.2 * calls_to_split(long * part)


def test_each_piece_is_searched_once_for_the_first_citation(monkeypatch: pytest.MonkeyPatch) -> None:
    marks, searched = draft.MARKS, 0

    class Counting:
        def search(self, text: str, begin: int = 0) -> Any:
            nonlocal searched
            searched += len(text) - begin
            return marks.search(text, begin)

    monkeypatch.setattr(draft, "MARKS", Counting())
    pieces = ["Margins ", *["fell "] * 2000, "[Sour", "ce 1", "]", " again."]
    assert list(hold_until_cited(pieces)) == ["".join(pieces[:-1]), " again."]
    assert searched < 2000 * 110
