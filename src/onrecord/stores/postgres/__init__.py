"""Archives in PostgreSQL, with pgvector. Needs the extra [postgres]."""

from onrecord.stores.postgres.store import PostgresFaqStore, PostgresStore, workspaces_of

__all__ = ["PostgresFaqStore", "PostgresStore", "workspaces_of"]
