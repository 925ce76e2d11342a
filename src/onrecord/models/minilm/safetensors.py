"""Reading of the safetensors format: 8 bytes of header length, a JSON header, then the tensors' bytes."""

from __future__ import annotations

import json
import mmap
from pathlib import Path
from typing import TYPE_CHECKING, Any

from onrecord.errors import WeightsError

if TYPE_CHECKING:
    from numpy.typing import NDArray

DTYPES = {"F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I8": "|i1", "U8": "|u1"}
LONGEST_HEADER = 100_000_000


def read(path: Path) -> dict[str, NDArray[Any]]:
    """The tensors of a file by name, as read-only views of the mapped file.

    Raises WeightsError where the file is not safetensors or promises more bytes than it has.
    """
    try:
        with path.open("rb") as file:
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        body = 8 + int.from_bytes(data[:8], "little")
        if not 8 < body <= min(len(data), LONGEST_HEADER):
            raise ValueError(f"a header of {body - 8:,} bytes in a file of {len(data):,}")
        header: dict[str, Any] = json.loads(data[8:body])
        header.pop("__metadata__", None)
        return {name: _tensor(data, body, entry) for name, entry in header.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise WeightsError(f"{path} is not a readable safetensors file: {error}") from error


def _tensor(data: mmap.mmap, body: int, entry: dict[str, Any]) -> NDArray[Any]:
    import numpy as np

    shape = [int(n) for n in entry["shape"]]
    dtype = np.dtype(DTYPES[entry["dtype"]])
    first, last = entry["data_offsets"]
    count = int(np.prod(shape, dtype=np.int64))
    if min(shape, default=0) < 0 or not 0 <= first <= last <= len(data) - body:
        raise ValueError(f"a tensor at bytes {first}..{last} of {len(data) - body}")
    if count * dtype.itemsize != last - first:
        raise ValueError(f"{last - first} bytes for a tensor of shape {shape}")
    return np.frombuffer(data, dtype, count, offset=body + first).reshape(shape)
