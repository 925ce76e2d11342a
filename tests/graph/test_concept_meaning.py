"""Concepts that are found by meaning, because no speaker uses the words of the query."""

import numpy as np
import pytest

from onrecord.errors import NotFoundError
from onrecord.graph.extract import knowledge_of
from onrecord.graph.meaning import nearest_concepts
from onrecord.graph.queries import Graph
from onrecord.graph.results import plain
from onrecord.stores.memory import MemoryStore
from onrecord.types import Details, Passage, Recording

MEANINGS = {
    "cool": (1, 0, 0, 0), "home": (0.6, 0.8, 0, 0), "heat": (0.9, 0.3, 0, 0), "pump": (0.9, 0.2, 0, 0),
    "ventilator": (0.95, 0.1, 0, 0), "boat": (0, 0, 1, 0), "harbour": (0, 0, 0.9, 0.3),
}  # fmt: skip
TALKS = {
    "a": ("The heat pumps run all night.", "Our heat pumps are new."),
    "b": ("The ventilators are loud.", "The boats lie in the harbour."),
}


class Meanings:
    """An embedder that adds up the vectors of the known words in a text."""

    name = fingerprint = "meanings"
    dimensions = 4

    def __init__(self):
        self.asked = []

    def embed(self, texts):
        self.asked += texts
        rows = [
            sum((np.array(v) for w, v in MEANINGS.items() if w in text.casefold()), np.array((0, 0, 0, 0.01)))
            for text in texts
        ]
        return np.array([row / np.linalg.norm(row) for row in rows], np.float32)

    def embed_query(self, text):
        return self.embed([text])[0]


@pytest.fixture
def store():
    """Return a store with two talks, their vectors and their knowledge."""
    store = MemoryStore()
    for name, texts in TALKS.items():
        passages = [Passage(name, at, text, "Ann Lee") for at, text in enumerate(texts)]
        recording = Recording(name, "", "", "test", Details()).counted(passages)
        vectors = Meanings().embed(texts)
        store.add(recording, passages, vectors=vectors, knowledge=knowledge_of(recording, passages))
    return store


def test_what_nobody_says_is_read_by_its_meaning(store):
    """An unused phrase resolves to the concept nearest in meaning, with a note."""
    graph = Graph(store.graph, store, Meanings)
    concept = graph.about("cooling homes")
    assert concept.entity.key == "heat pump" and concept.entity.passages == 2
    assert "nobody says 'cooling homes'" in concept.note and "nearest in meaning" in concept.note
    assert "nearest in meaning" in graph.timeline("cooling homes").note


def test_without_a_model_or_far_from_everything_nobody_speaks_of_it(store):
    """Without an embedder, or if no concept is near, the phrase is not found."""
    for graph in (Graph(store.graph, store), Graph(store.graph, store, Meanings)):
        with pytest.raises(NotFoundError, match="nobody speaks of"):
            graph.about("quarks")


def test_a_name_that_is_said_asks_no_model(store):
    """A phrase that speakers use is found without the embedder."""
    model = Meanings()
    Graph(store.graph, store, lambda: model).about("heat pumps")
    assert model.asked == []


def test_similar_concepts_are_inferred_with_their_strength(store):
    """Similar concepts are inferred edges with quotes and a strength in 0..1."""
    edges = Graph(store.graph, store, Meanings).similar("heat pumps")
    assert [edge.object for edge in edges][:1] == ["ventilators"]
    assert all(edge.inferred and edge.relation == "similar to" for edge in edges)
    assert all(0 < edge.strength <= 1 and edge.quotes for edge in edges)
    assert plain(edges)[0]["subject"] == "heat pumps"
    assert Graph(store.graph, store).similar("heat pumps") == ()


def test_strengths_are_cosines_of_names(store):
    """The strength is the cosine similarity of the names."""
    model = Meanings()
    query = model.embed_query("cooling homes")
    for entity, strength in nearest_concepts("cooling homes", store.graph, store, model):
        assert strength == pytest.approx(float(model.embed([entity.name])[0] @ query), abs=1e-6)


def test_an_empty_archive_has_no_concepts():
    empty = MemoryStore()
    assert nearest_concepts("cooling homes", empty.graph, empty, Meanings()) == []
