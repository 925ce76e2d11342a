"""Vectors of passages in Qdrant, beside an archive in a file or on a server. Needs the extra [qdrant] for a
Qdrant server, [qdrant-edge] for its engine within the process."""

from onrecord.stores.qdrant.edge import EdgePoints
from onrecord.stores.qdrant.neighbours import QdrantNeighbours
from onrecord.stores.qdrant.points import QdrantPoints

__all__ = ["EdgePoints", "QdrantNeighbours", "QdrantPoints"]
