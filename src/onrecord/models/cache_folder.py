"""Files in the user's cache folder, complete or absent, even after crashes and concurrent writes."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

from onrecord.errors import WeightsError

UNFINISHED = ".part"
ABANDONED_AFTER = 24 * 3600.0
CHUNK = 1 << 20


def cache_root(cache: Path | None = None) -> Path:
    """Return `cache`, or $ONRECORD_CACHE, or the user's cache folder of this system."""
    import platformdirs

    named = cache or os.environ.get("ONRECORD_CACHE")
    return Path(named) if named else platformdirs.user_cache_path("onrecord")


def write(file: Path, chunks: Iterable[bytes]) -> None:
    """Write a file under another name beside it, then rename it, so that the last of several writers wins.

    Raises WeightsError if the folder cannot be written to. An incomplete file is removed.
    """
    part = file.with_name(f"{file.name}.{uuid4().hex}{UNFINISHED}")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with part.open("xb") as target:
            for chunk in chunks:
                target.write(chunk)
            target.flush()
            os.fsync(target.fileno())
        part.replace(file)
    except OSError as error:
        raise WeightsError(
            f"cannot write {file}: {error.strerror or error}; "
            "make room there, or set ONRECORD_CACHE to a folder that can be written to"
        ) from error
    finally:
        with suppress(OSError):
            part.unlink()


def sha256(file: Path) -> str | None:
    """Return the digest of a file's content in hexadecimal; None if it cannot be read."""
    try:
        with file.open("rb") as content:
            return hashlib.file_digest(content, "sha256").hexdigest()
    except OSError:
        return None


def sweep(folder: Path) -> None:
    """Remove files that killed writers left in a folder more than a day ago."""
    for part in folder.glob(f"*{UNFINISHED}"):
        with suppress(OSError):  # another process has removed it, or still holds it open
            if time.time() - part.stat().st_mtime > ABANDONED_AFTER:
                part.unlink()
