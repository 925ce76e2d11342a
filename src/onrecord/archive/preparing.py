"""Preparation of transcripts for the archive: passages, sections and vectors, here or in worker processes."""

from __future__ import annotations

import hashlib
import os
import re
import signal
import threading
import unicodedata
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from multiprocessing import get_context, parent_process
from pathlib import Path
from typing import TYPE_CHECKING, Any

from onrecord.archive.contents import Contents
from onrecord.archive.editing import Edits
from onrecord.archive.processor_slots import slot
from onrecord.errors import IngestError
from onrecord.graph.extract import knowledge_of
from onrecord.ingest.language import language_of
from onrecord.ingest.outcomes import Refused, TranscriptSource, TurnVectors
from onrecord.ingest.passages import Cutter, texts_to_embed
from onrecord.ingest.people import unify_speakers
from onrecord.ingest.sections import make_sections
from onrecord.models import open_embedder
from onrecord.models.base import Embedder, Metered
from onrecord.types import Recording, Section, Transcript

if TYPE_CHECKING:
    from onrecord.types import Vectors

AHEAD = 2
"""The number of sources that each worker reads ahead of the source being written."""
NICE = 10
"""The niceness of processes that add. Other processes start at 0; the maximum is 19."""
_COMPARED, _ALIKE = 3, 0.6
"""The number of a source's vectors to compare with those of the archive's model, and the least cosine.

Vectors of the same model in another precision, or with a title before the text, stay above this cosine.
Vectors of other models have cosines near 0.
"""
ATTEMPTS = 3
"""The number of processes that may die over a source before it is refused. After the first death, it is
retried alone."""


@dataclass(frozen=True, slots=True, eq=False)
class PreparedRecording:
    """The contents of a recording with its `edits` applied, and `notes` for the user."""

    contents: Contents
    edits: Edits
    notes: tuple[str, ...] = ()


def prepare(
    recording: Recording,
    transcript: Transcript,
    edits: Edits,
    embedder: Embedder | None,
    known_vectors: TurnVectors | None = None,
) -> PreparedRecording:
    """Cut a transcript into passages, embed them, make sections, and extract the knowledge for the graph.

    If `known_vectors` are of the embedder's model, each turn becomes a passage with its own vector. Otherwise
    a note gives the reason. Raises InputError, ModelError.
    """
    mismatch = _vector_mismatch(known_vectors, transcript, embedder) if known_vectors and embedder else ""
    transcript = edits.of_transcript(unify_speakers(transcript))
    language = transcript.details.language or language_of(turn.text for turn in transcript.turns)
    details = replace(transcript.details, language=language)
    if known_vectors and embedder and not mismatch:
        passages, named = Cutter().cut_turns(transcript.turns, recording.id), list[Section]()
        vectors: Vectors | None = known_vectors.vectors
    else:
        passages, named = Cutter().cut(replace(transcript, details=details), recording.id)
        vectors = embedder.embed(texts_to_embed(details.title, passages)) if embedder else None
    passages, sections = make_sections(passages, named, vectors, details)
    recording = replace(recording, details=details).counted(passages)
    knowledge, notes = knowledge_of(recording, passages), (mismatch,) if mismatch else ()
    return PreparedRecording(Contents(recording, passages, sections, vectors, knowledge), edits, notes)


def _vector_mismatch(known_vectors: TurnVectors, transcript: Transcript, embedder: Embedder) -> str:
    """Return why a source's vectors are not of the embedder's model, or "" if they are.

    The name of a model can be wrong, so the first turns are embedded here and compared.
    """
    few = slice(0, _COMPARED)
    reason = ""
    if known_vectors.model not in (embedder.name, embedder.fingerprint):
        reason = f"they are said to be of {known_vectors.model}"
    elif known_vectors.vectors.shape[1] != embedder.dimensions:
        reason = f"they have {known_vectors.vectors.shape[1]} dimensions, not {embedder.dimensions}"
    else:
        own = embedder.embed([turn.text for turn in transcript.turns[few]])
        if (own * known_vectors.vectors[few]).sum(axis=1).min() < _ALIKE:
            reason = f"of the same text it makes others (cosine below {_ALIKE})"
    return reason and f"embedded anew by {embedder.name}, as the vectors there are not its own: {reason}"


def recording_of(item: TranscriptSource, transcript: Transcript) -> Recording:
    """Return the recording for one transcript of a source, before its passages are counted.

    Its id is short and stable: the readable name, and six hexadecimal digits of the hash of source and part.
    """
    plain = unicodedata.normalize("NFKD", Path(item.name).stem).encode("ascii", "ignore").decode()
    slug = re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")[:48].rstrip("-") or "recording"
    place = "\0".join((item.source, transcript.part)).encode("utf-8", "surrogateescape")
    return Recording(
        id=f"{slug}-{hashlib.sha256(place).hexdigest()[:6]}",
        source=item.source,
        checksum=item.checksum,
        format=transcript.format,
        details=transcript.details,
    )


# ---------------------------------------------------------------- worker processes


@dataclass(frozen=True, slots=True)
class Model:
    """What a worker needs to open its own embedder.

    It has the name and the options for `open_embedder`, and the fingerprint.
    """

    name: str
    options: Mapping[str, Any]
    fingerprint: str


@dataclass(frozen=True, slots=True)
class PreparedSource:
    """A source that a worker has read: its transcripts, its recordings by id, and the tokens paid for."""

    transcripts: tuple[Transcript, ...]
    recordings: Mapping[str, PreparedRecording]
    spent: int = 0


EditsByRecording = Mapping[str, Edits]
"""Users' edits of the recordings of one source, by recording id."""
Result = tuple[TranscriptSource | Refused, PreparedSource | None]
"""A source and its prepared recordings; None if the writing process must read the source itself."""


@dataclass(slots=True)
class _Pending:
    """A source in the queue, with its edits; `edits` is None if no worker needs to read it."""

    item: TranscriptSource | Refused
    edits: EditsByRecording | None
    future: Future[PreparedSource | None] | None = None


class Workers:
    """Processes that read, cut and embed sources while the calling process writes.

    The first source starts them. If a process dies, new processes take over its sources.
    """

    def __init__(self, count: int, model: Model | None) -> None:
        self._count, self._model = count, model
        self._pool: ProcessPoolExecutor | None = None

    def ahead(
        self,
        items: Iterable[TranscriptSource | Refused],
        edits_of: Callable[[TranscriptSource | Refused], EditsByRecording | None],
    ) -> Generator[Result, None, None]:
        """Yield every source in order with its prepared recordings.

        `edits_of` returns the edits of a source, or None if the source needs no reading; such a source is
        yielded unread. Closing the generator stops the processes.
        """
        waiting: deque[_Pending] = deque()
        try:
            for item in items:
                waiting.append(_Pending(item, edits_of(item)))
                self._start(waiting)
                if len(waiting) >= AHEAD * self._count:
                    yield self._next_result(waiting)
            while waiting:
                yield self._next_result(waiting)
        finally:
            self._stop()

    def _next_result(self, waiting: deque[_Pending]) -> Result:
        """Return the first source in the queue; refuse it if every process that reads it dies."""
        first = waiting[0]
        try:
            prepared = self._result(waiting) if first.edits is not None else None
        except BrokenProcessPool:
            self._restart(waiting)
            waiting.popleft()
            error = IngestError(f"{first.item.name}: the process that read it was ended {ATTEMPTS} times")
            return Refused(first.item.name, error), None
        waiting.popleft()
        self._start(waiting)
        return first.item, prepared

    def _result(self, waiting: deque[_Pending]) -> PreparedSource | None:
        """Wait for the first source in the queue. Raises BrokenProcessPool if processes die over it."""
        for attempt in range(ATTEMPTS):
            if attempt:
                self._restart(waiting)
            try:
                return (waiting[0].future or self._submit(waiting[0])).result()
            except BrokenProcessPool as error:
                broken = error
            except Exception:  # the result cannot be pickled: the calling process reads the source again
                return None
        raise broken

    def _start(self, waiting: Iterable[_Pending]) -> None:
        try:
            for pending in waiting:
                if pending.future is None and pending.edits is not None:
                    self._submit(pending)
        except BrokenProcessPool:
            return  # `_result` gets the same error, and restarts the processes

    def _submit(self, pending: _Pending) -> Future[PreparedSource | None]:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                self._count, get_context("spawn"), _start_worker, (self._model, self._count)
            )
        with _signals_deferred():
            pending.future = self._pool.submit(_prepare_source, pending.item, pending.edits)
        return pending.future

    def _restart(self, waiting: Iterable[_Pending]) -> None:
        self._stop()
        for pending in waiting:
            future = pending.future
            # a result that is ready stays, even if its process has died
            if not (future and future.done() and not future.exception()):
                pending.future = None

    def _stop(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
        self._pool = None


@contextmanager
def _signals_deferred() -> Iterator[None]:
    """Defer Ctrl-C and TERM until this context ends. Processes that start within it never take Ctrl-C.

    A pool that is interrupted while it starts its processes may wait for them forever. Ignoring Ctrl-C
    meanwhile would lose it.
    """
    arrived: list[int] = []
    before = {}
    try:
        for number in (signal.SIGINT, signal.SIGTERM):
            if callable(signal.getsignal(number)):
                before[number] = signal.signal(number, lambda number, _frame: arrived.append(number))
    except ValueError:  # not the main thread: the caller handles signals
        yield
        return
    mask = None
    if hasattr(signal, "pthread_sigmask"):  # not on Windows
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        if mask is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        for number, handler in before.items():
            signal.signal(number, handler)
        if arrived:
            signal.raise_signal(arrived[0])


_worker_settings: list[tuple[Model | None, int]] = []
"""The settings of a worker process: its model, and the number of workers that share the machine."""


def _start_worker(model: Model | None, count: int) -> None:
    """Set a worker up: it ignores Ctrl-C, and ends when the process that started it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    give_way()
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _worker_settings.append((model, count))


def give_way() -> None:
    """Lower this process's priority for good, so that questions are answered first (not on Windows)."""
    if hasattr(os, "nice"):
        os.nice(max(0, NICE - os.nice(0)))


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _prepare_source(
    item: TranscriptSource | Refused, edits_by_recording: EditsByRecording | None
) -> PreparedSource | None:
    """Read a source and prepare its recordings.

    Return None if that fails. The writing process then reads the source again and gets the error itself,
    because many errors cannot be pickled.
    """
    if isinstance(item, Refused) or edits_by_recording is None:
        return None
    try:
        transcripts, embedder = item.transcripts(), _embedder()
        prepared = {}
        with slot():
            for transcript in transcripts:
                recording = recording_of(item, transcript)
                edits = edits_by_recording.get(recording.id, Edits({}, {}))
                prepared[recording.id] = prepare(recording, transcript, edits, embedder, item.vectors)
        return PreparedSource(transcripts, prepared, embedder.spent() if isinstance(embedder, Metered) else 0)
    except Exception:
        return None


@cache
def _embedder() -> Embedder | None:
    """Open this worker's embedder once, on its share of the processors. Raises ModelError."""
    model, count = _worker_settings[0]
    if model is None:
        return None
    own = {"workers": max(1, (os.cpu_count() or 1) // count)} if model.name == "minilm" else {}
    embedder = open_embedder(model.name, **model.options, **own)
    if embedder.fingerprint != model.fingerprint:
        raise IngestError(f"{model.name} is another model in a process of its own")
    return embedder
