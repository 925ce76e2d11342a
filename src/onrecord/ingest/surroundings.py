"""What is known of a recording from the files around its transcript, and which of it goes ahead of what.

--set, a manifest, a sidecar file, front matter, the transcript itself, a recording beside it, a feed,
the file's name: each completes those before it.
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

from onrecord.errors import NotFoundError, OnRecordError
from onrecord.ingest import formats
from onrecord.ingest.chapters import read_chapters
from onrecord.ingest.details import guess_from_name, read_sidecar, split_front_matter
from onrecord.ingest.folders import Folder, identity, read_bytes, shown
from onrecord.ingest.formats.decode import decode
from onrecord.ingest.manifests import Row, read_manifest
from onrecord.ingest.outcomes import Refused
from onrecord.ingest.plain import decoded
from onrecord.types import Details, Section, Transcript

_SMALL = 4 << 20
"""Bytes of a file of details or chapters."""


@dataclass(frozen=True, slots=True)
class Around:
    """What is known from around a transcript.

    `given` (--set, manifest, sidecar) goes ahead of what the transcript says of itself, `rest` (a recording
    beside it, its feed, its name) completes it; likewise `chapters` of a file beside it and
    `feed_chapters`. `folder` is what a relative path in the transcript is relative to, None for a
    fetched one.
    """

    given: Details = field(default_factory=Details)
    rest: Details = field(default_factory=Details)
    chapters: tuple[Section, ...] = ()
    feed_chapters: tuple[Section, ...] = ()
    part: str = ""
    folder: Path | None = None
    warnings: tuple[str, ...] = ()

    def read(self, name: str, data: bytes) -> tuple[Transcript, ...]:
        """The transcripts in a file, complete with what is known around them. Raises FormatError."""
        front, data, remarks = _without_front_matter(name, data)
        return tuple(self._completed(found, front, remarks) for found in formats.read(name, data))

    def _completed(self, found: Transcript, front: Details, remarks: tuple[str, ...]) -> Transcript:
        own = _placed(front.over(found.details), self.folder)
        return replace(
            found,
            details=self.given.over(own).over(self.rest),
            sections=self.chapters or found.sections or self.feed_chapters,
            part=" ".join(part for part in (self.part, found.part) if part),
            warnings=(*remarks, *found.warnings, *self.warnings),
        )

    def checksum(self, data: bytes) -> str:
        """SHA-256 of a transcript's bytes and of what is known around it."""
        details = [{k: v for k, v in asdict(d).items() if v} for d in (self.given, self.rest)]
        sections = [[(s.title, s.start, s.end) for s in part] for part in (self.chapters, self.feed_chapters)]
        known = json.dumps([details, sections], sort_keys=True)
        return hashlib.sha256(data + b"\0" + known.encode()).hexdigest()


def _without_front_matter(name: str, data: bytes) -> tuple[Details, bytes, tuple[str, ...]]:
    """The details at the head of a file, the file without them, and what there is to say of its decoding."""
    if not data[:8].replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe").startswith(b"---"):
        return Details(), data, ()
    source = decode(name, data)
    details, text = split_front_matter(source.text, name)
    return details, text.encode(), source.remarks


def _placed(details: Details, folder: Path | None) -> Details:
    """Details whose media, where it is a path, is absolute; without a folder a path leads nowhere."""
    if details.media is None or "://" in details.media:
        return details
    return replace(details, media=identity(folder / details.media) if folder else None)


# ---------------------------------------------------------------- files beside a transcript


class Surroundings:
    """The files around the transcripts of one gathering, each folder listed once."""

    def __init__(self, given: Details) -> None:
        self.given = _placed(given, Path())
        self.manifests = Manifests()
        self._folders: dict[Path, Folder] = {}

    def of(self, path: Path) -> Around:
        """What is around a file. Raises FormatError, IngestError."""
        folder = self._folders.setdefault(path.parent, Folder(path.parent))
        sidecars = [_sidecar(beside) for beside in folder.sidecars(path.name)]
        layers = [self.given, self.manifests.details(path), *sidecars]
        media, chapters = folder.media(path.name), folder.chapters(path.name)
        beside = Details(media=identity(media) if media else None)
        return Around(
            given=reduce(Details.over, layers),
            rest=beside.over(guess_from_name(shown(path.name))),
            chapters=_chapters(chapters) if chapters else (),
            folder=path.parent,
        )


def _sidecar(path: Path) -> Details:
    text = decoded(shown(path), read_bytes(path, _SMALL))
    return _placed(read_sidecar(shown(path), text), path.parent)


def _chapters(path: Path) -> tuple[Section, ...]:
    return read_chapters(shown(path), read_bytes(path, _SMALL))


# ---------------------------------------------------------------- manifests


class Manifests:
    """What all manifests in play say, by file; the one added first goes ahead."""

    def __init__(self) -> None:
        self._rows: dict[str, list[tuple[Path, Path, Row]]] = {}

    def add(self, path: Path, named: bool = False) -> None:
        """Take in a manifest. The files of one that the user `named` may also be told as they are from the
        working folder; beside the manifest they are looked for first.

        Raises FormatError, IngestError, NotFoundError.
        """
        for row in read_manifest(shown(path), read_bytes(path)):
            beside = not named or (path.parent / row.file).exists() or not Path(row.file).exists()
            base = path.parent if beside else Path()
            self._rows.setdefault(_key(base / row.file), []).append((path, base, row))

    def details(self, file: Path) -> Details:
        """What is said of a file. Raises the FormatError of a row that cannot be read."""
        rows = self._rows.get(_key(file), [])
        for *_, row in rows:
            if row.error:
                raise row.error
        return reduce(Details.over, (_placed(row.details, base) for _, base, row in rows), Details())

    def astray(self, whole: AbstractSet[Path | None], read: Iterable[Path]) -> Iterator[Refused]:
        """The rows of these manifests that say nothing of a file which is read, and should."""
        known = {_key(path) for path in read}
        for key, rows in self._rows.items():
            for path, base, row in rows:
                if key not in known and path in whole:
                    error = row.error or _missing(path, base, row)
                    if error:
                        yield Refused(f"{shown(path)}, {row.where}", error)


def _missing(manifest: Path, base: Path, row: Row) -> OnRecordError | None:
    if (base / row.file).exists():
        return None
    return NotFoundError(f"{shown(manifest)}, {row.where}: the file {shown(row.file)} is not there")


def _key(path: Path) -> str:
    """One key for a name however its accents are composed: file systems differ in it."""
    return unicodedata.normalize("NFC", identity(path))
