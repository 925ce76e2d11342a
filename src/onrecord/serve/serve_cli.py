"""``onrecord serve``: everything over HTTP."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from onrecord.errors import NotFoundError
from onrecord.serve.options import archive_option, language_model, llm_option, no_model_option

if TYPE_CHECKING:
    from onrecord.archive import Archive


@click.command("serve")
@archive_option
@click.option(
    "--workspace", "workspaces", multiple=True, metavar="NAME", help="Whose recordings; several may be named."
)
@llm_option
@no_model_option
@click.option("--host", default="127.0.0.1", show_default=True, help="0.0.0.0 to be reached from elsewhere.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535))
def serve(
    url: str | None, workspaces: tuple[str, ...], llm: str | None, no_model: bool, host: str, port: int
) -> None:
    """Answer over HTTP: the chat page, programs, agents."""
    # every request has a thread already: more of them for each matrix product only get in each other's way
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from onrecord.serve.extras import require

    require("serve", "fastapi", "uvicorn", "limits", "prometheus_client")
    import onrecord.archive
    from onrecord.serve.advice import known_workspace
    from onrecord.serve.http.running import run

    writer = language_model(llm, no_model)

    def open_archive(name: str | None) -> Archive:
        archive = onrecord.archive.open(url, make=False, workspace=name, llm=writer)
        try:
            known_workspace(archive)
        except NotFoundError as error:  # whoever has a key may begin it
            click.echo(f"onrecord: {error}", err=True)
        return archive

    run(open_archive, workspaces, host, port)
