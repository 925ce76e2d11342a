"""The contents of one recording in an archive, to write, change, copy or restore as a whole."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from onrecord.stores import Store
from onrecord.stores.base import Snapshot
from onrecord.types import Knowledge, Passage, Recording, Section

if TYPE_CHECKING:
    from onrecord.types import Vectors


@dataclass(frozen=True, slots=True, eq=False)
class Contents:
    """A recording with everything that an archive stores about it.

    `vectors` has a row for each passage, or is None. `knowledge` is the recording's part of the graph.
    """

    recording: Recording
    passages: Sequence[Passage]
    sections: Sequence[Section]
    vectors: Vectors | None
    knowledge: Knowledge | None

    def write(self, store: Store) -> None:
        """Write the recording in place of any recording that the store has under its id."""
        store.add(self.recording, self.passages, self.sections, self.vectors, self.knowledge)


EDITS, SUMMARIES, SPEAKERS = "edits", "summaries", "speakers"
"""The kinds of values that an archive keeps for a recording beside its contents.

They are a user's edits, summaries by a model, and the other source from which its speakers come, if any.
"""


def meta_key(kind: str, recording: str) -> str:
    """Return the key of a value that an archive keeps for a recording."""
    return f"{kind}:{recording}"


def load_contents(snapshot: Snapshot, name: str, bare: Container[str]) -> Contents | None:
    """Return the contents of a recording, by its id; None if it is gone.

    Recordings in `bare` have no vectors.
    """
    recording = snapshot.recording(name)
    if recording is None:
        return None
    passages = snapshot.transcript(name)
    rows = [passage.row for passage in passages]
    vectors = None if not rows or name in bare else snapshot.vectors(rows)
    return Contents(recording, passages, snapshot.sections(name), vectors, snapshot.graph.knowledge(name))
