"""Vectors of passages in Qdrant, in addition to an archive in a file or on a server.

Needs the extra [qdrant] for a Qdrant server, or [qdrant-edge] for Qdrant's engine within the process.
"""

from onrecord.stores.qdrant.edge import EdgePoints
from onrecord.stores.qdrant.neighbours import QdrantNeighbours
from onrecord.stores.qdrant.points import QdrantPoints

__all__ = ["EdgePoints", "QdrantNeighbours", "QdrantPoints"]
