"""A conversation as clients send it: the current question, and the exchanges before it.

Clients echo whole assistant messages back, with parts that this server does not know. Only texts of the user
and of the assistant are read, up to a limit, and the recordings of onrecord's own source parts. Nothing is
fetched.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from onrecord.errors import InputError
from onrecord.serve.http.bodies import MOST_ANSWER, MOST_EXCHANGES, capped
from onrecord.types import Exchange


def asked(messages: Sequence[Any]) -> tuple[str, tuple[Exchange, ...]]:
    """Return the text of the last message, which must be the user's, and the exchanges before it.

    Raises InputError.
    """
    if not messages:
        raise InputError("there are no messages: send at least one, with a question")
    *before, last = messages
    role = last.get("role") if isinstance(last, dict) else None
    if role != "user":
        raise InputError("the last message is not the user's: send the question last, with role 'user'")
    content = last.get("content")
    parts = [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []
    others = [str(part.get("type"))[:40] for part in parts if part.get("type") != "text"]
    if others:  # images, sound and files, as OpenAI's clients send them
        raise InputError(f"parts of type {others[0]!r} are not read: send the question as text alone")
    question = text_of(last)
    if not question.strip():
        raise InputError("the last message has no text: write the question into a part of type 'text'")
    return question, capped(list(_exchanges(before[-4 * MOST_EXCHANGES :])))


def text_of(message: Any) -> str:
    """Return the text of a message: its `text`, its `content`, or its parts of type text, one a line."""
    if not isinstance(message, dict):
        return ""
    for name in ("text", "content"):
        if isinstance(message.get(name), str):
            return str(message[name])
    parts = message.get("parts")
    parts = parts if isinstance(parts, list) else message.get("content")
    texts = (
        part.get("text")
        for part in (parts if isinstance(parts, list) else ())
        if isinstance(part, dict) and part.get("type") == "text"
    )
    return "\n".join(text for text in texts if isinstance(text, str))


def _exchanges(messages: Iterable[Any]) -> Iterable[Exchange]:
    """Pair each question with the answers up to the next question."""
    exchange = Exchange("")
    for message in messages:
        role = message.get("role") if isinstance(message, dict) else None
        if role == "user":
            if exchange.question:
                yield exchange
            exchange = Exchange(text_of(message))
        elif role == "assistant":
            answer = "\n".join(filter(None, (exchange.answer, text_of(message))))
            recordings = (*exchange.recordings, *_cited_in(message.get("parts")))
            exchange = Exchange(exchange.question, answer[:MOST_ANSWER], recordings)
    if exchange.question:
        yield exchange


def _cited_in(parts: Any) -> Iterable[str]:
    """Yield the recordings of source parts, as the UI message stream sends them."""
    for part in parts if isinstance(parts, list) else ():
        known = part.get("providerMetadata") if isinstance(part, dict) else None
        known = known.get("onrecord") if isinstance(known, dict) else None
        recording = known.get("recording") if isinstance(known, dict) else None
        if isinstance(recording, str):
            yield recording
