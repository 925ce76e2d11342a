"""From what the user named to the files that are to be read."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from onrecord.errors import IngestError, InputError, NotFoundError, OnRecordError, did_you_mean, nearest
from onrecord.ingest.folders import Folder, is_paper, shown, walk
from onrecord.ingest.manifests import NAMES as MANIFESTS
from onrecord.ingest.outcomes import Refused, Skipped

_REMOTE = re.compile(r"[a-z][a-z0-9+.-]+://", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class File:
    """A file to be read; `named` by the user, or found in a folder."""

    path: Path
    named: bool


@dataclass(frozen=True, slots=True)
class Remote:
    """An address to be fetched."""

    url: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """A manifest that applies; `whole` where all of its files are asked for, and a missing one is worth
    an error."""

    path: Path
    whole: bool


Listed = File | Remote | Manifest | Refused | Skipped


def listed(paths: Sequence[Path | str]) -> Iterator[Listed]:
    """Everything under these paths, in the order named, within a folder by name."""
    nothing = True
    for path in paths:
        for found in _under(path):
            nothing = False
            yield found
    if nothing:  # what belongs to a transcript is no mistake beside it, but by itself it adds nothing
        yield from (Skipped(shown(path), "there is no transcript in it") for path in paths)


def _under(path: Path | str) -> Iterator[Listed]:
    if isinstance(path, str) and _REMOTE.match(path):
        yield Remote(path)
        return
    try:
        mode = _status(path).st_mode
    except OnRecordError as error:
        yield Refused(shown(path) or "''", error)
        return
    yield from _in_folder(Path(path)) if stat.S_ISDIR(mode) else _named(Path(path))


def _status(path: Path | str) -> os.stat_result:
    if not str(path):
        raise InputError("an empty path names nothing: name files, folders or feeds")
    try:
        return Path(path).stat()
    except FileNotFoundError:
        raise NotFoundError(f"{shown(path)}: no such file or folder{_near(Path(path))}") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise IngestError(f"{shown(path)}: cannot be opened: {reason}") from None


def _near(path: Path) -> str:
    """What the user may have meant."""
    try:
        names = [entry.name for entry in path.parent.iterdir()]
    except OSError:
        return f"; the folder {shown(path.parent)} is not there either"
    return did_you_mean((shown(path.parent / name) for name in nearest(path.name, names, 3)), "; ")


def _in_folder(root: Path) -> Iterator[Listed]:
    folder = Folder(root)
    for path, error in walk(root):
        if error is not None:
            reason = error.strerror or str(error)
            yield Refused(shown(path), IngestError(f"{shown(path)}: cannot be listed: {reason}"))
            continue
        if folder.path != path.parent:
            folder = Folder(path.parent)
        part = folder.part(path.name)
        if part is None and not is_paper(path.name):
            yield File(path, named=False)
        elif part is not None and part.kind == "manifest":
            yield Manifest(path, whole=True)
        elif part is not None and part.alone and part.kind != "media":
            yield Skipped(shown(path), part.advice)


def _named(path: Path) -> Iterator[Listed]:
    """A file by itself. Shells expand talks/* to everything there: what belongs to a transcript that is
    there as well is no mistake."""
    folder = Folder(path.parent)
    part = folder.part(path.name)
    if part is None and is_paper(path.name):
        yield Skipped(shown(path), "by its name no transcript; rename it if it is one")
    elif part is None:
        yield from (Manifest(folder.path / name, whole=False) for name in MANIFESTS if name in folder.names)
        yield File(path, named=True)
    elif part.alone:
        yield Refused(shown(path), InputError(f"{shown(path)}: {part.advice}"))
    elif part.kind == "manifest":
        yield Skipped(shown(path), part.advice)
