"""Opening of embedders by the name a user writes."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any

from onrecord.errors import SettingError
from onrecord.models.base import Embedder


def open_embedder(name: str = "minilm", **options: Any) -> Embedder:
    """The embedder called `name`: ``minilm``, or ``hashing`` (words only, for tests).

    Raises SettingError for a name that is none, WeightsError where the model cannot be had.
    """
    provider, _, model = name.partition(":")
    if provider == "minilm" and not model:
        from onrecord.models.minilm.embedder import MiniLM

        return MiniLM(**options)
    if name == "hashing":
        from onrecord.models.double import HashingEmbedder

        return HashingEmbedder(**options)
    near = get_close_matches(provider, ["minilm"], 1)
    raise SettingError("embedder", name, "minilm" + (f" (did you mean {near[0]}?)" if near else ""))
