"""Stores of recordings, passages, words and vectors."""

from onrecord.stores.base import Snapshot, Store
from onrecord.stores.database import shown
from onrecord.stores.open import is_file, open_faq_store, open_store, workspaces

__all__ = ["Snapshot", "Store", "is_file", "open_faq_store", "open_store", "shown", "workspaces"]
