"""Errors that mean the same in every database, with messages that name the archive."""

from __future__ import annotations

from onrecord.errors import DiskFullError, LockedError, NewerArchiveError, StoreError


def newer_archive(archive: str, version: int, readable: int) -> NewerArchiveError:
    """The archive's format is above those that this version reads."""
    return NewerArchiveError(
        f"{archive} was written by a newer onrecord (its format is {version}, this version reads up to "
        f"{readable}); upgrade with: pip install --upgrade onrecord"
    )


def locked(doing: str, archive: str, patience: float) -> LockedError:
    """Somebody else has been writing for longer than `patience` seconds."""
    return LockedError(
        f"cannot {doing} {archive}: another process has been writing to it for more than {patience:g} s; "
        "try again when it is done"
    )


def disk_full(doing: str, archive: str) -> DiskFullError:
    """The disk of the archive has no room left."""
    return DiskFullError(
        f"cannot {doing} {archive}: the disk is full; nothing was changed; make room and try again"
    )


def half_surrogate(doing: str, archive: str, error: UnicodeEncodeError) -> StoreError:
    """A text has a character that UTF-8 cannot write."""
    half = error.object[error.start]
    return StoreError(
        f"cannot {doing} {archive}: a text holds {half!r}, half a surrogate pair, which no archive can keep; "
        "decode its source properly"
    )
