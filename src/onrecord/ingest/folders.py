"""The files of a folder: transcripts, and their parts such as details, chapters, audio and manifests."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from pathlib import Path, PurePath

from onrecord.errors import FormatError, IngestError, NotFoundError, OnRecordError
from onrecord.ingest.chapters import is_chapters
from onrecord.ingest.details import MEDIA, is_details, stems
from onrecord.ingest.formats.decode import LIMIT
from onrecord.ingest.manifests import NAMES as MANIFESTS
from onrecord.ingest.plain import decode_text, read_json
from onrecord.types import printable

_SIDECARS = (".yaml", ".yml", ".json")
_CHAPTERS = (".chapters.json", ".chapters.txt")
_PROJECT_FILES = ("README", "LICENSE", "LICENCE", "COPYING", "NOTICE", "CHANGELOG", "CONTRIBUTING", "AUTHORS")
_PROJECT_SUFFIXES = ("", ".md", ".markdown", ".txt", ".rst", ".html")
_SYSTEM_FILES = ("thumbs.db", "desktop.ini", "__macosx")
MAX_BYTES = 1 << 20
"""Most bytes of a JSON file with details or chapters. A larger file is a transcript."""


@dataclass(frozen=True, slots=True)
class Part:
    """A file that is not a transcript but belongs to one.

    `kind` is "manifest", "chapters", "details", "media", "questions" (of an evaluation) or "speakers"
    (timestamps of speakers without words). `alone` says that its transcript is missing; `advice` says what to
    do then.
    """

    kind: str
    advice: str
    alone: bool = False


@dataclass(frozen=True)
class Folder:
    """The files of a folder, listed once."""

    path: Path

    @cached_property
    def names(self) -> frozenset[str]:
        """Names of all files; empty if the folder cannot be listed."""
        try:
            with os.scandir(self.path) as entries:
                return frozenset(entry.name for entry in entries if not _is_folder(entry))
        except OSError:
            return frozenset()

    @cached_property
    def _bases(self) -> dict[str, frozenset[str]]:
        """Suffixes of the transcripts, by every base name that their details may have."""
        suffixes_by_base: dict[str, set[str]] = {}
        for name in self.names:
            suffix = PurePath(name).suffix.lower()
            if suffix not in (".yaml", ".yml", *MEDIA) and not name.endswith(_CHAPTERS):
                for base in (name, *stems(name)):
                    suffixes_by_base.setdefault(base, set()).add(suffix)
        return {base: frozenset(suffixes) for base, suffixes in suffixes_by_base.items()}

    # ---- parts of a transcript

    def sidecars(self, name: str) -> list[Path]:
        """Return the sidecar files of the transcript `name`; earlier ones override later ones."""
        beside = [f"{base}{end}" for base in (name, *stems(name)) for end in _SIDECARS]
        return [self.path / other for other in beside if other != name and self._is_sidecar(other)]

    def chapters(self, name: str) -> Path | None:
        beside = (f"{base}{end}" for base in stems(name) for end in _CHAPTERS)
        return next((self.path / other for other in beside if other in self.names), None)

    def media(self, name: str) -> Path | None:
        candidates = (f"{base}{end}" for base in stems(name) for end in ("", *MEDIA))
        media = (other for other in candidates if other.lower().endswith(MEDIA) and other in self.names)
        return next((self.path / other for other in media), None)

    # ---- kinds of files

    def part(self, name: str) -> Part | None:
        """Return the part that a file is; None if it may be a transcript."""
        stem, suffix = PurePath(name).stem, PurePath(name).suffix.lower()
        if name in MANIFESTS:
            return Part("manifest", "a manifest: add its folder, or add files with --manifest")
        if name.endswith(_CHAPTERS):
            alone = name.rpartition(".chapters.")[0] not in self._bases
            return Part("chapters", "chapters of a transcript that is not beside them", alone)
        if stem == "questions" and suffix in (".yaml", ".yml"):
            return Part("questions", "questions about an archive: onrecord eval asks them", alone=True)
        if suffix in (".yaml", ".yml"):
            alone = stem not in self._bases
            return Part("details", "details of a transcript that is not beside them", alone)
        if suffix in MEDIA:
            alone = not {name, stem} & self._bases.keys()
            return Part("media", "audio or video: transcribe it and add the transcript", alone)
        if suffix == ".json" and self._is_sidecar(name):
            return Part("details", "")
        if suffix == ".rttm" and self._bases.get(stem, frozenset()) - {suffix}:
            return Part("speakers", "")
        return None

    def _is_sidecar(self, name: str) -> bool:
        """Return whether a file holds details. A .json file may be a transcript, so it is read."""
        if name not in self.names:
            return False
        stem, suffix = PurePath(name).stem, PurePath(name).suffix.lower()
        if suffix != ".json":
            return True
        owners = self._bases.get(stem, frozenset()) - {".json"}
        path = self.path / name
        try:
            small = bool(owners) and path.stat().st_size <= MAX_BYTES
            return small and json_part(name, read_bytes(path)) == "details"
        except (OSError, OnRecordError):
            return False


def json_part(name: str, data: bytes) -> str | None:
    """Return "details" or "chapters" for JSON that belongs to a transcript, else None."""
    if len(data) > MAX_BYTES or not name.lower().endswith(".json"):
        return None
    try:
        value = read_json(name, decode_text(name, data), most=MAX_BYTES)
    except FormatError:
        return None
    return "chapters" if is_chapters(value) else "details" if is_details(value) else None


# ---------------------------------------------------------------- walking


def walk(root: Path) -> Iterator[tuple[Path, OSError | None]]:
    """Yield the files of a folder, then of its subfolders, by name; an unreadable folder with its error.

    Hidden files and leftovers of operating systems are skipped. Links to folders are followed, but no folder
    is entered twice, so loops end.
    """
    queue = [root]
    entered: set[tuple[int, int]] = set()
    while queue:
        folder = queue.pop()
        try:
            status = folder.stat()
            if (status.st_dev, status.st_ino) in entered:
                continue
            entered.add((status.st_dev, status.st_ino))
            with os.scandir(folder) as entries:
                visible = (
                    e for e in entries if not e.name.startswith(".") and e.name.lower() not in _SYSTEM_FILES
                )
                listing = sorted(visible, key=attrgetter("name"))
            folders = [folder / entry.name for entry in listing if _is_folder(entry)]
        except OSError as error:
            yield folder, error
            continue
        yield from ((folder / entry.name, None) for entry in listing if not _is_folder(entry))
        queue.extend(reversed(folders))


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # for example a link to itself
        return False


def is_project_file(name: str) -> bool:
    """Check whether a file describes a project: README.md, LICENSE, ..."""
    path = PurePath(name)
    return path.stem.upper() in _PROJECT_FILES and path.suffix.lower() in _PROJECT_SUFFIXES


# ---------------------------------------------------------------- names


def display_path(path: str | Path) -> str:
    """Return a path for display and storage: bytes that are not UTF-8 are written as ``\\xff``."""
    return printable(_in_utf8(path))


def identity(path: str | Path) -> str:
    """Return a path that identifies its file: absolute, with forward slashes."""
    full = Path(os.path.abspath(path)).as_posix()  # noqa: PTH100 - a link stays itself
    return _in_utf8(full)


def _in_utf8(path: str | Path) -> str:
    try:
        encoded = os.fsencode(path)
    except UnicodeEncodeError:  # half a surrogate pair, which no file has in its name
        encoded = os.fspath(path).encode("utf-8", "backslashreplace")
    return encoded.decode("utf-8", "backslashreplace")


# ---------------------------------------------------------------- reading


def read_bytes(path: Path, most: int = LIMIT) -> bytes:
    """Read a file of at most `most` bytes. Raises IngestError, NotFoundError."""
    name = display_path(path)
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise IngestError(f"{name}: not a regular file, so it is not read")
        data = b""
        if status.st_size <= most:
            with path.open("rb") as file:
                data = file.read(most + 1)
        if max(status.st_size, len(data)) > most:
            size = max(status.st_size, len(data))
            raise IngestError(f"{name}: {size:,} bytes, but at most {most:,} are read: split it")
        return data
    except FileNotFoundError:
        raise NotFoundError(f"{name}: no such file, or a link to nothing") from None
    except OSError as error:
        reason = error.strerror or str(error)
        raise IngestError(f"{name}: cannot be read: {reason}; check its permissions") from None


def read_head(path: Path) -> bytes:
    """Read the first 4096 bytes of a file. Raises OSError."""
    with path.open("rb") as file:
        return file.read(4096)
