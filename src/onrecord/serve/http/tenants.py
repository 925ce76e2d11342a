"""The workspaces that are served: an archive and a FAQ each, opened at first use."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock

from onrecord.archive import Archive
from onrecord.errors import InputError, SettingError, StoreError
from onrecord.retrieve.faq import Faq

OpenArchive = Callable[[str], Archive]
"""Opens the archive of a workspace."""
OpenFaq = Callable[[str], Faq]
"""Opens the FAQ of a workspace."""


class Tenants:
    """The workspaces of these names; the first is used if a request names none. If `open_faq` is None, the
    FAQ is that of the archive."""

    def __init__(
        self, names: Sequence[str], open_archive: OpenArchive, open_faq: OpenFaq | None = None
    ) -> None:
        self.names = tuple(names)
        self._open, self._open_faq = open_archive, open_faq
        self._archives: dict[str, Archive] = {}
        self._faqs: dict[str, Faq] = {}
        self._lock = Lock()

    def archive(self, name: str) -> Archive:
        """The archive of a workspace. Raises StoreError if it cannot be opened."""
        with self._lock:
            if name not in self._archives:
                try:
                    self._archives[name] = self._open(name)
                except SettingError:
                    raise
                except InputError as error:  # whoever asks did nothing wrong
                    raise StoreError(str(error)) from error
            return self._archives[name]

    def faq(self, name: str) -> Faq:
        """The FAQ of a workspace."""
        if self._open_faq is None:
            return self.archive(name).faq
        with self._lock:
            if name not in self._faqs:
                self._faqs[name] = self._open_faq(name)
            return self._faqs[name]

    def close(self) -> None:
        """Close what is open. The next request opens it again."""
        with self._lock:
            for faq in self._faqs.values():
                faq.close()
            for archive in self._archives.values():
                archive.close()
            self._faqs, self._archives = {}, {}
