"""A small server with the APIs of language models, which can fail in many ways.

It supports OpenAI's chat completions and Anthropic's messages, whole or streamed, with structured output
through a tool or a response format. `reply` is the output of the model: a text, or the requested JSON.
"""

from __future__ import annotations

import json
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

Reply = str | Callable[[dict[str, Any]], str]
STATUS = {"key": 401, "forbidden": 403, "missing": 404, "limit": 429, "broken": 500, "overloaded": 503}
FAULTS = ("slow", "drip", "cut", "reset", "html", "refusal", "nonsense", "empty", "redirect", *STATUS)
WHOLE_FAULTS = (*FAULTS, "drip_head", "huge", "deep")
"""The faults of replies that are not streamed."""
ENDLESS = ("one_line", "packed")
"""The faults of very long replies: 300 MB without a line break, plain or compressed."""
SLOW = ("slow", "drip", "drip_head")
PAGE = b"<!doctype html><html><body>PICK: 1<br>REASON: we are down for maintenance [Source 1]</body></html>"
SECRET = "sk-the-servers-own-words-repeat-your-key"


class _Http(ThreadingHTTPServer):
    """An HTTP server that a hundred clients may call at the same moment."""

    request_queue_size = 256


class ModelServer:
    """A server on loopback with a fixed or computed reply, and one fault.

    `fault` is one of `WHOLE_FAULTS` or `ENDLESS`, or "none". `pieces` is the number of characters in a
    streamed event. `pause` is the time in seconds between two events, or between two bytes of a slow reply.

    `asked` and `headers` hold the received bodies and headers; `gone` is set when a client closes the
    connection early; `over` stops all replies.
    """

    def __init__(self, reply: Reply, fault: str, pieces: int, pause: float) -> None:
        self.reply, self.fault, self.pieces, self.pause = reply, fault, pieces, pause
        self.asked: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.over = Event()
        self.gone = Event()
        self.sent = 0  # bytes of an endless reply, before compression
        self.busy = self.busiest = 0  # current and maximum number of concurrent requests
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                outer.handle(self)

            do_GET = do_POST  # noqa: N815 - the name that http.server calls

            def log_message(self, *_: object) -> None:
                pass

        self.http = _Http(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True

    @property
    def base_url(self) -> str:
        """Return the base URL for clients."""
        return f"http://127.0.0.1:{self.http.server_port}/v1"

    @property
    def prompt(self) -> str:
        """Return the last message that the server received."""
        return str(self.asked[-1]["messages"][-1]["content"])

    @property
    def prompts(self) -> list[str]:
        """Return the body of each request, as JSON."""
        return [json.dumps(body, ensure_ascii=False) for body in self.asked]

    def handle(self, http: BaseHTTPRequestHandler) -> None:
        """Record a request and answer it."""
        body = json.loads(http.rfile.read(int(http.headers.get("Content-Length", 0))) or b"{}")
        self.asked.append(body)
        self.headers.append({"path": http.path, **{k.lower(): v for k, v in http.headers.items()}})
        text = self.reply if isinstance(self.reply, str) else self.reply(body)
        self.busy += 1
        self.busiest = max(self.busiest, self.busy)
        try:
            self._answer(http, body, text)
        except OSError:
            self.gone.set()  # the client has closed the connection
        finally:
            self.busy -= 1

    def _answer(self, http: BaseHTTPRequestHandler, body: dict[str, Any], text: str) -> None:
        if self.fault in STATUS:
            error = {"type": "error", "message": SECRET + " " + http.headers.get("Authorization", "")}
            _send(http, json.dumps({"error": error}).encode(), STATUS[self.fault])
        elif self.fault in REPLIES:
            _send(http, **REPLIES[self.fault])
        elif self.fault == "empty":
            http.close_connection = True
        elif self.fault == "slow":
            self.over.wait(30)
        elif self.fault in ENDLESS:
            self._go_on(http)
        elif self.fault == "drip_head":
            self._drip(http, b"HTTP/1.0 200 OK\r\nX-Long: " + b"x" * 1000)
        else:
            self._speak(http, body, text)

    def _go_on(self, http: BaseHTTPRequestHandler) -> None:
        packed = self.fault == "packed"
        http.send_response(200)
        http.send_header("Content-Type", "text/event-stream")
        if packed:
            http.send_header("Content-Encoding", "gzip")
        http.end_headers()
        pack = zlib.compressobj(wbits=31)
        for piece in (b"data: ", *[b"x" * (1 << 20)] * 300):
            http.wfile.write(pack.compress(piece) if packed else piece)
            self.sent += len(piece)

    def _speak(self, http: BaseHTTPRequestHandler, body: dict[str, Any], text: str) -> None:
        speech = Anthropic(body) if "/messages" in http.path else OpenAI(body)
        refused = self.fault == "refusal"
        if not body.get("stream"):
            self._speak_whole(http, json.dumps(speech.whole(text, refused)).encode())
            return
        pieces = [text[i : i + self.pieces] for i in range(0, len(text), self.pieces)]
        events = list(speech.streamed(pieces, refused))
        if self.fault in ("cut", "reset"):
            events = events[: 1 + len(events) // 2]
        http.send_response(200)
        http.send_header("Content-Type", "text/event-stream")
        if self.fault == "reset":
            http.send_header("Content-Length", "1000000")
        http.end_headers()
        for event in events:
            http.wfile.write(event.encode())
            http.wfile.flush()
            if self.over.wait(0.2 if self.fault == "drip" else self.pause):
                return

    def _speak_whole(self, http: BaseHTTPRequestHandler, data: bytes) -> None:
        half = data[: len(data) // 2]
        if self.fault == "drip":
            _send(http, b"", length=len(data))
            self._drip(http, data)
        elif self.fault == "reset":
            _send(http, half, length=len(data))
        elif self.fault == "huge":
            _send(http, b" " * (2 << 20) + data)
        else:
            _send(http, half if self.fault == "cut" else data)

    def _drip(self, http: BaseHTTPRequestHandler, data: bytes) -> None:
        for byte in data:
            http.wfile.write(bytes([byte]))
            http.wfile.flush()
            if self.over.wait(self.pause or 0.05):
                return


def _send(
    http: BaseHTTPRequestHandler,
    data: bytes,
    status: int = 200,
    kind: str = "application/json",
    length: int = 0,
    location: str = "",
) -> None:
    http.send_response(status)
    http.send_header("Content-Type", kind)
    http.send_header("Content-Length", str(length or len(data)))
    if location:
        http.send_header("Location", location)
    http.end_headers()
    http.wfile.write(data)


REPLIES: dict[str, dict[str, Any]] = {
    "html": {"data": PAGE, "kind": "text/html"},
    "redirect": {"data": b"", "status": 307, "location": "http://127.0.0.1:9/elsewhere"},
    "nonsense": {"data": b'{"choices": 7, "content": 7}'},
    "deep": {"data": b"[" * 200_000},
}


class OpenAI:
    """The replies of ``POST /chat/completions``."""

    def __init__(self, body: dict[str, Any]) -> None:
        self.head = {"id": "c1", "created": 1, "model": body.get("model", "small")}
        self.tool = body["tools"][0]["function"]["name"] if body.get("tools") else None
        self.usage = {"prompt_tokens": 120, "completion_tokens": 15, "total_tokens": 135}

    def whole(self, text: str, refused: bool) -> dict[str, Any]:
        """Return the body of a reply that is not streamed."""
        message: dict[str, Any] = {"role": "assistant", "content": text}
        if refused:
            message |= {"content": None, "refusal": "I cannot help with that."}
        elif self.tool:
            call = {"id": "t1", "type": "function", "function": {"name": self.tool, "arguments": text}}
            message |= {"content": None, "tool_calls": [call]}
        reason = "tool_calls" if self.tool and not refused else "stop"
        choice = {"index": 0, "message": message, "finish_reason": reason}
        return {**self.head, "object": "chat.completion", "choices": [choice], "usage": self.usage}

    def streamed(self, pieces: list[str], refused: bool) -> Iterator[str]:
        """Yield the events of a streamed reply."""
        name = "refusal" if refused else "content"
        for piece in ["I cannot."] if refused else pieces:
            yield self._event({"role": "assistant", name: piece}, None)
        yield self._event({}, "stop")
        last = {**self.head, "object": "chat.completion.chunk", "choices": [], "usage": self.usage}
        yield f"data: {json.dumps(last)}\n\n"
        yield "data: [DONE]\n\n"

    def _event(self, delta: dict[str, Any], reason: str | None) -> str:
        choice = {"index": 0, "delta": delta, "finish_reason": reason}
        return (
            f"data: {json.dumps({**self.head, 'object': 'chat.completion.chunk', 'choices': [choice]})}\n\n"
        )


class Anthropic:
    """The replies of ``POST /v1/messages``."""

    def __init__(self, body: dict[str, Any]) -> None:
        self.head = {"id": "m1", "type": "message", "role": "assistant", "model": body.get("model", "small")}
        self.tool = body["tools"][0]["name"] if body.get("tools") else None
        self.usage = {"input_tokens": 120, "output_tokens": 15}

    def whole(self, text: str, refused: bool) -> dict[str, Any]:
        """Return the body of a reply that is not streamed."""
        content: list[dict[str, Any]] = [{"type": "text", "text": text}]
        if refused:
            content = []
        elif self.tool:
            content = [{"type": "tool_use", "id": "t1", "name": self.tool, "input": _loose(text)}]
        reason = "refusal" if refused else "tool_use" if self.tool else "end_turn"
        return {
            **self.head,
            "content": content,
            "stop_reason": reason,
            "stop_sequence": None,
            "usage": self.usage,
        }

    def streamed(self, pieces: list[str], refused: bool) -> Iterator[str]:
        """Yield the events of a streamed reply."""
        start = {**self.head, "content": [], "stop_reason": None, "stop_sequence": None, "usage": self.usage}
        yield self._event("message_start", message=start)
        if not refused:
            yield self._event("content_block_start", index=0, content_block={"type": "text", "text": ""})
            for piece in pieces:
                yield self._event("content_block_delta", index=0, delta={"type": "text_delta", "text": piece})
            yield self._event("content_block_stop", index=0)
        delta = {"stop_reason": "refusal" if refused else "end_turn", "stop_sequence": None}
        yield self._event("message_delta", delta=delta, usage=self.usage)
        yield self._event("message_stop")

    def _event(self, kind: str, **fields: Any) -> str:
        return f"event: {kind}\ndata: {json.dumps({'type': kind, **fields})}\n\n"


def _loose(text: str) -> Any:
    """Return the value of a JSON text, or the text in an object if it is not JSON."""
    with suppress(ValueError):
        return json.loads(text)
    return {"text": text}


@contextmanager
def model_server(
    reply: Reply = "Hello.", fault: str = "none", pieces: int = 7, pause: float = 0.0
) -> Iterator[ModelServer]:
    """Run a server on loopback in a thread, and stop it at the end."""
    server = ModelServer(reply, fault, pieces, pause)
    thread = Thread(target=server.http.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.over.set()
        time.sleep(0.01)
        server.http.shutdown()
        server.http.server_close()
        thread.join()
