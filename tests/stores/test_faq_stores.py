"""Both FAQ stores: the contract of FAQ stores, and what the store in a file guarantees besides."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from onrecord.errors import LockedError, StoreError
from onrecord.stores import open_store
from onrecord.stores.faq import FaqStore, MemoryFaqStore, Usage
from onrecord.stores.faq.contract import HOURS, PARCEL, FaqStoreContract, live, rows
from onrecord.stores.sqlite import SqliteFaqStore
from onrecord.types import FaqEntry

HALF = FaqEntry("half", "Where?", "half a pair: \ud800")


class TestMemoryFaqStore(FaqStoreContract):
    def open(self, workspace: str = "default") -> FaqStore:
        return MemoryFaqStore(workspace)


class TestSqliteFaqStore(FaqStoreContract):
    @pytest.fixture(autouse=True)
    def place(self, tmp_path: Path) -> None:
        self.path = tmp_path / "talks.db"

    def open(self, workspace: str = "default") -> FaqStore:
        return SqliteFaqStore(self.path, workspace)

    def test_it_is_there_when_opened_again(self) -> None:
        with closing(self.open()) as store:
            store.put([live(HOURS), live(PARCEL)], rows(HOURS, PARCEL), "model a")
        with closing(self.open()) as store:
            assert store.live().entries == (live(HOURS), live(PARCEL))

    def test_two_that_are_open_see_what_the_other_wrote(self) -> None:
        with closing(self.open()) as one, closing(self.open()) as two:
            one.put([HOURS])
            two.remember("q", "b", "reply", 100, 0, two.recall("q", "b", "m", 0).version)
            assert one.recall("q", "b", "m", 0).reply == "reply"
            one.put([PARCEL])
            assert two.recall("q", "b", "m", 0).reply is None
            assert two.entries() == [HOURS, PARCEL]

    def test_recordings_and_faq_share_the_file(self) -> None:
        with closing(self.open()) as store, closing(open_store(self.path)) as archive:
            before = archive.stats()
            store.put([live(HOURS)], rows(HOURS), "model a")
            assert archive.stats() == before

    def test_removed_words_are_gone_from_the_file(self) -> None:
        with closing(self.open()) as store:
            store.put([HOURS, PARCEL])
            store.remove(["parcel"])
            text = b"".join(path.read_bytes() for path in self.path.parent.iterdir())
        assert b"nine to five" in text and b"example.org" not in text

    def test_cache_and_account_do_not_wait_for_a_writer(self) -> None:
        with (
            closing(self.open()) as store,
            closing(sqlite3.connect(self.path, isolation_level=None)) as other,
        ):
            store.put([HOURS])
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(LockedError):
                store.remember("q", "b", "reply", 100, 0, 0)
            with pytest.raises(LockedError):
                store.count([Usage("2026-01-01", "cache")])
            assert store.entries() == [HOURS]
            other.execute("ROLLBACK")
            store.count([Usage("2026-01-01", "cache")])

    def test_closed_is_closed(self) -> None:
        store = self.open()
        store.close()
        with pytest.raises(StoreError, match="closed"):
            store.entries()

    def test_nothing_of_a_failed_change_stays(self) -> None:
        with closing(self.open()) as store:
            store.put([HOURS])
            with pytest.raises(StoreError, match="surrogate"):
                store.put([PARCEL, HALF])
            assert store.entries() == [HOURS]
