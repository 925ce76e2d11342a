"""The embedder and the reader that replace real models in other tests."""

import json
import subprocess
import sys

import numpy as np
import pytest

from onrecord.models.base import Embedder, Reader
from onrecord.models.contract import EmbedderContract, ReaderContract
from onrecord.models.double import HashingEmbedder, OverlapReader


class TestHashing(EmbedderContract):
    @pytest.fixture
    def embedder(self) -> Embedder:
        return HashingEmbedder()


class TestOverlapReader(ReaderContract):
    @pytest.fixture
    def reader(self) -> Reader:
        return OverlapReader()


def test_texts_are_alike_where_they_share_words() -> None:
    model = HashingEmbedder()
    question = model.embed_query("Which sailors left the harbour?")
    near, far = model.embed(
        ["The harbour was empty when the sailors left.", "Bread needs an hour in the oven."]
    )
    assert question @ near > 0.5 > 0.1 > question @ far


def test_vectors_are_the_same_in_every_process() -> None:
    code = "from onrecord.models.double import *; print(HashingEmbedder(8).embed_query('sailors').tolist())"
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert np.allclose(json.loads(printed), HashingEmbedder(8).embed_query("sailors"))
