"""Migrations of older archive files: a file gets the new format in one step or stays unchanged."""

import gzip
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from onrecord.errors import StoreError
from onrecord.stores import file, open_store, schema
from onrecord.stores.contract import VECTORS, passages, recording
from onrecord.stores.schema import MIGRATIONS, migrate, version
from onrecord.types import Section

OF_FORMAT_2 = Path(__file__).with_name("archive-of-format-2.db.gz")
"""An archive by the last version that wrote format 2, with the recordings call and talk of the contract."""

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
        assert version(now._connection) == len(MIGRATIONS) + 2
    old.close()
    new.close()


def test_an_archive_of_format_2_keeps_everything_and_takes_sections(tmp_path):
    path = tmp_path / "talks.db"
    path.write_bytes(gzip.decompress(OF_FORMAT_2.read_bytes()))
    with closing(open_store(path)) as store:
        assert [replace(p, row=-1) for p in store.transcript("call")] == passages("call")
        assert store.sections("call") == [Section("Q&A", 10.0, 29.5, 1, 2)]
        assert {p.section for p in store.transcript("talk")} == {"Économie"}
        assert store.without_vectors() == ["talk"]
        assert [(r.id, r.turns) for r in store.recordings()] == [("call", 3), ("talk", 3)]
        assert store.meta("model") == {"name": "hashing", "fingerprint": "hashing-4"}
        assert np.allclose(store.vectors([p.row for p in store.transcript("call")]), VECTORS, atol=1e-3)
        judged = [replace(p, importance=0.5, before=0.0, after=1.0) for p in store.transcript("call")]
        sections = [Section("Questions", 10.0, 29.5, 1, 2, "qa", None, "And the plant stood still.")]
        store.set_sections("call", judged, sections)
    with closing(open_store(path)) as store:
        assert store.transcript("call") == judged
        assert store.sections("call") == sections
        assert store.keyword(["freight"], store.timeline()).any()


def test_a_migration_that_fails_leaves_the_file_as_it_was():
    connection = sqlite3.connect(":memory:", isolation_level=None)
    migrate(connection, MIGRATIONS)
    tables = connection.execute("SELECT name, sql FROM sqlite_master").fetchall()
    with pytest.raises(sqlite3.OperationalError, match="no such table"):
        migrate(connection, (*MIGRATIONS, ADDED, "INSERT INTO missing VALUES (1);"))
    assert connection.execute("SELECT name, sql FROM sqlite_master").fetchall() == tables
    assert version(connection) == len(MIGRATIONS)
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
    assert version(connection) == len(MIGRATIONS)
    assert connection.execute("PRAGMA application_id").fetchone()[0] == schema.APPLICATION_ID
    connection.close()


def test_who_is_interrupted_after_the_last_step_is_told_so():
    """An interrupt after the last step reaches the caller, although the transaction has ended."""

    def ends(connection):
        connection.execute("COMMIT")
        raise KeyboardInterrupt

    connection = sqlite3.connect(":memory:", isolation_level=None)
    with closing(connection), pytest.raises(KeyboardInterrupt):
        migrate(connection, [ends])
