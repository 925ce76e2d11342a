"""Audio and video files of recordings, and which of them may be sent.

A path in a transcript's details is not trusted. A file is sent only if it is audio or video, lies in the
folder of the recording's source or below it (after following links), and the recording itself names it.
"""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urlsplit

from starlette.responses import FileResponse, Response

from onrecord.errors import NotFoundError
from onrecord.ingest.details import MEDIA_TYPES
from onrecord.types import Recording


def media_file(recording: Recording) -> Path | None:
    """Return the media file of a recording if it may be sent, else None."""
    media, source = recording.details.media, Path(recording.source)
    if not media or "\0" in media or not source.is_absolute():
        return None
    try:
        folder, parts = source.parent.resolve(), urlsplit(media)
        path = unquote(parts.path) if parts.scheme == "file" else media
        file = (folder / path).resolve()
        inside = file.is_relative_to(folder) and file.suffix.lower() in MEDIA_TYPES and file.is_file()
    except (OSError, ValueError):
        return None
    return file if inside else None


def media_reply(recording: Recording) -> Response:
    """Return a reply with the file, or the requested range. Raises NotFoundError."""
    file = media_file(recording)
    if file is None:
        raise NotFoundError(f"the recording {recording.id!r} has no audio or video file here")
    headers = {"Cache-Control": "private, max-age=3600"}
    kind = MEDIA_TYPES[file.suffix.lower()]
    return FileResponse(file, media_type=kind, headers=headers, content_disposition_type="inline")
