"""Watching folders and feeds: what is new or changed there is added, once it has stopped growing."""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from os import stat_result
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from onrecord.archive.intake import OF_THE_ARCHIVE, Added, AddOptions, Progress
from onrecord.errors import FetchError, ModelError
from onrecord.ingest.folders import identity, read_head, walk
from onrecord.stores import shown as shown_archive

if TYPE_CHECKING:
    from onrecord.archive.archive import Archive
    from onrecord.types import Details

ADDRESSES_EVERY = 900.0
"""Seconds at least between two looks at an address: feeds belong to others."""
_PASSING = (*OF_THE_ARCHIVE, ModelError)
"""Errors that are no fault of the source: it is tried again at the next look, though it has not changed."""

Sign = tuple[int, int, int]
"""Bytes, time of change and of change of rights, in nanoseconds; what differs where a file has changed."""
_ABSENT: Sign = (-1, 0, 0)


class Watcher:
    """Adds what is new or changed under paths to an archive, one `look` after the other.

    Args:
        paths: folders, files, and addresses of feeds or transcripts. One that is not there yet is waited for.
        details, manifest, fetch, keep_both: as `Archive.add` takes them. What the items of a feed name is
            fetched once; the addresses in `paths` at most every 15 minutes.
        still: seconds for which a file must not have changed before it is read, where it is met for the
            first time; else it must be as it was at the look before.

    What is gone from a folder stays in the archive.
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
        self._how: AddOptions = {"details": details, "manifest": manifest, "keep_both": keep_both}
        self._how["fetch"] = fetching
        self._last: dict[str, Sign] = {}
        self._done: dict[str, Sign] = {}
        self._tried: dict[str, Sign] = {}
        self._told: set[tuple[str, str]] = set()
        self._asked: float | None = None
        self.growing: frozenset[str] = frozenset()
        """Files that were still being written at the last look, as absolute paths."""

    def look(self, progress: Progress | None = None, stop: Callable[[], bool] | None = None) -> Added:
        """Add what is new or changed since the last look. What is told of a source, as that it is refused,
        is told again only once it has changed. Where `stop` says so, the rest is left for the next look.

        Raises ModelMismatchError, and OnRecordError for `manifest`."""
        now = dict(self._signs())
        self.growing = frozenset(path for path, sign in now.items() if not self._is_still(path, sign))
        self._last = now
        addresses = self._due_addresses()
        changed = self._changed(now)
        if not changed and not addresses:
            return Added()
        self._forget_told({path for path in changed if self._tried.get(path) != now.get(path)})
        self._tried = {path: sign for path, sign in now.items() if path not in self.growing}
        paths = [*(self._paths if changed else ()), *addresses]
        report = self._add(paths, due=_Due(changed, self.growing), progress=progress, stop=stop)
        errors = [error for _, error in report.refused]
        if not (stop and stop()) and not any(isinstance(error, _PASSING) for error in errors):
            self._done = self._tried
        if self._how["fetch"] and any(isinstance(error, FetchError) for error in errors):
            self._done = {}  # asked again, with the addresses, when their time comes
        return self._news(report)

    def _add(self, paths: Sequence[str], **how: Any) -> Added:
        try:
            return self._archive.add(*paths, **self._how, **how)
        except OF_THE_ARCHIVE as error:
            return Added(refused=((shown_archive(self._archive.settings.archive_url), error),))

    # ---------------------------------------------------------------- what has changed

    def _signs(self) -> Iterator[tuple[str, Sign]]:
        """Every file under the paths with its sign; a path that is not there has one too."""
        for path in map(Path, self._paths):
            for file in _files(path):
                yield identity(file), _sign(file)

    def _is_still(self, path: str, sign: Sign) -> bool:
        before = self._last.get(path)
        return sign == before if before else time.time() - sign[1] / 1e9 > self._still

    def _changed(self, now: Mapping[str, Sign]) -> set[str]:
        """Files that are new, changed or gone since they were read, and are not growing."""
        gone = self._done.keys() - now.keys()
        return gone | {
            path for path, sign in now.items() if path not in self.growing and self._done.get(path) != sign
        }

    def _due_addresses(self) -> list[str]:
        if self._asked is not None and time.monotonic() - self._asked < ADDRESSES_EVERY:
            return []
        self._asked = time.monotonic()
        return self._addresses

    # ---------------------------------------------------------------- what is news

    def _news(self, report: Added) -> Added:
        return replace(
            report,
            refused=tuple(each for each in report.refused if self._is_news(each[0], str(each[1]))),
            skipped=tuple(each for each in report.skipped if self._is_news(*each)),
            twins=tuple(each for each in report.twins if self._is_news(each[0], each[1].id)),
            notes=tuple(note for note in report.notes if self._is_news("", note)),
        )

    def _forget_told(self, changed: set[str]) -> None:
        self._told -= {(name, text) for name, text in self._told if identity(name) in changed}

    def _is_news(self, name: str, text: str) -> bool:
        known = (name, text) in self._told
        self._told.add((name, text))
        return not known


class _Due:
    """Tells which sources are read at this look: those in, above and below a folder where something changed,
    as what describes a transcript lies there; none of which a part is growing."""

    def __init__(self, changed: Iterable[str], growing: frozenset[str]) -> None:
        self._growing = growing
        self._folders = {PurePosixPath(path).parent for path in changed}
        self._above = {above for folder in self._folders for above in folder.parents}

    def __call__(self, parts: Iterable[Path]) -> bool:
        """Whether the source that these files make up, its own file first, is read now."""
        names = [identity(part) for part in parts]
        folder = PurePosixPath(names[0]).parent
        near = folder in self._above or not self._folders.isdisjoint((folder, *folder.parents))
        return near and self._growing.isdisjoint(names)


class _Fetching:
    """Fetches the watched addresses whenever asked, and everything else once. Raises FetchError."""

    def __init__(self, watched: Iterable[str]) -> None:
        from onrecord.ingest.fetch import Fetcher  # half of what there is to import, and seldom wanted

        self._fetch, self._watched = Fetcher(), frozenset(watched)
        self._kept: dict[str, bytes] = {}

    def __call__(self, url: str) -> bytes:
        if url in self._watched:
            return self._fetch(url)
        if url not in self._kept:
            self._kept[url] = zlib.compress(self._fetch(url))
        return zlib.decompress(self._kept[url])


def _files(path: Path) -> Iterator[Path]:
    """The files that a path stands for: of a folder, all in it; of a feed, also those in its folder."""
    from onrecord.ingest.feeds import is_feed  # needed only to add

    if not path.is_dir():
        yield path
    try:
        folder = path if path.is_dir() else path.parent if is_feed(read_head(path)) else None
    except OSError:  # it is not there, or not for us: adding it says why
        return
    if folder:
        yield from (file for file, _ in walk(folder))


def _sign(path: Path) -> Sign:
    try:
        status: stat_result = path.stat()
    except OSError:
        return _ABSENT
    return status.st_size, status.st_mtime_ns, status.st_ctime_ns
