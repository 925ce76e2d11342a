"""Reading safetensors files: correct values, and clear errors for every kind of damage."""

import json
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.errors import WeightsError
from onrecord.models.minilm import safetensors


def write(folder, header, body=b""):
    """Write a file with a header, as a JSON value or as bytes, and a body."""
    file = folder / "x.safetensors"
    head = header if isinstance(header, bytes) else json.dumps(header).encode()
    file.write_bytes(len(head).to_bytes(8, "little") + head + body)
    return file


def entry(dtype="F32", shape=(2,), offsets=(0, 8)):
    """Return a tensor's entry in the header."""
    return {"dtype": dtype, "shape": list(shape), "data_offsets": list(offsets)}


def test_values_come_back_with_type_and_shape(tmp_path):
    grid = np.arange(6, dtype="<f4").reshape(2, 3)
    ids = np.array([7, -8], dtype="<i8")
    header = {"__metadata__": {"format": "pt"}, "grid": entry(shape=(2, 3), offsets=(0, 24))}
    header["ids"] = entry("I64", offsets=(24, 40))
    file = write(tmp_path, header, grid.tobytes() + ids.tobytes())
    entries = safetensors.read_header(file)
    values = safetensors.read_tensors(file)
    assert np.array_equal(values["grid"], grid)
    assert np.array_equal(values["ids"], ids)
    assert (values["grid"].dtype, values["ids"].dtype) == (np.float32, np.int64)
    assert entries["ids"].offset == file.stat().st_size - 16


BROKEN = {
    "past the end": {"a": entry(offsets=(4, 12))},
    "before the start": {"a": entry(offsets=(-8, 0))},
    "backwards": {"a": entry(offsets=(8, 0))},
    "too few bytes": {"a": entry(offsets=(0, 4))},
    "negative shape": {"a": entry(shape=(-1, -2))},
    "unknown type": {"a": entry("Q3")},
    "no shape": {"a": {"dtype": "F32", "data_offsets": [0, 8]}},
    "three offsets": {"a": entry(offsets=(0, 4, 8))},
    "no entry": {"a": 3},
    "a list": [1, 2],
    "not JSON": b"{'a'",
    "not text": b"\xff\xfe{}",
}


@pytest.mark.parametrize("header", BROKEN.values(), ids=BROKEN)
def test_a_header_that_lies_is_refused_with_the_files_name(tmp_path, header):
    file = write(tmp_path, header, bytes(8))
    with pytest.raises(WeightsError, match=r"x\.safetensors cannot be read as safetensors"):
        safetensors.read_header(file)


@pytest.mark.parametrize("content", [b"", b"\x01", bytes(8), b"\xff" * 8, (9).to_bytes(8, "little") + b"{}"])
def test_a_file_cut_short_is_refused(tmp_path, content):
    file = tmp_path / "x.safetensors"
    file.write_bytes(content)
    with pytest.raises(WeightsError, match="header of"):
        safetensors.read_header(file)


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(WeightsError, match="No such file"):
        safetensors.read_header(tmp_path / "none")


@given(st.binary(max_size=200), st.booleans())
def test_any_bytes_are_read_or_refused(tmp_path_factory, content, framed):
    file = tmp_path_factory.getbasetemp() / "any.safetensors"
    file.write_bytes(len(content).to_bytes(8, "little") + content if framed else content)
    with suppress(WeightsError):
        safetensors.read_tensors(file)
