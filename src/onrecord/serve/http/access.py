"""The sender of a request, and the sender's rights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import Query
from starlette.requests import HTTPConnection

from onrecord.errors import NotFoundError
from onrecord.serve.http.errors import Refused

Workspace = Annotated[str | None, Query(max_length=200, description="the first one served, unless named")]
"""The query parameter that names the workspace of a request."""


@dataclass(frozen=True, slots=True)
class Access:
    """The admitted sender of a request.

    `name` is the key's name, or the client's address if there are no keys. The first of `workspaces` is used
    if a request names none.
    """

    name: str
    workspaces: tuple[str, ...]
    rights: frozenset[str]

    def workspace(self, wanted: str | None, right: str = "read") -> str:
        """Return the workspace to use, if the sender has this right.

        Raises Refused without the right, and NotFoundError for a workspace of others, so that its existence
        stays secret.
        """
        self.need(right)
        name = self.workspaces[0] if wanted is None else wanted
        if name not in self.workspaces:
            raise NotFoundError(f"there is no workspace {name[:200]!r} here")
        return name

    def need(self, right: str) -> None:
        """Raise Refused if the sender lacks this right."""
        if right not in self.rights:
            message = f"this needs a key with the right {right!r}: onrecord keys new --right {right}"
            raise Refused(403, "forbidden", message)


def access_of(connection: HTTPConnection) -> Access:
    """Return the sender of a request, as the guard identified it."""
    access: Access = connection.scope["onrecord.access"]
    return access
