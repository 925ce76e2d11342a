"""Opens the clients of pydantic-ai, one for each provider, over an HTTP client that follows no redirect.

Importing this module imports pydantic-ai, so only `onrecord.models.language` imports it, at the first call.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import TYPE_CHECKING, Any

import httpx2
from pydantic_ai.models import Model
from pydantic_ai.profiles.openai import OpenAIModelProfile

from onrecord.errors import GenerationKeyError
from onrecord.models.faults import Oversized, Redirected, WebPage

if TYPE_CHECKING:
    from onrecord.models.endpoints import Endpoint

_CONNECT = 5.0  # seconds; `onrecord.models.language` limits the time of a whole call
_NO_TAGS = ("\ufdd0", "\ufdd1")
"""Reasoning tags that occur in no text, so that pydantic-ai leaves reasoning in the reply. pydantic-ai
recognizes "</think>" only as a separate piece, and would drop the reply; `onrecord.models.reasoning`
separates the two."""
_FINISHED = OpenAIModelProfile(openai_chat_streaming_requires_finish_reason=True, thinking_tags=_NO_TAGS)
_PLAIN = OpenAIModelProfile(
    openai_chat_streaming_requires_finish_reason=True,
    openai_chat_supports_max_completion_tokens=False,
    thinking_tags=_NO_TAGS,
)
"""The profile of servers other than OpenAI's: all of them support the field `max_tokens`."""
_LONGEST_LINE, _MOST_BYTES = 4 << 20, 64 << 20
"""Most bytes of a line, and of a reply. The HTTP client collects a whole line in memory before anyone can
check it."""
_NO_KEY = "none"  # the SDKs require a key; a local server does not
_PROTOCOL = ("Accept", "Content-Type", "anthropic-version")
"""The headers of the SDKs that every server gets. Other headers may come from variables of the environment,
such as OPENAI_CUSTOM_HEADERS, and are for the provider alone."""


def connect(endpoint: Endpoint, who: str) -> Model:
    """Return the model at an endpoint. Send nothing yet. Raises GenerationKeyError if a key is missing."""
    if not endpoint.key and endpoint.base_url is None:
        variable = f"{endpoint.provider.upper()}_API_KEY"
        raise GenerationKeyError(f"{who} needs a key: set the environment variable {variable}")
    key, url, http = endpoint.key or _NO_KEY, endpoint.base_url, _http(endpoint)
    if endpoint.provider == "anthropic":
        from pydantic_ai.models.anthropic import AnthropicModel
        from pydantic_ai.providers.anthropic import AnthropicProvider

        url = (url or "https://api.anthropic.com").rstrip("/").removesuffix("/v1")
        claude = AnthropicProvider(api_key=key, base_url=url, http_client=http)
        return AnthropicModel(endpoint.model, provider=claude)
    if endpoint.provider == "ollama":
        from pydantic_ai.models.ollama import OllamaModel
        from pydantic_ai.providers.ollama import OllamaProvider

        ollama = OllamaProvider(base_url=url, api_key=key, http_client=http)
        return OllamaModel(endpoint.model, provider=ollama, profile=_PLAIN)
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

    if endpoint.provider == "openai":
        openai = OpenAIProvider(base_url=url or "https://api.openai.com/v1", api_key=key, http_client=http)
        return OpenAIChatModel(endpoint.model, provider=openai, profile=_FINISHED)
    other = OpenAICompatibleProvider("compatible", base_url=url or "", api_key=key, http_client=http)
    return OpenAIChatModel(endpoint.model, provider=other, profile=_PLAIN)


class _PlainClient(httpx2.AsyncClient):
    """An HTTP client that sends only the headers of the protocol, and the header with the server's key."""

    def __init__(self, key_header: Mapping[str, str], **options: Any) -> None:
        super().__init__(**options)
        self._key_header = key_header

    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        headers = {name: request.headers[name] for name in _PROTOCOL if name in request.headers}
        plain = self.build_request(
            request.method,
            request.url,
            content=await request.aread(),
            headers={**headers, **self._key_header},
            extensions=request.extensions,
        )
        return await super().send(plain, **options)


def _http(endpoint: Endpoint) -> httpx2.AsyncClient:
    """Return an HTTP client that follows no redirect, as that would send the key to another server.

    It refuses a web page, which would look like an empty stream, and cuts a reply that does not end. It
    requests no compression, as the size of a compressed reply is unknown in advance.
    """
    options: dict[str, Any] = {
        "headers": {"Accept-Encoding": "identity"},
        "follow_redirects": False,
        "timeout": httpx2.Timeout(None, connect=_CONNECT),
        "limits": httpx2.Limits(max_connections=1000, max_keepalive_connections=100),
        "event_hooks": {"response": [_check]},
    }
    if endpoint.base_url is None:
        return httpx2.AsyncClient(**options)
    key_header: dict[str, str] = {}
    if endpoint.key and endpoint.provider == "anthropic":
        key_header = {"X-Api-Key": endpoint.key}
    elif endpoint.key:
        key_header = {"Authorization": f"Bearer {endpoint.key}"}
    return _PlainClient(key_header, **options)


async def _check(response: httpx2.Response) -> None:
    if response.is_redirect:
        raise Redirected
    if "html" in response.headers.get("content-type", "") and response.status_code < 400:
        raise WebPage
    if response.headers.get("content-encoding", "identity") != "identity":
        raise Oversized
    assert isinstance(response.stream, httpx2.AsyncByteStream)  # noqa: S101 - an async client's stream
    response.stream = _Bounded(response.stream)


class _Bounded(httpx2.AsyncByteStream):
    """The bytes of a reply. Raises Oversized if a line, or the whole reply, becomes too long."""

    def __init__(self, source: httpx2.AsyncByteStream) -> None:
        self._source = source

    async def __aiter__(self) -> AsyncIterator[bytes]:
        line = total = 0
        async for chunk in self._source:
            total += len(chunk)
            end = chunk.rfind(b"\n")
            line = line + len(chunk) if end < 0 else len(chunk) - end
            if line > _LONGEST_LINE or total > _MOST_BYTES:
                raise Oversized
            yield chunk

    async def aclose(self) -> None:
        await self._source.aclose()
