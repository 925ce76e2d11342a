"""Points in the collections of a Qdrant server: a passage's vector and the weights of its terms.

A term's weight is the part of BM25 that depends on the passage (`stores.ranking.saturation`), for passages
with a mean length of `MEAN_LENGTH` words: the archive's own mean changes with every recording. The question
provides the other part, the idf, and the exact scores of the best passages are computed for it.

There is a collection for each vector length: "onrecord_384". The id of a point is a UUID whose upper half is
the stamp of the recording's vectors and whose lower half is the passage's row (see `stores.outbox`). So no
point is ever overwritten by other vectors, and the id alone identifies the passage and its vectors.
"""

from __future__ import annotations

import os
import re
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from threading import RLock
from typing import TYPE_CHECKING, Any, Protocol
from uuid import UUID
from zlib import crc32

import numpy as np

from onrecord.errors import UnusableError
from onrecord.stores.ranking import saturation
from onrecord.stores.words import terms
from onrecord.types import Passage

if TYPE_CHECKING:
    from qdrant_client import QdrantClient
    from qdrant_client.models import FieldCondition, Filter, SearchParams

    from onrecord.types import Vectors

QUANTIZATIONS = ("none", "int8")
"""The form of vectors in memory: unchanged, or one byte a number.

The nearest by bytes are ranked again by the original vectors. (One bit a number, binary quantization, finds
.86 of the first 50 with vectors of 384 dimensions.)
"""
DENSE, WORDS = "dense", "words"
"""The names of a point's two vectors."""
MEAN_LENGTH = 80.0
"""Mean number of words of a passage for which the weights of terms are computed."""
_FLOATS_AT_ONCE = 400_000
"""Numbers in one request. Qdrant accepts 32 MB, and a number as text takes about 20 bytes."""
_IDS_AT_ONCE = 10_000
_ROW = (1 << 64) - 1
BEAM = 400
"""Candidates that a search in the HNSW graph holds at a time (`hnsw_ef`), as with pgvector."""
OVERSAMPLING = 3.0
"""Candidates that are ranked again if vectors are quantized, as a multiple of the wanted number."""
_TIMEOUT = 30
"""Timeout of a request, in seconds."""


Weights = Mapping[int, float]
"""The weights of terms, by the terms' numbers (`number_of`)."""
Query = Weights | np.ndarray
"""The query of a search: weights of terms, or a vector."""


@dataclass(frozen=True, slots=True, eq=False)
class Points:
    """The points of one recording.

    `first` is the row of its first passage. `vectors` and `words` have one row for each passage.
    """

    key: int
    stamp: int
    first: int
    vectors: Vectors
    words: Sequence[Weights]


class PointIndex(Protocol):
    """The operations that `QdrantNeighbours` needs from Qdrant. A call returns when its work is done."""

    name: str
    """Name of the collections, without the vector length."""
    where: str
    """Name and address, for display."""

    def write(self, tenant: str, points: Points) -> None:
        """Write the points of a tenant, and replace those with the same ids."""
        ...

    def delete(self, tenant: str, dimensions: int, stamps: Sequence[int]) -> None:
        """Delete the points of a tenant that have one of these stamps."""
        ...

    def delete_points(self, dimensions: int, points: Sequence[tuple[int, int]]) -> None:
        """Delete points by stamp and row."""
        ...

    def search(
        self, tenant: str, dimensions: int, query: Query, keys: Sequence[int] | None, most: int
    ) -> list[tuple[float, int, int]]:
        """Return the points of a tenant with the highest products with the query, best first.

        A point is product, stamp, row. Only points with a vector of these dimensions, of the recordings with
        these keys (None: all), are searched.
        """
        ...

    def scroll(self, tenant: str) -> Iterator[tuple[int, int, int]]:
        """Yield all points of a tenant: dimensions, stamp, row."""
        ...

    def close(self) -> None:
        """Release connections and files."""
        ...


class QdrantPoints:
    """A `PointIndex` on a server, whose API key is in the environment variable QDRANT_API_KEY.

    `client` replaces the connection, for example by Qdrant's local mode, which scores every point. Several
    threads may use it.
    """

    def __init__(
        self,
        url: str,
        name: str = "onrecord",
        *,
        quantization: str = "none",
        client: QdrantClient | None = None,
    ) -> None:
        self.name, self.url, self.quantization = name, url, quantization
        self.where = f"{name} at {re.sub(r'(?<=://)[^/@]*@', '', url)}"
        self._local = client is not None
        self._known: set[int] = set()
        self._lock = RLock()
        with self._faults("open"):
            if client is None:
                from qdrant_client import QdrantClient

                key = os.environ.get("QDRANT_API_KEY")
                client = QdrantClient(url=url, api_key=key, timeout=_TIMEOUT, check_compatibility=False)
            self._client = client

    def write(self, tenant: str, points: Points) -> None:
        from qdrant_client import models

        dimensions = points.vectors.shape[1]
        most = max(1, _FLOATS_AT_ONCE // max(dimensions, 1))
        payload = {"tenant": tenant, "recording": points.key, "stamp": points.stamp}
        with self._faults("write to"):
            self._make(dimensions)
            for begin in range(0, len(points.vectors), most):
                rows = points.vectors[begin : begin + most]
                ids = [id_of(points.stamp, points.first + begin + at) for at in range(len(rows))]
                words = [
                    models.SparseVector(indices=list(weights), values=list(weights.values()))
                    for weights in points.words[begin : begin + most]
                ]
                vectors: dict[str, Any] = {DENSE: rows.tolist(), WORDS: words}
                batch = models.Batch(ids=ids, vectors=vectors, payloads=[payload] * len(ids))
                self._client.upsert(self._collection(dimensions), batch, wait=True)

    def delete(self, tenant: str, dimensions: int, stamps: Sequence[int]) -> None:
        from qdrant_client import models

        with self._faults("delete from"):
            if self._exists(dimensions):
                matching = models.FieldCondition(key="stamp", match=models.MatchAny(any=list(stamps)))
                selector = models.FilterSelector(filter=self._filter(tenant, matching))
                self._client.delete(self._collection(dimensions), selector, wait=True)

    def delete_points(self, dimensions: int, points: Sequence[tuple[int, int]]) -> None:
        from qdrant_client import models

        with self._faults("delete from"):
            for begin in range(0, len(points), _IDS_AT_ONCE):
                ids = [id_of(*parts) for parts in points[begin : begin + _IDS_AT_ONCE]]
                selector = models.PointIdsList(points=ids)
                self._client.delete(self._collection(dimensions), selector, wait=True)

    def search(
        self, tenant: str, dimensions: int, query: Query, keys: Sequence[int] | None, most: int
    ) -> list[tuple[float, int, int]]:
        from qdrant_client import models

        sparse = isinstance(query, Mapping)
        vector = (
            models.SparseVector(indices=list(query), values=list(query.values()))
            if isinstance(query, Mapping)
            else query.tolist()
        )
        conditions = []
        if keys is not None:
            conditions = [models.FieldCondition(key="recording", match=models.MatchAny(any=list(keys)))]
        with self._faults("search"):
            if not self._exists(dimensions):
                return []
            matches = self._client.query_points(
                self._collection(dimensions),
                vector,
                using=WORDS if sparse else DENSE,
                query_filter=self._filter(tenant, *conditions),
                search_params=None if sparse else self._params(),
                limit=most,
                with_payload=False,
            ).points
        return [(point.score, *parts_of(point.id)) for point in matches]

    def scroll(self, tenant: str) -> Iterator[tuple[int, int, int]]:
        with self._faults("read"):
            for name in [collection.name for collection in self._client.get_collections().collections]:
                prefix, _, dimensions = name.rpartition("_")
                if prefix != self.name or not dimensions.isdecimal():
                    continue
                offset = None
                while True:
                    page, offset = self._client.scroll(
                        name, self._filter(tenant), limit=_IDS_AT_ONCE, offset=offset, with_payload=False
                    )
                    yield from ((int(dimensions), *parts_of(point.id)) for point in page)
                    if offset is None:
                        break

    def close(self) -> None:
        self._client.close()

    # ---- collections

    def _collection(self, dimensions: int) -> str:
        return f"{self.name}_{dimensions}"

    def _exists(self, dimensions: int) -> bool:
        if dimensions not in self._known and self._client.collection_exists(self._collection(dimensions)):
            self._known.add(dimensions)
        return dimensions in self._known

    def _make(self, dimensions: int) -> None:
        """Create the collection of vectors of this length if it is missing.

        If vectors are quantized, the original ones stay on disk.
        """
        from qdrant_client import models
        from qdrant_client.http.exceptions import ApiException

        if self._exists(dimensions):
            return
        name, quantized = self._collection(dimensions), None
        if self.quantization != "none":
            int8 = models.ScalarType.INT8
            scalar = models.ScalarQuantizationConfig(type=int8, quantile=0.99, always_ram=True)
            quantized = models.ScalarQuantization(scalar=scalar)
        vectors = models.VectorParams(
            size=dimensions,
            distance=models.Distance.DOT,
            on_disk=quantized is not None,
            quantization_config=quantized,
        )
        try:
            self._client.create_collection(
                name, {DENSE: vectors}, sparse_vectors_config={WORDS: models.SparseVectorParams()}
            )
        except ApiException:
            if not self._exists(dimensions):  # otherwise, another process has created it meanwhile
                raise
        if not self._local:
            tenant = models.KeywordIndexParams(type=models.KeywordIndexType.KEYWORD, is_tenant=True)
            number = models.IntegerIndexParams(type=models.IntegerIndexType.INTEGER, lookup=True, range=False)
            for field, kind in (("tenant", tenant), ("recording", number), ("stamp", number)):
                self._client.create_payload_index(name, field, field_schema=kind, wait=True)
        self._known.add(dimensions)

    def _params(self) -> SearchParams | None:
        from qdrant_client import models

        if self._local:
            return None
        rescored = models.QuantizationSearchParams(rescore=True, oversampling=OVERSAMPLING)
        return models.SearchParams(
            hnsw_ef=BEAM, quantization=None if self.quantization == "none" else rescored
        )

    def _filter(self, tenant: str, *conditions: FieldCondition) -> Filter:
        """Return a filter for the points of a tenant that meet these conditions."""
        from qdrant_client import models

        own = models.FieldCondition(key="tenant", match=models.MatchValue(value=tenant))
        return models.Filter(must=[own, *conditions])

    @contextmanager
    def _faults(self, doing: str) -> Iterator[None]:
        """Translate Qdrant's errors into errors of this package, which name the collection.

        In local mode, admit one thread at a time.
        """
        from httpx import HTTPError
        from qdrant_client.http.exceptions import ApiException

        try:
            if not self._local:
                yield
                return
            with self._lock, warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # a warning about speed above 20,000 points
                yield
        except (ApiException, HTTPError, OSError, RuntimeError) as error:
            self._known.clear()  # a collection may have been removed
            reason = str(error).strip().partition("\n")[0] or type(error).__name__
            raise UnusableError(
                f"cannot {doing} the collection {self.where} ({reason}); is Qdrant running there? "
                "The archive itself is whole"
            ) from error


def number_of(term: str) -> int:
    """Return the number of a term, from 0 to 2^32 - 1. A few terms share a number."""
    return crc32(term.encode("utf-8", "surrogatepass"))


def word_weights(passages: Sequence[Passage]) -> list[Weights]:
    """Return the weights of each passage's terms."""
    weights: list[Weights] = []
    for passage in passages:
        counts = Counter(map(number_of, terms(passage.spoken)))
        lengths = np.full(len(counts), len(passage.text.split()), np.int32)
        shares = saturation(np.array(list(counts.values()), np.int32), lengths, MEAN_LENGTH)
        weights.append(dict(zip(counts, shares.tolist(), strict=True)))
    return weights


def id_of(stamp: int, row: int) -> int | str | UUID:
    """Return the id of a point."""
    return str(UUID(int=stamp << 64 | row))


def parts_of(id: object) -> tuple[int, int]:  # noqa: A002 - the field's own name
    """Return the stamp and the row of a point, from its id."""
    number = UUID(str(id)).int
    return number >> 64, number & _ROW
