"""The chat client: a strict time limit for each call, and a clear error for every fault."""

import socket
import time

import pytest

from model_server import SLOW, WHOLE_FAULTS, model_server
from onrecord.errors import GenerationError, GenerationTimeoutError, SettingError
from onrecord.models.base import CallLimits, Completion, Message
from onrecord.models.chat import ChatClient
from onrecord.models.loading import call_within

MESSAGES = (Message("system", "You are brief."), Message("user", "Say hello."))


def ask(client: ChatClient, seconds: float = 5) -> Completion:
    return client.complete(MESSAGES, CallLimits(seconds, 50))


def test_it_speaks_the_protocol() -> None:
    with model_server("hello \u2603") as server:
        reply = ask(ChatClient("small", server.base_url + "/", "key-1"))
    assert reply == Completion("hello \u2603", 120, 15)
    assert server.asked == [
        {
            "model": "small",
            "messages": [
                {"role": "system", "content": "You are brief."},
                {"role": "user", "content": "Say hello."},
            ],
            "temperature": 0,
            "max_tokens": 50,
        }
    ]
    assert server.headers[0]["path"] == "/v1/chat/completions"
    assert server.headers[0]["authorization"] == "Bearer key-1"


@pytest.mark.parametrize("fault", WHOLE_FAULTS)
def test_every_fault_is_an_error_in_time(fault: str) -> None:
    with model_server(fault=fault) as server:
        began = time.monotonic()
        with pytest.raises(GenerationError) as raised:
            ask(ChatClient("small", server.base_url, "key-1"), seconds=0.4)
        took = time.monotonic() - began
    assert isinstance(raised.value, GenerationTimeoutError) == (fault in SLOW)
    assert took < 2
    assert "'small'" in str(raised.value) and "key-1" not in str(raised.value)


@pytest.mark.slow
def test_three_seconds_hold_against_a_byte_a_second() -> None:
    with model_server(fault="drip", pause=1) as server:
        began = time.monotonic()
        with pytest.raises(GenerationTimeoutError, match="within 3 s"):
            ask(ChatClient("small", server.base_url), seconds=3)
        assert 2.9 < time.monotonic() - began < 3.5


def test_nobody_there() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    with pytest.raises(GenerationError, match="could not be asked"):
        ask(ChatClient("small", f"http://127.0.0.1:{port}/v1"))


@pytest.mark.parametrize("url", ["", "localhost:8000", "ftp://host/v1", "http://", "http://host:port/v1"])
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(SettingError, match="base_url"):
        ChatClient("small", url)


def test_a_key_with_a_line_feed_is_refused_and_not_shown() -> None:
    with pytest.raises(SettingError) as refused:
        ChatClient("small", "http://127.0.0.1/v1", "secret\nX-Other: 1")
    assert "secret" not in str(refused.value)


def test_within_passes_on_results_and_errors() -> None:
    assert call_within(5, lambda: 7) == 7
    with pytest.raises(ZeroDivisionError):
        call_within(5, lambda: 1 // 0)
    with pytest.raises(TimeoutError):
        call_within(0.01, lambda: time.sleep(0.2))


def test_a_resolver_that_hangs_is_cut_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", lambda *a, **k: time.sleep(0.5))
    with pytest.raises(GenerationTimeoutError, match=r"within 0\.1 s"):
        ask(ChatClient("small", "http://slow.example/v1"), seconds=0.1)
