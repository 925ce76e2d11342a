"""Removing a language model's reasoning from its reply, in all known notations and splits of the stream."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.models.reasoning import Reset, strip_reasoning, without_reasoning


def reply_of(text: str, size: int = 1000) -> str:
    """Return the reply without reasoning, given a text that arrives in pieces of `size` characters."""
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
    ('<think time="3">hm</think>Margins fell.', "Margins fell."),
    ("<think\n>hm</think >Margins fell.", "Margins fell."),
    ("<seed:think>hm</seed:think>Margins fell.", "Margins fell."),
    ("<reasoning_content>hm</reasoning_content>Margins fell.", "Margins fell."),
    ("<inner_monologue>hm</inner_monologue>Margins fell.", "Margins fell."),
    ("<scratch_pad>hm</scratch_pad>Margins fell.", "Margins fell."),
    ("<|think|>hm<|/think|>Margins fell.", "Margins fell."),
    ("<｜thinking｜>hm</｜thinking｜>Margins fell.", "Margins fell."),
    ("<|START_THINKING|>hm<|END_THINKING|><|START_RESPONSE|>Fell.<|END_RESPONSE|>", "Fell."),
    ("<|begin_of_thought|>hm<|end_of_thought|><|begin_of_solution|>Fell.<|end_of_solution|>", "Fell."),
    ("<|inner_prefix|>hm<|inner_suffix|>Margins fell.", "Margins fell."),
    ("<unused94>thought hm<unused95>Margins fell.", "Margins fell."),
    ('<details type="reasoning"><summary>3 s</summary>hm</details>Margins fell.', "Margins fell."),
    ("<think>hm</think><answer>Margins fell.</answer>", "Margins fell."),
    (
        "<|channel|>analysis to=user <|constrain|>json<|message|>hm<|end|><|start|>assistant"
        "<|channel|>final <|constrain|>text<|message|>Margins fell.<|return|>",
        "Margins fell.",
    ),
    ("analysisIs it so?assistantfinalMargins fell.", "Margins fell."),
    ("Margins fell.<|end|>", "Margins fell."),
    ("&lt;think&gt;Is it so?&lt;/think&gt;Margins fell.", "Margins fell."),
    ("Is it so?&lt;/thinking&gt;Margins fell.", "Margins fell."),
    ("A &lt; B & C &lt;thin&gt; D", "A &lt; B & C &lt;thin&gt; D"),
    ("```thinking\nIs it so?\n```\nMargins fell.", "\nMargins fell."),
    ("``` reasoning \n<think>a</think> b\n```Margins fell.", "Margins fell."),
    ("<think>```python\nx\n``` hm</think>Margins fell.", "Margins fell."),
    ("Run ```ls\n``` or `thinking` [1].", "Run ```ls\n``` or `thinking` [1]."),
    ("```thinking\nnever ends", ""),
    ("~~~thinking\nIs it so?\n~~~\nMargins fell.", "\nMargins fell."),
    ("<|channel>thought\nIs it so?<channel|>Margins fell.", "Margins fell."),
    ("<planning>Is it so?</planning>Margins fell.", "Margins fell."),
    ("< think >Is it so?</ think >\nMargins fell.", "\nMargins fell."),
    ("<思考>Is it so?</思考>Margins fell.", "Margins fell."),
    ("[thinking] Is it so? [/thinking] Margins fell.", " Margins fell."),
    ("<details><summary>Thinking</summary>Is it so?</details>Margins fell.", "Margins fell."),
    ("Here is my thought process: Is it so? Here is my response: Margins fell.", " Margins fell."),
    ("**Reasoning:** Is it so?\n\n**Answer:** Margins fell.", " Margins fell."),
    ("# Reasoning\n\nIs it so?\n\n# Answer\n\nMargins fell.", "\nMargins fell."),
    ("Thinking...\nIs it so?\n...done thinking.\n\nMargins fell.", "\n\nMargins fell."),
    # what a tag encloses is the answer if nothing follows, or if it is no sentence
    ("<text>Margins fell.</text>", "Margins fell."),
    ("<text>Margins fell.</text><|im_end|>", "Margins fell."),
    ("<b>Margins</b> fell in June.", "<b>Margins</b> fell in June."),
    ("<p>Margins fell.</p>\n<p>They rose.</p>", "<p>Margins fell.</p>\n<p>They rose.</p>"),
    (
        "<p>Margins fell.</p>\n<ul><li>They rose.</li></ul>",
        "<p>Margins fell.</p>\n<ul><li>They rose.</li></ul>",
    ),
    ("<b>Margins fell.</b> Costs rose.", "<b>Margins fell.</b> Costs rose."),
    ("<|begin>Margins fell.", "Margins fell."),
    ("[Source 1] says that margins fell.", "[Source 1] says that margins fell."),
    ("[MISSING] The reason.", "[MISSING] The reason."),
    ("Analysis: margins fell. So they say.", "Analysis: margins fell. So they say."),
    ("Margins fell.\n\nAnswer: in June.", "Margins fell.\n\nAnswer: in June."),
]


@pytest.mark.parametrize(("text", "left"), CASES)
@pytest.mark.parametrize("size", [1, 3, 7, 1000])
def test_thoughts_are_left_out(text: str, left: str, size: int) -> None:
    assert reply_of(text, size) == left


PARTS = st.sampled_from(
    [
        "<think>",
        "</think>",
        "<",
        "think>",
        "[",
        "[/THINK]",
        "a",
        " ",
        "[Source 1]",
        "◁",
        "<|end|>",
        "<|channel|>analysis",
        "<|message|>",
        "<|",
        "/",
        "\n",
        "<plan>",
        "</plan>",
        "Thinking...",
        "Answer:",
        "It is so. ",
    ]
)


@given(st.lists(PARTS).map("".join), st.integers(1, 9))
def test_how_a_text_is_cut_makes_no_difference(text: str, size: int) -> None:
    assert reply_of(text, size) == reply_of(text)


@given(st.text())
def test_what_has_no_marks_stays(text: str) -> None:
    if "think" not in text.lower() and text.lstrip()[:1] not in {"<", "["}:
        assert reply_of(text, 2) == text and without_reasoning(text) == text
