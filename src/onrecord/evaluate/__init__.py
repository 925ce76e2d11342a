"""How well a strategy finds and answers: labelled questions, measures, comparisons."""

from onrecord.evaluate.compare import compare
from onrecord.evaluate.datasets import Dataset, Labelled, Unit, fill, load
from onrecord.evaluate.measures import Yardstick
from onrecord.evaluate.report import Difference, Estimate, Measure, Report

__all__ = [
    "Dataset",
    "Difference",
    "Estimate",
    "Labelled",
    "Measure",
    "Report",
    "Unit",
    "Yardstick",
    "compare",
    "fill",
    "load",
]
