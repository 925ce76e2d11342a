"""Audio and video of recordings: addresses at which they can be played, and files that may be sent.

A path in a transcript's details is not trusted. A file is sent only where it is audio or video, lies in the
folder of the recording's source or below it, links followed, and the recording itself names it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from starlette.responses import FileResponse, Response

from onrecord.errors import NotFoundError
from onrecord.ingest.details import MEDIA
from onrecord.ingest.links import deep_link
from onrecord.types import Recording

_TYPES = {
    ".aac": "audio/aac", ".aiff": "audio/aiff", ".flac": "audio/flac", ".m4a": "audio/mp4",
    ".m4b": "audio/mp4", ".mp3": "audio/mpeg", ".oga": "audio/ogg", ".ogg": "audio/ogg",
    ".opus": "audio/ogg", ".wav": "audio/wav", ".weba": "audio/webm", ".wma": "audio/x-ms-wma",
    ".avi": "video/x-msvideo", ".m4v": "video/mp4", ".mkv": "video/x-matroska", ".mov": "video/quicktime",
    ".mp4": "video/mp4", ".mpeg": "video/mpeg", ".mpg": "video/mpeg", ".ogv": "video/ogg",
    ".webm": "video/webm", ".wmv": "video/x-ms-wmv",
}  # fmt: skip


def media_address(recording: Recording, query: Callable[[], str]) -> str | None:
    """The address that plays the recording: its own on the web, or one of this server for a file, with
    `query` as the key. None if there is neither."""
    media = recording.details.media
    if media and urlsplit(media).scheme in ("http", "https"):
        return deep_link(None, media, None)
    if media_file(recording) is None:
        return None
    return f"/api/recordings/{quote(recording.id, safe='')}/media{query()}"


def media_file(recording: Recording) -> Path | None:
    """The media file of the recording, if it may be sent."""
    media, source = recording.details.media, Path(recording.source)
    if not media or "\0" in media or not source.is_absolute():
        return None
    try:
        folder = source.parent.resolve()
        file = (folder / _path(media)).resolve()
        inside = file.is_relative_to(folder) and file.suffix.lower() in MEDIA and file.is_file()
    except (OSError, ValueError):
        return None
    return file if inside else None


def media_type(file: Path) -> str:
    """The type of a media file, by its suffix: audio/..., video/..."""
    return _TYPES.get(file.suffix.lower(), "application/octet-stream")


def _path(media: str) -> str:
    parts = urlsplit(media)
    return unquote(parts.path) if parts.scheme == "file" else media


def media_reply(recording: Recording) -> Response:
    """The file, or the range that is asked for. Raises NotFoundError."""
    file = media_file(recording)
    if file is None:
        raise NotFoundError(f"the recording {recording.id!r} has no audio or video file here")
    headers = {"Cache-Control": "private, max-age=3600"}
    return FileResponse(file, media_type=media_type(file), headers=headers, content_disposition_type="inline")
