"""An archive of spoken word: open it, add to it, ask it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import TYPE_CHECKING, Any, Unpack

from onrecord.archive.asking import Ask, AskOptions, find_evidence, plan_question
from onrecord.archive.lookup import find, is_called, passages_around, resolve_scope
from onrecord.archive.models import Models
from onrecord.errors import InputError
from onrecord.models.base import Embedder
from onrecord.settings import Settings, load
from onrecord.stores import Store, open_faq_store, open_store
from onrecord.strategies import Strategy, configured_strategies, default_strategy, named
from onrecord.types import (
    Answer,
    Event,
    Evidence,
    Passage,
    Plan,
    Recording,
    Scope,
    several,
)
from onrecord.understand.intents import warm

if TYPE_CHECKING:
    from onrecord.archive.editing import Removed
    from onrecord.archive.graph import ArchiveGraph
    from onrecord.archive.intake import Added, AddOptions
    from onrecord.archive.ledger import Ledger
    from onrecord.archive.progress import Progress
    from onrecord.archive.summarizing import Summarized
    from onrecord.retrieve.faq import Faq


def open(  # noqa: A001 - onrecord.open(...)
    archive: str | Path | None = None, *, make: bool = True, **settings: Any
) -> Archive:
    """Open an archive, or begin a new one. The first addition creates the file of a new archive.

    Args:
        archive: path or URL. None: the setting `archive`, else ``onrecord.db`` in the user's data folder.
        make: whether to begin a new archive if there is none; False raises NotFoundError instead.
        settings: any of `onrecord.settings`. They take precedence over the environment and the YAML file:
            ``workspace=...``, ``embedding={"model": "openai:text-embedding-3-small"}``; ``reader=None``
            leaves the reader out.

    Raises SettingError, NotAnArchiveError, NewerArchiveError or LockedError.
    """
    if "reader" in settings and settings["reader"] is None:
        settings["reader"] = {"model": "none"}
    chosen = load(archive=str(archive) if archive is not None else None, **settings)
    if make and not chosen.archive:
        Path(chosen.archive_url).parent.mkdir(parents=True, exist_ok=True)
    store = open_store(chosen.archive_url, chosen.workspace, make=make, **chosen.store_options)
    return Archive(store, chosen)


class Archive:
    """The recordings of one workspace, and questions about them. Usable as a context manager."""

    def __init__(self, store: Store, settings: Settings | None = None) -> None:
        self.store = store
        self.settings = settings or load()
        self.models = Models(store, self.settings)
        self._ledger: Ledger | None = None
        self._opening = Lock()

    @property
    def ledger(self) -> Ledger:
        """The ledger: users' feedback on answers, and the costs of answering."""
        from onrecord.archive.ledger import Ledger  # imported late, because no plan needs it

        with self._opening:
            self._ledger = self._ledger or Ledger(self.store, self.models, self.settings)
        return self._ledger

    # ---------------------------------------------------------------- adding, changing, removing

    def add(self, *paths: str | Path, **options: Unpack[AddOptions]) -> Added:
        """Add files, folders and feeds. Sources that were added before and have not changed stay as they are.

        Args:
            options: `details`, `manifest`, `fetch`, `strict`, `progress` and more: see
                `onrecord.archive.intake.AddOptions`.

        Every recording is added in full or not at all. If the archive itself can take no more (it is locked,
        or the disk is full), the remaining sources are left, and a note says so. Raises ModelMismatchError if
        another model made the archive's vectors.
        """
        # imported late, because no question needs the formats
        from onrecord.archive.intake import Intake, gather_sources

        intake = Intake(self.store, self.models, self.settings, options)
        sources = gather_sources(paths, options)
        outcome = intake.add(sources)
        self.ledger.count_embedding(outcome.spent)
        report = outcome.report(sources.skipped)
        notes, new = list(report.notes), (*report.added, *report.changed)
        if new and "summarize" in self.models.language:
            notes.append(str(self.summarize(new)))
        if new and "extract" in self.models.language:
            notes.append(str(self.graph.extract(new)))
        return replace(report, notes=tuple(notes))

    def summarize(
        self, recordings: Sequence[Recording] | None = None, progress: Progress | None = None
    ) -> Summarized:
        """Have a language model summarize the sections of recordings that have no such summary yet.

        The model is that of the role "summarize", else the one that writes answers. It is asked at most
        `llm.summary_calls` times, for at most `llm.summary_money`; another run continues. A summary with
        figures or names that nobody said is refused. Raises InputError if no model is set.
        """
        from onrecord.archive.summarizing import ROLE, Summarizer

        model = self.models.model_for(ROLE, "sections keep the summaries made of their own sentences")
        chosen = self.recordings() if recordings is None else recordings
        return Summarizer(self.store, model, self.settings.llm).run(chosen, progress)

    def remove(self, name: str) -> Recording:
        """Remove a recording, by its whole id or title. Nothing of it is left behind.

        Raises NotFoundError. Raises InputError for a part of a name, which is enough to look a recording up
        but not to remove it.
        """
        recording = self.find(name)
        if not is_called(recording, name):
            raise InputError(
                f"{name!r} is only a part of {recording.id!r}: name what is to be removed in full"
            )
        return self.take_out(recording.id).recording

    def take_out(self, name: str) -> Removed:
        """Remove a recording. Return the value with which `put_back` restores it."""
        from onrecord.archive.editing import take_out

        return take_out(self.store, self.find(name))

    def put_back(self, removed: Removed) -> Recording:
        """Restore a recording that `take_out` removed, under the same id.

        Raises InputError if a recording with that id is in the archive again.
        """
        from onrecord.archive.editing import put_back

        return put_back(self.store, removed)

    def edit(self, name: str, details: Mapping[str, str]) -> Recording:
        """Change the details of a recording, given by id or title.

        Args:
            details: texts by name, as `add` takes them: ``{"title": "Margins", "people": "Ann Lee; Bo Díaz",
                "tags": "freight; tariffs"}``. An empty text makes the detail unknown.

        The changes persist when the source is read again. If the title of a single passage changes, it is
        embedded anew. Raises InputError for an invalid value, ModelMismatchError.
        """
        from onrecord.archive.editing import edit

        return edit(self.store, lambda: self.embedder, self.find(name), details)

    def rename(self, speaker: str, name: str, recordings: Sequence[str] = ()) -> list[Recording]:
        """Rename a speaker in these recordings, given by id or title; in all recordings if none are given.

        If another speaker already has the new name, the two become one person. The passages are embedded
        anew, because the name is a part of the searched text. The change persists when a source is read
        again. Return the changed recordings. Raises NotFoundError if nobody is called `speaker`, InputError
        for an invalid name or for a label such as "Speaker 1" in several recordings that are not named,
        ModelMismatchError.
        """
        from onrecord.archive.editing import rename

        chosen = [self.find(title) for title in several(recordings)]
        return rename(self.store, lambda: self.embedder, speaker, name, chosen)

    def embed(self, progress: Progress | None = None, again: bool = False) -> int:
        """Embed the recordings that have no vectors, or, with `again`, all recordings anew.

        With `again`, the model of the settings becomes the archive's model once all vectors are ready. Until
        then the old vectors answer questions. Return how many recordings were embedded.
        """
        from onrecord.archive.embedding import embed_again, embed_missing

        embed_all = embed_again if again else embed_missing
        count = embed_all(self.store, self.models, progress)
        self.ledger.count_embedding()
        return count

    # ---------------------------------------------------------------- asking

    def ask(
        self,
        question: str | Ask,
        strategy: Strategy | str | None = None,
        **options: Unpack[AskOptions],
    ) -> Answer:
        """Answer a question with quotes that can be checked: the speaker, the recording and the second.

        Args:
            question: the words of a question, or an `Ask`, which holds everything below as one value.
            strategy: a name or a `Strategy`. None: the strategy of the settings.
            options: the other fields of `Ask`: `scope`, `history`, `without`, `hints`, `form`, `faq`,
                `explain`.

        If the archive has no answer, the `verdict` and the heading say so. A greeting gets a reply without a
        search.

        Raises InputError for a value of a wrong type, a question without words or one that is too long, a
        field in `without` that no filter has, or invalid hints; SettingError for an invalid form;
        ModelMismatchError; NotFoundError for an unknown strategy or recording.
        """
        *_, answer = self.stream(question, strategy, **options)
        assert isinstance(answer, Answer)  # noqa: S101 - `Event` promises it
        return answer

    def stream(
        self,
        question: str | Ask,
        strategy: Strategy | str | None = None,
        **options: Unpack[AskOptions],
    ) -> Iterator[Event]:
        """Yield the events of `ask` as they happen: see `Event`. Closing the iterator ends the work."""
        from onrecord.archive.answering import stream_answer  # imported late, because no plan needs it

        return stream_answer(self, Ask.of(question, strategy, **options))

    def search(
        self,
        words: str | Ask,
        strategy: Strategy | str | None = None,
        **options: Unpack[AskOptions],
    ) -> Evidence:
        """Return the moments that match some words or a question, ranked, without an answer.

        Arguments and errors are those of `ask`, but `form` and `faq` have no effect. The strategy `auto`
        reads filters from the words. Any other strategy does so if there are a `history` or `hints`.
        """
        return find_evidence(self, Ask.of(words, strategy, **options))

    def plan(
        self,
        question: str | Ask,
        strategy: Strategy | str | None = None,
        **options: Unpack[AskOptions],
    ) -> Plan:
        """Return the plan of a question without a search: its kind, its filters and its strategy.

        Arguments and errors are those of `ask`, but `form` and `faq` have no effect.
        """
        return plan_question(self, Ask.of(question, strategy, **options))

    @cached_property
    def own_strategies(self) -> Mapping[str, Strategy]:
        """The strategies that the settings `strategies` and `retrieval` describe, by name."""
        return configured_strategies(self.settings.strategies, self.settings.retrieval.figures)

    def strategy(self, strategy: Strategy | str | None = None) -> Strategy:
        """Return a strategy by its name, a preset or a configured one. None means that of the settings.

        A name is never read as the path of a file, because it may come from an untrusted user. Raises
        NotFoundError.
        """
        if isinstance(strategy, Strategy):
            return strategy
        own = self.own_strategies
        return named(strategy or default_strategy(self.settings.strategy, own), own)

    def resolved(self, scope: Scope) -> Scope:
        """Return the scope with recordings by id and earnings calls by this archive's attributes.

        A call is given by its company, year and quarter. Raises NotFoundError for an unknown recording,
        InputError for dates that leave no day or a company that matches several.
        """
        return resolve_scope(self.store, scope)

    # ---------------------------------------------------------------- looking up

    def recordings(self, scope: Scope | None = None) -> list[Recording]:
        """Return the recordings in scope, by date, then title; undated recordings last."""
        return self.store.recordings(scope or Scope())

    def find(self, name: str) -> Recording:
        """Return the recording with an id or a title.

        The beginning of an id, whole words of it, or a part of a title is enough if no other recording
        matches. Raises NotFoundError, which names similar recordings, or those that match.
        """
        return find(self.store, name)

    def transcript(self, name: str, at: float | None = None, around: float = 60.0) -> list[Passage]:
        """Return a recording's passages, in order; with `at`, those within `around` seconds of `at`."""
        recording = self.find(name)
        passages = self.store.transcript(recording.id)
        return passages if at is None else passages_around(recording, passages, at, around)

    def export(self, name: str, format: str = "json") -> str:  # noqa: A002 - as the command's option
        """Return a recording as ``vtt``, ``srt``, ``json`` (nothing is lost) or ``md``."""
        from onrecord.ingest.export import export

        recording = self.find(name)
        with self.store.snapshot() as snapshot:
            sections, passages = snapshot.sections(recording.id), snapshot.transcript(recording.id)
        return export(format, recording, sections, passages)

    def stats(self) -> dict[str, Any]:
        """Return counts and sizes of the workspace, and the model of its vectors.

        `speakers` counts the people with a name, and `unnamed` the recordings with speakers without one: a
        label such as "Speaker 1" may be another person in each.
        """
        from onrecord.understand.catalog import catalog_of

        with self.store.snapshot() as snapshot:
            catalog = catalog_of(snapshot)
        names, nameless = catalog.people.labels_of.keys(), catalog.people.nameless
        return {
            **self.store.stats(),
            "speakers": len(names - nameless),
            "unnamed": sum(not nameless.isdisjoint(voices) for voices in catalog.voices.values()),
            "model": self.store.meta("model"),
            "workspace": self.store.workspace,
        }

    # ---------------------------------------------------------------- the FAQ

    @cached_property
    def faq(self) -> Faq:
        """The workspace's questions with ready answers: `onrecord.retrieve.faq.Faq`."""
        from onrecord.models.providers import open_llm
        from onrecord.retrieve.faq import Faq, FaqSettings

        settings, llm = self.settings, self.settings.llm
        prices = llm.model_dump(include={"prompt_price", "completion_price", "currency"})
        return Faq(
            open_faq_store(settings.archive_url, self.store.workspace),
            self.models.open_embedder,
            llm=open_llm(llm.model, llm.base_url or None) if llm.model else None,
            settings=FaqSettings(**settings.faq.model_dump(exclude={"first"}), **prices),
        )

    # ---------------------------------------------------------------- the graph

    @cached_property
    def graph(self) -> ArchiveGraph:
        """The graph of the archive's concepts and their relations."""
        from onrecord.archive.graph import ArchiveGraph

        return ArchiveGraph(self.store, self.models, self.settings.llm)

    # ---------------------------------------------------------------- the models

    @property
    def embedder(self) -> Embedder | None:
        """The model of the archive's vectors; None if questions are answered by words alone."""
        return self.models.embedder([])

    @property
    def writer(self) -> str | None:
        """The name of the language model that writes answers; None if answers are made of quotes."""
        model = self.models.language.get("answer")
        return model.name if model else None

    def warm(self) -> None:
        """Load the examples and models that answer questions. The next question reports a missing model."""
        warm()
        self.models.warm()

    # ---------------------------------------------------------------- closing

    def close(self) -> None:
        """Close the files. The archive cannot be used afterwards."""
        if "faq" in self.__dict__:
            self.faq.close()
        if self._ledger or self.models.metered:
            self.ledger.count_embedding()
            self.ledger.write()
        self.store.close()

    def __enter__(self) -> Archive:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
