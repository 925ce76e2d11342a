"""Recordings into an archive's tables and out of them, within a transaction that the caller holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from onrecord.stores.catalogue import Labels, sections_of, speakers_of
from onrecord.stores.database import Connection, Database
from onrecord.stores.graph.tables import delete_knowledge, insert_knowledge
from onrecord.stores.records import (
    RECORDING,
    insert_labels,
    insert_passages,
    insert_sections,
    pack_vectors,
    read_entries,
    read_passages,
    recording_values,
    update_passages,
    with_rows,
)
from onrecord.types import Passage, Recording, Section

if TYPE_CHECKING:
    from onrecord.types import Knowledge, Vectors


OWNED = ("labels", "sections", "vectors")
"""Tables with a column `recording`, whose rows go with the recording of that key."""


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
class StoredRecording:
    """Where a recording stands: its key, the row of its first passage, how many there are."""

    key: int
    first: int
    passages: int


def find(connection: Connection, workspace: int, recording: str) -> StoredRecording | None:
    sql = "SELECT key, first_row, length(lengths) / 4 FROM recordings WHERE workspace = ? AND id = ?"
    row = connection.execute(sql, (workspace, recording)).fetchone()
    return StoredRecording(*row) if row else None


def insert_recording(
    database: Database, connection: Connection, workspace: int, generation: int, new: Prepared
) -> None:
    """Put in a recording that is not there."""
    first = database.next_row(connection, len(new.passages))
    lengths = np.array([len(passage.text.split()) for passage in new.passages], "<i4").tobytes()
    columns = ("workspace", "version", "first_row", "lengths", *RECORDING)
    marks = ", ".join("?" * len(columns))
    key = connection.execute(
        f"INSERT INTO recordings ({', '.join(columns)}) VALUES ({marks}) RETURNING key",  # noqa: S608 - ours
        (workspace, generation, first, lengths, *recording_values(new.recording)),
    ).fetchall()[0][0]
    passages = with_rows(new.passages, first)
    speakers = insert_labels(connection, key, "speaker", new.speakers_at)
    titles = insert_labels(connection, key, "section", new.sections_at)
    insert_sections(connection, key, new.sections)
    insert_passages(connection, key, passages, speakers, titles)
    database.words.insert(connection, workspace, key, passages)
    place = StoredRecording(key, first, len(passages))
    if new.vectors is not None:
        _insert_vectors(database, connection, workspace, place, new.vectors)
    if new.knowledge is not None:
        insert_knowledge(connection, workspace, key, new.knowledge)


def delete_recording(database: Database, connection: Connection, workspace: int, recording: str) -> bool:
    """Take a recording out of every table. False where there is none."""
    found = find(connection, workspace, recording)
    if found is None:
        return False
    delete_knowledge(connection, found.key)
    entry = read_entries(connection, [found.key])[found.key]
    passages = read_passages(connection, [(entry, 0, found.passages - 1)])
    database.words.delete(connection, workspace, found.key, passages)
    database.set_nearest(connection, workspace, found.key, found.first, None)
    rows = (found.first, found.first + found.passages - 1)
    connection.execute('DELETE FROM passages WHERE "row" BETWEEN ? AND ?', rows)
    for table in OWNED:
        connection.execute(f"DELETE FROM {table} WHERE recording = ?", (found.key,))  # noqa: S608 - our names
    connection.execute("DELETE FROM recordings WHERE key = ?", (found.key,))
    return True


def replace_vectors(
    database: Database,
    connection: Connection,
    workspace: int,
    found: StoredRecording,
    generation: int,
    vectors: Vectors,
) -> None:
    database.set_nearest(connection, workspace, found.key, found.first, None)
    connection.execute("DELETE FROM vectors WHERE recording = ?", (found.key,))
    _insert_vectors(database, connection, workspace, found, vectors)
    connection.execute("UPDATE recordings SET version = ? WHERE key = ?", (generation, found.key))


def replace_sections(
    connection: Connection,
    found: StoredRecording,
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


def delete_vectors(database: Database, connection: Connection, workspace: int, generation: int) -> None:
    """Take out all vectors of a workspace."""
    mine = "SELECT key, first_row FROM recordings WHERE workspace = ?"
    for key, first in connection.execute(mine, (workspace,)).fetchall():
        database.set_nearest(connection, workspace, key, first, None)
    of_workspace = "SELECT key FROM recordings WHERE workspace = ?"
    connection.execute(f"DELETE FROM vectors WHERE recording IN ({of_workspace})", (workspace,))  # noqa: S608
    connection.execute("UPDATE recordings SET version = ? WHERE workspace = ?", (generation, workspace))


def _insert_vectors(
    database: Database, connection: Connection, workspace: int, place: StoredRecording, vectors: Vectors
) -> None:
    scale, data = pack_vectors(vectors)
    sql = "INSERT INTO vectors (recording, dimensions, scale, data) VALUES (?, ?, ?, ?)"
    connection.execute(sql, (place.key, vectors.shape[1], scale, data))
    database.set_nearest(connection, workspace, place.key, place.first, vectors)
