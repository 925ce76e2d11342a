"""Understanding a question: intent, filters, follow-ups, and the way to its answer."""

from onrecord.retrieve.plan.planner import Planner, plan

__all__ = ["Planner", "plan"]
