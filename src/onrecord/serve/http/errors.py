"""Errors as a status, a code and a message for the client.

The sender's mistakes are explained in full. Internal faults go to the log; the client gets a message without
paths, addresses or users' texts.
"""

from __future__ import annotations

import logging
from typing import Any

from starlette.responses import JSONResponse, PlainTextResponse, Response

from onrecord.errors import (
    DiskFullError,
    EmbeddingError,
    FetchError,
    GenerationTimeoutError,
    InputError,
    LockedError,
    ModelError,
    ModelMismatchError,
    OnRecordError,
    SettingError,
    StoreError,
    WeightsError,
)

log = logging.getLogger("onrecord.serve")

_MESSAGES: tuple[tuple[type[OnRecordError], str], ...] = (
    (LockedError, "the archive is being written to: try again in a moment"),
    (DiskFullError, "the server's disk is full: nothing was changed"),
    (ModelMismatchError, "the archive was embedded by another model than the server uses: embed it again"),
    (StoreError, "the archive cannot be read at the moment: try again later"),
    (WeightsError, "the server has no embedding model: whoever runs it can fetch it"),
    (EmbeddingError, "the embedding model cannot be reached at the moment: try again later"),
    (GenerationTimeoutError, "the language model did not answer in time: try again later"),
    (ModelError, "the language model cannot be used at the moment: try again later"),
    (SettingError, "the server is not set up rightly: whoever runs it finds the reason in its log"),
    (
        FetchError,
        "what stands there could not, or must not, be fetched: download the file yourself, and add it",
    ),
    (OnRecordError, "the server could not do this: try again later"),
)


class Refused(InputError):  # noqa: N818 - a refusal, not a fault
    """A request that is refused, with its own status."""

    def __init__(self, status: int, code: str, message: str, headers: dict[str, str] | None = None) -> None:
        self.refusal, self.name, self.headers = status, code, headers or {}
        super().__init__(message)


def status_of(error: BaseException) -> int:
    """Return the HTTP status for an error; 500 for an unexpected error."""
    if isinstance(error, Refused):
        return error.refusal
    if isinstance(error, SettingError):
        return 500
    return error.status if isinstance(error, OnRecordError) else 500


def code_of(error: BaseException) -> str:
    """Return the stable name of an error, for programs."""
    if isinstance(error, Refused):
        return error.name
    return error.code if isinstance(error, OnRecordError) else "internal_error"


def message_of(error: BaseException) -> str:
    """Return the message that the client may read."""
    if isinstance(error, InputError) and not isinstance(error, SettingError):
        return str(error)
    return next((message for kind, message in _MESSAGES if isinstance(error, kind)), _MESSAGES[-1][1])


def logged(error: BaseException) -> BaseException:
    """Log an error unless it is the sender's mistake, and return it.

    An unexpected error is logged with its traceback.
    """
    if not isinstance(error, OnRecordError):
        log.error("a request failed", exc_info=error)
    elif not isinstance(error, InputError) or isinstance(error, SettingError):
        log.warning("a request failed: %s: %s", error.code, error)
    return error


def as_json(error: BaseException) -> dict[str, Any]:
    """Return ``{"error": {"code", "message"}}``."""
    return {"error": {"code": code_of(error), "message": message_of(error)}}


def json_reply(error: BaseException) -> Response:
    """Return the reply to an error for programs."""
    return JSONResponse(as_json(logged(error)), status_of(error), headers_of(error))


def text_reply(error: BaseException) -> Response:
    """Return the reply to an error for the AI SDK, which shows the body to users as it is."""
    logged(error)
    headers = {**headers_of(error), "X-Error-Code": code_of(error)}
    return PlainTextResponse(message_of(error), status_of(error), headers)


def headers_of(error: BaseException) -> dict[str, str]:
    """Return the headers that say when to retry, or how to authenticate."""
    if isinstance(error, LockedError):
        return {"Retry-After": "2"}
    return error.headers if isinstance(error, Refused) else {}
