"""Taking in: what was read becomes recordings with passages, sections and vectors, each in one piece."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from onrecord.archive.distributing import Actors, Written
from onrecord.archive.editing import Edits, edits_of, forget
from onrecord.archive.models import Models
from onrecord.archive.preparing import PreparedSource, Workers, prepare, recording_of, sectioned
from onrecord.errors import DiskFullError, LockedError, OnRecordError, UnusableError
from onrecord.ingest.outcomes import Refused, Skipped, TranscriptSource, TurnVectors
from onrecord.ingest.twins import are_twins, fingerprint, is_richer, rare_words, words_in
from onrecord.models.base import Metered
from onrecord.stores import Store
from onrecord.stores.words import terms
from onrecord.types import Recording, Transcript

if TYPE_CHECKING:
    from onrecord.ingest.importing import ImportedTable
    from onrecord.ingest.sources import Gathering

Progress = Callable[[int, int, str], None]
"""Called with how many are done, of how many, and the name of the one at hand."""
RARE, MOST_HOLDING, MOST_TWINS = 12, 20, 3
"""How many rare words a twin is looked up by, in how many passages each, and how many are compared."""
OF_THE_ARCHIVE = (LockedError, DiskFullError, UnusableError)
"""Errors that every source would meet."""


@dataclass(frozen=True, slots=True)
class Added:
    """What became of everything that was named to `Archive.add`. Recordings by what was done with
    them; `refused` and `skipped` by the source's name with the reason; `twins` are sources that say the same
    as a recording that is kept, and say less of who and when; `notes` are for the user."""

    added: tuple[Recording, ...] = ()
    changed: tuple[Recording, ...] = ()
    unchanged: tuple[Recording, ...] = ()
    refused: tuple[tuple[str, OnRecordError], ...] = ()
    skipped: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    twins: tuple[tuple[str, Recording], ...] = ()


class Intake:
    """Takes what was found into a store, and keeps account of it. Where there is no embedder, recordings get
    no vectors, and a note says why. `strict` raises the first error; `keep_both` keeps recordings that have
    the same words. `workers` processes read, cut and embed; this one writes, or `actors` elsewhere do all.
    Raises ModelMismatchError."""

    def __init__(
        self,
        store: Store,
        models: Models,
        strict: bool = False,
        keep_both: bool = False,
        workers: int = 1,
        actors: Actors | None = None,
    ) -> None:
        self._notes: list[str] = []
        self._store, self._models, self._strict = store, models, strict
        self._embedder = models.embedder(self._notes)
        self._known: dict[tuple[str, str], list[Recording]] = {}
        self._names: dict[str, list[str]] = {}
        self._edited: dict[str, dict[str, Edits]] = {}
        for recording in store.recordings():
            self._known.setdefault((recording.source, recording.checksum), []).append(recording)
            self._names.setdefault(recording.source, []).append(recording.id)
        self._added: list[Recording] = []
        self._changed: list[Recording] = []
        self._unchanged: list[Recording] = []
        self._refused: list[tuple[str, OnRecordError]] = []
        self._twins: list[tuple[str, Recording]] = []
        self._keep_both, self._workers, self._actors = keep_both, workers, actors
        self.spent = 0
        """Tokens that the workers have paid for."""

    def take_all(
        self,
        found: Gathering | ImportedTable,
        source: str | None,
        progress: Progress | None,
        stop: Callable[[], bool] | None = None,
    ) -> None:
        """Take in one source after the other. One that is refused does not stop the others; what is wrong
        with the archive does, as they would meet it too. `source` is what a source is remembered as, in place
        of its own name. Where `stop` says so, the rest is left."""
        named = (
            replace(i, source=source) if source and isinstance(i, TranscriptSource) else i for i in found
        )
        with closing(self._ahead(named)) as items:
            for number, (item, made) in enumerate(items):
                if stop and stop():
                    break
                if progress:
                    progress(number, len(found), item.name)
                try:
                    self._take(item, made)
                except OnRecordError as error:
                    if self._strict:
                        raise
                    self._refused.append((item.name, error))
                    if isinstance(error, OF_THE_ARCHIVE):
                        self._stopped(len(found) - number - 1)
                        break
        if progress:
            progress(len(found), len(found), "")

    def write(self, item: TranscriptSource) -> Written | None:
        """Take in one source for another process, which keeps the account. None where it is refused: that
        process meets the error itself, as errors do not travel well."""
        self._added, self._changed, self._unchanged, self._twins, self._notes = [], [], [], [], []
        try:
            self._take(item, None)
        except OnRecordError:
            return None
        spent = self._embedder.spent() if isinstance(self._embedder, Metered) else 0
        recordings = (*self._added, *self._changed, *self._unchanged)
        return Written(recordings, tuple(self._twins), tuple(self._notes), spent)

    def _account(self, written: Written) -> None:
        """Keep account of what an actor wrote. What was not there before is new, although an actor that was
        started again says that it is there already."""
        self.spent += written.spent
        self._notes += [note for note in written.notes if note not in self._notes]
        before = {id for ids in self._names.values() for id in ids}  # noqa: A001 - the field's own name
        for recording in written.recordings:
            (self._changed if recording.id in before else self._added).append(recording)
        self._twins += written.twins
        replaced = {name for name, _ in written.twins}
        self._added = [recording for recording in self._added if recording.source not in replaced]
        self._changed = [recording for recording in self._changed if recording.source not in replaced]

    def _ahead(
        self, items: Iterable[TranscriptSource | Refused]
    ) -> Generator[tuple[TranscriptSource | Refused, PreparedSource | Written | None], None, None]:
        """Sources with what other processes have made of them, if there are any."""
        if self._actors:
            with closing(self._actors.ahead(items, self._edits)) as written:
                yield from written
            return
        if self._workers < 2:
            yield from ((item, None) for item in items)
            return
        model = self._models.chosen(self._embedder) if self._embedder else None
        with closing(Workers(self._workers, model).ahead(items, self._edits)) as made:
            yield from made

    def _edits(self, item: TranscriptSource | Refused) -> dict[str, Edits] | None:
        """What people changed of the recordings of a source; None where nothing is to be made of it."""
        if isinstance(item, Refused) or (item.source, item.checksum) in self._known:
            return None
        if item.source not in self._edited:
            names = self._names.get(item.source, ())
            self._edited[item.source] = {name: edits_of(self._store, name) for name in names}
        return self._edited[item.source]

    def _stopped(self, left: int) -> None:
        those, them = ("the one that was", "it") if left == 1 else (f"the {left} that were", "them")
        if left:
            self._notes.append(f"stopped there: {those} left would have met the same; add again for {them}")

    def _take(self, item: TranscriptSource | Refused, made: PreparedSource | Written | None) -> None:
        """Take in all recordings of a source that are not there yet as they are now. Raises OnRecordError."""
        if isinstance(item, Refused):
            raise item.error
        if isinstance(made, Written):
            self._account(made)
            return
        if (item.source, item.checksum) in self._known:
            self._unchanged += self._known[item.source, item.checksum]
            return
        self.spent += made.spent if made else 0
        for transcript in made.transcripts if made else item.transcripts():
            recording = recording_of(item, transcript)
            before = self._store.recording(recording.id)
            if before and before.checksum == recording.checksum:  # somebody else added it meanwhile
                self._unchanged.append(before)
                continue
            twin = None if before or self._keep_both else self._twin(recording, transcript)
            if twin and not self._is_richer(transcript, twin):
                self._twins.append((item.name, twin))
                continue
            kept = self._put(recording, transcript, made, item.vectors)
            (self._changed if before else self._added).append(kept)
            if twin:
                self._replace(twin, kept)
            self._notes += [f"{item.name}: {warning}" for warning in transcript.warnings]

    def _twin(self, recording: Recording, transcript: Transcript) -> Recording | None:
        """A recording of another source that has the same words."""
        words = words_in(turn.text for turn in transcript.turns)
        runs = fingerprint(words)
        if not runs:
            return None
        hits: Counter[str] = Counter()
        with self._store.snapshot() as reader:
            for term in terms(" ".join(rare_words(words, RARE))):
                hits.update({p.recording for p in reader.passages(reader.holding(term, MOST_HOLDING))})
            for name, count in hits.most_common(MOST_TWINS):
                other = reader.recording(name)
                if count < 2 or other is None or other.source == recording.source:
                    continue
                if are_twins(runs, fingerprint(words_in(p.text for p in reader.transcript(name)))):
                    return other
        return None

    def _is_richer(self, transcript: Transcript, twin: Recording) -> bool:
        """Whether a transcript tells more of who says what when than a recording of the same talk."""
        from onrecord.ingest.export import transcript_of  # only where there is a twin

        return is_richer(transcript, transcript_of(twin, (), self._store.transcript(twin.id)).turns)

    def _replace(self, twin: Recording, by: Recording) -> None:
        """Take out a recording that says less than one that has the same words."""
        self._store.remove(twin.id)
        forget(self._store, twin.id)
        self._added = [recording for recording in self._added if recording.id != twin.id]
        self._changed = [recording for recording in self._changed if recording.id != twin.id]
        self._unchanged = [recording for recording in self._unchanged if recording.id != twin.id]
        self._twins = [(name, by if kept.id == twin.id else kept) for name, kept in self._twins]
        self._twins.append((twin.source, by))

    def _put(
        self,
        recording: Recording,
        transcript: Transcript,
        made: PreparedSource | None,
        vectors: TurnVectors | None,
    ) -> Recording:
        edits = edits_of(self._store, recording.id)
        ready = made.recordings.get(recording.id) if made else None
        if ready is None or ready.edits != edits:  # or somebody edited it meanwhile
            ready = prepare(recording, transcript, edits, self._embedder, vectors)
        if self._embedder:
            self._models.remember(self._embedder)
        self._store.add(ready.recording, ready.passages, ready.sections, ready.vectors, ready.knowledge)
        self._notes += [note for note in ready.notes if note not in self._notes]
        return ready.recording

    def report(self, skipped: Iterable[Skipped]) -> Added:
        """What became of everything."""
        return Added(
            added=tuple(self._added),
            changed=tuple(self._changed),
            unchanged=tuple(self._unchanged),
            refused=tuple(self._refused),
            skipped=tuple((each.name, each.reason) for each in skipped),
            notes=tuple(self._notes),
            twins=tuple(self._twins),
        )


def judge(store: Store, recording: Recording) -> None:
    """Make what is made at ingest of the passages of a recording, if nobody has."""
    with store.snapshot() as reader:
        first = reader.transcript(recording.id, 0, 0)
        if not first or first[0].importance is not None:
            return
        passages, given = reader.transcript(recording.id), reader.sections(recording.id)
        vectors = reader.vectors([passage.row for passage in passages])
    judged, sections = sectioned(passages, given, vectors, recording.details)
    store.set_sections(recording.id, judged, sections)
