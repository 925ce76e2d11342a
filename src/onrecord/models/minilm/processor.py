"""How many bits weights may have on this processor, so that sums of products do not overflow.

x86 processors without VNNI add two products of 8-bit numbers in 16 bits. 2 * 255 * 127 does not fit and is
clipped. With 7-bit weights, 2 * 255 * 63 fits, so every sum is exact.
"""

from __future__ import annotations

from functools import cache

from onrecord.models.minilm.onnx_writer import CONTRIB, Graph
from onrecord.models.minilm.session import Session

_SIZE = 64
"""Products in each sum of the probe, and sums for each token."""


@cache
def weight_bits() -> int:
    """Return 8, or 7 if ONNX Runtime's sums of 8-bit products overflow here. Raises ModelError."""
    import numpy as np

    graph = Graph("overflow")
    largest = graph.tensor("weights", np.full((_SIZE, _SIZE), 127, np.int8))
    scales = graph.tensor("scales", np.ones(_SIZE, np.float32))
    codes = graph.input("codes", "uint8", ["tokens", _SIZE])
    operands = [codes, largest, graph.number(1.0), scales, graph.number(0, "uint8")]
    graph.output(
        graph.node("MatMulIntegerToFloat", operands, "sums", domain=CONTRIB), "float32", ["tokens", _SIZE]
    )
    (sums,) = Session(graph.model()).run(["sums"], {"codes": np.full((8, _SIZE), 255, np.uint8)})
    return 8 if (sums == 255 * 127 * _SIZE).all() else 7
