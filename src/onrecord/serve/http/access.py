"""Who asks, and what they may."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.requests import HTTPConnection

from onrecord.errors import NotFoundError
from onrecord.serve.http.errors import Refused


@dataclass(frozen=True, slots=True)
class Access:
    """Someone who was let in: `name` is the key's, or the client's address where there are no keys; the
    first of `workspaces` is meant where none is named."""

    name: str
    workspaces: tuple[str, ...]
    rights: frozenset[str]

    def workspace(self, wanted: str | None, right: str = "read") -> str:
        """The workspace that is meant, for those who have this right.

        Raises Refused, and NotFoundError for a workspace that is not theirs: that it exists is not told.
        """
        self.need(right)
        name = self.workspaces[0] if wanted is None else wanted
        if name not in self.workspaces:
            raise NotFoundError(f"there is no workspace {name[:200]!r} here")
        return name

    def need(self, right: str) -> None:
        """Raises Refused where they have not this right."""
        if right not in self.rights:
            message = f"this needs a key with the right {right!r}: onrecord keys new --right {right}"
            raise Refused(403, "forbidden", message)


def access_of(connection: HTTPConnection) -> Access:
    """Who asks, as the guard at the door found."""
    access: Access = connection.scope["onrecord.access"]
    return access
