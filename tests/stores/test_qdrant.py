"""Archives whose vectors are also in Qdrant.

The tests use Qdrant in its local mode, its embedded engine (Edge) and, if ONRECORD_TEST_QDRANT_URL gives an
address, a server. The archive is a file or is on a PostgreSQL server.
"""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from secrets import token_hex

import numpy as np
import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test
from test_isolation import Workspaces
from test_killed import RECORDINGS, check_recording, talk
from test_postgres import many

from onrecord.archive import backup
from onrecord.errors import SettingError, UnusableError
from onrecord.stores import Store, open_store, sql_snapshot
from onrecord.stores.contract import VECTORS, CompleteStoreContract, passages, recording
from onrecord.stores.qdrant import EdgePoints, QdrantNeighbours, QdrantPoints
from onrecord.stores.qdrant.points import Points, word_weights
from onrecord.stores.sql import SqlStore
from onrecord.stores.sqlite import SqliteStore
from onrecord.types import Passage, Scope

SERVER = os.environ.get("ONRECORD_TEST_QDRANT_URL", "")
ENGINES = ["local", "edge", *(["server"] if SERVER else [])]


class Cluster:
    """A Qdrant instance of one kind, shared by all stores of a test."""

    def __init__(self, engine: str, folder: Path) -> None:
        self.engine, self.folder, self.name = engine, folder, f"test_{token_hex(6)}"
        self.edge = EdgePoints(folder / "points", self.name)
        if engine == "local":
            from qdrant_client import QdrantClient

            self.client = QdrantClient(":memory:")
        elif engine == "server":
            self.client = QdrantPoints(SERVER)._client

    def points(self) -> "EdgePoints | QdrantPoints":
        """Return points that stay open after the store that uses them is closed."""
        points = self.edge
        if self.engine != "edge":
            local = self.client if self.engine == "local" else None
            points = QdrantPoints(SERVER or ":memory:", self.name, client=local)
        points.close = lambda: None
        return points

    def store(self, path: Path, workspace: str = "default", exact: int = 0, indexed: int = 0) -> SqlStore:
        neighbours = QdrantNeighbours(self.points(), exact=exact, indexed=indexed)
        return SqliteStore(path, workspace, neighbours)

    def close(self) -> None:
        EdgePoints.close(self.edge)
        if self.engine == "edge":
            return
        if self.engine == "server":
            for one in self.client.get_collections().collections:
                if one.name.startswith(self.name):
                    self.client.delete_collection(one.name)
        self.client.close()


@pytest.fixture(params=ENGINES)
def cluster(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Cluster]:
    with closing(Cluster(request.param, tmp_path)) as cluster:
        yield cluster


class TestQdrantBesideFile(CompleteStoreContract):
    """The contract of a store in a file whose nearest passages always come from Qdrant.

    Memory holds all vectors, because the contract expects exact scores of every passage.
    """

    @pytest.fixture(autouse=True)
    def place(self, tmp_path: Path, cluster: Cluster) -> None:
        self.path, self.cluster = tmp_path / "talks.db", cluster

    def open(self, workspace: str = "default") -> Store:
        return self.cluster.store(self.path, workspace, exact=1_000_000)


@pytest.mark.slow
class TestQdrantBesidePostgres(CompleteStoreContract):
    """The same contract with the archive on a PostgreSQL server and Qdrant in its local mode."""

    zero = ""

    @pytest.fixture(autouse=True)
    def place(self, postgres: str, tmp_path: Path) -> Iterator[None]:
        self.url = postgres
        with closing(Cluster("local", tmp_path)) as self.cluster:
            yield

    def open(self, workspace: str = "default") -> Store:
        from onrecord.stores.postgres import PostgresStore

        return PostgresStore(self.url, workspace, QdrantNeighbours(self.cluster.points(), indexed=0))


VECTORS32 = np.eye(1, 32, dtype=np.float32)


def _points(row: int, text: str) -> Points:
    """Return the point of one passage of another archive, with the weights of the terms of `text`."""
    return Points(1, 78, row, VECTORS32, word_weights([Passage("any", 0, text)]))


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
def test_two_workspaces_in_one_collection_never_mix(engine: str, tmp_path: Path) -> None:
    with closing(Cluster(engine, tmp_path)) as cluster:

        class InOneCollection(Workspaces):
            def open(self, name: str) -> Store:
                return cluster.store(Path(self.folder.name) / "talks.db", name, exact=1_000_000)

            def teardown(self) -> None:
                for space, store in self.stores.items():
                    assert not store.compare(), store.compare()
                    timeline, own = store.timeline(), self.models[space]
                    for seed in range(3):
                        vector = np.eye(4, dtype=np.float32)[seed]
                        rows, scores = store.nearest(vector, timeline, 50)
                        held = own.vectors(own.timeline().rows)
                        if held.any():  # passages without vectors have no points
                            products = held[held.any(axis=1)] @ vector
                            assert np.allclose(scores, np.sort(products)[::-1], atol=1e-3)
                        assert set(rows) <= set(timeline.rows)
                super().teardown()

        run_state_machine_as_test(
            InOneCollection, settings=settings(max_examples=4, stateful_step_count=15, deadline=None)
        )


def unit(seed: int, dimensions: int = 32) -> np.ndarray:
    vector = np.random.default_rng(seed).standard_normal(dimensions).astype(np.float32)
    return vector / np.linalg.norm(vector)


def test_the_nearest_passages_come_from_qdrant(cluster: Cluster, tmp_path: Path) -> None:
    path = tmp_path / "talks.db"
    with closing(cluster.store(path)) as store, closing(cluster.store(path, "other")) as other:
        many(other, 3)
        many(store)
        some = Scope(recordings=tuple(f"talk-{number:02}" for number in range(3)))
        with closing(open_store(path)) as exact:
            for scope in (Scope(), some, Scope(recordings=some.recordings, speakers=("Bob",))):
                timeline = exact.timeline(scope)
                rows, scores = exact.nearest(unit(99), timeline, 20)
                nearest_rows, products = store.nearest(unit(99), timeline, 20)
                assert nearest_rows.tolist() == rows.tolist()
                assert np.allclose(products, scores, atol=1e-5)
            near, all_scores = (one.dense(unit(99), one.timeline()) for one in (store, exact))
            best = np.argsort(-all_scores)[:100]
            assert np.allclose(near[best], all_scores[best], atol=1e-5)


def test_passages_that_match_words_come_from_qdrant(cluster: Cluster, tmp_path: Path) -> None:
    path = tmp_path / "talks.db"
    with closing(cluster.store(path)) as store, closing(cluster.store(path, "other")) as other:
        for number in range(30):
            name = f"talk-{number:02}"
            texts = tuple(f"freight {'margin ' * (n % 3)}{'so ' * (7 * number % 60 + n)}" for n in range(10))
            vectors = np.eye(10, 32, dtype=np.float32)
            store.add(recording(name, 10), passages(name, texts), vectors=vectors)
            other.add(recording(name, 10), passages(name, texts[::-1]), vectors=vectors)
        behind = SqliteStore(path, "default", QdrantNeighbours(Away(cluster.points()), exact=0, indexed=0))
        behind.add(recording("late", 1), passages("late", ("margin freight",)), vectors=VECTORS32)
        store.neighbours.points.write("another", _points(10**6, "margin " * 9))
        store.database.words.read = None  # a read of the archive's own posting lists would now fail
        for scope in (Scope(), Scope(recordings=("talk-03", "talk-29", "late")), Scope(speakers=("roux",))):
            with closing(open_store(path)) as exact:
                timeline = exact.timeline(scope)
                rows, scores = exact.best_matches(["margins, freight"], timeline, 20)
            matching_rows, own = store.best_matches(["margins, freight"], timeline, 20)
            assert own.tolist() == scores.tolist()
            sure = scores > scores[-1]
            assert matching_rows[sure].tolist() == rows[sure].tolist()


def test_words_are_scored_by_the_archive_where_some_have_no_vectors(cluster: Cluster, tmp_path: Path) -> None:
    with closing(cluster.store(tmp_path / "talks.db")) as store:
        store.add(recording("call"), passages("call"), vectors=VECTORS)
        store.add(recording("chat", 1), passages("chat", ("Freight freight.",)))
        rows, _ = store.best_matches(["freight"], store.timeline(), 9)
        assert [passage.recording for passage in store.passages(rows)] == ["chat", "call"]


def test_terms_of_one_number_are_distinguished(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Terms whose numbers in Qdrant collide still get the exact scores of the archive."""
    for module in ("points", "neighbours"):
        monkeypatch.setattr(f"onrecord.stores.qdrant.{module}.number_of", lambda term: 7)
    with closing(cluster.store(tmp_path / "talks.db")) as store:
        store.add(recording("call"), passages("call"), vectors=VECTORS)
        rows, scores = store.best_matches(["plant freight"], store.timeline(), 9)
        with closing(open_store(tmp_path / "talks.db")) as exact:
            expected, wanted_scores = exact.best_matches(["plant freight"], exact.timeline(), 9)
        assert (rows.tolist(), scores.tolist()) == (expected.tolist(), wanted_scores.tolist())


def test_what_the_index_finds_keeps_its_score(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Passages that the index returns have exact scores, also in recordings that are not scored in full."""
    monkeypatch.setattr(sql_snapshot, "_NEAR_PASSAGES", 100)
    with (
        closing(Cluster("local", tmp_path)) as cluster,
        closing(cluster.store(tmp_path / "talks.db")) as store,
    ):
        many(store)
        near = store.dense(unit(99), store.timeline())
        with closing(open_store(tmp_path / "talks.db")) as exact:
            scores = exact.dense(unit(99), exact.timeline())
        best = np.argsort(-scores)[:500]
        assert np.allclose(near[best], scores[best], atol=1e-5)
        assert near[scores < scores[best].min()].max() < scores[best].min() + 1e-5


class Away:
    """Points of a Qdrant that cannot be reached after a given number of calls."""

    def __init__(self, points: QdrantPoints | EdgePoints, calls: int = 0) -> None:
        self._points, self.left, self.name, self.where = points, calls, points.name, points.where

    def __getattr__(self, name: str) -> Callable[..., object]:
        def call(*arguments: object) -> object:
            self.left -= 1
            if self.left < 0:
                raise UnusableError("Qdrant is away")
            return getattr(self._points, name)(*arguments)

        return call


def test_an_archive_is_whole_and_asked_while_qdrant_is_away(cluster: Cluster, tmp_path: Path) -> None:
    path, query = tmp_path / "talks.db", VECTORS[0]
    away = Away(cluster.points())
    with closing(cluster.store(path)) as store:
        store.add(recording("call"), passages("call"), vectors=VECTORS)
        behind = SqliteStore(path, "default", QdrantNeighbours(away, exact=0, indexed=0))
        behind.add(recording("talk"), passages("talk"), vectors=VECTORS[::-1])
        behind.remove("call")
        behind.add(recording("call", 1), passages("call", ("Changed.",)), vectors=VECTORS[1:2])
        assert away.left == -1  # after one failed call, later writes do not try again
        assert store.compare().waiting == 4 and not store.compare().missing
        rows, scores = store.nearest(query, store.timeline(), 9)  # the archive scores the waiting passages
        assert len(rows) == 4 and np.allclose(scores, np.sort(store.dense(query, store.timeline()))[::-1])
        with pytest.raises(UnusableError, match="away"):
            behind.nearest(query, behind.timeline(), 9)
        with pytest.raises(UnusableError, match="away"):
            behind.mend()
        store.set_meta("any", "write")  # sends the waiting changes to Qdrant
        assert not store.compare()
        assert store.nearest(query, store.timeline(), 9)[0].tolist() == rows.tolist()


def test_points_that_are_missing_or_too_many_are_counted_and_mended(cluster: Cluster, tmp_path: Path) -> None:
    path = tmp_path / "talks.db"
    with closing(cluster.store(path)) as store, closing(cluster.store(path, "other")) as other:
        many(store, 4, 10)
        many(other, 2, 10)
        points = cluster.points()
        with store.database.reading() as connection:
            sql = "SELECT name, tenant FROM workspaces"
            tenants = dict(connection.execute(sql).fetchall())
            stamps = [
                s
                for (s,) in connection.execute(
                    "SELECT stamp FROM recordings WHERE workspace = 1 ORDER BY key LIMIT 4"
                )
            ]
        points_found = sorted(points.scroll(tenants["default"]))
        points.delete(tenants["default"], 32, stamps[:2])
        points.delete_points(32, [(stamp, row) for _, stamp, row in points_found if stamp == stamps[2]][:3])
        strange = next(iter(points.scroll(tenants["other"])))
        points.write(tenants["default"], Points(1, 77, 5, np.eye(4, 32, dtype=np.float32), [{}] * 4))
        points.write(tenants["default"], Points(1, stamps[3], 10**9, VECTORS32, [{}]))
        points.write(tenants["default"], Points(1, stamps[3], 1, VECTORS, [{}] * 3))
        seen = store.compare()
        assert (seen.waiting, seen.missing, seen.extra) == (0, 23, 8)
        assert not other.compare()
        store.mend()
        assert not store.compare() and sorted(points.scroll(tenants["default"])) == points_found
        assert strange in set(points.scroll(tenants["other"]))


def test_an_older_archive_is_reported_by_the_next_writer(cluster: Cluster, tmp_path: Path) -> None:
    """Changes made without Qdrant are counted as waiting until a store with Qdrant mends the index.

    Searches are exact meanwhile.
    """
    path = tmp_path / "talks.db"
    with closing(open_store(path)) as plain:
        many(plain, 3, 10)
    with closing(cluster.store(path)) as store:
        assert store.compare().waiting == 30
        rows, _ = store.nearest(unit(1), store.timeline(), 5)  # exact, although Qdrant has no points yet
        with closing(open_store(path)) as plain:
            assert plain.nearest(unit(1), plain.timeline(), 5)[0].tolist() == rows.tolist()
        store.mend()
        assert not store.compare()
        with closing(open_store(path)) as plain:  # has no Qdrant: its changes wait in the outbox
            plain.remove("talk-01")
            plain.add(recording("late"), passages("late"), vectors=np.eye(3, 32, dtype=np.float32))
            assert len(plain.nearest(unit(1), plain.timeline(), 50)[0]) == 23
        assert store.compare().waiting == 3
        store.mend()
        assert not store.compare() and len(store.nearest(unit(1), store.timeline(), 50)[0]) == 23


def test_a_copy_of_a_file_never_sees_the_points_of_the_other(cluster: Cluster, tmp_path: Path) -> None:
    one, two = tmp_path / "one.db", tmp_path / "two.db"
    with closing(cluster.store(one)) as store:
        store.add(recording("call"), passages("call"), vectors=VECTORS)
    two.write_bytes(one.read_bytes())
    with closing(cluster.store(one)) as first, closing(cluster.store(two)) as second:
        first.add(recording("talk"), passages("talk"), vectors=VECTORS)
        second.add(recording("other"), passages("other"), vectors=VECTORS[::-1])
        for store, name in ((first, "talk"), (second, "other")):
            rows, scores = store.nearest(VECTORS[1], store.timeline(), 9)
            assert {passage.recording for passage in store.passages(rows)} == {"call", name}
            assert np.allclose(scores, np.sort(store.dense(VECTORS[1], store.timeline()))[::-1], atol=1e-5)


def test_a_restored_archive_misses_nothing_and_is_mended(cluster: Cluster, tmp_path: Path) -> None:
    path, file, new = tmp_path / "talks.db", tmp_path / "backup.db", tmp_path / "new.db"
    with closing(cluster.store(path)) as store:
        many(store, 4, 10)
        backup.backup(str(path), file)
        store.remove("talk-01")
        store.set_vectors("talk-02", np.eye(10, 32, dtype=np.float32))
        store.add(recording("late"), passages("late"), vectors=np.eye(3, 32, dtype=np.float32))
        backup.restore(file, str(path), force=True)
        assert len(store.nearest(unit(1), store.timeline(), 50)[0]) == 40
        assert store.compare().waiting == 40
        store.mend()
        assert not store.compare()
        assert len(store.nearest(unit(1), store.timeline(), 50)[0]) == 40
    backup.restore(file, str(new))
    with closing(cluster.store(new)) as other, closing(cluster.store(path)) as store:
        assert len(other.nearest(unit(1), other.timeline(), 50)[0]) == 40
        other.remove("talk-01")
        assert not other.compare() and not store.compare()


def test_a_copy_has_its_own_points(cluster: Cluster, tmp_path: Path) -> None:
    source, target = tmp_path / "talks.db", tmp_path / "copy.db"
    with closing(cluster.store(source)) as store:
        many(store, 4, 10)
        backup.copy(str(source), str(target))
        with closing(cluster.store(target)) as copy:
            copy.mend()
            assert not copy.compare() and not store.compare()
            rows = [one.nearest(unit(1), one.timeline(), 5)[0] for one in (store, copy)]
            assert [p.text for p in store.passages(rows[0])] == [p.text for p in copy.passages(rows[1])]
            copy.remove("talk-01")
            assert not copy.compare() and not store.compare()


def test_vectors_of_another_length_go_to_another_collection(cluster: Cluster, tmp_path: Path) -> None:
    with closing(cluster.store(tmp_path / "talks.db")) as store:
        store.add(recording("call"), passages("call"), vectors=VECTORS)
        store.exchange_vectors([("call", np.eye(3, 8, dtype=np.float32))])
        assert not store.compare()
        rows, _ = store.nearest(np.eye(1, 8, dtype=np.float32)[0], store.timeline(), 1)
        assert rows.tolist() == store.timeline().rows[:1].tolist()
        store.remove("call")
        assert not store.compare() and not list(store.neighbours.points.scroll("any"))


def test_a_folder_that_is_open_elsewhere_is_reported(tmp_path: Path) -> None:
    """While another process has the folder of the points open, a search says so and changes wait."""
    options = {"url": str(tmp_path / "points"), "exact": 0, "indexed": 0}
    with closing(open_store(tmp_path / "talks.db", vectors=options)) as store:
        store.add(recording("call"), passages("call"), vectors=VECTORS)
    with closing(sqlite3.connect(tmp_path / "points" / "lock", isolation_level=None)) as lock:
        lock.execute("BEGIN EXCLUSIVE")  # as a process does that has the folder open
        with closing(open_store(tmp_path / "talks.db", vectors=options)) as store:
            store.add(recording("talk"), passages("talk"), vectors=VECTORS)
            with pytest.raises(UnusableError, match="another process has it open"):
                store.nearest(VECTORS[0], store.timeline(), 3)
            with closing(open_store(tmp_path / "talks.db")) as plain:
                assert len(plain.nearest(VECTORS[0], plain.timeline(), 9)[0]) == 6
            lock.execute("ROLLBACK")
            assert store.compare().waiting == 3
            store.mend()
            assert not store.compare()


def test_several_workspaces_of_a_process_share_a_folder(tmp_path: Path) -> None:
    options = {"url": str(tmp_path / "points"), "exact": 0, "indexed": 0}
    stores = [open_store(tmp_path / "talks.db", name, vectors=options) for name in ("ours", "theirs")]
    for store, name in zip(stores, ("call", "talk"), strict=True):
        store.add(recording(name), passages(name), vectors=VECTORS)
    for store in stores:
        rows, _ = store.nearest(VECTORS[0], store.timeline(), 9)
        assert sorted(rows) == store.timeline().rows.tolist()
        store.close()


def test_a_qdrant_that_is_away_is_named_without_its_password(tmp_path: Path) -> None:
    options = {"url": "http://ann:hunter2@127.0.0.1:1", "exact": 0, "indexed": 0}
    with closing(open_store(tmp_path / "talks.db", vectors=options)) as store:
        store.add(recording("call"), passages("call"), vectors=VECTORS)
        with pytest.raises(UnusableError, match=r"127\.0\.0\.1:1") as error_info:
            store.nearest(VECTORS[0], store.timeline(), 3)
        assert "hunter" not in str(error_info.value)


def test_a_package_that_is_missing_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("onrecord.stores.open.find_spec", lambda name: None)
    for url, extra in (("http://localhost:6333", "qdrant"), ("points", "qdrant-edge")):
        with pytest.raises(SettingError, match=rf"onrecord\[{extra}\]"):
            open_store(tmp_path / "talks.db", vectors={"url": url})


# ---------------------------------------------------------------- killed at any moment


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no SIGKILL")
def test_killed_at_any_moment_the_points_are_found_and_mended(tmp_path: Path) -> None:
    """After a writing process is killed, Qdrant may lack changes, but no search returns a wrong result.

    The process adds, replaces and removes recordings.
    """
    path, folder = tmp_path / "talks.db", tmp_path / "points"
    chance = random.Random(7)
    behind = 0
    for _ in range(12):
        run = [sys.executable, __file__, str(path), str(folder)]
        process = subprocess.Popen(run, stdout=subprocess.PIPE)
        assert process.stdout is not None and process.stdout.readline() == b"begun\n"
        time.sleep(1.5 * chance.random())
        process.kill()
        process.wait()
        process.stdout.close()
        if not path.exists():
            continue
        with closing(_reopened(path, folder)) as store:
            seen = store.compare()
            behind += bool(seen)
            _check_nearest(store)
            store.mend()
            assert not store.compare()
            _check_nearest(store)
            for stored in store.recordings():
                if stored.id != "passing":
                    check_recording(store, stored.id)
    assert behind, "no kill fell between the two stores: let it run longer"
    with closing(_reopened(path, folder)) as store:
        _add_all(store)
        assert sorted(s.id for s in store.recordings()) == sorted(talk(n)[0].id for n in range(RECORDINGS))
        assert not store.compare()


def _reopened(path: Path, folder: Path) -> SqlStore:
    return SqliteStore(path, "default", QdrantNeighbours(EdgePoints(folder), exact=0, indexed=0))


def _check_nearest(store: SqlStore) -> None:
    """Check that the best scores equal those of a store without Qdrant."""
    if not len(store.timeline()):
        return
    with closing(SqliteStore(store.database.file.path)) as exact:
        for seed in range(3):
            rows, scores = exact.nearest(unit(seed, 16), exact.timeline(), 30)
            nearest_rows, products = store.nearest(unit(seed, 16), store.timeline(), 30)
            assert np.allclose(products, scores, atol=1e-5)
            sure = scores > scores[-1] + 1e-5  # of passages that tie with the last, any may be returned
            assert set(nearest_rows) >= set(rows[sure])
            words = [passage.text for passage in exact.passages(rows[:1])]
            _, scores = exact.best_matches(words, exact.timeline(), 30)
            assert store.best_matches(words, store.timeline(), 30)[1].tolist() == scores.tolist()


def _add_all(store: Store) -> None:
    """Add the missing recordings, as `add` does; now and then replace, remove and set vectors."""
    for number in range(RECORDINGS):
        details, recorded, vectors = talk(number)
        if store.recording(details.id) is None or number % 5 == 0:
            store.add(details, recorded, vectors=vectors)
        if number % 6 == 1:
            store.set_vectors(details.id, vectors)
        if number % 7 == 3:
            store.add(recording("passing", 1), [Passage("passing", 0, "gone soon")], vectors=vectors[:1])
            store.remove("passing")


if __name__ == "__main__":
    print("begun", flush=True)
    with closing(_reopened(Path(sys.argv[1]), Path(sys.argv[2]))) as writer:
        while True:
            _add_all(writer)
