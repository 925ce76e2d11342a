"""Embedding: vectors for recordings without them, or new vectors for all recordings."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np

from onrecord.archive.models import Models, identity
from onrecord.archive.progress import Progress, with_progress
from onrecord.ingest.passages import texts_to_embed
from onrecord.models.base import Embedder
from onrecord.stores import Store

if TYPE_CHECKING:
    from onrecord.types import Vectors


def embed_missing(store: Store, models: Models, progress: Progress | None) -> int:
    """Embed the recordings that have no vectors, and store each at once. Return their number.

    Raises ModelMismatchError if the archive has vectors of another model.
    """
    embedder = models.open_embedder()
    models.check(embedder)
    models.remember(embedder)
    names = store.without_vectors()
    for name in with_progress(names, progress):
        store.set_vectors(name, _vectors(store, name, embedder))
    return len(names)


def embed_again(store: Store, models: Models, progress: Progress | None) -> int:
    """Replace all vectors by those of the settings' model, in one step at the end.

    Until then, or if this is interrupted, the old vectors answer questions. Return the number of recordings.
    """
    embedder = models.open_embedder()
    names = [recording.id for recording in store.recordings()]
    with TemporaryDirectory(prefix="onrecord-") as folder:
        files = {name: Path(folder) / f"{number}.npy" for number, name in enumerate(names)}
        for name in with_progress(names, progress):
            np.save(files[name], _vectors(store, name, embedder))
        store.exchange_vectors(((name, np.load(file)) for name, file in files.items()), identity(embedder))
    models.forget()
    return len(names)


def _vectors(store: Store, name: str, embedder: Embedder) -> Vectors:
    recording = store.recording(name)
    title = recording.details.title if recording else None
    return embedder.embed(texts_to_embed(title, store.transcript(name)))
