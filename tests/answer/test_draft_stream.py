"""Sentences of a stream: the same for any split into pieces, complete, each with its citations."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.answer.output_buffer import sentences_of

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
    ],
)
def test_where_sentences_end(sentences: list[str]) -> None:
    assert list(sentences_of(["".join(sentences)])) == sentences


@given(TEXTS, st.lists(st.integers(0, 80)))
def test_a_stream_is_cut_the_same_whatever_its_pieces(text: str, cuts: list[int]) -> None:
    borders = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    pieces = [text[a:b] for a, b in pairwise(borders)]
    assert list(sentences_of(pieces)) == list(sentences_of([text]))


@given(TEXTS)
def test_nothing_is_lost(text: str) -> None:
    sentences = list(sentences_of([text]))
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

    for sentence in sentences_of(pieces()):
        came.append(sentence)
    assert came == ["It fell. [Source 1]", " Then it rose."]
