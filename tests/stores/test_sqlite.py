"""The embedded store: the contract of all stores, and guarantees that only a file gives.

The tests cover removal from the bytes of the file, snapshots, concurrent writers and numbers of statements.
"""

import sqlite3
import subprocess
import sys
import threading

import numpy as np
import pytest

from onrecord.archive import Archive
from onrecord.settings import load
from onrecord.stores import Store, caches, matrix, open_store
from onrecord.stores.caches import Recent
from onrecord.stores.contract import VECTORS, CompleteStoreContract, passages, recording
from onrecord.stores.sql_snapshot import SqlSnapshot
from onrecord.types import Details, Passage, Recording, Section


class TestSqliteStore(CompleteStoreContract):
    @pytest.fixture(autouse=True)
    def place(self, tmp_path):
        self.path = tmp_path / "talks.db"

    def open(self, workspace: str = "default") -> Store:
        return open_store(self.path, workspace)


class TestSqliteStoreInSmallBlocks(TestSqliteStore):
    """The same contract with blocks of four vectors, so that recordings span several blocks."""

    @pytest.fixture(autouse=True)
    def small(self, monkeypatch):
        monkeypatch.setattr(matrix, "BLOCK", 4)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "talks.db"


SECRET = "Zanzibar"


def tell_a_secret(store):
    """Add a recording that has the secret word in every field."""
    details = Details(SECRET, "2024", SECRET, (SECRET,), SECRET, SECRET, {SECRET: SECRET})
    store.add(
        Recording(SECRET, SECRET, SECRET, SECRET, details, speakers=(SECRET,)),
        [Passage(SECRET, 0, f"About {SECRET}.", SECRET, 0.0, 1.0, ((0, 0.0),), ((0, SECRET),), SECRET)],
        [Section(SECRET, 0.0, 1.0, 0, 0)],
        VECTORS[:1],
    )


def test_what_is_removed_is_in_no_table_and_no_byte_of_the_files(path):
    store = open_store(path)
    store.add(recording("call"), passages("call"), vectors=VECTORS)
    tell_a_secret(store)
    files = [path, path.with_name("talks.db-wal")]
    assert any(SECRET.encode() in file.read_bytes() for file in files)
    assert store.remove(SECRET)
    assert counts(path) == {
        "recordings": 1,
        "passages": 3,
        "words": 3,
        "vectors": 1,
        "labels": 2,
        "sections": 0,
    }
    for file in files:
        assert SECRET.lower().encode() not in file.read_bytes().lower()
    store.close()
    assert SECRET.lower().encode() not in path.read_bytes().lower()


def test_replacing_leaves_no_rows_behind(path):
    store = open_store(path)
    for _ in range(3):
        tell_a_secret(store)
        store.add(recording("call"), passages("call"), [Section("Q&A", None, None, 0, 1)], VECTORS)
    store.close()
    assert counts(path) == {
        "recordings": 2,
        "passages": 4,
        "words": 4,
        "vectors": 2,
        "labels": 5,
        "sections": 2,
    }


def indexed_rows(connection):
    connection.execute("CREATE VIRTUAL TABLE temp.tokens USING fts5vocab (main, words, instance)")
    return {row for (row,) in connection.execute("SELECT doc FROM temp.tokens")}


def counts(path):
    """Check the integrity of the file, and return the number of rows of each table."""
    connection = sqlite3.connect(path)
    tables = ("recordings", "passages", "vectors", "labels", "sections")
    counts_by_table = {
        table: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables
    }
    counts_by_table["words"] = len(indexed_rows(connection))
    assert connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
    connection.execute("INSERT INTO words (words) VALUES ('integrity-check')")
    connection.close()
    return counts_by_table


def test_vectors_are_kept_within_a_hundred_thousandth(path):
    rows = np.random.default_rng(0).standard_normal((50, 384)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    store = open_store(path)
    store.add(recording("long", 50), passages("long", ("word",) * 50), vectors=rows)
    timeline = store.timeline()
    assert np.abs(store.vectors(timeline.rows) - rows).max() < 1e-5
    assert np.abs(store.dense(rows[7], timeline) - rows @ rows[7]).max() < 3e-5
    store.close()


def test_who_only_looks_makes_no_file_and_sees_what_others_write(path):
    """Reading creates no file, and a later write by another store is visible."""
    store, other = open_store(path), open_store(path)
    assert store.recordings() == [] and store.stats()["recordings"] == 0 and store.version == 0
    assert list(path.parent.iterdir()) == []
    other.add(recording("call"), passages("call"), vectors=VECTORS)
    assert [stored.id for stored in store.recordings()] == ["call"]
    store.add(recording("talk"), passages("talk"), vectors=VECTORS)
    assert len(other.recordings()) == 2


def test_another_process_sees_what_was_added_since(path):
    """Two stores on one file stand for two processes: they share nothing but the file."""
    here, there = open_store(path), open_store(path)
    assert len(there.timeline()) == 0
    here.add(recording("call"), passages("call"), vectors=VECTORS)
    assert there.dense(VECTORS[0], there.timeline()).tolist() == pytest.approx([1, 0, 0.5**0.5], abs=1e-4)
    here.set_vectors("call", VECTORS[::-1])
    assert there.dense(VECTORS[0], there.timeline()).tolist() == pytest.approx([0.5**0.5, 0, 1], abs=1e-4)
    here.add(recording("chat", 1), passages("chat", ("Freight.",)), vectors=VECTORS[1:2])
    assert there.keyword(["freight"], there.timeline()).argmax() == 3
    here.remove("call")
    assert there.timeline().names == ("chat",)
    here.close()
    there.close()


def test_readers_see_whole_recordings_while_threads_write(path):
    store, torn, done = open_store(path), [], threading.Event()

    def write(name):
        for turn in range(12):
            vectors = VECTORS[[turn % 3] * 3]
            store.add(recording(name), passages(name, (f"{name} {turn}",) * 3), vectors=vectors)
            if turn % 4 == 3:
                store.remove(name)

    def read():
        while not done.is_set():
            torn.extend(torn_recordings(store))

    readers = [threading.Thread(target=read) for _ in range(2)]
    writers = [threading.Thread(target=write, args=(name,)) for name in ("ann", "bob")]
    for thread in (*readers, *writers):
        thread.start()
    for thread in writers:
        thread.join()
    done.set()
    for thread in readers:
        thread.join()
    store.close()
    assert torn == []


def test_many_may_open_a_new_archive_at_once(path):
    start, failed = threading.Barrier(6), []

    def open_and_add(name):
        start.wait()
        try:
            store = open_store(path)
            store.add(recording(name), passages(name), vectors=VECTORS)
            store.close()
        except Exception as error:
            failed.append(error)

    threads = [threading.Thread(target=open_and_add, args=(f"talk-{number}",)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    store = open_store(path)
    assert sorted(stored.id for stored in store.recordings()) == [f"talk-{number}" for number in range(6)]
    store.close()
    assert open_journal_mode(path) == "wal"


def open_journal_mode(path):
    connection = sqlite3.connect(path)
    mode = connection.execute("PRAGMA journal_mode").fetchone()[0]
    connection.close()
    return mode


ADD = """
import sys
from onrecord.stores import open_store
from onrecord.stores.contract import VECTORS, passages, recording
store = open_store(sys.argv[1], sys.argv[2])
for number in range(10):
    name = f"{sys.argv[3]}-{number}"
    store.add(recording(name), passages(name), vectors=VECTORS)
store.close()
"""


@pytest.mark.slow
def test_processes_take_turns(path):
    commands = [
        [sys.executable, "-c", ADD, str(path), workspace, name]
        for workspace, name in (("ours", "ann"), ("ours", "bob"), ("theirs", "ann"))
    ]
    running = [subprocess.Popen(command) for command in commands]
    reader = open_store(path, "ours")
    while any(process.poll() is None for process in running):
        assert list(torn(reader)) == []
    assert [process.wait() for process in running] == [0, 0, 0]
    assert len(reader.timeline()) == 60
    reader.close()
    theirs = open_store(path, "theirs")
    assert len(theirs.recordings()) == 10
    theirs.close()


def torn(store):
    """Yield the recordings that are not completely stored."""
    with store.snapshot() as now:
        timeline = now.timeline()
        dense, matches = (
            now.dense(VECTORS[0], timeline),
            now.keyword(["freight", "plant", "quarter"], timeline),
        )
        texts = [passage.text for passage in now.passages(timeline.rows)]
    for place, name in enumerate(timeline.names):
        mine = timeline.recordings == place
        expected = [passage.text for passage in passages(name)]
        right = np.allclose(dense[mine], VECTORS @ VECTORS[0], atol=1e-3) and (matches[mine] > 0).all()
        if not right or [texts[at] for at in np.flatnonzero(mine)] != expected:
            yield name


def torn_recordings(store):
    """Yield recordings that do not have three passages with the same text, vector and words."""
    with store.snapshot() as now:
        timeline = now.timeline()
        recorded = now.passages(timeline.rows)
        dense = now.dense(VECTORS[0], timeline)
        matches = now.keyword(["ann", "bob"], timeline)
    for place, name in enumerate(timeline.names):
        mine = timeline.recordings == place
        texts = {passage.text for passage in recorded if passage.recording == name}
        if (mine.sum(), len(texts), len(set(dense[mine]))) != (3, 1, 1) or not matches[mine].all():
            yield name, texts, dense[mine], matches[mine]


def test_one_snapshot_can_be_read_by_several_threads(path):
    store = open_store(path)
    store.add(recording("call"), passages("call"), vectors=VECTORS)
    results = []
    with store.snapshot() as now:
        timeline = now.timeline()
        threads = [
            threading.Thread(target=lambda: results.append(now.keyword(["margins"], timeline)))
            for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert [r.tolist() for r in results] == [results[0].tolist()] * 4
    store.close()


def test_a_snapshot_outlives_the_store_that_is_closed_meanwhile(path):
    store = open_store(path)
    store.add(recording("call"), passages("call"))
    with store.snapshot() as now:
        store.close()
        assert len(now.passages(now.timeline().rows)) == 3


def test_a_state_of_long_ago_does_not_disturb_the_one_that_is_now(path):
    """An old snapshot and the current state do not change each other's scores.

    The snapshot begins before a removal, is first read after it, and is read again after an addition.
    """
    store = open_store(path)
    for name, vector in (("call", VECTORS[:1]), ("talk", VECTORS[1:2])):
        store.add(recording(name, 1), passages(name, ("Freight.",)), vectors=vector)
    with store.database.reading() as connection:
        number, generation, _ = store._row(connection)
        store.remove("talk")
        assert store.dense(VECTORS[0], store.timeline()).tolist() == pytest.approx([1], abs=1e-4)
        state = store._state_of(connection, number, generation)
        old = SqlSnapshot(store, connection, number, state, indexed=True)
        assert old.dense(VECTORS[1], old.timeline()).tolist() == pytest.approx([0, 1], abs=1e-4)
        store.add(recording("late", 1), passages("late", ("Freight.",)), vectors=VECTORS[2:])
        assert store.dense(VECTORS[0], store.timeline()).tolist() == pytest.approx([1, 0.5**0.5], abs=1e-4)
        assert old.dense(VECTORS[1], old.timeline()).tolist() == pytest.approx([0, 1], abs=1e-4)
    store.close()


def test_words_that_an_old_snapshot_read_do_not_outlive_their_recording(path):
    """The snapshot begins before a removal, and the state of its time is derived after it."""
    store = open_store(path)
    store.add(recording("call", 1), passages("call", ("Freight.",)))
    assert len(store.timeline()) == 1
    store.add(recording("talk", 1), passages("talk", ("Freight.",)))
    with store.database.reading() as connection:
        number, generation, _ = store._row(connection)
        store.remove("talk")
        assert len(store.timeline()) == 1
        state = store._state_of(connection, number, generation)
        old = SqlSnapshot(store, connection, number, state, indexed=True)
        assert (old.keyword(["freight"], old.timeline()) > 0).tolist() == [True, True]
    assert (store.keyword(["freight"], store.timeline()) > 0).tolist() == [True]
    store.close()


def test_a_cached_value_can_be_read_while_it_is_written():
    read = []
    waiting = caches.Pending(lambda *_: read.append(waiting.get("results", [b"a"], 1)))
    waiting.put("results", {b"a": b"1"}, 1, 100)
    waiting.flush()
    assert read == [{b"a": b"1"}]
    waiting.put("results", {b"b": b"2"}, 1, 100)
    waiting.flush()
    assert waiting.get("results", [b"a", b"b"], 1) == {b"b": b"2"}


def test_a_question_needs_few_statements(path, monkeypatch):
    """A question runs few SQL statements once the archive has answered others.

    They begin and end the transaction, check for new writes, and read what no earlier question needed.
    """
    monkeypatch.setattr(caches, "SECONDS", 1e6)  # no timer writes cached values meanwhile
    archive = Archive(open_store(path), load(embedding={"model": "hashing"}, account=False))
    embedder = archive.embedder
    for name in ("call", "talk", "late"):
        vectors = embedder.embed([passage.spoken for passage in passages(name)])
        archive.store.add(recording(name), passages(name), vectors=vectors)
    for asked in ("Who planned freight?", "Why did margins fall?", "Which week?", "Of Lyon?", "Why Q3?"):
        archive.ask(asked, "direct")
    ran = traced(archive.store)
    archive.ask("Did the plant in Lyon cost twice the freight?", "direct")
    assert ran[0] == "BEGIN" and ran[-1] == "ROLLBACK" and 3 <= len(ran) <= 6, ran
    ran.clear()
    archive.ask("Did the plant in Lyon cost twice the freight?", "direct")
    assert len(ran) <= 4, ran
    archive.close()


def traced(store):
    """Return a list to which every later statement of the store's connections is added.

    Statements that FTS5 itself runs are left out.
    """
    ran = []

    def note(sql):
        if not sql.startswith("--"):
            ran.append(sql)

    for connection in store.database._idle:
        connection.set_trace_callback(note)
    return ran


def test_what_was_read_last_is_kept_up_to_a_limit():
    """A `Recent` cache evicts the least recently used values above its total weight."""
    read = []

    def sizes(keys):
        read.extend(keys)
        return {key: SIZES[key] for key in keys if key in SIZES}

    recent = Recent(10, lambda size: size)
    for keys in ("ab", "a", "c", "b", "d", "d", "ae"):
        assert recent.get(list(keys), sizes) == {key: SIZES[key] for key in keys if key in SIZES}
    assert "".join(read) == "abcbddae"


SIZES = {"a": 4, "b": 3, "c": 4, "d": 50}
