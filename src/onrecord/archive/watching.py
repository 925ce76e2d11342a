"""Watching of folders and feeds: new and changed files are added once they have stopped growing."""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from os import stat_result
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from onrecord.archive.intake import ARCHIVE_ERRORS, Added, AddOptions
from onrecord.archive.progress import Progress
from onrecord.errors import FetchError, ModelError
from onrecord.ingest.folders import identity, read_head, walk
from onrecord.stores import shown as shown_archive

if TYPE_CHECKING:
    from onrecord.archive.archive import Archive
    from onrecord.types import Details

ADDRESSES_EVERY = 900.0
"""The least seconds between two requests for an address, because feeds belong to other people."""
_PASSING = (*ARCHIVE_ERRORS, ModelError)
"""Errors that are not the source's fault. The source is tried again at the next look, even if unchanged."""

Stamp = tuple[int, int, int]
"""The size in bytes, and the times of the last change of content and of metadata, in nanoseconds."""
_ABSENT: Stamp = (-1, 0, 0)


class Watcher:
    """A watcher that adds new and changed files under some paths. Each call of `look` is one pass.

    Args:
        paths: folders, files, and addresses of feeds or transcripts. A path may appear later.
        details, manifest, fetch, keep_both: see `Archive.add`. Addresses in `paths` are fetched at most every
            15 minutes, everything that a feed names once.
        still: the seconds without a change after which a file that is new to the watcher is read. Any other
            file is read once it is as it was at the previous look.

    A recording stays in the archive when its file is deleted.
    """

    def __init__(
        self,
        archive: Archive,
        paths: Sequence[str],
        *,
        details: Details | Mapping[str, str] | None = None,
        manifest: str | Path | None = None,
        fetch: bool = False,
        keep_both: bool = False,
        still: float = 10.0,
    ) -> None:
        self._archive, self._still = archive, still
        self._addresses = [path for path in paths if "://" in path]
        self._paths = [path for path in paths if "://" not in path]
        fetching = _Fetching(self._addresses) if fetch else False
        self._options: AddOptions = {"details": details, "manifest": manifest, "keep_both": keep_both}
        self._options["fetch"] = fetching
        self._before: dict[str, Stamp] = {}
        self._done: dict[str, Stamp] = {}
        self._tried: dict[str, Stamp] = {}
        self._reported: set[tuple[str, str]] = set()
        self._addresses_asked: float | None = None
        self.growing: frozenset[str] = frozenset()
        """Files that were still being written at the last look, as absolute paths."""

    def look(self, progress: Progress | None = None, stop: Callable[[], bool] | None = None) -> Added:
        """Add files that are new or changed since the last look, until `stop` returns True.

        Refusals and notes on a source are reported once, and again when the source has changed. Raises
        ModelMismatchError, and OnRecordError for `manifest`.
        """
        now = {identity(file): _stamp(file) for path in map(Path, self._paths) for file in _files(path)}
        self.growing = frozenset(path for path, stamp in now.items() if not self._is_still(path, stamp))
        self._before = now
        addresses = self._due_addresses()
        changed = self._changed(now)
        if not changed and not addresses:
            return Added()
        retried = {path for path in changed if self._tried.get(path) != now.get(path)}
        self._reported -= {report for report in self._reported if identity(report[0]) in retried}
        self._tried = {path: stamp for path, stamp in now.items() if path not in self.growing}
        paths = [*(self._paths if changed else ()), *addresses]
        report = self._add(paths, due=_Due(changed, self.growing), progress=progress, stop=stop)
        errors = [error for _, error in report.refused]
        if not (stop and stop()) and not any(isinstance(error, _PASSING) for error in errors):
            self._done = self._tried
        if self._options["fetch"] and any(isinstance(error, FetchError) for error in errors):
            self._done = {}  # so that failed fetches are tried again together with the addresses
        return self._unreported(report)

    def _add(self, paths: Sequence[str], **how: Any) -> Added:
        try:
            return self._archive.add(*paths, **self._options, **how)
        except ARCHIVE_ERRORS as error:
            return Added(refused=((shown_archive(self._archive.settings.archive_url), error),))

    # ---------------------------------------------------------------- what has changed

    def _is_still(self, path: str, stamp: Stamp) -> bool:
        before = self._before.get(path)
        return stamp == before if before else time.time() - stamp[1] / 1e9 > self._still

    def _changed(self, now: Mapping[str, Stamp]) -> set[str]:
        """Return files that are new, changed or deleted since they were read, except growing ones."""
        gone = self._done.keys() - now.keys()
        return gone | {
            path for path, stamp in now.items() if path not in self.growing and self._done.get(path) != stamp
        }

    def _due_addresses(self) -> list[str]:
        if self._addresses_asked is not None and time.monotonic() - self._addresses_asked < ADDRESSES_EVERY:
            return []
        self._addresses_asked = time.monotonic()
        return self._addresses

    # ---------------------------------------------------------------- reporting once

    def _unreported(self, report: Added) -> Added:
        return replace(
            report,
            refused=tuple(each for each in report.refused if self._is_unreported(each[0], str(each[1]))),
            skipped=tuple(each for each in report.skipped if self._is_unreported(*each)),
            twins=tuple(each for each in report.twins if self._is_unreported(each[0], each[1].id)),
            notes=tuple(note for note in report.notes if self._is_unreported("", note)),
        )

    def _is_unreported(self, name: str, text: str) -> bool:
        known = (name, text) in self._reported
        self._reported.add((name, text))
        return not known


class _Due:
    """A predicate that decides which sources to read at this look.

    It selects sources in, above and below a folder with a change, because sidecar files and manifests may lie
    there. A source with a part that is still growing is not selected.
    """

    def __init__(self, changed: Iterable[str], growing: frozenset[str]) -> None:
        self._growing = growing
        self._folders = {PurePosixPath(path).parent for path in changed}
        self._above = {above for folder in self._folders for above in folder.parents}

    def __call__(self, parts: Iterable[Path]) -> bool:
        """Return whether to read the source made up of these files, its own file first."""
        names = [identity(part) for part in parts]
        folder = PurePosixPath(names[0]).parent
        near = folder in self._above or not self._folders.isdisjoint((folder, *folder.parents))
        return near and self._growing.isdisjoint(names)


class _Fetching:
    """A fetcher that fetches watched addresses at every call, and all others once. Raises FetchError."""

    def __init__(self, watched: Iterable[str]) -> None:
        from onrecord.ingest.fetch import Fetcher  # imported late: it is half of all imports, and seldom used

        self._fetch, self._watched = Fetcher(), frozenset(watched)
        self._cache: dict[str, bytes] = {}

    def __call__(self, url: str) -> bytes:
        if url in self._watched:
            return self._fetch(url)
        if url not in self._cache:
            self._cache[url] = zlib.compress(self._fetch(url))
        return zlib.decompress(self._cache[url])


def _files(path: Path) -> Iterator[Path]:
    """Yield the files to watch for a path.

    These are the files in a folder; a feed and the files beside it; or a missing file.
    """
    from onrecord.ingest.feeds import is_feed  # imported late: only adding needs it

    if not path.is_dir():
        yield path
    try:
        folder = path if path.is_dir() else path.parent if is_feed(read_head(path)) else None
    except OSError:  # missing or not readable: `Archive.add` says why
        return
    if folder:
        yield from (file for file, _ in walk(folder))


def _stamp(path: Path) -> Stamp:
    try:
        status: stat_result = path.stat()
    except OSError:
        return _ABSENT
    return status.st_size, status.st_mtime_ns, status.st_ctime_ns
