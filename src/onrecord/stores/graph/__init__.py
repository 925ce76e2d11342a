"""Stores of the knowledge graph."""

from onrecord.stores.graph.base import GraphReader, GraphStore

__all__ = ["GraphReader", "GraphStore"]
