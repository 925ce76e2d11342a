"""Understanding a question: its spelling, intent, filters, follow-ups, and the way to its answer."""

from onrecord.retrieve.plan.planner import Planner, plan
from onrecord.retrieve.plan.spelling import well_spelt

__all__ = ["Planner", "plan", "well_spelt"]
