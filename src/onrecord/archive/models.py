"""The models of an archive: the embedder, the reranker, the reader and the language models."""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any

from onrecord.errors import (
    EmbeddingError,
    InputError,
    ModelError,
    ModelMismatchError,
    SettingError,
    WeightsError,
)
from onrecord.models import open_embedder, open_reader, open_reranker
from onrecord.models.base import (
    Calibration,
    Embedder,
    LanguageModel,
    Loads,
    Metered,
    Reader,
    Reranker,
    Vocabulary,
)
from onrecord.models.providers import open_language_model
from onrecord.models.roles import Allowance, ModelRoles
from onrecord.retrieve.stage import Tools
from onrecord.settings import Settings
from onrecord.settings.groups import Llm
from onrecord.stores import Store
from onrecord.stores.base import Snapshot

if TYPE_CHECKING:
    from onrecord.archive.preparing import Model
    from onrecord.models.sparse import LazySparse

WITHOUT_MEANINGS = "words alone were used, without meanings"
"""The beginning of a note that says why the embedding model could not be used."""

CALIBRATION = "calibration"
"""The key under which the store has the calibration of the embedder's cosines for this archive."""

WITHOUT_READER = "quotes were chosen by words and vectors, without the reader"
"""The beginning of a note that says why the reader could not be used."""


class Models:
    """The models of one archive. Each is opened when it is first needed, and stays open."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store, self._settings = store, settings
        self.opened: Embedder | None = None
        """The embedder, if it has been needed so far."""
        self.metered: list[Metered] = []
        """The embedders so far that cost money, also those for a new embedding and for the FAQ."""

    def tools(
        self, snapshot: Snapshot, notes: list[str], reads: bool = True, llm: Llm | None = None
    ) -> Tools:
        """Return the tools of the stages for one question.

        `notes` gets the reason for each missing model. The trained reader is loaded only if `reads`. `llm`
        replaces the archive's own settings for language models.
        """
        embedder = self.embedder(notes)
        limits = (llm or self._settings.llm).model_dump(include=set(Allowance.__dataclass_fields__))
        return Tools(
            store=snapshot,
            embedder=embedder,
            reranker=self._reranker,
            reader=self._question_reader(notes) if reads else None,
            sparse=self._sparse,
            reader_milliseconds=self._settings.reader.milliseconds,
            rerank_milliseconds=self._settings.rerank.milliseconds,
            roles=ModelRoles(self.language, Allowance(**limits)),
            floors=self._settings.retrieval.thresholds.model_dump(exclude_none=True),
            vocabulary=embedder if isinstance(embedder, Vocabulary) else None,
        )

    def warm(self) -> None:
        """Load the models that answer questions. The next question reports a missing model."""
        embedder = self.embedder([])
        if isinstance(embedder, Loads):
            with suppress(ModelError):
                embedder.load()
        if isinstance(self.reader, Loads):
            with suppress(ModelError):
                self.reader.load()
        for model in self.language.values():
            with suppress(ModelError):
                model.warm()

    # ---------------------------------------------------------------- embedding

    def embedder(self, notes: list[str]) -> Embedder | None:
        """Return the archive's embedder; None, with a note that says why, if only words can be searched.

        Raises ModelMismatchError if the archive has vectors of another model.
        """
        if self._settings.embedding.model == "none":
            return None
        if self.opened is None:
            try:
                embedder = self.open_embedder()
            except WeightsError as error:
                notes.append(f"{WITHOUT_MEANINGS}: {error}")
                return None
            self.check(embedder)
            self.opened = self.calibrated(embedder)
        return self.opened

    def calibrated(self, embedder: Embedder) -> Embedder:
        """Return the embedder with the calibration that `onrecord calibrate --write` stored, if any."""
        stored = self._store.meta(CALIBRATION) or {}
        if stored.get("fingerprint") == embedder.fingerprint:
            embedder.calibration = Calibration(stored["floor"], stored["sure"])
        return embedder

    def calibrate(self, calibration: Calibration | None) -> None:
        """Store the calibration of the embedder's cosines for this archive.

        None restores the model's own calibration.
        """
        embedder = self.open_embedder()
        figures = {"floor": calibration.floor, "sure": calibration.sure} if calibration else {}
        self._store.set_meta(CALIBRATION, {"fingerprint": embedder.fingerprint, **figures} if figures else {})
        self.forget()

    def open_embedder(self) -> Embedder:
        """Open the embedder of the settings, else the archive's, else the embedded one.

        Raises WeightsError, and EmbeddingError if the settings want none.
        """
        name, options = self._choice()
        if name == "none":
            raise EmbeddingError(
                "this needs an embedding model: set embedding.model to one (`onrecord models list`)"
            )
        embedder = open_embedder(name, **options)
        if isinstance(embedder, Metered):
            self.metered.append(embedder)
        return embedder

    def spent(self) -> int:
        """Return the number of tokens that this process embedded since the last call, if they cost money."""
        return sum(embedder.spent() for embedder in self.metered)

    def chosen(self, embedder: Embedder) -> Model:
        """Return the values with which another process opens the same embedder."""
        from onrecord.archive.preparing import Model

        return Model(*self._choice(), embedder.fingerprint)

    def _choice(self) -> tuple[str, dict[str, Any]]:
        embedding = self._settings.embedding
        name = embedding.model or self._stored().get("name") or "minilm"
        options: dict[str, dict[str, Any]] = {
            "minilm": {"path": embedding.weights, "precision": embedding.precision},
            "fastembed": {"path": embedding.weights, "device": embedding.device},
            "sentence-transformers": {"device": embedding.device},
            "openai": {"base_url": embedding.base_url},
        }
        return name, options.get(name.partition(":")[0], {})

    def check(self, embedder: Embedder) -> None:
        """Check that this embedder made the archive's vectors. Raises ModelMismatchError."""
        stored = self._stored()
        if stored.get("fingerprint") in (None, embedder.fingerprint):
            return
        raise ModelMismatchError(
            f"this archive was embedded by {stored['name']} ({stored['fingerprint']}), not by "
            f"{embedder.name} ({embedder.fingerprint}), and their vectors cannot be compared; "
            f"`onrecord embed --again --embedder {embedder.name}` embeds it anew"
        )

    def remember(self, embedder: Embedder) -> None:
        """Store in the archive which embedder made its vectors."""
        if self._stored() != identity(embedder):
            self._store.set_meta("model", identity(embedder))

    def forget(self) -> None:
        """Discard the open embedder, because the archive now has other vectors or another calibration."""
        self.opened = None

    def _stored(self) -> dict[str, str]:
        return self._store.meta("model") or {}

    @property
    def names(self) -> dict[str, str]:
        """The names of the models by their function: "embedding", "reranking", "reading", "answer", ..."""
        names = {
            "embedding": self._stored().get("fingerprint"),
            "reranking": self._settings.rerank.model,
            "reading": self._settings.reader.model or None,
            **{role: model.name for role, model in self.language.items()},
        }
        return {part: name for part, name in names.items() if name}

    # ---------------------------------------------------------------- ranking and writing

    @cached_property
    def _reranker(self) -> Reranker | None:
        name, embedding = self._settings.rerank.model, self._settings.embedding
        if not name or name == "none":
            return None
        if name == "minilm":
            return open_reranker(name, self.opened, path=embedding.weights, precision=embedding.precision)
        device, precision = self._settings.rerank.device, self._settings.rerank.precision
        options: dict[str, Any] = {"device": device} if device else {}
        if name.startswith("sentence-transformers:") and precision != "auto":
            options["precision"] = precision
        return open_reranker(name, **options)

    @cached_property
    def _sparse(self) -> LazySparse | None:
        name, device = self._settings.embedding.sparse, self._settings.embedding.device
        if not name:
            return None
        from onrecord.models.sparse import LazySparse

        return LazySparse(name, device)

    @cached_property
    def reader(self) -> Reader | None:
        """The reader of the settings; None if words and vectors choose the quotes."""
        embedding = self._settings.embedding
        by_default = "none" if embedding.model in ("none", "hashing") else "minilm"
        name = self._settings.reader.model or by_default
        options = {"path": embedding.weights, "precision": embedding.precision} if name == "minilm" else {}
        return open_reader(name, **options)

    def _question_reader(self, notes: list[str]) -> Reader | None:
        """Return the reader for one question; None, with a note that says why, if it cannot be loaded.

        If the embedder could not be loaded, its note serves for both.
        """
        not_loaded = self.opened is None and self._settings.embedding.model != "none"
        if self.reader is None or not_loaded:
            return None
        if isinstance(self.reader, Loads):
            try:
                self.reader.load()
            except ModelError as error:
                notes.append(f"{WITHOUT_READER}: {error}")
                return None
        return self.reader

    @cached_property
    def language(self) -> dict[str, LanguageModel]:
        """The language model of each role that has one."""
        return language_models(self._settings.llm)

    def model_for(self, role: str, otherwise: str) -> LanguageModel:
        """Return the language model of a role, else the one that writes answers.

        Raises InputError if neither is set. The error says what happens `otherwise`.
        """
        model = self.language.get(role) or self.language.get("answer")
        if model is None:
            raise InputError(
                f"no language model is set, so {otherwise}; to set one: --model ollama:NAME,"
                " or llm.model in onrecord.yaml (see docs/answers.md)"
            )
        return model


def language_models(llm: Llm) -> dict[str, LanguageModel]:
    """Return the language model of each role that has one. Raises SettingError.

    This imports no model library and sends nothing.
    """
    opened: dict[str, LanguageModel] = {}
    models = {}
    for role, choice in llm.roles:
        name = {"on": llm.model, "off": None}.get(choice, choice)
        if not name:
            continue
        try:
            if name not in opened:
                # a model of the same provider as the main model uses the main model's endpoint
                same = llm.model is None or name.partition(":")[0] == llm.model.partition(":")[0]
                main = same or ":" not in name
                opened[name] = open_language_model(name, llm.base_url or None, main=main)
        except SettingError as error:
            if choice == "on" or error.name != "llm.model":
                raise
            raise SettingError(f"llm.roles.{role}", choice, f"on, off, {error.allowed}") from None
        models[role] = opened[name]
    return models


def identity(embedder: Embedder) -> dict[str, str]:
    """Return the values by which an archive remembers the embedder of its vectors."""
    return {"name": embedder.name, "fingerprint": embedder.fingerprint}
