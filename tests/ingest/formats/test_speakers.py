"""Tests of the speakers in real documents, against marks made by hand (benchmarks/speakers.py)."""

import json
import sys
from collections import Counter
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[3] / "benchmarks"))
from speakers import MARKS, judge_file


@pytest.mark.data
def test_words_are_under_the_name_that_said_them(data: Path) -> None:
    total: Counter[str] = Counter()
    for name, marks in json.loads(MARKS.read_text()).items():
        total += judge_file(data / name, marks)
    words = total["right"] + total["unnamed"] + total["wrong"]
    assert words > 500_000
    assert total["right"] >= 0.99 * words
    assert total["wrong"] <= 0.002 * words
