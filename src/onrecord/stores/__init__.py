"""Stores: where recordings, passages, words and vectors are kept."""

from onrecord.stores.base import Reader, Store

__all__ = ["Reader", "Store"]
