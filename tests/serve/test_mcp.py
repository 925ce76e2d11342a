"""The real client of the Model Context Protocol, over both transports."""

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

from server_world import SECRET, World, free_of_paths, running

Opened = Callable[[], AbstractAsyncContextManager[Client]]


@asynccontextmanager
async def over_http(address: str) -> AsyncIterator[Client]:
    async with Client(f"{address}/mcp") as client:
        yield client


@asynccontextmanager
async def over_stdio(folder: Path, workspace: str) -> AsyncIterator[Client]:
    command = ["-m", "onrecord", "mcp", "--archive", str(folder / "talks.db"), "--workspace", workspace]
    server = StdioServerParameters(
        command=sys.executable, args=command, env={"ONRECORD_EMBEDDING__MODEL": "hashing"}
    )
    async with Client(stdio_client(server)) as client:
        yield client


async def use(client: Client) -> dict[str, Any]:
    """Every tool, as an agent would use it."""
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert set(tools) == {"search", "ask", "get_transcript", "list_recordings"}
    assert all(tool.description for tool in tools.values())

    async def call(name: str, **arguments: Any) -> dict[str, Any]:
        result = await client.call_tool(name, arguments)
        assert not result.is_error, result
        content: dict[str, Any] = result.structured_content or {}
        return content

    listed = await call("list_recordings")
    found = await call("search", words="gross margin", limit=2)
    misspelt = await call("search", words="the gross tarfifs", limit=2)
    assert misspelt["moments"] and found["notes"] == [] and '"tarfifs" is never said' in misspelt["notes"][0]
    answer = await call("ask", question="Why did gross margin fall by five points?")
    meant = {"language": "fr", "queries": ["Why did gross margin fall?", "Who welds frames?"]}
    parted = await call("ask", question="What happened?", meant=meant)
    assert all(f"{query}\n" in parted["text"] for query in meant["queries"])
    assert (await call("search", words="gross margin", limit=2, meant={"intent": "causal"}))["moments"]
    first = answer["citations"][0]
    around = await call("get_transcript", recording=first["recording"]["id"], at=first["start"], around=5)
    assert any(first["quote"][:20] in part["text"] for part in around["said"])
    whole = await call("get_transcript", recording=first["recording"]["id"])
    assert len(whole["said"]) >= len(around["said"]) > 0
    return {"listed": listed, "found": found, "answer": answer}


def check(seen: dict[str, Any]) -> None:
    assert seen["listed"]["total"] == 5
    moments = seen["found"]["moments"]
    assert len(moments) == 2 and all(m["said"] and m["title"] for m in moments)
    answer = seen["answer"]
    assert answer["verdict"] == "answered" and "[1]" in answer["text"]
    for citation in answer["citations"]:
        assert citation["quote"] and citation["speaker"] and citation["link"].startswith("https://")


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
    ("tool", "arguments", "said"),
    [
        ("get_transcript", {"recording": "nowhere"}, "no recording 'nowhere'"),
        ("ask", {"question": "?!"}, "no words"),
        ("ask", {"question": "why?", "strategy": "none"}, "no strategy 'none'"),
        ("ask", {"question": "why?", "since": "yesterday"}, "since"),
        ("ask", {"question": "why?", "meant": {"intent": "sumary"}}, "did you mean 'summary'?"),
        ("search", {"words": "a", "meant": {"intnet": "causal"}}, "did you mean 'intent'?"),
        ("search", {"words": "a", "recordings": ["nowhere"]}, "nowhere"),
    ],
)
def test_what_is_wrong_is_told_without_internals(
    world: World, tool: str, arguments: dict[str, Any], said: str
) -> None:
    async def main(address: str) -> Any:
        async with over_http(address) as client:
            return await client.call_tool(tool, arguments)

    with running(world.app()) as address:
        result = anyio.run(main, address)
    assert result.is_error and said in str(result.content)
    assert free_of_paths(str(result.content), world.folder)


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
