"""Formats of archive files: a file gets a new format in one step or stays unchanged."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from onrecord.errors import StoreError
from onrecord.stores import file, open_store, schema
from onrecord.stores.contract import VECTORS, passages, recording
from onrecord.stores.schema import FIRST, MIGRATIONS, migrate, version

ADDED = "CREATE TABLE added (x TEXT); -- it's new; really\nINSERT INTO added VALUES ('a;b');"


def count_recordings(connection):
    """Do a migration step in Python: write the number of recordings into the table `added`."""
    count = connection.execute("SELECT count(*) FROM recordings").fetchone()[0]
    connection.execute("UPDATE added SET x = ?", (f"{count} recordings",))


def test_an_older_archive_is_brought_up_to_date(tmp_path, monkeypatch):
    path = tmp_path / "talks.db"
    old = open_store(path)
    old.add(recording("call"), passages("call"), vectors=VECTORS)
    monkeypatch.setattr(file, "MIGRATIONS", (*MIGRATIONS, ADDED, count_recordings))
    with pytest.raises(StoreError, match="open it once for writing"):
        open_store(path, read_only=True)
    new = open_store(path)
    assert [p.text for p in new.transcript("call")] == [p.text for p in passages("call")]
    with new.snapshot() as now:
        assert now._connection.execute("SELECT x FROM added").fetchall() == [("1 recordings",)]
        assert version(now._connection) == FIRST + 2
    old.close()
    new.close()


def test_the_page_on_the_store_lists_every_table(tmp_path):
    """The tables of a new archive are those in docs/store.md, apart from the parts of the word index."""
    with closing(file.ArchiveFile(tmp_path / "talks.db").open()) as connection:
        rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    own = {name for (name,) in rows if not name.startswith(("sqlite_", "words_"))}
    page = (Path(__file__).parents[2] / "docs" / "store.md").read_text("utf-8")
    listed = re.findall(r"^\| `(\w+)` \|", page[: page.index("## What you can rely on")], re.MULTILINE)
    assert sorted(listed) == sorted(own)


def test_an_archive_of_before_the_first_release_is_refused(tmp_path):
    path = tmp_path / "talks.db"
    with closing(open_store(path)) as store:
        store.add(recording("call"), passages("call"), vectors=VECTORS)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {FIRST - 1}")
    for read_only in (False, True):
        with pytest.raises(StoreError, match=r"its format is 9, .* add the recordings again"):
            open_store(path, read_only=read_only)


def test_a_migration_that_fails_leaves_the_file_as_it_was():
    connection = sqlite3.connect(":memory:", isolation_level=None)
    migrate(connection, MIGRATIONS)
    tables = connection.execute("SELECT name, sql FROM sqlite_master").fetchall()
    with pytest.raises(sqlite3.OperationalError, match="no such table"):
        migrate(connection, (*MIGRATIONS, ADDED, "INSERT INTO missing VALUES (1);"))
    assert connection.execute("SELECT name, sql FROM sqlite_master").fetchall() == tables
    assert version(connection) == FIRST
    connection.close()


def test_a_migration_must_end_with_its_last_statement():
    connection = sqlite3.connect(":memory:", isolation_level=None)
    with pytest.raises(ValueError, match="CREATE TABLE half"):
        migrate(connection, ("CREATE TABLE half (x)",))
    connection.close()


def test_migrating_again_does_nothing():
    connection = sqlite3.connect(":memory:", isolation_level=None)
    migrate(connection, MIGRATIONS)
    migrate(connection, MIGRATIONS)
    assert version(connection) == FIRST
    assert connection.execute("PRAGMA application_id").fetchone()[0] == schema.APPLICATION_ID
    connection.close()


def test_who_is_interrupted_after_the_last_step_is_informed():
    """An interrupt after the last step reaches the caller, although the transaction has ended."""

    def ends(connection):
        connection.execute("COMMIT")
        raise KeyboardInterrupt

    connection = sqlite3.connect(":memory:", isolation_level=None)
    with closing(connection), pytest.raises(KeyboardInterrupt):
        migrate(connection, [ends])
