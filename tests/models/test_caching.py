"""Caches of vectors and readings: known texts are not computed again, and results are unchanged."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.models.base import Embedder, Reader
from onrecord.models.caching import CachedEmbedder, CachedReader
from onrecord.models.contract import EmbedderContract, ReaderContract
from onrecord.models.double import HashingEmbedder, OverlapReader


class TestRememberingEmbedder(EmbedderContract):
    @pytest.fixture
    def embedder(self) -> Embedder:
        return CachedEmbedder(HashingEmbedder(), lambda keys: {})


class Counting(HashingEmbedder):
    """An embedder that lists the texts it embeds."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    def embed(self, texts):  # type: ignore[no-untyped-def]
        self.asked += texts
        return super().embed(texts)


def test_only_what_is_not_known_is_embedded() -> None:
    inner = Counting()
    first = CachedEmbedder(inner, lambda keys: {})
    vectors = first.embed(["freight", "plant", "freight"])
    assert inner.asked == ["freight", "plant"]
    assert (first.hits, len(first.fresh)) == (1, 2)
    second = CachedEmbedder(inner, lambda keys: {k: first.fresh[k] for k in keys if k in first.fresh})
    assert np.array_equal(second.embed(["plant", "crane", "freight"])[[2, 0]], vectors[:2])
    assert inner.asked == ["freight", "plant", "crane"]
    assert (second.hits, len(second.fresh)) == (2, 1)


def test_a_question_is_not_taken_for_a_passage_nor_one_model_for_another() -> None:
    cache: dict[bytes, bytes] = {}
    one, other = HashingEmbedder(), HashingEmbedder()
    other.fingerprint = "another"
    for inner in (one, other):
        embedder = CachedEmbedder(inner, lambda keys: {k: cache[k] for k in keys if k in cache})
        embedder.embed(["freight"])
        embedder.embed_query("freight")
        assert embedder.hits == 0
        cache.update(embedder.fresh)
    assert len(cache) == 4


@given(st.lists(st.lists(st.text(max_size=3), max_size=6), max_size=6))
def test_a_remembered_vector_is_the_one_that_was_made(asked: list[list[str]]) -> None:
    cache: dict[bytes, bytes] = {}
    plain = HashingEmbedder()
    for texts in asked:
        embedder = CachedEmbedder(plain, lambda keys: {k: cache[k] for k in keys if k in cache})
        assert np.array_equal(embedder.embed(texts), plain.embed(texts))
        assert np.array_equal(embedder.embed_query("".join(texts)), plain.embed_query("".join(texts)))
        cache.update(embedder.fresh)


class TestRememberingReader(ReaderContract):
    @pytest.fixture
    def reader(self) -> Reader:
        return CachedReader(OverlapReader())


def test_a_passage_is_read_once_for_a_question() -> None:
    class Listing(OverlapReader):
        read_texts: list[list[str]] = []  # noqa: RUF012 - one test looks

        def read(self, question, passages):  # type: ignore[no-untyped-def]
            self.read_texts += passages
            return super().read(question, passages)

    inner = Listing()
    reader = CachedReader(inner)
    first = reader.read("Who sailed?", [["Ann sailed."], ["Bob baked."]])
    again = reader.read("Who sailed?", [["Bob baked."], ["Cy slept."]])
    assert [list(texts) for texts in inner.read_texts] == [["Ann sailed."], ["Bob baked."], ["Cy slept."]]
    assert again[0] is first[1]
    reader.read("Who baked?", [["Ann sailed."]])
    assert len(inner.read_texts) == 4


def test_readings_outlive_the_question() -> None:
    def reader() -> CachedReader:
        return CachedReader(OverlapReader(), lambda keys: {k: cache[k] for k in keys if k in cache})

    cache: dict[bytes, bytes] = {}
    passages = [["Ann sailed.", "Bob baked."], ["Ann sailed. Bob baked."], ["half a \ud83d"], []]
    first = reader()
    readings = first.read("Who sailed?", passages)
    cache.update(first.fresh)
    again = reader()
    for before, after in zip(readings, again.read("Who sailed?", passages), strict=True):
        assert np.array_equal(before.core, after.core) and np.array_equal(before.relevant, after.relevant)
    assert (len(first.fresh), first.hits, again.fresh, again.hits) == (4, 0, {}, 4)
    assert again.read("Who baked?", passages)[0].core[1] > readings[0].core[1]
    assert len(again.fresh) == 4


def test_without_a_cache_no_reading_outlives_the_question() -> None:
    reader = CachedReader(OverlapReader())
    reader.read("Who sailed?", [["Ann sailed."]])
    assert not reader.fresh
