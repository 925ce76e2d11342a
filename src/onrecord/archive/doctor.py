"""Checks for what the archive, the strategy and the models in the settings lack."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from onrecord.archive.backup import check_whole
from onrecord.archive.models import language_models
from onrecord.errors import NotFoundError, OnRecordError, StoreError
from onrecord.models import open_embedder, open_reranker
from onrecord.settings import Settings
from onrecord.stores import is_file, open_store, workspaces
from onrecord.stores.base import Store
from onrecord.stores.database import Comparison
from onrecord.stores.open import path_of

_DOWNLOADERS = {"fastembed": "fastembed", "sentence-transformers": "sentence_transformers"}
"""Libraries that download a model when it is opened, each with its package. The extra has the library's
name."""


@dataclass(frozen=True, slots=True)
class Check:
    """One finding. `state` is "ok", "note" or "missing"; `said` describes it; `advice` says what to do."""

    name: str
    state: str
    said: str
    advice: str = ""


def examine(settings: Settings, *, mend: bool = False) -> list[Check]:
    """Return all findings, those on the archive first.

    Nothing is changed or fetched, except that `mend` updates an index beside the archive.
    """
    checks = [*_archive(settings, mend=mend), _strategy(settings), _embedding(settings)]
    if settings.rerank.model not in (None, "", "none", "minilm"):
        checks.append(_openable("reranking", str(settings.rerank.model), open_reranker))
    return [*checks, *_language_models(settings)]


# ---------------------------------------------------------------- the archive


def _archive(settings: Settings, *, mend: bool) -> Iterator[Check]:
    url, vectors = settings.archive_url, settings.vectors.model_dump()
    try:
        if is_file(url):
            yield from _file(url)
        else:
            from onrecord.stores.postgres.doctor import examine_server

            yield from (Check(*finding) for finding in examine_server(url))
        with closing(open_store(url, settings.workspace, make=False, vectors=vectors)) as store:
            yield from _contents(store, url)
            yield from _index(store, mend=mend)
    except NotFoundError as error:
        yield Check("archive", "note", str(error))
    except OnRecordError as error:
        yield Check("archive", "missing", str(error))


def _file(url: str) -> Iterator[Check]:
    path = Path(path_of(url))
    if path.exists():
        check_whole(path)
        size = f"{path} ({path.stat().st_size / 1e6:.1f} MB)"
        if os.access(path, os.W_OK) and os.access(path.parent, os.W_OK):
            yield Check("archive", "ok", f"{size} is whole, and can be written")
        else:
            yield Check("archive", "note", f"{size} is whole, and can only be read")


def _contents(store: Store, url: str) -> Iterator[Check]:
    names = workspaces(url)
    if store.workspace not in names:
        yield Check("workspace", "note", f"{store.workspace} has nothing yet; there are {', '.join(names)}")
        return
    stats = store.stats()
    said = f"{store.workspace}: {stats['recordings']:,} recordings, {stats['passages']:,} passages"
    yield Check("workspace", "ok", said)
    waiting = len(store.without_vectors())
    if waiting:
        yield Check("vectors", "note", f"{waiting:,} recordings have none", "make them with: onrecord embed")


def _index(store: Store, *, mend: bool) -> Iterator[Check]:
    """Check that an index beside the archive has exactly the archive's vectors."""
    try:
        before = store.compare()
        if before and mend:
            store.mend()
        after = store.compare() if mend else before
    except StoreError as error:
        yield Check("index", "missing", str(error))
        return
    if after is None:
        return
    if not after:
        yield Check("index", "ok", f"{after.where}" + (f", mended: {_in_words(before)}" if before else ""))
        return
    advice = "mend it with: onrecord doctor --mend"
    yield Check("index", "note", f"{after.where}: {_in_words(after)}", "" if mend else advice)


def _in_words(differences: Comparison) -> str:
    counts = {
        "{:,} passages wait to be written": differences.waiting,
        "{:,} passages lack their point": differences.missing,
        "{:,} points too many": differences.extra,
    }
    return ", ".join(text.format(count) for text, count in counts.items() if count)


# ---------------------------------------------------------------- strategy and models


def _strategy(settings: Settings) -> Check:
    """Check that the strategy of the settings can be read, and exists."""
    from onrecord.strategies import configured_strategies, default_strategy, named

    try:
        own = configured_strategies(settings.strategies, settings.retrieval.figures)
        strategy = named(default_strategy(settings.strategy, own), own)
    except OnRecordError as error:
        return Check("strategy", "missing", str(error))
    return Check("strategy", "ok", strategy.name)


def _embedding(settings: Settings) -> Check:
    name = settings.embedding.model or "minilm"
    if name == "none":
        return Check("embedding", "note", "none: words alone are searched")
    if name != "minilm":
        base_url = settings.embedding.base_url if name.startswith("openai:") else None
        options = {"base_url": base_url} if base_url else {}
        return _openable("embedding", name, partial(open_embedder, **options))
    from onrecord.models.minilm.weights import weights_present

    if weights_present(path=settings.embedding.weights):
        return Check("embedding", "ok", "minilm: its weights are here")
    return Check(
        "embedding", "missing", "minilm: its weights are not here", "fetch them with: onrecord models fetch"
    )


def _openable(what: str, name: str, open_model: Callable[[str], object]) -> Check:
    """Check that a model can be opened.

    If opening could download the model, only check that its package is installed.
    """
    package = _DOWNLOADERS.get(name.partition(":")[0]) if not name.endswith(":") else None
    try:
        if package is None:
            open_model(name)
    except OnRecordError as error:
        return Check(what, "missing", str(error))
    if package and find_spec(package) is None:
        extra = name.partition(":")[0]
        return Check(what, "missing", f"{name} needs a package", f"pip install 'onrecord[{extra}]'")
    return Check(what, "ok", name)


def _language_models(settings: Settings) -> Iterator[Check]:
    """Check that each language model has its package and its key. No request is sent."""
    try:
        models = language_models(settings.llm)
    except OnRecordError as error:
        yield Check("model", "missing", str(error))
        return
    for name in dict.fromkeys(model.name for model in models.values()):
        roles = [role for role, model in models.items() if model.name == name]
        try:
            models[roles[0]].warm()
        except OnRecordError as error:
            yield Check("model", "missing", str(error))
        else:
            yield Check("model", "ok", f"{name}: {', '.join(roles)}")
