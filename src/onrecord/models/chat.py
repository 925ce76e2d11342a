"""A client of the OpenAI chat protocol, for the FAQ.

The FAQ asks for one line of text within three seconds. That needs neither the package nor the two seconds of
import that `onrecord.models.language` takes for streams, structured replies and other protocols.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote, urlsplit

from onrecord.errors import GenerationError, SettingError
from onrecord.models.base import CallLimits, Completion, Message
from onrecord.models.endpoints import is_address
from onrecord.models.faults import timeout_error
from onrecord.models.reasoning import without_reasoning
from onrecord.network import Deadline, request

_MOST_BYTES = 1 << 20


class ChatClient:
    """A client of ``POST {base_url}/chat/completions``: no retries, no redirects, no proxies."""

    def __init__(self, model: str, base_url: str, api_key: str = "") -> None:
        if not is_address(base_url):
            raise SettingError("base_url", base_url, "an address such as https://api.openai.com/v1")
        if not all(c.isascii() and c.isprintable() for c in api_key):
            raise SettingError("api_key", "(not shown)", "a text of printable ASCII characters")
        self.name = model
        self._place = urlsplit(base_url)
        self._headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if api_key:
            self._headers["Authorization"] = f"Bearer {api_key}"

    def complete(self, messages: Sequence[Message], limits: CallLimits) -> Completion:
        """See `LLM.complete`. A server that sends a byte now and then cannot extend the time."""
        body = {
            "model": self.name,
            "messages": [{"role": message.role, "content": message.text} for message in messages],
            "temperature": 0,
            "max_tokens": limits.tokens,
        }
        try:
            status, data = self._post(json.dumps(body).encode(), Deadline(limits.seconds))
        except TimeoutError:
            raise timeout_error(self._who, limits) from None
        except (OSError, ValueError) as error:
            kind = type(error).__name__
            raise GenerationError(f"{self._who} could not be asked: {error or kind}") from error
        if status != 200:
            raise GenerationError(f"{self._who} answered with the HTTP status {status} instead of a text")
        return _completion(self._who, data)

    @property
    def _who(self) -> str:
        return f"the model {self.name!r} at {self._place.netloc.rpartition('@')[2]}"

    def _post(self, body: bytes, deadline: Deadline) -> tuple[int, bytes]:
        """Return the HTTP status and the reply, cut shortly after `_MOST_BYTES`."""
        target = quote(self._place.path.rstrip("/"), safe="/%") + "/chat/completions"
        reply = bytearray()
        with request("POST", self._place, target, self._headers, deadline, content=body) as response:
            for chunk in response.iter_stream():
                reply += chunk
                if len(reply) > _MOST_BYTES:
                    break
            return response.status, bytes(reply)


def _completion(who: str, data: bytes) -> Completion:
    try:
        if len(data) > _MOST_BYTES:
            raise ValueError("it is too long")
        reply: Any = json.loads(data)
        text = reply["choices"][0]["message"]["content"]
        if not isinstance(text, str):
            raise TypeError("it holds no text")
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise GenerationError(f"{who} answered with what is no chat completion") from error
    usage = reply.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    return Completion(
        without_reasoning(text), _count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens"))
    )


def _count(value: Any) -> int:
    return value if isinstance(value, int) and 0 <= value < 1 << 31 else 0
