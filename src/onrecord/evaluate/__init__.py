"""Measures how well strategies retrieve and answer, on labeled questions."""

from onrecord.evaluate.compare import compare
from onrecord.evaluate.datasets import Dataset, Labelled, Unit, fill, load
from onrecord.evaluate.examine import examine
from onrecord.evaluate.intervals import Difference, Estimate
from onrecord.evaluate.measures import Yardstick
from onrecord.evaluate.question_files import read_questions
from onrecord.evaluate.questions import EvalQuestion, Place
from onrecord.evaluate.report import Measure, Report

__all__ = [
    "Dataset",
    "Difference",
    "Estimate",
    "EvalQuestion",
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
