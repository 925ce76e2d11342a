"""Transcripts in layouts as people have them: is every word under the name that said it, or under none?

layouts.txt was written without a look at the readers, the last 26 files after a look. At first 8 % of the
words of the first 40 stood under a wrong name.
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
"""Of all words, how many may stand under a wrong name, and how many at least stand under the right one."""


@pytest.mark.parametrize("layout", LAYOUTS, ids=[layout.name for layout in LAYOUTS])
def test_no_word_stands_under_a_wrong_name(layout: Layout) -> None:
    counts = judge_layout(layout)
    assert not counts["wrong"] and not counts["lost"]


def test_most_words_have_their_speaker() -> None:
    counts = sum(map(judge_layout, LAYOUTS), Counter[str]())
    words = counts["right"] + counts["unnamed"] + counts["wrong"]
    assert counts["wrong"] <= MAX_WRONG * words and counts["right"] >= MIN_NAMED * words
