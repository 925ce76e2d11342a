"""Changes of recordings over HTTP: details, speakers' names, removal and undo.

All need the right to write.
"""

from __future__ import annotations

from threading import Lock, Timer
from typing import Annotated

from fastapi import APIRouter, Depends, Query
from pydantic import Field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from onrecord.archive import Archive
from onrecord.archive.editing import Removed
from onrecord.errors import InputError, NotFoundError
from onrecord.ingest.details import KNOWN, attribute_name
from onrecord.serve.http.access import Workspace
from onrecord.serve.http.bodies import Strict, Text, known_parameters
from onrecord.serve.http.desk import Desk
from onrecord.serve.keys import WRITE
from onrecord.stores.scope import DATE
from onrecord.types import Recording

Name = Annotated[str, Field(max_length=200)]
LONGEST_UNDO = 3600
"""The most seconds for which a removed recording can be restored."""
_MOST_REMOVED = 50


class EditBody(Strict):
    """New details of a recording. Fields left out stay as they are; null or an empty value clears one."""

    title: Text | None = None
    date: Annotated[str, Field(pattern=f"^({DATE})?$")] | None = None
    language: Annotated[str, Field(max_length=20)] | None = None
    link: Annotated[str, Field(max_length=2000)] | None = None
    people: list[Name] | None = Field(default=None, max_length=200)
    tags: list[Name] | None = Field(default=None, max_length=200)
    attributes: dict[Name, Text | None] = Field(default={}, description="show, guest, bank, quarter, ...")

    def texts(self) -> dict[str, str]:
        """Return the changes as texts by name: see `Archive.edit`.

        Raises InputError for an attribute with the name of another detail. `media` can be set by a source
        only, because it decides which file is sent.
        """
        if known := next((name for name in self.attributes if attribute_name(name) in KNOWN), ""):
            raise InputError(
                f"{known!r} is not an attribute: it has a field of its own, or cannot be changed"
            )
        values = self.model_dump(include=self.model_fields_set - {"attributes"})
        texts = {
            name: "; ".join(value) if isinstance(value, list) else value or ""
            for name, value in values.items()
        }
        return {**{name: text or "" for name, text in self.attributes.items()}, **texts}


class RenameBody(Strict):
    """A speaker, the new name, and the recordings in which to use it."""

    speaker: Name = Field(min_length=1, examples=["Speaker 1"])
    name: Name = Field(min_length=1, examples=["Ann Lee"])
    recordings: list[Text] = Field(default=[], max_length=1000, description="ids or titles; none: everywhere")


class RemovedLately:
    """Recently removed recordings, only in the memory of this process."""

    def __init__(self) -> None:
        self._removals: dict[tuple[str, str], tuple[Removed, Timer]] = {}
        self._lock = Lock()

    def keep(self, workspace: str, removed: Removed, seconds: float) -> None:
        """Store a removed recording for a number of seconds. If there are too many, drop the oldest."""
        key = workspace, removed.recording.id
        self.take(*key)
        timer = Timer(seconds, self.take, key)
        timer.daemon = True
        with self._lock:
            self._removals[key] = removed, timer
            oldest = list(self._removals)[:-_MOST_REMOVED]
        timer.start()
        for each in oldest:
            self.take(*each)

    def take(self, workspace: str, recording: str) -> Removed | None:
        """Return a removed recording and forget it; None if there is none."""
        with self._lock:
            removed, timer = self._removals.pop((workspace, recording), (None, None))
        if timer:
            timer.cancel()
        return removed


def editing_router(desk: Desk) -> APIRouter:
    """Return the routes that change recordings.

    They are ``PATCH`` and ``DELETE /api/recordings/{id}``, ``POST .../restore`` and ``/api/speakers/rename``.
    """
    router = APIRouter(prefix="/api", tags=["writing"], dependencies=[Depends(known_parameters)])
    _add_edits(router, desk)
    _add_removals(router, desk, RemovedLately())
    return router


def _add_edits(router: APIRouter, desk: Desk) -> None:
    @router.patch("/recordings/{recording}")
    def edit(request: Request, recording: str, body: EditBody, workspace: Workspace = None) -> Response:
        """Change details of a recording, by its id. The changes persist when its source is added again."""
        where, archive = desk.archive_for(request, workspace, WRITE)
        changed = archive.edit(_recording(archive, recording).id, body.texts())
        return JSONResponse(desk.recording(where, changed))

    @router.post("/speakers/rename")
    def rename(request: Request, body: RenameBody, workspace: Workspace = None) -> Response:
        """Rename a speaker, everywhere or in some recordings.

        If another speaker has that name, the two become one person. The name persists when a source is added
        again.
        """
        where, archive = desk.archive_for(request, workspace, WRITE)
        changed = archive.rename(body.speaker, body.name, body.recordings)
        return JSONResponse({"changed": [desk.recording(where, recording) for recording in changed]})


def _add_removals(router: APIRouter, desk: Desk, lately: RemovedLately) -> None:
    @router.delete("/recordings/{recording}")
    def remove(
        request: Request,
        recording: str,
        workspace: Workspace = None,
        undo: Annotated[float, Query(ge=0, le=LONGEST_UNDO, description="seconds")] = 0,
    ) -> Response:
        """Remove a recording for good, by its id.

        With `undo` it can be restored for that many seconds; until then it stays in memory.
        """
        where, archive = desk.archive_for(request, workspace, WRITE)
        removed = archive.take_out(_recording(archive, recording).id)
        if undo:
            lately.keep(where, removed, undo)
        return JSONResponse({"removed": recording})

    @router.post("/recordings/{recording}/restore")
    def restore(request: Request, recording: str, workspace: Workspace = None) -> Response:
        """Restore a recording that was removed with `undo`, as it was."""
        where, archive = desk.archive_for(request, workspace, WRITE)
        removed = lately.take(where, recording)
        if removed is None:
            raise NotFoundError(f"no recording {recording[:200]!r} was removed lately: add it again")
        return JSONResponse(desk.recording(where, archive.put_back(removed)))


def _recording(archive: Archive, recording: str) -> Recording:
    """Return a recording by its id. Raises NotFoundError."""
    match = archive.store.recording(recording)
    if match is None:
        raise NotFoundError(f"no recording has the id {recording[:200]!r}")
    return match
