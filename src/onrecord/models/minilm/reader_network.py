"""The network of the reader as an ONNX graph: the embedder's six layers, with two segments and three heads.

Each run reads one question with one passage. Inputs: `tokens` and `types` (0 question, 1 passage), shape
(tokens,); `spans`, shape (sentences, tokens), whose rows average the tokens of a sentence. Outputs:
`sentences`, shape (sentences, 2), log-odds that each sentence is relevant and that it holds the answer;
`passage`, shape (1,), log-odds that the passage answers at all, from the state of [CLS].
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from onrecord.models.minilm.int8 import ObservedNetwork, QuantizedNetwork
from onrecord.models.minilm.network import Network

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

SENTENCES, PASSAGE = "heads.sentences", "heads.passage"
"""Names of the heads: linear layers of shapes (2, 384) and (1, 384)."""


class _Reads(Network):
    """The parts of a reader's network that differ from the embedder's.

    All weights are constants of the graph, as they differ from the weights in the fetched file.
    """

    __slots__ = ()
    tensors: Mapping[str, Array]

    def weight(self, name: str) -> str:
        return self.graph.tensor(name, self.tensors[name])

    def embed(self, tokens: str) -> str:
        """Add the embeddings of words, positions and segments, summed and normalized."""
        node, zero = self.graph.node, self.graph.integers("zero", [0])
        types = self.graph.input("types", "int64", ["tokens"])
        node("Gather", [self.weight("embeddings.token_type_embeddings.weight"), types], "type")
        node("Shape", [tokens], "length")
        node("Slice", [self.weight("embeddings.position_embeddings.weight"), zero, "length"], "place")
        node("Add", ["type", "place"], "placed")
        node("Add", [self.words(tokens), "placed"], "embedded")
        return self.normalise("embeddings.LayerNorm", "embedded")

    def pool(self, state: str) -> None:
        """Add the heads: on the mean of each sentence's tokens, and on the first token."""
        node, spans = self.graph.node, self.graph.input("spans", "float32", ["sentences", "tokens"])
        node("MatMul", [spans, state], "means")
        self._head(SENTENCES, "means", "sentences")
        self.graph.output("sentences", "float32", ["sentences", 2])
        node("Gather", [state, self.graph.integers("zero", [0])], "first")
        self._head(PASSAGE, "first", "passage.row")
        node("Squeeze", ["passage.row", self.graph.integers("zero", [0])], "passage")
        self.graph.output("passage", "float32", [1])

    def _head(self, name: str, state: str, output: str) -> None:
        inputs = [state, self.weight(f"{name}.weight"), self.weight(f"{name}.bias")]
        self.graph.node("Gemm", inputs, output, transB=1)


@dataclass(slots=True)
class ExactReader(_Reads):
    """The reader in float32."""

    tensors: Mapping[str, Array] = field(default_factory=dict)


@dataclass(slots=True)
class ObservedReader(_Reads, ObservedNetwork):
    """The reader in float32, which also outputs the inputs of its linear layers."""

    tensors: Mapping[str, Array] = field(default_factory=dict)

    def width(self, name: str) -> int:
        return int(self.tensors[f"{name}.weight"].shape[1])


@dataclass(slots=True)
class QuantizedReader(_Reads, QuantizedNetwork):
    """The reader with its linear layers in 8-bit integers; the heads are not rounded."""
