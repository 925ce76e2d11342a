"""Writes ONNX models, so that running them does not need the `onnx` package.

ONNX files are Protocol Buffers: a message is a run of fields, each a key (field number and wire type) and a
value. The field numbers are those of onnx.proto (https://github.com/onnx/onnx, IR version 9).
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

IR_VERSION = 9
OPSET = 20
CONTRIB = "com.microsoft"
ELEMENT_TYPES = {"float32": 1, "uint8": 2, "int8": 3, "int32": 6, "int64": 7, "float16": 10}
FLOAT, INT, STRING, INTS = 1, 2, 3, 7  # types of attributes
EXTERNAL = 1

Attribute = int | float | str | Sequence[int]


@dataclass(slots=True)
class Graph:
    """A graph under construction: nodes are added in the order in which they run."""

    name: str
    nodes: list[bytes] = field(default_factory=list)
    tensors: dict[str, bytes] = field(default_factory=dict)
    inputs: list[bytes] = field(default_factory=list)
    outputs: list[bytes] = field(default_factory=list)

    def tensor(self, name: str, values: NDArray[Any]) -> str:
        """Add a constant, unless it was added before, and return its name."""
        head = _tensor_head(name, values.dtype.name, values.shape)
        self.tensors.setdefault(name, head + _bytes(9, values.tobytes()))
        return name

    def number(self, value: float, element: str = "float32") -> str:
        """Add a scalar constant and return its name."""
        import numpy as np

        return self.tensor(f"{element} {value}", np.array(value, element))

    def integers(self, name: str, values: Sequence[int]) -> str:
        """Add a constant of shape (values,) and return its name."""
        import numpy as np

        return self.tensor(name, np.array(values, np.int64))

    def external(
        self, name: str, element: str, shape: Sequence[int], file: str, offset: int, length: int
    ) -> str:
        """Add a constant whose bytes are in a file beside the model, and return its name."""
        place = {"location": file, "offset": str(offset), "length": str(length)}
        fields = [_bytes(13, _text(1, key) + _text(2, value)) for key, value in place.items()]
        head = _tensor_head(name, element, shape)
        self.tensors.setdefault(name, b"".join([head, *fields, _integer(14, EXTERNAL)]))
        return name

    def node(
        self, operator: str, inputs: Iterable[str], output: str, *, domain: str = "", **attributes: Attribute
    ) -> str:
        """Add an operator with one output and return the output's name."""
        fields = [_text(1, name) for name in inputs]
        fields += [_text(2, output), _text(3, output), _text(4, operator)]
        fields += [_bytes(5, _attribute(name, value)) for name, value in attributes.items()]
        if domain:
            fields.append(_text(7, domain))
        self.nodes.append(b"".join(fields))
        return output

    def input(self, name: str, element: str, shape: Sequence[int | str]) -> str:
        """Declare an input; a dimension that is a name may differ from run to run."""
        self.inputs.append(_value(name, element, shape))
        return name

    def output(self, name: str, element: str, shape: Sequence[int | str]) -> None:
        """Declare the output of a node as an output of the graph."""
        self.outputs.append(_value(name, element, shape))

    def model(self, metadata: Mapping[str, str] | None = None) -> bytes:
        """Return the graph as a ModelProto."""
        graph = [_bytes(1, node) for node in self.nodes]
        graph.append(_text(2, self.name))
        graph += [_bytes(5, tensor) for tensor in self.tensors.values()]
        graph += [_bytes(11, value) for value in self.inputs]
        graph += [_bytes(12, value) for value in self.outputs]
        return b"".join(
            [
                _integer(1, IR_VERSION),
                _text(2, "onrecord"),
                _bytes(7, b"".join(graph)),
                _bytes(8, _text(1, "") + _integer(2, OPSET)),
                _bytes(8, _text(1, CONTRIB) + _integer(2, 1)),
                *(_bytes(14, _text(1, key) + _text(2, value)) for key, value in (metadata or {}).items()),
            ]
        )


def _tensor_head(name: str, element: str, shape: Sequence[int]) -> bytes:
    sizes = b"".join(_integer(1, size) for size in shape)
    return sizes + _integer(2, ELEMENT_TYPES[element]) + _text(8, name)


def _value(name: str, element: str, shape: Sequence[int | str]) -> bytes:
    sizes = (_integer(1, size) if isinstance(size, int) else _text(2, size) for size in shape)
    dimensions = b"".join(_bytes(1, size) for size in sizes)
    tensor = _integer(1, ELEMENT_TYPES[element]) + _bytes(2, dimensions)
    return _text(1, name) + _bytes(2, _bytes(1, tensor))


def _attribute(name: str, value: Attribute) -> bytes:
    head = _text(1, name)
    if isinstance(value, int):
        return head + _integer(3, value) + _integer(20, INT)
    if isinstance(value, float):
        return head + _varint(2 << 3 | 5) + struct.pack("<f", value) + _integer(20, FLOAT)
    if isinstance(value, str):
        return head + _text(4, value) + _integer(20, STRING)
    return head + b"".join(_integer(8, number) for number in value) + _integer(20, INTS)


def _varint(number: int) -> bytes:
    number &= (1 << 64) - 1  # negative numbers are written as 64-bit two's complement
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


def _integer(key: int, number: int) -> bytes:
    return _varint(key << 3) + _varint(number)


def _bytes(key: int, content: bytes) -> bytes:
    return b"".join([_varint(key << 3 | 2), _varint(len(content)), content])


def _text(key: int, content: str) -> bytes:
    return _bytes(key, content.encode())
