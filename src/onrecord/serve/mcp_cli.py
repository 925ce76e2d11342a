"""``onrecord mcp``: an archive as a tool of agents, over standard input and output."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from onrecord.serve.options import archive_options

if TYPE_CHECKING:
    from onrecord.archive import Archive


@click.command("mcp")
@archive_options(make=False)
def mcp(archive: Archive) -> None:
    """Answer agents over standard input and output (Model Context Protocol)."""
    from onrecord.serve.extras import require

    require("mcp", "mcp", "starlette")
    from onrecord.serve.http.access import Access
    from onrecord.serve.http.desk import Desk
    from onrecord.serve.http.tenants import Tenants
    from onrecord.serve.mcp import tools_server

    name = archive.store.workspace
    access = Access("stdio", (name,), frozenset(("read",)))
    desk = Desk(Tenants((name,), lambda _: archive), archive.settings.server, web=False)
    tools_server(desk, lambda _: access).run("stdio")
