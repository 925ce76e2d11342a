"""Signed addresses of media, because a player in a page cannot send a key."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections.abc import Callable, Mapping
from urllib.parse import urlencode

_SECONDS = 12 * 3600


class Signer:
    """Signs media addresses for twelve hours.

    The secret ends with the process. A signature ends earlier if a key of the workspace is removed, which
    `removals` counts.
    """

    def __init__(self, removals: Callable[[str], int] = lambda workspace: 0) -> None:
        self._secret, self._removals = secrets.token_bytes(32), removals

    def query(self, recording: str, workspace: str) -> str:
        """Return the query of a recording's media: ``?workspace=...&until=...&signature=...``"""
        until = str(int(time.time()) + _SECONDS)
        signature = self._sign(recording, workspace, until)
        return "?" + urlencode({"workspace": workspace, "until": until, "signature": signature})

    def holds(self, recording: str, query: Mapping[str, str]) -> bool:
        """Return whether a query opens the media of this recording now."""
        until = query.get("until", "")
        expected = self._sign(recording, query.get("workspace", ""), until)
        fits = hmac.compare_digest(expected, query.get("signature", "").encode("ascii", "replace").decode())
        return fits and until.isdigit() and time.time() < int(until)

    def _sign(self, recording: str, workspace: str, until: str) -> str:
        parts = (recording, workspace, until, str(self._removals(workspace)))
        message = "\0".join(parts).encode("utf-8", "surrogateescape")
        return hmac.new(self._secret, message, hashlib.sha256).hexdigest()
