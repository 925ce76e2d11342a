"""Opening of embedders by the name a user writes."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any

from onrecord.errors import SettingError
from onrecord.models.base import Embedder

PROVIDERS = {
    "minilm": "all-MiniLM-L6-v2, embedded: nothing to install",
    "sentence-transformers:NAME": "any model of that library, by hub name or folder",
    "fastembed:NAME": "models of fastembed, on ONNX Runtime",
    "openai:NAME": "OpenAI's models, or those of any server that speaks its protocol",
}
"""What a user may write, and what it is."""


def open_embedder(name: str = "minilm", **options: Any) -> Embedder:
    """The embedder called `name`: one of `PROVIDERS`, or ``hashing`` (words only, for tests).

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
    near = get_close_matches(provider, [known.partition(":")[0] for known in PROVIDERS], 1)
    raise SettingError(
        "embedding.model", name, ", ".join(PROVIDERS) + (f" (did you mean {near[0]}?)" if near else "")
    )
