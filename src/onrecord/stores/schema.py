"""The tables of an archive file, and its migrations.

The file's `application_id` marks it as an archive; its `user_version` is the number of its format. To change
the schema, append a migration; never edit a released one. A migration is SQL, or a function of the
connection. All missing migrations run in one transaction, so a file is never left half migrated.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence

from onrecord.stores.graph.tables import GRAPH

APPLICATION_ID = 0x4F4E5245
"""Bytes 68-71 of the file: "ONRE"."""

Migration = str | Callable[[sqlite3.Connection], None]

TABLES = """
CREATE TABLE workspaces (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    generation INTEGER NOT NULL,         -- rises with every write to the workspace's recordings
    collection TEXT,                     -- of an index outside the archive; NULL: it has none
    tenant TEXT                          -- by which the index tells this workspace from others
);

CREATE TABLE metas (
    workspace INTEGER NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,                 -- JSON
    PRIMARY KEY (workspace, key)
) WITHOUT ROWID;

CREATE TABLE recordings (
    key INTEGER PRIMARY KEY AUTOINCREMENT,  -- never used twice
    workspace INTEGER NOT NULL,
    id TEXT NOT NULL,
    version INTEGER NOT NULL,            -- generation of the workspace at its last change
    source TEXT NOT NULL,
    checksum TEXT NOT NULL,
    format TEXT NOT NULL,
    title TEXT,
    date TEXT,
    language TEXT,
    people TEXT NOT NULL,                -- JSON array
    link TEXT,
    media TEXT,
    attributes TEXT NOT NULL,            -- JSON object
    passages INTEGER NOT NULL,
    words INTEGER NOT NULL,
    seconds REAL,
    speakers TEXT NOT NULL,              -- JSON array
    first_row INTEGER NOT NULL,          -- passages: rows first_row, first_row + 1, ... by position
    lengths BLOB NOT NULL,               -- words of each passage: int32 by position
    turns INTEGER NOT NULL,              -- a turn counts in each of its passages
    stamp INTEGER NOT NULL,              -- of its vectors: see stores.outbox
    UNIQUE (workspace, id)
);

CREATE TABLE labels (                    -- speakers and sections of passages
    recording INTEGER NOT NULL,
    kind TEXT NOT NULL,                  -- 'speaker' or 'section'
    number INTEGER NOT NULL,
    name TEXT NOT NULL,
    positions BLOB NOT NULL,             -- of the passages that carry it: int32, rising
    PRIMARY KEY (recording, kind, number)
) WITHOUT ROWID;

CREATE TABLE sections (
    recording INTEGER NOT NULL,
    number INTEGER NOT NULL,
    title TEXT NOT NULL,
    start REAL,
    "end" REAL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    kind TEXT,
    "under" TEXT,
    summary TEXT NOT NULL,
    PRIMARY KEY (recording, number)
) WITHOUT ROWID;

CREATE TABLE passages (
    "row" INTEGER PRIMARY KEY AUTOINCREMENT,  -- never used twice
    recording INTEGER NOT NULL,
    position INTEGER NOT NULL,
    text TEXT NOT NULL,
    speaker INTEGER,                     -- number of a label
    start REAL,
    "end" REAL,
    marks BLOB NOT NULL,                 -- see records.pack_marks
    voices TEXT,                         -- JSON: [[character offset, number of a label or null], ...]
    section INTEGER,                     -- number of a label
    importance REAL,                     -- 0..1; NULL: nobody has judged it
    "before" REAL,
    "after" REAL
);
"""

WORDS = """
-- The word index. It keeps no text of its own: see stores.fts for what it is given; its tokenizer only
-- parts that at spaces.
CREATE VIRTUAL TABLE words USING fts5 (
    terms, content = '', columnsize = 0, detail = none, tokenize = "ascii tokenchars ':.+#^'"
);
"""

VECTORS = """
CREATE TABLE vectors (
    recording INTEGER PRIMARY KEY,
    dimensions INTEGER NOT NULL,
    scale REAL NOT NULL,
    data BLOB NOT NULL                   -- int16 by position, dimension; times scale: the vectors
);
"""

FAQ = """
CREATE TABLE faq_workspaces (
    name TEXT PRIMARY KEY,
    version INTEGER NOT NULL             -- rises with every change to entries or thresholds
) WITHOUT ROWID;

CREATE TABLE faq_entries (
    key INTEGER PRIMARY KEY AUTOINCREMENT,  -- never used twice; order in which entries came
    workspace TEXT NOT NULL,
    id TEXT NOT NULL,
    status TEXT NOT NULL,                -- 'draft', 'live' or 'retired'
    question TEXT NOT NULL,
    answer TEXT NOT NULL,
    variants TEXT NOT NULL,              -- JSON array
    tags TEXT NOT NULL,                  -- JSON array
    link TEXT,
    model TEXT,                          -- fingerprint of what made the vectors; NULL: there are none
    vectors BLOB,                        -- float32: of the question, then of the variants
    UNIQUE (workspace, id)
);

CREATE TABLE faq_thresholds (
    workspace TEXT NOT NULL,
    model TEXT NOT NULL,                 -- fingerprint
    high REAL NOT NULL,
    low REAL NOT NULL,
    PRIMARY KEY (workspace, model)
) WITHOUT ROWID;

CREATE TABLE faq_replies (               -- the cache
    workspace TEXT NOT NULL,
    question TEXT NOT NULL,              -- normalized
    basis TEXT NOT NULL,                 -- model and settings that the reply depends on
    made REAL NOT NULL,                  -- seconds since 1970
    reply TEXT NOT NULL,                 -- JSON
    PRIMARY KEY (workspace, question, basis)
) WITHOUT ROWID;

CREATE INDEX faq_replies_by_age ON faq_replies (workspace, made);

CREATE TABLE faq_usage (
    workspace TEXT NOT NULL,
    day TEXT NOT NULL,                   -- ISO, UTC
    stage TEXT NOT NULL,
    gate TEXT NOT NULL,
    model TEXT NOT NULL,                 -- that decided in stage two; '' where none did
    asked INTEGER NOT NULL,
    calls INTEGER NOT NULL,              -- of the LLM
    prompt_tokens INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    cost REAL NOT NULL,
    PRIMARY KEY (workspace, day, stage, gate, model)
) WITHOUT ROWID;
"""

CACHES = """
CREATE TABLE cached (                    -- emptied for a workspace by every write to it
    number INTEGER PRIMARY KEY AUTOINCREMENT,  -- the oldest leave first
    workspace INTEGER NOT NULL,
    kind TEXT NOT NULL,                  -- 'embeddings' or 'results'
    key BLOB NOT NULL,                   -- digest of all that the value depends on
    size INTEGER NOT NULL,               -- bytes of key and value
    value BLOB NOT NULL,
    UNIQUE (workspace, kind, key)
);

CREATE INDEX cached_by_age ON cached (workspace, kind, number, size);

CREATE TABLE cached_usage (
    workspace INTEGER NOT NULL,
    kind TEXT NOT NULL,
    hits INTEGER NOT NULL,
    misses INTEGER NOT NULL,
    PRIMARY KEY (workspace, kind)
) WITHOUT ROWID;
"""

LEDGER = """
CREATE TABLE feedback (                  -- what people think of answers
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace TEXT NOT NULL,
    id TEXT NOT NULL,
    value TEXT NOT NULL,                 -- JSON: types.Feedback
    UNIQUE (workspace, id)
);

CREATE TABLE tallies (                   -- see stores.ledger.Tally
    workspace TEXT NOT NULL,
    day TEXT NOT NULL,                   -- ISO, UTC
    strategy TEXT NOT NULL,
    verdict TEXT NOT NULL,
    trial INTEGER NOT NULL,
    asked INTEGER NOT NULL,
    written INTEGER NOT NULL,
    reranked INTEGER NOT NULL,
    remembered INTEGER NOT NULL,
    sentences INTEGER NOT NULL,
    marked INTEGER NOT NULL,
    withheld INTEGER NOT NULL,
    calls INTEGER NOT NULL,
    prompt_tokens INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    money REAL NOT NULL,
    embedded_tokens INTEGER NOT NULL,
    embedded_money REAL NOT NULL,
    seconds REAL NOT NULL,
    squares REAL NOT NULL,
    PRIMARY KEY (workspace, day, strategy, verdict, trial)
) WITHOUT ROWID;
"""

OUTBOX = """
CREATE TABLE outbox (                    -- what that index has yet to be told: see stores.outbox
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace INTEGER NOT NULL,
    recording INTEGER NOT NULL,
    stamp INTEGER NOT NULL,
    dimensions INTEGER NOT NULL,
    gone INTEGER NOT NULL                -- 1: points are to be deleted; 0: to be written
);

CREATE INDEX outbox_of_workspace ON outbox (workspace, number);
"""

FIRST = 10
"""Format of the first release. Archives of earlier formats are refused."""
MIGRATIONS: tuple[Migration, ...] = (TABLES + WORDS + VECTORS + FAQ + CACHES + LEDGER + GRAPH + OUTBOX,)
"""The first one gives a new file the format `FIRST`; each later one raises the format by one."""


def formats(first: int, migrations: Sequence[object]) -> range:
    """Return the formats that can be read: from the first one to the one after the last migration."""
    return range(first, first + len(migrations))


def version(connection: sqlite3.Connection) -> int:
    """Return the format of the file; 0 if it has no tables yet."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def migrate(connection: sqlite3.Connection, migrations: Sequence[Migration]) -> None:
    """Run the missing migrations in one transaction. Do nothing if another process has just run them."""
    readable = formats(FIRST, migrations)
    if version(connection) >= readable[-1]:
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        for number, migration in zip(readable, migrations, strict=True):
            if number > version(connection):
                _run(connection, migration)
                connection.execute(f"PRAGMA user_version = {number}")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # an interruption before the transaction leaves nothing to undo
            connection.execute("ROLLBACK")
        raise


def _run(connection: sqlite3.Connection, migration: Migration) -> None:
    """Run one migration, statement by statement, because `executescript` would commit."""
    if callable(migration):
        migration(connection)
        return
    statement = ""
    for line in migration.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            connection.execute(statement)
            statement = ""
    if statement.strip():
        raise ValueError(f"a migration ends within a statement: {statement.strip()[:60]}")
