"""A small server that speaks the OpenAI chat protocol, and can go wrong in many ways."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

Reply = str | Callable[[dict[str, Any]], str]


def completion(text: str) -> bytes:
    message = {"role": "assistant", "content": text}
    usage = {"prompt_tokens": 120, "completion_tokens": 15, "total_tokens": 135}
    return json.dumps({"choices": [{"index": 0, "message": message}], "usage": usage}).encode()


class ChatServer:
    """`fault` is how it goes wrong: slow, drip, drip_head, cut, html, status, nonsense, empty, huge, deep."""

    def __init__(self, reply: Reply, fault: str) -> None:
        self.reply, self.fault = reply, fault
        self.asked: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.over = Event()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                outer.handle(self)

            def log_message(self, *_: object) -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.http.server_port}/v1"

    @property
    def prompt(self) -> str:
        """The last message that was received."""
        return str(self.asked[-1]["messages"][-1]["content"])

    def handle(self, http: BaseHTTPRequestHandler) -> None:
        body = json.loads(http.rfile.read(int(http.headers["Content-Length"])))
        self.asked.append(body)
        self.headers.append({"path": http.path, **{k.lower(): v for k, v in http.headers.items()}})
        text = self.reply if isinstance(self.reply, str) else self.reply(body)
        with suppress(OSError):  # the client has gone
            getattr(self, f"_{self.fault}")(http, completion(text))

    def _send(self, http: BaseHTTPRequestHandler, data: bytes, status: int = 200, length: int = 0) -> None:
        http.send_response(status)
        http.send_header("Content-Length", str(length or len(data)))
        http.end_headers()
        http.wfile.write(data)

    _none = _send

    def _slow(self, http: BaseHTTPRequestHandler, data: bytes) -> None:
        self.over.wait(30)
        self._send(http, data)

    def _drip(self, http: BaseHTTPRequestHandler, data: bytes) -> None:
        self._send(http, b"", length=len(data))
        self._one_by_one(http, data)

    def _drip_head(self, http: BaseHTTPRequestHandler, data: bytes) -> None:
        self._one_by_one(http, b"HTTP/1.0 200 OK\r\nX-Long: " + b"x" * 1000)

    def _one_by_one(self, http: BaseHTTPRequestHandler, data: bytes) -> None:
        for byte in data:
            http.wfile.write(bytes([byte]))
            http.wfile.flush()
            if self.over.wait(0.05):
                return

    def _cut(self, http: BaseHTTPRequestHandler, data: bytes) -> None:
        self._send(http, data[: len(data) // 2], length=len(data))

    def _html(self, http: BaseHTTPRequestHandler, data: bytes) -> None:
        self._send(http, b"<html><body>PICK: 1<br>REASON: we are down for maintenance</body></html>")

    def _status(self, http: BaseHTTPRequestHandler, data: bytes) -> None:
        self._send(http, data, status=500)

    def _nonsense(self, http: BaseHTTPRequestHandler, data: bytes) -> None:
        self._send(http, b'{"choices": [{"message": {"content": 7}}]}')

    def _empty(self, http: BaseHTTPRequestHandler, data: bytes) -> None:
        http.close_connection = True

    def _huge(self, http: BaseHTTPRequestHandler, data: bytes) -> None:
        self._send(http, b" " * (2 << 20) + data)

    def _deep(self, http: BaseHTTPRequestHandler, data: bytes) -> None:
        self._send(http, b"[" * 200_000)


FAULTS = ("slow", "drip", "drip_head", "cut", "html", "status", "nonsense", "empty", "huge", "deep")


@contextmanager
def chat_server(
    reply: Reply = "PICK: none\nREASON: nothing fits this", fault: str = "none"
) -> Iterator[ChatServer]:
    server = ChatServer(reply, fault)
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
