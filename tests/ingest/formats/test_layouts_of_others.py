"""Tests that each word in layouts.txt stands under the name of its speaker or under no name.

The author of layouts.txt wrote its layouts without seeing the code of the readers, except for the last
26 files. At first the readers put 8 % of the words of the first 40 files under a wrong name.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[3] / "benchmarks"))
from speakers import Layout, judge_layout, layouts

LAYOUTS = list(layouts())
MAX_WRONG, MIN_NAMED = 0.002, 0.9
"""The largest share of words under a wrong name and the smallest share under the right one, from 0 to 1."""


@pytest.mark.parametrize("layout", LAYOUTS, ids=[layout.name for layout in LAYOUTS])
def test_no_word_stands_under_a_wrong_name(layout: Layout) -> None:
    counts = judge_layout(layout)
    assert not counts["wrong"] and not counts["lost"]


def test_most_words_have_their_speaker() -> None:
    counts = sum(map(judge_layout, LAYOUTS), Counter[str]())
    words = counts["right"] + counts["unnamed"] + counts["wrong"]
    assert counts["wrong"] <= MAX_WRONG * words and counts["right"] >= MIN_NAMED * words
