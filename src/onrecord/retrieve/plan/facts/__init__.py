"""What an archive knows of itself and is asked for: read off a question, and told."""

from onrecord.retrieve.plan.facts.inquiry import Inquiry, Turn, inquiry
from onrecord.retrieve.plan.facts.missing import missing
from onrecord.retrieve.plan.facts.tell import informed

__all__ = ["Inquiry", "Turn", "informed", "inquiry", "missing"]
