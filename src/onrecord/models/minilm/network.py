"""The network of all-MiniLM-L6-v2 as an ONNX graph: BERT (Devlin et al. 2019), six layers, mean pooling.

Each run takes one text as token numbers of shape (tokens,). The outputs are a unit vector of shape (384,),
and the last layer's states of the tokens, shape (tokens, 384), whose mean gives that vector. Nothing is
padded or masked, so a text's vector cannot depend on other texts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from onrecord.models.minilm.onnx_writer import CONTRIB, Graph
from onrecord.models.minilm.safetensors import Entry

VERSION = 1
"""Part of the fingerprint. Increase it when a change to this module changes the vectors by more than rounding
does."""
LAYERS = 6
HEADS = 12
WIDTH = 384
LONGEST = 256
"""Most tokens of a text that are read, as in the model's training."""
EPSILON = 1e-12


@dataclass(slots=True)
class Network:
    """The model in float32. Its weights stay in the weights file; the graph refers to that file."""

    entries: Mapping[str, Entry]
    file: str
    graph: Graph = field(default_factory=lambda: Graph("all-MiniLM-L6-v2"))

    def build(self, metadata: Mapping[str, str] | None = None) -> bytes:
        """Return the ONNX model, with `metadata` stored in its file."""
        tokens = self.graph.input("tokens", "int64", ["tokens"])
        state = self.embed(tokens)
        for layer in range(LAYERS):
            state = self.attention(f"encoder.layer.{layer}", state)
            state = self.feed_forward(f"encoder.layer.{layer}", state)
        self.pool(state)
        return self.graph.model(metadata)

    def weight(self, name: str) -> str:
        """Add a constant of the model and return its name."""
        entry = self.entries[name]
        return self.graph.external(name, entry.dtype, entry.shape, self.file, entry.offset, entry.length)

    def words(self, tokens: str) -> str:
        """Add the word embeddings of the tokens."""
        return self.graph.node("Gather", [self.weight("embeddings.word_embeddings.weight"), tokens], "words")

    def linear(self, names: Sequence[str], state: str) -> list[str]:
        """Add linear layers that share their input."""
        return [
            self.graph.node(
                "Gemm", [state, self.weight(f"{n}.weight"), self.weight(f"{n}.bias")], f"{n}.out", transB=1
            )
            for n in names
        ]

    def embed(self, tokens: str) -> str:
        """Add the embeddings of words, positions and the text's type (always 0), summed and normalized."""
        node, zero = self.graph.node, self.graph.integers("zero", [0])
        node("Gather", [self.weight("embeddings.token_type_embeddings.weight"), zero], "type")
        node("Add", [self.weight("embeddings.position_embeddings.weight"), "type"], "places")
        node("Shape", [tokens], "length")
        node("Slice", ["places", zero, "length"], "place")
        node("Add", [self.words(tokens), "place"], "embedded")
        return self.normalise("embeddings.LayerNorm", "embedded")

    def attention(self, name: str, state: str) -> str:
        """Add multi-head self-attention, summed with its input and normalized."""
        node, zero = self.graph.node, self.graph.integers("zero", [0])
        parts = self.linear([f"{name}.attention.self.{part}" for part in ("query", "key", "value")], state)
        batch = [node("Unsqueeze", [part, zero], f"{part}.batch") for part in parts]
        node("MultiHeadAttention", batch, f"{name}.heads.batch", domain=CONTRIB, num_heads=HEADS)
        node("Squeeze", [f"{name}.heads.batch", zero], f"{name}.heads")
        (mixed,) = self.linear([f"{name}.attention.output.dense"], f"{name}.heads")
        node("Add", [mixed, state], f"{name}.attended")
        return self.normalise(f"{name}.attention.output.LayerNorm", f"{name}.attended")

    def feed_forward(self, name: str, state: str) -> str:
        """Add two linear layers with a GELU between, summed with their input and normalized."""
        (wide,) = self.linear([f"{name}.intermediate.dense"], state)
        self.graph.node("Gelu", [wide], f"{name}.active")
        (narrow,) = self.linear([f"{name}.output.dense"], f"{name}.active")
        self.graph.node("Add", [narrow, state], f"{name}.fed")
        return self.normalise(f"{name}.output.LayerNorm", f"{name}.fed")

    def normalise(self, name: str, state: str) -> str:
        """Add a layer normalization."""
        scale, shift = self.weight(f"{name}.weight"), self.weight(f"{name}.bias")
        return self.graph.node("LayerNormalization", [state, scale, shift], f"{name}.out", epsilon=EPSILON)

    def pool(self, state: str) -> None:
        """Add the outputs: the mean over tokens, scaled to length one, and the states of the tokens."""
        self.graph.node("Identity", [state], "states")
        self.graph.output("states", "float32", ["tokens", WIDTH])
        self.graph.node("ReduceMean", [state, self.graph.integers("zero", [0])], "mean", keepdims=0)
        self.graph.node("LpNormalization", ["mean"], "vector", axis=0, p=2)
        self.graph.output("vector", "float32", [WIDTH])
