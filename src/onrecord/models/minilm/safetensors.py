"""Reads the safetensors format: 8 bytes of header length, a JSON header, then the tensors' bytes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any

from onrecord.errors import WeightsError

if TYPE_CHECKING:
    from numpy.typing import NDArray

TYPES = {"F32": "float32", "F16": "float16", "I64": "int64", "I32": "int32", "I8": "int8", "U8": "uint8"}
SIZES = {"F32": 4, "F16": 2, "I64": 8, "I32": 4, "I8": 1, "U8": 1}
LONGEST_HEADER = 100_000_000


@dataclass(frozen=True, slots=True)
class Entry:
    """A tensor in a file: NumPy type, shape, offset of the first byte, and length in bytes."""

    dtype: str
    shape: tuple[int, ...]
    offset: int
    length: int


def read_header(path: Path) -> dict[str, Entry]:
    """Return the positions of the tensors in a file, by name.

    Raises WeightsError if the file is not safetensors, or claims more bytes than it has.
    """
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            length = int.from_bytes(file.read(8), "little")
            if not 0 < length <= min(size - 8, LONGEST_HEADER):
                raise ValueError(f"a header of {length:,} bytes in a file of {size:,}")
            header = json.loads(file.read(length))
        header.pop("__metadata__", None)
        return {name: _entry(name, fields, 8 + length, size) for name, fields in header.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise WeightsError(f"{path} cannot be read as safetensors: {error!r}") from error


def read_tensors(path: Path) -> dict[str, NDArray[Any]]:
    """Return the tensors of a file by name, as read-only views of the mapped file. Raises WeightsError."""
    import numpy as np

    entries, data = read_header(path), np.memmap(path, np.uint8, "r")
    return {
        name: data[e.offset : e.offset + e.length].view(e.dtype).reshape(e.shape)
        for name, e in entries.items()
    }


def _entry(name: str, fields: Mapping[str, Any], body: int, size: int) -> Entry:
    shape = tuple(int(n) for n in fields["shape"])
    first, last = (int(n) for n in fields["data_offsets"])
    if min(shape, default=0) < 0 or not 0 <= first <= last <= size - body:
        raise ValueError(f"tensor {name!r} is said to be at bytes {first}..{last} of {size - body}")
    if prod(shape) * SIZES[fields["dtype"]] != last - first:
        raise ValueError(f"tensor {name!r} of shape {shape} is said to have {last - first} bytes")
    return Entry(TYPES[fields["dtype"]], shape, body + first, last - first)
