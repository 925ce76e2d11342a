"""A check of whether a PostgreSQL server can hold an archive. It only reads from the server."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg

from onrecord.stores.postgres.connection import CONNECT, Raw
from onrecord.stores.postgres.server import (
    FIRST,
    MAKE_UTF8,
    MIGRATIONS,
    OLDEST_SERVER,
    OLDEST_VECTOR,
    address,
    encoding,
    extension,
    translate_error,
    version,
)
from onrecord.stores.schema import formats

Finding = tuple[str, str, str, str]
"""Subject; "ok", "note" or "missing"; observation; advice."""


def examine_server(url: str) -> Iterator[Finding]:
    """Yield the findings on a server. Raise UnusableError if it cannot be reached."""
    place = address(url)
    try:
        with psycopg.connect(place.conninfo, **CONNECT) as raw:
            yield _server(raw, place.shown)
            yield _extension(raw)
            yield from _schema(raw, place.schema)
            yield _connections(raw)
    except psycopg.Error as error:
        raise translate_error("look at", place.shown, error, 0) from error


def _server(raw: Raw, shown: str) -> Finding:
    number = raw.info.server_version
    description = f"{shown} runs PostgreSQL {number // 10_000}.{number % 10_000}"
    if number < OLDEST_SERVER * 10_000:
        return "server", "missing", description, f"PostgreSQL {OLDEST_SERVER} or newer is needed"
    if (stored := encoding(raw)) != "UTF8":
        return "server", "missing", f"{description} and stores text as {stored}", MAKE_UTF8
    return "server", "ok", description, ""


def _extension(raw: Raw) -> Finding:
    installed = extension(raw)
    if installed and installed >= OLDEST_VECTOR:
        return "pgvector", "ok", ".".join(map(str, installed)), ""
    if installed:
        return (
            "pgvector",
            "missing",
            f"{'.'.join(map(str, installed))} is too old",
            "ALTER EXTENSION vector UPDATE",
        )
    row = raw.execute(
        "SELECT default_version, (SELECT bool_or(superuser AND NOT trusted) "
        "FROM pg_available_extension_versions v WHERE v.name = e.name) "
        "FROM pg_available_extensions e WHERE name = 'vector'"
    ).fetchone()
    if row is None:
        return (
            "pgvector",
            "missing",
            "it is not installed on the server",
            "install the package pgvector 0.8 there",
        )
    who = "as a superuser: " if row[1] else ""
    return "pgvector", "note", f"{row[0]} can be had and is not made yet", f"{who}CREATE EXTENSION vector"


def _schema(raw: Raw, schema: str) -> Iterator[Finding]:
    present = version(raw, schema)
    if present is None:
        may = raw.execute("SELECT has_database_privilege(current_database(), 'CREATE')").fetchone()
        if may and may[0]:
            yield "tables", "note", f"schema {schema} is made by the first `onrecord add`", ""
        else:
            advice = "GRANT CREATE ON DATABASE ... TO ..."
            yield "tables", "missing", f"there is no schema {schema}, and no right to make it", advice
        return
    readable = formats(FIRST, MIGRATIONS)
    if present < readable.start:
        yield (
            "tables",
            "missing",
            f"format {present}, of before the first release",
            "add the recordings again",
        )
    elif present < readable[-1]:
        yield "tables", "note", f"of an older onrecord (format {present})", "the next writer updates them"
    lacking = [
        f"{right} ON {table}"
        for table in ("recordings", "passages", "cached")
        for right in ("SELECT", "INSERT", "UPDATE", "DELETE")
        if raw.execute("SELECT has_table_privilege(%s, %s)", (f"{schema}.{table}", right)).fetchone()
        != (True,)
    ]
    if lacking:
        yield "rights", "note", f"this user lacks {', '.join(lacking[:3])} ...", "it can ask, but not add"
    else:
        yield "rights", "ok", f"schema {schema} can be read and written", ""


def _connections(raw: Raw) -> Finding:
    row = raw.execute(
        "SELECT current_setting('max_connections')::int, (SELECT count(*) FROM pg_stat_activity)"
    ).fetchone()
    most, used = row if row else (0, 0)
    if most - used < 12:
        return "connections", "note", f"{used} of {most} are in use", "raise max_connections, or use a pooler"
    return "connections", "ok", f"{used} of {most} are in use", ""
