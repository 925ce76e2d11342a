"""Putting recordings in and taking them out. Both need a key with the right to write."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Annotated, Any

from anyio import to_thread
from fastapi import APIRouter, Depends, Query
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from onrecord.archive import Added
from onrecord.errors import FormatError, InputError, NotFoundError
from onrecord.ingest.folders import shown
from onrecord.serve.http.access import access_of
from onrecord.serve.http.asking import known_parameters
from onrecord.serve.http.desk import Desk
from onrecord.serve.http.errors import Refused
from onrecord.serve.http.views import public_recording
from onrecord.serve.keys import WRITE
from onrecord.types import Details, one_line

Named = Annotated[str | None, Query(max_length=200)]


def writing_router(desk: Desk) -> APIRouter:
    """``POST /api/recordings`` and ``DELETE /api/recordings/{id}``."""
    known = [Depends(known_parameters)]
    router = APIRouter(prefix="/api/recordings", tags=["writing"], dependencies=known)

    @router.post("", status_code=201, openapi_extra=_DESCRIBED)
    async def add(
        request: Request,
        name: Annotated[str, Query(min_length=1, max_length=200, description="the file's: talk.vtt")],
        workspace: Named = None,
        title: Named = None,
        date: Annotated[str | None, Query(pattern=r"^\d{4}(-\d{2}(-\d{2})?)?$")] = None,
        link: Annotated[str | None, Query(max_length=2000)] = None,
    ) -> Response:
        """Add a transcript, sent as it is. One of the same name takes the place of the old one."""
        where = access_of(request).workspace(workspace, WRITE)
        given = {"title": title, "date": date, "link": link}
        data = await request.body()
        added = await to_thread.run_sync(_add, desk, where, _file_name(name), data, given)
        return JSONResponse(_told(desk, where, added), 201 if added.added else 200)

    @router.delete("/{recording}")
    def remove(request: Request, recording: str, workspace: Named = None) -> Response:
        """Remove a recording, by its id. Nothing of it is left behind."""
        where = access_of(request).workspace(workspace, WRITE)
        archive = desk.tenants.archive(where)
        if archive.store.recording(recording) is None:
            raise NotFoundError(f"no recording has the id {recording[:200]!r}")
        archive.remove(recording)
        return JSONResponse({"removed": recording})

    return router


def _add(desk: Desk, workspace: str, name: str, data: bytes, given: dict[str, str | None]) -> Added:
    details = {key: value for key, value in given.items() if value}
    archive = desk.tenants.archive(workspace)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(data)
        try:
            report = archive.add(path, details=details or Details(), strict=True, source=f"upload:{name}")
        except FormatError as error:
            told = FormatError(name, error.where, error.expected, error.found)
            raise Refused(422, error.code, one_line(str(told))) from None
    if report.skipped:
        raise InputError(f"{name}: {report.skipped[0][1]}")
    return replace(report, notes=tuple(note.replace(f"{shown(path)}: ", "") for note in report.notes))


def _file_name(name: str) -> str:
    """A bare file name. Raises InputError for one that is none."""
    bare = PurePosixPath(one_line(name).replace("\\", "/")).name
    if not bare or bare.startswith(".") or any(ord(c) < 32 for c in bare):
        raise InputError(f"{name[:100]!r} is no file name: send one such as talk.vtt")
    return bare


def _told(desk: Desk, workspace: str, report: Added) -> dict[str, Any]:
    kinds = {"added": report.added, "changed": report.changed, "unchanged": report.unchanged}
    found = {
        kind: [public_recording(r, desk.media(workspace, r)) for r in some] for kind, some in kinds.items()
    }
    twins = [f"{name}: the same words as {kept.id}, which is kept" for name, kept in report.twins]
    return {**found, "notes": [*report.notes, *twins]}


_DESCRIBED = {
    "requestBody": {
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}
