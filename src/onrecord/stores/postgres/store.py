"""A store and a FAQ store in PostgreSQL."""

from __future__ import annotations

from typing import Any

from onrecord.stores.database import Neighbours
from onrecord.stores.faq.sql import SqlFaqStore
from onrecord.stores.postgres.address import address
from onrecord.stores.postgres.database import PostgresDatabase
from onrecord.stores.sql import SqlStore


class PostgresStore(SqlStore):
    """See `onrecord.stores.base.Store`. `options` are those of `PostgresDatabase`."""

    def __init__(
        self, url: str, workspace: str = "default", neighbours: Neighbours | None = None, **options: Any
    ) -> None:
        super().__init__(PostgresDatabase(address(url), workspace, **options), workspace, neighbours)


class PostgresFaqStore(SqlFaqStore):
    """See `onrecord.stores.faq.base.FaqStore`. `options` are those of `PostgresDatabase`."""

    def __init__(self, url: str, workspace: str = "default", **options: Any) -> None:
        database = PostgresDatabase(address(url), workspace, **{"connections": 4, **options})
        super().__init__(database, workspace)


def workspaces_of(url: str) -> list[str]:
    """The names of all workspaces of an archive, with recordings or a FAQ, sorted."""
    database = PostgresDatabase(address(url), "", make=False, connections=1)
    try:
        with database.reading() as connection:
            found = connection.execute("SELECT name FROM workspaces UNION SELECT name FROM faq_workspaces")
            return sorted(name for (name,) in found.fetchall())
    finally:
        database.close()
