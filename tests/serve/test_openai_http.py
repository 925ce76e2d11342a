"""The routes that follow the OpenAI protocol, called by the real `openai` package on a real server."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from typing import Any

import httpx
import openai
import pytest

from onrecord.errors import GenerationError
from onrecord.serve.http.openai import CompletionBody
from onrecord.types import Event
from server_world import SECRET, World, running

QUESTION = "Why did gross margin fall by five points?"
MESSAGES: Any = [
    {"role": "system", "content": "You are a pirate."},
    {"role": "user", "content": QUESTION},
]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    return World(tmp_path_factory.mktemp("world"))


@pytest.fixture(scope="module")
def address(world: World) -> Iterator[str]:
    with running(world.app()) as address:
        yield address


@pytest.fixture
def client(address: str) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(base_url=f"{address}/v1", api_key="none", max_retries=0) as client:
        yield client


def test_the_models_are_the_strategies(client: openai.OpenAI) -> None:
    names = [model.id for model in client.models.list()]
    assert names[0] == "onrecord" and {"onrecord/balanced", "onrecord/direct"} <= set(names)


@pytest.mark.parametrize("model", ["onrecord", "onrecord/direct", "balanced"])
def test_a_whole_reply(client: openai.OpenAI, model: str) -> None:
    reply = client.chat.completions.create(model=model, messages=MESSAGES, temperature=0.3)
    text = reply.choices[0].message.content or ""
    assert reply.model == model and reply.choices[0].finish_reason == "stop"
    assert "“" in text and "\n\n[1] " in text and "https://" in text
    extension: dict[str, Any] = reply.model_extra["onrecord"]  # type: ignore[index]
    assert extension["sources"][0]["quote"] and extension["confidence"] > 0
    assert reply.usage is not None and reply.usage.total_tokens == 0


def test_a_streamed_reply(client: openai.OpenAI) -> None:
    whole = client.chat.completions.create(model="onrecord", messages=MESSAGES).choices[0].message.content
    pieces = list(
        client.chat.completions.create(
            model="onrecord", messages=MESSAGES, stream=True, stream_options={"include_usage": True}
        )
    )
    *shown, last, usage = pieces
    assert "".join(piece.choices[0].delta.content or "" for piece in shown) == whole
    assert last.choices[0].finish_reason == "stop"
    assert last.model_extra["onrecord"]["sources"]  # type: ignore[index]
    assert usage.choices == [] and usage.usage is not None
    assert len({piece.id for piece in pieces}) == 1


def test_a_model_is_listed_by_its_name_with_when_it_was_made(client: openai.OpenAI) -> None:
    for name in ("onrecord", "onrecord/direct"):
        model = client.models.retrieve(name)
        assert model.id == name and 1_600_000_000 < model.created <= time.time()
    with pytest.raises(openai.NotFoundError, match="did you mean 'onrecord/direct'") as caught:
        client.models.retrieve("onrecord/dirct")
    assert caught.value.type == "invalid_request_error"
    assert len({model.created for model in client.models.list()} & {0}) == 0


@pytest.mark.parametrize("stream", [False, True])
def test_citations_are_annotations_that_open_anywhere(client: openai.OpenAI, stream: bool) -> None:
    reply: Any = client.chat.completions.create(model="onrecord", messages=MESSAGES, stream=stream)
    if stream:
        deltas = [piece.choices[0].delta for piece in reply]
        text = "".join(delta.content or "" for delta in deltas)
        (annotations,) = [
            d.model_extra["annotations"] for d in deltas if "annotations" in (d.model_extra or {})
        ]
    else:
        text = reply.choices[0].message.content
        annotations = [annotation.model_dump() for annotation in reply.choices[0].message.annotations]
    assert annotations and {each["type"] for each in annotations} == {"url_citation"}
    for cited in (each["url_citation"] for each in annotations):
        mark = text[cited["start_index"] : cited["end_index"]]
        assert re.fullmatch(r"\[\d+\]", mark) and cited["url"].startswith("https://") and cited["title"]
        assert f"{mark} {cited['title']}" in text


@pytest.mark.parametrize(
    ("parameter", "value", "message"),
    [
        ("n", 2, "'n' is not supported"),
        ("tools", [{"type": "function", "function": {"name": "f"}}], "'tools' is not supported"),
        ("response_format", {"type": "json_object"}, "'response_format' is not supported"),
        ("logprobs", True, "'logprobs' is not supported"),
        ("stop", ["."], "'stop' is not supported"),
        ("temprature", 1, "did you mean 'temperature'"),
        ("bananas", 7, "there is no parameter 'bananas': leave it out"),
        ("strategy", "direct", "there is no parameter 'strategy'"),
        ("files", [{"id": "f"}], "'files' is not supported"),
        ("guided_json", {"type": "object"}, "'guided_json' is not supported"),
    ],
)
def test_what_is_not_supported_is_refused_by_its_name(
    address: str, parameter: str, value: Any, message: str
) -> None:
    """An unsupported or unknown parameter is refused with its name."""
    asked = {"model": "onrecord", "messages": MESSAGES, "max_tokens": 9, "user": "u", parameter: value}
    reply = httpx.post(f"{address}/v1/chat/completions", json=asked)
    error = reply.json()["error"]
    assert reply.status_code == 400 and message in error["message"]
    assert (error["code"], error["param"]) == ("unsupported_parameter", parameter)


def test_what_asks_for_nothing_is_passed_over(address: str) -> None:
    """Parameters that have no effect, such as default values, are ignored."""
    asked = {"messages": MESSAGES, "n": 1, "tools": [], "stop": None, "response_format": {"type": "text"}}
    asked |= {"temperature": 1, "top_p": 1, "presence_penalty": 0, "frequency_penalty": 0, "user": "u"}
    asked |= {"chat_id": "c", "session_id": "s", "features": {"web_search": False}, "bananas": None}
    assert httpx.post(f"{address}/v1/chat/completions", json=asked).status_code == 200


def test_what_is_wrong_is_reported_as_openai_does(client: openai.OpenAI) -> None:
    """Errors have the types and fields of the OpenAI protocol."""
    with pytest.raises(openai.NotFoundError, match="there is no model 'gpt-9'"):
        client.chat.completions.create(model="gpt-9", messages=MESSAGES)
    with pytest.raises(openai.BadRequestError, match="the last message is not the user's") as caught:
        client.chat.completions.create(model="onrecord", messages=[{"role": "assistant", "content": "?"}])
    assert (caught.value.code, caught.value.type) == ("input_error", "invalid_request_error")


@pytest.mark.parametrize("stream", [False, True])
def test_an_error_on_the_way_is_an_error(
    world: World, client: openai.OpenAI, monkeypatch: pytest.MonkeyPatch, stream: bool
) -> None:
    """An error after the first piece raises an exception in the client, without internals."""

    def failing(*_: Any, **__: Any) -> Iterator[Event]:
        yield "A beginning"
        raise GenerationError("http://10.0.0.7/secret did not answer")

    monkeypatch.setattr(world.tenants.archive("one"), "stream", failing)
    with pytest.raises(openai.APIError, match="language model cannot be used") as caught:
        reply: Any = client.chat.completions.create(model="onrecord", messages=MESSAGES, stream=stream)
        list(reply)
    assert "secret" not in str(caught.value)


def test_a_transcript_cannot_act_in_a_client_that_renders_markdown(
    world: World, client: openai.OpenAI, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Markdown images and links and HTML from a transcript are escaped, also across pieces of a stream."""
    real = world.tenants.archive("one").stream

    def stream(*given: Any, **options: Any) -> Iterator[Event]:
        yield "Ann: ![x"
        yield "](http://evil.example/?q=1) [1"
        yield "](http://evil.example) <img src=x> [a]: http://evil.example !"
        yield "[1] fine [2]."
        *_, answer = real(*given, **options)
        yield answer

    monkeypatch.setattr(world.tenants.archive("one"), "stream", stream)
    reply = client.chat.completions.create(model="onrecord", messages=MESSAGES, stream=True)
    text = "".join(piece.choices[0].delta.content or "" for piece in reply)
    for begins in ("![", "](", "]:", "<i"):
        assert begins not in text
    assert "fine [2]." in text


def test_keys_let_into_their_workspace(world: World) -> None:
    keys, secrets = world.keys(one=("read",), two=("read",), one_blind=("metrics",))
    question: Any = [{"role": "user", "content": "Which orchid was found on the seventh moon?"}]
    with running(world.app(keys=keys)) as address:

        def ask(key: str) -> str:
            with openai.OpenAI(base_url=f"{address}/v1", api_key=key, max_retries=0) as client:
                reply = client.chat.completions.create(model="onrecord", messages=question)
                return str(reply.to_dict())

        assert SECRET in ask(secrets["two"]) and SECRET not in ask(secrets["one"])
        with pytest.raises(openai.AuthenticationError, match="this key is not known"):
            ask("onr_wrong")
        with pytest.raises(openai.PermissionDeniedError, match="right 'read'"):
            ask(secrets["one_blind"])


def test_a_body_that_is_none(address: str) -> None:
    """Invalid JSON gets an error of the OpenAI protocol."""
    reply = httpx.post(f"{address}/v1/chat/completions", content=b"[")
    assert reply.status_code == 400 and json.loads(reply.text)["error"]["type"] == "invalid_request_error"


@pytest.mark.parametrize(("settings", "expected"), [({"temperature": 0.3}, 0.3), ({}, None)])
def test_the_temperature_is_that_of_a_model_that_writes(
    settings: dict[str, Any], expected: float | None
) -> None:
    """The request temperature is passed on to the model that writes the answer."""
    assert (
        CompletionBody.model_validate({"messages": MESSAGES, **settings}).how().form.form().temperature
        == expected
    )


def test_a_temperature_that_cannot_be_is_reported(client: openai.OpenAI) -> None:
    with pytest.raises(openai.BadRequestError, match="temperature"):
        client.chat.completions.create(model="onrecord", messages=MESSAGES, temperature=5)


@pytest.mark.parametrize("kind", ["image_url", ""])
def test_parts_that_are_no_text_are_refused_by_their_type(client: openai.OpenAI, kind: str) -> None:
    picture: Any = {"type": kind, "image_url": {"url": "https://pictures.test/a.png"}}
    parts = [{"type": "text", "text": "Why did margins fall?"}, picture]
    with pytest.raises(openai.BadRequestError, match=f"'{kind}'"):
        client.chat.completions.create(model="onrecord", messages=[{"role": "user", "content": parts}])
