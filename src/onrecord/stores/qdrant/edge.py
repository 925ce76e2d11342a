"""Points in a folder, by Qdrant Edge: the engine of a Qdrant server, within this process.

A lock lets one process at a time open the folder, because the engine would damage files that another process
has open. There is a shard for each vector length: FOLDER/onrecord_384.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from shutil import rmtree
from threading import RLock
from typing import Any

from onrecord.errors import UnusableError
from onrecord.stores.qdrant.points import (
    BEAM,
    DENSE,
    OVERSAMPLING,
    WORDS,
    Points,
    Query,
    Weights,
    id_of,
    parts_of,
)

_AT_ONCE = 1000
"""Points in one update."""
OPTIMIZE_AFTER = 10_000
"""Points outside the HNSW graph at which the graph is rebuilt. Until then, each of them is scored."""


class _Folder:
    """The open shards of a folder, by name. All users in this process share them."""

    def __init__(self, path: Path) -> None:
        self.path, self.users, self.lock = path, 0, RLock()
        self.shards: dict[str, Any] = {}
        self._claim: sqlite3.Connection | None = None

    def claim(self) -> None:
        """Lock other processes out, by SQLite's lock on a file, until `close` or the end of this process.

        Raises sqlite3.OperationalError.
        """
        if self._claim is None:
            self.path.mkdir(parents=True, exist_ok=True)
            lock = sqlite3.connect(
                self.path / "lock", timeout=0, isolation_level=None, check_same_thread=False
            )
            try:
                lock.execute("BEGIN EXCLUSIVE")
            except sqlite3.Error:
                lock.close()
                raise
            self._claim = lock

    def close(self) -> None:
        for shard in self.shards.values():
            shard.flush()  # until then, written data is only in the shard's log
            shard.close()
        self.shards.clear()
        if self._claim:
            self._claim.close()
            self._claim = None


_FOLDERS: dict[Path, _Folder] = {}
_OPENING = RLock()


class EdgePoints:
    """A `PointIndex` in a folder. Several threads may use it."""

    def __init__(self, folder: str | Path, name: str = "onrecord", *, quantization: str = "none") -> None:
        self.name, self.quantization = name, quantization
        self.where = f"{name} in {folder}"
        path = Path(folder).absolute()
        self._closed = False
        with _OPENING:
            self._folder = _FOLDERS.setdefault(path, _Folder(path))
            self._folder.users += 1

    def write(self, tenant: str, points: Points) -> None:
        from qdrant_edge import Point, UpdateOperation

        dimensions = points.vectors.shape[1]
        payload = {"tenant": tenant, "recording": points.key, "stamp": points.stamp}
        with self._faults("write to"):
            shard = self._shard(dimensions, make=True)
            for begin in range(0, len(points.vectors), _AT_ONCE):
                rows = points.vectors[begin : begin + _AT_ONCE].tolist()
                words = map(_sparse, points.words[begin : begin + _AT_ONCE])
                batch = [
                    Point(id_of(points.stamp, row), {DENSE: vector, WORDS: weights}, payload)
                    for row, (vector, weights) in enumerate(
                        zip(rows, words, strict=True), points.first + begin
                    )
                ]
                shard.update(UpdateOperation.upsert_points(batch))
            counts = shard.info()  # counts the words of a point as a second vector, indexed immediately
            if 2 * counts.points_count - counts.indexed_vectors_count >= OPTIMIZE_AFTER:
                shard.optimize()

    def delete(self, tenant: str, dimensions: int, stamps: Sequence[int]) -> None:
        from qdrant_edge import FieldCondition, MatchAny, UpdateOperation

        matching = FieldCondition("stamp", match=MatchAny(list(stamps)))
        with self._faults("delete from"):
            if shard := self._shard(dimensions):
                shard.update(UpdateOperation.delete_points_by_filter(_filter(tenant, matching)))

    def delete_points(self, dimensions: int, points: Sequence[tuple[int, int]]) -> None:
        from qdrant_edge import UpdateOperation

        with self._faults("delete from"):
            if shard := self._shard(dimensions):
                shard.update(UpdateOperation.delete_points([id_of(*parts) for parts in points]))

    def search(
        self, tenant: str, dimensions: int, query: Query, keys: Sequence[int] | None, most: int
    ) -> list[tuple[float, int, int]]:
        from qdrant_edge import FieldCondition, MatchAny, QuantizationSearchParams, QueryRequest, SearchParams
        from qdrant_edge import Query as EdgeQuery

        sparse = isinstance(query, Mapping)
        vector = _sparse(query) if isinstance(query, Mapping) else query.tolist()
        conditions = [] if keys is None else [FieldCondition("recording", match=MatchAny(list(keys)))]
        rescored = QuantizationSearchParams(rescore=True, oversampling=OVERSAMPLING)
        params = SearchParams(hnsw_ef=BEAM, quantization=None if self.quantization == "none" else rescored)
        request = QueryRequest(
            limit=most,
            query=EdgeQuery.Nearest(vector, using=WORDS if sparse else DENSE),
            filter=_filter(tenant, *conditions),
            params=None if sparse else params,
            with_payload=False,
        )
        with self._faults("search"):
            shard = self._shard(dimensions)
            matches = shard.query(request) if shard else []
        return [(point.score, *parts_of(point.id)) for point in matches]

    def scroll(self, tenant: str) -> Iterator[tuple[int, int, int]]:
        from qdrant_edge import ScrollRequest

        for folder in sorted(self._folder.path.glob(f"{self.name}_*")):
            dimensions = folder.name.rpartition("_")[2]
            if folder.name != f"{self.name}_{dimensions}" or not dimensions.isdecimal():
                continue
            offset: Any = None
            while True:
                request = ScrollRequest(
                    offset=offset, limit=10_000, filter=_filter(tenant), with_payload=False
                )
                with self._faults("read"):
                    shard = self._shard(int(dimensions))
                    page, offset = shard.scroll(request)
                yield from ((int(dimensions), *parts_of(point.id)) for point in page)
                if offset is None:
                    break

    def close(self) -> None:
        with _OPENING, self._folder.lock:
            self._folder.users -= not self._closed
            self._closed = True
            if self._folder.users == 0:
                self._folder.close()
                _FOLDERS.pop(self._folder.path, None)

    def _shard(self, dimensions: int, *, make: bool = False) -> Any:
        """Return the shard of vectors of this length; if there is none, a new one (`make`) or None."""
        from qdrant_edge import EdgeShard

        name, shards = f"{self.name}_{dimensions}", self._folder.shards
        path = self._folder.path / name
        if name not in shards and (make or path.exists()):
            self._folder.claim()
            if not path.exists():
                self._create(path, dimensions)
            shards[name] = EdgeShard.load(str(path))
        return shards.get(name)

    def _create(self, path: Path, dimensions: int) -> None:
        """Create a shard in a temporary folder and move it to `path`, to hide unfinished shards."""
        from qdrant_edge import (
            Distance,
            EdgeConfig,
            EdgeShard,
            EdgeSparseVectorParams,
            EdgeVectorParams,
            IntegerIndexParams,
            KeywordIndexParams,
            UpdateOperation,
        )

        params = EdgeVectorParams(
            size=dimensions, distance=Distance.Dot, quantization_config=self._quantization()
        )
        unfinished = path.with_name(f"{path.name}.new")
        rmtree(unfinished, ignore_errors=True)
        config = EdgeConfig(vectors={DENSE: params}, sparse_vectors={WORDS: EdgeSparseVectorParams()})
        shard = EdgeShard.create(str(unfinished), config)
        number = IntegerIndexParams(lookup=True, range=False)
        for field, kind in (
            ("tenant", KeywordIndexParams(is_tenant=True)),
            ("recording", number),
            ("stamp", number),
        ):
            shard.update(UpdateOperation.create_field_index(field, kind))
        shard.flush()
        shard.close()
        unfinished.rename(path)

    def _quantization(self) -> Any:
        from qdrant_edge import ScalarQuantizationConfig, ScalarType

        if self.quantization == "none":
            return None
        return ScalarQuantizationConfig(ScalarType.Int8, quantile=0.99, always_ram=True)

    @contextmanager
    def _faults(self, doing: str) -> Iterator[None]:
        """Translate the engine's errors, which have no type of their own. Admit one thread at a time."""
        with self._folder.lock:
            try:
                yield
            except Exception as error:
                locked = isinstance(error, sqlite3.OperationalError)
                reason = "another process has it open" if locked else error
                raise UnusableError(
                    f"cannot {doing} the collection {self.where} ({reason}). The archive itself is whole"
                ) from error


def _sparse(weights: Weights) -> Any:
    from qdrant_edge import SparseVector

    return SparseVector(list(weights), list(weights.values()))


def _filter(tenant: str, *conditions: Any) -> Any:
    """Return a filter for the points of a tenant that meet these conditions."""
    from qdrant_edge import FieldCondition, Filter, MatchValue

    return Filter(must=[FieldCondition("tenant", match=MatchValue(tenant)), *conditions])
