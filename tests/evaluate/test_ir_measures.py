"""Our measures against an independent implementation: ir-measures, which uses trec_eval.

The runs of `recorded()` are always compared with stored values of ir-measures. Random runs are compared only
if ir-measures is installed (extra `eval`; it installs scipy, 170 MB).
`python tests/evaluate/test_ir_measures.py` renews the stored values.
"""

import json
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.evaluate.measures import ndcg_at, precision_at, recall_at, reciprocal_rank

VALUES = Path(__file__).with_name("ir_measures_values.json")
UNITS = [f"u{i}" for i in range(15)]
NAMES = ("R@5", "P@5", "RR", "nDCG@10", "R@1", "nDCG@3")

rankings = st.permutations(UNITS).flatmap(lambda units: st.integers(1, 15).map(lambda n: list(units)[:n]))
graded = st.dictionaries(st.sampled_from(UNITS), st.integers(0, 3).map(float), min_size=1).filter(
    lambda grades: any(grades.values())
)


def ours(ranked: list[str], grades: dict[str, float]) -> list[float]:
    return [
        recall_at(ranked, grades, 5),
        precision_at(ranked, grades, 5),
        reciprocal_rank(ranked, grades),
        ndcg_at(ranked, grades, 10),
        recall_at(ranked, grades, 1),
        ndcg_at(ranked, grades, 3),
    ]


def theirs(ranked: list[str], grades: dict[str, float]) -> list[float]:
    import ir_measures

    measures = [ir_measures.parse_measure(name) for name in NAMES]
    qrels = {"q": {unit: int(grade) for unit, grade in grades.items()}}
    run = {"q": {unit: float(len(ranked) - rank) for rank, unit in enumerate(ranked)}}
    values = ir_measures.calc_aggregate(measures, qrels, run)
    return [float(values[measure]) for measure in measures]


def recorded() -> list[tuple[list[str], dict[str, float]]]:
    """Return a hundred runs with their grades, the same on every machine."""
    chance = random.Random(20)
    runs = []
    for _ in range(100):
        ranked = chance.sample(UNITS, chance.randint(1, len(UNITS)))
        judged = chance.sample(UNITS, chance.randint(1, len(UNITS)))
        runs.append((ranked, {unit: float(chance.randint(0, 3)) for unit in judged} | {judged[0]: 1.0}))
    return runs


def test_values_that_ir_measures_gave() -> None:
    values = json.loads(VALUES.read_text())
    assert len(values) == len(recorded())
    for (ranked, grades), expected in zip(recorded(), values, strict=True):
        assert ours(ranked, grades) == pytest.approx(expected, abs=1e-9)


@given(rankings, graded)
def test_random_runs(ranked: list[str], grades: dict[str, float]) -> None:
    pytest.importorskip("ir_measures", reason="pip install 'onrecord[eval]' compares with ir-measures itself")
    assert ours(ranked, grades) == pytest.approx(theirs(ranked, grades), abs=1e-9)


if __name__ == "__main__":
    rows = (json.dumps([round(value, 12) for value in theirs(*run)]) for run in recorded())
    VALUES.write_text("[\n" + ",\n".join(rows) + "\n]\n")
