"""An archive of spoken word: open it, add to it, ask it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import TYPE_CHECKING, Any, Unpack

from onrecord.archive.asking import Ask, Asking, AskOptions
from onrecord.archive.looking import find, is_called, resolve_scope, said_around
from onrecord.archive.models import Models
from onrecord.errors import InputError
from onrecord.models.base import Embedder
from onrecord.settings import Settings, load
from onrecord.stores import Store, is_file, open_faq_store, open_store, shown
from onrecord.strategies import Strategy, of_settings
from onrecord.types import (
    Answer,
    Details,
    Event,
    Evidence,
    Passage,
    Plan,
    Recording,
    Scope,
)

if TYPE_CHECKING:
    from onrecord.archive.distributing import Actors
    from onrecord.archive.editing import Removed
    from onrecord.archive.graph import ArchiveGraph
    from onrecord.archive.intake import Added, Intake, Progress
    from onrecord.archive.ledger import Ledger
    from onrecord.archive.summarizing import Summarized
    from onrecord.ingest.sources import Due, Fetch
    from onrecord.retrieve.faq import Faq


def open(  # noqa: A001 - onrecord.open(...)
    archive: str | Path | None = None, *, make: bool = True, **settings: Any
) -> Archive:
    """Open an archive, or begin a new one: its file is made by what is first added.

    Args:
        archive: path or URL; None: the setting `archive`, else ``onrecord.db`` in the user's data folder.
        make: whether to begin a new one where there is none; NotFoundError otherwise.
        settings: any of `onrecord.settings`, ahead of the environment and the YAML file: ``workspace=...``,
            ``embedding={"model": "openai:text-embedding-3-small"}``; ``reader=None`` leaves the reader out.

    Raises SettingError, NotAnArchiveError, NewerArchiveError or LockedError.
    """
    if "reader" in settings and settings["reader"] is None:
        settings["reader"] = {"model": "none"}
    chosen = load(archive=str(archive) if archive is not None else None, **settings)
    if make and not chosen.archive:
        Path(chosen.archive_url).parent.mkdir(parents=True, exist_ok=True)
    return Archive(_open_store(chosen, make), chosen)


def _open_store(settings: Settings, make: bool) -> Store:
    options = {**settings.postgres.model_dump(), "vectors": settings.vectors.model_dump()}
    return open_store(settings.archive_url, settings.workspace, make=make, **options)


def _intake(settings: Settings, keep_both: bool) -> Intake:
    """What writes to the archive of these settings from another process."""
    from onrecord.archive.intake import Intake

    store = _open_store(settings, make=False)
    return Intake(store, Models(store, settings), keep_both=keep_both)


class Archive:
    """Recordings of one workspace, and the questions put to them. Usable as a context manager."""

    def __init__(self, store: Store, settings: Settings | None = None) -> None:
        self.store = store
        self.settings = settings or load()
        self.models = Models(store, self.settings)
        self._ledger: Ledger | None = None
        self._opening = Lock()

    @property
    def ledger(self) -> Ledger:
        """What people think of answers, and what answering costs."""
        from onrecord.archive.ledger import Ledger  # which no plan needs

        with self._opening:
            self._ledger = self._ledger or Ledger(self.store, self.models, self.settings)
        return self._ledger

    # ---------------------------------------------------------------- taking in

    def add(
        self,
        *paths: str | Path,
        details: Details | Mapping[str, str] | None = None,
        manifest: str | Path | None = None,
        fetch: bool | Fetch = False,
        strict: bool = False,
        progress: Progress | None = None,
        source: str | None = None,
        keep_both: bool = False,
        workers: int = 1,
        ray: str | None = None,
        due: Due | None = None,
        stop: Callable[[], bool] | None = None,
        mapping: str | Path | None = None,
    ) -> Added:
        """Add files, folders and feeds. What is there already and has not changed is left as it is.

        Args:
            details: ahead of everything the sources say of themselves: ``{"show": "Night Desk"}``.
            manifest: a CSV or YAML file of details by file name.
            fetch: whether remote parts of a feed may be fetched; or what fetches them.
            strict: raise the first error instead of going on with the other files.
            source: what the one file that is named is remembered as, in place of its path.
            keep_both: keep two files of one talk; else the one that says less of who and when is left out.
            workers: processes that read, cut and embed, while this one writes; 1: this one does all. A script
                that asks for more runs its work under ``if __name__ == "__main__"``.
            ray: address of a Ray cluster whose machines do all of it, by `workers` actors (docs/scale.md).
            due: tells, by the files that a source is made of, whether it is read now; None: all are.
            stop: asked before each source; where it is true, the rest is left.
            mapping: a YAML file that says which column is what. The paths are then the address of a table or
                collection (``postgresql://...``, ``qdrant://...``, ``chroma://...``): see docs/importing.md.

        Every recording goes in wholly or not at all. Where the archive itself can take no more (it is locked,
        the disk is full) the rest is left alone, and a note says so. Raises ModelMismatchError where the
        archive was embedded by another model.
        """
        from onrecord.archive.intake import Intake  # all formats and feeds, which no question needs
        from onrecord.archive.summarizing import ROLE
        from onrecord.ingest.importing import imported
        from onrecord.ingest.sources import gather

        actors = self._actors(ray, workers, keep_both) if ray else None
        intake = Intake(self.store, self.models, strict, keep_both, workers, actors)
        table = Path(manifest) if manifest else None
        found = (
            imported(paths, mapping, _details(details))
            if mapping is not None
            else gather(paths, fetch=fetch, set=_details(details), manifest=table, due=due)
        )
        intake.take_all(found, source, progress, stop)
        self.ledger.count_embedding(intake.spent)
        report = intake.report(found.skipped)
        if ROLE in self.models.language and (new := (*report.added, *report.changed)):
            report = replace(report, notes=(*report.notes, str(self.summarize(new))))
        if "extract" in self.models.language and (new := (*report.added, *report.changed)):
            report = replace(report, notes=(*report.notes, str(self.graph.extract(new))))
        return report

    def _actors(self, address: str, count: int, keep_both: bool) -> Actors:
        from onrecord.archive.distributing import Actors

        if is_file(self.settings.archive_url):
            place = shown(self.settings.archive_url)
            raise InputError(
                f"--ray needs an archive on a server, which several machines write to: not {place}"
            )
        return Actors(address, count, partial(_intake, self.settings, keep_both))

    def summarize(
        self, recordings: Sequence[Recording] | None = None, progress: Progress | None = None
    ) -> Summarized:
        """Have the language model in the role "summarize", else the one that writes, sum up sections that it
        has not summed up yet: of these recordings, or of all. It asks at most `llm.summary_calls` times;
        another run goes on. A summary with figures or names that were not said is not taken. Raises
        InputError where no model is set."""
        from onrecord.archive.summarizing import ROLE, Summarizer

        model = self.models.language.get(ROLE) or self.models.language.get("answer")
        if model is None:
            raise InputError(
                "no language model is set, so sections keep the summaries made of their own sentences;"
                " to have a model write them: --model ollama:NAME, or llm.model in onrecord.yaml (see"
                " docs/answers.md)"
            )
        some = self.recordings() if recordings is None else recordings
        return Summarizer(self.store, model, self.settings.llm).run(some, progress)

    def remove(self, name: str) -> Recording:
        """Remove a recording, by its whole id or title. Nothing of it is left behind.

        Raises NotFoundError, and InputError for a part of a name: it is enough to look, not to lose.
        """
        recording = self.find(name)
        if not is_called(recording, name):
            raise InputError(
                f"{name!r} is only a part of {recording.id!r}: name what is to be removed in full"
            )
        return self.take_out(recording.id).recording

    def take_out(self, name: str) -> Removed:
        """Remove a recording, and get what it takes to `put_back` it as it was."""
        from onrecord.archive.editing import take_out

        recording = self.find(name)
        self.ledger.forget(recording)
        return take_out(self.store, recording)

    def put_back(self, removed: Removed) -> Recording:
        """Put back what `take_out` removed, under the same id. Raises InputError where it is there again."""
        from onrecord.archive.editing import put_back

        return put_back(self.store, removed)

    def edit(self, name: str, details: Mapping[str, str]) -> Recording:
        """Change what is known about a recording, named by id or title.

        Args:
            details: texts by name, as `add` takes them: ``{"title": "Margins", "people": "Ann Lee; Bo Díaz",
                "tags": "freight; tariffs"}``. An empty text makes the detail unknown.

        The changes hold when the source is read again. Raises InputError for a value that cannot be.
        """
        from onrecord.archive.editing import edit

        return edit(self.store, self.find(name), details)

    def rename(self, speaker: str, name: str, recordings: Sequence[str] = ()) -> list[Recording]:
        """Call a speaker by another `name`, in these recordings (by id or title), everywhere where none are
        named. Somebody who goes by that name already becomes the same person.

        Their passages are embedded anew, as the name is a part of what is searched. The change holds when a
        source is read again. Returns the recordings that have changed. Raises NotFoundError where nobody is
        called `speaker`, InputError for a name that cannot be, ModelMismatchError.
        """
        from onrecord.archive.editing import rename

        where = [self.find(one) for one in recordings] or self.recordings()
        return rename(self.store, self.models.embedder([]), speaker, name, where)

    def embed(self, progress: Progress | None = None, again: bool = False) -> int:
        """Give vectors to the recordings that have none; with `again` to all, by the model in the
        settings, which becomes the archive's once all are there: until then the old ones stay. Recordings of
        older archives get the sections that are made of them. Returns how many recordings were embedded."""
        from onrecord.archive.embedding import embedded, embedded_anew
        from onrecord.archive.intake import judge

        embed_all = embedded_anew if again else embedded
        count = embed_all(self.store, self.models, progress)
        for recording in self.recordings():
            judge(self.store, recording)
        self.ledger.count_embedding()
        return count

    # ---------------------------------------------------------------- asking

    def ask(
        self,
        question: str | Ask,
        strategy: Strategy | str | None = None,
        **options: Unpack[AskOptions],
    ) -> Answer:
        """Answer a question with quotes that can be checked: who said it, where, at which second.

        Args:
            question: in words, or an `Ask`, which holds everything below as one value.
            strategy: a name or a `Strategy`; None: that of the settings.
            options: the other fields of `Ask`: `scope`, `history`, `without`, `hints`, `form`, `faq`.

        Where the archive has no answer, the `verdict` and the heading say so. A greeting gets a reply without
        a search.

        Raises InputError for a question without words or one that is too long, a field in `without` that no
        filter is of, or hints that cannot be; SettingError for a form that cannot be; ModelMismatchError;
        NotFoundError for an unknown strategy or recording.
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
        """What `ask` does, as it happens: see `Event`. Closing the iterator ends the work."""
        from onrecord.archive.answering import stream  # most of what answers, which no plan needs

        return stream(self._asking, Ask.of(question, strategy, **options), self.ledger)

    def search(
        self,
        words: str | Ask,
        strategy: Strategy | str | None = None,
        **options: Unpack[AskOptions],
    ) -> Evidence:
        """The moments that speak to some words or a question, ranked, without an answer.

        Arguments and errors as of `ask`, but `form` and `faq` change nothing. Filters are read from the words
        by the strategy `auto`, and by any other where there are a `history` or `hints`.
        """
        return self._asking.search(Ask.of(words, strategy, **options))

    def plan(
        self,
        question: str | Ask,
        strategy: Strategy | str | None = None,
        **options: Unpack[AskOptions],
    ) -> Plan:
        """What is understood of a question, without a search: its kind, its filters, its strategy.

        Arguments and errors as of `ask`, but `form` and `faq` change nothing.
        """
        return self._asking.plan(Ask.of(question, strategy, **options))

    @cached_property
    def own_strategies(self) -> Mapping[str, Strategy]:
        """The strategies of the file or folder in the setting `strategies`, and that of the figures in
        `retrieval`, by name."""
        return of_settings(self.settings.strategies, self.settings.retrieval.figures)

    def strategy(self, wanted: Strategy | str | None = None) -> Strategy:
        """A strategy by its name, a preset or one of your own; that of the settings for None. Raises
        NotFoundError. A name is never taken for the path of a file: it may come from anywhere."""
        return self._asking.strategy(wanted)

    def resolved(self, scope: Scope) -> Scope:
        """The scope with every recording named by its id, and calls by company, year and quarter as
        `with_calls` does. Raises NotFoundError for a recording that is not here, InputError for dates that
        leave no day."""
        return resolve_scope(self.store, scope)

    @property
    def _asking(self) -> Asking:
        """What answers, with the settings as they are now; strategies and FAQ are opened when needed."""
        return Asking(
            self.store,
            self.settings,
            self.models,
            lambda: self.own_strategies,
            lambda: self.faq,
        )

    # ---------------------------------------------------------------- looking

    def recordings(self, scope: Scope | None = None) -> list[Recording]:
        """The recordings in scope, by date, then title; undated last."""
        return self.store.recordings(scope or Scope())

    def find(self, name: str) -> Recording:
        """The one recording of that id or title, or whose id or title begins or is told by it.

        Raises NotFoundError with what is near, or with those that it could be.
        """
        return find(self.store, name)

    def transcript(self, name: str, at: float | None = None, around: float = 60.0) -> list[Passage]:
        """The passages of a recording, in order; with `at`, those within `around` seconds of it."""
        recording = self.find(name)
        passages = self.store.transcript(recording.id)
        return passages if at is None else said_around(recording, passages, at, around)

    def export(self, name: str, format: str = "json") -> str:  # noqa: A002 - as the command's option
        """A recording as ``vtt``, ``srt``, ``json`` (nothing is lost) or ``md``."""
        from onrecord.ingest.export import export

        recording = self.find(name)
        with self.store.snapshot() as reader:
            return export(format, recording, reader.sections(recording.id), reader.transcript(recording.id))

    def stats(self) -> dict[str, Any]:
        """Counts and sizes of the workspace, and the model that its vectors are of."""
        return {**self.store.stats(), "model": self.store.meta("model"), "workspace": self.store.workspace}

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
        """What is spoken of, and how that hangs together."""
        from onrecord.archive.graph import ArchiveGraph

        return ArchiveGraph(self.store, self.models, self.settings.llm)

    # ---------------------------------------------------------------- the models

    @property
    def embedder(self) -> Embedder | None:
        """The model that the archive's vectors are of; None where words alone must do."""
        return self.models.embedder([])

    @property
    def writer(self) -> str | None:
        """The name of the language model that writes answers; None where they are made of quotes."""
        model = self.models.language.get("answer")
        return model.name if model else None

    def warm(self) -> None:
        """Load the examples and models that questions are answered with. What cannot be had is told when a
        question is asked."""
        from onrecord.understand.intents import warm

        warm()
        self.models.warm()

    # ---------------------------------------------------------------- closing

    def close(self) -> None:
        """Close the files. The archive is of no use afterwards."""
        if "faq" in self.__dict__:
            self.faq.close()
        if self._ledger:
            self._ledger.close()
        self.store.close()

    def __enter__(self) -> Archive:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _details(given: Details | Mapping[str, str] | None) -> Details:
    if isinstance(given, Mapping):
        from onrecord.ingest.details import parse_set

        return parse_set([f"{name}={value}" for name, value in given.items()])
    return given or Details()
