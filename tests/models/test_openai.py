"""Embedding with the real openai client, against a small server that speaks its protocol."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

from onrecord.errors import EmbeddingError, ModelError
from onrecord.models import open_embedder
from onrecord.models.contract import EmbedderContract
from onrecord.models.double import HashingEmbedder

SECRET = "sk-very-secret"


class Server:
    """A server that embeds by hashing.

    `fault` selects a faulty reply: a status code or a name. `asked` has the bodies of the requests, `keys`
    their keys.
    """

    def __init__(self):
        self.fault, self.asked, self.keys = None, [], []
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                server.asked.append(body)
                server.keys.append(self.headers["authorization"])
                status, reply = server.reply(body)
                self.send_response(status)
                self.send_header("content-type", "application/json")
                self.end_headers()
                self.wfile.write(reply.encode())

            def log_message(self, *args):
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}/v1"
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    def reply(self, body):
        if isinstance(self.fault, int):
            return self.fault, json.dumps({"error": {"message": f"bad key {SECRET}", "code": "x"}})
        if self.fault == "html":
            return 200, "<html>busy</html>"
        # Some servers send vectors that are not of unit length.
        vectors = 3 * HashingEmbedder().embed(body["input"])
        rows = [{"object": "embedding", "index": i, "embedding": v.tolist()} for i, v in enumerate(vectors)]
        if self.fault == "few":
            rows = rows[1:]
        if self.fault == "nan":
            rows[0]["embedding"][0] = float("nan")
        return 200, json.dumps({"object": "list", "data": rows[::-1], "model": body["model"]})


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    model_server = Server()
    yield model_server
    model_server.http.shutdown()
    model_server.http.server_close()


class TestContract(EmbedderContract):
    @pytest.fixture
    def embedder(self, server):
        return open_embedder("openai:tiny", base_url=server.url)


def test_many_texts_go_in_several_requests_and_come_back_in_order(server):
    embedder = open_embedder("openai:tiny", base_url=server.url)
    texts = [f"text number {i}" for i in range(300)]
    assert np.allclose(embedder.embed(texts), HashingEmbedder().embed(texts), atol=1e-5)
    assert [len(body["input"]) for body in server.asked] == [128, 128, 44]
    assert {body["model"] for body in server.asked} == {"tiny"}


@pytest.mark.parametrize("fault", [400, 401, 404, "html", "few", "nan"])
def test_a_fault_is_one_clear_error_without_the_key(server, fault):
    embedder = open_embedder("openai:tiny", base_url=server.url)
    server.fault = fault
    with pytest.raises(EmbeddingError) as raised:
        embedder.embed(["one", "two"])
    assert "openai:tiny" in str(raised.value)
    assert SECRET not in str(raised.value) + repr(embedder)
    assert raised.value.__cause__ is None


def test_a_server_that_is_not_there(monkeypatch):
    embedder = open_embedder("openai:tiny", base_url="http://127.0.0.1:9/v1")
    with pytest.raises(EmbeddingError, match="no answer"):
        embedder.embed(["one"])


def test_without_a_key_or_an_address_nothing_is_asked(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(ModelError, match="OPENAI_API_KEY"):
        open_embedder("openai:tiny")


def test_tokens_are_counted_as_the_server_tells_them(server, monkeypatch):
    embedder = open_embedder("openai:small", base_url=server.url)
    real = server.reply
    monkeypatch.setattr(
        server,
        "reply",
        lambda body: (200, json.dumps({**json.loads(real(body)[1]), "usage": {"total_tokens": 7}})),
    )
    embedder.embed(["one", "two"])
    embedder.embed_query("three")
    assert (embedder.spent(), embedder.spent()) == (14, 0)
