"""The vectors of a workspace in memory, as the 16-bit integers that the archive stores.

Vectors are read on first use, in blocks of recordings, so that a change affects only its block.

Each integer is split into its high and its low byte, v = 256 h + 128 + l, in separate arrays. NumKong
multiplies bytes several times as fast as NumPy multiplies float32: 400,000 rows of 384 dimensions and two
queries take 18 ms of processor time instead of 68 (`numpy.vecdot`) or 85 (a matrix product; float16 takes
36). Up to `EXACT` passages, both bytes are multiplied, so scores are those of the stored vectors. Above that,
every passage is scored by its high bytes, within 2e-3, and the `REFINED` best passages by both bytes.
docs/scale.md reports the accuracy of this. Threads share the blocks.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import TYPE_CHECKING

import numkong
import numpy as np

from onrecord.stores.catalogue import Entry, distinct
from onrecord.stores.ranking import divide_by_lengths

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from onrecord.types import Rows, Scores, Vectors

    Bytes = NDArray[np.int8]
    """The high and the low bytes of vectors, shape (2, n, dimensions)."""
    Stored = tuple[int, float, NDArray[np.int16]]
    """A recording's key, the scale, and the vectors as integers; integers times scale give the vectors."""

Load = Callable[[Sequence[Entry]], Iterable["Stored"]]
"""Reads the stored vectors of recordings."""

BLOCK = 16_384
"""Capacity of a block in passages: 12 MB at 384 dimensions, of which only the used part takes memory."""
MANY, _THREADS = 4, min(4, os.cpu_count() or 1)
"""The number of blocks from which on threads share the work, and the number of threads."""
EXACT = 65_536
"""Up to this many passages, all scores are exact."""
REFINED = 8_192
"""Approximate number of passages with exact scores if there are more than `EXACT`."""
_HIGHEST = 126 * 65_536
"""The largest absolute value of a query's integers, so that three bytes from -128 to 127 can represent it."""

# AMX has tiles for 16 queries. Two queries take a third less time by vector instructions.
for unit in {"sapphireamx", "graniteamx"} & numkong.get_capabilities().keys():
    numkong.disable_capability(unit)


class Queries:
    """Queries as 24-bit integers in three bytes from -128 to 127, packed for NumKong.

    The two high bytes give a rough product, all three an exact one.
    """

    def __init__(self, queries: Vectors) -> None:
        self.count, self.dimensions = queries.shape
        highest = np.maximum(np.abs(queries).max(axis=1, initial=0), np.finfo(np.float32).tiny)
        steps = highest.astype(np.float64)[:, None] / _HIGHEST
        whole = np.rint(queries / steps).astype(np.int64)
        self._shifts = (128 * whole.sum(axis=1, keepdims=True) * steps).astype(np.float32)
        digits: list[NDArray[np.int64]] = []
        for _ in range(3):
            digits.insert(0, ((whole + 128) & 255) - 128)
            whole = (whole - digits[0]) >> 8
        packed = [numkong.dots_pack(np.concatenate(digits[:n]).astype(np.int8)) for n in (2, 3)]
        self._rough, self._exact = zip(
            packed, ((256 * steps).astype(np.float32), steps.astype(np.float32)), strict=True
        )

    def products(self, rows: Bytes, scales: Scores, out: Scores, *, exact: bool) -> None:
        """Write the products of each query with every row into `out`, shape (queries, rows).

        The products use the high bytes of the rows, or both bytes if `exact`.
        """
        high, low = rows
        np.multiply(self._products(high, exact=exact), 256, out=out)
        if exact:
            out += self._products(low, exact=True)
        out += self._shifts
        out *= scales

    def _products(self, rows: Bytes, *, exact: bool) -> Vectors:
        """Return the products of each query with bytes of the rows, shape (queries, rows).

        The partial products are added one by one: a matrix product would round them differently depending on
        their position in a block.
        """
        packed, steps = self._exact if exact else self._rough
        parts = np.asarray(numkong.dots_packed(rows, packed)).T.astype(np.float32, order="C")
        products: Vectors = parts[: self.count]
        for first in range(self.count, len(parts), self.count):
            products *= 256
            products += parts[first : first + self.count]
        products *= steps
        return products


class Block:
    """Vectors of consecutive recordings.

    A block may share its arrays with the block that it extends: rows are only added behind those that a
    reader of the other block can see.
    """

    def __init__(self, entries: Sequence[Entry], extends: Block | None = None) -> None:
        self.entries = tuple(entries)
        self.starts = np.concatenate(([0], np.cumsum([entry.size for entry in entries]))).astype(np.int64)
        self.size = int(self.starts[-1])
        self._bytes: Bytes | None = extends._bytes if extends else None
        self._scales: Scores = extends._scales if extends else np.empty(0, np.float32)
        self._filled: set[int] = set(extends._filled) if extends else set()
        self._lock = Lock()
        self._is_extended = False

    def extended(self, entries: Sequence[Entry]) -> Block:
        """Return the block of these entries.

        This is the same block if the entries are the same. It is a block that shares the arrays if the
        entries begin with those of this block and there is room. Otherwise it is a new block. Only one block
        can take the room.
        """
        if entries == list(self.entries):
            return self
        begins = entries[: len(self.entries)] == list(self.entries)
        with self._lock:
            if not begins or self._is_extended or sum(entry.size for entry in entries) > BLOCK:
                return Block(entries)
            self._is_extended = True
        return Block(entries, self)

    def rows(self, dimensions: int, slots: Rows | None, load: Load) -> tuple[Bytes, Scores]:
        """Return the bytes and the scales of the rows, after reading at least those in `slots` (None: all).

        The scale is zero where a passage has no vector of these dimensions.
        """
        with self._lock:
            if self._bytes is None or self._bytes.shape[2] != dimensions:
                room = max(self.size, BLOCK)
                self._bytes, self._scales = (
                    np.zeros((2, room, dimensions), np.int8),
                    np.zeros(room, np.float32),
                )
                self._filled = set()
            if len(self._filled) < len(self.entries):
                self._fill(slots, dimensions, load)
            return self._bytes[:, : self.size], self._scales[: self.size]

    def _fill(self, slots: Rows | None, dimensions: int, load: Load) -> None:
        """Read the recordings of these slots (None: all) that were not read yet."""
        assert self._bytes is not None  # noqa: S101 - `rows` creates it
        places: Iterable[int] = range(len(self.entries))
        if slots is not None:
            places = distinct(np.searchsorted(self.starts, slots, "right") - 1).tolist()
        missing = {self.entries[place].key: place for place in places if place not in self._filled}
        entries = [self.entries[place] for place in missing.values()]
        for key, scale, vectors in load([entry for entry in entries if entry.dimensions == dimensions]):
            own = slice(self.starts[missing[key]], self.starts[missing[key] + 1])
            halves = vectors.view(np.int8).reshape(*vectors.shape, 2)  # the low byte first
            self._bytes[0, own] = halves[..., 1]
            np.bitwise_xor(halves[..., 0], -128, out=self._bytes[1, own])  # this subtracts 128
            self._scales[own] = scale
        self._filled.update(missing.values())


class Matrix:
    """All vectors of one state of a workspace, in the order of its catalogue."""

    def __init__(self, entries: Sequence[Entry], before: Sequence[Block] = ()) -> None:
        self.blocks = _blocks(entries, before)
        self.starts = np.concatenate(([0], np.cumsum([b.size for b in self.blocks]))).astype(np.int64)

    def products(
        self, vectors: Vectors, slots: Rows | None, lengths: Sequence[Scores | None], load: Load
    ) -> Vectors:
        """Return the products of each query with the rows in these slots (None: all), shape (queries, slots).

        The products of a query are divided by its `lengths`, one for each slot; None divides by nothing.
        Above `EXACT` slots, the products are exact only for the rows with the best scores for the last query.
        """
        queries = Queries(vectors)
        exact = (int(self.starts[-1]) if slots is None else len(slots)) <= EXACT
        scores = divide_by_lengths(self._products(queries, slots, load, exact=exact), lengths)
        if not exact:
            best = _best(scores[-1])
            chosen = best if slots is None else slots[best]
            refined = self._some_products(queries, chosen, load, exact=True)
            scores[:, best] = divide_by_lengths(refined, [None if of is None else of[best] for of in lengths])
        return scores

    def _products(self, queries: Queries, slots: Rows | None, load: Load, *, exact: bool) -> Vectors:
        if slots is not None:
            return self._some_products(queries, slots, load, exact=exact)
        scores = np.empty((queries.count, self.starts[-1]), np.float32)
        parts = [
            (*block.rows(queries.dimensions, None, load), scores[:, begin : begin + block.size])
            for block, begin in zip(self.blocks, self.starts, strict=False)
        ]

        def multiply(share: Sequence[tuple[Bytes, Scores, Scores]]) -> None:
            for part in share:
                queries.products(*part, exact=exact)

        if len(parts) < MANY:
            multiply(parts)
        else:
            shares = [parts[first :: 4 * _THREADS] for first in range(4 * _THREADS)]
            with ThreadPoolExecutor(_THREADS) as pool:
                list(pool.map(multiply, shares))
        return scores

    def _some_products(self, queries: Queries, slots: Rows, load: Load, *, exact: bool) -> Vectors:
        scores = np.empty((queries.count, len(slots)), np.float32)
        for block, inside, places in self._parts(slots):
            rows, scales = block.rows(queries.dimensions, places, load)
            few = len(places) < block.size // 4  # copying a row takes as long as three products
            if few:
                rows, scales = rows[:, places], scales[places]
            products = np.empty((queries.count, len(scales)), np.float32)
            queries.products(rows, scales, products, exact=exact)
            scores[:, inside] = products if few else products[:, places]
        return scores

    def rows(self, slots: Rows, dimensions: int, load: Load) -> Vectors:
        """Return the stored vectors in these slots, float32 of shape (slots, dimensions)."""
        vectors = np.empty((len(slots), dimensions), np.float32)
        for block, inside, places in self._parts(slots):
            rows, scales = block.rows(dimensions, places, load)
            high, low = rows[:, places]
            numbers = np.multiply(high, np.float32(256))
            numbers += low
            numbers += 128
            vectors[inside] = np.multiply(numbers, scales[places, None], out=numbers)
        return vectors

    def _parts(self, slots: Rows) -> Iterator[tuple[Block, Rows, Rows]]:
        """Yield, for every block with some of the slots: the block, their indices, their places in it."""
        which = np.searchsorted(self.starts, slots, "right") - 1
        for number in distinct(which):
            inside = np.flatnonzero(which == number)
            yield self.blocks[number], inside, slots[inside] - self.starts[number]


def _best(scores: Scores) -> Rows:
    """Return the indices of about the `REFINED` best scores, ascending.

    Every 16th score serves as a sample to estimate the lowest of these. The number is limited, so that it
    does not grow with many equal scores, such as those of passages without vectors.
    """
    best = np.flatnonzero(scores >= np.partition(scores[::16], -REFINED // 16)[-REFINED // 16])
    return best if len(best) < 2 * REFINED else np.sort(np.argpartition(-scores, REFINED)[:REFINED])


def _blocks(entries: Sequence[Entry], before: Sequence[Block]) -> list[Block]:
    """Group entries into blocks.

    A block begins where a block began before, unless that one was less than half full, and where the room
    ends.
    """
    blocks = {block.entries[0].key: block for block in before}
    heads = {key for key, block in blocks.items() if block.size >= BLOCK // 2}
    groups: list[list[Entry]] = []
    size = 0
    for entry in entries:
        if not groups or entry.key in heads or size + entry.size > BLOCK:
            groups.append([])
            size = 0
        groups[-1].append(entry)
        size += entry.size
    extends = [blocks.get(group[0].key) for group in groups]
    return [
        block.extended(group) if block else Block(group) for group, block in zip(groups, extends, strict=True)
    ]
