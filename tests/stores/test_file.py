"""The archive file: other files stay unchanged, and every error names the file and the problem."""

import os
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from onrecord.errors import (
    LockedError,
    NewerArchiveError,
    NotAnArchiveError,
    NotFoundError,
    SettingError,
    StoreError,
    UnusableError,
)
from onrecord.stores import open_store
from onrecord.stores.contract import VECTORS, passages, recording
from onrecord.stores.file import ArchiveFile
from onrecord.stores.sqlite import SqliteStore
from onrecord.types import Passage


@pytest.fixture
def path(tmp_path):
    """Return the path of a closed archive with one recording."""
    with_call(tmp_path / "talks.db").close()
    return tmp_path / "talks.db"


def with_call(path):
    """Return an open store with one recording."""
    store = open_store(path)
    store.add(recording("call"), passages("call"), vectors=VECTORS)
    return store


def names_in(folder):
    return sorted(path.name for path in folder.iterdir())


def other_database(path):
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE notes (x)")
    connection.commit()
    connection.close()


@pytest.mark.parametrize("url", ["sqlite:///{}", "sqlite://{}", "SQLITE:///{}", "{}"])
def test_a_store_is_opened_by_path_or_address(path, url, monkeypatch):
    monkeypatch.chdir(path.parent)
    store = open_store(url.format("talks.db"))
    assert [r.id for r in store.recordings()] == ["call"]
    store.close()


@pytest.mark.parametrize("url", ["qdrant://x", "mysql://y", "sqlite:///", ""])
def test_an_address_of_another_kind_is_refused(url):
    with pytest.raises(SettingError, match="the path of a file, sqlite:///PATH or postgresql://"):
        open_store(url)


def test_a_name_with_odd_characters_is_a_name(tmp_path):
    path = tmp_path / "a b?mode=ro#%41'.db"
    with_call(path).close()
    assert names_in(tmp_path) == [path.name]


@pytest.mark.parametrize(
    "make", [lambda p: p.write_bytes(b"WEBVTT\n\n00:01"), other_database], ids=["text", "db"]
)
def test_a_file_that_is_not_ours_is_left_as_it_is(tmp_path, make):
    path = tmp_path / "notes.db"
    make(path)
    before = path.read_bytes()
    with pytest.raises(NotAnArchiveError, match=r"notes\.db is not an onrecord archive"):
        open_store(path)
    assert path.read_bytes() == before
    assert names_in(tmp_path) == ["notes.db"]


def test_a_folder_is_not_an_archive(tmp_path):
    with pytest.raises(NotAnArchiveError, match="is a folder"):
        open_store(tmp_path)


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(NotFoundError, match=r"there is no folder .*nowhere"):
        open_store(tmp_path / "nowhere" / "talks.db")


def test_reading_what_is_not_there_makes_nothing(tmp_path):
    with pytest.raises(NotFoundError, match="there is no archive"):
        open_store(tmp_path / "talks.db", read_only=True)
    assert names_in(tmp_path) == []


def test_an_empty_file_becomes_an_archive_unless_it_may_not_be_written(tmp_path):
    path = tmp_path / "talks.db"
    path.touch()
    with pytest.raises(NotAnArchiveError, match="empty"):
        open_store(path, read_only=True)
    with_call(path).close()
    assert open_store(path, read_only=True).recording("call") is not None


def test_a_newer_archive_says_what_to_do(path):
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(
        NewerArchiveError, match=r"talks\.db was written by a newer onrecord .*99.*pip install"
    ):
        open_store(path)


def test_a_damaged_archive_is_reported(path):
    content = path.read_bytes()
    path.write_bytes(content[:4096] + b"\xa5" * (len(content) - 4096))
    with pytest.raises(StoreError, match=r"talks\.db: the file is damaged"):
        open_store(path).recordings()


def test_read_only_reads_and_refuses_to_write(path):
    store = open_store(path, read_only=True)
    assert store.dense(VECTORS[0], store.timeline()).shape == (3,)
    assert store.keyword(["freight"], store.timeline()).any()
    with pytest.raises(StoreError, match=r"remove 'call' from .*talks\.db: it may only be read"):
        store.remove("call")
    store.close()


def test_a_file_without_permission_to_write_is_read(path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda where, mode: Path(where) != path)
    store = open_store(path)
    assert store.recording("call") is not None
    with pytest.raises(
        StoreError, match=r"^cannot write to \S*talks\.db: it may only be read: allow writing"
    ):
        store.set_meta("edits:call", 1)
    store.close()


def test_an_archive_on_read_only_media_is_read_without_files_beside_it(path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda where, mode: False)
    store = open_store(path)
    assert store.recording("call") is not None
    assert names_in(path.parent) == ["talks.db"]
    store.close()


def test_another_writer_is_waited_for_and_then_reported(path):
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    store = SqliteStore(path, patience=0.05)
    assert store.recording("call") is not None
    with pytest.raises(LockedError, match=r"talks\.db: another process .* 0\.05 s; try again"):
        store.remove("call")
    other.execute("ROLLBACK")
    other.close()
    assert store.remove("call")
    store.close()


def test_another_thread_is_waited_for_too(path):
    store = SqliteStore(path, patience=0.05)
    with store._write("wait in"):
        failed = []

        def write():
            try:
                store.set_meta("x", 1)
            except LockedError as error:
                failed.append(str(error))

        thread = threading.Thread(target=write)
        thread.start()
        thread.join()
    assert "another thread" in failed[0]
    store.close()


def test_a_full_disk_changes_nothing_and_is_reported(path, monkeypatch):
    connect = ArchiveFile.connect

    def with_little_room(self):
        connection = connect(self)
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages + 2}")
        return connection

    monkeypatch.setattr(ArchiveFile, "connect", with_little_room)
    store = open_store(path)
    before = store.transcript("call")
    with pytest.raises(StoreError, match=r"add 'call' to .*talks\.db: the disk is full; nothing was changed"):
        store.add(recording("call"), passages("call", ("word " * 100_000,)))
    assert store.transcript("call") == before
    assert store.keyword(["freight"], store.timeline()).any()
    store.close()


def test_a_folder_that_cannot_be_written_is_reported_before_anything_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(UnusableError, match=r"cannot make .*new\.db: the folder .* cannot be written"):
        open_store(tmp_path / "new.db")


def test_half_a_character_is_refused_and_nothing_is_changed(path):
    store = open_store(path)
    with pytest.raises(StoreError, match="half a surrogate pair"):
        store.add(recording("half", 1), [Passage("half", 0, "broken \ud83d here")])
    assert store.recording("half") is None
    for read in (lambda: store.graph.named("\ud83d"), lambda: open_store(path, "\ud83d").version):
        with pytest.raises(StoreError, match="half a surrogate pair"):
            read()
    assert store.remove("call")
    store.close()


def test_a_closed_store_says_so(path):
    store = open_store(path)
    store.close()
    with pytest.raises(StoreError, match=r"talks\.db has been closed"):
        store.recordings()


def test_nothing_is_left_beside_a_closed_archive(path):
    store = open_store(path)
    store.remove("call")
    store.close()
    assert names_in(path.parent) == ["talks.db"]


def test_importing_stores_does_not_import_numpy():
    code = "import sys, onrecord.stores; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
