"""The graph of an archive: to ask it, to merge and split its names by hand, and to build it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from onrecord.archive.models import Models
from onrecord.archive.progress import Progress, with_progress
from onrecord.errors import InputError, SettingError
from onrecord.graph.extract import knowledge_of
from onrecord.graph.nouns import key_of
from onrecord.graph.queries import Graph
from onrecord.graph.results import About, Between, Causes, Common, Concept, Edge, Timeline
from onrecord.graph.statements import with_readings_of
from onrecord.settings.groups import Llm
from onrecord.stores import Store
from onrecord.types import Alias, Recording

if TYPE_CHECKING:
    from onrecord.archive.extracting import Extracted

_LONGEST = 300
"""Characters of a name or a reason."""


class ArchiveGraph:
    """What an archive speaks of, and how that hangs together: `Archive.graph`.

    Every call sees one state of the archive. Results are frozen dataclasses; `onrecord.graph.results.plain`
    makes JSON values of them. A name that nobody speaks of raises NotFoundError, which proposes the nearest.
    """

    def __init__(self, store: Store, models: Models, llm: Llm) -> None:
        self._store, self._models, self._llm = store, models, llm

    def about(self, name: str, most: int = 12, unsure: bool = False) -> About:
        """Who speaks of something, how often, since when, where; what is stated of it, and named with it.

        Relations that were right in fewer than nine of ten places come only with `unsure`.
        """
        with self._open_graph() as graph:
            return graph.about(_check_name(name), most, unsure)

    def between(self, one: str, other: str, steps: int = 3, most: int = 5) -> Between:
        """How two hang together: paths of 1 to `steps` (at most 3) edges, a quote for each."""
        with self._open_graph() as graph:
            return graph.between(_check_name(one), _check_name(other), steps, most, apart=True)

    def causes(self, name: str, origin: str | None = None, steps: int = 3, most: int = 5) -> Causes:
        """What is stated to cause something, back over 1 to `steps` (at most 3) causes, or to `origin`."""
        with self._open_graph() as graph:
            return graph.causes(_check_name(name), origin and _check_name(origin), steps, most)

    def timeline(self, name: str, by: str = "month") -> Timeline:
        """Mentions over time, by "day", "month" or "year", and by speaker."""
        with self._open_graph() as graph:
            return graph.timeline(_check_name(name), by)

    def common(self, *names: str, most: int = 12) -> Common:
        """What two or more speak of, and what only one of them does.

        For one who speaks nowhere, what is named with it counts, and a note says so.
        """
        with self._open_graph() as graph:
            return graph.common(*map(_check_name, names), most=most, named=True)

    def similar(self, name: str, most: int = 12) -> tuple[Edge, ...]:
        """Concepts that are similar in meaning, as inferred edges; empty without an embedding model."""
        with self._open_graph() as graph:
            return graph.similar(_check_name(name), most)

    def concepts(self, across: int = 2, most: int = 20) -> tuple[Concept, ...]:
        """What is spoken of in at least `across` recordings, diverse."""
        with self._open_graph() as graph:
            return graph.concepts(across, most)

    # ---------------------------------------------------------------- names

    def aliases(self, name: str) -> tuple[Alias, ...]:
        """All names of somebody or something, with reason and score; those made by hand last."""
        with self._open_graph() as graph:
            read = graph.linker.read(_check_name(name))
            return tuple(graph.linker.aliases(read.key))

    def merge(self, name: str, into: str, reason: str | None = None) -> Alias:
        """From now on `name` is read as `into`. Nothing is lost: `split` takes it back. Both are spoken of:
        raises NotFoundError."""
        with self._open_graph() as graph:
            graph.linker.spoken(_check_name(name))
        return self.alias(name, into, _reason(reason, "made one by hand"))

    def alias(self, name: str, of: str, reason: str | None = None) -> Alias:
        """`name`, which nobody may have said yet, is a name of something that is spoken of."""
        with self._store.snapshot() as reader:
            linker = Graph(reader.graph, reader).linker  # by its words alone: this one writes
            one, other = linker.exact(_check_name(name)), linker.read(_check_name(of)).key
            same = one in (other, linker.exact(of))
        if same:
            raise InputError(f"{name!r} and {of!r} are one already")
        return self._store_alias(Alias(one, other, 1.0, _reason(reason, "named by hand")))

    def split(self, name: str, off: str, reason: str | None = None) -> Alias:
        """From now on `name` is not read as `off`, whatever recordings tell. `merge` takes it back.

        Raises InputError where the two are not one.
        """
        with self._open_graph() as graph:
            linker = graph.linker
            one, others = linker.exact(_check_name(name)), linker.targets(linker.exact(name))
            named = [linker.exact(_check_name(off)), linker.read(off).key]
            other = next((key for key in named if key in others), None)
        if other is None:
            raise InputError(f"{name!r} is not read as {off!r}: there is nothing to split")
        return self._store_alias(Alias(one, other, 0.0, _reason(reason, "made two by hand")))

    def _store_alias(self, alias: Alias) -> Alias:
        self._store.graph.name(alias)
        return alias

    # ---------------------------------------------------------------- building

    def build(self, progress: Progress | None = None, again: bool = False) -> int:
        """Read the graph off recordings that were added before there was one; with `again` off all.

        Each is done by itself, so what was done stays done; what a model read stays. Returns how many
        recordings were read.
        """
        already_read = {} if again else self._store.graph.learnt()
        pending = [recording for recording in self._store.recordings() if recording.id not in already_read]
        for recording in with_progress(pending, progress):
            with self._store.snapshot() as reader:
                passages, before = reader.transcript(recording.id), reader.graph.knowledge(recording.id)
            knowledge = with_readings_of(knowledge_of(recording, passages), before)
            self._store.graph.learn(recording.id, knowledge)
        return len(pending)

    def extract(
        self, recordings: Sequence[Recording] | None = None, progress: Progress | None = None
    ) -> Extracted:
        """Have a language model read relations off passages of these recordings, or of all.

        It is the model in the role "extract", else the one that writes; it reads what it has not read yet. It
        asks at most `llm.extract_calls` times and, by the prices in the settings, stops once
        `llm.extract_money` is spent; another run goes on. Relations that do not stand on words of their
        passage are dropped. Raises SettingError where no model is set.
        """
        from onrecord.archive.extracting import ROLE, Extractor

        model = self._models.language.get(ROLE) or self._models.language.get("answer")
        if model is None:
            raise SettingError("llm.model", "none", "a language model, which reads: see docs/graph.md")
        chosen = self._store.recordings() if recordings is None else recordings
        return Extractor(self._store, model, self._llm).run(chosen, progress)

    @property
    def missing(self) -> int:
        """How many recordings the graph does not have yet."""
        return len(self._store.recordings()) - len(self._store.graph.learnt())

    @contextmanager
    def _open_graph(self) -> Iterator[Graph]:
        with self._store.snapshot() as reader:
            yield Graph(reader.graph, reader, lambda: self._models.embedder([]))


def _check_name(text: str) -> str:
    """A name or a reason as it was given. Raises InputError for one without words, or too long."""
    collapsed = " ".join(text.split())
    if not collapsed or len(collapsed) > _LONGEST or not key_of(collapsed):
        raise InputError(f"a name has words and at most {_LONGEST} characters, not {collapsed[:40]!r}")
    return collapsed


def _reason(given: str | None, otherwise: str) -> str:
    return _check_name(otherwise if given is None else given)
