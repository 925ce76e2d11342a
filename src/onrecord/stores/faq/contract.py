"""Tests that every FAQ store must pass. Inherit `FaqStoreContract` and open the store::

class TestMine(FaqStoreContract):
    def open(self, workspace="default"):
        return MyFaqStore(workspace)
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from threading import Thread
from typing import TYPE_CHECKING

import numpy as np
import pytest

from onrecord.errors import InputError, NotFoundError, SettingError, StoreError
from onrecord.stores.faq.base import MOST_REPLIES, FaqStore, Thresholds, Usage
from onrecord.types import FaqEntry

if TYPE_CHECKING:
    from onrecord.types import Vectors

HOURS = FaqEntry(
    "hours", "When are you open?", "From nine to five.", ("opening hours", "are you open"), ("shop",)
)
PARCEL = FaqEntry("parcel", "Where is my parcel?", "See your mail.", link="https://example.org/parcels")


def rows(*entries: FaqEntry, number: float = 1.0) -> Vectors:
    """Return a vector for every wording. The vectors of an entry differ in their second numbers."""
    count = sum(len(entry.wordings) for entry in entries)
    return np.array([[number, row, 0, 0] for row in range(count)], np.float32)


def live(entry: FaqEntry) -> FaqEntry:
    return replace(entry, status="live")


class FaqStoreContract:
    """Tests of the FaqStore protocol."""

    def open(self, workspace: str = "default") -> FaqStore:
        raise NotImplementedError("a class that inherits the contract says how a store is opened")

    # ---- entries

    def test_entries_come_back_as_they_were_put_in_their_order(self) -> None:
        with closing(self.open()) as store:
            store.put([PARCEL, HOURS])
            assert store.entries() == [PARCEL, HOURS]
            assert store.entries(["hours", "parcel"]) == [HOURS, PARCEL]
            assert store.entries(status="live") == []

    def test_an_entry_takes_the_place_of_the_one_with_its_id(self) -> None:
        with closing(self.open()) as store:
            store.put([HOURS, PARCEL])
            store.put([replace(HOURS, answer="Round the clock.", variants=())])
            assert [entry.answer for entry in store.entries()] == ["Round the clock.", "See your mail."]

    def test_live_entries_have_their_vectors_in_order(self) -> None:
        with closing(self.open()) as store:
            store.put([live(HOURS)], rows(HOURS), "model a")
            store.put([PARCEL])
            store.put([live(PARCEL)], rows(PARCEL, number=2), "model a")
            found = store.live()
            assert found.entries == (live(HOURS), live(PARCEL))
            assert found.models == {"model a"}
            assert found.vectors.dtype == np.float32
            assert np.array_equal(found.vectors, np.concatenate([rows(HOURS), rows(PARCEL, number=2)]))

    def test_drafts_and_retired_entries_are_not_live(self) -> None:
        with closing(self.open()) as store:
            assert store.live().entries == ()
            store.put([live(HOURS), replace(PARCEL, status="retired")], rows(HOURS, PARCEL), "model a")
            assert [entry.id for entry in store.live().entries] == ["hours"]
            store.set_status(["hours"], "retired")
            assert store.live().entries == () and len(store.live().vectors) == 0
            store.set_status(["hours", "parcel"], "live")
            assert len(store.live().vectors) == 4

    def test_vectors_of_several_models_are_not_mixed(self) -> None:
        with closing(self.open()) as store:
            store.put([live(HOURS)], rows(HOURS), "model a")
            store.put([live(PARCEL)], np.ones((1, 7), np.float32), "model b")
            assert store.live().models == {"model a", "model b"}
            assert len(store.live().vectors) == 0

    def test_nothing_is_live_without_vectors(self) -> None:
        with closing(self.open()) as store:
            with pytest.raises(InputError, match="hours"):
                store.put([live(HOURS)])
            store.put([HOURS, PARCEL], None)
            with pytest.raises(InputError, match="promote"):
                store.set_status(["hours"], "live")
            assert store.live().entries == ()

    def test_a_changed_entry_without_vectors_has_none(self) -> None:
        with closing(self.open()) as store:
            store.put([live(HOURS)], rows(HOURS), "model a")
            store.put([HOURS])
            with pytest.raises(InputError):
                store.set_status(["hours"], "live")

    def test_what_does_not_fit_is_refused_and_changes_nothing(self) -> None:
        with closing(self.open()) as store:
            store.put([PARCEL])
            with pytest.raises(StoreError):
                store.put([live(HOURS)], rows(HOURS)[:1], "model a")
            with pytest.raises(StoreError):
                store.put([HOURS, HOURS])
            with pytest.raises(SettingError, match="published"):
                store.put([replace(HOURS, status="published")])
            with pytest.raises(SettingError):
                store.set_status(["parcel"], "published")
            assert store.entries() == [PARCEL]

    def test_an_unknown_id_is_refused_wholly_with_the_one_it_may_mean(self) -> None:
        with closing(self.open()) as store:
            store.put([HOURS, PARCEL])
            for refused in (store.remove, store.entries, lambda ids: store.set_status(ids, "retired")):
                with pytest.raises(NotFoundError, match="'parcel'"):
                    refused(["hours", "parcels"])
            assert store.entries() == [HOURS, PARCEL]

    def test_remove_leaves_nothing(self) -> None:
        with closing(self.open()) as store:
            store.put([live(HOURS), live(PARCEL)], rows(HOURS, PARCEL), "model a")
            store.remove(["hours"])
            assert store.entries() == [live(PARCEL)]
            assert len(store.live().vectors) == 1

    # ---- versions, thresholds, the cache

    def test_every_change_makes_a_version_and_empties_the_cache(self) -> None:
        with closing(self.open()) as store:
            changes: tuple[Callable[[], None], ...] = (
                lambda: store.put([HOURS, PARCEL]),
                lambda: store.put([live(HOURS)], rows(HOURS), "model a"),
                lambda: store.set_status(["hours"], "retired"),
                lambda: store.remove(["hours"]),
                lambda: store.set_thresholds("model a", Thresholds(0.9, 0.3)),
                lambda: store.set_thresholds("model a", None),
            )
            for change in changes:
                before = store.recall("when", "basis", "model a", 0).version
                store.remember("when", "basis", "reply", 10, 0, before)
                assert store.recall("when", "basis", "model a", 0).reply == "reply"
                change()
                after = store.recall("when", "basis", "model a", 0)
                assert after.version > before and after.reply is None
                assert store.live().version == after.version

    def test_thresholds_belong_to_a_model(self) -> None:
        with closing(self.open()) as store:
            store.set_thresholds("model a", Thresholds(0.9, 0.3))
            store.set_thresholds("model a", Thresholds(0.8, 0.4))
            assert store.recall("q", "b", "model a", 0).thresholds == Thresholds(0.8, 0.4)
            assert store.recall("q", "b", "model b", 0).thresholds is None
            store.set_thresholds("model a", None)
            assert store.recall("q", "b", "model a", 0).thresholds is None

    def test_a_reply_is_recalled_until_it_is_too_old(self) -> None:
        with closing(self.open()) as store:
            store.remember("q", "b", "reply", 100, 0, 0)
            assert store.recall("q", "b", "m", 100).reply == "reply"
            assert store.recall("q", "b", "m", 100.5).reply is None
            assert store.recall("q", "other basis", "m", 0).reply is None
            assert store.recall("Q", "b", "m", 0).reply is None
            store.remember("q", "b", "newer", 101, 0, 0)
            assert store.recall("q", "b", "m", 100.5).reply == "newer"
            store.remember("other", "b", "reply", 200, 150, 0)
            assert store.recall("q", "b", "m", 0).reply is None

    def test_a_reply_that_stands_on_what_is_gone_is_not_kept(self) -> None:
        with closing(self.open()) as store:
            version = store.recall("q", "b", "m", 0).version
            store.put([HOURS])
            store.remember("q", "b", "stale", 100, 0, version)
            assert store.recall("q", "b", "m", 0).reply is None

    def test_the_cache_has_an_end(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert MOST_REPLIES > 1000
        with closing(self.open()) as store:
            monkeypatch.setattr(store, "most_replies", 3)
            monkeypatch.setattr(store, "check_every", 1, raising=False)
            for number in range(6):
                store.remember(f"q{number}", "b", "reply", number, 0, 0)
            kept = [n for n in range(6) if store.recall(f"q{n}", "b", "m", 0).reply]
            assert kept == [3, 4, 5]

    def test_any_question_can_be_remembered(self) -> None:
        with closing(self.open()) as store:
            for question in (
                "",
                "'; DROP TABLE faq_replies; --",
                "a\x00b",
                "\ud800",
                "\U0001f600",
                "x" * 9000,
            ):
                store.remember(question, "b", question[:1].encode("ascii", "replace").decode(), 1, 0, 0)
                assert store.recall(question, "b", "m", 0).reply is not None

    # ---- usage counts

    def test_the_account_adds_up(self) -> None:
        with closing(self.open()) as store:
            store.count([Usage("2026-01-02", "rerank_hit", "passed", "m", 1, 1, 100, 10, 0.5)])
            store.count([Usage("2026-01-02", "rerank_hit", "passed", "m", 2, 2, 50, 5, 0.25)] * 2)
            store.count([Usage("2026-01-01", "cache"), Usage("2026-01-01", "cache")])
            store.put([HOURS])
            assert store.usage() == [
                Usage("2026-01-01", "cache", asked=2),
                Usage("2026-01-02", "rerank_hit", "passed", "m", 5, 5, 200, 20, 1.0),
            ]

    # ---- isolation and concurrency

    def test_workspaces_do_not_see_each_other(self) -> None:
        with closing(self.open()) as mine, closing(self.open("other")) as other:
            mine.put([live(HOURS)], rows(HOURS), "model a")
            mine.set_thresholds("model a", Thresholds(0.9, 0.3))
            version = mine.recall("q", "b", "model a", 0).version
            mine.remember("q", "b", "reply", 100, 0, version)
            mine.count([Usage("2026-01-01", "cache")])
            assert other.entries() == [] and other.live().entries == () and other.usage() == []
            seen = other.recall("q", "b", "model a", 0)
            assert (seen.version, seen.thresholds, seen.reply) == (0, None, None)
            with pytest.raises(NotFoundError) as refused:
                other.remove(["hour"])
            assert "hours" not in str(refused.value)
            other.put([replace(HOURS, answer="Never.")])
            assert mine.entries() == [live(HOURS)]
            assert mine.recall("q", "b", "model a", 0).reply == "reply"

    def test_writers_of_several_threads_lose_nothing(self) -> None:
        with closing(self.open()) as store:

            def work(number: int) -> None:
                store.put([replace(PARCEL, id=f"entry {number}")])
                store.count([Usage("2026-01-01", "cache")])
                version = store.recall("q", "b", "m", 0).version
                store.remember("q", "b", str(number), 100, 0, version)

            threads = [Thread(target=work, args=(number,)) for number in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            assert len(store.entries()) == 8
            assert store.live().version == 8
            assert store.usage() == [Usage("2026-01-01", "cache", asked=8)]
