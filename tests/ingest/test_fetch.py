"""Tests of downloads from a small real server on loopback that misbehaves in every way known to us."""

import ipaddress
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.errors import FetchError
from onrecord.ingest.fetch import Fetcher, is_public

Answer = Callable[[socket.socket], None]


def reply(body: bytes = b"", *head: str, status: str = "200 OK", length: int | None = None) -> Answer:
    lines = [f"HTTP/1.1 {status}", *head, f"Content-Length: {len(body) if length is None else length}"]
    return lambda peer: peer.sendall("\r\n".join([*lines, "", ""]).encode() + body)


def drip(head: bytes, byte: bytes) -> Answer:
    """Return an answer that sends ``head``, then ``byte`` 200 times, one every 20 ms."""

    def answer(peer: socket.socket) -> None:
        peer.sendall(head)
        for _ in range(200):
            peer.sendall(byte)
            time.sleep(0.02)

    return answer


def endless(peer: socket.socket) -> None:
    """Send a body that never ends."""
    peer.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
    while True:
        peer.sendall(b"x" * 65536)


def chunked(*chunks: bytes) -> Answer:
    body = b"".join(b"%x\r\n%s\r\n" % (len(c), c) for c in chunks)
    return lambda peer: peer.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + body)


class Server:
    """A server on loopback with one answer per path and one connection per request.

    ``requests`` holds the text of the requests that it received.
    """

    def __init__(self) -> None:
        self.answers: dict[str, Answer] = {}
        self.requests: list[str] = []
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.threads = [threading.Thread(target=self.serve, daemon=True)]
        self.threads[0].start()

    def serve(self) -> None:
        with suppress(OSError):
            while True:
                peer, _ = self.socket.accept()
                self.threads.append(threading.Thread(target=self.answer, args=(peer,), daemon=True))
                self.threads[-1].start()

    def answer(self, peer: socket.socket) -> None:
        with peer, suppress(OSError):
            request = peer.recv(4096)
            while b"\r\n\r\n" not in request:
                if request.startswith(b"\x16"):  # the client starts a TLS handshake
                    peer.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
                    return
                request += peer.recv(4096)
            self.requests.append(request.decode())
            self.answers[request.split()[1].decode()](peer)

    def url(self, path: str, answer: Answer | None = None) -> str:
        if answer:
            self.answers[path] = answer
        return f"http://127.0.0.1:{self.port}{path}"


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server()
    yield server
    server.socket.shutdown(socket.SHUT_RDWR)
    server.socket.close()
    for thread in server.threads:
        thread.join(5)


local = Fetcher(limit_bytes=1 << 20, timeout_s=5, allow_loopback=True)


def refused(url: str, fetcher: Fetcher = local) -> str:
    """Return the message of the error that a URL raises."""
    with pytest.raises(FetchError) as caught:
        fetcher(url)
    return str(caught.value)


# ---------------------------------------------------------------- successful downloads


def test_a_file(server: Server) -> None:
    assert local(server.url("/a.vtt", reply(b"WEBVTT\n"))) == b"WEBVTT\n"
    request = server.requests[0]
    assert request.startswith("GET /a.vtt HTTP/1.1\r\n")
    assert f"Host: 127.0.0.1:{server.port}\r\n" in request
    assert "Accept-Encoding: identity\r\n" in request
    assert "Cookie" not in request and "Authorization" not in request and "Referer" not in request


def test_other_ways_to_end_a_body(server: Server) -> None:
    assert local(server.url("/chunks", chunked(b"WEB", b"VTT", b""))) == b"WEBVTT"
    closing: Answer = lambda peer: peer.sendall(b"HTTP/1.0 200 OK\r\n\r\nWEBVTT")  # noqa: E731
    assert local(server.url("/close", closing)) == b"WEBVTT"
    assert local(server.url("/empty", reply())) == b""


def test_redirects_are_followed(server: Server) -> None:
    server.url("/c", reply(b"there"))
    server.url("/x/b", reply(b"", "Location: ../c", status="307 Temporary Redirect"))
    assert local(server.url("/a", reply(b"", "Location: /x/b", status="302 Found"))) == b"there"


def test_the_path_is_encoded_once(server: Server) -> None:
    server.url("/%C3%A9%20a/b?q=%C3%A9", reply(b"there"))
    assert local(server.url("/é%20a/b?q=é#part")) == b"there"


# ---------------------------------------------------------------- faults of the server


def test_an_endless_body_is_cut(server: Server) -> None:
    url = server.url("/", endless)
    assert refused(url) == f"{url}: larger than 1,048,576 bytes, the most that is fetched"


def test_a_body_said_to_be_too_long_is_not_read(server: Server) -> None:
    assert "larger than 1,048,576 bytes" in refused(server.url("/", reply(b"x", length=1 << 40)))


@pytest.mark.parametrize(
    ("head", "byte"),
    [
        (b"HTTP/1.1 200 OK\r\n\r\n", b"x"),
        (b"HTTP/1.1 200 OK\r\nX-A: ", b"x"),
        (b"HTTP/1.1 200 OK\r\n", b"A: b\r\n"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n"),
        (b"", b"H"),
    ],
    ids=["body", "header", "headers", "chunks", "status"],
)
def test_a_server_that_drips_is_cut_by_the_total_time(server: Server, head: bytes, byte: bytes) -> None:
    began = time.monotonic()
    message = refused(server.url("/", drip(head, byte)), Fetcher(timeout_s=0.3, allow_loopback=True))
    assert time.monotonic() - began < 1.5
    assert "not there within 0.3 seconds" in message


def test_a_server_that_never_answers(server: Server) -> None:
    silent = server.url("/", lambda peer: time.sleep(0.5))
    assert "not there within 0.2 seconds" in refused(silent, Fetcher(timeout_s=0.2, allow_loopback=True))


def test_a_redirect_loop_ends(server: Server) -> None:
    numbers = count(1)
    for i in range(7):
        server.url(f"/{i}", reply(b"", f"Location: /{next(numbers)}", status="302 Found"))
    assert "redirected more than 5 times" in refused(server.url("/0"))
    assert len(server.requests) == 6


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("http://10.0.0.1/", "10.0.0.1 is at 10.0.0.1, which is not on the public internet"),
        ("http://[::ffff:169.254.169.254]/latest", "not on the public internet"),
        ("file:///etc/passwd", "only http:// and https://"),
        ("//user:secret@127.0.0.1/", "user name or password"),
        ("ftp://example.com/", "only http:// and https://"),
    ],
)
def test_a_redirect_is_checked_again(server: Server, target: str, message: str) -> None:
    """Check that the target of a redirect passes the same checks as the first URL."""
    error = refused(server.url("/", reply(b"", f"Location: {target}", status="301 Moved")))
    assert message in error
    assert "secret" not in error


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (reply(b"gone", status="404 Not Found"), "the server answers 404 Not Found"),
        (reply(b"", status="301 Moved"), "the server answers 301 Moved"),
        (reply(b"", status="500 \x1b[31mred"), "the server answers 500 [31mred"),
        (reply(b"half", length=9), "cut off after 4 of 9 bytes"),
        (chunked(b"WEB"), "cut off after 3 bytes"),
        (reply(b"x", "Content-Type: audio/mpeg"), "expected a text, found audio/mpeg"),
        (reply(b"x", "Content-Encoding: gzip"), "sent as gzip"),
        (lambda peer: peer.sendall(b"SSH-2.0-x\r\n\r\n"), "could not be fetched: illegal status line"),
        (lambda peer: None, "could not be fetched: Server disconnected"),
    ],
)
def test_other_faults(server: Server, answer: Answer, message: str) -> None:
    url = server.url("/", answer)
    error = refused(url)
    assert error.startswith(f"{url}: ")
    assert message in error and error.isprintable()


def test_a_server_that_speaks_no_tls(server: Server) -> None:
    url = server.url("/", reply(b"x")).replace("http:", "https:")
    assert refused(url).startswith(f"{url}: could not be fetched: ")


def test_nobody_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as unused:
        port = unused.getsockname()[1]
    assert "could not be fetched" in refused(f"http://127.0.0.1:{port}/")


# ---------------------------------------------------------------- addresses


@pytest.mark.parametrize(
    "url",
    ["file:///etc/passwd", "ftp://example.com/a", "gopher://x", "//example.com/a", "a.vtt", "", "http:///a",
     "http://user:pw@example.com/", "http://example.com:x/", "http://example.com\\@127.0.0.1/", "http://[::1",
     "http://example.com/\r\nHost: x"],
)  # fmt: skip
def test_other_addresses_are_not_even_looked_up(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that a URL of another form is refused before any DNS lookup and shows no password."""
    monkeypatch.setattr(socket, "getaddrinfo", lambda *a, **k: pytest.fail("looked up"))
    assert "pw" not in refused(url)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "127.1", "[::1]", "0"])
def test_this_machine_is_closed_however_it_is_written(server: Server, host: str) -> None:
    """Check that every spelling of a loopback address is refused before any request."""
    with pytest.raises(FetchError, match="not on the public internet"):
        Fetcher()(f"http://{host}:{server.port}/")
    assert server.requests == []


CLOSED = """
    0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 169.254.169.254 172.16.0.1 192.0.0.8 192.0.2.1 192.88.99.1
    192.168.1.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 240.0.0.1 255.255.255.255
    :: ::1 ::7f00:1 ::ffff:8.8.8.8 ::ffff:127.0.0.1 64:ff9b::8.8.8.8 64:ff9b:1::1 100::1 2001::1
    2001:db8::1 2002:7f00:1::1 3fff::1 fc00::1 fd12::1 fe80::1 fe80::1%eth0 fec0::1 ff02::1 5f00::1
"""


@pytest.mark.parametrize("address", CLOSED.split())
def test_closed_addresses(address: str) -> None:
    assert not is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize("address", ["8.8.8.8", "93.184.216.34", "2606:4700::1111", "2a00:1450:4001::1"])
def test_public_addresses(address: str) -> None:
    assert is_public(ipaddress.ip_address(address))


@given(st.ip_addresses())
def test_what_the_standard_library_knows_to_be_closed_is_closed(
    address: ipaddress.IPv4Address | ipaddress.IPv6Address,
) -> None:
    if is_public(address):
        assert address.is_global and not address.is_multicast
        assert getattr(address, "sixtofour", None) is None and getattr(address, "teredo", None) is None


def test_one_closed_address_of_a_host_closes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that a host is refused if one of its addresses is private."""
    answers = [(2, 1, 6, "", ("93.184.216.34", 0)), (2, 1, 6, "", ("10.0.0.7", 0))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *a, **k: answers)
    assert "rebind.example is at 10.0.0.7, which is not on the public internet" in refused(
        "http://rebind.example/"
    )


def test_a_name_is_looked_up_once_and_that_address_is_used(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check that DNS rebinding fails.

    A host that changes its address between the check and the connection gains no access.
    """
    looked_up: list[str] = []
    real = socket.getaddrinfo

    def rebinding(host: str, *args: object, **more: object) -> list[object]:
        if host != "rebind.example":
            return real(host, *args, **more)  # type: ignore[arg-type,return-value]
        looked_up.append(host)
        return [(2, 1, 6, "", ("127.0.0.1" if len(looked_up) == 1 else "10.0.0.7", 0))]

    monkeypatch.setattr(socket, "getaddrinfo", rebinding)
    url = server.url("/a", reply(b"there")).replace("127.0.0.1", "rebind.example")
    assert local(url) == b"there"
    assert looked_up == ["rebind.example"]
    assert f"Host: rebind.example:{server.port}\r\n" in server.requests[0]


def test_an_unknown_host(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*args: object, **more: object) -> None:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    message = refused("http://nowhere.invalid/")
    assert message.startswith("http://nowhere.invalid/: could not be fetched: no such host")


def test_a_resolver_that_hangs_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", lambda *a, **k: time.sleep(0.5))
    assert "not there within 0.1 seconds" in refused("http://slow.example/", Fetcher(timeout_s=0.1))
