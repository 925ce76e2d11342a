"""The complete contract of a store."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from typing import Any

import numpy as np

from onrecord.stores.base import Snapshot, Store
from onrecord.stores.contract.graphing import Graphing
from onrecord.stores.contract.keeping import Keeping
from onrecord.stores.contract.searching import Searching
from onrecord.stores.contract.world import TEXTS, VECTORS, World, passages, recording, unit
from onrecord.types import Scope


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
            assert set(store.best_matches(["freight"], timeline, 9)[0]) <= set(timeline.rows)
            assert not store.dense(VECTORS[0], timeline).any()
            assert [p.recording for p in store.passages(timeline.rows)] == ["chat"]
            assert not store.vectors(timeline.rows).any()

    def test_only_passages_of_an_old_line_are_found(self) -> None:
        with closing(self.filled()) as store:
            store.set_vectors("chat", VECTORS[:1])
            timeline = store.timeline()
            store.add(recording("call"), passages("call"), vectors=VECTORS)
            assert len(store.timeline()) == len(timeline)
            rows, scores = store.nearest(VECTORS[0], timeline, 9)
            assert set(rows[scores > 0]) <= set(timeline.rows[3:])
            rows, _ = store.best_matches(["freight", "margins"], timeline, 9)
            assert set(rows) <= set(timeline.rows[3:])

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


class Caching(World):
    """Tests of the caches of a workspace."""

    def test_what_is_cached_is_there_until_something_is_written(self) -> None:
        writes: list[Callable[[Store], object]] = [
            lambda s: s.add(recording("late", 1), passages("late", ("Freight came late.",))),
            lambda s: s.set_vectors("call", VECTORS),
            lambda s: s.set_sections("call", s.transcript("call"), []),
            lambda s: s.set_meta("model", "another"),
            lambda s: s.exchange_vectors(()),
            lambda s: s.remove("chat"),
        ]
        with closing(self.filled()) as store:
            for write in writes:
                version = store.version
                store.cache("results", {b"a": b"1", b"b": b""}, version, 1000)
                store.cache("embeddings", {b"a": b"2"}, version, 1000)
                assert store.version == version
                assert store.cached("results", (b"a", b"b", b"c")) == {b"a": b"1", b"b": b""}
                assert store.cached("embeddings", (b"a", b"b")) == {b"a": b"2"}
                write(store)
                assert store.version > version
                assert store.cached("results", (b"a", b"b")) == {}
                assert store.cached("embeddings", (b"a",)) == {}

    def test_what_was_found_before_a_write_is_not_kept(self) -> None:
        with closing(self.filled()) as store:
            with store.snapshot() as before:
                store.remove("chat")
                store.cache("results", {b"a": b"old"}, before.version, 1000)
                assert before.cached("results", (b"a",)) == {}
            assert store.cached("results", (b"a",)) == {}

    def test_a_value_that_is_written_meanwhile_is_not_missed(self) -> None:
        with closing(self.filled()) as store, store.snapshot() as snapshot:
            assert snapshot.cached("results", (b"a",)) == {}
            store.cache("results", {b"a": b"1"}, snapshot.version, 1000)
            store.stats()  # writes what waits
            assert snapshot.cached("results", (b"a",)) == {b"a": b"1"}

    def test_the_oldest_leave_a_full_cache(self) -> None:
        with closing(self.filled()) as store:
            for key in (b"a", b"b", b"c", b"d"):
                store.cache("results", {key: b"12345"}, store.version, 13)
            assert store.cached("results", (b"a", b"b", b"c", b"d")) == {b"c": b"12345", b"d": b"12345"}
            store.cache("results", {b"e": b"too large for it"}, store.version, 13)
            assert store.cached("results", (b"c", b"d", b"e")) == {}

    def test_caches_are_counted(self) -> None:
        with closing(self.filled()) as store:
            assert store.stats()["caches"]["results"]["rate"] is None
            store.cache("results", {b"a": b"12345"}, store.version, 1000)
            store.count("results", 3, 0)
            store.count("results", 0, 1)
            counted = {"kept": 1, "bytes": 6, "hits": 3, "misses": 1, "rate": 0.75}
            assert store.stats()["caches"]["results"] == counted
            assert store.stats()["caches"]["embeddings"]["hits"] == 0
            store.remove("chat")
            assert store.stats()["caches"]["results"] == {**counted, "kept": 0, "bytes": 0}

    def test_workspaces_do_not_share_what_is_cached(self) -> None:
        with closing(self.filled()) as store, closing(self.open("other")) as other:
            other.add(recording("call", 1), passages("call", ("Freight.",)))
            store.cache("results", {b"a": b"mine"}, store.version, 1000)
            other.cache("results", {b"a": b"theirs"}, other.version, 1000)
            assert store.cached("results", (b"a",)) == {b"a": b"mine"}
            other.remove("call")
            assert store.cached("results", (b"a",)) == {b"a": b"mine"}
            assert other.cached("results", (b"a",)) == {}
            assert other.stats()["caches"]["results"]["kept"] == 0


class Offering(World):
    """Tests of a whitened space and of the list of terms."""

    def test_whitened_is_dense_and_the_same_where_how_it_is_said_counts_less(self) -> None:
        rows = unit(*((1.0, 0.1 * (n % 7), 0.9 * (n % 2), 0.2 * (n % 3)) for n in range(600)))
        with closing(self.filled()) as store:
            for name in ("long", "longer"):
                store.add(recording(name, 600), passages(name, ("Yes.",) * 600), vectors=rows)
            whole, part = store.timeline(), store.timeline(Scope(recordings=("call", "longer", "chat")))
            query = unit((1, 0.5, 0.5, 0))[0]
            plain, whitened = store.whitened(query, whole)
            assert whitened.dtype == np.float32 and np.allclose(plain, store.dense(query, whole), atol=1e-6)
            assert np.isfinite(whitened).all() and np.abs(whitened).max() <= 1.001
            said = np.isin(whole.recordings, [whole.names.index(name) for name in ("long", "longer")])
            assert np.ptp(whitened[said]) < np.ptp(plain[said])
            assert whitened[whole.names.index("chat") == whole.recordings].tolist() == [0]
            inside = np.isin(whole.rows, part.rows)
            for every, some in zip((plain, whitened), store.whitened(query, part), strict=True):
                assert np.allclose(every[inside], some, atol=1e-5)
            store.remove("longer")
            assert not store.whitened(query, part)[1][3:603].any()

    def test_terms_that_begin_alike(self) -> None:
        with closing(self.filled()) as store:
            assert store.beginning("fr") == {term for term in ("freight", "fresh") if store.heard([term])}
            assert {"freight"} <= store.beginning("f") and not store.beginning("freightz")
            for text in ("", "%", "_r", "^", "'", '"', "\x00", "\ud800"):
                assert not store.beginning(text), repr(text)
            every = {term for letter in "abcdefghijklmnopqrstuvwxyz" for term in store.beginning(letter)}
            assert store.heard(every) == every
            for recording in store.recordings():
                store.remove(recording.id)
            assert not store.beginning("f")


class CompleteStoreContract(StoreContract, Caching, Offering):
    """Tests of a store that also has caches and a whitened space, and lists its terms."""


def _state(store: Snapshot, timeline: Any) -> list[Any]:
    """Return all data that a question can read."""
    return [
        [p.text for p in store.passages(timeline.rows)],
        store.dense(VECTORS[0], timeline).tolist(),
        store.keyword(["freight", "margins"], timeline).tolist(),
    ]
