"""What was found for a question is remembered until something is written."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing

from onrecord.stores.base import Store
from onrecord.stores.contract.world import VECTORS, World, passages, recording


class Caching(World):
    """Caches of a workspace."""

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
