"""Two workspaces of one archive, used in turn and compared with separate stores in memory.

A write to one workspace changes no row of the other in any table of the archive.
"""

import tempfile
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from onrecord.stores.contract import recording
from onrecord.stores.database import Neighbours
from onrecord.stores.faq.base import Thresholds
from onrecord.stores.faq.base import Usage as FaqUsage
from onrecord.stores.faq.memory import MemoryFaqStore
from onrecord.stores.faq.sql import SqlFaqStore
from onrecord.stores.ledger import LedgerStore, Tally
from onrecord.stores.memory import MemoryStore
from onrecord.stores.sqlite import SqliteDatabase, SqliteStore
from onrecord.types import FaqEntry, Feedback, Passage, Quoted, Scope, Section
from onrecord.types.graph import Alias, Knowledge, Mention, Relation

NAMES = st.sampled_from(["call", "talk", "chat"])
SPACES = st.sampled_from(["ours", "theirs"])
WORDS = st.sampled_from(["freight", "margin", "Lyon", "Q3", "kelly's", "R2-D2", "the"])
TEXTS = st.lists(st.lists(WORDS, max_size=6).map(" ".join), max_size=4)
SPEAKERS = st.sampled_from([None, "Brendan Kelly", "Amélie Roux"])
SCOPES = st.sampled_from(
    [
        Scope(),
        Scope(speakers=("kelly",)),
        Scope(recordings=("call", "chat")),
        Scope(sections=("q&a",)),
        Scope(since="2024"),
    ]
)


class Workspaces(RuleBasedStateMachine):
    """Random operations on two workspaces of an archive and on a model in memory for each."""

    def open(self, name):
        """Return the store of a workspace in the archive of this example."""
        return SqliteStore(Path(self.folder.name) / "talks.db", name)

    def __init__(self):
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.stores = {name: self.open(name) for name in ("ours", "theirs")}
        self.stores["ours"].set_meta("begun", 1)  # before the file exists, each read makes an empty archive
        self.models = {name: MemoryStore(name) for name in self.stores}
        self.stale = {name: store.timeline() for name, store in self.stores.items()}
        self.faqs = {name: SqlFaqStore(store.database, name) for name, store in self.stores.items()}
        self.faq_models = {name: MemoryFaqStore(name) for name in self.stores}
        self.ledgers = {name: LedgerStore(store.database, name) for name, store in self.stores.items()}
        self.judgements = {name: {} for name in self.stores}

    def teardown(self):
        for store in self.stores.values():
            store.close()
        self.folder.cleanup()

    def on_both(self, space, name, *arguments):
        """Call a method on the store and on its model, and check that the results are equal."""
        with self.nothing_else_changes(space):
            results = [getattr(each[space], name)(*arguments) for each in (self.stores, self.models)]
        assert results[0] == results[1]

    @contextmanager
    def nothing_else_changes(self, space):
        """Check that writes in this context leave every row of the other workspace unchanged."""
        (other,) = self.stores.keys() - {space}
        database = self.stores[other].database
        before = rows_of(database, other)
        yield
        assert rows_of(database, other) == before

    @rule(space=SPACES, name=NAMES, texts=TEXTS, speaker=SPEAKERS, seed=st.none() | st.integers(0, 9))
    def add(self, space, name, texts, speaker, seed):
        passages = [Passage(name, at, text, speaker, float(at)) for at, text in enumerate(texts)]
        vectors = None if seed is None else vectors_of(len(passages), seed)
        sections = [Section("Q&A", None, None, 1, 2)]
        details = recording(name, len(passages), date=f"202{len(passages)}")
        self.on_both(space, "add", details, passages, sections, vectors, knowledge_of(passages))

    @rule(space=SPACES, name=NAMES)
    def remove(self, space, name):
        self.on_both(space, "remove", name)

    @rule(space=SPACES, name=NAMES, seed=st.integers(0, 9))
    def set_vectors(self, space, name, seed):
        count = len(self.models[space].transcript(name))
        if self.models[space].recording(name):
            self.on_both(space, "set_vectors", name, vectors_of(count, seed))

    @rule(space=SPACES)
    def exchange_vectors(self, space):
        self.on_both(space, "exchange_vectors", ())

    @rule(space=SPACES, key=st.sampled_from(["model", "note"]), value=st.none() | st.integers())
    def set_meta(self, space, key, value):
        self.on_both(space, "set_meta", key, value)

    @rule(space=SPACES, name=NAMES)
    def learn(self, space, name):
        passages = self.models[space].transcript(name)
        if self.models[space].recording(name):
            with self.nothing_else_changes(space):
                for store in (self.stores[space], self.models[space]):
                    store.graph.learn(name, knowledge_of(passages[:1]))

    @rule(space=SPACES, word=WORDS)
    def name_by_hand(self, space, word):
        with self.nothing_else_changes(space):
            for store in (self.stores[space], self.models[space]):
                store.graph.name(Alias(word.lower(), "margin", 1.0, "by hand"))

    @rule(space=SPACES, key=st.sampled_from([b"one", b"two"]))
    def cache(self, space, key):
        with self.nothing_else_changes(space):
            for store in (self.stores[space], self.models[space]):
                store.cache("results", {key: space.encode()}, store.version, 1000)
                store.count("results", 1, 2)
            self.stores[space].pending.flush()

    @rule(space=SPACES, name=NAMES, status=st.sampled_from(["draft", "live"]))
    def put_faq_entry(self, space, name, status):
        with self.nothing_else_changes(space):
            for faq in (self.faqs[space], self.faq_models[space]):
                faq.put([FaqEntry(name, f"{name}?", space, status=status)], vectors_of(1, 1), "model")

    @rule(space=SPACES, name=NAMES)
    def remove_faq_entry(self, space, name):
        if any(entry.id == name for entry in self.faq_models[space].entries()):
            with self.nothing_else_changes(space):
                for faq in (self.faqs[space], self.faq_models[space]):
                    faq.remove([name])

    @rule(space=SPACES, name=NAMES)
    def ask_faq(self, space, name):
        with self.nothing_else_changes(space):
            for faq in (self.faqs[space], self.faq_models[space]):
                faq.set_thresholds("model", Thresholds(0.5, 0.25))
                version = faq.recall(name, "basis", "model", 0.0).version
                faq.remember(name, "basis", space, 1.0, 0.0, version)
                faq.count([FaqUsage("2024-03-05", "one")])

    @rule(space=SPACES, name=NAMES)
    def judge(self, space, name):
        quoted = (Quoted(name, "the words"),)
        feedback = Feedback(name, good=True, question=space, evidence=quoted)
        with self.nothing_else_changes(space):
            self.ledgers[space].give(feedback)
            self.ledgers[space].count([Tally("2024-03-05", space, asked=1)])
        self.judgements[space].pop(name, None)
        self.judgements[space][name] = feedback

    @rule(space=SPACES, name=NAMES, forget=st.booleans())
    def withdraw(self, space, name, forget):
        with self.nothing_else_changes(space):
            if forget:
                self.ledgers[space].forget(name)
            else:
                assert self.ledgers[space].withdraw(name) == (name in self.judgements[space])
        self.judgements[space].pop(name, None)

    @rule(space=SPACES)
    def keep_a_line(self, space):
        """Keep the current timeline for `ask_with_an_old_line`."""
        self.stale[space] = self.stores[space].timeline()

    @rule(space=SPACES, words=st.lists(WORDS, max_size=3), scope=SCOPES, seed=st.integers(0, 9))
    def ask(self, space, words, scope, seed):
        store, model = self.stores[space], self.models[space]
        timeline, expected = store.timeline(scope), model.timeline(scope)
        assert (timeline.names, timeline.positions.tolist()) == (expected.names, expected.positions.tolist())
        assert timeline.words.tolist() == expected.words.tolist()
        assert np.array_equal(store.keyword(words, timeline), model.keyword(words, expected))
        vector = vectors_of(1, seed)[0]
        assert np.allclose(store.dense(vector, timeline), model.dense(vector, expected), atol=1e-4)
        assert spoken(store, timeline.rows) == spoken(model, expected.rows)
        assert store.recordings(scope) == model.recordings(scope)
        assert all(store.beginning(word[:2].lower()) == model.beginning(word[:2].lower()) for word in words)
        for word in words:
            # row numbers count across the workspaces of a store, so the passages are compared
            assert spoken(store, store.holding(word, 2)) == spoken(model, model.holding(word, 2))

    @rule(space=SPACES, words=st.lists(WORDS, max_size=3), seed=st.integers(0, 9))
    def ask_with_an_old_line(self, space, words, seed):
        """Check that rows of an old timeline that no longer exist get the score 0."""
        store, timeline = self.stores[space], self.stale[space]
        there = {passage.row for passage in store.passages(timeline.rows)}
        for scores in (store.keyword(words, timeline), store.dense(vectors_of(1, seed)[0], timeline)):
            assert scores.shape == timeline.rows.shape
            assert not scores[[row not in there for row in timeline.rows]].any()
        assert store.vectors(timeline.rows).shape[0] == len(timeline)

    @invariant()
    def counts_agree(self):
        for space, store in self.stores.items():
            stats, expected = store.stats(), self.models[space].stats()
            differing = {"bytes": 0, "caches": {}}  # the model keeps its cache when its graph changes
            assert {**stats, **differing} == {**expected, **differing}
            assert store.without_vectors() == self.models[space].without_vectors()
            assert store.meta("model") == self.models[space].meta("model")
            with store.snapshot() as now:
                assert graph_of(now) == graph_of(self.models[space])
            assert set(store.cached("results", (b"one", b"two")).values()) <= {space.encode()}
            faq, expected_faq = self.faqs[space], self.faq_models[space]
            assert faq.entries() == expected_faq.entries() and faq.usage() == expected_faq.usage()
            for name in ("call", "talk", "chat"):
                states = [each.recall(name, "basis", "model", 0.0) for each in (faq, expected_faq)]
                assert states[0].reply == states[1].reply and states[0].thresholds == states[1].thresholds
            ledger = self.ledgers[space]
            assert sorted(f.id for f in ledger.feedback()) == sorted(self.judgements[space])
            assert all(f.question == space for f in ledger.feedback())
            assert all(tally.strategy == space for tally in ledger.tallies())


def test_the_rows_of_a_workspace_are_read_of_every_table(tmp_path):
    """Every table of the archive is compared, unless `ELSEWHERE` names it.

    So a new table is compared too, or must be named there.
    """
    check_every_table_is_read(lambda name: SqliteStore(tmp_path / "talks.db", name, Away()))


def check_every_table_is_read(opened):
    """Check that `rows_of` reads every table of an archive.

    Every table gets rows of two workspaces. `opened` opens a workspace whose index is `Away`.
    """
    ours, theirs = opened("ours"), opened("theirs")
    for store in (ours, theirs):
        passages = [Passage("call", at, "Freight margins.", "Ann", section="Q&A") for at in range(2)]
        sections = [Section("Q&A", None, None, 0, 1)]
        store.add(recording("call", 2), passages, sections, vectors_of(2, 1), knowledge_of(passages))
        store.set_meta("model", 1)
        store.graph.name(Alias("ann", "anne", 1.0, "by hand"))
        store.cache("results", {b"one": b"two"}, store.version, 1000)
        store.count("results", 1, 2)
        store.pending.flush()
        faq, ledger = (
            SqlFaqStore(store.database, store.workspace),
            LedgerStore(store.database, store.workspace),
        )
        faq.put([FaqEntry("one", "one?", "yes", status="live")], vectors_of(1, 1), "model")
        faq.set_thresholds("model", Thresholds(0.5, 0.25))
        faq.remember("one", "basis", "yes", 1.0, 0.0, faq.recall("one", "basis", "model", 0.0).version)
        faq.count([FaqUsage("2024-03-05", "one")])
        ledger.give(Feedback("one", good=True, question="why?"))
        ledger.count([Tally("2024-03-05", asked=1)])
    rows = rows_of(ours.database, "ours")
    assert not {table for table, own in rows.items() if not own}
    every = {str(row) for own in rows.values() for row in own}
    others = {str(row) for own in rows_of(theirs.database, "theirs").values() for row in own}
    assert not every & others  # each row contains its workspace or a unique key
    ours.close()
    theirs.close()


class Away(Neighbours):
    """An index outside the archive that receives no changes: they stay in the outbox."""

    collection = "away"


def knowledge_of(passages):
    """Return knowledge in which every passage mentions freight and states a relation of it."""
    mentions = [
        Mention("freight", p.recording, p.position, 0, 7, "Freight", "concept", "name", p.speaker)
        for p in passages
    ]
    relations = [
        Relation("freight", "causes", "freight", p.recording, p.position, 0, 7, p.speaker) for p in passages
    ]
    aliases = [Alias("cargo", "freight", 0.5, "said so", p.recording) for p in passages[:1]]
    return Knowledge(
        tuple(mentions), tuple(relations), tuple(aliases), read=tuple(p.position for p in passages)
    )


def graph_of(store):
    graph = store.graph
    return [
        graph.entities(["freight"]),
        graph.mentions([("freight", "")]),
        graph.relations(["freight"]),
        graph.aliases(["freight", "margin"]),
        graph.named("freight"),
        graph.beginning("f"),
        [graph.knowledge(name) for name in ("call", "talk", "chat")],
    ]


# ---------------------------------------------------------------- the rows of a workspace in every table

ELSEWHERE = {"migrations"}
"""Tables whose rows belong to no workspace."""
_KEYS = "(SELECT key FROM recordings WHERE workspace = ?)"
_ENTITIES = "(SELECT id FROM graph_entities WHERE workspace = ?)"


def rows_of(database, workspace):
    """Return every row of a workspace, by table."""
    with database.reading() as connection:
        row = connection.execute("SELECT id FROM workspaces WHERE name = ?", (workspace,)).fetchone()
        number = row[0] if row else 0
        if isinstance(database, SqliteDatabase):
            return dict(_rows_of_file(connection, workspace, number))
        return dict(_rows_of_server(connection, workspace, number))


def _rows_of_file(connection, workspace, number):
    tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*'"
    for (table,) in connection.execute(tables).fetchall():
        columns = {row[1] for row in connection.execute(f"PRAGMA table_info({table})")}
        if table == "words":  # it stores no text: each term begins with the workspace's number
            connection.execute(
                "CREATE VIRTUAL TABLE IF NOT EXISTS temp.held USING fts5vocab(main, words, row)"
            )
            sql = "SELECT * FROM temp.held WHERE term >= ? AND term < ?"
            yield table, sorted(connection.execute(sql, (f"{number}:", f"{number};")).fetchall())
        elif not table.startswith("words_"):
            yield table, _rows_of_table(connection, table, columns, workspace, number)


def _rows_of_server(connection, workspace, number):
    sql = (
        "SELECT relname, attname FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid "
        "WHERE relnamespace = current_schema::regnamespace AND relkind IN ('r', 'p') AND attnum > 0 "
        "AND NOT relispartition"  # rows of partitions are read through the whole table
    )
    columns = {}
    for table, column in connection.execute(sql).fetchall():
        columns.setdefault(str(table), set()).add(str(column))
    for table, own in columns.items():
        if table.startswith("nearest_"):  # each workspace has tables of its own
            if table.startswith(f"nearest_{number}_"):
                sql = f'SELECT "row", recording, vector::text FROM {table}'
                yield table, sorted(connection.execute(sql).fetchall())
        elif table not in ELSEWHERE:
            yield table, _rows_of_table(connection, table, own, workspace, number)


def _rows_of_table(connection, table, columns, workspace, number):
    """Return the rows of a workspace in one table, as sorted strings.

    The tables of workspaces, the ledger and the FAQ identify a workspace by its name, all others by number.
    """
    if table in ("workspaces", "faq_workspaces"):
        where, value = "name = ?", workspace
    elif "workspace" in columns:
        named = table in ("feedback", "tallies") or table.startswith("faq_")
        where, value = "workspace = ?", workspace if named else number
    else:
        owners = (("recording", _KEYS), ("entity", _ENTITIES))
        column, keys = next(owner for owner in owners if owner[0] in columns)
        where, value = f"{column} IN {keys}", number
    return sorted(map(str, connection.execute(f"SELECT * FROM {table} WHERE {where}", (value,)).fetchall()))


def vectors_of(count, seed):
    rows = np.random.default_rng(seed).standard_normal((count, 4)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def spoken(store, rows):
    return [(p.recording, p.position, p.text, p.speaker) for p in store.passages(rows)]


TestWorkspaces = Workspaces.TestCase
TestWorkspaces.settings = settings(max_examples=20, stateful_step_count=25, deadline=None)
