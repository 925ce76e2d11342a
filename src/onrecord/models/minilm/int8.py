"""The network with its linear layers in 8-bit integers: two to three times as fast as float32.

Weights are rounded once, symmetrically, each output with its own scale. Inputs are rounded at run time,
each token with its own scale: in BERT the values of the separators dwarf those of the words, and one
scale for a whole text would leave the words two or three bits. Inputs with a few large channels are
first evened out at the weights' cost (SmoothQuant, Xiao et al. 2023). Inputs that come out of a GELU
are never below LOWEST, so the rest of the range is theirs. Word embeddings are kept in 16 bits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from onrecord.models.minilm.network import LAYERS, Network
from onrecord.models.minilm.onnx_writer import CONTRIB, ELEMENT_TYPES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

VERSION = 1
"""Part of the name under which the model is cached; changes whenever a change here changes it."""
SMOOTHING = 0.65
"""How much of the channels' unevenness moves into the weights: 0 none, 1 all. Better than 0.5 and 0.8."""
LOWEST = 0.17
"""GELU is nowhere below -0.16998."""


@dataclass(slots=True)
class Watched(Network):
    """The float32 model, which also puts out how large each channel of a linear layer's input gets."""

    def linear(self, names: Sequence[str], state: str) -> list[str]:
        peak = f"{names[0]}.peak"
        self.graph.node("Abs", [state], f"{peak}.all")
        self.graph.node("ReduceMax", [f"{peak}.all", self.graph.integers("zero", [0])], peak, keepdims=0)
        self.graph.output(peak, "float32", [self.entries[f"{names[0]}.weight"].shape[1]])
        return Network.linear(self, names, state)


@dataclass(slots=True)
class Quantized(Network):
    """The model in 8-bit integers. `tensors` are its weights, `peaks` what `Watched` saw, by layer."""

    tensors: Mapping[str, Array] = field(default_factory=dict)
    peaks: Mapping[str, Array] = field(default_factory=dict)

    def weight(self, name: str) -> str:
        return self.graph.tensor(name, self.tensors[name])

    def words(self, tokens: str) -> str:
        table = self.tensors["embeddings.word_embeddings.weight"].astype("float16")
        node = self.graph.node
        node("Gather", [self.graph.tensor("embeddings.word_embeddings.weight", table), tokens], "words.half")
        return node("Cast", ["words.half"], "words", to=ELEMENT_TYPES["float32"])

    def linear(self, names: Sequence[str], state: str) -> list[str]:
        import numpy as np

        if state.endswith(".active"):
            codes, step, zero = self._round_active(state)
            return [self._multiply(n, self.tensors[f"{n}.weight"], codes, step, zero, LOWEST) for n in names]
        weights = [self.tensors[f"{n}.weight"] for n in names]
        largest = np.abs(np.concatenate(weights)).max(axis=0)
        evener = self.peaks[f"{names[0]}.peak"] ** SMOOTHING / largest ** (1 - SMOOTHING)
        smooth = self.graph.tensor(f"{names[0]}.evener", 1 / evener)
        self.graph.node("Mul", [state, smooth], f"{names[0]}.even")
        codes, step, zero = self._round(f"{names[0]}.even")
        pairs = zip(names, weights, strict=True)
        return [self._multiply(n, matrix * evener, codes, step, zero, 0.0) for n, matrix in pairs]

    def _round(self, state: str) -> tuple[str, str, str]:
        """Codes of a state, the size of a step for each token, and the code of zero.

        A row of zeros would divide by zero, but layer normalisation and attention give none.
        """
        node, number = self.graph.node, self.graph.number
        node("Abs", [state], f"{state}.abs")
        node("ReduceMax", [f"{state}.abs", self.graph.integers("last", [-1])], f"{state}.max", keepdims=1)
        node("Div", [f"{state}.max", number(127.0)], f"{state}.step")
        node("Div", [state, f"{state}.step"], f"{state}.steps")
        node("Add", [f"{state}.steps", number(128.5)], f"{state}.shifted")
        node("Cast", [f"{state}.shifted"], f"{state}.codes", to=ELEMENT_TYPES["uint8"])
        return f"{state}.codes", f"{state}.step", number(128, "uint8")

    def _round_active(self, state: str) -> tuple[str, str, str]:
        """The same for what comes out of a GELU: code 0 means -LOWEST."""
        node, number = self.graph.node, self.graph.number
        node("ReduceMax", [state, self.graph.integers("last", [-1])], f"{state}.max", keepdims=1)
        node("Add", [f"{state}.max", number(LOWEST)], f"{state}.range")
        node("Div", [f"{state}.range", number(255.0)], f"{state}.step")
        node("Div", [number(LOWEST), f"{state}.step"], f"{state}.lift")
        node("Add", [f"{state}.lift", number(0.5)], f"{state}.shift")
        node("Div", [state, f"{state}.step"], f"{state}.steps")
        node("Add", [f"{state}.steps", f"{state}.shift"], f"{state}.shifted")
        node("Cast", [f"{state}.shifted"], f"{state}.codes", to=ELEMENT_TYPES["uint8"])
        return f"{state}.codes", f"{state}.step", number(0, "uint8")

    def _multiply(self, name: str, matrix: Array, codes: str, step: str, zero: str, lifted: float) -> str:
        """A linear layer of shape (outputs, inputs), applied to codes; `lifted` was added to its input."""
        import numpy as np

        scale = np.abs(matrix).max(axis=1) / 127
        rounded = np.rint(matrix / scale[:, None]).astype(np.int8)
        bias = self.tensors[f"{name}.bias"] - lifted * scale * rounded.sum(axis=1, dtype=np.float32)
        constant, node = self.graph.tensor, self.graph.node
        operands = [
            codes,
            constant(f"{name}.codes", rounded.T),
            self.graph.number(1.0),
            constant(f"{name}.scale", scale),
            zero,
        ]
        node("MatMulIntegerToFloat", operands, f"{name}.product", domain=CONTRIB)
        node("Mul", [f"{name}.product", step], f"{name}.scaled")
        return node("Add", [f"{name}.scaled", constant(f"{name}.bias", bias)], f"{name}.out")


def peak_names() -> list[str]:
    """The outputs of `Watched` besides the vector."""
    inputs = ("attention.self.query", "attention.output.dense", "intermediate.dense", "output.dense")
    return [f"encoder.layer.{layer}.{name}.peak" for layer in range(LAYERS) for name in inputs]
