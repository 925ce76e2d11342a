"""The network with linear layers in 8-bit integers: twice as fast as float32 if all are, 1.3 times if some.

Weights are rounded once, each output with its own scale (see `rounding`). Inputs are rounded at run
time, each token with its own scale: in BERT the values of the separators dwarf those of the words, and
one scale for a whole text would leave the words two or three bits. Inputs with a few large channels are
first evened out at the weights' cost (SmoothQuant, Xiao et al. 2023). Inputs that come out of a GELU
are never below LOWEST, so the rest of the range is theirs. Word embeddings are kept in 16 bits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from onrecord.models.minilm.network import LAYERS, Network
from onrecord.models.minilm.onnx_writer import CONTRIB, ELEMENT_TYPES
from onrecord.models.minilm.rounding import round_weights

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

VERSION = 3
"""Part of the name under which the model is cached; changes whenever a change here changes it."""
SMOOTHING = 0.65
"""How much of the channels' unevenness moves into the weights: 0 none, 1 all. Better than 0.5 and 0.8."""
LOWEST = 0.17
"""GELU is nowhere below -0.16998."""


ROUNDED = {
    "int8": ("query", "output.dense", "intermediate.dense"),
    "mixed": ("attention.output.dense", "intermediate.dense"),
}
"""By precision, the linear layers that are rounded, by the ends of their names ("query" is key and value,
too). The two of "mixed" cost the vectors least for what they save."""


@dataclass(slots=True)
class Watched(Network):
    """The float32 model, which also puts out the inputs of its linear layers."""

    def linear(self, names: Sequence[str], state: str) -> list[str]:
        self.graph.node("Identity", [state], f"{names[0]}.input")
        self.graph.output(f"{names[0]}.input", "float32", ["tokens", self.width(names[0])])
        return Network.linear(self, names, state)

    def width(self, name: str) -> int:
        """How many numbers a token has at the input of a linear layer."""
        return self.entries[f"{name}.weight"].shape[1]


@dataclass(frozen=True, slots=True)
class Seen:
    """What the inputs of a linear layer are like: the largest absolute value of each channel, and their
    second moments x.T @ x."""

    peak: Array
    moment: Array


@dataclass(slots=True)
class Quantized(Network):
    """The model with the layers of a precision in 8-bit integers. `tensors` are the model's weights,
    `seen` is what `Watched` showed, by layer."""

    precision: str = "int8"
    tensors: Mapping[str, Array] = field(default_factory=dict)
    seen: Mapping[str, Seen] = field(default_factory=dict)

    def weight(self, name: str) -> str:
        return self.graph.tensor(name, self.tensors[name])

    def words(self, tokens: str) -> str:
        table = self.tensors["embeddings.word_embeddings.weight"].astype("float16")
        node = self.graph.node
        node("Gather", [self.graph.tensor("embeddings.word_embeddings.weight", table), tokens], "words.half")
        return node("Cast", ["words.half"], "words", to=ELEMENT_TYPES["float32"])

    def linear(self, names: Sequence[str], state: str) -> list[str]:
        import numpy as np

        if not names[0].endswith(ROUNDED[self.precision]):
            return Network.linear(self, names, state)
        matrix = np.concatenate([self.tensors[f"{name}.weight"] for name in names])
        moment = self.seen[f"{names[0]}.input"].moment
        if state.endswith(".active"):
            inputs, lifted = self._round_active(state), LOWEST
        else:
            evener = self._evener(names[0], matrix)
            matrix, moment = matrix * evener, moment / np.outer(evener, evener)
            smooth = self.graph.tensor(f"{names[0]}.evener", 1 / evener)
            inputs, lifted = self._round(self.graph.node("Mul", [state, smooth], f"{names[0]}.even")), 0.0
        codes, scale = round_weights(matrix, moment)
        parts = zip(names, np.split(codes, len(names)), np.split(scale, len(names)), strict=True)
        return [self._multiply(name, own, step, inputs, lifted) for name, own, step in parts]

    def _evener(self, name: str, matrix: Array) -> Array:
        """What each channel of a layer's input is divided by, and its weights are multiplied by."""
        import numpy as np

        evener: Array = self.seen[f"{name}.input"].peak ** SMOOTHING / np.abs(matrix).max(axis=0) ** (
            1 - SMOOTHING
        )
        return evener

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

    def _multiply(
        self, name: str, codes: Array, scale: Array, inputs: tuple[str, str, str], lifted: float
    ) -> str:
        """A linear layer with weights codes * scale, shape (outputs, inputs), applied to the codes of its
        input; `lifted` was added to that."""
        import numpy as np

        state, step, zero = inputs
        bias = self.tensors[f"{name}.bias"] - lifted * scale * codes.sum(axis=1, dtype=np.float32)
        constant, node, one = self.graph.tensor, self.graph.node, self.graph.number(1.0)
        operands = [state, constant(f"{name}.codes", codes.T), one, constant(f"{name}.scale", scale), zero]
        node("MatMulIntegerToFloat", operands, f"{name}.product", domain=CONTRIB)
        node("Mul", [f"{name}.product", step], f"{name}.scaled")
        return node("Add", [f"{name}.scaled", constant(f"{name}.bias", bias)], f"{name}.out")


def watched() -> list[str]:
    """The outputs of `Watched` besides the vector."""
    inputs = ("attention.self.query", "attention.output.dense", "intermediate.dense", "output.dense")
    return [f"encoder.layer.{layer}.{name}.input" for layer in range(LAYERS) for name in inputs]
