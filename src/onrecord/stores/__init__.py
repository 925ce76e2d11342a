"""Stores: where recordings, passages, words and vectors are kept."""

from onrecord.stores.base import Reader, Store
from onrecord.stores.open import open_faq_store, open_ledger, open_store, workspaces

__all__ = ["Reader", "Store", "open_faq_store", "open_ledger", "open_store", "workspaces"]
