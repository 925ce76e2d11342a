"""All of the contract."""

from __future__ import annotations

from contextlib import closing
from typing import Any

import numpy as np

from onrecord.stores.base import Reader
from onrecord.stores.contract.caching import Caching
from onrecord.stores.contract.graphing import Graphing
from onrecord.stores.contract.keeping import Keeping
from onrecord.stores.contract.offering import Offering
from onrecord.stores.contract.searching import Searching
from onrecord.stores.contract.world import TEXTS, VECTORS, passages, recording, unit


class StoreContract(Keeping, Searching, Graphing):
    """Tests of one Store. Opening a workspace again must show what was put into it before."""

    def test_a_snapshot_stays_as_it_was(self) -> None:
        with closing(self.filled()) as store:
            with store.snapshot() as before:
                line = before.line()
                store.remove("call")
                store.add(
                    recording("late", 1), passages("late", ("Freight came late.",)), vectors=VECTORS[:1]
                )
                assert _state(before, line) == _state(before, before.line())
                assert [p.recording for p in before.passages(line.rows[:1])] == ["call"]
                assert before.dense(VECTORS[0], line)[0] > 0.99
                assert before.keyword(["margins"], line)[0] > 0
            assert "late" in store.line().names

    def test_a_line_that_outlived_its_passages_does_no_harm(self) -> None:
        with closing(self.filled()) as store:
            line = store.line()
            store.add(recording("call"), passages("call", TEXTS[::-1]), vectors=VECTORS)
            store.remove("talk")
            assert store.keyword(["freight"], line).nonzero()[0].tolist() == [6]
            assert not store.dense(VECTORS[0], line).any()
            assert [p.recording for p in store.passages(line.rows)] == ["chat"]
            assert not store.vectors(line.rows).any()

    def test_rows_are_never_used_twice(self) -> None:
        with closing(self.filled()) as store:
            line = store.line()
            for name in ("chat", "talk"):
                store.remove(name)
            store.add(recording("late"), passages("late"), vectors=VECTORS)
            there = line.recordings == line.names.index("call")
            assert [p.recording for p in store.passages(line.rows)] == ["call"] * 3
            assert np.array_equal(store.vectors(line.rows).any(axis=1), there)
            assert not store.dense(unit((1, 1, 1, 1))[0], line)[~there].any()
            assert not store.keyword(["freight", "plant", "quarter"], line)[~there].any()

    def test_workspaces_do_not_see_each_other(self) -> None:
        with closing(self.filled()) as store, closing(self.open("other")) as other:
            alone = store.keyword(["freight"], store.line())
            assert other.recordings() == []
            other.add(
                recording("call", 1), passages("call", ("Freight freight freight.",)), vectors=VECTORS[:1]
            )
            other.set_meta("model", "another")
            assert store.meta("model") is None
            assert len(store.line()) == 7
            assert np.array_equal(store.keyword(["freight"], store.line()), alone)
            other.remove("call")
            assert store.recording("call") is not None


class CompleteStoreContract(StoreContract, Caching, Offering):
    """The same of a store that also remembers, has a whitened space, and lists its terms."""


def _state(store: Reader, line: Any) -> list[Any]:
    """Everything that a question can see."""
    return [
        [p.text for p in store.passages(line.rows)],
        store.dense(VECTORS[0], line).tolist(),
        store.keyword(["freight", "margins"], line).tolist(),
    ]
