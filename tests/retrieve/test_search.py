"""The search scores everything in scope, and works without an embedder."""

import numpy as np
import pytest
from worlds import EMBEDDER, store_of, tools_of

from onrecord.errors import MissingToolError
from onrecord.retrieve import Keyword, Search, Semantic, Tools
from onrecord.retrieve.curve.curves import minmax
from onrecord.stores.memory import MemoryStore
from onrecord.types import Details, Evidence, Passage, Question, Recording, Scope


class Fixed:
    """An embedder that embeds every question as the same vector."""

    def __init__(self, vector) -> None:
        self.vector = vector

    def embed_query(self, text: str):
        return self.vector


TALK = {
    "a": ["margins fell because freight costs rose", "good morning everyone and welcome"],
    "b": ["the tariffs came late", "freight costs again", "thank you all"],
}
ASKED = Evidence(Question("Summarize the discussion about freight costs."))


def test_every_passage_in_scope_is_scored_by_meaning_and_words() -> None:
    curve = Search().run(ASKED, tools_of(TALK)).curve
    assert len(curve.timeline) == 5 and set(curve.parts) == {"dense", "lexical"}
    assert curve.score.argmax() == 3
    assert curve.score[1] < 0.2
    narrow = Evidence(Question("freight costs", Scope(recordings=("a",))))
    assert Search().run(narrow, tools_of(TALK)).curve.timeline.names == ("a",)


def test_whitened_cosines_count_where_several_recordings_are_asked() -> None:
    rng = np.random.default_rng(0)
    vectors = rng.normal(size=(1200, 8)) * [9, 1, 1, 1, 1, 1, 1, 1]
    vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    store = MemoryStore()
    for name, part in zip("ab", np.split(vectors, 2), strict=True):
        passages = [Passage(name, at, "freight") for at in range(len(part))]
        store.add(Recording(name, name, name, "test", Details(), len(part)), passages, vectors=part)
    tools = Tools(store, Fixed(vectors[7]))
    curve = Search(whiten=True).run(ASKED, tools).curve
    timeline = store.timeline()
    plain, whitened = store.whitened(vectors[7], timeline)
    assert not np.allclose(plain, whitened, atol=0.05)
    assert np.array_equal(curve.parts["dense"], plain)
    assert np.array_equal(curve.parts["whitened"], whitened)
    assert np.allclose(curve.score - 0.4, 0.6 * minmax(whitened), atol=1e-5)
    one = Evidence(Question("freight", Scope(recordings=("a",))))
    for search, evidence in ((Search(whiten=True), one), (Search(), ASKED)):
        assert set(search.run(evidence, tools).curve.parts) == {"dense", "lexical"}


def test_without_an_embedder_words_alone_count_and_it_says_so() -> None:
    evidence = Search()(ASKED, Tools(store_of(TALK)))
    assert set(evidence.curve.parts) == {"lexical"}
    assert evidence.curve.score.argmax() == 3
    assert "words alone" in evidence.trace[0].note


def test_recordings_without_vectors_are_found_by_words_and_it_says_so() -> None:
    evidence = Search()(ASKED, Tools(store_of(TALK, vectors=False), EMBEDDER))
    assert evidence.curve.score.argmax() == 3
    assert "in 2 of 2 recordings" in evidence.trace[0].note
    assert Search()(ASKED, tools_of(TALK)).trace[0].note == ""


def test_an_empty_archive_gives_an_empty_curve() -> None:
    assert len(Search().run(ASKED, tools_of({})).curve.timeline) == 0


def test_keyword_leaves_out_what_has_none_of_the_words() -> None:
    moments = Keyword(50).run(ASKED, tools_of(TALK)).moments
    assert sorted(m.passages[0].text for m in moments) == sorted([TALK["a"][0], TALK["b"][1]])
    assert all(m.scores["lexical"] == m.score for m in moments)


def test_semantic_ranks_by_cosine() -> None:
    moments = Semantic(2).run(ASKED, tools_of(TALK)).moments
    assert [m.passages[0].text for m in moments] == [TALK["b"][1], TALK["a"][0]]
    assert moments[0].scores["dense"] == pytest.approx(moments[0].score) and moments[0].score <= 1.0001


def test_semantic_needs_an_embedder() -> None:
    with pytest.raises(MissingToolError, match="Semantic"):
        Semantic().check(Tools(store_of(TALK)))
