"""What a model thinks is not what it says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.models.reasoning import Reset, strip_reasoning, without_reasoning


def said(text: str, size: int = 1000) -> str:
    """What is left of a text that comes in pieces of this size."""
    left = ""
    for piece in strip_reasoning(text[at : at + size] for at in range(0, len(text), size)):
        left = "" if isinstance(piece, Reset) else left + piece
    return left


CASES = [
    ("Margins fell.", "Margins fell."),
    ("<think>Is it so? [Source 1]</think>Margins fell.", "Margins fell."),
    ("<THINKING>\nhm\n</THINKING>\n\nMargins fell.", "\n\nMargins fell."),
    ("Margins fell. <think>Or not?</think> So they say.", "Margins fell.  So they say."),
    ("They may have fallen [Source 1].</think>Margins fell.", "Margins fell."),
    ("<think>never ends [Source 1]", ""),
    ("[THINK]hm[/THINK]Margins fell.", "Margins fell."),
    ("◁think▷hm◁/think▷Margins fell.", "Margins fell."),
    ("<|channel|>analysis<|message|>hm<|end|><|channel|>final<|message|>Margins fell.", "Margins fell."),
    ("<think></think><think>a</think>b<think>c</think>d", "bd"),
    ("5 < 6 [Source 1], a <thin> line [2]", "5 < 6 [Source 1], a <thin> line [2]"),
    ("", ""),
]


@pytest.mark.parametrize(("text", "left"), CASES)
@pytest.mark.parametrize("size", [1, 3, 7, 1000])
def test_thoughts_are_left_out(text: str, left: str, size: int) -> None:
    assert said(text, size) == left


PARTS = st.sampled_from(["<think>", "</think>", "<", "think>", "[", "[/THINK]", "a", " ", "[Source 1]", "◁"])


@given(st.lists(PARTS).map("".join), st.integers(1, 9))
def test_how_a_text_is_cut_makes_no_difference(text: str, size: int) -> None:
    assert said(text, size) == said(text)


@given(st.text())
def test_what_has_no_marks_stays(text: str) -> None:
    if "think" not in text.lower():
        assert said(text, 2) == text and without_reasoning(text) == text
