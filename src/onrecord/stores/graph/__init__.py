"""Stores of the knowledge graph."""

from onrecord.stores.graph.base import GraphSnapshot, GraphStore

__all__ = ["GraphSnapshot", "GraphStore"]
