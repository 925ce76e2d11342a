"""Helpers of several benchmarks: the shared data, files of JSON lines, the error of a confidence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

DATA = Path(__file__).parent.parent.parent / "shared" / "data"


def read_lines(file: Path) -> list[dict[str, Any]]:
    with file.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def calibration_error(sure: np.ndarray, holds: np.ndarray, weight: np.ndarray) -> float:
    """Return the expected calibration error (Guo et al. 2017) in ten bins; the weights add up to 1."""
    bins = np.clip((10 * sure).astype(int), 0, 9)
    return sum(abs(float((weight * (holds - sure))[bins == b].sum())) for b in range(10))
