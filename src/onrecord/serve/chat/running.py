"""The start of Chainlit in a folder of its own, without access to other hosts."""

from __future__ import annotations

import json
import os
from importlib.metadata import distribution
from pathlib import Path
from tempfile import TemporaryDirectory

import click
import uvicorn
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from onrecord.archive import Archive
from onrecord.errors import NotFoundError, SettingError
from onrecord.serve.chat.local import Local
from onrecord.serve.http.listening import AnnouncingServer, bound, is_loopback
from onrecord.serve.http.media import media_reply

_LAST_WORDS = 3
"""Seconds that answers have to finish when the chat stops."""
_CONFIG = """
[project]
allow_origins = []
[features]
unsafe_allow_html = false
edit_message = false
[features.spontaneous_file_upload]
enabled = false
[features.mcp]
enabled = false
[UI]
name = "onrecord"
description = "Answers about what people said, each with who said it, where, at which second."
cot = "full"
confirm_new_chat = false
[meta]
generated_by = "onrecord"
"""
_WELCOME = """
Ask the recordings a question. Every quote stands word for word in a transcript; the numbers say who said
it, where, and at which second.
"""


def run(archive: Archive, host: str, port: int) -> None:
    """Serve the chat until interrupted.

    Raises SettingError for a host that other machines can reach, and InputError for a port that cannot be
    used.
    """
    if not is_loopback(host):
        raise SettingError("--host", host, "127.0.0.1: the chat knows no keys; onrecord serve does")
    with bound(host, port) as sockets, TemporaryDirectory(prefix="onrecord-chat-") as folder:
        app = application(archive, Path(folder))
        config = uvicorn.Config(
            app, log_level="warning", access_log=False, timeout_graceful_shutdown=_LAST_WORDS
        )
        AnnouncingServer(config, lambda address: click.echo(f"onrecord chats on {address}")).run(sockets)


def application(archive: Archive, folder: Path) -> Local:
    """Return the chat with an archive as an application.

    Chainlit stores its state in `folder`. A process can hold only one such application.
    """
    (folder / ".chainlit").mkdir()
    (folder / ".chainlit" / "config.toml").write_text(_CONFIG)
    (folder / "chainlit.md").write_text(_WELCOME)
    _write_english(folder / ".chainlit" / "translations")
    os.environ["CHAINLIT_APP_ROOT"] = str(folder)  # Chainlit reads it on import
    from chainlit.server import app

    from onrecord.serve.chat.conversation import MEDIA_PATH, Conversations

    def media(request: Request) -> Response:
        try:
            return media_reply(archive.find(request.path_params["recording"]))
        except NotFoundError as error:
            return Response(str(error), 404)

    Conversations(archive).register()
    app.router.routes.insert(0, Route(MEDIA_PATH + "{recording:path}", media))
    return Local(app)


def _write_english(translations: Path) -> None:
    """Write Chainlit's English texts without two of its phrases.

    They are "Used" before every step, and the remark on language models.
    """
    own = distribution("chainlit").locate_file("chainlit/translations/en-US.json")
    english = json.loads(Path(str(own)).read_text("utf-8"))
    chat = english.setdefault("chat", {})
    chat.setdefault("messages", {})["status"] = {"using": "", "used": ""}
    chat.setdefault("input", {})["placeholder"] = "Ask the recordings a question"
    chat["watermark"] = "Every quote stands word for word in a transcript."
    translations.mkdir()
    (translations / "en-US.json").write_text(json.dumps(english), "utf-8")
