"""The vectors of a workspace in memory: float16, read from the archive when first needed, in blocks of
recordings, so that a change reaches no further than its block.

NumKong multiplies them in float32, at the speed of memory: 400,000 rows of 384 and two queries take 36 ms of
processor time, where float32 takes 68 by `numpy.vecdot` and 85 by a matrix product. Scores are within 8e-5 of
those of float32, and within 1.5e-5 for all but a few: on 150 questions of QMSum among 200,000 passages the
first 50 stay the same. (int8 takes 19 ms and half the memory, and keeps .989 of them and .98 of the firsts.)
A passage gets the same score to the last bit whatever else is in scope. Where an archive is large, threads
share its blocks.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import TYPE_CHECKING

import numkong
import numpy as np

from onrecord.stores.catalogue import Entry, distinct

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from onrecord.types import Rows, Vectors

    Halves = NDArray[np.float16]
    """Vectors in half precision, shape (n, dimensions)."""

Load = Callable[[Sequence[tuple[Entry, "Halves"]]], None]
"""Writes the vectors of each recording into its array."""

BLOCK = 16_384
"""Passages a block has room for: 12 MB at 384 dimensions, of which only what is used takes memory."""
MANY, _THREADS = 4, min(4, os.cpu_count() or 1)
"""Blocks from which on threads share the work, and how many threads."""


class Block:
    """Vectors of recordings that follow one another. It may share its array with the block that it
    extends: rows are only ever added behind those that a reader of the other can see."""

    def __init__(self, entries: Sequence[Entry], extends: Block | None = None) -> None:
        self.entries = tuple(entries)
        self.starts = np.concatenate(([0], np.cumsum([entry.size for entry in entries]))).astype(np.int64)
        self.size = int(self.starts[-1])
        self._array: Halves | None = extends._array if extends else None
        self._filled: set[int] = set(extends._filled) if extends else set()
        self._lock = Lock()

    def extended(self, entries: Sequence[Entry]) -> Block:
        """The block of these entries: this one where they are the same, one that shares its array
        where they begin with them and there is room, else a new one."""
        if entries[: len(self.entries)] != list(self.entries):
            return Block(entries)
        if len(entries) == len(self.entries):
            return self
        return Block(entries, self if sum(entry.size for entry in entries) <= BLOCK else None)

    def rows(self, dimensions: int, slots: Rows | None, load: Load) -> Halves:
        """The array, with at least the rows in `slots` (None: all) read; zeros where a passage has no
        vector of these dimensions."""
        with self._lock:
            if self._array is None or self._array.shape[1] != dimensions:
                self._array = np.zeros((max(self.size, BLOCK), dimensions), np.float16)
                self._filled = set()
            places = range(len(self.entries)) if slots is None else self._places(slots)
            missing = [place for place in places if place not in self._filled]
            wanted = [
                (self.entries[place], self._array[self.starts[place] : self.starts[place + 1]])
                for place in missing
                if self.entries[place].dimensions == dimensions
            ]
            if wanted:
                load(wanted)
            self._filled.update(missing)
            return self._array[: self.size]

    def _places(self, slots: Rows) -> Iterator[int]:
        yield from distinct(np.searchsorted(self.starts, slots, "right") - 1).tolist()


class Matrix:
    """All vectors of one state of a workspace, in the order of its catalogue."""

    def __init__(self, entries: Sequence[Entry], before: Sequence[Block] = ()) -> None:
        self.blocks = _blocks(entries, before)
        self.starts = np.concatenate(([0], np.cumsum([b.size for b in self.blocks]))).astype(np.int64)

    def products(self, queries: Vectors, load: Load) -> Vectors:
        """The products of each query with every row. Shape (queries, rows)."""
        scores = np.empty((len(queries), self.starts[-1]), np.float32)
        packed = numkong.dots_pack(queries.astype(np.float16))
        parts = [
            (block.rows(queries.shape[1], None, load), scores[:, begin : begin + block.size])
            for block, begin in zip(self.blocks, self.starts, strict=False)
        ]
        if len(parts) < MANY:
            for rows, out in parts:
                out[:] = _multiply(rows, packed)
        else:
            with ThreadPoolExecutor(_THREADS) as pool:
                list(pool.map(lambda part: np.copyto(part[1], _multiply(part[0], packed)), parts))
        return scores

    def some_products(self, queries: Vectors, slots: Rows, load: Load) -> Vectors:
        """The products with the rows in these slots."""
        scores = np.empty((len(queries), len(slots)), np.float32)
        packed = numkong.dots_pack(queries.astype(np.float16))
        for block, inside, places in self._parts(slots):
            rows = block.rows(queries.shape[1], places, load)
            if len(places) < block.size // 4:  # copying a row takes as long as three products
                scores[:, inside] = _multiply(rows[places], packed)
            else:
                scores[:, inside] = _multiply(rows, packed)[:, places]
        return scores

    def rows(self, slots: Rows, dimensions: int, load: Load) -> Vectors:
        """The rows in these slots, in single precision."""
        rows = np.empty((len(slots), dimensions), np.float32)
        for block, inside, places in self._parts(slots):
            rows[inside] = block.rows(dimensions, places, load)[places]
        return rows

    def _parts(self, slots: Rows) -> Iterator[tuple[Block, Rows, Rows]]:
        """For every block touched: the block, which of the slots lie in it, and where."""
        which = np.searchsorted(self.starts, slots, "right") - 1
        for number in distinct(which):
            inside = np.flatnonzero(which == number)
            yield self.blocks[number], inside, slots[inside] - self.starts[number]


def _multiply(rows: Halves, queries: numkong.PackedMatrix) -> Vectors:
    """The products of each query with every row. Shape (queries, rows)."""
    return np.asarray(numkong.dots_packed(rows, queries)).T


def _blocks(entries: Sequence[Entry], before: Sequence[Block]) -> list[Block]:
    """Entries in blocks. A block begins where one began before, unless that was less than half full,
    and where there is no more room."""
    known = {block.entries[0].key: block for block in before}
    heads = {key for key, block in known.items() if block.size >= BLOCK // 2}
    groups: list[list[Entry]] = []
    size = 0
    for entry in entries:
        if not groups or entry.key in heads or size + entry.size > BLOCK:
            groups.append([])
            size = 0
        groups[-1].append(entry)
        size += entry.size
    return [_block(group, known.get(group[0].key)) for group in groups]


def _block(entries: list[Entry], before: Block | None) -> Block:
    return before.extended(entries) if before else Block(entries)
