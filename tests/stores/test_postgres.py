"""The store in PostgreSQL: the contracts of all stores, and its own guarantees, on a real server.

The tests cover indexes, the round trips of a question, partitions, rights and encodings.
"""

import random
import signal
import subprocess
import sys
import time
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import psycopg
import pytest
from hypothesis import settings
from test_current import Current
from test_isolation import Away, Workspaces, check_every_table_is_read, knowledge_of, vectors_of
from test_killed import RECORDINGS, check_recording, talk

import onrecord
from onrecord.errors import (
    LockedError,
    NewerArchiveError,
    NotFoundError,
    OnRecordError,
    SettingError,
    StoreError,
    UnusableError,
)
from onrecord.stores import Store, caches, open_faq_store, open_store, shown, whitening, workspaces
from onrecord.stores.contract import VECTORS, CompleteStoreContract, StoreContract, passages, recording
from onrecord.stores.faq import FaqStore
from onrecord.stores.faq.contract import FaqStoreContract
from onrecord.stores.postgres import PostgresStore, nearest, server
from onrecord.stores.postgres.connection import PostgresConnection
from onrecord.stores.postgres.doctor import examine_server
from onrecord.stores.postgres.partitions import PARTITIONED
from onrecord.types import Passage, Scope, Section


class TestPostgresStore(CompleteStoreContract):
    zero = ""

    @pytest.fixture(autouse=True)
    def place(self, postgres: str) -> None:
        self.url = postgres

    def open(self, workspace: str = "default") -> Store:
        return open_store(self.url, workspace)


class TestPostgresStoreWithIndex(StoreContract):
    """The contract of a store that searches its index, because memory does not hold all vectors."""

    zero = ""

    @pytest.fixture(autouse=True)
    def place(self, postgres: str) -> None:
        self.url = postgres

    def open(self, workspace: str = "default") -> Store:
        return open_store(self.url, workspace, indexed=0, exact=0)


class TestPostgresFaqStore(FaqStoreContract):
    @pytest.fixture(autouse=True)
    def place(self, postgres: str) -> None:
        self.url = postgres

    def open(self, workspace: str = "default") -> FaqStore:
        return open_faq_store(self.url, workspace)


_EXAMPLES = count(1)


@pytest.mark.slow
def test_two_workspaces_on_one_server_never_mix(postgres_server: str) -> None:
    class OnServer(Workspaces):
        def __init__(self) -> None:
            self.url = f"{postgres_server}&schema=example_{next(_EXAMPLES)}"
            super().__init__()

        def open(self, name: str) -> Store:
            return open_store(self.url, name)

    from hypothesis.stateful import run_state_machine_as_test

    run_state_machine_as_test(
        OnServer, settings=settings(max_examples=4, stateful_step_count=20, deadline=None)
    )


@pytest.mark.slow
def test_what_a_process_holds_stays_current_on_a_server(
    postgres_server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class OnServer(Current):
        def __init__(self) -> None:
            self.url = f"{postgres_server}&schema=current_{next(_EXAMPLES)}"
            super().__init__()

        def open(self) -> Store:
            return open_store(self.url)

    from hypothesis.stateful import run_state_machine_as_test

    monkeypatch.setattr(whitening, "LEAST", 4)
    run_state_machine_as_test(
        OnServer, settings=settings(max_examples=3, stateful_step_count=10, deadline=None)
    )


def test_the_rows_of_a_workspace_are_read_of_every_table(postgres: str) -> None:
    check_every_table_is_read(lambda name: PostgresStore(postgres, name, Away()))


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no SIGKILL")
def test_killed_at_any_moment_every_recording_is_there_or_not(postgres: str) -> None:
    chance = random.Random(7)
    open_store(postgres).close()
    for _ in range(5):
        process = subprocess.Popen(
            [sys.executable, WRITER, postgres, "over and over"], stdout=subprocess.PIPE
        )
        assert process.stdout is not None and process.stdout.readline() == b"begun\n"
        time.sleep(0.5 + 2 * chance.random())
        process.kill()
        process.wait()
        process.stdout.close()
        with closing(open_store(postgres)) as store:
            for stored in store.recordings():
                if stored.id != "passing":
                    check_recording(store, stored.id)
    done = subprocess.run([sys.executable, WRITER, postgres], capture_output=True, timeout=200)
    assert done.returncode == 0, done.stderr
    with closing(open_store(postgres)) as store:
        assert sorted(stored.id for stored in store.recordings()) == sorted(
            talk(number)[0].id for number in range(RECORDINGS)
        )


WRITER = __import__("test_killed").__file__


# ---------------------------------------------------------------- nearest neighbours


def many(store: Store, recordings: int = 40, each: int = 50, dimensions: int = 32) -> None:
    for number in range(recordings):
        name = f"talk-{number:02}"
        recorded = [
            Passage(name, at, f"passage {at} of {name}", "Ann" if at % 2 else "Bob") for at in range(each)
        ]
        rows = np.random.default_rng(number).standard_normal((each, dimensions)).astype(np.float32)
        store.add(recording(name, each), recorded, vectors=rows / np.linalg.norm(rows, axis=1, keepdims=True))


def test_the_nearest_passages_come_from_the_index(postgres: str) -> None:
    with closing(open_store(postgres)) as store, closing(open_store(postgres, indexed=0, exact=100)) as large:
        many(large)
        query = np.random.default_rng(99).standard_normal(32).astype(np.float32)
        query /= np.linalg.norm(query)
        some = Scope(recordings=tuple(f"talk-{number:02}" for number in range(3)))
        for scope in (Scope(), some, Scope(recordings=some.recordings, speakers=("Bob",))):
            timeline = store.timeline(scope)
            rows, scores = store.nearest(query, timeline, 20)
            assert np.array_equal(scores, np.sort(store.dense(query, timeline))[::-1][:20])
            nearest_rows, products = large.nearest(query, large.timeline(scope), 20)
            assert len(nearest_rows) == 20 and len(set(nearest_rows) & set(rows)) >= 19
            assert np.allclose(products, np.sort(scores)[::-1], atol=5e-3)
        near, exact = large.dense(query, large.timeline()), store.dense(query, store.timeline())
        best = np.argsort(-exact)[:100]
        assert np.allclose(near[best], exact[best], atol=1e-3)


def test_the_plan_uses_the_index_with_and_without_a_filter(postgres: str) -> None:
    with closing(open_store(postgres, indexed=2000)) as store:
        many(store, 30)
        assert not _indexes(store)  # too few passages for an index
        many(store, 60)
        assert _indexes(store) == ["nearest_1_32_by_vector"]
        given = nearest.as_text(VECTORS[0].repeat(8))
        with store.database.reading() as connection:
            connection.execute("SET LOCAL enable_sort = off")
            for values, filtered in (((given, given, 20), False), ((given, [1, 2, 3], given, 20), True)):
                sql = "EXPLAIN " + nearest.nearest_statement(1, 32, filtered=filtered)
                plan = "\n".join(row[0] for row in connection.execute(sql, values).fetchall())
                assert "Index Scan using nearest_1_32_by_vector" in plan, plan
            (scan,) = connection.execute("SHOW hnsw.iterative_scan").fetchone()
            assert scan == "strict_order"


def _indexes(store: Store) -> list[str]:
    with store.database.reading() as connection:
        sql = "SELECT indexname FROM pg_indexes WHERE schemaname = ? AND right(indexname, 9) = 'by_vector'"
        return [name for (name,) in connection.execute(sql, (store.database.address.schema,)).fetchall()]


# ---------------------------------------------------------------- round trips of a question


EXAMPLES = Path(onrecord.__file__).parent / "examples"
QUESTION = "Did the plant in Lyon cost twice the freight?"
OTHER = "How many weeks stood the plant still, and will margins recover?"


def test_a_question_makes_few_round_trips(postgres: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caches, "SECONDS", 1e6)  # no timer writes cached values meanwhile
    options = {"embedding": {"model": "hashing"}, "account": False}
    with onrecord.open(postgres, **options) as archive:
        for name in ("call", "talk", "late"):
            vectors = archive.embedder.embed([passage.spoken for passage in passages(name)])
            archive.store.add(recording(name), passages(name), vectors=vectors)
        for asked in ("Who planned freight?", "Why did margins fall?", "Which week?", "Of Lyon?", "Why Q3?"):
            archive.ask(asked, "direct")
            archive.ask(asked, "balanced")
        for asked, strategy, most in (
            (QUESTION, "direct", 2),
            (QUESTION, "direct", 1),
            (OTHER, "balanced", 4),
        ):
            before = archive.store.database.trips
            archive.ask(asked, strategy)
            assert archive.store.database.trips - before <= most, strategy


@pytest.mark.parametrize("indexed", [20_000, 1], ids=["in memory", "by the index"])
def test_a_question_about_unread_passages_makes_two(
    postgres: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, indexed: int
) -> None:
    """A question about passages that the process has not read yet makes at most two round trips."""
    monkeypatch.setattr(caches, "SECONDS", 1e6)
    for at, topic in enumerate(TOPICS):
        lines = (f"Ann: Line {line} of the {topic} is planned with care.\n\n" * 9 for line in range(12))
        (tmp_path / f"talk-{at}.md").write_text(f"## The {topic}\n\n{''.join(lines)}")
    options = {"embedding": {"model": "hashing"}, "account": False, "postgres": {"indexed": indexed}}
    with onrecord.open(postgres, **options) as archive:
        archive.add(tmp_path, keep_both=True)
    with onrecord.open(postgres, **options) as archive:
        for topic in TOPICS[:5]:  # the first questions read the caches into memory
            archive.ask(f"Who planned the {topic}?", "direct")
        statements = executed(monkeypatch)
        for topic in TOPICS[5:]:
            before = archive.store.database.trips
            assert archive.ask(f"Who planned the {topic}?", "direct").citations
            assert archive.store.database.trips - before <= 2, statements
        assert any("FROM passages" in sql or "JOIN passages" in sql for sql, _ in statements)
        sections = [archive.store.sections(recording.id) for recording in archive.recordings()]
    with closing(open_store(postgres)) as store:  # sections that came with passages equal those stored
        assert sections == [store.sections(recording.id) for recording in store.recordings()] != [[]] * 8


TOPICS = "harbour bakery railway orchard lighthouse museum quarry vineyard".split()


def executed(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Any]]:
    """Return a list to which every later statement that is waited for is added, with its values."""
    statements: list[tuple[str, Any]] = []
    for name in ("execute", "stream"):
        run = getattr(PostgresConnection, name)

        def noted(connection: PostgresConnection, sql: str, *values: Any, run: Any = run) -> Any:
            statements.append((sql, values[-1] if values else ()))
            return run(connection, sql, *values)

        monkeypatch.setattr(PostgresConnection, name, noted)
    return statements


# ---------------------------------------------------------------- errors, rights and partitions


def test_who_only_looks_makes_nothing(postgres: str) -> None:
    """With `make=False`, opening an archive creates nothing; nor does listing its workspaces."""
    with pytest.raises(NotFoundError, match="there is no archive"):
        open_store(postgres, make=False)
    with pytest.raises(NotFoundError):
        workspaces(postgres)
    open_store(postgres).close()
    open_store(postgres, make=False).close()
    assert workspaces(postgres) == []


def test_an_archive_of_a_newer_version_is_refused(postgres: str) -> None:
    with closing(open_store(postgres)) as store, store.database.writing("date") as connection:
        connection.execute("INSERT INTO migrations VALUES (99)")
    with pytest.raises(NewerArchiveError, match="its format is 99"):
        open_store(postgres)


def test_an_archive_of_before_the_first_release_is_refused(postgres: str) -> None:
    with closing(open_store(postgres)) as store, store.database.writing("date") as connection:
        connection.execute("UPDATE migrations SET number = 8")
    with pytest.raises(StoreError, match=r"its format is 8.*add the recordings again"):
        open_store(postgres)
    assert ("tables", "missing") in {finding[:2] for finding in examine_server(postgres)}


def test_a_later_migration_brings_an_archive_up_to_date(
    postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(open_store(postgres)) as store:
        store.add(recording("call"), passages("call"), vectors=VECTORS)
    monkeypatch.setattr(server, "MIGRATIONS", (*server.MIGRATIONS, "CREATE TABLE added (x TEXT)"))
    with pytest.raises(StoreError, match="open it once for writing"):
        open_store(postgres, make=False)
    with closing(open_store(postgres)) as store, store.database.reading() as connection:
        assert store.timeline().names == ("call",)
        assert connection.execute("SELECT count(*) FROM added").fetchone() == (0,)
        assert connection.execute("SELECT max(number) FROM migrations").fetchone() == (server.FIRST + 1,)


def test_a_writer_that_waits_too_long_is_reported(postgres: str) -> None:
    """A writer that waits longer than its patience raises LockedError."""
    with closing(open_store(postgres)) as store, closing(open_store(postgres, patience=0.5)) as other:
        with store.database.writing("hold"), pytest.raises(LockedError, match="another process"):
            other.remove("call")
        assert other.remove("call") is False


def test_a_user_without_rights_is_informed(postgres: str, postgres_server: str) -> None:
    open_store(postgres).close()
    with psycopg.connect(postgres_server, autocommit=True) as server:
        server.execute("DROP ROLE IF EXISTS looker")
        server.execute("CREATE ROLE looker LOGIN")
    url = postgres.replace("postgres:@", "looker:@")
    with pytest.raises(UnusableError, match="lacks a right") as error_info:
        open_store(url).timeline()
    assert "doctor" in str(error_info.value)
    with psycopg.connect(postgres_server, autocommit=True) as server:
        server.execute("DROP ROLE looker")


def test_a_database_in_another_encoding_is_refused(postgres_server: str) -> None:
    with psycopg.connect(postgres_server, autocommit=True) as server:
        server.execute("CREATE DATABASE plain ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0")
    url = postgres_server.replace("/postgres?", "/plain?")
    with pytest.raises(StoreError, match=r"SQL_ASCII.*CREATE DATABASE"):
        open_store(url)
    with pytest.raises(StoreError, match="SQL_ASCII"):
        open_store(url, make=False)
    name, state, seen, _ = next(iter(examine_server(url)))
    assert (name, state) == ("server", "missing") and "SQL_ASCII" in seen
    with psycopg.connect(postgres_server, autocommit=True) as server:
        server.execute("DROP DATABASE plain WITH (FORCE)")


def test_the_encoding_of_the_environment_changes_nothing(
    postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGCLIENTENCODING", "LATIN1")
    with closing(open_store(postgres)) as store:
        store.add(recording("ĉielo ☀"), passages("ĉielo ☀"), vectors=VECTORS)
        assert store.timeline().names == ("ĉielo ☀",)


def test_users_with_a_schema_each_cannot_read_one_another(postgres: str, postgres_server: str) -> None:
    with psycopg.connect(postgres_server, autocommit=True) as server:
        for name in ("ann", "bob"):
            server.execute(f"CREATE ROLE {name} LOGIN")
            server.execute(f"GRANT CREATE ON DATABASE {server.info.dbname} TO {name}")
    urls = {name: f"{postgres}_{name}".replace("postgres:@", f"{name}:@") for name in ("ann", "bob")}
    for name, url in urls.items():
        with closing(open_store(url)) as store:
            store.add(recording(name), passages(name), vectors=VECTORS)
            assert store.timeline().names == (name,)
    theirs = urls["bob"].replace("bob:@", "ann:@")
    with pytest.raises(UnusableError, match="lacks a right"):
        open_store(theirs).timeline()
    with psycopg.connect(postgres_server, autocommit=True) as server:
        for name in ("ann", "bob"):
            server.execute(f"DROP OWNED BY {name} CASCADE")
            server.execute(f"DROP ROLE {name}")


def test_a_zero_character_is_refused(postgres: str) -> None:
    with closing(open_store(postgres)) as store:
        with pytest.raises(StoreError, match="zero character"):
            store.add(recording("odd", 1), passages("odd", ("a\x00b",)))
        assert store.recording("odd") is None


def test_a_server_that_restarts_is_found_again(postgres: str, postgres_server: str) -> None:
    with closing(open_store(postgres)) as store:
        store.add(recording("call"), passages("call"), vectors=VECTORS)
        with psycopg.connect(postgres_server, autocommit=True) as server:
            server.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'onrecord'"
            )
        assert len(store.timeline()) == 3


def test_the_tables_are_those_of_the_file(postgres: str, tmp_path: Path) -> None:
    """The server has the same tables and columns as the file.

    A new migration of the file must be added to the server too: see `stores.postgres.server.translate`.
    """
    with closing(open_store(tmp_path / "talks.db")) as file, file.database.reading() as connection:
        tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
        names = [name for (name,) in connection.execute(tables) if not name.startswith("words")]
        columns = "SELECT name FROM pragma_table_info(?)"
        expected = {name: {row[0] for row in connection.execute(columns, (name,))} for name in names}
    with closing(open_store(postgres)) as store, store.database.reading() as connection:
        columns = "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = ?"
        columns_by_table: dict[str, set[str]] = {}
        for name, column in connection.execute(columns, (store.database.address.schema,)).fetchall():
            columns_by_table.setdefault(name, set()).add(column)
    assert {
        name: of for name, of in columns_by_table.items() if name not in ("words", "migrations")
    } == expected


def test_each_workspace_has_its_partitions(postgres: str) -> None:
    stores = [open_store(postgres, name) for name in ("ours", "theirs")]
    for store in stores:
        for name in ("call", "talk"):
            sections = [Section("Q&A", None, None, 0, 1)]
            store.add(recording(name), passages(name), sections, VECTORS, knowledge_of(passages(name)))
    with stores[0].database.reading() as connection:
        for table in PARTITIONED:
            rows = {
                number: connection.execute(f"SELECT * FROM {table}_{number}").fetchall() for number in (1, 2)
            }
            assert rows[1] and rows[2], table
            whole = connection.execute(f"SELECT * FROM {table}").fetchall()
            assert sorted(map(str, whole)) == sorted(map(str, rows[1] + rows[2]))
    for store in stores:
        store.close()


def test_an_archive_beside_one_in_public_has_its_own_tables(postgres_server: str) -> None:
    def stored(schema: str) -> Store:
        store = open_store(f"{postgres_server}&schema={schema}")
        store.add(recording("call"), passages("call"), (), VECTORS, knowledge_of(passages("call")))
        return store

    with closing(stored("public")) as before, closing(stored("beside")) as store:
        assert store.timeline().names == before.timeline().names == ("call",)
        with store.database.reading() as connection:
            own = "SELECT tablename FROM pg_tables WHERE schemaname = ? AND tablename ~ '_1(_[0-9]+|)$'"
            public, beside = (set(connection.execute(own, (name,))) for name in ("public", "beside"))
        assert public == beside and len(beside) > len(PARTITIONED)
        assert store.remove("call") and len(before.passages(before.timeline().rows)) == 3


def test_a_question_reads_its_own_partitions_alone(postgres: str, monkeypatch: pytest.MonkeyPatch) -> None:
    options = {"embedding": {"model": "hashing"}, "account": False}
    for workspace in ("ours", "theirs"):
        with onrecord.open(postgres, workspace=workspace, **options) as archive:
            archive.add(EXAMPLES)
    statements = executed(monkeypatch)
    with onrecord.open(postgres, workspace="theirs", **options) as archive:
        archive.ask("What did Kelly say about tariffs?")
        archive.graph.about("tariffs")
        archive.graph.between("Kelly", "tariffs")
    monkeypatch.undo()
    reads = {sql: values for sql, values in statements if sql.startswith(("SELECT", "WITH"))}
    with closing(open_store(postgres, "theirs")) as store, store.database.reading() as connection:
        plans = [
            connection.execute(f"EXPLAIN ANALYZE {sql}", values).fetchall() for sql, values in reads.items()
        ]
    scans = [line for plan in plans for (line,) in plan if "never executed" not in line]
    for table in ("passages", "words", "labels", "vectors", "graph_mentions"):
        assert any(f" on {table}_2 " in line for line in scans), table
        assert not [line for line in scans if f" on {table}_1 " in line]


def test_statistics_need_one_connection(postgres: str) -> None:
    with closing(open_store(postgres, connections=1, patience=1)) as store:
        store.add(recording("call"), passages("call"))
        store.count("results", 3, 1)
        assert store.stats()["caches"]["results"]["rate"] == 0.75


def test_a_password_is_never_shown() -> None:
    url = "postgresql://ann:hunter2@127.0.0.1:1/talks?sslpassword=hunter3"
    assert "hunter" not in shown(url) and "ann@127.0.0.1" in shown(url)
    with pytest.raises(UnusableError, match="cannot be reached") as error_info:
        open_store(url)
    assert "hunter" not in str(error_info.value)
    with pytest.raises(SettingError, match="schema"):
        open_store("postgresql://ann@127.0.0.1:1/talks?schema=Robert'); DROP")
    for password in ("a%hunter", "my hunter", "a/hunter", "[hunter"):
        with pytest.raises(OnRecordError) as refused:
            open_store(f"postgresql://ann:{password}@127.0.0.1:1/talks")
        assert "hunter" not in str(refused.value)


def test_vectors_of_many_lengths(postgres: str) -> None:
    with closing(open_store(postgres, indexed=0)) as store:
        store.add(recording("call"), passages("call"), vectors=VECTORS)
        store.exchange_vectors([("call", vectors_of(3, 1).repeat(2, axis=1))])
        assert (
            store.nearest(vectors_of(1, 1)[0].repeat(2), store.timeline(), 1)[0].tolist()
            == store.timeline().rows[:1].tolist()
        )
        store.add(recording("wide"), passages("wide"), vectors=np.eye(3, 5000, dtype=np.float32))
        assert store.remove("wide") and store.remove("call")


def test_vectors_too_long_for_the_index_are_all_scored(postgres: str) -> None:
    vectors = np.eye(3, 5000, dtype=np.float32)
    with closing(open_store(postgres, indexed=0, exact=0)) as store:
        store.add(recording("wide"), passages("wide"), vectors=vectors)
        rows, scores = store.nearest(vectors[1], store.timeline(), 1)
        assert rows.tolist() == store.timeline().rows[1:2].tolist() and scores[0] > 0.99
        assert store.dense(vectors[2], store.timeline()).argmax() == 2
