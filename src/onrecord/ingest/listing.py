"""Listing the files, addresses and manifests under the paths that the user named."""

from __future__ import annotations

import re
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from onrecord.errors import IngestError, InputError, NotFoundError, did_you_mean, nearest
from onrecord.ingest.folders import Folder, display_path, is_project_file, walk
from onrecord.ingest.manifests import NAMES as MANIFESTS
from onrecord.ingest.outcomes import Refused, Skipped

_REMOTE = re.compile(r"[a-z][a-z0-9+.-]+://", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class File:
    """A file to read; `named` by the user, or found in a folder."""

    path: Path
    named: bool


@dataclass(frozen=True, slots=True)
class Remote:
    """An address to be fetched."""

    url: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """A manifest that applies. `whole`: its whole folder is added, so a missing file is an error."""

    path: Path
    whole: bool


Entry = File | Remote | Manifest | Refused | Skipped


def list_entries(paths: Sequence[Path | str]) -> Iterator[Entry]:
    """Yield everything under these paths, in the order named, and by name within a folder."""
    empty = True
    for path in paths:
        for entry in _list_path(path):
            empty = False
            yield entry
    if empty:  # parts of a transcript are fine beside it, but alone they add nothing
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
    """Yield a single named file. Shells expand talks/*, so parts of a transcript beside it are fine."""
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
