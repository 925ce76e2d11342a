"""Functions that write recordings into an archive's tables, within a transaction of the caller."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from onrecord.stores.catalogue import Labels, sections_of, speakers_of
from onrecord.stores.database import Connection, Database, Neighbours
from onrecord.stores.graph.tables import delete_knowledge, insert_knowledge
from onrecord.stores.outbox import new_stamp, post_line
from onrecord.stores.reading import check_passages, check_vectors
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


@dataclass(frozen=True, slots=True, eq=False)
class Addition:
    """A recording with all its data for a store: see `onrecord.stores.base.Store.add`."""

    recording: Recording
    passages: Sequence[Passage]
    sections: Sequence[Section]
    vectors: Vectors | None
    knowledge: Knowledge | None
    speakers_at: Labels
    sections_at: Labels


class RecordingWriter(ABC):
    """The part of `onrecord.stores.base.Store.add` that all stores share: checks and labels."""

    def add(
        self,
        recording: Recording,
        passages: Sequence[Passage],
        sections: Sequence[Section] = (),
        vectors: Vectors | None = None,
        knowledge: Knowledge | None = None,
    ) -> None:
        check_passages(recording.id, passages, len(passages))
        check_vectors(recording.id, len(passages), vectors)
        labels = speakers_of(passages), sections_of(passages, sections)
        self._put(Addition(recording, passages, sections, vectors, knowledge, *labels))

    @abstractmethod
    def _put(self, new: Addition) -> None:
        """Store a recording, or replace the recording with the same id."""


class StoredRecording(NamedTuple):
    """The place of a recording in the tables: key, row of the first passage, number of passages."""

    key: int
    first: int
    passages: int


class Writing(NamedTuple):
    """A write transaction: connection, number of the workspace, and generation after the commit."""

    connection: Connection
    workspace: int
    generation: int


OWNED = ("labels", "sections", "vectors")
"""Tables with a column `recording`. Their rows are deleted with the recording of that key."""


@dataclass(frozen=True, slots=True)
class RecordingTables:
    """The tables of recordings, the word index, and the index of nearest neighbors."""

    database: Database
    neighbours: Neighbours

    def find(self, writing: Writing, recording: str) -> StoredRecording | None:
        """Return the place of the recording with this id; None if there is none."""
        sql = "SELECT key, first_row, length(lengths) / 4 FROM recordings WHERE workspace = ? AND id = ?"
        row = writing.connection.execute(sql, (writing.workspace, recording)).fetchone()
        return StoredRecording(*row) if row else None

    def insert(self, writing: Writing, new: Addition) -> None:
        """Insert a recording that is not in the tables."""
        connection, workspace, generation = writing
        key, first = self.database.reserve(connection, workspace, len(new.passages))
        lengths = np.array([len(passage.text.split()) for passage in new.passages], "<i4").tobytes()
        columns = ("key", "workspace", "version", "first_row", "lengths", "stamp", *RECORDING)
        values = (key, workspace, generation, first, lengths, new_stamp(), *recording_values(new.recording))
        marks = ", ".join("?" * len(columns))
        sql = f"INSERT INTO recordings ({', '.join(columns)}) VALUES ({marks})"  # noqa: S608 - our columns
        connection.execute(sql, values)
        passages = with_rows(new.passages, first)
        speakers = insert_labels(connection, key, "speaker", new.speakers_at)
        titles = insert_labels(connection, key, "section", new.sections_at)
        insert_sections(connection, key, new.sections)
        insert_passages(connection, key, passages, speakers, titles)
        self.database.words.insert(connection, workspace, key, passages)
        if new.vectors is not None:
            self._insert_vectors(writing, StoredRecording(key, first, len(passages)), new.vectors)
        if new.knowledge is not None:
            insert_knowledge(connection, workspace, key, new.knowledge)

    def delete(self, writing: Writing, recording: str) -> bool:
        """Delete a recording from every table. Return False if there is none."""
        stored = self.find(writing, recording)
        if stored is None:
            return False
        connection, workspace, _ = writing
        delete_knowledge(connection, stored.key)
        entry = read_entries(connection, [stored.key])[stored.key]
        passages = read_passages(connection, [(entry, 0, stored.passages - 1)])
        self.database.words.delete(connection, workspace, stored.key, passages)
        self._drop_points(writing, stored.key, stored.first)
        rows = (stored.first, stored.first + stored.passages - 1)
        connection.execute('DELETE FROM passages WHERE "row" BETWEEN ? AND ?', rows)
        for table in OWNED:
            connection.execute(f"DELETE FROM {table} WHERE recording = ?", (stored.key,))  # noqa: S608
        connection.execute("DELETE FROM recordings WHERE key = ?", (stored.key,))
        return True

    def replace_vectors(self, writing: Writing, stored: StoredRecording, vectors: Vectors) -> None:
        """Replace the vectors of a recording."""
        self._drop_points(writing, stored.key, stored.first)
        writing.connection.execute("DELETE FROM vectors WHERE recording = ?", (stored.key,))
        sql = "UPDATE recordings SET version = ?, stamp = ? WHERE key = ?"
        writing.connection.execute(sql, (writing.generation, new_stamp(), stored.key))
        self._insert_vectors(writing, stored, vectors)

    def delete_vectors(self, writing: Writing) -> None:
        """Delete all vectors of a workspace."""
        connection, workspace, generation = writing
        mine = "SELECT key, first_row FROM recordings WHERE workspace = ?"
        for key, first in connection.execute(mine, (workspace,)).fetchall():
            self._drop_points(writing, key, first)
        of_workspace = "SELECT key FROM recordings WHERE workspace = ?"
        connection.execute(f"DELETE FROM vectors WHERE recording IN ({of_workspace})", (workspace,))  # noqa: S608
        sql = "UPDATE recordings SET version = ?, stamp = 0 WHERE workspace = ?"
        connection.execute(sql, (generation, workspace))

    def replace_sections(
        self,
        writing: Writing,
        stored: StoredRecording,
        passages: Sequence[Passage],
        sections: Sequence[Section],
    ) -> None:
        """Replace a recording's sections, and the values that `update_passages` sets in its passages."""
        connection, key = writing.connection, stored.key
        connection.execute("DELETE FROM labels WHERE recording = ? AND kind = 'section'", (key,))
        connection.execute("DELETE FROM sections WHERE recording = ?", (key,))
        titles = insert_labels(connection, key, "section", sections_of(passages, sections))
        insert_sections(connection, key, sections)
        update_passages(connection, stored.first, passages, titles)
        sql = "UPDATE recordings SET version = ? WHERE key = ?"
        connection.execute(sql, (writing.generation, key))

    def _insert_vectors(self, writing: Writing, stored: StoredRecording, vectors: Vectors) -> None:
        connection, workspace, _ = writing
        scale, data = pack_vectors(vectors)
        sql = "INSERT INTO vectors (recording, dimensions, scale, data) VALUES (?, ?, ?, ?)"
        connection.execute(sql, (stored.key, vectors.shape[1], scale, data))
        self.neighbours.replace(connection, workspace, stored.key, stored.first, vectors)
        post_line(connection, workspace, stored.key, gone=False)

    def _drop_points(self, writing: Writing, key: int, first: int) -> None:
        """Remove a recording from the index of nearest neighbors, before its vectors are deleted."""
        self.neighbours.replace(writing.connection, writing.workspace, key, first, None)
        post_line(writing.connection, writing.workspace, key, gone=True)
