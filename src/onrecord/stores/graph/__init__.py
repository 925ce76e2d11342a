"""Where the knowledge graph is kept."""

from onrecord.stores.graph.base import GraphReader, GraphStore

__all__ = ["GraphReader", "GraphStore"]
