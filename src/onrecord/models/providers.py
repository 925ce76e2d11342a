"""Opening models by the names that users write: our own, and those of plug-ins."""

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
"""What a user may write, and what it is."""


RERANKERS = {
    "minilm": "the embedded model, word by word: nothing to install",
    "sentence-transformers:NAME": "any cross-encoder of that library, by hub name or folder",
    "fastembed:NAME": "cross-encoders of fastembed, on ONNX Runtime",
}
"""The same for what reads question and passage together."""


def describe() -> list[dict[str, Any]]:
    """The providers, plug-ins last, and whether each is at hand: `name`, `what`, `ready`, `state` in words.

    The embedded model, where its weights are at hand, also has its `precision`, `folder`, `sha256` and
    the `bytes` it takes there.
    """
    from onrecord.plugins import MODELS, plugins

    extras = [_describe_extra(name, what) for name, what in PROVIDERS.items() if name != "minilm"]
    others = [
        {"name": f"{point.name}:NAME", "what": f"the plug-in {point.value}", "ready": True, "state": "ready"}
        for point in plugins(MODELS)
    ]
    return [_describe_minilm(), *extras, *others]


def _describe_minilm() -> dict[str, Any]:
    from onrecord.models.minilm.embedder import MiniLM
    from onrecord.models.minilm.weights import WEIGHTS, weights_present

    known: dict[str, Any] = {"name": "minilm", "what": PROVIDERS["minilm"], "ready": weights_present()}
    if not known["ready"]:
        return {**known, "state": "not fetched yet: onrecord models fetch"}
    model = MiniLM(download=False)
    size = sum(file.stat().st_size for file in model.folder.iterdir())
    place = {
        "precision": model.precision,
        "folder": str(model.folder),
        "sha256": WEIGHTS.sha256,
        "bytes": size,
    }
    return {**known, **place, "state": f"ready, {model.precision}, {size / 1e6:.0f} MB in {model.folder}"}


def _describe_extra(name: str, what: str) -> dict[str, Any]:
    extra = name.partition(":")[0]
    ready = find_spec(extra.replace("-", "_")) is not None
    state = "ready" if ready else f"not installed: pip install 'onrecord[{extra}]'"
    return {"name": name, "what": what, "ready": ready, "state": state}


def open_embedder(name: str = "minilm", **options: Any) -> Embedder:
    """The embedder called `name`: one of `PROVIDERS`, a plug-in's, or ``hashing`` (words only, for tests).

    Raises SettingError for a name that is none, ModelError where the model or its package cannot be had.
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
        from onrecord.models.sentence_transformers import SentenceTransformersEmbedder

        return SentenceTransformersEmbedder(model, **options)
    if provider == "fastembed" and model:
        from onrecord.models.fastembed import FastEmbedEmbedder

        return FastEmbedEmbedder(model, **options)
    if opened := _of_plugin("open_embedder", "embedding.model", name):
        embedder: Embedder = opened
        return embedder
    near = nearest(provider, [known.partition(":")[0] for known in PROVIDERS])
    raise _no_model("embedding.model", name, PROVIDERS, near)


def open_language_model(name: str, base_url: str | None = None, *, main: bool = True) -> LanguageModel:
    """The language model called `name`: ``openai:NAME``, ``anthropic:NAME``, ``ollama:NAME``, a plug-in's, or
    any NAME at `base_url`.

    `main` says whether it is of the provider that the settings name, whose address and key those are. Nothing
    of our own is imported or sent yet. Raises SettingError.
    """
    from onrecord.models.endpoints import PROVIDERS as OWN
    from onrecord.models.language import PydanticModel

    if name.partition(":")[0] not in OWN and (opened := _of_plugin("open_language_model", "llm.model", name)):
        model: LanguageModel = opened
        return model
    return PydanticModel(name, base_url if main else None, main=main)


def open_llm(name: str, base_url: str | None = None) -> LLM:
    """The same for a line of text, which needs no package where the model speaks the OpenAI protocol."""
    from onrecord.models.chat import ChatClient
    from onrecord.models.endpoints import endpoint_of
    from onrecord.models.language import Completing, PydanticModel

    model = open_language_model(name, base_url)
    if not isinstance(model, PydanticModel):
        return Completing(model)
    endpoint = endpoint_of(name, base_url)
    if endpoint.provider == "anthropic":
        return Completing(model)
    return ChatClient(endpoint.model, endpoint.base_url or "https://api.openai.com/v1", endpoint.key)


def open_reranker(name: str, beside: Embedder | None = None, **options: Any) -> Reranker:
    """The reranker called `name`: one of `RERANKERS`, or a plug-in's. Where it is of the same model as the
    embedder `beside` it, that is not loaded again.

    Raises SettingError for a name that is none, ModelError where the model or its package cannot be had.
    """
    provider, _, model = name.partition(":")
    if name == "minilm":
        from onrecord.models.minilm.embedder import MiniLM
        from onrecord.models.minilm.reranker import MiniLMReranker

        return MiniLMReranker(beside if isinstance(beside, MiniLM) else MiniLM(**options))
    if model and provider == "sentence-transformers":
        from onrecord.models.cross_encoder import SentenceTransformersReranker

        return SentenceTransformersReranker(model, **options)
    if model and provider == "fastembed":
        from onrecord.models.cross_encoder import FastEmbedReranker

        return FastEmbedReranker(model, **options)
    if opened := _of_plugin("open_reranker", "rerank.model", name):
        reranker: Reranker = opened
        return reranker
    raise _no_model("rerank.model", name, RERANKERS, nearest(name, RERANKERS))


def open_reader(name: str = "minilm", **options: Any) -> Reader | None:
    """The reader called `name`: ``minilm``, a plug-in's, ``overlap`` (words only, for tests); None for
    ``none``.

    Raises SettingError for another name.
    """
    if name == "none":
        return None
    if name == "minilm":
        from onrecord.models.minilm.reader import MiniLMReader

        return MiniLMReader(**options)
    if name == "overlap":
        from onrecord.models.double import OverlapReader

        return OverlapReader()
    if opened := _of_plugin("open_reader", "reader.model", name):
        reader: Reader = opened
        return reader
    raise SettingError("reader.model", name, "minilm or none")


def _of_plugin(function: str, setting: str, name: str) -> Any:
    """What the plug-in before ":" opens under the name after it; None where there is no such plug-in, or it
    has no such function."""
    from onrecord.plugins import MODELS, load_plugin

    provider, _, model = name.partition(":")
    plugin = load_plugin(MODELS, provider, setting) if model else None
    opens = getattr(plugin, function, None)
    return opens(model) if opens else None


def _no_model(setting: str, name: str, known: Iterable[str], near: Iterable[str]) -> SettingError:
    from onrecord.plugins import MODELS, plugins

    added = (f"{point.name}:NAME" for point in plugins(MODELS))
    return SettingError(
        setting, name, f"none, or one of {', '.join((*known, *added))}" + did_you_mean(near, "; ")
    )
