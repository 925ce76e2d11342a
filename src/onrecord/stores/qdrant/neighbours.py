"""The index of nearest neighbors of an archive in Qdrant.

The archive is authoritative; Qdrant is derived from it. The archive lists the changes that Qdrant does not
have yet (`stores.outbox`). A search scores the recordings with such changes by the archive's own vectors, so
it misses nothing while Qdrant lags behind. A point counts only if its stamp is that of the recording in the
reader's snapshot. So obsolete points, and points of another archive, are never returned.
"""

from __future__ import annotations

import logging
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import nlargest
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from onrecord.errors import StoreError
from onrecord.stores.database import Comparison, Connection, Database, Neighbours, Search, rows_among
from onrecord.stores.outbox import delete_lines, late_recordings, read_lines, repost
from onrecord.stores.qdrant.points import PointIndex, Points, Query, number_of, word_weights
from onrecord.stores.records import PASSAGE, read_entries, read_passages, unpack_vectors

if TYPE_CHECKING:
    from onrecord.types import Vector

log = logging.getLogger(__name__)

_PAUSE = 10.0
"""Seconds between a failure to reach Qdrant and the next attempt, so that not every write waits."""
_ASKED_AGAIN = 4
"""Limit of repeated searches if some points are obsolete, as a multiple of the number of wanted passages."""


_Scores = dict[tuple[int, int], float]
"""Products by row and stamp. The stamp is needed because points of another archive may have the same rows."""


class _Place(NamedTuple):
    """The workspace's number in the archive, and its tenant in Qdrant."""

    number: int
    tenant: str


class _Stored(NamedTuple):
    """The vectors of one recording in the archive: `passages` rows from `first` on."""

    key: int
    stamp: int
    first: int
    passages: int
    dimensions: int


@dataclass(frozen=True, slots=True)
class _Differences:
    """The result of a comparison of Qdrant with the archive.

    `waiting` counts passages whose changes wait. `missing` maps stamps to numbers of missing points. `extra`
    maps dimensions to points that belong to no passage, each as stamp and row.
    """

    waiting: int = 0
    missing: dict[int, int] = field(default_factory=dict)
    extra: dict[int, list[tuple[int, int]]] = field(default_factory=dict)


class QdrantNeighbours(Neighbours):
    """An index of nearest neighbors and of words, in Qdrant.

    Up to `exact` passages, memory holds every vector. From `indexed` passages on, Qdrant is searched for the
    passages nearest to a vector, and for those that match words.
    """

    indexes_words = True

    def __init__(self, points: PointIndex, *, exact: int = 1_000_000, indexed: int = 20_000) -> None:
        self.points, self.exact, self.indexed = points, exact, indexed
        self.collection = points.name
        self._retry_at = 0.0

    def close(self) -> None:
        self.points.close()

    # ---- searching

    def nearest(self, connection: Connection, search: Search) -> list[tuple[Any, ...]]:
        """Return the passages with the highest products, best first.

        They come from Qdrant, and from the archive for the recordings that Qdrant does not have yet.
        """
        sql = "SELECT tenant FROM workspaces WHERE id = ?"
        (tenant,) = connection.execute(sql, (search.workspace,)).fetchone()
        query, limit = _numbered(search.query), search.most
        late = _late_scores(connection, search, query)
        while True:
            matches = self.points.search(tenant, search.dimensions, query, search.keys, limit)
            points = {(row, stamp): product for product, stamp, row in matches}
            current = _passages(connection, points)
            enough = len(current) >= search.most or len(points) < limit
            if enough or limit >= _ASKED_AGAIN * search.most:
                break
            limit *= 2
        rows = {values[1] for values in current}
        current += [values for values in _passages(connection, late) if values[1] not in rows]
        return sorted(current, key=lambda values: (-values[0], values[1]))[: search.most]

    # ---- updating Qdrant

    def settle(self, database: Database, workspace: str) -> None:
        if monotonic() < self._retry_at:
            return
        try:
            self._settle(database, workspace)
        except StoreError as error:
            self._retry_at = monotonic() + _PAUSE
            log.warning("Qdrant is updated later, or by `onrecord doctor --mend`: %s", error)

    def _settle(self, database: Database, workspace: str) -> None:
        while True:
            with database.reading() as connection:
                place = self._place(connection, workspace)
                lines = read_lines(connection, place.number) if place else []
                written = {line.stamp for line in lines if not line.gone}
                keys = [line.recording for line in lines if not line.gone]
                current = [points for points in _read_points(connection, keys) if points.stamp in written]
            if place is None or not lines:
                return
            for points in current:
                self.points.write(place.tenant, points)
            for dimensions in {line.dimensions for line in lines if line.gone}:
                stamps = [line.stamp for line in lines if line.gone and line.dimensions == dimensions]
                self.points.delete(place.tenant, dimensions, stamps)
            with database.writing("note what Qdrant has in") as connection:
                delete_lines(connection, lines)

    def _place(self, connection: Connection, workspace: str) -> _Place | None:
        """Return the place of the workspace; None if its points are not in this collection."""
        sql = "SELECT id, tenant FROM workspaces WHERE name = ? AND collection = ?"
        row = connection.execute(sql, (workspace, self.collection)).fetchone()
        return _Place(*row) if row else None

    # ---- comparing and mending

    def compare(self, database: Database, workspace: str) -> Comparison:
        differences = self._differences(database, workspace)
        return Comparison(
            self.points.where,
            waiting=differences.waiting,
            missing=sum(differences.missing.values()),
            extra=sum(map(len, differences.extra.values())),
        )

    def mend(self, database: Database, workspace: str) -> None:
        self._settle(database, workspace)
        differences = self._differences(database, workspace)
        for dimensions, points in differences.extra.items():
            self.points.delete_points(dimensions, points)
        if differences.missing:
            with database.writing("mend the index of") as connection:
                if place := self._place(connection, workspace):
                    repost(connection, place.number, differences.missing)
            self._settle(database, workspace)

    def _differences(self, database: Database, workspace: str) -> _Differences:
        """Return the differences between Qdrant and the archive.

        The archive is read before and after Qdrant, so that changes made meanwhile do not count as faults.
        """
        with database.reading() as connection:
            place, before = self._place(connection, workspace), _stored(connection, workspace)
        if place is None:
            return _Differences(waiting=sum(stored.passages for stored in before))
        points = list(self.points.scroll(place.tenant))
        with database.reading() as connection:
            after = {stored.stamp: stored for stored in _stored(connection, workspace)}
            sql = "SELECT stamp FROM outbox WHERE workspace = ?"
            late = {stamp for (stamp,) in connection.execute(sql, (place.number,)).fetchall()}
        extra: dict[int, list[tuple[int, int]]] = {}
        counts: Counter[int] = Counter()
        for dimensions, stamp, row in points:
            stored = after.get(stamp)
            if (
                stored
                and stored.dimensions == dimensions
                and stored.first <= row < stored.first + stored.passages
            ):
                counts[stamp] += 1
            elif stamp not in late:
                extra.setdefault(dimensions, []).append((stamp, row))
        unchanged = [stored for stored in before if stored.stamp in after]
        return _Differences(
            waiting=sum(stored.passages for stored in after.values() if stored.stamp in late),
            missing={
                stored.stamp: stored.passages - counts[stored.stamp]
                for stored in unchanged
                if stored.stamp not in late and counts[stored.stamp] < stored.passages
            },
            extra=extra,
        )


def _stored(connection: Connection, workspace: str) -> list[_Stored]:
    """Return where the vectors of a workspace's recordings are stored in the archive."""
    rows = connection.execute(
        "SELECT recordings.key, stamp, first_row, length(lengths) / 4, dimensions FROM workspaces "
        "JOIN recordings ON recordings.workspace = workspaces.id "
        "JOIN vectors ON vectors.recording = recordings.key WHERE workspaces.name = ?",
        (workspace,),
    )
    return [_Stored(*row) for row in rows.fetchall()]


def _numbered(query: Vector | Mapping[str, float]) -> Query:
    """Return a query in Qdrant's form: terms by their numbers. A few terms share a number."""
    if not isinstance(query, Mapping):
        return np.asarray(query, np.float32)
    weights: defaultdict[int, float] = defaultdict(float)
    for term, weight in query.items():
        weights[number_of(term)] += weight
    return weights


def _late_scores(connection: Connection, search: Search, query: Query) -> _Scores:
    """Return scores of the best passages of the recordings whose points may not be in Qdrant yet."""
    late = late_recordings(connection, search.workspace)
    if search.keys is not None:
        late = sorted(set(late).intersection(search.keys))
    best: list[tuple[float, int, int]] = []
    for points in _read_points(connection, late):
        if points.vectors.shape[1] != search.dimensions:
            continue
        if isinstance(query, Mapping):
            products = [sum(query.get(term, 0.0) * own for term, own in row.items()) for row in points.words]
        else:
            products = (points.vectors @ query).tolist()
        scored = ((product, -row, points.stamp) for row, product in enumerate(products, points.first))
        best = nlargest(search.most, (*best, *scored))
    return {(-row, stamp): product for product, row, stamp in best}


def _read_points(connection: Connection, keys: Sequence[int]) -> Iterator[Points]:
    """Yield the points of the recordings with these keys, from the archive's vectors and passages."""
    entries = read_entries(connection, keys)
    sql = (
        "SELECT key, stamp, first_row, dimensions, scale, data FROM vectors "
        "JOIN recordings ON key = recording WHERE key IN ({})"
    )
    for key, stamp, first, dimensions, scale, data in rows_among(connection, sql, keys):
        if data:
            passages = list(read_passages(connection, [(entries[key], 0, entries[key].size - 1)]))
            vectors = unpack_vectors(scale, data, dimensions)
            yield Points(key, stamp, first, vectors, word_weights(passages))


def _passages(connection: Connection, scores: _Scores) -> list[tuple[Any, ...]]:
    """Return product, row and the columns `PASSAGE` of the passages whose vectors have these stamps."""
    columns = ", ".join(f'passages."{column}"' for column in ("row", *PASSAGE))
    sql = (
        f"SELECT stamp, {columns} FROM passages "  # noqa: S608 - our columns
        'JOIN recordings ON key = passages.recording WHERE passages."row" IN ({})'
    )
    return [
        (scores[row, stamp], row, *values)
        for stamp, row, *values in rows_among(connection, sql, list({row: None for row, _ in scores}))
        if (row, stamp) in scores
    ]
