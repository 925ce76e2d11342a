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
                timeline = before.timeline()
                store.remove("call")
                store.add(
                    recording("late", 1), passages("late", ("Freight came late.",)), vectors=VECTORS[:1]
                )
                assert _state(before, timeline) == _state(before, before.timeline())
                assert [p.recording for p in before.passages(timeline.rows[:1])] == ["call"]
                assert before.dense(VECTORS[0], timeline)[0] > 0.99
                assert before.keyword(["margins"], timeline)[0] > 0
            assert "late" in store.timeline().names

    def test_a_line_that_outlived_its_passages_does_no_harm(self) -> None:
        with closing(self.filled()) as store:
            timeline = store.timeline()
            store.add(recording("call"), passages("call", TEXTS[::-1]), vectors=VECTORS)
            store.remove("talk")
            assert store.keyword(["freight"], timeline).nonzero()[0].tolist() == [6]
            assert not store.dense(VECTORS[0], timeline).any()
            assert [p.recording for p in store.passages(timeline.rows)] == ["chat"]
            assert not store.vectors(timeline.rows).any()

    def test_rows_are_never_used_twice(self) -> None:
        with closing(self.filled()) as store:
            timeline = store.timeline()
            for name in ("chat", "talk"):
                store.remove(name)
            store.add(recording("late"), passages("late"), vectors=VECTORS)
            there = timeline.recordings == timeline.names.index("call")
            assert [p.recording for p in store.passages(timeline.rows)] == ["call"] * 3
            assert np.array_equal(store.vectors(timeline.rows).any(axis=1), there)
            assert not store.dense(unit((1, 1, 1, 1))[0], timeline)[~there].any()
            assert not store.keyword(["freight", "plant", "quarter"], timeline)[~there].any()

    def test_workspaces_do_not_see_each_other(self) -> None:
        with closing(self.filled()) as store, closing(self.open("other")) as other:
            alone = store.keyword(["freight"], store.timeline())
            assert other.recordings() == []
            other.add(
                recording("call", 1), passages("call", ("Freight freight freight.",)), vectors=VECTORS[:1]
            )
            other.set_meta("model", "another")
            assert store.meta("model") is None
            assert len(store.timeline()) == 7
            assert np.array_equal(store.keyword(["freight"], store.timeline()), alone)
            other.remove("call")
            assert store.recording("call") is not None


class CompleteStoreContract(StoreContract, Caching, Offering):
    """The same of a store that also remembers, has a whitened space, and lists its terms."""


def _state(store: Reader, timeline: Any) -> list[Any]:
    """Everything that a question can see."""
    return [
        [p.text for p in store.passages(timeline.rows)],
        store.dense(VECTORS[0], timeline).tolist(),
        store.keyword(["freight", "margins"], timeline).tolist(),
    ]
