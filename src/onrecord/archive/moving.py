"""Copying of a workspace from one archive into another, with proof that the copy is complete."""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import sha256
from time import time
from typing import TYPE_CHECKING

import numpy as np

from onrecord.archive.contents import Contents, load_contents
from onrecord.archive.editing import remove_recording
from onrecord.archive.progress import Progress
from onrecord.errors import ModelMismatchError, StoreError
from onrecord.stores import Store
from onrecord.stores.base import Snapshot
from onrecord.stores.faq import FaqStore
from onrecord.stores.ledger import ledger_store
from onrecord.stores.ranking import top
from onrecord.stores.records import pack_vectors

if TYPE_CHECKING:
    from onrecord.types import PassageTimeline, Scores

QUESTIONS, FIRST = 20, 50
"""How many questions to put to both archives, and how many of the first passages must be the same."""
_NEAR = 1e-3
"""The score difference below which results may stand in either order. Vectors are stored within 2e-5."""


@dataclass(frozen=True, slots=True)
class Copied:
    """The number of recordings that were `copied`, `unchanged` or `removed`, and of other copied items.

    `checksum` is that of all recordings, the same in both archives.
    """

    workspace: str
    copied: int
    unchanged: int
    removed: int
    passages: int
    faq: int
    feedback: int
    checksum: str
    notes: tuple[str, ...] = ()


def copy_workspace(
    source: Store, target: Store, progress: Progress | None = None, *, mirror: bool = False
) -> Copied:
    """Copy the recordings of a workspace with everything known about them, and verify the copy.

    One state of the source is copied. A recording that the target already has, the same to the last bit, is
    skipped, so that a stopped copy can continue. `mirror` also removes recordings and feedback that the
    source does not have.

    Raises ModelMismatchError if the target has vectors of another model, and StoreError if the target does
    not return what was written.
    """
    with source.snapshot() as snapshot, target.snapshot() as before:
        names, target_names = snapshot.timeline().names, before.timeline().names
        gone = sorted(set(target_names) - set(names)) if mirror else []
        _check_model(snapshot, before, len(target_names) > len(gone))
        for name in gone:
            remove_recording(target, name)
        _copy_metas(snapshot, target, mirror)
        sums, copied = _copy_recordings(snapshot, before, target, progress)
        _copy_names(snapshot, target)
        with target.snapshot() as now:
            _prove(snapshot, now, sums, progress)
        return Copied(
            workspace=source.workspace,
            copied=copied,
            unchanged=len(names) - copied,
            removed=len(gone),
            passages=len(snapshot.timeline()),
            faq=0,
            feedback=_copy_ledger(source, target, mirror),
            checksum=sha256("".join(sums[name] for name in sorted(sums)).encode()).hexdigest(),
        )


def _copy_recordings(
    snapshot: Snapshot, before: Snapshot, target: Store, progress: Progress | None
) -> tuple[dict[str, str], int]:
    """Copy the recordings that the target does not have. Return all checksums, and the number of copies."""
    names, target_names = snapshot.timeline().names, before.timeline().names
    recordings, target_recordings = _Recordings(snapshot), _Recordings(before)
    sums: dict[str, str] = {}
    copied = 0
    for number, name in enumerate(names):
        if progress:
            progress(number, 2 * len(names), name)
        contents = recordings.contents(name)
        sums[name] = _checksum(contents)
        if name not in target_names or target_recordings.checksum(name) != sums[name]:
            contents.write(target)
            copied += 1
    return sums, copied


def copy_faq(source: FaqStore, target: FaqStore, *, mirror: bool = False) -> tuple[int, tuple[str, ...]]:
    """Copy a FAQ: its entries with vectors and thresholds, and the account if the target has none.

    `mirror` also removes entries that the source does not have. Return the number of entries, and notes.
    """
    live, target_entries = source.live(), {entry.id: entry for entry in target.entries()}
    answering = {entry.id for entry in live.entries} if len(live.models) == 1 else set()
    entries = source.entries()
    if mirror and (gone := target_entries.keys() - {entry.id for entry in entries}):
        target.remove(sorted(gone))
    waiting = [entry for entry in entries if entry.status == "live" and entry.id not in answering]
    for entry in entries:  # in order; live entries are drafts until their vectors are written
        if entry != target_entries.get(entry.id):
            target.put([replace(entry, status="draft") if entry.status == "live" else entry])
    if answering:
        stored, (model,) = target.live(), live.models
        same = (live.entries, live.models) == (stored.entries, stored.models)
        if not (same and np.array_equal(live.vectors, stored.vectors)):
            target.put(live.entries, live.vectors, model)
            target.set_thresholds(model, source.recall("", "", model, time()).thresholds)
    if not target.usage():
        target.count(source.usage())
    notes = (
        (f"{len(waiting)} FAQ entries are drafts now: promote them, which embeds them",) if waiting else ()
    )
    return len(entries), notes


# ---------------------------------------------------------------- a recording


class _Recordings:
    """The recordings of one state of an archive, in a form that is equal in every archive that holds them."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._bare = frozenset(snapshot.without_vectors())

    def contents(self, name: str) -> Contents:
        """Return the contents of a recording, without its rows. Raises StoreError if it is missing."""
        contents = load_contents(self._snapshot, name, self._bare)
        if contents is None:
            raise StoreError(f"{name!r} is not in the target: copy again")
        return replace(contents, passages=[replace(passage, row=-1) for passage in contents.passages])

    def checksum(self, name: str) -> str:
        return _checksum(self.contents(name))


def _checksum(contents: Contents) -> str:
    """Return a digest that is the same in any archive. It covers packed vectors."""
    passages, sections = tuple(contents.passages), tuple(contents.sections)
    parts = (contents.recording, passages, sections, contents.knowledge)
    digest = sha256(repr(parts).encode("utf-8", "surrogatepass"))
    if contents.vectors is not None:
        digest.update(pack_vectors(contents.vectors)[1])
    return digest.hexdigest()


# ---------------------------------------------------------------- beside the recordings


def _check_model(snapshot: Snapshot, before: Snapshot, stay: bool) -> None:
    """Raise ModelMismatchError if recordings of the target `stay`, and have vectors of another model."""
    model, target_model = snapshot.meta("model"), before.meta("model")
    if stay and target_model not in (None, model):
        raise ModelMismatchError(
            f"the target's vectors were made by {target_model.get('name')}, the source's by "
            f"{(model or {}).get('name')}: copy into an empty workspace, or embed one anew"
        )


def _copy_metas(snapshot: Snapshot, target: Store, mirror: bool) -> None:
    metas, target_metas = snapshot.metas(), target.metas()
    for key in metas.keys() | (target_metas.keys() if mirror else set()):
        if metas.get(key) != target_metas.get(key):
            target.set_meta(key, metas.get(key))


def _copy_names(snapshot: Snapshot, target: Store) -> None:
    """Copy the aliases that users made, for all entities that the recordings mention."""
    timeline = snapshot.timeline()
    sizes = np.bincount(timeline.recordings, minlength=len(timeline.names)).tolist()
    places = [(name, at) for name, size in zip(timeline.names, sizes, strict=True) for at in range(-1, size)]
    keys = {mention.entity for mention in snapshot.graph.mentioned(places)}
    target_aliases = target.graph.aliases(keys)
    for alias in snapshot.graph.aliases(keys):
        if not alias.recording and alias not in target_aliases:
            target.graph.name(alias)


def _copy_ledger(source: Store, target: Store, mirror: bool) -> int:
    """Copy feedback that the target lacks, and the account if it has none. Return the feedback count.

    `mirror` also removes feedback that the source does not have.
    """
    ledger, copy = ledger_store(source), ledger_store(target)
    if not (ledger and copy):
        return 0
    given, ids = ledger.feedback(), {feedback.id for feedback in copy.feedback()}
    for gone in ids.difference(feedback.id for feedback in given) if mirror else ():
        copy.withdraw(gone)
    new = [feedback for feedback in given if feedback.id not in ids]
    for feedback in new:
        copy.give(feedback)
    if not copy.tallies() and (tallies := ledger.tallies()):
        copy.count(tallies)
    return len(new)


# ---------------------------------------------------------------- proof


def _prove(snapshot: Snapshot, now: Snapshot, sums: dict[str, str], progress: Progress | None) -> None:
    """Check that the target returns every recording as the source does.

    If the target holds nothing else, also check that questions give the same results. Raises StoreError.
    """
    recordings = _Recordings(now)
    for number, (name, checksum) in enumerate(sums.items()):
        if progress:
            progress(len(sums) + number, 2 * len(sums), name)
        if recordings.checksum(name) != checksum:
            raise StoreError(f"{name!r} is not in the target as it is in the source: copy again")
    if set(now.timeline().names) == sums.keys():
        _compare(snapshot, now)


def _compare(one: Snapshot, other: Snapshot) -> None:
    """Search both archives with passages as questions, by words and by vectors.

    Raises StoreError if the first results differ by more than rounding.
    """
    timeline, other_timeline = one.timeline(), other.timeline()
    places = np.unique(np.linspace(0, len(timeline) - 1, QUESTIONS).astype(int)) if len(timeline) else ()
    for at in places:
        (passage,) = one.passages(timeline.rows[[at]])
        words = [passage.text]
        pairs = [(one.keyword(words, timeline), other.keyword(words, other_timeline))]
        vector = one.vectors([passage.row])[0]
        if vector.any():
            pairs.append((one.dense(vector, timeline), other.dense(vector, other_timeline)))
        for scores, other_scores in pairs:
            if not _same_first(timeline, scores, other_timeline, other_scores):
                raise StoreError(
                    f"a question finds other passages in the target ({passage.text[:60]!r}):"
                    " copy again, into an empty workspace"
                )


def _same_first(one: PassageTimeline, scores: Scores, other: PassageTimeline, other_scores: Scores) -> bool:
    """Return whether the first `FIRST` results are the same, apart from results with equal scores."""
    rows, other_rows = top(scores, FIRST), top(other_scores, FIRST)
    if not np.allclose(scores[rows], other_scores[other_rows], atol=_NEAR):
        return False
    clear = rows[scores[rows] > scores[rows][-1] + 2 * _NEAR] if len(rows) else rows
    others = {(other.names[other.recordings[at]], int(other.positions[at])) for at in other_rows}
    return all((one.names[one.recordings[at]], int(one.positions[at])) in others for at in clear)
