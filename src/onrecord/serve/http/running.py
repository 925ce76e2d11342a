"""Starting the server: what is wrong is said now, not to the first who asks."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import click
import uvicorn

from onrecord.archive import Archive
from onrecord.serve.http.app import create_app
from onrecord.serve.http.guard import LOOPBACK
from onrecord.serve.http.tenants import Tenants


def run(
    open_archive: Callable[[str | None], Archive], workspaces: Sequence[str], host: str, port: int
) -> None:
    """Answer requests until interrupted. Raises what keeps the archive from being opened."""
    first = open_archive(workspaces[0] if workspaces else None)
    names = tuple(workspaces) or (first.store.workspace,)
    tenants = Tenants(names, lambda name: first if name == names[0] else open_archive(name))
    app = create_app(tenants, first.settings.server, hosts=LOOPBACK)
    _warm(first)
    click.echo(f"onrecord answers on http://{host}:{port}")
    uvicorn.run(app, host=host, port=port, log_level="warning", access_log=False)


def _warm(archive: Archive) -> None:
    """Read the model and what searching keeps in memory."""
    if archive.recordings():
        archive.search("ready?")
