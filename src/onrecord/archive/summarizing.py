"""Summaries of sections by a language model, made once, when recordings are added or later."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pydantic import BaseModel

from onrecord.answer.claims import address, strange_figures, strange_names
from onrecord.answer.figures import content_of
from onrecord.archive.contents import SUMMARIES, meta_key
from onrecord.archive.model_run import ModelRun, RunReport
from onrecord.archive.progress import Progress, with_progress
from onrecord.models.base import LanguageModel
from onrecord.models.prompts import as_data, block, prompt
from onrecord.retrieve.moments.budget import tokens_of
from onrecord.settings.groups import Llm
from onrecord.stores import Store
from onrecord.types import Passage, Recording, Section, one_line

ROLE = "summarize"
_LONGEST = 80
"""The most words of an accepted summary. The model is asked for fifty."""


class Summary(BaseModel, defer_build=True):
    """The structure of a model's reply."""

    summary: str


@dataclass(frozen=True, slots=True)
class Summarized(RunReport):
    """The number of summaries made and refused. `left` counts sections.

    A refused summary has figures or names that nobody said. The section keeps its own words.
    """

    made: int = 0
    refused: int = 0

    def __str__(self) -> str:
        refused = (self.refused, "left in their own words: the summary had what they do not")
        return self._described(f"{self.made} sections summed up", refused)


class Summarizer(ModelRun):
    """A run that summarizes the sections of recordings.

    It stays within `summary_calls` and `summary_money` of the settings `llm`. The archive remembers which
    sections are done, so another run continues where this one stopped, for whatever reason. A recording's
    summaries are written when its last section is done, or the run ends.
    """

    def __init__(self, store: Store, model: LanguageModel, llm: Llm) -> None:
        super().__init__(ROLE, model, llm, llm.summary_calls, llm.summary_money)
        self._store, self._window = store, llm.window
        self._made = self._refused = 0

    def run(self, recordings: Sequence[Recording], progress: Progress | None = None) -> Summarized:
        """Summarize the sections of these recordings that have no summary by a model."""
        left = sum(self._recording(recording) for recording in with_progress(recordings, progress))
        return Summarized(left, self.calls, self._made, self._refused)

    def _recording(self, recording: Recording) -> int:
        """Summarize one recording. Return how many of its sections are left."""
        with self._store.snapshot() as snapshot:
            passages, sections = snapshot.transcript(recording.id), snapshot.sections(recording.id)
            done = snapshot.meta(meta_key(SUMMARIES, recording.id)) or {}
        finished = set(done["sections"] if done.get("checksum") == recording.checksum else ())
        waiting = [s for s in sections if s.first >= 0 and _name(s) not in finished]
        made: dict[str, Section] = {}
        try:
            for section in waiting:
                if not self.may_ask():
                    break
                spoken = passages[section.first : section.last + 1]
                summary = self._summary(section, spoken, recording)
                if summary is not None:
                    made[_name(section)] = replace(section, summary=summary or section.summary)
        finally:
            if made:
                whole = [made.get(_name(section), section) for section in sections]
                self._store.set_sections(recording.id, passages, whole)
                done = {"checksum": recording.checksum, "sections": sorted(finished | made.keys())}
                self._store.set_meta(meta_key(SUMMARIES, recording.id), done)
        return len(waiting) - len(made)

    def _summary(self, section: Section, passages: Sequence[Passage], recording: Recording) -> str | None:
        """Return the model's summary of a section; "" if it was refused, None if the call failed."""
        lines, room = [], self._window
        for line in (section.title, *(passage.spoken for passage in passages)):
            room -= tokens_of(line)
            if room < 0:
                break
            lines.append(line)
        language = recording.details.language
        reply = self.decide(prompt("archive", ROLE, language), block("section", lines), Summary)
        if reply is None:
            return None
        text = as_data(one_line(reply.summary))
        source = content_of((*lines, *recording.details.people, recording.title))
        invented = address(text) or strange_figures(text, source) or strange_names(text, source)
        if invented or not 1 <= len(text.split()) <= _LONGEST:
            self._refused += 1
            return ""
        self._made += 1
        return text


def _name(section: Section) -> str:
    return f"{section.first}-{section.last} {section.title}"
