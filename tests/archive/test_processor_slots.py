"""Processor slots of processes that add recordings: while a user asks, they leave one processor core free.

No process waits for a process that has ended, or too long for one that has stopped.
"""

from __future__ import annotations

import multiprocessing
import os
import time
from multiprocessing.synchronize import Event
from pathlib import Path

import pytest

import onrecord
from onrecord.archive import processor_slots

pytestmark = pytest.mark.skipif(os.name == "nt", reason="nobody waits there")


@pytest.fixture(autouse=True)
def two_cores(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Use an empty cache folder, two processor cores, and a longest wait of 0.2 s."""
    monkeypatch.setenv("ONRECORD_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    monkeypatch.setattr(processor_slots, "LONGEST", 0.2)
    monkeypatch.setattr(processor_slots, "_recorded", [-1.0])


def _waits() -> bool:
    """Return whether a second slot waits for the end of the first."""
    with processor_slots.slot():
        began = time.monotonic()
        with processor_slots.slot():
            return time.monotonic() - began > 0.1


def test_adding_has_all_cores_until_somebody_asks() -> None:
    assert not _waits()
    processor_slots.record_question()
    assert _waits()


def test_adding_has_all_cores_again_after_the_last_question(monkeypatch: pytest.MonkeyPatch) -> None:
    processor_slots.record_question()
    monkeypatch.setattr(processor_slots, "ASKING", 0.0)
    assert not _waits()


@pytest.mark.parametrize(("cores", "waits"), [(1, True), (None, True), (3, False)])
def test_there_is_a_slot_for_each_core_but_one(
    cores: int | None, waits: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    processor_slots.record_question()
    assert _waits() is waits


def test_a_question_and_an_addition_go_on_where_nothing_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a file").touch()
    monkeypatch.setenv("ONRECORD_CACHE", str(tmp_path / "a file"))
    processor_slots.record_question()
    assert not _waits()


def test_a_search_is_recorded_and_adding_goes_on_after_its_slot(tmp_path: Path) -> None:
    with onrecord.open(tmp_path / "talks.db", embedding={"model": "hashing"}) as archive:
        (tmp_path / "talk.txt").write_text("Ann: Freight fell.")
        archive.add(tmp_path / "talk.txt")
        assert not (tmp_path / "cache" / "slots" / "asked").exists()
        assert archive.search("freight").moments
        assert (tmp_path / "cache" / "slots" / "asked").exists()
        (tmp_path / "other.txt").write_text("Bo: Margins rose.")
        with processor_slots.slot():
            began = time.monotonic()
            assert archive.add(tmp_path / "other.txt").added
            assert time.monotonic() - began > 0.1


def _hold(cache: str, held: Event) -> None:
    """Hold the only slot for a minute, in a process of its own."""
    os.environ["ONRECORD_CACHE"] = cache
    os.cpu_count, processor_slots.ASKING = (lambda: 2), 100.0
    with processor_slots.slot():
        held.set()
        time.sleep(60)


def test_the_slot_of_a_killed_process_is_free(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processor_slots, "ASKING", 100.0)
    processor_slots.record_question()
    context = multiprocessing.get_context("spawn")
    held = context.Event()
    process = context.Process(target=_hold, args=(str(tmp_path / "cache"), held))
    process.start()
    assert held.wait(60)
    began = time.monotonic()
    with processor_slots.slot():
        assert time.monotonic() - began > 0.1  # the other process holds the only slot
    process.kill()
    process.join()
    assert _waits()  # the slot is free again: one holds it, and a second waits


def test_nobody_waits_on_a_disk_that_knows_no_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    import fcntl

    def refuse(*_: object) -> None:
        raise OSError("no locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)
    processor_slots.record_question()
    assert not _waits()
