"""A language model over the standard library alone, for the FAQ.

Its one decision has three seconds in all, and asks for a line of text: it needs neither the package nor the
two seconds of import that `onrecord.models.language` takes for streams, structures and other protocols.
"""

from __future__ import annotations

import json
import socket
import ssl
from collections.abc import Callable, Sequence
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import Any, TypeVar
from urllib.parse import SplitResult, urlsplit

from onrecord.errors import GenerationError, GenerationTimeoutError, SettingError
from onrecord.models.base import Completion, Message
from onrecord.models.place import is_address
from onrecord.models.reasoning import spoken

MOST_BYTES = 1 << 20
T = TypeVar("T")


class ChatClient:
    """A model behind the OpenAI chat protocol: ``POST {base_url}/chat/completions``.

    Built on the standard library: one connection a call, no retries, no redirects, no proxies.
    """

    def __init__(self, model: str, base_url: str, api_key: str = "") -> None:
        self.name = model
        self._place = _checked(base_url)
        if not all(c.isascii() and c.isprintable() for c in api_key):
            raise SettingError("api_key", "(not shown)", "a text of printable ASCII characters")
        self._api_key = api_key

    def complete(self, messages: Sequence[Message], *, seconds: float, tokens: int) -> Completion:
        """See `LLM.complete`. Time is counted by a clock of its own: a server that sends a byte now and
        then does not stretch it."""
        call = _Call(self._connection(seconds))
        body = json.dumps(
            {
                "model": self.name,
                "messages": [{"role": message.role, "content": message.text} for message in messages],
                "temperature": 0,
                "max_tokens": tokens,
            }
        )
        try:
            status, data = within(seconds, lambda: self._exchange(call, body), call.cut)
        except TimeoutError:
            raise GenerationTimeoutError(
                f"{self._who} did not answer within {seconds:g} s; ask again, or give it more time"
            ) from None
        except (OSError, HTTPException, ValueError) as error:
            kind = type(error).__name__
            raise GenerationError(f"{self._who} could not be asked: {error or kind}") from error
        if status != 200:
            raise GenerationError(f"{self._who} answered with the HTTP status {status} instead of a text")
        return _completion(self._who, data)

    @property
    def _who(self) -> str:
        return f"the model {self.name!r} at {self._place.netloc.rpartition('@')[2]}"

    def _connection(self, seconds: float) -> HTTPConnection:
        host, port = self._place.hostname or "", self._place.port
        if self._place.scheme == "https":
            return HTTPSConnection(host, port, timeout=seconds, context=ssl.create_default_context())
        return HTTPConnection(host, port, timeout=seconds)

    def _exchange(self, call: _Call, body: str) -> tuple[int, bytes]:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._api_key:
            headers["Authorization"] = f"Bearer {self._api_key}"
        with call as connection:
            path = self._place.path.rstrip("/") + "/chat/completions"
            connection.request("POST", path, body.encode(), headers)
            response = connection.getresponse()
            return response.status, response.read(MOST_BYTES + 1)


class _Call:
    """A connection that another thread can cut."""

    def __init__(self, connection: HTTPConnection) -> None:
        self._connection, self._over = connection, Event()

    def __enter__(self) -> HTTPConnection:
        self._connection.connect()
        if self._over.is_set():  # cut while it was still connecting
            self.__exit__()
            raise TimeoutError
        return self._connection

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def cut(self) -> None:
        """End it, whatever it waits for."""
        self._over.set()
        if self._connection.sock is not None:
            with suppress(OSError):
                self._connection.sock.shutdown(socket.SHUT_RDWR)


def within(seconds: float, call: Callable[[], T], give_up: Callable[[], None] = lambda: None) -> T:
    """What `call` returns or raises, or TimeoutError after so many seconds whatever it does.

    It runs in a thread of its own, which cannot be stopped from outside: `give_up` may make it end.
    """
    done: SimpleQueue[tuple[T | None, BaseException | None]] = SimpleQueue()

    def work() -> None:
        try:
            done.put((call(), None))
        except BaseException as error:
            done.put((None, error))

    Thread(target=work, daemon=True).start()
    try:
        result, error = done.get(timeout=seconds)
    except Empty:
        give_up()
        raise TimeoutError(f"not done within {seconds:g} s") from None
    if error is not None:
        raise error
    return result  # type: ignore[return-value]  # None only where call() returned it


def _checked(base_url: str) -> SplitResult:
    if not is_address(base_url):
        raise SettingError("base_url", base_url, "an address such as https://api.openai.com/v1")
    return urlsplit(base_url)


def _completion(who: str, data: bytes) -> Completion:
    try:
        if len(data) > MOST_BYTES:
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
        spoken(text), _count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens"))
    )


def _count(value: Any) -> int:
    return value if isinstance(value, int) and 0 <= value < 1 << 31 else 0
