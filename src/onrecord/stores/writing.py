"""Recordings into the archive file and out of it, within a transaction that the caller holds."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from onrecord.stores.catalogue import Labels, sections_of, speakers_of
from onrecord.stores.graph.tables import delete_knowledge, insert_knowledge
from onrecord.stores.records import (
    indexed,
    insert,
    insert_labels,
    insert_passages,
    insert_sections,
    pack_vectors,
    read_entries,
    read_passages,
    recording_columns,
    update_passages,
)
from onrecord.types import Passage, Recording, Section

if TYPE_CHECKING:
    from onrecord.types import Knowledge, Vectors


@dataclass(frozen=True, slots=True)
class Prepared:
    """A recording made ready for the file, so that the transaction is short."""

    recording: Recording
    passages: Sequence[Passage]
    sections: Sequence[Section]
    vectors: Vectors | None
    speakers_at: Labels
    sections_at: Labels
    knowledge: Knowledge | None


def prepare(
    recording: Recording,
    passages: Sequence[Passage],
    sections: Sequence[Section],
    vectors: Vectors | None,
    knowledge: Knowledge | None,
) -> Prepared:
    return Prepared(
        recording,
        passages,
        sections,
        vectors,
        speakers_of(passages),
        sections_of(passages, sections),
        knowledge,
    )


@dataclass(frozen=True, slots=True)
class Found:
    """Where a recording stands: its key, the row of its first passage, how many there are."""

    key: int
    first: int
    passages: int


def find(connection: sqlite3.Connection, workspace: int, recording: str) -> Found | None:
    sql = "SELECT key, first_row, length(lengths) / 4 FROM recordings WHERE workspace = ? AND id = ?"
    row = connection.execute(sql, (workspace, recording)).fetchone()
    return Found(*row) if row else None


def insert_recording(connection: sqlite3.Connection, workspace: int, generation: int, new: Prepared) -> None:
    """Put in a recording that is not there."""
    first = _next_row(connection)
    lengths = np.array([len(passage.text.split()) for passage in new.passages], "<i4")
    key = insert(
        connection,
        "recordings",
        {
            "workspace": workspace,
            "version": generation,
            **recording_columns(new.recording),
            "first_row": first,
            "lengths": lengths.tobytes(),
        },
    )
    speakers = insert_labels(connection, key, "speaker", new.speakers_at)
    titles = insert_labels(connection, key, "section", new.sections_at)
    insert_sections(connection, key, new.sections)
    insert_passages(connection, (key, first), new.passages, speakers, titles)
    connection.executemany(
        "INSERT INTO words (rowid, terms) VALUES (?, ?)",
        ((first + p.position, indexed(workspace, p)) for p in new.passages),
    )
    if new.vectors is not None:
        _insert_vectors(connection, key, new.vectors)
    if new.knowledge is not None:
        insert_knowledge(connection, workspace, key, new.knowledge)


def delete_recording(connection: sqlite3.Connection, workspace: int, recording: str) -> bool:
    """Take a recording out of every table. False where there is none."""
    found = find(connection, workspace, recording)
    if found is None:
        return False
    delete_knowledge(connection, found.key)
    rows = (found.first, found.first + found.passages - 1)
    entry = read_entries(connection, [found.key])[found.key]
    connection.executemany(
        "INSERT INTO words (words, rowid, terms) VALUES ('delete', ?, ?)",
        [
            (passage.row, indexed(workspace, passage))
            for passage in read_passages(connection, entry, 0, found.passages)
        ],
    )
    connection.execute('DELETE FROM passages WHERE "row" BETWEEN ? AND ?', rows)
    for table in ("labels", "sections", "vectors"):
        connection.execute(f"DELETE FROM {table} WHERE recording = ?", (found.key,))  # noqa: S608 - our names
    connection.execute("DELETE FROM recordings WHERE key = ?", (found.key,))
    return True


def purge_words(connection: sqlite3.Connection) -> None:
    """Merge the word index into one: until then it keeps deleted terms, marked as such."""
    connection.execute("INSERT INTO words (words) VALUES ('optimize')")


def replace_vectors(connection: sqlite3.Connection, found: Found, generation: int, vectors: Vectors) -> None:
    connection.execute("DELETE FROM vectors WHERE recording = ?", (found.key,))
    _insert_vectors(connection, found.key, vectors)
    connection.execute("UPDATE recordings SET version = ? WHERE key = ?", (generation, found.key))


def replace_sections(
    connection: sqlite3.Connection,
    found: Found,
    generation: int,
    passages: Sequence[Passage],
    sections: Sequence[Section],
) -> None:
    """Other sections, and what the passages say of themselves besides their words."""
    connection.execute("DELETE FROM labels WHERE recording = ? AND kind = 'section'", (found.key,))
    connection.execute("DELETE FROM sections WHERE recording = ?", (found.key,))
    titles = insert_labels(connection, found.key, "section", sections_of(passages, sections))
    insert_sections(connection, found.key, sections)
    update_passages(connection, found.first, passages, titles)
    connection.execute("UPDATE recordings SET version = ? WHERE key = ?", (generation, found.key))


def delete_vectors(connection: sqlite3.Connection, workspace: int, generation: int) -> None:
    """Take out all vectors of a workspace."""
    of_workspace = "SELECT key FROM recordings WHERE workspace = ?"
    connection.execute(f"DELETE FROM vectors WHERE recording IN ({of_workspace})", (workspace,))  # noqa: S608
    connection.execute("UPDATE recordings SET version = ? WHERE workspace = ?", (generation, workspace))


def _insert_vectors(connection: sqlite3.Connection, key: int, vectors: Vectors) -> None:
    scale, data = pack_vectors(vectors)
    values = {"recording": key, "dimensions": vectors.shape[1], "scale": scale, "data": data}
    insert(connection, "vectors", values)


def _next_row(connection: sqlite3.Connection) -> int:
    """One more than the highest row there ever was."""
    row = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'passages'").fetchone()
    return row[0] + 1 if row else 1
