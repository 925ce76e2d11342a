"""Vectors for recordings that have none, and other ones for all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np

from onrecord.archive.models import Models, identity
from onrecord.ingest.passages import texts_to_embed
from onrecord.models.base import Embedder
from onrecord.stores import Store

if TYPE_CHECKING:
    from onrecord.types import Vectors

Progress = Callable[[int, int, str], None]


def embedded(store: Store, models: Models, progress: Progress | None) -> int:
    """Give vectors to the recordings that have none; each is kept as soon as it is there. Returns how many.
    Raises ModelMismatchError where the archive has vectors of another model."""
    embedder = models.open_embedder()
    models.check(embedder)
    models.remember(embedder)
    waiting = store.without_vectors()
    for name in _told(waiting, progress):
        store.set_vectors(name, _vectors(store, name, embedder))
    return len(waiting)


def embedded_anew(store: Store, models: Models, progress: Progress | None) -> int:
    """Exchange all vectors for those of the model in the settings, in one step at the end: whoever asks
    meanwhile, or after this was interrupted, is answered by the old ones. Returns how many recordings."""
    embedder = models.open_embedder()
    names = [recording.id for recording in store.recordings()]
    with TemporaryDirectory(prefix="onrecord-") as folder:
        files = {name: Path(folder) / f"{number}.npy" for number, name in enumerate(names)}
        for name in _told(names, progress):
            np.save(files[name], _vectors(store, name, embedder))
        store.exchange_vectors(((name, np.load(file)) for name, file in files.items()), identity(embedder))
    models.forget()
    return len(names)


def _vectors(store: Store, name: str, embedder: Embedder) -> Vectors:
    recording = store.recording(name)
    title = recording.details.title if recording else None
    return embedder.embed(texts_to_embed(title, store.transcript(name)))


def _told(names: Sequence[str], progress: Progress | None) -> Iterator[str]:
    for number, name in enumerate(names):
        if progress:
            progress(number, len(names), name)
        yield name
    if progress:
        progress(len(names), len(names), "")
