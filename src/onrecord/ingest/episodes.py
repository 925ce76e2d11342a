"""Items of a feed as sources: the location of each transcript, and its details in the feed.

Files beside the feed are read; addresses are fetched only if the user allows it. Paths in a feed are
untrusted: nothing outside the feed's folder is read.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path, PurePosixPath
from urllib.parse import SplitResult, unquote, urlsplit

from onrecord.errors import FetchError, NotFoundError, OnRecordError
from onrecord.ingest.chapters import read_chapters
from onrecord.ingest.details import web_address
from onrecord.ingest.feeds import Feed, Item, address
from onrecord.ingest.folders import display_path, identity, read_bytes
from onrecord.ingest.outcomes import Outcome, Refused, Skipped, TranscriptSource
from onrecord.ingest.surroundings import FileContext, Surroundings
from onrecord.types import Details, Section, one_line

Fetch = Callable[[str], bytes]
"""Takes an address and returns its bytes. Raises FetchError."""


@dataclass(frozen=True, slots=True)
class Place:
    """The location of a feed: its `source` (absolute path or address) and file `name`.

    `folder` holds its relative parts; None for a fetched feed.
    """

    source: str
    name: str
    folder: Path | None = None


@dataclass(frozen=True)
class Episodes:
    """The items of one feed.

    `context` is the context of the feed's own file; `fetch` is None if nothing may be fetched.
    """

    feed: Feed
    place: Place
    context: FileContext
    surroundings: Surroundings
    fetch: Fetch | None = None

    def __len__(self) -> int:
        return len(self.feed.items)

    def __iter__(self) -> Iterator[Outcome]:
        seen: set[str] = set()
        for item in self.feed.items:
            name = f"{item.details.title or item.guid or 'an item'} ({self.place.name})"
            if item.guid in seen:
                yield Skipped(name, "the feed has the same item twice")
                continue
            seen.add(item.guid)
            try:
                yield self._episode(name, item)
            except OnRecordError as error:
                yield Refused(name, error)

    def files(self) -> Iterator[Path]:
        """Yield files beside the feed that are parts of its items, and therefore not separate sources."""
        for url in (url for item in self.feed.items for url in _parts(item)):
            try:
                location = self._locate(url)
            except OnRecordError:
                continue
            if isinstance(location, Path):
                yield location

    # ---------------------------------------------------------------- an item

    def _episode(self, name: str, item: Item) -> Outcome:
        """Return the best transcript that is available; failures of better ones become warnings."""
        failures: list[OnRecordError] = []
        remote = ""
        for reference in item.transcripts:
            try:
                location = self._locate(reference.url)
                if isinstance(location, Path):
                    data, file = read_bytes(location), display_path(location)
                elif self.fetch:
                    data, file = self.fetch(location), location
                    if not PurePosixPath(_split_url(location).path).suffix:
                        file += reference.suffix  # the suffix determines the format
                else:
                    remote = remote or location
                    continue
                context = self._context_of(item, location, failures)
                read = partial(tuple, context.read(file, data))
                return TranscriptSource(self.place.source, name, context.checksum(data), read)
            except OnRecordError as error:
                failures.append(error)
        if failures:
            raise failures[0]
        if remote:
            return Skipped(name, f"its transcript is at {remote}: --fetch downloads it")
        return Skipped(name, "the feed names no transcript for it")

    def _context_of(self, item: Item, location: Path | str, failures: list[OnRecordError]) -> FileContext:
        """Combine the contexts of the transcript's file, of the feed's file, and of the feed itself."""
        own = FileContext(overrides=self.surroundings.overrides)
        if isinstance(location, Path):
            own = self.surroundings.of(location)
        warnings = [*item.warnings, *map(str, failures)]
        chapters = own.chapters or self._chapters(item, warnings)
        media = Details(media=own.fallback.media)
        from_feed = replace(item.details, media=self._media(item))
        # The title, date, link and media of the feed itself do not apply to its items.
        shared = replace(self.context.overrides, title=None, date=None, link=None, media=None)
        return FileContext(
            overrides=own.overrides.over(shared),
            fallback=media.over(from_feed).over(own.fallback),
            chapters=chapters,
            feed_chapters=item.sections,
            part=item.guid,
            folder=own.folder,
            warnings=tuple(warnings),
        )

    def _chapters(self, item: Item, warnings: list[str]) -> tuple[Section, ...]:
        """Read the chapters file of an item.

        Chapters are optional, so errors become warnings.
        """
        if not item.chapters:
            return ()
        try:
            location = self._locate(item.chapters)
            if isinstance(location, Path):
                return read_chapters(display_path(location), read_bytes(location))
            if self.fetch:
                return read_chapters(location, self.fetch(location))
            warnings.append(f"its chapters are at {location}: --fetch downloads them")
        except OnRecordError as error:
            warnings.append(f"without its chapters: {error}")
        return ()

    def _media(self, item: Item) -> str | None:
        """Return the address of the item's media, or its file if it exists."""
        if not item.details.media:
            return None
        try:
            location = self._locate(item.details.media)
        except OnRecordError:
            return None
        return identity(location) if isinstance(location, Path) else location

    # ---------------------------------------------------------------- locations

    def _locate(self, url: str) -> Path | str:
        """Return a file in the feed's folder, or an address. Raises FetchError, NotFoundError.

        A remote part that was downloaded to the feed's folder is read from there, unless several parts share
        its file name.
        """
        parts = _split_url(url)
        if parts.scheme in ("http", "https"):
            beside = self._file_beside(PurePosixPath(unquote(parts.path)).name)
            return beside if beside and beside.name not in self._ambiguous_names else address("", url)
        if parts.scheme or parts.netloc:
            raise FetchError(f"{one_line(url)}: only http:// and https:// addresses are fetched")
        beside = self._file_beside(unquote(parts.path))
        if beside:
            return beside
        try:
            return web_address(address(self.feed.base, url))
        except ValueError:
            raise NotFoundError(f"{one_line(url)}: not beside the feed {self.place.name}") from None

    def _file_beside(self, path: str) -> Path | None:
        """Return a file in the feed's folder, or None. Raises FetchError for a path that leaves it."""
        if self.place.folder is None or not path or "\0" in path:
            return None
        file = self.place.folder / path
        if not Path(os.path.realpath(file)).is_relative_to(os.path.realpath(self.place.folder)):
            if self.feed.base:  # /a.vtt is a path of the feed's own site
                return None
            raise FetchError(f"{one_line(path)}: outside the folder of the feed {self.place.name}; not read")
        return file if os.path.isfile(file) else None  # noqa: PTH113 - False for any path that cannot be

    @cached_property
    def _ambiguous_names(self) -> frozenset[str]:
        """File names that several parts of the feed share: .../1/transcript.vtt and .../2/transcript.vtt."""
        urls = {url for item in self.feed.items for url in _parts(item)}
        counts = Counter(PurePosixPath(unquote(_split_url(url).path)).name for url in urls)
        return frozenset(name for name, count in counts.items() if count > 1)


def _parts(item: Item) -> list[str]:
    """Return the addresses of all parts of an item."""
    urls = [reference.url for reference in item.transcripts]
    return [*urls, *(url for url in (item.chapters, item.details.media) if url)]


def _split_url(url: str) -> SplitResult:
    """Split an address; an invalid one becomes an empty path."""
    try:
        return urlsplit(url.strip())
    except ValueError:
        return SplitResult("", "", "", "", "")
