"""Graphs of the ONNX writer, read by ONNX Runtime and, if it is installed, by the onnx package."""

import numpy as np
import onnxruntime
import pytest

from onrecord.models.minilm.onnx_writer import Graph


def every_kind(folder=None):
    """Return a model with every kind of attribute, constant and dimension.

    It computes y = softmax(gelu(leaky_relu(transpose(x) * 2 + b))). With a `folder`, b is in a separate file.
    """
    graph = Graph("kinds")
    x = graph.input("x", "float32", ["rows", 3])
    graph.node("Transpose", [x], "turned", perm=[1, 0])
    graph.node("Mul", ["turned", graph.number(2.0)], "doubled")
    if folder is None:
        bias = graph.tensor("bias", np.array([[-1], [0], [1]], np.float32))
    else:
        (folder / "numbers.bin").write_bytes(b"skip" + np.array([-1, 0, 1], np.float32).tobytes())
        bias = graph.external("bias", "float32", (3, 1), "numbers.bin", 4, 12)
    graph.node("Add", ["doubled", bias], "moved")
    graph.node("LeakyRelu", ["moved"], "bent", alpha=0.25)
    graph.node("Gelu", ["bent"], "smooth", approximate="tanh")
    graph.node("Softmax", ["smooth"], "y", axis=-1)
    graph.output("y", "float32", [3, "rows"])
    return graph.model({"made": "für diesen Test"})


def expected(x):
    """Compute the output of `every_kind` in NumPy."""
    moved = x.T * 2 + np.array([[-1], [0], [1]])
    bent = np.where(moved < 0, moved * 0.25, moved)
    smooth = 0.5 * bent * (1 + np.tanh(np.sqrt(2 / np.pi) * (bent + 0.044715 * bent**3)))
    power = np.exp(smooth - smooth.max(axis=-1, keepdims=True))
    return power / power.sum(axis=-1, keepdims=True)


@pytest.mark.parametrize("external", [False, True])
def test_onnx_runtime_computes_what_was_meant(tmp_path, external):
    file = tmp_path / "model.onnx"
    file.write_bytes(every_kind(tmp_path if external else None))
    session = onnxruntime.InferenceSession(str(file), providers=["CPUExecutionProvider"])
    x = np.random.default_rng(1).normal(size=(5, 3)).astype(np.float32)
    assert np.allclose(session.run(None, {"x": x})[0], expected(x), atol=1e-6)
    assert session.get_inputs()[0].shape == ["rows", 3]
    assert session.get_modelmeta().custom_metadata_map == {"made": "für diesen Test"}
    assert session.get_modelmeta().graph_name == "kinds"


def test_the_onnx_package_finds_nothing_wrong():
    onnx = pytest.importorskip("onnx", reason="the package onnx is not installed")
    model = onnx.load_from_string(every_kind())
    onnx.checker.check_model(model, full_check=True)
    assert [node.op_type for node in model.graph.node][:2] == ["Transpose", "Mul"]
    assert model.graph.node[5].attribute[0].i == -1
    assert model.graph.node[3].attribute[0].f == 0.25
    assert model.graph.node[4].attribute[0].s == b"tanh"
    assert model.SerializeToString() and model.opset_import[0].version == 20


def test_a_constant_is_written_once():
    graph = Graph("twice")
    assert graph.number(2.0) == graph.number(2.0)
    assert len(graph.tensors) == 1


@pytest.mark.parametrize("name", ["float32", "float16", "uint8", "int8", "int32", "int64"])
def test_every_type_of_constant(name):
    values = np.array([0, 1, 5], name)
    graph = Graph("constant")
    graph.node("Identity", [graph.tensor("values", values)], "out")
    graph.output("out", name, [3])
    session = onnxruntime.InferenceSession(graph.model(), providers=["CPUExecutionProvider"])
    (out,) = session.run(None, {})
    assert out.dtype == values.dtype
    assert np.array_equal(out, values)
