from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from onrecord.ingest.sentences import sentence_spans


def test_sentences_by_their_place():
    text = "Dr. Smith came.  He left at 5 p.m. on Monday. Really?"
    assert [text[a:b] for a, b in sentence_spans(text)] == [
        "Dr. Smith came.",
        "He left at 5 p.m. on Monday.",
        "Really?",
    ]


@given(st.text(), st.sampled_from(["en", "fr", "de", "xx", ""]))
def test_nothing_but_white_space_is_left_out(text, language):
    spans = sentence_spans(text, language)
    inside = {i for a, b in spans for i in range(a, b)}
    assert all(text[i].isspace() for i in range(len(text)) if i not in inside)
    assert all(a < b for a, b in spans)
    assert all(b <= c for (_, b), (c, _) in pairwise(spans))
