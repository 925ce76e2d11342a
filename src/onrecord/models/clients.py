"""The clients of pydantic-ai, one a provider, behind an HTTP client that follows nobody elsewhere.

Importing this module imports pydantic-ai: only `onrecord.models.language` does, when a model is asked.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

import httpx2
from pydantic_ai.models import Model
from pydantic_ai.profiles.openai import OpenAIModelProfile

from onrecord.errors import GenerationKeyError
from onrecord.models.faults import Elsewhere, Endless, WebPage

if TYPE_CHECKING:
    from onrecord.models.place import Place

_CONNECT = 5.0  # seconds; the time of a whole call is counted elsewhere
_NO_TAGS = ("\ufdd0", "\ufdd1")
"""Characters that no text has. To pydantic-ai a thought ends only where "</think>" is a piece of its own; it
would drop what follows; `onrecord.models.reasoning` parts the two."""
_FINISHED = OpenAIModelProfile(openai_chat_streaming_requires_finish_reason=True, thinking_tags=_NO_TAGS)
_PLAIN = OpenAIModelProfile(
    openai_chat_streaming_requires_finish_reason=True,
    openai_chat_supports_max_completion_tokens=False,
    thinking_tags=_NO_TAGS,
)
"""Servers that are not OpenAI's: the field `max_tokens` is what all of them know."""
_LONGEST_LINE, _MOST_BYTES = 4 << 20, 64 << 20
"""Of a reply: a line is gathered in memory before anybody can look at it."""
_NO_KEY = "none"  # the SDKs want one; a server on one's own machine does not


def connect(place: Place, who: str) -> Model:
    """The model of a place. Nothing is sent yet. Raises GenerationKeyError where a key is wanted."""
    if not place.key and place.base_url is None:
        variable = f"{place.provider.upper()}_API_KEY"
        raise GenerationKeyError(f"{who} needs a key: set the environment variable {variable}")
    return {"anthropic": _anthropic, "ollama": _ollama}.get(place.provider, _openai)(place)


def _openai(place: Place) -> Model:
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

    if place.provider == "openai":
        address = place.base_url or "https://api.openai.com/v1"
        own = OpenAIProvider(base_url=address, api_key=place.key or _NO_KEY, http_client=_http())
        return OpenAIChatModel(place.model, provider=own, profile=_FINISHED)
    other = OpenAICompatibleProvider(
        "compatible", base_url=place.base_url or "", api_key=place.key or _NO_KEY, http_client=_http()
    )
    return OpenAIChatModel(place.model, provider=other, profile=_PLAIN)


def _ollama(place: Place) -> Model:
    from pydantic_ai.models.ollama import OllamaModel
    from pydantic_ai.providers.ollama import OllamaProvider

    provider = OllamaProvider(base_url=place.base_url, api_key=place.key or _NO_KEY, http_client=_http())
    return OllamaModel(place.model, provider=provider, profile=_PLAIN)


def _anthropic(place: Place) -> Model:
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    address = (place.base_url or "https://api.anthropic.com").rstrip("/").removesuffix("/v1")
    provider = AnthropicProvider(api_key=place.key or _NO_KEY, base_url=address, http_client=_http())
    return AnthropicModel(place.model, provider=provider)


def _http() -> httpx2.AsyncClient:
    """Follows no redirect: a key would go along. Tells a web page before it is read as an empty stream, and
    cuts a reply that does not end; it asks for none that is packed, of which nobody knows the size."""
    return httpx2.AsyncClient(
        headers={"Accept-Encoding": "identity"},
        follow_redirects=False,
        timeout=httpx2.Timeout(None, connect=_CONNECT),
        limits=httpx2.Limits(max_connections=1000, max_keepalive_connections=100),
        event_hooks={"response": [_look]},
    )


async def _look(response: httpx2.Response) -> None:
    if response.is_redirect:
        raise Elsewhere
    if "html" in response.headers.get("content-type", "") and response.status_code < 400:
        raise WebPage
    if response.headers.get("content-encoding", "identity") != "identity":
        raise Endless
    assert isinstance(response.stream, httpx2.AsyncByteStream)  # noqa: S101 - an asynchronous client's is
    response.stream = _Bounded(response.stream)


class _Bounded(httpx2.AsyncByteStream):
    """The bytes of a reply. Raises Endless where a line of it, or all of it, becomes too long."""

    def __init__(self, source: httpx2.AsyncByteStream) -> None:
        self._source = source

    async def __aiter__(self) -> AsyncIterator[bytes]:
        line = total = 0
        async for some in self._source:
            total += len(some)
            end = some.rfind(b"\n")
            line = line + len(some) if end < 0 else len(some) - end
            if line > _LONGEST_LINE or total > _MOST_BYTES:
                raise Endless
            yield some

    async def aclose(self) -> None:
        await self._source.aclose()
