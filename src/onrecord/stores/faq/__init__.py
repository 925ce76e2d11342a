"""Where the entries of a FAQ are kept, with their vectors, replies given before, and the account of use."""

from onrecord.stores.faq.base import FaqStore, Live, Remembered, Thresholds, Usage
from onrecord.stores.faq.memory import MemoryFaqStore
from onrecord.stores.faq.sqlite import SqliteFaqStore

__all__ = ["FaqStore", "Live", "MemoryFaqStore", "Remembered", "SqliteFaqStore", "Thresholds", "Usage"]
