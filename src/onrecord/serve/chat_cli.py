"""``onrecord chat``: an archive in Chainlit's chat."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from onrecord.serve.options import archive_options, llm_option, no_model_option

if TYPE_CHECKING:
    from onrecord.archive import Archive


@click.command("chat")
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="A name or address of this machine alone."
)
@click.option("--port", default=8001, show_default=True, type=click.IntRange(0, 65535))
@llm_option
@no_model_option
@archive_options(make=False)
def chat(archive: Archive, host: str, port: int) -> None:
    """Chat with the recordings in a browser (Chainlit): steps, players, filters as buttons."""
    from onrecord.serve.extras import require

    require("chainlit", "chainlit", "starlette", "uvicorn")
    from onrecord.serve.chat.running import run

    run(archive, host, port)
