"""The address of a PostgreSQL server, its requirements, migrations, and translated errors."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

import psycopg
from psycopg import errors
from psycopg.conninfo import conninfo_to_dict

from onrecord.errors import (
    NotAnArchiveError,
    NotFoundError,
    OnRecordError,
    SettingError,
    StoreError,
    UnusableError,
)
from onrecord.stores.database import check_format, disk_full, locked, shown
from onrecord.stores.graph.tables import GRAPH
from onrecord.stores.postgres.connection import Raw
from onrecord.stores.postgres.partitions import PARTITIONED
from onrecord.stores.schema import CACHES, FAQ, LEDGER, OUTBOX, TABLES, VECTORS, formats

_SCHEMA = re.compile(r"[a-z_][a-z0-9_]{0,47}")
DEFAULT = "onrecord"
_READABLE = "an address with %25 for %, %20 for a space and %40 for @ in a password, and only libpq's options"


@dataclass(frozen=True, slots=True)
class Address:
    """The parts of a server's address.

    `conninfo` is for libpq, `schema` holds the archive's tables, `shown` is the address without its password.
    """

    conninfo: str
    schema: str
    shown: str


def address(url: str) -> Address:
    """Split ``postgresql://USER:PASSWORD@HOST/DATABASE?schema=NAME``. All other options are libpq's.

    Raises SettingError.
    """
    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise SettingError("archive", "postgresql://...", f"an address of a server ({error})") from error
    options = parse_qsl(parts.query, keep_blank_values=True)
    schema = dict(options).get("schema", DEFAULT)
    if not _SCHEMA.fullmatch(schema):
        raise SettingError("archive", f"schema={schema}", "a schema of lower-case letters, digits and _")
    rest = urlencode([(name, value) for name, value in options if name != "schema"])
    conninfo = urlunsplit(parts._replace(query=rest))
    try:
        conninfo_to_dict(conninfo)
    except psycopg.ProgrammingError:  # its message may quote the password
        raise SettingError("archive", shown(url), _READABLE) from None
    return Address(conninfo, schema, shown(url))


OLDEST_SERVER, OLDEST_VECTOR = 14, (0, 8)
"""Oldest supported versions of PostgreSQL and pgvector. Iterative scans came with pgvector 0.8."""
MAKE_UTF8 = "CREATE DATABASE ... ENCODING 'UTF8' TEMPLATE template0"


def translate_error(doing: str, archive: str, error: psycopg.Error, patience: float) -> OnRecordError:
    """Return the error of this package for an error of the server."""
    reason = (error.diag.message_primary or str(error)).strip().splitlines()[0]
    about = f"cannot {doing} {archive}: "
    if isinstance(error, errors.LockNotAvailable | errors.DeadlockDetected):
        return locked(doing, archive, patience)
    if isinstance(error, errors.DiskFull):
        return disk_full(doing, archive)
    if isinstance(error, errors.InsufficientPrivilege):
        return UnusableError(
            f"{about}its user lacks a right ({reason}); `onrecord doctor` says which are needed"
        )
    if isinstance(error, errors.UndefinedTable):
        return NotAnArchiveError(f"{about}a table is missing ({reason}); was it removed by hand?")
    if isinstance(error, errors.ReadOnlySqlTransaction):
        return UnusableError(f"{about}the server takes no writes ({reason}); is it a copy of another one?")
    if isinstance(error, psycopg.DataError) and ("NUL" in reason or "0x00" in reason):
        return StoreError(f"{about}a text holds a zero character, which PostgreSQL cannot keep")
    if isinstance(error, psycopg.OperationalError):
        return UnusableError(f"{about}the server cannot be reached, or went away ({reason})")
    return StoreError(f"{about}{reason}")


def check_server(raw: Raw, archive: str, make: bool) -> None:
    """Check that the server can hold an archive.

    Raises StoreError if it is too old, stores text in another encoding than UTF-8, or lacks pgvector and
    cannot create it.
    """
    if raw.info.server_version < OLDEST_SERVER * 10_000:
        raise StoreError(
            f"{archive} runs PostgreSQL {raw.info.server_version // 10_000}; onrecord needs "
            f"{OLDEST_SERVER} or newer"
        )
    if (stored := encoding(raw)) != "UTF8":
        raise StoreError(f"{archive} stores text as {stored}; onrecord needs UTF8: {MAKE_UTF8}")
    installed = extension(raw)
    if installed is None and make:
        try:
            raw.execute("CREATE EXTENSION IF NOT EXISTS vector")
        except psycopg.Error as error:
            raise StoreError(
                f"{archive} has no extension vector ({(error.diag.message_primary or str(error)).strip()}): "
                "install pgvector 0.8 or newer on the server, then let somebody with the right to run: "
                "CREATE EXTENSION vector"
            ) from error
        installed = extension(raw)
    if installed is not None and installed < OLDEST_VECTOR:
        raise StoreError(
            f"{archive} has pgvector {'.'.join(map(str, installed))}; onrecord needs 0.8 or newer: install "
            "it, then run: ALTER EXTENSION vector UPDATE"
        )


def encoding(raw: Raw) -> str:
    """Return the encoding in which the database stores text, such as "UTF8" or "SQL_ASCII"."""
    return raw.info.parameter_status("server_encoding") or "an unknown encoding"


def extension(raw: Raw) -> tuple[int, ...] | None:
    """Return the version of pgvector in the database; None if the extension is not created."""
    row = raw.execute("SELECT extversion FROM pg_extension WHERE extname = 'vector'").fetchone()
    return tuple(int(part) for part in row[0].split(".")[:3]) if row else None


def version(raw: Raw, schema: str) -> int | None:
    """Return the format of the archive in a schema; None without an archive."""
    if raw.execute("SELECT to_regclass(%s)", (f"{schema}.migrations",)).fetchone() == (None,):
        return None
    row = raw.execute(f'SELECT max(number) FROM "{schema}".migrations').fetchone()  # noqa: S608
    return row[0] or 0 if row else 0


def prepare(raw: Raw, address: Address, *, make: bool) -> None:
    """Check that a server can hold an archive. With `make`, create or update its tables.

    Raises NotFoundError if there is no archive, NewerArchiveError, and StoreError for what the server lacks.
    """
    archive, schema = address.shown, address.schema
    check_server(raw, archive, make)
    present, readable = version(raw, schema), formats(FIRST, MIGRATIONS)
    if present is not None:
        check_format(archive, present, readable)
    if present == readable[-1]:
        return
    if not make and present is None:
        make_one = "make one with: onrecord add FOLDER (a FAQ: onrecord faq add FILE)"
        raise NotFoundError(f"there is no archive in {archive}; {make_one}")
    if not make:
        raise StoreError(f"{archive} was written by an older onrecord; open it once for writing")
    with raw.transaction():
        raw.execute("SELECT pg_advisory_xact_lock(%s)", (sum(map(ord, schema)) + 0x4F4E5245,))
        raw.execute(f'CREATE SCHEMA IF NOT EXISTS "{schema}"')
        raw.execute(f'SET LOCAL search_path TO "{schema}"')
        raw.execute("CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY)")
        present = version(raw, schema) or 0
        for number, migration in zip(readable, MIGRATIONS, strict=True):
            if number > present:
                raw.execute(migration)
                raw.execute("INSERT INTO migrations VALUES (%s)", (number,))


# ---------------------------------------------------------------- tables

# The tables of the archive file, and additional tables for the word index and the index of nearest neighbors.
# To change the schema, append a migration; never edit a released one. All missing migrations run in one
# transaction, one writer at a time.

OWN = """
CREATE TABLE words (
    workspace INTEGER NOT NULL,
    term TEXT COLLATE "C" NOT NULL,
    recording BIGINT NOT NULL,
    rows BYTEA NOT NULL,                 -- int64: passages of the recording that hold the term, rising
    counts BYTEA NOT NULL,               -- int32: how often each does
    PRIMARY KEY (workspace, term, recording)
) PARTITION BY RANGE (workspace);
CREATE INDEX words_of_recording ON words (recording);

CREATE SEQUENCE recording_numbers;
CREATE SEQUENCE relation_numbers;
ALTER TABLE graph_relations ALTER COLUMN id SET DEFAULT nextval('relation_numbers');
ALTER TABLE vectors ALTER COLUMN data SET STORAGE EXTERNAL;  -- numbers do not compress
"""


_TABLE = re.compile(r"^CREATE TABLE (\w+) \((.*(?:\n(?![)C]).*)+)\n\)( WITHOUT ROWID)?;", re.MULTILINE)
"""A table of the schema: its name, and the lines of its columns."""


def translate(sql: str) -> str:
    """Translate the schema of the archive file to PostgreSQL's SQL, and partition its tables.

    The schema may contain only plain tables and indexes.
    """
    sql = _TABLE.sub(_translate_table, sql)
    for name, postgres_name in (
        ("INTEGER", "BIGINT"),
        ("REAL", "DOUBLE PRECISION"),
        ("BLOB", "BYTEA"),
        ("TEXT", 'TEXT COLLATE "C"'),
    ):
        sql = re.sub(rf"\b{name}\b", postgres_name, sql)
    return sql


def _translate_table(statement: re.Match[str]) -> str:
    table, columns = statement.group(1, 2)
    own_numbers = table != "recordings" and table not in PARTITIONED  # see `partitions.reserve`
    identity = " GENERATED BY DEFAULT AS IDENTITY" if own_numbers else ""
    columns = re.sub(r"INTEGER PRIMARY KEY( AUTOINCREMENT)?", f"INTEGER{identity} PRIMARY KEY", columns)
    if table not in PARTITIONED:
        return f"CREATE TABLE {table} ({columns}\n);"
    column, _ = PARTITIONED[table]
    if table == "graph_relations":  # the key of a partitioned table must contain the column
        columns = columns.replace(" PRIMARY KEY,", ",") + f",\n    PRIMARY KEY (id, {column})"
    return f'CREATE TABLE {table} ({columns}\n) PARTITION BY RANGE ("{column}");'


FIRST = 9
"""Format of the first release: see `stores.schema.FIRST`."""
MIGRATIONS = (translate(TABLES + VECTORS + FAQ + CACHES + LEDGER + GRAPH + OUTBOX) + OWN,)
