"""How well a strategy finds what it should: labelled questions, measures, comparisons."""

from onrecord.evaluate.compare import Difference, Report, compare
from onrecord.evaluate.datasets import Dataset, Labelled, Unit, fill, load

__all__ = ["Dataset", "Difference", "Labelled", "Report", "Unit", "compare", "fill", "load"]
