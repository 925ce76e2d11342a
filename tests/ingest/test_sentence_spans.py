"""Tests of the spans of sentences in a text."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.ingest.language import sentence_spans


def test_sentences_by_their_place():
    text = "Dr. Smith came.  He left at 5 p.m. on Monday. Really?"
    assert [text[a:b] for a, b in sentence_spans(text)] == [
        "Dr. Smith came.",
        "He left at 5 p.m. on Monday.",
        "Really?",
    ]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ('He called it a "project." Then he left.', 2),
        ("We use .NET. It works.", 2),
        ("日本語です。次の文。", 2),
    ],
)
def test_no_sentence_ends_within_a_word(text, count):
    """Check that quotes, names with a dot and Japanese text are split only between sentences."""
    spans = sentence_spans(text)
    assert len(spans) == count
    if text.isascii():
        assert all(text[b : b + 1] in ("", " ") for _, b in spans)


@given(st.text(), st.sampled_from(["en", "fr", "de", "xx", ""]))
def test_nothing_but_white_space_is_left_out(text, language):
    """Check that spans rise, do not overlap and leave out only white space."""
    spans = sentence_spans(text, language)
    inside = {i for a, b in spans for i in range(a, b)}
    assert all(text[i].isspace() for i in range(len(text)) if i not in inside)
    assert all(a < b for a, b in spans)
    assert all(b <= c for (_, b), (c, _) in pairwise(spans))
