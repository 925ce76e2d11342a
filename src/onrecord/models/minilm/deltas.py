"""The weights that training added to make all-MiniLM-L6-v2 a reader: low-rank differences and two heads.

Low-rank adaptation (Hu et al., LoRA, 2021) stores a trained network as the base weights plus a product of two
thin matrices for each layer. Here a truncated singular value decomposition of the fully trained weights gives
the product; `training/pack.py` makes the file. The base remains the pinned embedding model.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from io import BytesIO
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

FILE = "reader.npz"
"""The file of deltas: arrays by the name of the base tensor. The product of ``NAME|left`` (outputs, rank) and
``NAME|right`` (rank, inputs) is added to the base tensor. ``NAME|whole`` is added unchanged; ``heads.*`` are
new tensors."""


@cache
def _content() -> bytes:
    return resources.files("onrecord.models.minilm").joinpath(FILE).read_bytes()


@cache
def digest() -> str:
    """Return the SHA-256 of the deltas in hexadecimal, part of the reader's name."""
    return hashlib.sha256(_content()).hexdigest()


def read_deltas() -> dict[str, Array]:
    """Return the arrays of the file in float32, by name."""
    import numpy as np

    with np.load(BytesIO(_content()), allow_pickle=False) as file:
        return {name: file[name].astype(np.float32) for name in file.files}


def merge(base: Mapping[str, Array], deltas: Mapping[str, Array]) -> dict[str, Array]:
    """Return the reader's tensors: the base tensors with their differences added, and the heads.

    Raises KeyError for the difference of a tensor that the base does not have.
    """
    merged = dict(base)
    for name, values in deltas.items():
        tensor, _, kind = name.partition("|")
        if not kind:
            merged[name] = values
        elif kind == "left":
            merged[tensor] = base[tensor] + values @ deltas[f"{tensor}|right"]
        elif kind == "whole":
            merged[tensor] = base[tensor] + values
    return merged
