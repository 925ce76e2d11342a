"""Details from the files around a transcript, and their precedence.

From strongest to weakest: --set, a manifest, a sidecar file, front matter, the transcript itself, a media
file beside it, a feed, the file's name. Each source fills in only the details that stronger sources lack.
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import asdict, dataclass, field, replace
from functools import reduce
from pathlib import Path

from onrecord.errors import NotFoundError
from onrecord.ingest import formats
from onrecord.ingest.chapters import read_chapters
from onrecord.ingest.details import guess_from_name, read_sidecar, split_front_matter
from onrecord.ingest.folders import Folder, display_path, identity, read_bytes
from onrecord.ingest.formats.decode import decode
from onrecord.ingest.manifests import Row, read_manifest
from onrecord.ingest.outcomes import Refused
from onrecord.ingest.plain import decode_text
from onrecord.types import Details, Section, Transcript

_MAX_BYTES = 4 << 20
"""The most bytes of a file of details or chapters."""


@dataclass(frozen=True, slots=True)
class FileContext:
    """Details and chapters from around a transcript.

    `overrides` (--set, manifest, sidecar) take precedence over the transcript's own details; `fallback` (a
    media file beside it, its feed, its name) completes them. In the same way `chapters` of a file beside the
    transcript take precedence over its sections, and `feed_chapters` are used if it has none. Relative paths
    are relative to `folder`, which is None if the transcript was fetched.
    """

    overrides: Details = field(default_factory=Details)
    fallback: Details = field(default_factory=Details)
    chapters: tuple[Section, ...] = ()
    feed_chapters: tuple[Section, ...] = ()
    part: str = ""
    folder: Path | None = None
    warnings: tuple[str, ...] = ()

    def read(self, name: str, data: bytes) -> tuple[Transcript, ...]:
        """Read the transcripts in a file, completed by this context. Raises FormatError."""
        front = Details()
        remarks: tuple[str, ...] = ()
        if data[:8].replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe").startswith(b"---"):
            source = decode(name, data)
            front, text = split_front_matter(source.text, name)
            data, remarks = text.encode(), source.remarks
        transcripts: list[Transcript] = []
        for transcript in formats.read(name, data):
            own = _with_absolute_media(front.over(transcript.details), self.folder)
            completed = replace(
                transcript,
                details=self.overrides.over(own).over(self.fallback),
                sections=self.chapters or transcript.sections or self.feed_chapters,
                part=" ".join(filter(None, (self.part, transcript.part))),
                warnings=(*remarks, *transcript.warnings, *self.warnings),
            )
            transcripts.append(completed)
        return tuple(transcripts)

    def checksum(self, data: bytes) -> str:
        """Return the SHA-256 of a transcript's bytes and this context."""
        details = [{k: v for k, v in asdict(d).items() if v} for d in (self.overrides, self.fallback)]
        sections = [[(s.title, s.start, s.end) for s in part] for part in (self.chapters, self.feed_chapters)]
        context = json.dumps([details, sections], sort_keys=True)
        return hashlib.sha256(data + b"\0" + context.encode()).hexdigest()


def _with_absolute_media(details: Details, folder: Path | None) -> Details:
    """Return the details with an absolute media path, or without media if there is no folder."""
    if details.media is None or "://" in details.media:
        return details
    return replace(details, media=identity(folder / details.media) if folder else None)


# ---------------------------------------------------------------- files beside a transcript


class Surroundings:
    """The files around the transcripts of one gathering. Each folder is listed once."""

    def __init__(self, overrides: Details) -> None:
        self.overrides = _with_absolute_media(overrides, Path())
        self.manifests = Manifests()
        self._folders: dict[Path, Folder] = {}

    def of(self, path: Path) -> FileContext:
        """Return the context of a file. Raises FormatError, IngestError."""
        folder = self._folders.setdefault(path.parent, Folder(path.parent))
        layers = [self.overrides, self.manifests.details(path)]
        for sidecar in folder.sidecars(path.name):
            name = display_path(sidecar)
            details = read_sidecar(name, decode_text(name, read_bytes(sidecar, _MAX_BYTES)))
            layers.append(_with_absolute_media(details, path.parent))
        media, chapters = folder.media(path.name), folder.chapters(path.name)
        beside = Details(media=identity(media) if media else None)
        return FileContext(
            overrides=reduce(Details.over, layers),
            fallback=beside.over(guess_from_name(display_path(path.name))),
            chapters=read_chapters(display_path(chapters), read_bytes(chapters, _MAX_BYTES))
            if chapters
            else (),
            folder=path.parent,
        )


# ---------------------------------------------------------------- manifests


class Manifests:
    """The rows of all manifests, by file. A manifest overrides the manifests added after it."""

    def __init__(self) -> None:
        self._rows: dict[str, list[tuple[Path, Path, Row]]] = {}

    def add(self, path: Path, named: bool = False) -> None:
        """Load a manifest, whose files are relative to its folder.

        If the user `named` it, they may also be relative to the working folder. Raises FormatError,
        IngestError, NotFoundError.
        """
        for row in read_manifest(display_path(path), read_bytes(path)):
            beside = not named or (path.parent / row.file).exists() or not Path(row.file).exists()
            base = path.parent if beside else Path()
            self._rows.setdefault(_key(base / row.file), []).append((path, base, row))

    def details(self, file: Path) -> Details:
        """Return the details of a file. Raises the FormatError of a row that cannot be read."""
        rows = self._rows.get(_key(file), [])
        for *_, row in rows:
            if row.error:
                raise row.error
        return reduce(
            Details.over, (_with_absolute_media(row.details, base) for _, base, row in rows), Details()
        )

    def rows_without_file(
        self, complete: AbstractSet[Path | None], read: Iterable[Path]
    ) -> Iterator[Refused]:
        """Yield refusals for rows of the `complete` manifests that are broken or whose file is missing.

        Rows of the files in `read` are left out, because reading these files reports the errors.
        """
        files = {_key(path) for path in read}
        unread = (each for key, rows in self._rows.items() if key not in files for each in rows)
        for path, base, row in unread:
            if path not in complete:
                continue
            place = f"{display_path(path)}, {row.where}"
            if row.error:
                yield Refused(place, row.error)
            elif not (base / row.file).exists():
                missing = f"{place}: the file {display_path(row.file)} is not there"
                yield Refused(place, NotFoundError(missing))


def _key(path: Path) -> str:
    """Return a path key that is equal for composed and decomposed accents.

    File systems differ in how they compose accents.
    """
    return unicodedata.normalize("NFC", identity(path))
