"""Opens models by their names in the settings: onrecord's own models, and models of plug-ins."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.util import find_spec
from typing import Any

from onrecord.errors import SettingError, did_you_mean, nearest
from onrecord.models.base import LLM, Embedder, LanguageModel, Reader, Reranker

PROVIDERS = {
    "minilm": "all-MiniLM-L6-v2, embedded: nothing to install",
    "sentence-transformers:NAME": "any model of that library, by hub name or folder",
    "fastembed:NAME": "models of fastembed, on ONNX Runtime",
    "openai:NAME": "OpenAI's models, or those of any server that speaks its protocol",
}
"""Names of embedders that a user may write in the settings, each with a description."""


RERANKERS = {
    "minilm": "the embedded model, word by word: nothing to install",
    "sentence-transformers:NAME": "any cross-encoder of that library, by hub name or folder",
    "fastembed:NAME": "cross-encoders of fastembed, on ONNX Runtime",
}
"""Names of rerankers that a user may write in the settings, each with a description."""


def describe() -> list[dict[str, Any]]:
    """Describe the providers, plug-ins last, each with `name`, `what`, `ready`, and `state` in words.

    If its weights are present, the embedded model also has its `precision`, `folder`, `sha256`, and `bytes`,
    the size of the folder.
    """
    from onrecord.plugins import MODELS, plugins

    entries = [_describe_minilm()]
    for name, what in PROVIDERS.items():
        if name != "minilm":
            extra = name.partition(":")[0]
            ready = find_spec(extra.replace("-", "_")) is not None
            state = "ready" if ready else f"not installed: pip install 'onrecord[{extra}]'"
            entries.append({"name": name, "what": what, "ready": ready, "state": state})
    others = [
        {"name": f"{point.name}:NAME", "what": f"the plug-in {point.value}", "ready": True, "state": "ready"}
        for point in plugins(MODELS)
    ]
    return [*entries, *others]


def _describe_minilm() -> dict[str, Any]:
    from onrecord.models.minilm.embedder import MiniLM
    from onrecord.models.minilm.weights import WEIGHTS, weights_present

    entry: dict[str, Any] = {"name": "minilm", "what": PROVIDERS["minilm"], "ready": weights_present()}
    if not entry["ready"]:
        return {**entry, "state": "not fetched yet: onrecord models fetch"}
    model = MiniLM(download=False)
    size = sum(file.stat().st_size for file in model.folder.iterdir())
    place = {
        "precision": model.precision,
        "folder": str(model.folder),
        "sha256": WEIGHTS.sha256,
        "bytes": size,
    }
    return {**entry, **place, "state": f"ready, {model.precision}, {size / 1e6:.0f} MB in {model.folder}"}


def open_embedder(name: str = "minilm", **options: Any) -> Embedder:
    """Open the embedder called `name`: one of `PROVIDERS`, a plug-in's, or ``hashing``.

    ``hashing`` compares words only, for tests. Raises SettingError for an unknown name, ModelError if the
    model or its package is missing.
    """
    provider, _, model = name.partition(":")
    if name == "minilm":
        from onrecord.models.minilm.embedder import MiniLM

        return MiniLM(**options)
    if name == "hashing":
        from onrecord.models.double import HashingEmbedder

        return HashingEmbedder(**options)
    if provider == "openai" and model:
        from onrecord.models.openai import OpenAIEmbedder

        return OpenAIEmbedder(model, **options)
    if provider == "sentence-transformers" and model:
        from onrecord.models.local import SentenceTransformersEmbedder

        return SentenceTransformersEmbedder(model, **options)
    if provider == "fastembed" and model:
        from onrecord.models.local import FastEmbedEmbedder

        return FastEmbedEmbedder(model, **options)
    if opened := _open_plugin_model("open_embedder", "embedding.model", name):
        embedder: Embedder = opened
        return embedder
    near = nearest(provider, [known.partition(":")[0] for known in PROVIDERS])
    raise _unknown_model("embedding.model", name, PROVIDERS, near)


def open_language_model(name: str, base_url: str | None = None, *, main: bool = True) -> LanguageModel:
    """Open the language model called `name`, or any name at `base_url`. Import and send nothing yet.

    Names are ``openai:NAME``, ``anthropic:NAME``, ``ollama:NAME``, or a plug-in's. `main` says whether the
    model belongs to the provider in the settings. Only a `main` model gets the address and the key from the
    settings. Raises SettingError.
    """
    from onrecord.models.endpoints import PROVIDERS as OWN
    from onrecord.models.language import PydanticModel

    if name.partition(":")[0] not in OWN and (
        opened := _open_plugin_model("open_language_model", "llm.model", name)
    ):
        model: LanguageModel = opened
        return model
    return PydanticModel(name, base_url if main else None, main=main)


def open_llm(name: str, base_url: str | None = None) -> LLM:
    """Open the same model as an `LLM`. Needs no package if the model speaks the OpenAI protocol."""
    from onrecord.models.chat import ChatClient
    from onrecord.models.endpoints import endpoint_of
    from onrecord.models.language import CompletionAdapter, PydanticModel

    model = open_language_model(name, base_url)
    if not isinstance(model, PydanticModel):
        return CompletionAdapter(model)
    endpoint = endpoint_of(name, base_url)
    if endpoint.provider == "anthropic":
        return CompletionAdapter(model)
    return ChatClient(endpoint.model, endpoint.base_url or "https://api.openai.com/v1", endpoint.key)


def open_reranker(name: str, beside: Embedder | None = None, **options: Any) -> Reranker:
    """Open the reranker called `name`: one of `RERANKERS`, or a plug-in's.

    The reranker `minilm` shares the model of the embedder `beside`, if that is minilm too. Raises
    SettingError for an unknown name, ModelError if the model or its package is missing.
    """
    provider, _, model = name.partition(":")
    if name == "minilm":
        from onrecord.models.minilm.embedder import MiniLM, MiniLMReranker

        return MiniLMReranker(beside if isinstance(beside, MiniLM) else MiniLM(**options))
    if model and provider == "sentence-transformers":
        from onrecord.models.local import SentenceTransformersReranker

        return SentenceTransformersReranker(model, **options)
    if model and provider == "fastembed":
        from onrecord.models.local import FastEmbedReranker

        return FastEmbedReranker(model, **options)
    if opened := _open_plugin_model("open_reranker", "rerank.model", name):
        reranker: Reranker = opened
        return reranker
    raise _unknown_model("rerank.model", name, RERANKERS, nearest(name, RERANKERS))


def open_reader(name: str = "minilm", **options: Any) -> Reader | None:
    """Open the reader called `name`: ``minilm``, a plug-in's, or ``overlap`` (words only, for tests).

    Returns None for ``none``. Raises SettingError for an unknown name.
    """
    if name == "none":
        return None
    if name == "minilm":
        from onrecord.models.minilm.reader import MiniLMReader

        return MiniLMReader(**options)
    if name == "overlap":
        from onrecord.models.double import OverlapReader

        return OverlapReader()
    if opened := _open_plugin_model("open_reader", "reader.model", name):
        reader: Reader = opened
        return reader
    raise SettingError("reader.model", name, "minilm or none")


def _open_plugin_model(function: str, setting: str, name: str) -> Any:
    """Open a model by the plug-in named before ":". Return None without such a plug-in or function."""
    from onrecord.plugins import MODELS, load_plugin

    provider, _, model = name.partition(":")
    plugin = load_plugin(MODELS, provider, setting) if model else None
    open_model = getattr(plugin, function, None)
    return open_model(model) if open_model else None


def _unknown_model(setting: str, name: str, names: Iterable[str], near: Iterable[str]) -> SettingError:
    from onrecord.plugins import MODELS, plugins

    added = (f"{point.name}:NAME" for point in plugins(MODELS))
    return SettingError(
        setting, name, f"none, or one of {', '.join((*names, *added))}" + did_you_mean(near, "; ")
    )
