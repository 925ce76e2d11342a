"""Adding recordings over HTTP: an uploaded file, or the content of a public address."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from onrecord.archive.intake import Added
from onrecord.archive.progress import Progress
from onrecord.errors import FormatError, InputError, OnRecordError
from onrecord.ingest.folders import display_path
from onrecord.serve.http.access import Workspace, access_of
from onrecord.serve.http.bodies import WEB, known_parameters
from onrecord.serve.http.desk import Desk
from onrecord.serve.http.errors import Refused, message_of
from onrecord.serve.http.progress import accepts_lines, reply_in_lines, result_of
from onrecord.serve.http.streaming import unless_gone
from onrecord.serve.keys import WRITE
from onrecord.stores.scope import DATE
from onrecord.types import Details, one_line

Named = Annotated[str | None, Query(max_length=200)]
_LONGEST_NAME = 255
"""The most bytes of a file's name that file systems store."""


@dataclass(frozen=True, slots=True)
class Sent:
    """The source to add: a file of this `name` and `content`, or an `address`, with its details.

    `path` is the file's name behind the folders in which the sender has it. `fetch` downloads the files that
    a feed links to.
    """

    name: str
    path: str
    content: bytes
    address: str | None
    details: dict[str, str]
    fetch: bool


def writing_router(desk: Desk) -> APIRouter:
    """Return the route ``POST /api/recordings``."""
    dependencies = [Depends(known_parameters)]
    router = APIRouter(prefix="/api/recordings", tags=["writing"], dependencies=dependencies)

    @router.post("", status_code=201, openapi_extra=_DESCRIBED)
    async def add(
        request: Request,
        name: Annotated[
            str | None, Query(max_length=2000, description="the file's: talk.vtt, or 2024/talk.vtt")
        ] = None,
        address: Annotated[
            str | None, Query(max_length=2000, pattern=WEB, description="in place of a file")
        ] = None,
        fetch: Annotated[bool, Query(description="whether remote parts of a feed are fetched")] = False,
        workspace: Workspace = None,
        title: Named = None,
        date: Annotated[str | None, Query(pattern=f"^{DATE}$")] = None,
        link: Annotated[str | None, Query(max_length=2000)] = None,
    ) -> Response:
        """Add a transcript or a feed, as the body or from a public `address`.

        A source of the same name, folders included, replaces the old one. With `Accept:
        application/x-ndjson` each step is a line of JSON, `{"progress": {"done", "of", "name"}}`, and the
        last line is the result, or `error`.
        """
        where = access_of(request).workspace(workspace, WRITE)
        fields = {"title": title, "date": date, "link": link}
        details = {key: value for key, value in fields.items() if value}
        if bool(name) == bool(address):
            raise InputError("name is missing: send a file with its name, or the address of one")
        path = _path(name) if name else ""
        bare = path.rpartition("/")[2]
        sent = Sent(bare, path, await request.body(), address, details, fetch or bool(address))
        work = partial(_add, desk, where, sent)
        if accepts_lines(request):
            return reply_in_lines(work, partial(_report_view, desk, where), desk.closing)
        added = await unless_gone(request, result_of(work, desk.closing))
        return JSONResponse(_report_view(desk, where, added), 201 if added.added else 200)

    return router


# ---------------------------------------------------------------- adding


def _add(desk: Desk, workspace: str, sent: Sent, progress: Progress | None) -> Added:
    """Add the source. Raises its error if nothing of it can be added."""
    archive = desk.tenants.archive(workspace)
    details = sent.details or Details()
    if sent.address:
        report = archive.add(sent.address, details=details, fetch=True, progress=progress)
        return _of_something(report, sent.address)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / sent.name
        path.write_bytes(sent.content)
        report = archive.add(
            path, details=details, fetch=sent.fetch, source=f"upload:{sent.path}", progress=progress
        )
    return _of_something(_without_path(report, path, sent.name), sent.name)


def _without_path(report: Added, path: Path, name: str) -> Added:
    """Return the report in the terms of the request.

    The uploaded file's name replaces its temporary path, and the request's parameter replaces the
    command-line option.
    """

    def bare(text: str) -> str:
        return (
            text.replace(str(path), name).replace(display_path(path), name).replace("--fetch", "fetch=true")
        )

    refused: list[tuple[str, OnRecordError]] = []
    for of, error in report.refused:
        if isinstance(error, FormatError):
            error = FormatError(name, error.where, error.expected, error.found)
        if isinstance(error, FormatError | InputError):
            error = Refused(error.status, error.code, one_line(bare(str(error))))
        refused.append((bare(of), error))
    return replace(
        report,
        refused=tuple(refused),
        skipped=tuple((bare(of), bare(reason)) for of, reason in report.skipped),
        notes=tuple(bare(note).removeprefix(f"{name}: ") for note in report.notes),
        twins=tuple((bare(of), recording) for of, recording in report.twins),
    )


def _of_something(report: Added, name: str) -> Added:
    """Return the report if anything was added or several sources failed; else raise the one error."""
    done = report.added or report.changed or report.unchanged or report.twins
    if not done and len(report.refused) == 1 and not report.skipped:
        raise report.refused[0][1]
    if not done and not report.refused and report.skipped:
        raise InputError(f"{name}: {report.skipped[0][1]}")
    return report


def _path(name: str) -> str:
    """Return the name of a file behind the names of its folders. Raises InputError for anything else."""
    parts = PurePosixPath(one_line(name).replace("\\", "/")).parts
    path = [part for part in parts if part not in ("/", "..")]
    if not path or path[-1].startswith(".") or parts[-1] != path[-1]:
        raise InputError(f"{name[:100]!r} is not a file name: send one such as talk.vtt")
    if len(path[-1].encode()) > _LONGEST_NAME:
        raise InputError(f"the file name is too long: at most {_LONGEST_NAME} bytes of UTF-8")
    return "/".join(path)


def _report_view(desk: Desk, workspace: str, report: Added) -> dict[str, Any]:
    views = {
        kind: [desk.recording(workspace, recording) for recording in getattr(report, kind)]
        for kind in ("added", "changed", "unchanged")
    }
    twins = [f"{_shown(name)}: the same words as {twin.id}, which is kept" for name, twin in report.twins]
    refused = [{"name": name, "message": message_of(error)} for name, error in report.refused]
    skipped = [{"name": name, "message": reason} for name, reason in report.skipped]
    return {**views, "refused": refused, "skipped": skipped, "notes": [*report.notes, *twins]}


def _shown(source: str) -> str:
    """Return a source without its folder on the server; an address stays as it is."""
    name = source.removeprefix("upload:")
    return name if "://" in name else PurePosixPath(name.replace("\\", "/")).name


_DESCRIBED = {
    "requestBody": {
        "required": False,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}
