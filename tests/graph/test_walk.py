"""PageRank compared with a direct solution, and the retrieval stage that uses it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from onrecord.graph.extract import knowledge_of
from onrecord.graph.walk import page_rank
from onrecord.models.double import HashingEmbedder
from onrecord.retrieve import Entries, Graph, Search, Tools
from onrecord.stores.memory import MemoryStore
from onrecord.types import Details, Evidence, Passage, Question, Recording

PAGES = {
    "Hello Harbour": "Hello Harbour is a song by the singer Hank Oster from 1962.",
    "Hank Oster": "The singer Hank Oster lived in Vellmark, and then in Tarn.",
    "Vellmark": "The town of Vellmark has eleven bakeries and a river.",
    "Soup": "Good soup is eaten with a wooden spoon.",
    "Tarn": "People in Tarn speak of nothing but the weather.",
}


def by_matrix(links, sizes, seeds, walk):
    """Return the stationary distribution over passages, from one system of linear equations."""
    passages, entities = sizes
    n = passages + entities
    transitions = np.zeros((n, n))
    for passage, entity in set(links):
        transitions[passages + entity, passage] = transitions[passage, passages + entity] = 1
    begin = np.zeros(n)
    parts = [sum(some.values()) for some in seeds]
    for some, first, part in zip(seeds, (0, passages), parts, strict=True):
        for at, weight in some.items():
            begin[first + at] = weight / part / sum(part > 0 for part in parts)
    for column in range(n):
        total = transitions[:, column].sum()
        transitions[:, column] = transitions[:, column] / total if total else begin
    return np.linalg.solve(np.eye(n) - walk * transitions, (1 - walk) * begin)[:passages]


@settings(max_examples=40, deadline=None)
@given(
    st.sets(st.tuples(st.integers(0, 5), st.integers(0, 3)), min_size=1),
    st.dictionaries(st.integers(0, 5), st.floats(0.1, 1), min_size=1, max_size=3),
    st.dictionaries(st.integers(0, 3), st.floats(0.1, 1), max_size=2),
)
def test_it_is_where_the_walk_settles(links, here, there):
    """`page_rank` agrees with the direct solution to within 1e-4."""
    ranks = page_rank(sorted(links), (6, 4), (here, there), 0.5)
    assert ranks == pytest.approx(by_matrix(links, (6, 4), (here, there), 0.5), abs=1e-4)


def test_nowhere_to_begin_leads_nowhere():
    """Without seeds or nodes, all probabilities are zero."""
    assert not page_rank([(0, 0)], (2, 1), ({}, {})).any()
    assert not len(page_rank([], (0, 0), ({}, {})))


def store_of(pages):
    """Return a store with one recording for each page or list of passages."""
    store, embedder = MemoryStore(), HashingEmbedder()
    for title, text in pages.items():
        passages = [
            Passage(title, at, each) for at, each in enumerate([text] if isinstance(text, str) else text)
        ]
        recording = Recording(title, title, "", "test", Details(title=title)).counted(passages)
        vectors = embedder.embed([passage.text for passage in passages])
        store.add(recording, passages, vectors=vectors, knowledge=knowledge_of(recording, passages))
    return store


def searched(pages, question):
    """Return the evidence of a search in these pages, and the tools."""
    tools = Tools(store_of(pages), HashingEmbedder())
    return Search().run(Evidence(Question(question)), tools), tools


def test_what_two_steps_lead_to_rises_above_what_only_sounds_alike():
    """Entries on the path from the question's entity gain more than an unrelated entry."""
    before, tools = searched(PAGES, "What is the town where the Hello Harbour singer lived known for?")
    after = Graph(weight=1.0, seeds=1)(before, tools)
    names = list(before.curve.timeline.names)
    gain = dict(zip(names, after.curve.score - before.curve.score, strict=True))
    assert gain["Vellmark"] > gain["Soup"]
    assert gain["Hank Oster"] > gain["Soup"]
    assert "hello harbour" in after.trace[-1].note


def test_what_the_question_names_is_reached_though_no_other_passage_names_it():
    """An entry that the question names gets a graph score even if no other passage mentions it."""
    before, tools = searched(PAGES, "Did the Hello Harbour singer eat soup?")
    after = Graph(seeds=1)(before, tools)
    reached = dict(zip(before.curve.timeline.names, after.curve.parts["graph"], strict=True))
    assert reached["Soup"] > reached["Tarn"]


def test_talk_is_left_as_it_is():
    """Recordings of speech are not rescored by the graph stage."""
    talk = {name: ["Hank Oster spoke.", "He did.", "Who?", "Hank."] for name in PAGES}
    before, tools = searched(talk, "Hello Harbour")
    assert Graph().run(before, tools) is before


def test_a_recording_of_talk_beside_entries_is_left_as_it_is():
    """In a mixed archive, only the scores of written entries change."""
    talk = ["Hank Oster spoke.", "He did.", "Who spoke?", "Hank, I think."]
    before, tools = searched({**PAGES, "Talk": talk}, "Who performed Hello Harbour?")
    after = Entries().run(before, tools)
    spoken = after.curve.timeline.recordings == after.curve.timeline.names.index("Talk")
    assert (after.curve.score[~spoken] != before.curve.score[~spoken]).any()
    assert after.curve.score[spoken].tolist() == before.curve.score[spoken].tolist()


def test_without_a_graph_nothing_changes():
    """Without extracted knowledge, the stage keeps the order of passages."""
    store = MemoryStore()
    for title in ("one", "two"):
        passage = Passage(title, 0, f"This is about {title}.")
        store.add(
            Recording(title, title, "", "test", Details(), 1),
            [passage],
            vectors=HashingEmbedder().embed([title]),
        )
    tools = Tools(store, HashingEmbedder())
    before = Search().run(Evidence(Question("one")), tools)
    order = Graph().run(before, tools).curve.score.argsort()
    assert order.tolist() == before.curve.score.argsort().tolist()
