"""What a transcript becomes before it is written: passages, sections, vectors; here or in other processes."""

from __future__ import annotations

import hashlib
import os
import re
import signal
import threading
import unicodedata
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from multiprocessing import get_context, parent_process
from pathlib import Path
from typing import TYPE_CHECKING, Any

from onrecord.archive.editing import Edits
from onrecord.errors import IngestError
from onrecord.graph.extract import knowledge_of
from onrecord.ingest.language import language_of
from onrecord.ingest.outcomes import Refused, TranscriptSource, TurnVectors
from onrecord.ingest.passages import Cutter, texts_of
from onrecord.ingest.people import with_one_name_each
from onrecord.models import open_embedder
from onrecord.models.base import Embedder, Metered
from onrecord.types import Details, Knowledge, Passage, Recording, Section, Transcript

if TYPE_CHECKING:
    from onrecord.types import Vectors

AHEAD = 2
"""Sources read ahead of the one that is written, for each worker."""
_COMPARED, _ALIKE = 3, 0.6
"""Vectors of a source that are compared with those of the archive's model, and the least cosine with its own.
Other precisions of a model, and a title before the text, stay above; other models are near 0."""
ATTEMPTS = 3
"""Processes that may die over a source before it is refused; all but the first have it alone."""


@dataclass(frozen=True, slots=True, eq=False)
class Ready:
    """A recording as it is written, the `edits` that are in it, and `notes` for whoever added it."""

    edits: Edits
    recording: Recording
    passages: Sequence[Passage]
    sections: Sequence[Section]
    vectors: Vectors | None
    knowledge: Knowledge
    notes: tuple[str, ...] = ()


def prepare(
    recording: Recording,
    transcript: Transcript,
    edits: Edits,
    embedder: Embedder | None,
    given: TurnVectors | None = None,
) -> Ready:
    """Cut a transcript, embed it, and make what is made of it. `given` vectors of its turns stay, with the
    turns as passages, where they are of the embedder's model. Raises InputError, ModelError."""
    notes = tuple(filter(None, [_unlike(given, transcript, embedder)])) if given and embedder else ()
    transcript = edits.of_transcript(with_one_name_each(transcript))
    language = transcript.details.language or language_of(turn.text for turn in transcript.turns)
    details = replace(transcript.details, language=language)
    if given and embedder and not notes:
        passages, named = Cutter().one_each(transcript.turns, recording.id), list[Section]()
        vectors: Vectors | None = given.vectors
    else:
        passages, named = Cutter().cut(replace(transcript, details=details), recording.id)
        vectors = embedder.embed(texts_of(details.title, passages)) if embedder else None
    passages, sections = sectioned(passages, named, vectors, details)
    recording = replace(recording, details=details).counted(passages)
    return Ready(edits, recording, passages, sections, vectors, knowledge_of(recording, passages), notes)


def _unlike(given: TurnVectors, transcript: Transcript, embedder: Embedder) -> str:
    """Why vectors that a source brings are not of the embedder's model; empty where they are. A name can be
    wrong, so a few turns are embedded here too, without what another program may have put before them."""
    few = slice(0, _COMPARED)
    reason = ""
    if given.model not in (embedder.name, embedder.fingerprint):
        reason = f"they are said to be of {given.model}"
    elif given.vectors.shape[1] != embedder.dimensions:
        reason = f"they have {given.vectors.shape[1]} dimensions, not {embedder.dimensions}"
    else:
        own = embedder.embed([turn.text for turn in transcript.turns[few]])
        if (own * given.vectors[few]).sum(axis=1).min() < _ALIKE:
            reason = f"of the same text it makes others (cosine below {_ALIKE})"
    return reason and f"embedded anew by {embedder.name}, as the vectors there are not its own: {reason}"


def recording_of(item: TranscriptSource, transcript: Transcript) -> Recording:
    """The recording that a transcript of a source becomes, not yet counted."""
    return Recording(
        id=_recording_id(item.source, transcript.part, item.name),
        source=item.source,
        checksum=item.checksum,
        format=transcript.format,
        details=transcript.details,
    )


def _recording_id(source: str, part: str, name: str) -> str:
    """A short, stable id: readable from the name, told apart by six hexadecimal digits of source and part."""
    plain = unicodedata.normalize("NFKD", Path(name).stem).encode("ascii", "ignore").decode()
    slug = re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")[:48].rstrip("-") or "recording"
    digest = hashlib.sha256("\0".join((source, part)).encode("utf-8", "surrogateescape")).hexdigest()
    return f"{slug}-{digest[:6]}"


def sectioned(
    passages: Sequence[Passage], given: Sequence[Section], vectors: Vectors | None, details: Details
) -> tuple[list[Passage], list[Section]]:
    """What is made of passages at ingest: their sections, and what each is worth."""
    from onrecord.ingest.sections import Sectioner  # its phrases take a while to compile: only to add

    return Sectioner().make(passages, given, vectors, details)


# ---------------------------------------------------------------- in other processes


@dataclass(frozen=True, slots=True)
class Model:
    """The embedder that each process opens for itself: as `open_embedder` takes it, and its fingerprint."""

    name: str
    options: Mapping[str, Any]
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Made:
    """What a process has made of a source: its transcripts, its recordings by id, and the tokens that were
    paid for."""

    transcripts: tuple[Transcript, ...]
    ready: Mapping[str, Ready]
    spent: int = 0


Known = Mapping[str, Edits]
"""What people changed of the recordings of a source, by id."""
Taken = tuple[TranscriptSource | Refused, Made | None]
"""A source, and what was made of it, where it was not left to this process."""


@dataclass(slots=True)
class _Waiting:
    item: TranscriptSource | Refused
    known: Known | None
    future: Future[Made | None] | None = field(default=None)

    @property
    def is_done(self) -> bool:
        """Whether there is a result, whatever has become of the process."""
        return self.future is not None and self.future.done() and not self.future.exception()


class Workers:
    """Processes that read, cut and embed sources ahead of the process that writes. The first source starts
    them. Where one dies, its sources are given to new ones."""

    def __init__(self, count: int, model: Model | None) -> None:
        self._count, self._model = count, model
        self._pool: ProcessPoolExecutor | None = None

    def ahead(
        self,
        items: Iterable[TranscriptSource | Refused],
        known: Callable[[TranscriptSource | Refused], Known | None],
    ) -> Generator[Taken, None, None]:
        """Each source in its order with what was made of it. `known` tells the edits of one that is to be
        made; None: it is not, and comes as it is. Closing this ends the processes."""
        waiting: deque[_Waiting] = deque()
        try:
            for item in items:
                waiting.append(_Waiting(item, known(item)))
                self._start(waiting)
                if len(waiting) >= AHEAD * self._count:
                    yield self._first(waiting)
            while waiting:
                yield self._first(waiting)
        finally:
            self._end()

    def _first(self, waiting: deque[_Waiting]) -> Taken:
        """The first that waits. One over which processes die again and again is refused."""
        first = waiting[0]
        try:
            made = self._result(waiting) if first.known is not None else None
        except BrokenProcessPool:
            self._renew(waiting)
            waiting.popleft()
            error = IngestError(f"{first.item.name}: the process that read it was ended {ATTEMPTS} times")
            return Refused(first.item.name, error), None
        waiting.popleft()
        self._start(waiting)
        return first.item, made

    def _result(self, waiting: deque[_Waiting]) -> Made | None:
        """What was made of the first. Raises BrokenProcessPool where processes die over it."""
        for attempt in range(ATTEMPTS):
            if attempt:
                self._renew(waiting)
            try:
                return (waiting[0].future or self._submit(waiting[0])).result()
            except BrokenProcessPool as error:
                broken = error
            except Exception:  # what was made does not travel: it is made again here
                return None
        raise broken

    def _start(self, waiting: Iterable[_Waiting]) -> None:
        try:
            for each in waiting:
                if each.future is None and each.known is not None:
                    self._submit(each)
        except BrokenProcessPool:
            return  # it is met again where the result of the first is wanted

    def _submit(self, each: _Waiting) -> Future[Made | None]:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                self._count, get_context("spawn"), _begin, (self._model, self._count)
            )
        with _uninterrupted():
            each.future = self._pool.submit(_make, each.item, each.known)
        return each.future

    def _renew(self, waiting: Iterable[_Waiting]) -> None:
        self._end()
        for each in waiting:
            if not each.is_done:
                each.future = None

    def _end(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
        self._pool = None


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Processes that are started in here do not hear Ctrl-C, from their first moment on."""
    try:
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    except ValueError:  # not the main thread: who runs us there handles signals
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


_mine: list[tuple[Model | None, int]] = []
"""In a worker: the model that it embeds with, and how many workers there are."""


def _begin(model: Model | None, count: int) -> None:
    """Begin a process that ends with the one that started it, which alone is interrupted by Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _mine.append((model, count))


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _make(item: TranscriptSource | Refused, known: Known | None) -> Made | None:
    """Read a source, and make its recordings. None where that fails: the process that writes does it again,
    and meets the error itself, as errors do not travel well."""
    if isinstance(item, Refused) or known is None:
        return None
    try:
        transcripts, embedder = item.transcripts(), _embedder()
        ready = {}
        for transcript in transcripts:
            recording = recording_of(item, transcript)
            edits = known.get(recording.id, Edits({}, {}))
            ready[recording.id] = prepare(recording, transcript, edits, embedder, item.vectors)
        return Made(transcripts, ready, embedder.spent() if isinstance(embedder, Metered) else 0)
    except Exception:
        return None


@cache
def _embedder() -> Embedder | None:
    """This process's embedder, on its share of the processors. Raises ModelError."""
    model, count = _mine[0]
    if model is None:
        return None
    own = {"workers": max(1, (os.cpu_count() or 1) // count)} if model.name == "minilm" else {}
    embedder = open_embedder(model.name, **model.options, **own)
    if embedder.fingerprint != model.fingerprint:
        raise IngestError(f"{model.name} is another model in a process of its own")
    return embedder
