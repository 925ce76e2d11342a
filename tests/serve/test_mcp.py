"""The MCP tools, called by the real client of the Model Context Protocol over both transports."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest
from mcp import Client, StdioServerParameters, stdio_client

import onrecord
from onrecord.serve.http import Tenants, create_app
from server_world import SECRET, World, free_of_paths, running

Opened = Callable[[], AbstractAsyncContextManager[Client]]


@asynccontextmanager
async def over_http(address: str) -> AsyncIterator[Client]:
    async with Client(f"{address}/mcp") as client:
        yield client


@asynccontextmanager
async def over_stdio(folder: Path, workspace: str) -> AsyncIterator[Client]:
    command = ["-m", "onrecord", "mcp", "--archive", str(folder / "talks.db"), "--workspace", workspace]
    source = str(Path(onrecord.__file__).parent.parent)  # test this code even if another version is installed
    env = {"ONRECORD_EMBEDDING__MODEL": "hashing", "PYTHONPATH": source}
    server = StdioServerParameters(command=sys.executable, args=command, env=env)
    async with Client(stdio_client(server)) as client:
        yield client


async def use(client: Client) -> dict[str, Any]:
    """Call every tool as an agent would, and return the results."""
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    graph = {
        f"graph_{name}"
        for name in ("about", "aliases", "similar", "between", "causes", "timeline", "common", "concepts")
    }
    assert set(tools) == {"search", "ask", "get_transcript", "list_recordings", *graph}
    assert all(tool.description for tool in tools.values())
    assert all(tool.input_schema["additionalProperties"] is False for tool in tools.values())

    async def call(tool: str, /, **arguments: Any) -> dict[str, Any]:
        result = await client.call_tool(tool, arguments)
        assert not result.is_error, result
        content: dict[str, Any] = result.structured_content or {}
        return content

    listed = await call("list_recordings")
    response = await call("search", words="gross margin", limit=2)
    misspelt = await call("search", words="the gross tarfifs", limit=2)
    assert (
        misspelt["moments"] and response["notes"] == [] and '"tarfifs" is never said' in misspelt["notes"][0]
    )
    answer = await call("ask", question="Why did gross margin" + " " * 8000 + "fall by five points?")
    hints = {"language": "fr", "queries": ["Why did gross margin fall?", "Who welds frames?"]}
    parted = await call("ask", question="What happened?", hints=hints)
    assert all(f"{query}\n" in parted["text"] for query in hints["queries"])
    assert (await call("search", words="gross margin", limit=2, hints={"intent": "causal"}))["moments"]
    assert (
        "nobody called 'Nobodaddy'" in (await call("search", words="a", speakers=["Nobodaddy"]))["notes"][0]
    )
    assert "faq" not in answer
    chained = await call("ask", question="How high is the moon?", faq=True)
    assert chained["faq"]["answered"] is False and "suggestions" in chained
    third = await call(
        "ask", question="Why did gross margin fall?", company="halden", year=2024, quarter="Q3"
    )
    assert third["citations"] or third["notes"]
    first = answer["citations"][0]
    around = await call("get_transcript", recording=first["recording"]["id"], at=first["start"], around=5)
    assert any(first["quote"][:20] in part["text"] for part in around["said"])
    whole = await call("get_transcript", recording=first["recording"]["id"])
    assert len(whole["said"]) >= len(around["said"]) > 0
    two = ["Brendan Kelly", "Tobias Brandt"]
    return {
        "listed": listed,
        "found": response,
        "answer": answer,
        "about": await call("graph_about", name="freight", most=3),
        "aliases": await call("graph_aliases", name="Brendan Kelly"),
        "between": await call("graph_between", one=two[0], other="freight", steps=1),
        "timeline": await call("graph_timeline", name="tariff", by="year"),
        "common": await call("graph_common", names=two),
        "concepts": await call("graph_concepts", across=2, most=5),
    }


def check(seen: dict[str, Any]) -> None:
    """Check the results that `use` returns."""
    assert seen["listed"]["total"] == 5
    moments = seen["found"]["moments"]
    assert len(moments) == 2 and all(m["said"] and m["title"] for m in moments)
    answer = seen["answer"]
    assert answer["verdict"] == "answered" and "[1]" in answer["text"]
    for citation in answer["citations"]:
        assert citation["quote"] and citation["speaker"] and citation["link"].startswith("https://")
    check_graph(seen)


def check_graph(seen: dict[str, Any]) -> None:
    about = seen["about"]
    assert about["entity"]["name"] == "freight" and about["entity"]["recordings"] == 2
    assert {voice["speaker"] for voice in about["voices"]} == {"Brendan Kelly", "Tobias Brandt"}
    for quote in about["quotes"]:
        assert "freight" in quote["text"].lower() and quote["speaker"]
        assert quote["link"].startswith("https://")
    assert any(row["score"] > 0 and row["reason"] for row in seen["aliases"]["aliases"])
    step = seen["between"]["paths"][0]["steps"][0]
    assert step["relation"] == "speaks of" and "freight" in step["quotes"][0]["text"]
    (year,) = seen["timeline"]["points"]
    assert year["period"] == "2024" and sum(year["speakers"].values()) > 1
    assert seen["common"]["shared"] and len(seen["common"]["only"]) == 2
    concepts = seen["concepts"]["concepts"]
    assert len(concepts) == 5 and all(concept["quotes"] for concept in concepts)


def test_every_tool_over_http(world: World) -> None:
    async def main(address: str) -> dict[str, Any]:
        async with over_http(address) as client:
            return await use(client)

    with running(world.app()) as address:
        check(anyio.run(main, address))


def test_every_tool_over_standard_input(world: World) -> None:
    async def main() -> dict[str, Any]:
        async with over_stdio(world.folder, "one") as client:
            return await use(client)

    check(anyio.run(main))


@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        ("get_transcript", {"recording": "nowhere"}, "no recording 'nowhere'"),
        ("ask", {"question": "?!"}, "no words"),
        ("ask", {"question": ""}, "question is empty"),
        ("ask", {"question": "why? " * 2000}, "the question has 9999 characters; at most 8000 are read"),
        ("search", {"words": "a" * 8001}, "the question has 8001 characters; at most 8000 are read"),
        ("ask", {"question": "why?", "strategy": "none"}, "no strategy 'none'"),
        ("ask", {"question": "why?", "since": "yesterday"}, "since"),
        ("ask", {"question": "why?", "since": "2024-99"}, "since"),
        ("search", {"words": "a", "until": "2024-13"}, "until"),
        ("ask", {"question": "why?", "speaker": "Nobody"}, "did you mean 'speakers'?"),
        ("list_recordings", {"speakers": ["Nobody"]}, "there is no field 'speakers'"),
        ("graph_about", {"name": "freight", "limit": 3}, "there is no field 'limit'"),
        ("ask", {"question": "why?", "hints": {"intent": "sumary"}}, "did you mean 'summary'?"),
        ("search", {"words": "a", "hints": {"intnet": "causal"}}, "did you mean 'intent'?"),
        ("search", {"words": "a", "recordings": ["nowhere"]}, "nowhere"),
        ("graph_about", {"name": "submarine"}, "submarine"),
        ("graph_about", {"name": "?!"}, "a name has words"),
        ("graph_between", {"one": "freight", "other": "submarine"}, "submarine"),
        ("graph_between", {"one": "freight"}, "other is missing"),
        ("graph_between", {"one": "", "other": "freight"}, "one is empty"),
        ("graph_timeline", {"name": "tariff", "by": "hour"}, "'month'"),
        ("graph_common", {"names": ["freight"]}, "names must have at least 2 items, not 1"),
        ("graph_common", {"names": ["freight", "freight"]}, "the same was named twice"),
        ("graph_concepts", {"across": 0}, "across"),
        ("graph_causes", {"name": "submarine"}, "submarine"),
        ("graph_similar", {"name": "submarine"}, "submarine"),
    ],
)
def test_what_is_wrong_is_reported_without_internals(
    world: World, tool: str, arguments: dict[str, Any], message: str
) -> None:
    """A wrong argument gets a clear error without paths of the server, and nothing else."""

    async def main(address: str) -> Any:
        async with over_http(address) as client:
            return await client.call_tool(tool, arguments)

    with running(world.app()) as address:
        result = anyio.run(main, address)
    assert result.is_error and message in str(result.content)
    assert not any(words in str(result.content) for words in ("validation error", "executing tool"))
    assert free_of_paths(str(result.content), world.folder)


def test_links_of_the_graph_open_anywhere_and_tell_no_paths(tmp_path: Path) -> None:
    (tmp_path / "tape.mp3").write_bytes(b"sound")
    talk = "---\nmedia: tape.mp3\n---\n\nAnn [0:07]: The freight of kites was dear.\n"
    (tmp_path / "tape.md").write_text(talk)

    async def main(address: str) -> Any:
        async with over_http(address) as client:
            return await client.call_tool("graph_about", {"name": "kites"})

    with onrecord.open(tmp_path / "a.db", embedding={"model": "hashing"}) as archive:
        archive.add(tmp_path / "tape.md")
        with running(create_app(Tenants(("default",), lambda name: archive))) as address:
            result = anyio.run(main, address)
            (quote,) = (result.structured_content or {})["quotes"]
            assert quote["link"].startswith(f"{address}/api/recordings/") and quote["link"].endswith("#t=7")
            assert httpx.get(quote["link"]).content == b"sound"
    assert free_of_paths(str(result), tmp_path)


def test_an_explanation_has_the_edges_that_raised_passages(tmp_path: Path) -> None:
    """Only a call that asks to explain gets a trace. It tells no paths of the server."""
    (tmp_path / "tape.mp3").write_bytes(b"sound")
    text = "The drought caused a shortage. The shortage led to a delay."
    (tmp_path / "tape.md").write_text(f"---\nmedia: tape.mp3\n---\n\nAnn [0:07]: {text}\n")
    question, explain = "What led to the delay?", {"explain": True}

    async def main(address: str) -> list[dict[str, Any]]:
        async with over_http(address) as client:
            calls = [
                await client.call_tool(tool, {name: question, **options})
                for tool, name in (("ask", "question"), ("search", "words"))
                for options in ({}, explain)
            ]
            return [call.structured_content or {} for call in calls]

    with onrecord.open(tmp_path / "a.db", embedding={"model": "hashing"}, reader=None) as archive:
        archive.add(tmp_path / "tape.md")
        with running(create_app(Tenants(("default",), lambda name: archive))) as address:
            answer, explained, moments, explained_moments = anyio.run(main, address)
    assert "trace" not in answer and "trace" not in moments
    (raised,) = explained["trace"][0]["raised"]
    descriptions = {edge["source"]["description"] for edge in raised["edges"]}
    assert descriptions == {"drought causes shortage.", "shortage causes delay."}
    assert "Search" in {step["name"] for step in explained_moments["trace"]}
    assert free_of_paths(str((explained, explained_moments)), tmp_path)


def test_keys_let_into_their_workspace(world: World) -> None:
    keys, secrets = world.keys(one=("read",), two=("read",), one_blind=("write",))

    async def main(address: str, key: str) -> Any:
        from mcp.client.streamable_http import streamable_http_client

        headers = {"Authorization": f"Bearer {key}"}
        async with (
            make_client(headers) as http,
            Client(streamable_http_client(f"{address}/mcp", http_client=http)) as client,
        ):
            return await client.call_tool("ask", {"question": "Which orchid was found on the seventh moon?"})

    with running(world.app(keys=keys)) as address:
        assert SECRET in str(anyio.run(main, address, secrets["two"]).structured_content)
        assert SECRET not in str(anyio.run(main, address, secrets["one"]).structured_content)
        blind = anyio.run(main, address, secrets["one_blind"])
        assert blind.is_error and "right 'read'" in str(blind.content)
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
        refused = httpx.post(f"{address}/mcp", json=body)
        assert refused.status_code == 401 and refused.headers["www-authenticate"] == "Bearer"


def make_client(headers: dict[str, str]) -> Any:
    from mcp.shared._httpx_utils import create_mcp_http_client

    return create_mcp_http_client(headers=headers)
