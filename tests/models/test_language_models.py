"""Language models through pydantic-ai: the requests they send, one error type per fault, and secret keys."""

from __future__ import annotations

import gc
import logging
import subprocess
import sys
import time
import traceback
from collections.abc import Iterator
from threading import Timer

import pytest
from pydantic import BaseModel

from model_server import FAULTS, SECRET, SLOW, STATUS, ModelServer, model_server
from onrecord.errors import (
    GenerationCutError,
    GenerationError,
    GenerationKeyError,
    GenerationLimitError,
    GenerationPageError,
    GenerationRefusedError,
    GenerationReplyError,
    GenerationTimeoutError,
    GenerationUnreachableError,
    ModelError,
    SettingError,
)
from onrecord.models.background import Calls, cancellable
from onrecord.models.base import CallLimits, Completion, Message
from onrecord.models.endpoints import endpoint_of
from onrecord.models.language import PydanticModel
from onrecord.models.providers import open_llm
from onrecord.models.reasoning import without_reasoning
from onrecord.models.roles import Allowance, ModelRoles

KEY = "sk-never-to-be-shown-9431"
NAMES = ("openai:small", "anthropic:small", "ollama:small", "small")
ERRORS = {
    "slow": GenerationTimeoutError,
    "drip": GenerationTimeoutError,
    "cut": GenerationCutError,
    "reset": GenerationCutError,
    "empty": GenerationCutError,
    "html": GenerationPageError,
    "refusal": GenerationRefusedError,
    "nonsense": GenerationReplyError,
    "redirect": GenerationUnreachableError,
    "key": GenerationKeyError,
    "forbidden": GenerationKeyError,
    "limit": GenerationLimitError,
    "missing": GenerationError,
    "broken": GenerationError,
    "overloaded": GenerationError,
}


class Pick(BaseModel):
    number: int
    why: str


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set one key for the main model, and remove the keys of all providers."""
    for name in ("OPENAI", "ANTHROPIC", "OLLAMA"):
        monkeypatch.delenv(f"{name}_API_KEY", raising=False)
    monkeypatch.setenv("ONRECORD_LLM_API_KEY", KEY)


@pytest.fixture(autouse=True, scope="module")
def imported() -> None:
    """Import the packages before the tests, so that the import time counts against no time limit."""
    for name in ("openai:warm", "anthropic:warm"):
        PydanticModel(name, "http://127.0.0.1:9/v1").warm()


def written(name: str, server: ModelServer, seconds: float = 10) -> list[str | Completion]:
    """Return the pieces of a streamed reply and the `Completion` that ends it."""
    return list(
        PydanticModel(name, server.base_url).write("Be brief.", "Say hello.", CallLimits(seconds, 50))
    )


# ---------------------------------------------------------------- what works


@pytest.mark.parametrize("name", NAMES)
def test_a_text_comes_as_it_is_written(name: str) -> None:
    with model_server("Hello, \u2603 and you.", pieces=5) as server:
        *pieces, end = written(name, server)
    assert len(pieces) > 2 and "".join(map(str, pieces)) == "Hello, \u2603 and you."
    assert end == Completion("Hello, \u2603 and you.", 120, 15)
    (asked,) = server.asked
    assert asked["stream"] is True and asked["model"] == "small"
    assert "Be brief." in server.prompts[0] and "Say hello." in server.prompts[0]
    assert asked["max_completion_tokens" if name == "openai:small" else "max_tokens"] == 50


@pytest.mark.parametrize("name", [name for name in NAMES if not name.startswith("anthropic")])
@pytest.mark.parametrize("pieces", [1, 7, 8, 100])
def test_what_is_said_after_a_thought_arrives_however_it_is_cut(name: str, pieces: int) -> None:
    """The reply after a reasoning block is the same for every split of the stream."""
    with model_server("<think>It may be so.</think>Margins fell.", pieces=pieces) as server:
        *_, end = written(name, server)
    assert isinstance(end, Completion) and without_reasoning(end.text) == "Margins fell."


@pytest.mark.parametrize("name", NAMES)
def test_a_decision_has_the_structure_that_was_asked_for(name: str) -> None:
    with model_server('{"number": 3, "why": "it fits"}') as server:
        decision = PydanticModel(name, server.base_url).decide("Pick.", "1 2 3", Pick, CallLimits(10, 50))
    assert decision.value == Pick(number=3, why="it fits")
    assert (decision.prompt_tokens, decision.completion_tokens) == (120, 15)
    assert len(server.asked) == 1


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("reply", ["not JSON", '{"number": "many"}', "[]", "{}", '{"number": 1'])
def test_another_structure_is_refused_after_one_try(name: str, reply: str) -> None:
    with model_server(reply) as server, pytest.raises(GenerationReplyError):
        PydanticModel(name, server.base_url).decide("Pick.", "1 2 3", Pick, CallLimits(10, 50))
    assert len(server.asked) == 1


def test_the_faq_asks_for_a_text_in_the_same_way() -> None:
    """`complete`, which the FAQ calls, returns the whole text from every provider."""
    with model_server("PICK: 1") as server:
        for name in ("anthropic:small", "openai:small", "small"):
            model = open_llm(name, server.base_url)
            reply = model.complete([Message("system", "S"), Message("user", "U")], CallLimits(10, 50))
            assert reply.text == "PICK: 1", name


# ---------------------------------------------------------------- what goes wrong


@pytest.mark.parametrize("name", ["openai:small", "anthropic:small", "small"])
@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_of_a_stream_is_distinguished_in_time(fault: str, name: str) -> None:
    with model_server("Hello there, how are you all?", fault) as server:
        began = time.monotonic()
        with pytest.raises(GenerationError) as raised:
            written(name, server, seconds=0.5 if fault in SLOW else 10)
        assert time.monotonic() - began < 9, "in time, and not in that of a retry"
    assert type(raised.value) is ERRORS[fault]
    assert "small" in str(raised.value)
    assert len(server.asked) == 1, "no call is retried"


@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_of_a_decision_is_distinguished(fault: str) -> None:
    with model_server('{"number": 3, "why": "it fits"}', fault) as server:
        model = PydanticModel("openai:small", server.base_url)
        with pytest.raises(GenerationError) as raised:
            model.decide("Pick.", "1 2", Pick, CallLimits(0.5 if fault in SLOW else 10, 50))
    assert type(raised.value) is ERRORS[fault]
    assert len(server.asked) == 1


def test_without_the_package_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pydantic_ai", None)
    with pytest.raises(ModelError, match=r"pip install 'onrecord\[llm\]'"):
        list(PydanticModel("m", "http://127.0.0.1:9/v1").write("", "hello", CallLimits(5, 5)))


def test_nobody_at_the_address() -> None:
    with pytest.raises(GenerationUnreachableError, match="is it running"):
        list(PydanticModel("m", "http://127.0.0.1:9/v1").write("", "hello", CallLimits(5, 5)))


def test_a_model_that_writes_on_and_on_is_stopped() -> None:
    with (
        model_server("word " * 1000, pieces=100) as server,
        pytest.raises(GenerationReplyError, match="beyond"),
    ):
        list(PydanticModel("m", server.base_url).write("", "hello", CallLimits(10, 50)))


@pytest.mark.parametrize("name", NAMES)
def test_a_line_that_does_not_end_is_cut_before_it_is_in_memory(name: str) -> None:
    """The client stops reading a line of 300 MB after less than 40 MiB."""
    with model_server(fault="one_line") as server:
        with pytest.raises(GenerationReplyError, match="beyond"):
            written(name, server, seconds=60)
        assert server.gone.wait(10) and server.sent < 40 << 20


@pytest.mark.parametrize("name", NAMES)
def test_a_reply_that_is_packed_is_not_unpacked(name: str) -> None:
    """The client asks for an uncompressed reply and refuses a compressed one, which could expand hugely."""
    with model_server(fault="packed") as server:
        with pytest.raises(GenerationReplyError, match="beyond"):
            written(name, server, seconds=60)
        assert server.headers[-1]["accept-encoding"] == "identity"


def test_the_time_of_a_call_holds_from_a_cold_process_on() -> None:
    """The time limit of the first call in a process includes the import of the package."""
    code = """
import sys, time
from onrecord.errors import GenerationTimeoutError
from onrecord.models.base import CallLimits
from onrecord.models.language import PydanticModel
began = time.monotonic()
try:
    list(PydanticModel("openai:small", sys.argv[1]).write("", "hello", CallLimits(0.4, 5)))
except GenerationTimeoutError:
    print(time.monotonic() - began)
"""
    with model_server(fault="slow") as server:
        run = [sys.executable, "-c", code, server.base_url]
        process = subprocess.run(run, capture_output=True, text=True)
    assert float(process.stdout) < 1.6, "importing the package alone takes two seconds"


@pytest.mark.parametrize("name", ["openai:small", "anthropic:small"])
def test_who_stops_listening_ends_the_call(name: str) -> None:
    """Closing the iterator closes the connection to the server."""
    with model_server("word " * 2000, pieces=5, pause=0.01) as server:
        pieces = PydanticModel(name, server.base_url).write("", "hello", CallLimits(30, 5000))
        assert next(pieces) == "word "
        pieces.close()  # type: ignore[attr-defined]
        assert server.gone.wait(10), "the server was still being read from"


def test_a_call_that_another_thread_cancels_ends_at_once() -> None:
    calls = Calls()
    with model_server("Hello.", "slow") as server, cancellable(calls):
        Timer(0.2, calls.cancel).start()
        began = time.monotonic()
        with pytest.raises(GenerationError):
            written("openai:small", server, seconds=30)
        assert time.monotonic() - began < 10


# ---------------------------------------------------------------- keys


def everything(error: BaseException | None) -> Iterator[str]:
    """Yield every text form of an error, and of the errors in its chain of causes."""
    while error is not None:
        yield from (str(error), repr(error), repr(error.__dict__), "".join(traceback.format_exception(error)))
        error = error.__cause__ or error.__context__


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("fault", ["none", *STATUS, "html", "cut", "redirect", "nonsense"])
def test_a_key_shows_nowhere(fault: str, name: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    shown = []
    with model_server("Hello.", fault) as server:
        model = PydanticModel(name, server.base_url)
        shown += [repr(model), str(model), repr(model._endpoint)]
        try:
            written(name, server)
        except GenerationError as error:
            shown += everything(error)
        assert KEY in str(server.headers), "the server got it"
    text = "\n".join([*shown, caplog.text])
    assert KEY not in text and SECRET not in text


def test_a_key_goes_to_its_owner_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A provider's key is sent only to that provider's own address, never to another `base_url`."""
    monkeypatch.delenv("ONRECORD_LLM_API_KEY")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", KEY)
    assert endpoint_of("openai:m").key == KEY and endpoint_of("anthropic:m").key == KEY
    for name in NAMES:
        with model_server() as server:
            written(name, server)
            assert KEY not in str(server.headers), name
    gc.collect()


@pytest.mark.parametrize("name", NAMES)
def test_the_environment_adds_no_header_for_another_server(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Headers and names for a provider, which its SDK reads from the environment, stay with the provider."""
    for provider in ("OPENAI", "ANTHROPIC"):
        headers = "Authorization: Bearer of-provider\nX-Api-Key: of-provider\nX-Gateway: of-provider"
        monkeypatch.setenv(f"{provider}_CUSTOM_HEADERS", headers)
    for variable in ("OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.setenv(variable, "of-provider")
    with model_server() as server:
        written(name, server)
        header, key = ("x-api-key", KEY) if "anthropic" in name else ("authorization", f"Bearer {KEY}")
        assert server.headers[-1][header] == key
        assert "of-provider" not in str(server.headers)
        monkeypatch.delenv("ONRECORD_LLM_API_KEY")
        written(name, server)
        assert header not in server.headers[-1] and "of-provider" not in str(server.headers)


def test_the_key_of_the_main_model_is_not_for_models_of_other_providers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert endpoint_of("openai:m").key == KEY
    assert endpoint_of("openai:m", main=False).key == ""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-openai")
    assert endpoint_of("openai:m", main=False).key == "sk-of-openai"


def test_without_a_key_nothing_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ONRECORD_LLM_API_KEY")
    for name in ("openai", "anthropic"):
        with pytest.raises(GenerationKeyError, match=f"{name.upper()}_API_KEY"):
            list(PydanticModel(f"{name}:m").write("", "hello", CallLimits(5, 5)))


# ---------------------------------------------------------------- names


def test_names_and_addresses() -> None:
    assert endpoint_of("ollama:qwen3:8b").model == "qwen3:8b"
    assert endpoint_of("ollama:m").base_url == "http://127.0.0.1:11434/v1"
    assert endpoint_of("qwen/qwen3:8b", "http://localhost:1/v1").provider == "compatible"
    with pytest.raises(SettingError, match="did you mean 'openai'"):
        endpoint_of("opnai:gpt")
    for name in ("", "gpt", "openai:", ":m"):
        with pytest.raises(SettingError, match="openai:NAME"):
            endpoint_of(name)
    for address in ("", "localhost:8080", "ftp://x/v1", "http://", "http://x:y/v1", "file:///etc"):
        with pytest.raises(SettingError, match="base_url"):
            endpoint_of("openai:m", address)


def test_a_key_that_no_header_can_hold_is_refused_unseen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ONRECORD_LLM_API_KEY", "sk-\nX-Evil: 1")
    with pytest.raises(SettingError) as raised:
        endpoint_of("openai:m")
    assert "Evil" not in str(raised.value)


def test_a_call_that_takes_too_long_names_the_setting_of_its_time() -> None:
    with model_server(fault="slow") as server:
        model = PydanticModel("small", server.base_url)
        roles = ModelRoles({"check": model, "answer": model}, Allowance(seconds=0.4, decision_seconds=0.3))
        assert roles.decide("check", "Pick.", "1 2", Pick) is None
        with pytest.raises(GenerationTimeoutError, match=r"0\.4 s; .*\(setting llm\.seconds\)"):
            list(roles.write("answer", "Be brief.", "Say hello."))
        assert "within 0.3 s" in roles.calls[0].failure
        assert "(setting llm.decision_seconds)" in roles.calls[0].failure
        with pytest.raises(GenerationTimeoutError, match=r"more time$"):
            list(model.write("", "hello", CallLimits(0.3, 5)))


def test_a_call_does_not_wait_for_the_import_beyond_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another thread may have begun the import: a module is known before its import has ended."""
    monkeypatch.setattr("onrecord.models.language.import_extra", lambda *_: time.sleep(1.0))
    model = PydanticModel("small", "http://127.0.0.1:9/v1")
    began = time.perf_counter()
    with pytest.raises(GenerationTimeoutError):
        list(model.write("", "hello", CallLimits(0.1, 5)))
    assert time.perf_counter() - began < 0.8
