"""Health checks: whether the server runs, and whether it can answer."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import JSONResponse, Response

from onrecord.serve.http.desk import Desk
from onrecord.serve.http.errors import as_json, logged


def health_router(desk: Desk) -> APIRouter:
    """Return ``/healthz`` and ``/readyz``, for monitoring. Neither needs a key."""
    router = APIRouter(tags=["health"])

    @router.get("/healthz")
    async def healthz() -> Response:
        """Report that the server runs."""
        return JSONResponse({"status": "ok"})

    @router.get("/readyz")
    def readyz() -> Response:
        """Report whether the archive opens and the embedding model is available."""
        try:
            archive = desk.tenants.archive(desk.tenants.names[0])
            archive.recordings()
            _ = archive.embedder
        except Exception as error:
            return JSONResponse({"status": "unavailable", **as_json(logged(error))}, 503)
        return JSONResponse({"status": "ready"})

    return router
