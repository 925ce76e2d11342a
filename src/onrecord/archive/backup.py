"""Copies and backups of whole archives. A backup is one archive file, taken while others may write."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from secrets import token_hex

from onrecord.archive.moving import Copied, copy_faq, copy_workspace
from onrecord.archive.progress import Progress
from onrecord.errors import InputError, NotFoundError, UnusableError
from onrecord.stores import is_file, open_faq_store, open_store, shown, workspaces
from onrecord.stores.file import ArchiveFile, check
from onrecord.stores.open import path_of
from onrecord.stores.outbox import read_collections, restore_collections


def copy(
    source: str, target: str, progress: Progress | None = None, *, mirror: bool = False, only: str = ""
) -> list[Copied]:
    """Copy all workspaces of one archive into another, or `only` one: see `moving.copy_workspace`.

    Raises NotFoundError for a missing workspace or archive, InputError if both archives are the same.
    """
    if _same(source, target):
        raise InputError(f"{shown(source)} cannot be copied onto itself: name another target")
    open_store(source, make=False).close()
    names = workspaces(source)
    if only and only not in names:
        raise NotFoundError(
            f"there is no workspace {only!r} in {shown(source)}: there are {', '.join(names)}"
        )
    return [_copy_one(source, target, name, progress, mirror) for name in ([only] if only else names)]


def _copy_one(source: str, target: str, name: str, progress: Progress | None, mirror: bool) -> Copied:
    """Copy the recordings and the FAQ of one workspace. One that the source lacks counts as empty."""
    with closing(open_store(source, name)) as store, closing(open_store(target, name)) as other:
        copied = copy_workspace(store, other, progress, mirror=mirror)
    with closing(open_faq_store(source, name)) as faq, closing(open_faq_store(target, name)) as faq_copy:
        count, notes = copy_faq(faq, faq_copy, mirror=mirror)
    return replace(copied, faq=count, notes=copied.notes + notes)


def backup(source: str, file: Path, progress: Progress | None = None, *, force: bool = False) -> Path:
    """Write a backup, an archive file.

    It holds one state of a file, or one state of each workspace of a server. The file gets its name once it
    is complete and checked. Raises InputError, StoreError.
    """
    if file.exists() and not force:
        raise InputError(f"{file} is there already: name another file, or overwrite it with --force")
    if _same(source, str(file)):
        raise InputError(f"{file} is the archive itself: name another file")
    if not file.exists():
        check(file, read_only=False)
    open_store(source, make=False).close()
    new = file.with_name(f".{file.name}.{token_hex(4)}")
    try:
        if is_file(source):
            naming_file = ArchiveFile(new).translated_errors("back up to", file)
            with (
                _connected(Path(path_of(source))) as archive,
                naming_file,
                closing(sqlite3.connect(new)) as pages,
            ):
                archive.backup(pages)
        else:
            copy(source, str(new), progress)
            with _connected(new) as connection:
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        check_whole(new, source if is_file(source) else str(file))
        new.replace(file)
    finally:
        for rest in new.parent.glob(new.name + "*"):
            rest.unlink(missing_ok=True)
    return file


def restore(file: Path, target: str, progress: Progress | None = None, *, force: bool = False) -> list[str]:
    """Replace the content of the target by that of a backup. Return the target's workspaces.

    A target that is not empty is refused without `force`. A file changes in one step. A server changes
    recording by recording: if this stops, restore again. Its costs so far, and names merged by hand, stay.
    Raises InputError, ModelMismatchError, NotAnArchiveError, StoreError.
    """
    check_whole(file)
    if _same(str(file), target):
        raise InputError(f"{file} is the archive itself: name another target")
    replaced = workspaces(target) if _exists(target) else []
    if replaced and not force:
        raise InputError(
            f"{shown(target)} holds the workspaces {', '.join(replaced)}: --force replaces them by the backup"
        )
    if is_file(target):
        _restore_file(file, Path(path_of(target)))
    else:
        for name in sorted({*replaced, *workspaces(str(file))}):
            _copy_one(str(file), target, name, progress, mirror=True)
    return workspaces(target)


def _restore_file(file: Path, target: Path) -> None:
    """Replace the content of a file by a backup, in one transaction of SQLite.

    Every workspace gets a generation above all previous ones, so that processes that have the file open
    notice the change.
    """
    store = ArchiveFile(target)
    with store.translated_errors("restore into"), closing(store.open()) as there, _connected(file) as here:
        highest = there.execute("SELECT coalesce(max(generation), 0) FROM workspaces").fetchone()[0]
        collections = read_collections(there)
        here.backup(there)
        there.execute("BEGIN IMMEDIATE")
        there.execute("UPDATE workspaces SET generation = generation + ?", (highest + 1,))
        restore_collections(there, collections)
        there.execute("COMMIT")
    ArchiveFile(target).open().close()  # opening the file upgrades an older backup


@contextmanager
def _connected(file: Path) -> Iterator[sqlite3.Connection]:
    archive = ArchiveFile(file)
    with archive.translated_errors("read"), closing(archive.open()) as connection:
        yield connection


def check_whole(file: Path, called: str = "") -> None:
    """Raise StoreError if a file is damaged or not an archive. The message calls the file `called`."""
    name = shown(called) or str(file)
    archive = ArchiveFile(file, read_only=True)
    with archive.translated_errors("read", name), closing(archive.connect()) as connection:
        verdict = connection.execute("PRAGMA quick_check").fetchone()[0]
    if verdict != "ok":
        raise UnusableError(f"{name} is damaged ({verdict}): it was not used")


def _exists(url: str) -> bool:
    if is_file(url):
        return Path(path_of(url)).exists()
    try:
        open_store(url, make=False).close()
    except NotFoundError:
        return False
    return True


def _same(one: str, other: str) -> bool:
    if is_file(one) and is_file(other):
        return Path(path_of(one)).resolve() == Path(path_of(other)).resolve()
    return one == other
