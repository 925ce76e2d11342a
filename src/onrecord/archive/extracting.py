"""Extraction of relations from passages by a language model, for the graph.

Runs have a budget, relations are checked, and a stopped run can continue.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from onrecord.archive.model_run import ModelRun, RunReport
from onrecord.archive.progress import Progress, with_progress
from onrecord.graph.cues import cues
from onrecord.graph.extract import knowledge_of
from onrecord.graph.statements import Statements, check, with_reading
from onrecord.models.base import LanguageModel
from onrecord.models.prompts import block, prompt
from onrecord.settings.groups import Llm
from onrecord.stores import Store
from onrecord.types import Passage, Recording
from onrecord.types.graph import Knowledge

ROLE = "extract"


@dataclass(frozen=True, slots=True)
class Extracted(RunReport):
    """The results of one run.

    `passages` counts the passages that the model has read. `relations` counts the relations that passed the
    checks, `dropped` those that did not. `left` counts passages.
    """

    passages: int = 0
    relations: int = 0
    dropped: int = 0

    def __str__(self) -> str:
        done = f"{self.passages} passages read by the model, {self.relations} relations"
        return self._described(done, (self.dropped, "dropped: they do not stand on words of their passage"))


class Extractor(ModelRun):
    """A run in which a model reads the passages that it has not read yet.

    One run stays within `extract_calls` and `extract_money` of the settings `llm`. The relations of a passage
    are written together with the mark that it was read, in one transaction, before the next passage is sent.
    So another run continues where this one stopped, for whatever reason, and pays for nothing twice.
    """

    def __init__(self, store: Store, model: LanguageModel, llm: Llm) -> None:
        super().__init__(ROLE, model, llm, llm.extract_calls, llm.extract_money)
        self._store = store
        self._passages = self._relations = self._dropped = 0

    def run(self, recordings: Sequence[Recording], progress: Progress | None = None) -> Extracted:
        """Read the unread passages of these recordings."""
        left = sum(self._read_recording(recording) for recording in with_progress(recordings, progress))
        return Extracted(left, self.calls, self._passages, self._relations, self._dropped)

    def _read_recording(self, recording: Recording) -> int:
        """Read one recording. Return how many of its passages are left."""
        with self._store.snapshot() as snapshot:
            passages = snapshot.transcript(recording.id)
            knowledge = snapshot.graph.knowledge(recording.id) or knowledge_of(recording, passages)
        waiting = [passage for passage in passages if passage.position not in knowledge.read]
        for passage in waiting:
            if not self.may_ask():
                break
            more = self._read(passage, recording, knowledge)
            if more is None:
                continue  # the next passage may succeed
            if self._store.recording(recording.id) != recording:
                return 0  # the recording was changed or removed meanwhile: its passages are gone
            knowledge = more
            self._store.graph.learn(recording.id, knowledge)
        return sum(passage.position not in knowledge.read for passage in waiting)

    def _read(self, passage: Passage, recording: Recording, knowledge: Knowledge) -> Knowledge | None:
        """Return a recording's knowledge with the relations of one passage added; None if the call failed."""
        instructions = prompt("graph", ROLE, relations=", ".join(sorted(cues().rules)))
        material = "\n".join(
            (block("speaker", [passage.speaker or "unknown"]), block("passage", [passage.text]))
        )
        reply = self.decide(instructions, material, Statements)
        if reply is None:
            return None
        known = [mention for mention in knowledge.mentions if mention.position == passage.position]
        checked = check(reply, passage, known, knowledge.capitals)
        self._passages += 1
        self._relations += len(checked.relations)
        self._dropped += checked.dropped
        return with_reading(knowledge, passage.position, checked)
