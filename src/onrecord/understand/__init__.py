"""A question to a plan: matched against what the archive knows and against examples, never parsed."""

from onrecord.understand.intents import ACTS, kinds, roles
from onrecord.understand.planner import Planner, plan
from onrecord.understand.spelling import corrected

__all__ = ["ACTS", "Planner", "corrected", "plan", "warm"]


def warm() -> None:
    """Read the examples that questions are held against."""
    kinds()
    roles().warm()
