"""Sources that the user named, read one at a time: files, folders, feeds, addresses."""

from __future__ import annotations

import re
import stat
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePath, PurePosixPath
from urllib.parse import unquote, urlsplit

from onrecord.errors import (
    FetchError,
    FormatError,
    IngestError,
    InputError,
    NotFoundError,
    OnRecordError,
    did_you_mean,
    nearest,
)
from onrecord.ingest.details import guess_from_name
from onrecord.ingest.episodes import Episodes, Fetch, Place
from onrecord.ingest.feeds import is_feed, read_feed
from onrecord.ingest.folders import (
    Folder,
    display_path,
    identity,
    is_project_file,
    json_part,
    read_bytes,
    read_head,
    walk,
)
from onrecord.ingest.formats.decode import decode
from onrecord.ingest.formats.registry import FORMATS, detect
from onrecord.ingest.manifests import NAMES as MANIFESTS
from onrecord.ingest.outcomes import Outcome, Refused, Skipped, TranscriptSource
from onrecord.ingest.surroundings import FileContext, Surroundings
from onrecord.types import Details, printable

Due = Callable[[Iterable[Path]], bool]
"""Takes the files of a source, its own file first; returns whether to read it now."""
_REMOTE = re.compile(r"[a-z][a-z0-9+.-]+://", re.IGNORECASE)
_SHARED_SUFFIXES = frozenset((".json", ".csv", ".tsv", ".html", ".htm", ".xhtml", ".xml"))
"""Suffixes of transcripts that other kinds of files have, too."""


@dataclass(frozen=True, slots=True)
class File:
    """A file to read. `named` says whether the user named it, as opposed to its folder."""

    path: Path
    named: bool


@dataclass(frozen=True, slots=True)
class Remote:
    """An address to fetch."""

    url: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """A manifest that applies to files. `whole` says that its whole folder is added.

    A missing file is then an error.
    """

    path: Path
    whole: bool


Entry = File | Remote | Manifest | Refused | Skipped


def gather(
    paths: Sequence[Path | str],
    *,
    fetch: bool | Fetch = False,
    set: Details | None = None,  # noqa: A002 - as the command's option
    manifest: Path | None = None,
    due: Due | None = None,
) -> Gathering:
    """Find the sources under these paths, in the given order, and by name within a folder.

    Args:
        paths: files, folders, feeds, and http(s) addresses of feeds or transcripts.
        fetch: whether remote parts may be fetched, or a function to use in place of `fetch.Fetcher`.
        set: details that override all others.
        manifest: a table with details of the files; it overrides manifests beside them.
        due: decides which local files and feeds to read now; None reads all.

    Only file names, manifests and feeds are read here. Raises FormatError, IngestError or NotFoundError for
    the named manifest; every other problem becomes an outcome.
    """
    if fetch is True:
        from onrecord.ingest.fetch import Fetcher  # half of all imported code, and rarely needed

        fetch = Fetcher()
    return Gathering(paths, fetch or None, set or Details(), manifest, due)


class Gathering:
    """The sources under some paths; iterate once to read them one by one.

    Yields TranscriptSource and Refused, and fills `skipped` in the process; files that belong to a transcript
    are not listed there. `len()` is the number of sources; it grows when an address turns out to be a feed.
    """

    def __init__(
        self,
        paths: Sequence[Path | str],
        fetch: Fetch | None,
        overrides: Details,
        manifest: Path | None,
        due: Due | None = None,
    ) -> None:
        self.skipped: list[Skipped] = []
        self._due = due
        self._fetch = fetch
        self._surroundings = Surroundings(overrides)
        self._queue = deque(self._enqueue(list(list_entries(paths)), manifest))
        self._length = sum(len(w) if isinstance(w, Episodes) else 1 for w in self._queue)

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[TranscriptSource | Refused]:
        while self._queue:
            for outcome in self._outcomes(self._queue.popleft()):
                if isinstance(outcome, Skipped):
                    self.skipped.append(outcome)
                else:
                    yield outcome

    # ---------------------------------------------------------------- preparation, before files are read

    def _enqueue(self, entries: Sequence[Entry], manifest: Path | None) -> Iterator[Queued]:
        """Yield each file once. Feeds are opened; files that are parts of a feed are left to the feed."""
        if manifest:
            self._surroundings.manifests.add(manifest, named=True)
            own = identity(manifest)
            entries = [e for e in entries if not (isinstance(e, File | Manifest) and identity(e.path) == own)]
        manifests = [entry for entry in entries if isinstance(entry, Manifest)]
        refusals = self._load(manifests)
        files = {identity(e.path): e for e in reversed(entries) if isinstance(e, File)}
        feeds = {key: self._feed(file.path) for key, file in files.items() if _is_feed(file.path)}
        episodes = [feed for feed in feeds.values() if isinstance(feed, Episodes)]
        parts = {identity(path) for feed in episodes for path in feed.files()} - feeds.keys()
        for entry in entries:
            if isinstance(entry, File):
                key = identity(entry.path)
                item = feeds.get(key, entry)
                beside = item.files() if isinstance(item, Episodes) else ()
                first = files.pop(key, None) and key not in parts
                if first and (self._due is None or self._due((entry.path, *beside))):
                    yield item
            elif not isinstance(entry, Manifest):
                yield entry
        yield from refusals
        complete = {entry.path for entry in manifests if entry.whole} | {manifest}
        yield from self._surroundings.manifests.rows_without_file(
            complete, (e.path for e in entries if isinstance(e, File))
        )

    def _load(self, manifests: Sequence[Manifest]) -> list[Refused]:
        """Load manifests, the deepest folders first; return the broken ones."""
        refusals = []
        for path in sorted({m.path for m in manifests}, key=lambda path: (-len(path.parts), path)):
            try:
                self._surroundings.manifests.add(path)
            except OnRecordError as error:
                refusals.append(Refused(display_path(path), error))
        return refusals

    def _feed(self, path: Path) -> Episodes | Refused:
        try:
            feed = read_feed(display_path(path), read_bytes(path))
            place = Place(identity(path), display_path(path.name), path.parent)
            return Episodes(feed, place, self._surroundings.of(path), self._surroundings, self._fetch)
        except OnRecordError as error:
            return Refused(display_path(path), error)

    # ---------------------------------------------------------------- reading one source at a time

    def _outcomes(self, item: Queued) -> Iterable[Outcome]:
        if isinstance(item, File):
            return [self._file(item)]
        if isinstance(item, Remote):
            return self._remote(item.url)
        return item if isinstance(item, Episodes) else [item]

    def _file(self, file: File) -> Outcome:
        name = display_path(file.path)
        try:
            data = read_bytes(file.path)
            reason = _reason_to_skip(name, data, file.named)
            if reason and not file.named:
                return Skipped(name, reason)
            if reason:
                raise InputError(f"{name}: {reason}")
            return _transcript_source(identity(file.path), name, data, self._surroundings.of(file.path))
        except OnRecordError as error:
            return Refused(name, error)

    def _remote(self, url: str) -> Iterable[Outcome]:
        try:
            if not url.lower().startswith(("http://", "https://")):
                raise InputError(
                    f"{url}: only http:// and https:// addresses are fetched; name files by path"
                )
            if self._fetch is None:
                raise FetchError(f"{url}: --fetch downloads it")
            data = self._fetch(url)
            file = PurePosixPath(unquote(urlsplit(url).path)).name
            context = FileContext(overrides=self._surroundings.overrides, fallback=guess_from_name(file))
            if not is_feed(data):
                return [_transcript_source(url, url, data, context)]
            feed = read_feed(url, data, base=url)
        except OnRecordError as error:
            return [Refused(printable(url), error)]
        episodes = Episodes(feed, Place(url, file or url), context, self._surroundings, self._fetch)
        self._length += len(episodes) - 1
        return episodes


Queued = File | Remote | Episodes | Refused | Skipped


def _transcript_source(source: str, name: str, data: bytes, context: FileContext) -> TranscriptSource:
    return TranscriptSource(source, name, context.checksum(data), partial(context.read, name, data))


def _is_feed(path: Path) -> bool:
    try:
        return path.is_file() and is_feed(read_head(path))
    except OSError:
        return False  # the read that follows reports the error


def _reason_to_skip(name: str, data: bytes, named: bool) -> str | None:
    """Return the reason not to read a file, or None.

    The result is None for a transcript, by content or suffix, and for a file that is `named`, unless its JSON
    is only a part of a transcript.
    """
    part = json_part(name, data)
    if part:
        return f"{part} of a transcript that is not beside them"
    if named:
        return None
    suffix = PurePath(name).suffix.lower()
    suffixes = {end for format in FORMATS for end in format.suffixes}  # noqa: A001 - the field's own word
    if suffix in suffixes - _SHARED_SUFFIXES:
        return None
    try:
        format_name = detect(decode(name, data)).name
    except FormatError as error:
        return f"{error.found}: expected {error.expected}"
    return "perhaps plain text; add it by itself if it is a transcript" if format_name == "text" else None


# ---------------------------------------------------------------- entries under the paths


def list_entries(paths: Sequence[Path | str]) -> Iterator[Entry]:
    """Yield everything under these paths, in the given order, and by name within a folder."""
    empty = True
    for path in paths:
        for entry in _list_path(path):
            empty = False
            yield entry
    if empty:  # parts without their transcript add nothing
        yield from (Skipped(display_path(path), "there is no transcript in it") for path in paths)


def _list_path(path: Path | str) -> Iterator[Entry]:
    if isinstance(path, str) and _REMOTE.match(path):
        yield Remote(path)
        return
    name = display_path(path) or "''"
    if not str(path):
        yield Refused(name, InputError("an empty path names nothing: name files, folders or feeds"))
        return
    try:
        mode = Path(path).stat().st_mode
    except FileNotFoundError:
        yield Refused(name, NotFoundError(f"{name}: no such file or folder{_suggest(Path(path))}"))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        yield Refused(name, IngestError(f"{name}: cannot be opened: {reason}"))
    else:
        yield from _list_folder(Path(path)) if stat.S_ISDIR(mode) else _list_file(Path(path))


def _suggest(path: Path) -> str:
    """Suggest paths that the user may have meant."""
    try:
        names = [entry.name for entry in path.parent.iterdir()]
    except OSError:
        return f"; the folder {display_path(path.parent)} is not there either"
    return did_you_mean((display_path(path.parent / name) for name in nearest(path.name, names, 3)), "; ")


def _list_folder(root: Path) -> Iterator[Entry]:
    folder = Folder(root)
    for path, error in walk(root):
        if error is not None:
            reason = error.strerror or str(error)
            yield Refused(
                display_path(path), IngestError(f"{display_path(path)}: cannot be listed: {reason}")
            )
            continue
        if folder.path != path.parent:
            folder = Folder(path.parent)
        part = folder.part(path.name)
        if part is None and not is_project_file(path.name):
            yield File(path, named=False)
        elif part is not None and part.kind == "manifest":
            yield Manifest(path, whole=True)
        elif part is not None and part.alone and part.kind != "media":
            yield Skipped(display_path(path), part.advice)


def _list_file(path: Path) -> Iterator[Entry]:
    """Yield a file named by the user. Shells expand talks/*, so parts beside a transcript are allowed."""
    folder = Folder(path.parent)
    part = folder.part(path.name)
    if part is None and is_project_file(path.name):
        yield Skipped(display_path(path), "by its name no transcript; rename it if it is one")
    elif part is None:
        yield from (Manifest(folder.path / name, whole=False) for name in MANIFESTS if name in folder.names)
        yield File(path, named=True)
    elif part.alone:
        yield Refused(display_path(path), InputError(f"{display_path(path)}: {part.advice}"))
    elif part.kind == "manifest":
        yield Skipped(display_path(path), part.advice)
