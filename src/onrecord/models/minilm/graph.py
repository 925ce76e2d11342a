"""The network of all-MiniLM-L6-v2 as an ONNX graph: BERT (Devlin et al. 2019), six layers, mean pooling.

One text a run: token numbers of shape (tokens,) in, a unit vector of shape (384,) out. Nothing is
padded and nothing masked, so a text's vector cannot depend on other texts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from onrecord.models.minilm.onnx_writer import Graph

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Weights = Mapping[str, NDArray[Any]]

LAYERS = 6
HEADS = 12
WIDTH = 384
LONGEST = 256
EPSILON = 1e-12
VERSION = 1
"""Changes whenever a change here changes the vectors by more than rounding."""


def float32_graph(weights: Weights) -> bytes:
    """The model in float32, standard operators only."""
    graph = Graph("all-MiniLM-L6-v2")
    state = embed_tokens(graph, weights)
    for layer in range(LAYERS):
        state = _layer(graph, weights, layer, state)
    pool(graph, state)
    return graph.model({"precision": "float32", "version": str(VERSION)})


def embed_tokens(graph: Graph, weights: Weights) -> str:
    """Word, position and type embeddings, added and normalised."""
    import numpy as np

    tokens = graph.input("tokens", "int64", ["tokens"])
    # every text is of type 0, so its row is added to the positions once and for all
    positions = weights["embeddings.position_embeddings.weight"][:LONGEST]
    places = positions + weights["embeddings.token_type_embeddings.weight"][0]
    words = graph.tensor("word_embeddings", weights["embeddings.word_embeddings.weight"])
    graph.tensor("places", places)
    start = graph.tensor("zero", np.array([0], np.int64))
    graph.node("Gather", [words, tokens], "words")
    graph.node("Shape", [tokens], "length")
    graph.node("Slice", ["places", start, "length"], "where")
    graph.node("Add", ["words", "where"], "summed")
    return normalise(graph, weights, "embeddings.LayerNorm", "summed")


def pool(graph: Graph, state: str) -> None:
    """The mean over tokens, scaled to length one."""
    import numpy as np

    axis = graph.tensor("zero", np.array([0], np.int64))
    graph.node("ReduceMean", [state, axis], "mean", keepdims=0)
    graph.node("LpNormalization", ["mean"], "vector", axis=0, p=2)
    graph.output("vector", "float32", [WIDTH])


def normalise(graph: Graph, weights: Weights, name: str, state: str) -> str:
    """Layer normalisation with the weights of `name`."""
    scale = graph.tensor(f"{name}.weight", weights[f"{name}.weight"])
    shift = graph.tensor(f"{name}.bias", weights[f"{name}.bias"])
    return graph.node("LayerNormalization", [state, scale, shift], f"{name}.out", axis=-1, epsilon=EPSILON)


def dense(graph: Graph, weights: Weights, name: str, state: str) -> str:
    """A linear layer in float32."""
    matrix = graph.tensor(f"{name}.matrix", weights[f"{name}.weight"].T)
    shift = graph.tensor(f"{name}.bias", weights[f"{name}.bias"])
    product = graph.node("MatMul", [state, matrix], f"{name}.product")
    return graph.node("Add", [product, shift], f"{name}.out")


def attend(graph: Graph, name: str, query: str, key: str, value: str) -> str:
    """Scaled dot-product attention of every token over all, in HEADS heads."""
    import numpy as np

    split = graph.tensor("heads", np.array([-1, HEADS, WIDTH // HEADS], np.int64))
    join = graph.tensor("width", np.array([-1, WIDTH], np.int64))
    scale = graph.tensor("scale", np.array((WIDTH // HEADS) ** -0.5, np.float32))
    for part, order in ((query, (1, 0, 2)), (key, (1, 2, 0)), (value, (1, 0, 2))):
        graph.node("Reshape", [part, split], f"{part}.split")
        graph.node("Transpose", [f"{part}.split"], f"{part}.heads", perm=order)
    graph.node("MatMul", [f"{query}.heads", f"{key}.heads"], f"{name}.dots")
    graph.node("Mul", [f"{name}.dots", scale], f"{name}.scaled")
    graph.node("Softmax", [f"{name}.scaled"], f"{name}.shares", axis=-1)
    graph.node("MatMul", [f"{name}.shares", f"{value}.heads"], f"{name}.mixed")
    graph.node("Transpose", [f"{name}.mixed"], f"{name}.turned", perm=(1, 0, 2))
    return graph.node("Reshape", [f"{name}.turned", join], f"{name}.joined")


def _layer(graph: Graph, weights: Weights, number: int, state: str) -> str:
    name = f"encoder.layer.{number}"
    parts = [dense(graph, weights, f"{name}.attention.self.{p}", state) for p in ("query", "key", "value")]
    mixed = attend(graph, f"{name}.attention", *parts)
    seen = dense(graph, weights, f"{name}.attention.output.dense", mixed)
    graph.node("Add", [seen, state], f"{name}.attention.sum")
    state = normalise(graph, weights, f"{name}.attention.output.LayerNorm", f"{name}.attention.sum")
    wide = dense(graph, weights, f"{name}.intermediate.dense", state)
    graph.node("Gelu", [wide], f"{name}.active")
    narrow = dense(graph, weights, f"{name}.output.dense", f"{name}.active")
    graph.node("Add", [narrow, state], f"{name}.sum")
    return normalise(graph, weights, f"{name}.output.LayerNorm", f"{name}.sum")
