"""The served workspaces, each with an archive that is opened on first use."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock

from onrecord.archive import Archive
from onrecord.errors import InputError, SettingError, StoreError

OpenArchive = Callable[[str], Archive]
"""Opens the archive of a workspace."""


class Tenants:
    """The workspaces with these names; the first is used if a request names none."""

    def __init__(self, names: Sequence[str], open_archive: OpenArchive) -> None:
        self.names, self._open = tuple(names), open_archive
        self._archives: dict[str, Archive] = {}
        self._locks: dict[str, Lock] = {}  # of each workspace, so that one that opens slowly delays no other

    def archive(self, name: str) -> Archive:
        """Return the archive of a workspace. Raises StoreError if it cannot be opened."""
        with self._locks.setdefault(name, Lock()):
            if name not in self._archives:
                try:
                    self._archives[name] = self._open(name)
                except SettingError:
                    raise
                except InputError as error:  # the sender did nothing wrong
                    raise StoreError(str(error)) from error
            return self._archives[name]

    def close(self) -> None:
        """Close the open archives. The next request opens them again."""
        for name, lock in list(self._locks.items()):
            with lock:
                if archive := self._archives.pop(name, None):
                    archive.close()
