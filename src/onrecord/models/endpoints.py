"""Determines the endpoint of a language model from its name in the settings."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from onrecord.errors import SettingError, did_you_mean, nearest

PROVIDERS = ("openai", "anthropic", "ollama")
_OWN_KEY = "ONRECORD_LLM_API_KEY"
_OLLAMA = "http://127.0.0.1:11434/v1"


@dataclass(frozen=True)
class Endpoint:
    """The server of a model.

    `provider` is one of `PROVIDERS`, or "compatible" for any server that speaks the OpenAI chat protocol.
    `base_url` is None for the provider's own address. The repr omits the key.
    """

    provider: str
    model: str
    base_url: str | None
    key: str = field(default="", repr=False)


def endpoint_of(name: str, base_url: str | None = None, *, main: bool = True) -> Endpoint:
    """Return the endpoint of a model by its name. Raises SettingError.

    The key in ``ONRECORD_LLM_API_KEY`` belongs to the provider of the `main` model. Without it, and only if
    no other address is set, the provider's own variable counts (``OPENAI_API_KEY``, ...). So no key goes to
    another provider's server.
    """
    provider, _, model = name.partition(":")
    if provider not in PROVIDERS or not model:
        if base_url is None or not name:
            hint = did_you_mean(nearest(provider, PROVIDERS), "; ")
            if name.casefold() == "none":
                hint = "; for quotes alone leave it out, or say --no-model"
            allowed = "openai:NAME, anthropic:NAME, ollama:NAME, or a NAME together with llm.base_url"
            raise SettingError("llm.model", name, allowed + hint)
        provider, model = "compatible", name
    if base_url is not None and not is_address(base_url):
        raise SettingError("llm.base_url", base_url, "an address such as http://127.0.0.1:8080/v1")
    key = os.environ.get(_OWN_KEY, "") if main else ""
    if not key and base_url is None:
        key = os.environ.get(f"{provider.upper()}_API_KEY", "")
    if not all(c.isascii() and c.isprintable() for c in key):
        raise SettingError("the key of the language model", "(not shown)", "printable ASCII characters")
    return Endpoint(provider, model, base_url or (_OLLAMA if provider == "ollama" else None), key)


def is_address(text: str) -> bool:
    """Return whether a text is an http(s) address with a host."""
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        return False
