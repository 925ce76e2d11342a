"""The vectors of a workspace in memory, in blocks that outlive changes elsewhere in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from onrecord.stores.catalogue import Entry

if TYPE_CHECKING:
    from onrecord.types import Rows, Scores, Vector, Vectors

Load = Callable[[Entry], "Vectors"]
"""Reads the vectors of a recording from where they are kept."""

BLOCK = 4096
"""Passages a block is filled up to. A block is what is read when one recording is asked about, and what
is copied when one is added or removed: 6 MB at 384 dimensions."""


class Block:
    """Vectors of recordings that follow one another, read when first needed."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.entries = tuple(entries)
        self.size = sum(len(entry) for entry in entries)
        self._rows: Vectors | None = None

    def rows(self, dimensions: int, load: Load) -> Vectors:
        """One row a passage; zeros for those without a vector of these dimensions."""
        if self._rows is None or self._rows.shape[1] != dimensions:
            rows = np.zeros((self.size, dimensions), np.float32)
            begin = 0
            for entry in self.entries:
                if entry.dimensions == dimensions:
                    rows[begin : begin + len(entry)] = load(entry)
                begin += len(entry)
            self._rows = rows
        return self._rows


class Matrix:
    """All vectors of one state of a workspace, in the order of its catalogue."""

    def __init__(self, entries: Sequence[Entry], before: Sequence[Block] = ()) -> None:
        self.blocks = _blocks(entries, before)
        sizes = [block.size for block in self.blocks]
        self.starts: Rows = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)

    def products(self, vector: Vector, load: Load) -> Scores:
        """The product of every row with the vector."""
        scores = np.empty(self.starts[-1], np.float32)
        for block, begin in zip(self.blocks, self.starts, strict=False):
            np.dot(block.rows(len(vector), load), vector, out=scores[begin : begin + block.size])
        return scores

    def some_products(self, vector: Vector, slots: Rows, load: Load) -> Scores:
        """The products of the rows in these slots."""
        scores = np.empty(len(slots), np.float32)
        for block, inside, places in self._parts(slots):
            scores[inside] = (block.rows(len(vector), load) @ vector)[places]
        return scores

    def rows(self, slots: Rows, dimensions: int, load: Load) -> Vectors:
        """A copy of the rows in these slots."""
        rows = np.empty((len(slots), dimensions), np.float32)
        for block, inside, places in self._parts(slots):
            rows[inside] = block.rows(dimensions, load)[places]
        return rows

    def _parts(self, slots: Rows) -> list[tuple[Block, Rows, Rows]]:
        """For every block touched: the block, which of the slots lie in it, and where."""
        which = np.searchsorted(self.starts, slots, "right") - 1
        parts = []
        for number in np.unique(which):
            inside = np.flatnonzero(which == number)
            parts.append((self.blocks[number], inside, slots[inside] - self.starts[number]))
        return parts


def _blocks(entries: Sequence[Entry], before: Sequence[Block]) -> list[Block]:
    """Entries in blocks. Those blocks that are still right stay; those half empty are filled up."""
    known = {block.entries[0].key: block for block in before}
    heads = {key for key, block in known.items() if block.size >= BLOCK // 2}
    blocks: list[Block] = []
    filling: list[Entry] = []
    size = 0
    for entry in entries:
        if filling and (entry.key in heads or size >= BLOCK):
            blocks.append(_same(known, filling))
            filling, size = [], 0
        filling.append(entry)
        size += len(entry)
    return [*blocks, _same(known, filling)] if filling else blocks


def _same(known: dict[int, Block], entries: Sequence[Entry]) -> Block:
    block = known.get(entries[0].key)
    return block if block is not None and block.entries == tuple(entries) else Block(entries)
