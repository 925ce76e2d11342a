"""The network with 8-bit linear layers: twice as fast as float32 if all layers are 8-bit, 1.3 times if some.

Weights are rounded in advance, each output with its own scale (see `round_weights`): to 8 bits, or to 7 on
processors where sums of 8-bit products would overflow (see `processor`). Inputs are rounded at run time, each
token with its own scale. In BERT the values of the separators are much larger than those of the words, so one
scale for a whole text would leave the words two or three bits. Inputs with a few large channels are first
smoothed, at the weights' cost (SmoothQuant, Xiao et al. 2023). The output of a GELU is never below
-`GELU_MINIMUM`, so its codes cover only the rest of the range. Word embeddings are stored in 16 bits.
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

VERSION = 3
"""The version in the name of the cached model. Increase it when a change to this module changes the model."""
SMOOTHING = 0.65
"""Share of the differences between channels that moves into the weights, 0..1. Better than 0.5 and 0.8."""
GELU_MINIMUM = 0.17
"""The negative of a lower bound of GELU, whose minimum is -0.16998."""


ROUNDED_LAYERS = {
    "int8": ("query", "output.dense", "intermediate.dense"),
    "mixed": ("attention.output.dense", "intermediate.dense"),
}
"""The linear layers that are rounded, by precision and the ends of their names. "query" includes key and
value. The two layers of "mixed" change the vectors least for the time that they save."""


@dataclass(slots=True)
class ObservedNetwork(Network):
    """The float32 model, which also outputs the inputs of its linear layers."""

    def linear(self, names: Sequence[str], state: str) -> list[str]:
        self.graph.node("Identity", [state], f"{names[0]}.input")
        self.graph.output(f"{names[0]}.input", "float32", ["tokens", self.width(names[0])])
        return Network.linear(self, names, state)

    def width(self, name: str) -> int:
        """Return the number of values per token at the input of a linear layer."""
        return self.entries[f"{name}.weight"].shape[1]


@dataclass(frozen=True, slots=True)
class InputStatistics:
    """Statistics of a linear layer's inputs.

    `peak` is the largest absolute value of each channel, `moment` the second moments x.T @ x.
    """

    peak: Array
    moment: Array


@dataclass(slots=True)
class QuantizedNetwork(Network):
    """The model with the layers of a precision in 8-bit integers.

    `tensors` are the model's weights. `statistics` are the input statistics by layer, collected with
    `ObservedNetwork`. `bits` is the size of a rounded weight, 7 or 8.
    """

    precision: str = "int8"
    bits: int = 8
    tensors: Mapping[str, Array] = field(default_factory=dict)
    statistics: Mapping[str, InputStatistics] = field(default_factory=dict)

    def weight(self, name: str) -> str:
        return self.graph.tensor(name, self.tensors[name])

    def words(self, tokens: str) -> str:
        table = self.tensors["embeddings.word_embeddings.weight"].astype("float16")
        node = self.graph.node
        node("Gather", [self.graph.tensor("embeddings.word_embeddings.weight", table), tokens], "words.half")
        return node("Cast", ["words.half"], "words", to=ELEMENT_TYPES["float32"])

    def linear(self, names: Sequence[str], state: str) -> list[str]:
        import numpy as np

        if not names[0].endswith(ROUNDED_LAYERS[self.precision]):
            return Network.linear(self, names, state)
        matrix = np.concatenate([self.tensors[f"{name}.weight"] for name in names])
        moment = self.statistics[f"{names[0]}.input"].moment
        if state.endswith(".active"):
            inputs, offset = self._round_active(state), GELU_MINIMUM
        else:
            # each scale divides a channel of the layer's input and multiplies that channel's weights
            peak = self.statistics[f"{names[0]}.input"].peak
            scales = peak**SMOOTHING / np.abs(matrix).max(axis=0) ** (1 - SMOOTHING)
            matrix, moment = matrix * scales, moment / np.outer(scales, scales)
            smooth = self.graph.tensor(f"{names[0]}.evener", 1 / scales)
            inputs, offset = self._round(self.graph.node("Mul", [state, smooth], f"{names[0]}.even")), 0.0
        codes, scale = round_weights(matrix, moment, 2 ** (self.bits - 1) - 1)
        parts = zip(names, np.split(codes, len(names)), np.split(scale, len(names)), strict=True)
        return [self._multiply(name, own, step, inputs, offset) for name, own, step in parts]

    def _round(self, state: str) -> tuple[str, str, str]:
        """Round a state: return its codes, the step size for each token, and the code of zero.

        A row of zeros would cause a division by zero, but layer normalization and attention produce none.
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
        """Round the output of a GELU in the same way, except that code 0 means -GELU_MINIMUM."""
        node, number = self.graph.node, self.graph.number
        node("ReduceMax", [state, self.graph.integers("last", [-1])], f"{state}.max", keepdims=1)
        node("Add", [f"{state}.max", number(GELU_MINIMUM)], f"{state}.range")
        node("Div", [f"{state}.range", number(255.0)], f"{state}.step")
        node("Div", [number(GELU_MINIMUM), f"{state}.step"], f"{state}.lift")
        node("Add", [f"{state}.lift", number(0.5)], f"{state}.shift")
        node("Div", [state, f"{state}.step"], f"{state}.steps")
        node("Add", [f"{state}.steps", f"{state}.shift"], f"{state}.shifted")
        node("Cast", [f"{state}.shifted"], f"{state}.codes", to=ELEMENT_TYPES["uint8"])
        return f"{state}.codes", f"{state}.step", number(0, "uint8")

    def _multiply(
        self, name: str, codes: Array, scale: Array, inputs: tuple[str, str, str], offset: float
    ) -> str:
        """Add a linear layer that multiplies weights codes * scale by the codes of input + offset.

        `codes` has the shape (outputs, inputs).
        """
        import numpy as np

        state, step, zero = inputs
        bias = self.tensors[f"{name}.bias"] - offset * scale * codes.sum(axis=1, dtype=np.float32)
        constant, node, one = self.graph.tensor, self.graph.node, self.graph.number(1.0)
        operands = [state, constant(f"{name}.codes", codes.T), one, constant(f"{name}.scale", scale), zero]
        node("MatMulIntegerToFloat", operands, f"{name}.product", domain=CONTRIB)
        node("Mul", [f"{name}.product", step], f"{name}.scaled")
        return node("Add", [f"{name}.scaled", constant(f"{name}.bias", bias)], f"{name}.out")


def observed_inputs() -> list[str]:
    """Return the names of the outputs of `ObservedNetwork` other than the vector."""
    inputs = ("attention.self.query", "attention.output.dense", "intermediate.dense", "output.dense")
    return [f"encoder.layer.{layer}.{name}.input" for layer in range(LAYERS) for name in inputs]


# ---------------------------------------------------------------- rounding

DAMPING = 0.1
"""Share of the mean second moment that is added to each, so that few observations have little effect."""
BLOCK = 64
"""Columns whose errors are passed on together."""


def round_weights(matrix: Array, moment: Array, most: int) -> tuple[Array, Array]:
    """Round a matrix to codes in -most..most and a scale for each row: about codes * scale[:, None].

    GPTQ (Frantar et al. 2022) rounds column after column, beginning with the columns of the largest inputs.
    The remaining columns compensate each error, as far as their inputs correlate. That leaves less than half
    of the error of rounding to the nearest.

    Args:
        matrix: shape (outputs, inputs), no row of zeros.
        moment: the inputs' second moments x.T @ x, shape (inputs, inputs), of any scale.
        most: the largest code, at most 127.
    """
    import numpy as np

    scale = np.abs(matrix).max(axis=1) / most
    order = np.argsort(-np.diag(moment), kind="stable")
    moment = moment[np.ix_(order, order)]
    damped = moment.astype(np.float64)
    damped[np.diag_indices_from(damped)] += DAMPING * np.mean(np.diag(moment)) + np.finfo(np.float32).tiny
    # the upper Cholesky factor of the inverse: its rows determine how an error is passed on
    factors = np.linalg.cholesky(np.linalg.inv(damped)).T.astype(np.float32)
    remaining = np.ascontiguousarray((matrix / scale[:, None])[:, order].T)
    codes = np.empty((len(order), len(scale)), np.int8)
    for first in range(0, len(order), BLOCK):
        last = min(first + BLOCK, len(order))
        errors = np.empty((last - first, len(scale)), np.float32)
        for at in range(first, last):
            codes[at] = np.clip(np.rint(remaining[at]), -most, most)
            errors[at - first] = (remaining[at] - codes[at]) / factors[at, at]
            remaining[at + 1 : last] -= factors[at, at + 1 : last, None] * errors[at - first]
        remaining[last:] -= factors[first:last, last:].T @ errors
    return codes[np.argsort(order)].T, scale
