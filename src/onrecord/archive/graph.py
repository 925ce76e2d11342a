"""The graph of an archive: its queries, edits of its names, and its construction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from onrecord.archive.models import Models
from onrecord.archive.progress import Progress, with_progress
from onrecord.errors import InputError
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

_LONGEST = {"name": 300, "reason": 500}
"""The most characters of a name and of a reason."""


class ArchiveGraph:
    """The concepts of an archive and their relations: `Archive.graph`.

    Every call sees one state of the archive. Results are frozen dataclasses; `onrecord.graph.results.plain`
    converts them to JSON values. A name that nobody mentions raises NotFoundError, which proposes the nearest
    names.
    """

    def __init__(self, store: Store, models: Models, llm: Llm) -> None:
        self._store, self._models, self._llm = store, models, llm

    def about(self, name: str, most: int = 12, unsure: bool = False) -> About:
        """Return who mentions something, how often, since when and where, its relations, and its neighbors.

        Relations of kinds that were right in fewer than nine of ten places are included only with `unsure`.
        """
        with self._open_graph() as graph:
            return graph.about(_check_name(name), most, unsure)

    def between(self, one: str, other: str, steps: int = 3, most: int = 5, unsure: bool = False) -> Between:
        """Return how two things are connected: paths of 1 to `steps` (at most 3) edges with their quotes.

        Relations of kinds that were right in fewer than nine of ten places are included only with `unsure`.
        """
        with self._open_graph() as graph:
            names = _check_name(one), _check_name(other)
            return graph.between(*names, steps, most, apart=True, unsure=unsure)

    def causes(self, name: str, origin: str | None = None, steps: int = 3, most: int = 5) -> Causes:
        """Return stated causes of something, 1 to `steps` (at most 3) causes back, or back to `origin`."""
        with self._open_graph() as graph:
            return graph.causes(_check_name(name), origin and _check_name(origin), steps, most)

    def timeline(self, name: str, by: str = "month") -> Timeline:
        """Return mentions over time, by "day", "month" or "year", and by speaker."""
        with self._open_graph() as graph:
            return graph.timeline(_check_name(name), by)

    def common(self, *names: str, most: int = 12) -> Common:
        """Return what two or more speakers mention, and what only one of them mentions.

        For a name that never speaks, the things that are named together with it count, and a note says so.
        """
        with self._open_graph() as graph:
            return graph.common(*map(_check_name, names), most=most, named=True)

    def similar(self, name: str, most: int = 12) -> tuple[Edge, ...]:
        """Return concepts of similar meaning, as inferred edges; empty without an embedding model."""
        with self._open_graph() as graph:
            return graph.similar(_check_name(name), most)

    def concepts(self, across: int = 2, most: int = 20) -> tuple[Concept, ...]:
        """Return a diverse selection of the concepts mentioned in at least `across` recordings."""
        with self._open_graph() as graph:
            return graph.concepts(across, most)

    # ---------------------------------------------------------------- names

    def aliases(self, name: str) -> tuple[Alias, ...]:
        """Return all names of a person or thing, with reason and score; aliases made by hand last."""
        with self._open_graph() as graph:
            read = graph.linker.read(_check_name(name))
            return tuple(graph.linker.aliases(read.key))

    def merge(self, name: str, into: str, reason: str | None = None) -> Alias:
        """Read `name` as `into` from now on.

        Nothing is lost: `split` reverses it. Both names must be mentioned in the archive, else this raises
        NotFoundError.
        """
        with self._open_graph() as graph:
            graph.linker.spoken(_check_name(name))
        return self.alias(name, into, _reason(reason, "made one by hand"))

    def alias(self, name: str, of: str, reason: str | None = None) -> Alias:
        """Make `name`, which nobody may have said yet, a name of something that is mentioned.

        Raises InputError if both names are one already.
        """
        with self._store.snapshot() as snapshot:
            linker = Graph(snapshot.graph, snapshot).linker  # by words alone, because this call writes
            one, other = linker.exact(_check_name(name)), linker.read(_check_name(of)).key
            same = one in (other, linker.exact(of))
        if same:
            raise InputError(f"{name!r} and {of!r} are one already")
        return self._store_alias(Alias(one, other, 1.0, _reason(reason, "named by hand")))

    def split(self, name: str, off: str, reason: str | None = None) -> Alias:
        """Stop reading `name` as `off` from now on, whatever the recordings suggest. `merge` reverses it.

        Raises InputError if the two names are not one.
        """
        with self._open_graph() as graph:
            linker = graph.linker
            one, others = linker.exact(_check_name(name)), linker.targets(linker.exact(name))
            other = linker.exact(_check_name(off))
            if other not in others:
                other = linker.read(off).key
        if other not in others:
            raise InputError(f"{name!r} is not read as {off!r}: there is nothing to split")
        return self._store_alias(Alias(one, other, 0.0, _reason(reason, "made two by hand")))

    def _store_alias(self, alias: Alias) -> Alias:
        self._store.graph.name(alias)
        return alias

    # ---------------------------------------------------------------- building

    def build(self, progress: Progress | None = None, again: bool = False) -> int:
        """Build the graph of recordings that it lacks or, with `again`, of all recordings.

        Recordings of an older archive may lack a graph. Each recording is written by itself, so a stopped run
        keeps its work. Relations that a model read stay. Return how many recordings were processed.
        """
        already_read = {} if again else self._store.graph.learnt()
        pending = [recording for recording in self._store.recordings() if recording.id not in already_read]
        for recording in with_progress(pending, progress):
            with self._store.snapshot() as snapshot:
                passages, before = snapshot.transcript(recording.id), snapshot.graph.knowledge(recording.id)
            knowledge = with_readings_of(knowledge_of(recording, passages), before)
            self._store.graph.learn(recording.id, knowledge)
        return len(pending)

    def extract(
        self, recordings: Sequence[Recording] | None = None, progress: Progress | None = None
    ) -> Extracted:
        """Have a language model extract relations from passages of these recordings, or of all.

        The model is that of the role "extract", else the one that writes answers. It reads only passages that
        it has not read yet. It is asked at most `llm.extract_calls` times, for at most `llm.extract_money`;
        another run continues. Relations that are not based on words of their passage are dropped. Raises
        InputError if no model is set.
        """
        from onrecord.archive.extracting import ROLE, Extractor

        model = self._models.model_for(ROLE, "none reads the passages")
        chosen = self._store.recordings() if recordings is None else recordings
        return Extractor(self._store, model, self._llm).run(chosen, progress)

    @property
    def missing(self) -> int:
        """The number of recordings that are not in the graph yet."""
        return len(self._store.recordings()) - len(self._store.graph.learnt())

    @contextmanager
    def _open_graph(self) -> Iterator[Graph]:
        with self._store.snapshot() as snapshot:
            yield Graph(snapshot.graph, snapshot, lambda: self._models.embedder([]))


def _check_name(text: str) -> str:
    return _check_text(text, "name")


def _check_text(text: str, what: str) -> str:
    """Return a name or a reason with single spaces. Raises InputError if it has no words or is too long."""
    collapsed, longest = " ".join(text.split()), _LONGEST[what]
    if not collapsed or len(collapsed) > longest or not key_of(collapsed):
        raise InputError(f"a {what} has words and at most {longest} characters, not {collapsed[:40]!r}")
    return collapsed


def _reason(given: str | None, otherwise: str) -> str:
    return _check_text(otherwise if given is None else given, "reason")
