"""Tests that every embedder, reranker and reader must pass.

Inherit a class and provide the model::

    class TestMine(EmbedderContract):
        @pytest.fixture
        def embedder(self):
            return Mine()
"""

from __future__ import annotations

import numpy as np
import pytest

from onrecord.models.base import Embedder, Reader, Reranker

BREAD = "Put the dough in a hot oven and bake the bread for an hour."
SHIP = "The ship left the harbour at dawn with forty sailors aboard."
ODD = [
    "",
    " ",
    "\n\t",
    "?",
    "naïve façade Straße",
    "日本語の文章",
    "\U0001f600",
    "a\x00b",
    "\ud800",
    "e\u0301" * 50,
]


class EmbedderContract:
    """Tests of the Embedder protocol. One embedder may serve all of them."""

    @pytest.fixture
    def embedder(self) -> Embedder:
        raise NotImplementedError("a class that inherits the contract says how to make its embedder")

    def test_vectors_are_rows_of_unit_length(self, embedder: Embedder) -> None:
        vectors = embedder.embed([BREAD, SHIP])
        assert vectors.shape == (2, embedder.dimensions)
        assert vectors.dtype == np.float32
        assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-4)

    def test_a_question_gets_one_vector(self, embedder: Embedder) -> None:
        vector = embedder.embed_query("How long does bread bake?")
        assert vector.shape == (embedder.dimensions,)
        assert vector.dtype == np.float32
        assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-4)

    def test_no_texts_give_no_vectors(self, embedder: Embedder) -> None:
        vectors = embedder.embed([])
        assert vectors.shape == (0, embedder.dimensions)
        assert vectors.dtype == np.float32

    def test_the_same_text_gives_the_same_vector(self, embedder: Embedder) -> None:
        first, second = embedder.embed([BREAD, BREAD])
        assert np.array_equal(first, second)
        assert np.array_equal(first, embedder.embed([BREAD])[0])

    def test_a_vector_does_not_depend_on_its_neighbours(self, embedder: Embedder) -> None:
        alone = embedder.embed([SHIP])[0]
        among = embedder.embed([BREAD, "Yes.", SHIP, BREAD * 20])[2]
        assert np.allclose(alone, among, atol=1e-5)

    def test_the_caller_may_change_what_it_got(self, embedder: Embedder) -> None:
        before = embedder.embed_query(BREAD).copy()
        embedder.embed_query(BREAD)[:] = 0
        embedder.embed([BREAD])[:] = 0
        assert np.array_equal(embedder.embed_query(BREAD), before)

    @pytest.mark.parametrize("text", ODD, ids=lambda text: ascii(text[:12]))
    def test_any_text_has_a_vector(self, embedder: Embedder, text: str) -> None:
        vectors = embedder.embed([text, BREAD])
        assert np.isfinite(vectors).all()
        assert np.linalg.norm(vectors[0]) == pytest.approx(1, abs=1e-4)
        assert np.linalg.norm(embedder.embed_query(text)) == pytest.approx(1, abs=1e-4)

    def test_a_very_long_text_has_a_vector(self, embedder: Embedder) -> None:
        vectors = embedder.embed([BREAD * 10_000])
        assert np.linalg.norm(vectors[0]) == pytest.approx(1, abs=1e-4)

    def test_it_says_what_it_is(self, embedder: Embedder) -> None:
        assert embedder.name and embedder.fingerprint
        assert embedder.fingerprint == embedder.fingerprint.strip()
        assert -1 <= embedder.calibration.floor < embedder.calibration.sure <= 1


class RerankerContract:
    """Tests of the Reranker protocol. One reranker may serve all of them."""

    @pytest.fixture
    def reranker(self) -> Reranker:
        raise NotImplementedError("a class that inherits the contract says how to make its reranker")

    def test_each_text_gets_a_score(self, reranker: Reranker) -> None:
        scores = reranker.score("How long does bread bake?", [BREAD, SHIP, BREAD])
        assert scores.shape == (3,) and scores.dtype == np.float32
        assert (scores >= 0).all() and (scores <= 1).all()
        assert scores[0] == pytest.approx(scores[2], abs=1e-5)

    def test_no_texts_get_no_scores(self, reranker: Reranker) -> None:
        assert reranker.score("How long does bread bake?", []).shape == (0,)

    def test_a_score_does_not_depend_on_its_neighbours(self, reranker: Reranker) -> None:
        alone = reranker.score(SHIP, [BREAD])[0]
        assert reranker.score(SHIP, ["Yes.", BREAD, SHIP * 5])[1] == pytest.approx(alone, abs=1e-4)

    @pytest.mark.parametrize("text", ODD, ids=lambda text: ascii(text[:12]))
    def test_any_text_has_a_score(self, reranker: Reranker, text: str) -> None:
        assert np.isfinite(reranker.score(text, [text, BREAD])).all()

    def test_a_very_long_text_has_a_score(self, reranker: Reranker) -> None:
        assert 0 <= reranker.score(SHIP, [BREAD * 1000])[0] <= 1

    def test_it_says_what_it_is(self, reranker: Reranker) -> None:
        assert reranker.name == reranker.name.strip() != ""


class ReaderContract:
    """Tests of the Reader protocol. One reader may serve all of them."""

    @pytest.fixture
    def reader(self) -> Reader:
        raise NotImplementedError("a class that inherits the contract says how to make its reader")

    def test_each_sentence_gets_a_reading(self, reader: Reader) -> None:
        first, second = reader.read("How long does bread bake?", [[BREAD, SHIP], [SHIP]])
        assert first.core.shape == first.relevant.shape == (2,)
        assert second.core.shape == second.relevant.shape == (1,)
        assert first.core.dtype == first.relevant.dtype == np.float32

    def test_relevance_is_a_probability(self, reader: Reader) -> None:
        (reading,) = reader.read("How long does bread bake?", [[BREAD, SHIP, "Yes."]])
        assert (reading.relevant >= 0).all() and (reading.relevant <= 1).all()

    def test_the_sentence_that_answers_is_preferred(self, reader: Reader) -> None:
        (reading,) = reader.read("How long do you bake the bread?", [[SHIP, BREAD]])
        assert reading.core[1] > reading.core[0]

    def test_no_passages_and_no_sentences_are_read(self, reader: Reader) -> None:
        assert reader.read("How long does bread bake?", []) == []
        (reading,) = reader.read("How long does bread bake?", [[]])
        assert reading.core.shape == reading.relevant.shape == (0,)

    def test_a_reading_does_not_depend_on_other_passages(self, reader: Reader) -> None:
        (alone,) = reader.read("Who sailed?", [[SHIP]])
        among = reader.read("Who sailed?", [["Yes."], [SHIP], [BREAD * 10]])[1]
        assert among.core == pytest.approx(alone.core, abs=1e-3)

    @pytest.mark.parametrize("text", ODD, ids=lambda text: ascii(text[:12]))
    def test_any_text_is_read(self, reader: Reader, text: str) -> None:
        (reading,) = reader.read(text, [[text, BREAD]])
        assert np.isfinite(reading.core).all()

    def test_a_very_long_passage_is_read(self, reader: Reader) -> None:
        (reading,) = reader.read(SHIP * 100, [[BREAD * 100] * 50])
        assert reading.core.shape == (50,) and np.isfinite(reading.core).all()

    def test_it_says_what_it_is(self, reader: Reader) -> None:
        assert reader.name and reader.fingerprint == reader.fingerprint.strip() != ""
