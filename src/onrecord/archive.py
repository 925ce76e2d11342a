"""An archive of spoken word: open it, add to it, ask it."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cached_property, partial
from pathlib import Path
from time import perf_counter
from types import TracebackType
from typing import TYPE_CHECKING, Any

from onrecord.answer.extract import Extractive
from onrecord.answer.write import Room, write
from onrecord.errors import (
    InputError,
    ModelError,
    ModelMismatchError,
    NotFoundError,
    OnRecordError,
    WeightsError,
)
from onrecord.ingest.details import parse_set
from onrecord.ingest.export import export
from onrecord.ingest.language import language_of, language_of_question
from onrecord.ingest.passages import Cutter
from onrecord.ingest.people import with_one_name_each
from onrecord.ingest.sources import Found, Refused, gather
from onrecord.models import open_embedder, open_reranker
from onrecord.models.base import Embedder, LanguageModel, Reranker
from onrecord.models.providers import open_language_model
from onrecord.models.seats import Allowance, Seats
from onrecord.retrieve.memory import Memory
from onrecord.retrieve.route import Route
from onrecord.retrieve.stage import Tools
from onrecord.retrieve.timing import TimedEmbedder, part_seconds
from onrecord.settings import Settings, load
from onrecord.stores import Store, open_faq_store, open_store
from onrecord.stores.base import Reader
from onrecord.strategies import STRATEGIES, Strategy, named, planned, read
from onrecord.types import (
    Answer,
    Details,
    Event,
    Evidence,
    Exchange,
    Passage,
    Plan,
    Question,
    Recording,
    Scope,
    Section,
    Transcript,
)

if TYPE_CHECKING:
    from onrecord.retrieve.faq import Faq
    from onrecord.types import Vectors

WITHOUT_MEANINGS = "words alone were used, without meanings"
"""How a note begins that tells why the embedding model could not be used."""
Progress = Callable[[int, int, str], None]
"""Called with how many are done, of how many, and the name of the one at hand."""


@dataclass(frozen=True, slots=True)
class Added:
    """What became of everything that was named to `Archive.add`. Recordings by what was done with
    them; `refused` and `skipped` by the source's name with the reason; `notes` are for the user."""

    added: tuple[Recording, ...] = ()
    changed: tuple[Recording, ...] = ()
    unchanged: tuple[Recording, ...] = ()
    refused: tuple[tuple[str, OnRecordError], ...] = ()
    skipped: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()


def open(  # noqa: A001 - onrecord.open(...)
    archive: str | Path | None = None, *, make: bool = True, **settings: Any
) -> Archive:
    """Open an archive, or begin a new one.

    Args:
        archive: path or URL; None: the setting `archive`, else ``onrecord.db`` in the user's data folder.
        make: whether to begin a new one where there is none; NotFoundError otherwise.
        settings: any of `onrecord.settings`, ahead of the environment and the YAML file: ``workspace=...``,
            ``embedding={"model": "openai:text-embedding-3-small"}``.

    Raises SettingError, NotAnArchiveError, NewerArchiveError or LockedError.
    """
    chosen = load(archive=str(archive) if archive is not None else None, **settings)
    if make and not chosen.archive:
        Path(chosen.archive_url).parent.mkdir(parents=True, exist_ok=True)
    return Archive(open_store(chosen.archive_url, chosen.workspace, make=make), chosen)


class Archive:
    """Recordings of one workspace, and the questions put to them. Usable as a context manager."""

    def __init__(self, store: Store, settings: Settings | None = None) -> None:
        self.store = store
        self.settings = settings or load()
        self._embedder: Embedder | None = None

    # ---------------------------------------------------------------- taking in

    def add(
        self,
        *paths: str | Path,
        details: Details | Mapping[str, str] | None = None,
        manifest: str | Path | None = None,
        fetch: bool = False,
        strict: bool = False,
        progress: Progress | None = None,
        source: str | None = None,
    ) -> Added:
        """Add files, folders and feeds. What is there already and has not changed is left as it is.

        Args:
            details: ahead of everything the sources say of themselves: ``{"show": "Night Desk"}``.
            manifest: a CSV or YAML file of details by file name.
            fetch: whether remote parts of a feed may be fetched.
            strict: raise the first error instead of going on with the other files.
            source: what the one file that is named is remembered as, in place of its path.

        Every recording goes in wholly or not at all. Raises ModelMismatchError where the archive was
        embedded by another model.
        """
        made: dict[str, list[Any]] = {name: [] for name in Added.__dataclass_fields__}
        embedder = self._embedder_or_note(made["notes"])
        if embedder and not self._kept_model():
            self._remember(embedder)
        found = gather(
            paths, fetch=fetch, set=_details(details), manifest=Path(manifest) if manifest else None
        )
        known: dict[tuple[str, str], list[Recording]] = {}
        for recording in self.recordings():
            known.setdefault((recording.source, recording.checksum), []).append(recording)
        for number, item in enumerate(found):
            if progress:
                progress(number, len(found), item.name)
            if source and isinstance(item, Found):
                item = replace(item, source=source)
            try:
                self._add_one(item, known, embedder, made)
            except OnRecordError as error:
                if strict:
                    raise
                made["refused"].append((item.name, error))
        made["skipped"] = [(skipped.name, skipped.reason) for skipped in found.skipped]
        if progress:
            progress(len(found), len(found), "")
        return Added(**{name: tuple(values) for name, values in made.items()})

    def _add_one(
        self,
        item: Found | Refused,
        known: Mapping[tuple[str, str], list[Recording]],
        embedder: Embedder | None,
        made: dict[str, list[Any]],
    ) -> None:
        if isinstance(item, Refused):
            raise item.error
        if (item.source, item.checksum) in known:
            made["unchanged"] += known[item.source, item.checksum]
            return
        for transcript in item.transcripts():
            recording = Recording(
                id=recording_id(item.source, transcript.part, item.name),
                source=item.source,
                checksum=item.checksum,
                format=transcript.format,
                details=transcript.details,
            )
            before = self.store.recording(recording.id)
            made["changed" if before else "added"].append(self._put(recording, transcript, embedder))
            made["notes"] += [f"{item.name}: {warning}" for warning in transcript.warnings]

    def _put(self, recording: Recording, transcript: Transcript, embedder: Embedder | None) -> Recording:
        transcript = with_one_name_each(transcript)
        language = transcript.details.language or language_of(turn.text for turn in transcript.turns)
        details = replace(transcript.details, language=language)
        passages, sections = Cutter().cut(replace(transcript, details=details), recording.id)
        vectors = embedder.embed([passage.spoken for passage in passages]) if embedder else None
        passages, sections = _sectioned(passages, sections, vectors, details)
        recording = _counted(replace(recording, details=details), passages)
        self.store.add(recording, passages, sections, vectors)
        return recording

    def remove(self, name: str) -> Recording:
        """Remove a recording, by id or title. Nothing of it is left behind."""
        recording = self.find(name)
        self.store.remove(recording.id)
        return recording

    def embed(self, progress: Progress | None = None, again: bool = False) -> int:
        """Give vectors to the recordings that have none; with `again` to all, by the model in the
        settings, which becomes the archive's. Recordings of older archives get the sections that are made
        of them. Returns how many recordings were embedded."""
        embedder = self._open_embedder()
        if again:
            self.store.forget_vectors()
        elif not self._is_mine(embedder):
            raise self._mismatch(embedder)
        self._remember(embedder)
        waiting = self.store.without_vectors()
        for number, name in enumerate(waiting):
            if progress:
                progress(number, len(waiting), name)
            texts = [passage.spoken for passage in self.store.transcript(name)]
            self.store.set_vectors(name, embedder.embed(texts))
        if progress:
            progress(len(waiting), len(waiting), "")
        for recording in self.recordings():
            self._judge(recording)
        return len(waiting)

    def _judge(self, recording: Recording) -> None:
        """Make what is made at ingest of the passages of a recording, if nobody has."""
        with self.store.snapshot() as reader:
            first = reader.transcript(recording.id, 0, 0)
            if not first or first[0].importance is not None:
                return
            passages, given = reader.transcript(recording.id), reader.sections(recording.id)
            vectors = reader.vectors([passage.row for passage in passages])
        judged, sections = _sectioned(passages, given, vectors, recording.details)
        self.store.set_sections(recording.id, judged, sections)

    # ---------------------------------------------------------------- asking

    def ask(
        self,
        question: str,
        strategy: Strategy | str | None = None,
        scope: Scope | None = None,
        history: Sequence[Exchange] = (),
        without: Collection[str] = (),
    ) -> Answer:
        """Answer a question with quotes that can be checked: who said it, where, at which second.

        `history` is what was asked before in the same conversation, oldest first. Filters are read from the
        question unless `scope` has their field, or `without` names it; see `plan`. A strategy that is a
        Strategy, not a name, gets the question as it is. Without an answer in the archive it says so.
        Raises InputError for a question without words or one that is too long, ModelMismatchError,
        NotFoundError for an unknown strategy.
        """
        *_, answer = self.stream(question, strategy, scope, history, without)
        assert isinstance(answer, Answer)  # noqa: S101 - `Event` promises it
        return answer

    def stream(
        self,
        question: str,
        strategy: Strategy | str | None = None,
        scope: Scope | None = None,
        history: Sequence[Exchange] = (),
        without: Collection[str] = (),
    ) -> Iterator[Event]:
        """What `ask` does, as it happens: see `Event`. Closing the iterator ends the work."""
        began = perf_counter()
        notes: list[str] = []
        with self.store.snapshot() as reader:
            memory = self._memory(reader)
            tools = memory.tools(_planning(self._tools(reader, notes), without))
            chosen = self.strategy(strategy)
            way = chosen if isinstance(strategy, Strategy) else planned(chosen)
            timed = TimedEmbedder(tools.embedder) if tools.embedder else None
            tools = replace(tools, embedder=timed)
            asked = Question(question, scope or Scope(), tuple(history))
            evidence = self._retrieve(asked, way, tools, memory, sorted(without))
            seconds = part_seconds(evidence.trail, timed.seconds if timed else 0.0)
            if evidence.plan:
                yield evidence.plan
            yield evidence
            writer = self._extractive(chosen, evidence)
            understood = evidence.plan or Plan(question, language=language_of_question(question))
            language = understood.language
            answer = replace(writer.answer(evidence, tools, language=language), question=question)
            pieces = write(answer, tools, language, self._room(writer.outline))
        for piece in pieces:
            if isinstance(piece, str):
                seconds.setdefault("first_text", perf_counter() - began)
            if isinstance(piece, Answer):
                seconds["total"] = perf_counter() - began
                said = (*understood.notes, *piece.notes, *notes)
                piece = replace(piece, notes=said, seconds=seconds)
            yield piece
        memory.keep()  # now that nobody waits for it

    def _room(self, whole: bool) -> Room:
        """How much a language model is shown: the best, or all of it, part by part where it must be."""
        llm = self.settings.llm
        if whole:
            return Room(max(llm.window, self.settings.answer.tokens), whole=True)
        return Room(self.settings.answer.tokens)

    def search(
        self, words: str, strategy: Strategy | str | None = None, scope: Scope | None = None
    ) -> Evidence:
        """The moments that speak to some words or a question, ranked, without an answer."""
        with self.store.snapshot() as reader, self._memory(reader) as memory:
            tools = memory.tools(self._tools(reader, []))
            asked = Question(words, scope or Scope())
            return self._retrieve(asked, self.strategy(strategy), tools, memory)

    def plan(
        self,
        question: str,
        strategy: Strategy | str | None = None,
        scope: Scope | None = None,
        history: Sequence[Exchange] = (),
        without: Collection[str] = (),
    ) -> Plan:
        """What is understood of a question, without searching: its kind, the filters that it names, the way
        to its answer. Arguments and errors as of `ask`."""
        with self.store.snapshot() as reader:
            tools = _planning(self._tools(reader, []), without)
            asked = Question(question, scope or Scope(), tuple(history))
            route = planned(self.strategy(strategy)).stages
            assert isinstance(route, Route)  # noqa: S101 - what `planned` makes
            return route.planned(Evidence(self._checked(asked)), tools)

    @cached_property
    def own_strategies(self) -> Mapping[str, Strategy]:
        """The strategies of the file or folder in the setting `strategies`, by name."""
        return read(self.settings.strategies) if self.settings.strategies else {}

    def strategy(self, wanted: Strategy | str | None = None) -> Strategy:
        """A strategy by its name, a preset or one of your own; that of the settings for None. Raises
        NotFoundError. A name is never taken for the path of a file: it may come from anywhere."""
        if isinstance(wanted, Strategy):
            return wanted
        return named(wanted or self.settings.strategy, self.own_strategies)

    def _extractive(self, strategy: Strategy, evidence: Evidence) -> Extractive:
        """Who writes without a language model, in the way of the strategy that found the evidence."""
        known = {strategy.name: strategy, **STRATEGIES, **self.own_strategies}
        route = known.get(evidence.plan.strategy if evidence.plan else strategy.name, strategy)
        limits = self.settings.answer
        if route.answer == "outline":
            return Extractive(limits.outline_quotes, limits.outline_words, outline=True)
        return Extractive(quotes=limits.quotes, words=limits.words)

    def _retrieve(
        self, question: Question, strategy: Strategy, tools: Tools, memory: Memory, *basis: object
    ) -> Evidence:
        """The evidence, found now or when it was asked before; `basis` is what else it depends on. What a
        language model decides is never taken for what it would decide again."""
        checked = self._checked(question)
        if tools.seats.models.keys() - {"answer", "check"}:
            return strategy.retrieve(checked, tools)
        models = [getattr(tools.embedder, "fingerprint", None), getattr(tools.reranker, "name", None)]
        day = tools.today().isoformat()
        return memory.evidence(
            strategy, checked, models, day, *basis, find=lambda: strategy.retrieve(checked, tools)
        )

    def _memory(self, reader: Reader) -> Memory:
        sizes = self.settings.cache
        return Memory(self.store, reader, sizes.embeddings * 1_000_000, sizes.results * 1_000_000)

    def _checked(self, question: Question) -> Question:
        """The question with recordings by their ids. Raises InputError for one that cannot be asked."""
        text = question.text
        limit = self.settings.limits.question_characters
        if not re.search(r"\w", text):
            raise InputError("the question has no words: ask something like 'Why did margins fall?'")
        if len(text) > limit:
            raise InputError(
                f"the question has {len(text)} characters; at most {limit} are read "
                "(setting limits.question_characters)"
            )
        return replace(question, scope=self.resolved(question.scope))

    def resolved(self, scope: Scope) -> Scope:
        """The scope with every recording named by its id."""
        return replace(scope, recordings=tuple(self.find(name).id for name in scope.recordings))

    # ---------------------------------------------------------------- looking

    def recordings(self, scope: Scope | None = None) -> list[Recording]:
        """The recordings in scope, by date, then title; undated last."""
        return self.store.recordings(scope or Scope())

    def find(self, name: str) -> Recording:
        """The one recording of that id or title, or whose id or title begins or is told by it.

        Raises NotFoundError with what is near, or with those that it could be.
        """
        exact = self.store.recording(name)
        if exact:
            return exact
        recordings, wanted = self.recordings(), name.casefold()
        for matches in (
            [r for r in recordings if r.title.casefold() == wanted],
            [r for r in recordings if r.id.startswith(wanted)],
            [r for r in recordings if wanted in r.title.casefold()],
        ):
            if len(matches) == 1:
                return matches[0]
            if matches:
                raise NotFoundError(f"{name!r} could be any of: {_few(r.id for r in matches)}")
        near = get_close_matches(wanted, [n for r in recordings for n in (r.id, r.title.casefold())], n=3)
        hint = f"did you mean {_few(near)}?" if near else "`onrecord list` shows what there is"
        raise NotFoundError(f"no recording {name!r} in workspace {self.store.workspace!r}: {hint}")

    def transcript(self, name: str, at: float | None = None, around: float = 60.0) -> list[Passage]:
        """The passages of a recording, in order; with `at`, those within `around` seconds of it."""
        recording = self.find(name)
        passages = self.store.transcript(recording.id)
        if at is None:
            return passages
        if recording.seconds is None:
            raise InputError(f"{recording.title!r} has no times, so there is no second {at:g} in it")
        return [p for p in passages if _overlaps(p, at - around, at + around)]

    def export(self, name: str, format: str = "json") -> str:  # noqa: A002 - as the command's option
        """A recording as ``vtt``, ``srt``, ``json`` (nothing is lost) or ``md``."""
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
            self._open_embedder,
            llm=open_llm(llm.model, llm.base_url or None) if llm.model else None,
            settings=FaqSettings(**settings.faq.model_dump(), **prices),
        )

    # ---------------------------------------------------------------- the model

    @property
    def embedder(self) -> Embedder | None:
        """The model that the archive's vectors are of; None where words alone must do."""
        return self._embedder_or_note([])

    @cached_property
    def _language_models(self) -> dict[str, LanguageModel]:
        """The language model of each seat that has one."""
        llm = self.settings.llm
        wanted = {seat: llm.model if who == "on" else who for seat, who in llm.seats if who != "off"}
        models = {
            name: open_language_model(name, llm.base_url or None, main=_same_provider(name, llm.model))
            for name in dict.fromkeys(wanted.values())
            if name
        }
        return {seat: models[name] for seat, name in wanted.items() if name}

    @property
    def writer(self) -> str | None:
        """The name of the language model that writes answers; None where they are made of quotes."""
        model = self._language_models.get("answer")
        return model.name if model else None

    def warm(self) -> None:
        """Load the models that questions are answered with. Those that cannot be had are told when a question
        is asked."""
        self._embedder_or_note([])
        for model in self._language_models.values():
            with suppress(ModelError):
                model.warm()

    def _seats(self) -> Seats:
        """Seats for one question."""
        allowance = {name: getattr(self.settings.llm, name) for name in Allowance.__dataclass_fields__}
        return Seats(self._language_models, Allowance(**allowance))

    def _tools(self, reader: Reader, notes: list[str]) -> Tools:
        """What the stages of one question work with; why something is missing is added to the notes."""
        return Tools(
            store=reader,
            embedder=self._embedder_or_note(notes),
            reranker=self._reranker,
            rerank_milliseconds=self.settings.rerank.milliseconds,
            seats=self._seats(),
        )

    @cached_property
    def _reranker(self) -> Reranker | None:
        name = self.settings.rerank.model
        return open_reranker(name) if name and name != "none" else None

    def _embedder_or_note(self, notes: list[str]) -> Embedder | None:
        """The archive's embedder; None, with a note why, where words alone must do."""
        if self.settings.embedding.model == "none":
            return None
        if self._embedder is None:
            try:
                embedder = self._open_embedder()
            except WeightsError as error:
                notes.append(f"{WITHOUT_MEANINGS}: {error}")
                return None
            if not self._is_mine(embedder):
                raise self._mismatch(embedder)
            self._embedder = embedder
        return self._embedder

    def _open_embedder(self) -> Embedder:
        wanted = self.settings.embedding
        name = wanted.model or self._kept_model().get("name") or "minilm"
        options: dict[str, dict[str, Any]] = {
            "minilm": {"path": wanted.weights, "precision": wanted.precision},
            "fastembed": {"path": wanted.weights},
            "openai": {"base_url": wanted.base_url},
        }
        return open_embedder(name, **options.get(name.partition(":")[0], {}))

    def _kept_model(self) -> dict[str, str]:
        return self.store.meta("model") or {}

    def _is_mine(self, embedder: Embedder) -> bool:
        return self._kept_model().get("fingerprint") in (None, embedder.fingerprint)

    def _remember(self, embedder: Embedder) -> None:
        self.store.set_meta("model", {"name": embedder.name, "fingerprint": embedder.fingerprint})

    def _mismatch(self, embedder: Embedder) -> ModelMismatchError:
        kept = self._kept_model()
        return ModelMismatchError(
            f"this archive was embedded by {kept['name']} ({kept['fingerprint']}), not by {embedder.name} "
            f"({embedder.fingerprint}), and their vectors cannot be compared; "
            f"`onrecord embed --again --model {embedder.name}` embeds it anew"
        )

    # ---------------------------------------------------------------- closing

    def close(self) -> None:
        """Close the files. The archive is of no use afterwards."""
        if "faq" in self.__dict__:
            self.faq.close()
        self.store.close()

    def __enter__(self) -> Archive:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _planning(tools: Tools, without: Collection[str]) -> Tools:
    """Tools whose planner reads no filters of these fields."""
    if not without:
        return tools
    from onrecord.retrieve.plan import plan

    return replace(tools, planner=partial(plan, without=tuple(without)))


def recording_id(source: str, part: str, name: str) -> str:
    """A short, stable id: readable from the name, told apart by six hexadecimal digits of source and part."""
    plain = unicodedata.normalize("NFKD", Path(name).stem).encode("ascii", "ignore").decode()
    slug = re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")[:48].rstrip("-") or "recording"
    digest = hashlib.sha256("\0".join((source, part)).encode("utf-8", "surrogateescape")).hexdigest()
    return f"{slug}-{digest[:6]}"


def _sectioned(
    passages: Sequence[Passage], given: Sequence[Section], vectors: Vectors | None, details: Details
) -> tuple[list[Passage], list[Section]]:
    """What is made of passages at ingest: their sections, and what each is worth."""
    from onrecord.ingest.sections import Sectioner  # its phrases take a while to compile: only to add

    return Sectioner().make(passages, given, vectors, details)


def _counted(recording: Recording, passages: Sequence[Passage]) -> Recording:
    ends = [p.end for p in passages if p.end is not None]
    voices = (name for p in passages for name in (p.speaker, *(voice for _, voice in p.voices)))
    return replace(
        recording,
        passages=len(passages),
        words=sum(len(p.text.split()) for p in passages),
        seconds=max(ends, default=None),
        speakers=tuple(dict.fromkeys(name for name in voices if name)),
    )


def _overlaps(passage: Passage, begin: float, end: float) -> bool:
    if passage.start is None:
        return False
    return passage.start <= end and (passage.end or passage.start) >= begin


def _same_provider(name: str, model: str | None) -> bool:
    """Whether a seat's model is asked where the main one is."""
    return model is None or ":" not in name or name.partition(":")[0] == model.partition(":")[0]


def _few(names: Iterable[str]) -> str:
    shown = list(names)
    return ", ".join(shown[:5]) + (f" and {len(shown) - 5} more" if len(shown) > 5 else "")


def _details(given: Details | Mapping[str, str] | None) -> Details:
    if isinstance(given, Mapping):
        return parse_set([f"{name}={value}" for name, value in given.items()])
    return given or Details()
