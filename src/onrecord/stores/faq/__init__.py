"""Stores for the entries of a FAQ, their vectors, cached replies, and usage counts."""

from onrecord.stores.faq.base import FaqStore, LiveEntries, QuestionState, Thresholds, Usage
from onrecord.stores.faq.memory import MemoryFaqStore

__all__ = ["FaqStore", "LiveEntries", "MemoryFaqStore", "QuestionState", "Thresholds", "Usage"]
