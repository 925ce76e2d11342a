"""Sums of 8-bit products are exact on the processor that runs the tests."""

import numpy as np
import pytest

from onrecord.models.minilm.int8 import round_weights
from onrecord.models.minilm.onnx_writer import CONTRIB, Graph
from onrecord.models.minilm.processor import weight_bits
from onrecord.models.minilm.session import Session


def multiply(inputs, weights):
    """Return the matrix product of 8-bit codes, computed as in the 8-bit model.

    Shapes: `inputs` (tokens, n), `weights` (n, m), product (tokens, m).
    """
    graph = Graph("product")
    codes = graph.input("codes", "uint8", ["tokens", len(weights)])
    scales = graph.tensor("scales", np.ones(weights.shape[1], np.float32))
    operands = [codes, graph.tensor("w", weights), graph.number(1.0), scales, graph.number(0, "uint8")]
    product = graph.node("MatMulIntegerToFloat", operands, "product", domain=CONTRIB)
    graph.output(product, "float32", ["tokens", weights.shape[1]])
    return Session(graph.model()).run(["product"], {"codes": inputs})[0]


@pytest.mark.parametrize("tokens", [1, 3, 40, 232])
def test_the_largest_weights_and_inputs_do_not_overflow(tokens):
    most = 2 ** (weight_bits() - 1) - 1
    signs = np.where(np.random.default_rng(tokens).random((1536, 384)) < 0.2, -1, 1)
    weights = (most * signs).astype(np.int8)
    inputs = np.full((tokens, 1536), 255, np.uint8)
    assert np.array_equal(multiply(inputs, weights), inputs.astype(np.int64) @ weights.astype(np.int64))


@pytest.mark.parametrize("most", [63, 127])
def test_weights_are_rounded_within_their_bits(most):
    random = np.random.default_rng(most)
    matrix, inputs = random.normal(size=(24, 96)), random.normal(size=(400, 96))
    codes, scale = round_weights(matrix, inputs.T @ inputs, most)
    assert np.abs(codes.astype(int)).max() == most
    error = np.abs(codes * scale[:, None] - matrix)
    assert (error <= 4 * scale[:, None]).all() and error.mean() < scale.mean()
