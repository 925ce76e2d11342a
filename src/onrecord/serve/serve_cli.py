"""The commands ``onrecord serve``, ``chat`` and ``mcp``: an archive for browsers, programs and agents."""

from __future__ import annotations

import os
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING

import click

from onrecord.errors import InputError, NotFoundError
from onrecord.serve.options import (
    archive_option,
    archive_options,
    language_model,
    listening_options,
    llm_option,
    no_model_option,
)

if TYPE_CHECKING:
    from onrecord.archive import Archive


@click.command("serve")
@archive_option
@click.option(
    "--workspace", "workspaces", multiple=True, metavar="NAME", help="Whose recordings. Repeat it for more."
)
@llm_option
@no_model_option
@listening_options(8000, "Address to listen on. 0.0.0.0 lets other machines in; make keys for them first.")
def serve(
    url: str | None, workspaces: tuple[str, ...], llm: str | None, no_model: bool, host: str, port: int
) -> None:
    """Start the web page and the HTTP API.

    Then open http://localhost:8000 in a browser. Programs use the same address: /api, the OpenAI protocol
    under /v1, the Vercel AI SDK, and MCP for agents. Stop it with Ctrl-C. If there is no archive yet, the
    page creates one, as long as users of this machine may write and you name none with --archive.
    """
    # every request has a thread already: more threads for each matrix product only slow one another
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    require("serve", "fastapi", "uvicorn", "limits", "prometheus_client")
    import onrecord.archive
    from onrecord.serve.advice import known_workspace
    from onrecord.serve.http.listening import is_loopback
    from onrecord.serve.http.running import run
    from onrecord.settings import load

    writer, server = language_model(llm, no_model), load().server
    begins = url is None and server.keys is None and server.local_writes and is_loopback(host)

    def open_archive(name: str | None) -> Archive:
        opened = partial(onrecord.archive.open, url, workspace=name, llm=writer)
        try:
            archive = opened(make=False)
        except NotFoundError as error:
            if not begins:
                raise
            click.echo(f"onrecord: {error}, or drop transcripts on the page", err=True)
            archive = opened(make=True)
        try:
            known_workspace(archive)
        except NotFoundError as error:  # a client with a key may create it
            click.echo(f"onrecord: {error}", err=True)
        return archive

    run(open_archive, workspaces, host, port)


@click.command("chat")
@listening_options(8001, "Address to listen on; only this machine is let in.")
@llm_option
@no_model_option
@archive_options(make=False)
def chat(archive: Archive, host: str, port: int) -> None:
    """Chat with the recordings in a browser, with Chainlit.

    It shows each step, plays each citation, and offers filters as buttons. `onrecord serve` has a page of its
    own that needs no extra package.
    """
    require("chainlit", "chainlit", "starlette", "uvicorn")
    from onrecord.serve.chat.running import run

    run(archive, host, port)


@click.command("mcp")
@archive_options(make=False)
def mcp(archive: Archive) -> None:
    """Answer an agent over standard input and output (MCP).

    Agents start this command themselves: name it in their list of MCP servers.
    """
    require("mcp", "mcp", "starlette")
    from onrecord.serve.http.access import Access
    from onrecord.serve.http.desk import Desk
    from onrecord.serve.http.tenants import Tenants
    from onrecord.serve.mcp import tools_server

    name = archive.store.workspace
    access = Access("stdio", (name,), frozenset(("read",)))
    desk = Desk(Tenants((name,), lambda _: archive), archive.settings.server, web=False)
    tools_server(desk, lambda _: access).run("stdio")


def require(extra: str, *modules: str) -> None:
    """Raise InputError, naming the extra, if one of these modules is not installed."""
    for module in modules:
        if find_spec(module) is None:
            raise InputError(
                f"this needs a package that is not installed ({module}): pip install 'onrecord[{extra}]'"
            )
