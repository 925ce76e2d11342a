"""Adding sources: each becomes recordings with passages, sections and vectors, each written in one piece."""

from __future__ import annotations

from collections.abc import Callable, Container, Generator, Iterable, Mapping, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from onrecord.archive.contents import SPEAKERS, meta_key
from onrecord.archive.distributing import Actors, Write, Written
from onrecord.archive.editing import Edits, edits_of, remember_edits, remove_recording
from onrecord.archive.models import Models
from onrecord.archive.preparing import PreparedSource, Workers, prepare, recording_of
from onrecord.archive.processor_slots import slot
from onrecord.archive.progress import Progress
from onrecord.archive.twin_speakers import with_speakers_of, without_speakers
from onrecord.archive.twins import Twin, find_twin
from onrecord.errors import (
    DiskFullError,
    InputError,
    LockedError,
    OnRecordError,
    UnusableError,
    did_you_mean,
    nearest,
)
from onrecord.ingest.details import parse_set
from onrecord.ingest.export import transcript_of
from onrecord.ingest.outcomes import Refused, Skipped, TranscriptSource, TurnVectors
from onrecord.ingest.people import unify_speakers
from onrecord.settings import Settings
from onrecord.stores import Store, is_file, open_store, shown
from onrecord.types import Details, Recording, Transcript

if TYPE_CHECKING:
    from onrecord.ingest.episodes import Fetch
    from onrecord.ingest.importing import ImportedTable
    from onrecord.ingest.sources import Due, Gathering

ARCHIVE_ERRORS = (LockedError, DiskFullError, UnusableError)
"""Errors of the archive itself, which every other source would also cause."""


@dataclass(frozen=True, slots=True)
class Added:
    """The outcome of `Archive.add`: recordings that were added, changed or unchanged, and other sources.

    `refused` and `skipped` have the source's name and the reason. `twins` are sources with the same words as
    a recording that stays; they say less about who speaks when. `notes` are for the user.
    """

    added: tuple[Recording, ...] = ()
    changed: tuple[Recording, ...] = ()
    unchanged: tuple[Recording, ...] = ()
    refused: tuple[tuple[str, OnRecordError], ...] = ()
    skipped: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    twins: tuple[tuple[str, Recording], ...] = ()


class AddOptions(TypedDict, total=False):
    """The keywords of `Archive.add`. None, and a keyword that is left out, mean the default.

    Args:
        details: take precedence over the details in the sources: ``{"show": "Night Desk"}``.
        manifest: a CSV or YAML file of details by file name.
        fetch: whether to fetch the remote parts of a feed, or the function that fetches them. Default: False.
        strict: raise the first error instead of going on with the other files. Default: False.
        progress: called with the number of sources done, the number of all, and the name of the next one.
        source: the identifier to remember for the one source, in place of its path.
        keep_both: keep two files of one talk. By default the file that says less about who speaks when is
            left out.
        workers: the number of processes that read, cut and embed, while this one writes. With 1 this process
            does everything. A script that asks for more runs its work under ``if __name__ == "__main__"``.
        ray: the address of a Ray cluster whose machines do all the work, by `workers` actors (docs/scale.md).
        due: decides, from the files of a source, whether to read it now. None: read all sources.
        stop: called before each source. If it returns True, the remaining sources are left.
        mapping: a YAML file that says which column means what. The paths are then the address of a table or
            collection (``postgresql://...``, ``qdrant://...``, ``chroma://...``): see docs/importing.md.
    """

    details: Details | Mapping[str, str] | None
    manifest: str | Path | None
    fetch: bool | Fetch
    strict: bool
    progress: Progress | None
    source: str | None
    keep_both: bool
    workers: int
    ray: str | None
    due: Due | None
    stop: Callable[[], bool] | None
    mapping: str | Path | None


def gather_sources(paths: Sequence[str | Path], options: AddOptions) -> Gathering | ImportedTable:
    """Return the sources under paths, or the rows of a table if the options have a mapping."""
    from onrecord.ingest.importing import import_table
    from onrecord.ingest.sources import gather

    for name in options.keys() - AddOptions.__annotations__.keys():
        hint = did_you_mean(nearest(name, AddOptions.__annotations__), ": ")
        raise InputError(f"add has no keyword {name!r}{hint}")
    for path in paths:
        if not isinstance(path, (str, Path)):
            raise InputError(f"add takes paths, not {type(path).__name__}: give several as add(*paths)")
    details, mapping = options.get("details"), options.get("mapping")
    if not isinstance(details, Details):
        details = parse_set([f"{name}={value}" for name, value in (details or {}).items()], "the detail")
    if mapping is not None:
        return import_table(paths, mapping, details)
    manifest = options.get("manifest")
    table = Path(manifest) if manifest else None
    return gather(
        paths, fetch=options.get("fetch", False), set=details, manifest=table, due=options.get("due")
    )


@dataclass(slots=True)
class Outcome:
    """The outcome of the sources so far: see `Added`. `spent` counts the tokens of other processes."""

    notes: list[str] = field(default_factory=list)
    added: list[Recording] = field(default_factory=list)
    changed: list[Recording] = field(default_factory=list)
    unchanged: list[Recording] = field(default_factory=list)
    refused: list[tuple[str, OnRecordError]] = field(default_factory=list)
    twins: list[tuple[str, Recording]] = field(default_factory=list)
    spent: int = 0

    def note_once(self, notes: Iterable[str]) -> None:
        """Add the notes that are not there yet."""
        self.notes += [note for note in notes if note not in self.notes]

    def replace(self, twin: Recording, by: Recording) -> None:
        """Count a recording as the twin of another one that has taken its place."""
        for recordings in (self.added, self.changed, self.unchanged):
            recordings[:] = [recording for recording in recordings if recording.id != twin.id]
        self.twins = [(name, by if stayed.id == twin.id else stayed) for name, stayed in self.twins]
        self.twins.append((twin.source, by))

    def update(self, recording: Recording) -> None:
        """Put a recording that was written again in place of what it was; it may have changed only now."""
        for recordings in (self.added, self.changed):
            if any(each.id == recording.id for each in recordings):
                recordings[:] = [recording if each.id == recording.id else each for each in recordings]
                return
        self.unchanged = [each for each in self.unchanged if each.id != recording.id]
        self.changed.append(recording)

    def count(self, written: Written, before: Container[str]) -> None:
        """Count a source that an actor wrote; `before` are the ids that the archive had before all sources.

        A recording that is not one of these counts as new: an actor that was started again reports its own
        recordings as unchanged.
        """
        self.spent += written.spent
        self.note_once(written.notes)
        for recording in written.recordings:
            (self.changed if recording.id in before else self.added).append(recording)
        self.twins += written.twins
        replaced = {name for name, _ in written.twins}
        self.added = [recording for recording in self.added if recording.source not in replaced]
        self.changed = [recording for recording in self.changed if recording.source not in replaced]

    def report(self, skipped: Iterable[Skipped]) -> Added:
        """Return the outcome of every source."""
        return Added(
            added=tuple(self.added),
            changed=tuple(self.changed),
            unchanged=tuple(self.unchanged),
            refused=tuple(self.refused),
            skipped=tuple((each.name, each.reason) for each in skipped),
            notes=tuple(self.notes),
            twins=tuple(self.twins),
        )


class Intake:
    """A writer of sources into a store.

    Without an embedder recordings get no vectors, and a note says why. Raises ModelMismatchError.
    """

    def __init__(
        self, store: Store, models: Models, settings: Settings, options: AddOptions | None = None
    ) -> None:
        self._options = options or {}
        self._notes: list[str] = []
        self._store, self._models = store, models
        self._embedder = models.embedder(self._notes)
        self._known: dict[tuple[str, str], list[Recording]] = {}
        self._names: dict[str, list[str]] = {}
        self._edited: dict[str, dict[str, Edits]] = {}
        for recording in store.recordings():
            self._known.setdefault((recording.source, recording.checksum), []).append(recording)
            self._names.setdefault(recording.source, []).append(recording.id)
        self._workers, ray = self._options.get("workers", 1), self._options.get("ray")
        self._keep_both = self._options.get("keep_both", False)
        self._actors = _actors(settings, ray, self._workers, self._keep_both) if ray else None

    def add(self, sources: Gathering | ImportedTable) -> Outcome:
        """Add one source after the other.

        A source that is refused does not stop the others. An error of the archive does, because the others
        would cause it too. See `AddOptions` for `source`, `progress`, `strict` and `stop`.
        """
        options, outcome = self._options, Outcome(list(self._notes))
        source, progress, stop = options.get("source"), options.get("progress"), options.get("stop")
        named = (
            replace(i, source=source) if source and isinstance(i, TranscriptSource) else i for i in sources
        )
        with closing(self._prepared(named)) as items:
            for number, (item, prepared) in enumerate(items):
                if stop and stop():
                    break
                if progress:
                    progress(number, len(sources), item.name)
                try:
                    self._take(item, prepared, outcome)
                except OnRecordError as error:
                    if options.get("strict"):
                        raise
                    outcome.refused.append((item.name, error))
                    if isinstance(error, ARCHIVE_ERRORS):
                        outcome.notes += _note_stop(len(sources) - number - 1)
                        break
        if progress:
            progress(len(sources), len(sources), "")
        return outcome

    def write(self, item: TranscriptSource) -> Written | None:
        """Add one source on behalf of another process, which counts the outcome.

        Return None if the source is refused. The other process then reads it again and gets the error itself,
        because many errors cannot be pickled.
        """
        outcome = Outcome()
        try:
            self._take(item, None, outcome)
        except OnRecordError:
            return None
        recordings = (*outcome.added, *outcome.changed, *outcome.unchanged)
        return Written(recordings, tuple(outcome.twins), tuple(outcome.notes), self._models.spent())

    def _prepared(
        self, items: Iterable[TranscriptSource | Refused]
    ) -> Generator[tuple[TranscriptSource | Refused, PreparedSource | Written | None], None, None]:
        """Yield each source with the work of another process on it; None if there is none."""
        if self._actors:
            with closing(self._actors.ahead(items, self._edits)) as written:
                yield from written
            return
        if self._workers < 2:
            yield from ((item, None) for item in items)
            return
        model = self._models.chosen(self._embedder) if self._embedder else None
        with closing(Workers(self._workers, model).ahead(items, self._edits)) as prepared:
            yield from prepared

    def _edits(self, item: TranscriptSource | Refused) -> dict[str, Edits] | None:
        """Return the user's edits of a source's recordings; None if the source needs no preparing."""
        if isinstance(item, Refused) or (item.source, item.checksum) in self._known:
            return None
        if item.source not in self._edited:
            names = self._names.get(item.source, ())
            self._edited[item.source] = {name: edits_of(self._store, name) for name in names}
        return self._edited[item.source]

    def _take(
        self, item: TranscriptSource | Refused, prepared: PreparedSource | Written | None, outcome: Outcome
    ) -> None:
        """Write all recordings of a source that are new or have changed. Raises OnRecordError."""
        if isinstance(item, Refused):
            raise item.error
        if isinstance(prepared, Written):
            outcome.count(prepared, {name for names in self._names.values() for name in names})
            return
        if (item.source, item.checksum) in self._known:
            outcome.unchanged += self._known[item.source, item.checksum]
            return
        outcome.spent += prepared.spent if prepared else 0
        with nullcontext() if prepared else slot():
            self._write_recordings(item, prepared, outcome)

    def _write_recordings(
        self, item: TranscriptSource, prepared: PreparedSource | None, outcome: Outcome
    ) -> None:
        for transcript in prepared.transcripts if prepared else item.transcripts():
            recording = recording_of(item, transcript)
            before = self._store.recording(recording.id)
            if before and before.checksum == recording.checksum:  # another process added it meanwhile
                outcome.unchanged.append(before)
                continue
            twin = None if before or self._keep_both else find_twin(self._store, recording, transcript)
            if twin and not twin.poorer:
                outcome.twins.append((item.name, self._give_speakers(twin, transcript, item, outcome)))
                continue
            if twin and (edits := edits_of(self._store, twin.recording.id)):
                remember_edits(self._store, recording.id, edits)
            other, source = self._speakers_from(before, twin)
            if other and not item.vectors and (named := with_speakers_of(transcript, other)):
                stored, notes = self._put_named(recording, named, source)
            else:
                if before and source:  # it has speakers of its own now
                    self._store.set_meta(meta_key(SPEAKERS, recording.id), None)
                stored, notes = self._put(recording, transcript, prepared, item.vectors)
            outcome.note_once(notes)
            (outcome.changed if before else outcome.added).append(stored)
            if before and (lost := _given(before) - _given(stored)):
                outcome.notes.append(f"{item.name}: nothing gives its {', '.join(sorted(lost))} any more")
            if twin:
                remove_recording(self._store, twin.recording.id)
                outcome.replace(twin.recording, stored)
            outcome.notes += [f"{item.name}: {warning}" for warning in transcript.warnings]

    def _speakers_from(self, before: Recording | None, twin: Twin | None) -> tuple[Transcript | None, str]:
        """Return the transcript from which a new one takes speakers, and its source; None if there is none.

        It is that of the twin, or of the recording that is replaced if this took its speakers from a twin.
        """
        if twin:
            return twin.transcript, twin.recording.source
        source = before and self._store.meta(meta_key(SPEAKERS, before.id))
        if not (before and source):
            return None, ""
        with self._store.snapshot() as now:
            return transcript_of(before, (), now.transcript(before.id)), source

    def _give_speakers(
        self, twin: Twin, transcript: Transcript, item: TranscriptSource, outcome: Outcome
    ) -> Recording:
        """Write a transcript's speakers to a stored twin that has none, or has them from there; return it."""
        stored = twin.transcript
        if self._store.meta(meta_key(SPEAKERS, twin.recording.id)) == item.source:
            stored = without_speakers(stored)  # they may have been corrected there
        named = with_speakers_of(stored, transcript)
        if named is None or self._is_stored(named, twin):
            return twin.recording
        recording, notes = self._put_named(twin.recording, named, item.source)
        outcome.note_once(notes)
        outcome.update(recording)
        return recording

    def _is_stored(self, named: Transcript, twin: Twin) -> bool:
        """Return whether each turn of a stored recording has the speaker that it would get."""
        edits = edits_of(self._store, twin.recording.id)
        turns = edits.of_transcript(unify_speakers(named)).turns
        return [(t.speaker, t.text) for t in turns] == [(t.speaker, t.text) for t in twin.transcript.turns]

    def _put_named(
        self, recording: Recording, named: Transcript, source: str
    ) -> tuple[Recording, Sequence[str]]:
        """Write a recording with the speakers of another source. Return it with notes for the user."""
        self._store.set_meta(meta_key(SPEAKERS, recording.id), source)
        stored, notes = self._put(recording, named, None, None)
        note = f"{recording.source}: its speakers come from {source}, which has the same words"
        return stored, [note, *notes]

    def _put(
        self,
        recording: Recording,
        transcript: Transcript,
        prepared: PreparedSource | None,
        vectors: TurnVectors | None,
    ) -> tuple[Recording, Sequence[str]]:
        """Write a recording. Return it with notes for the user.

        It is prepared here unless another process prepared it with the same edits.
        """
        edits = edits_of(self._store, recording.id)
        ready = prepared.recordings.get(recording.id) if prepared else None
        if ready is None or ready.edits != edits:  # a user may have edited it meanwhile
            ready = prepare(recording, transcript, edits, self._embedder, vectors)
        if self._embedder:
            self._models.remember(self._embedder)
        ready.contents.write(self._store)
        return ready.contents.recording, ready.notes


def _note_stop(left: int) -> list[str]:
    """Return a note of how many sources are left after an error of the archive; none if none are."""
    those, them = ("the one that was", "it") if left == 1 else (f"the {left} that were", "them")
    return [f"stopped there: {those} left would have met the same; add again for {them}"] if left else []


def _given(recording: Recording) -> frozenset[str]:
    """Return the names of details that the source or a user gave. The language may be detected instead."""
    return recording.details.names - {"language"}


def _actors(settings: Settings, address: str, count: int, keep_both: bool) -> Actors:
    """Return actors on a Ray cluster.

    Raises InputError for an archive in a file, because only this machine can write it.
    """
    if is_file(settings.archive_url):
        place = shown(settings.archive_url)
        raise InputError(f"--ray needs an archive on a server, which several machines write to: not {place}")
    return Actors(address, count, partial(_open_writer, settings, keep_both))


def _open_writer(settings: Settings, keep_both: bool) -> Write:
    """Open the archive of these settings in another process, and return how to write a source into it."""
    store = open_store(settings.archive_url, settings.workspace, make=False, **settings.store_options)
    return Intake(store, Models(store, settings), settings, {"keep_both": keep_both}).write
