"""Pack the changes of training into the deltas that onrecord ships: `python training/pack.py READER.pt ...`.

The difference of each linear layer from the base is cut to `--rank` by a truncated singular value
decomposition and stored in float16; biases and normalizations, which are small, are stored whole.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
import torch

from network import BASE_NAMES, Reader, base_folder, base_tensors, load_reader

TARGET = Path(__file__).parents[1] / "src/onrecord/models/minilm/reader.npz"


def pack(reader: Reader, rank: int) -> dict[str, Any]:
    """Return the deltas by the names that `onrecord.models.minilm.deltas` reads."""
    base, trained = base_tensors(base_folder()), reader.by_base_names()
    packed: dict[str, Any] = {}
    for name in BASE_NAMES:
        change = (trained[name] - base[name]).numpy()
        if not np.abs(change).max():
            continue
        if change.ndim == 2 and min(change.shape) > rank:
            left, values, right = np.linalg.svd(change, full_matrices=False)
            root = np.sqrt(values[:rank])
            packed[f"{name}|left"] = left[:, :rank] * root
            packed[f"{name}|right"] = root[:, None] * right[:rank]
        else:
            packed[f"{name}|whole"] = change
    packed |= {name: tensor.numpy() for name, tensor in trained.items() if name.startswith("heads.")}
    return {name: values.astype(np.float16) for name, values in packed.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("readers", type=Path, nargs="+", help="of several, the mean of their weights")
    parser.add_argument("--rank", type=int, default=96)
    parser.add_argument("--out", type=Path, default=TARGET)
    arguments = parser.parse_args()
    packed = pack(load_reader(arguments.readers, torch.device("cpu")), arguments.rank)
    np.savez_compressed(arguments.out, **packed)
    print(f"{arguments.out}: {arguments.out.stat().st_size / 1e6:.2f} MB at rank {arguments.rank}")


if __name__ == "__main__":
    main()
