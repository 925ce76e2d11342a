"""How well a strategy finds and answers: labelled questions, measures, comparisons."""

from onrecord.evaluate.compare import compare
from onrecord.evaluate.datasets import Dataset, Labelled, Unit, fill, load
from onrecord.evaluate.examine import examine
from onrecord.evaluate.measures import Yardstick
from onrecord.evaluate.question_files import read_questions
from onrecord.evaluate.questions import Asked, Place
from onrecord.evaluate.report import Difference, Estimate, Measure, Report

__all__ = [
    "Asked",
    "Dataset",
    "Difference",
    "Estimate",
    "Labelled",
    "Measure",
    "Place",
    "Report",
    "Unit",
    "Yardstick",
    "compare",
    "examine",
    "fill",
    "load",
    "read_questions",
]
