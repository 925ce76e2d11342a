"""``onrecord mcp``: an archive as a tool of agents, over standard input and output."""

from __future__ import annotations

import click

from onrecord.serve.options import archive_option, workspace_option


@click.command("mcp")
@archive_option
@workspace_option
def mcp(url: str | None, workspace: str | None) -> None:
    """Answer agents over standard input and output (Model Context Protocol)."""
    from onrecord.serve.extras import require

    require("mcp", "mcp", "starlette")
    import onrecord.archive
    from onrecord.serve.http.access import Access
    from onrecord.serve.http.desk import Desk
    from onrecord.serve.http.tenants import Tenants
    from onrecord.serve.mcp import tools_server

    with onrecord.archive.open(url, make=False, workspace=workspace) as archive:
        name = archive.store.workspace
        access = Access("stdio", (name,), frozenset(("read",)))
        desk = Desk(Tenants((name,), lambda _: archive), archive.settings.server, web=False)
        tools_server(desk, lambda _: access).run("stdio")
