"""Opens models by their names in the settings: onrecord's own models, and models of plug-ins."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

from onrecord.errors import SettingError, did_you_mean, nearest
from onrecord.models.base import LLM, Embedder, LanguageModel, Reader, Reranker


class OwnModel(NamedTuple):
    """The class of a model in a module of this package. Without a description, it is for tests."""

    module: str
    name: str
    what: str = ""


EMBEDDERS = {
    "minilm": OwnModel("minilm.embedder", "MiniLM", "all-MiniLM-L6-v2, embedded: nothing to install"),
    "sentence-transformers:NAME": OwnModel(
        "local", "SentenceTransformersEmbedder", "any model of that library, by hub name or folder"
    ),
    "fastembed:NAME": OwnModel("local", "FastEmbedEmbedder", "models of fastembed, on ONNX Runtime"),
    "openai:NAME": OwnModel(
        "openai", "OpenAIEmbedder", "OpenAI's models, or those of any server that speaks its protocol"
    ),
    "hashing": OwnModel("double", "HashingEmbedder"),
}
"""Embedders by the name that a user may write in the settings."""
RERANKERS = {
    "minilm": OwnModel("minilm.embedder", "MiniLMReranker", "the embedded model, word by word"),
    "sentence-transformers:NAME": OwnModel(
        "local", "SentenceTransformersReranker", "any cross-encoder of that library, by hub name or folder"
    ),
    "fastembed:NAME": OwnModel("local", "FastEmbedReranker", "cross-encoders of fastembed, on ONNX Runtime"),
}
"""Rerankers by the name that a user may write in the settings."""
READERS = {
    "minilm": OwnModel("minilm.reader", "MiniLMReader", "the trained reader, embedded: nothing to install"),
    "overlap": OwnModel("double", "OverlapReader"),
}
"""Readers by the name that a user may write in the settings."""


def describe() -> list[dict[str, Any]]:
    """Describe the providers, plug-ins last, each with `name`, `what`, `ready`, and `state` in words.

    If its weights are present, the embedded model also has its `precision`, `folder`, `sha256`, and `bytes`,
    the size of the folder.
    """
    from onrecord.plugins import MODELS, plugins

    entries = [_describe_minilm()]
    for name, own in EMBEDDERS.items():
        if own.what and name != "minilm":
            extra = name.partition(":")[0]
            ready = find_spec(extra.replace("-", "_")) is not None
            state = "ready" if ready else f"not installed: pip install 'onrecord[{extra}]'"
            entries.append({"name": name, "what": own.what, "ready": ready, "state": state})
    others = [
        {"name": f"{point.name}:NAME", "what": f"the plug-in {point.value}", "ready": True, "state": "ready"}
        for point in plugins(MODELS)
    ]
    return [*entries, *others]


def _describe_minilm() -> dict[str, Any]:
    from onrecord.models.minilm.embedder import MiniLM
    from onrecord.models.minilm.weights import WEIGHTS, weights_present

    entry: dict[str, Any] = {"name": "minilm", "what": EMBEDDERS["minilm"].what, "ready": weights_present()}
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
    """Open the embedder called `name`: one of `EMBEDDERS`, or a plug-in's.

    ``hashing`` compares words only, for tests. Raises SettingError for an unknown name, ModelError if the
    model or its package is missing.
    """
    embedder: Embedder = _open("open_embedder", "embedding.model", name, EMBEDDERS, options)
    return embedder


def open_language_model(name: str, base_url: str | None = None, *, main: bool = True) -> LanguageModel:
    """Open the language model called `name`, or any name at `base_url`. Import and send nothing yet.

    Names are ``openai:NAME``, ``anthropic:NAME``, ``ollama:NAME``, or a plug-in's. `main` says whether the
    model belongs to the provider in the settings. Only a `main` model gets the address and the key from the
    settings. Raises SettingError.
    """
    from onrecord.models.endpoints import PROVIDERS
    from onrecord.models.language import PydanticModel

    if name.partition(":")[0] not in PROVIDERS and (
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
    if name == "minilm":
        from onrecord.models.minilm.embedder import MiniLM

        options = {"model": beside if isinstance(beside, MiniLM) else MiniLM(**options)}
    reranker: Reranker = _open("open_reranker", "rerank.model", name, RERANKERS, options)
    return reranker


def open_reader(name: str = "minilm", **options: Any) -> Reader | None:
    """Open the reader called `name`: one of `READERS`, or a plug-in's; ``overlap`` is for tests.

    Returns None for ``none``. Raises SettingError for an unknown name.
    """
    reader: Reader | None = None
    if name != "none":
        reader = _open("open_reader", "reader.model", name, READERS, options)
    return reader


def _open(
    function: str, setting: str, name: str, own: Mapping[str, OwnModel], options: Mapping[str, Any]
) -> Any:
    """Open the model called `name`: one of our own, or what a plug-in's `function` opens."""
    from onrecord.plugins import MODELS, plugins

    provider, _, model = name.partition(":")
    if own_model := own.get(f"{provider}:NAME" if model else name):
        open_model = getattr(import_module(f"onrecord.models.{own_model.module}"), own_model.name)
        return open_model(model, **options) if model else open_model(**options)
    if opened := _open_plugin_model(function, setting, name):
        return opened
    names = [known for known, each in own.items() if each.what]
    near = nearest(provider, [known.partition(":")[0] for known in names])
    names += [f"{point.name}:NAME" for point in plugins(MODELS)]
    raise SettingError(setting, name, f"none, or one of {', '.join(names)}" + did_you_mean(near, "; "))


def _open_plugin_model(function: str, setting: str, name: str) -> Any:
    """Open a model by the plug-in named before ":". Return None without such a plug-in or function."""
    from onrecord.plugins import MODELS, load_plugin

    provider, _, model = name.partition(":")
    plugin = load_plugin(MODELS, provider, setting) if model else None
    open_model = getattr(plugin, function, None)
    return open_model(model) if open_model else None
