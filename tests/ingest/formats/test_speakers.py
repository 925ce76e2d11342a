"""Who speaks in real documents, against marks made by eye (benchmarks/speakers.py)."""

import importlib.util
import json
from collections import Counter
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[3] / "benchmarks"


@pytest.mark.data
def test_words_are_under_the_name_that_said_them(data: Path) -> None:
    spec = importlib.util.spec_from_file_location("speakers", BENCHMARKS / "speakers.py")
    assert spec and spec.loader
    speakers = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(speakers)
    total: Counter[str] = Counter()
    for name, marks in json.loads((BENCHMARKS / "data" / "speakers.json").read_text()).items():
        total += speakers.judge_file(data / name, marks)
    words = total["right"] + total["unnamed"] + total["wrong"]
    assert words > 500_000
    assert total["right"] >= 0.99 * words
    assert total["wrong"] <= 0.002 * words
