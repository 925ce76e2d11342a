"""PageRank compared with a direct solution, and the retrieval stage that uses it."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from onrecord.graph.extract import knowledge_of
from onrecord.graph.walk import names_asked, page_rank
from onrecord.models.double import HashingEmbedder
from onrecord.retrieve import Entries, FollowOn, Graph, Passages, Search, Tools, Weigh
from onrecord.retrieve.raising import with_raised_of_evidence
from onrecord.stores.memory import MemoryStore
from onrecord.strategies import Strategy
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
    ranks = page_rank(sorted(links), (6, 4), (here, there), 0.5).passages
    assert ranks == pytest.approx(by_matrix(links, (6, 4), (here, there), 0.5), abs=1e-4)


def test_nowhere_to_begin_leads_nowhere():
    """Without seeds or nodes, all probabilities are zero."""
    assert not page_rank([(0, 0)], (2, 1), ({}, {})).passages.any()
    assert not len(page_rank([], (0, 0), ({}, {})).passages)


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
    assert "walked over 4 passages" in after.trace[-1].note


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


LINKS = st.sets(st.tuples(st.integers(0, 5), st.integers(0, 3)), min_size=1)


@settings(max_examples=40, deadline=None)
@given(LINKS, st.sets(st.integers(0, 5), min_size=1, max_size=3), st.sets(st.integers(0, 3), max_size=2))
def test_what_comes_over_the_links_is_at_most_what_a_passage_has(links, here, asked):
    """Shares are of real links, sum to 1 at most, and name another passage that the entity is in."""
    walk = page_rank(sorted(links), (6, 4), (dict.fromkeys(here, 1.0), dict.fromkeys(asked, 1.0)))
    shares = dict.fromkeys(range(6), 0.0)
    for passage, entity, other, share in walk.over(asked):
        assert (passage, entity) in links and share >= 0
        assert (other is None) == (entity in asked)
        assert other is None or (other != passage and (other, entity) in links)
        shares[passage] += share
    assert max(shares.values()) <= 1 + 1e-4


# ---------------------------------------------------------------- what raised which passages

NAMES = (
    *("Oda Vellmark", "Tarn Mill", "Hank Oster", "Glass Harbour", "Ludo Prynne", "Bree Hollow"),
    *("Mara Quill", "Sedge Ferry", "Otto Lark", "Wren Abbey"),
)
FILLER = ("bakes bread by night", "sold nine boats", "kept the old ledger", "rang a bell at noon")
EXPLAINED = Strategy("explained", Search() >> Entries() >> FollowOn() >> Graph() >> Passages(6))


@st.composite
def worlds(draw):
    """Entries that name one another at random, and a question that names some."""
    count = draw(st.integers(4, len(NAMES)))
    pages = {}
    for title in NAMES[:count]:
        others = draw(st.lists(st.sampled_from(NAMES[:count]), max_size=3))
        said = [f"Here {draw(st.sampled_from(FILLER))} with {other}." for other in others]
        pages[title] = " ".join([f"A page that {draw(st.sampled_from(FILLER))}.", *said])
    asked = draw(st.lists(st.sampled_from(NAMES[:count]), min_size=1, max_size=2))
    return pages, " ".join(["Who", draw(st.sampled_from(FILLER)), *asked])


def explained(pages, question, strategy=EXPLAINED):
    tools = Tools(store_of(pages), HashingEmbedder(), explain=True)
    return with_raised_of_evidence(strategy.retrieve(Question(question), tools)), tools.store


@settings(max_examples=30, deadline=None)
@given(worlds())
def test_every_edge_is_in_the_graph_and_touches_its_passage(world):
    """A raised passage is in the evidence, ranks better, and has one to three edges of the graph."""
    evidence, store = explained(*world)
    found = {(p.recording, p.position) for moment in evidence.moments for p in moment.passages}
    asked = names_asked(world[1], store.graph, 60)
    edges = Counter()
    for raised in (each for step in evidence.trace for each in step.raised):
        place = raised.recording, raised.position
        assert place in found and raised.place < raised.without and raised.edges
        edges[place] += len(raised.edges)
        for edge in raised.edges:
            keys = [
                key for key in named_at(store, place) if edge.source.object in named_at(store, place)[key]
            ]
            assert edge.source.type == "mention" and keys and edge.gained > 0
            others = named_at(store, edge.via) if edge.via else asked
            assert set(keys) & set(others) and edge.via != place
    assert max(edges.values(), default=0) <= 3


def named_at(store, place):
    """Return the entities that a passage mentions, by key, with their names."""
    keys = {mention.entity for mention in store.graph.mentioned([place])}
    return {key: entity.name for key, entity in store.graph.entities(keys).items()}


@settings(max_examples=40, deadline=None)
@given(worlds())
def test_what_the_graph_does_not_raise_names_no_edge(world):
    """Each stage names exactly passages that rank better than in a search without its graph."""
    pages, question = world
    tools = Tools(store_of(pages), HashingEmbedder(), explain=True)
    before = (Search() >> Entries())(Evidence(Question(question)), tools)
    hop = FollowOn()(before, tools)
    for stage, start, bare in (
        (FollowOn(), before, FollowOn(shared=0)),
        (Graph(), hop, Graph(weight=0)),
    ):
        after, without = stage(start, tools), bare(start, tools)
        better = {
            name
            for at, name in enumerate(after.curve.timeline.names)
            if rank(after.curve.score, at) < rank(without.curve.score, at)
        }
        assert {each.recording for each in after.trace[-1].raised} <= better


def rank(scores, at):
    return np.argsort(-scores, kind="stable").tolist().index(at)


def test_a_relation_that_leads_on_from_the_question_is_the_edge():
    """Where words state a relation of the question's entity, the edge is this relation with its quote."""
    pages = {
        **{f"Song {at}": f"The singer of song {at} lived known and sang." for at in range(4)},
        "Weir": "Nobody went there. Orla Finch is a brewer.",
        "Orla Finch": "She makes ale.",
    }
    evidence, _ = explained(pages, "What singer lived known as Orla Finch?")
    edges = [(r.title, e) for step in evidence.trace for r in step.raised for e in r.edges]
    stated = [(title, edge) for title, edge in edges if edge.source.type == "relation"]
    assert [(title, edge.source.description, edge.quote) for title, edge in stated] == [
        ("Weir", "Orla Finch is a brewer", "Orla Finch is a brewer.")
    ]


def test_without_explain_nothing_is_worked_out(monkeypatch):
    """A question that does not ask to explain records no edges, and asks the graph nothing for them."""
    monkeypatch.setattr(Graph, "raised", None)
    monkeypatch.setattr(FollowOn, "raised", None)
    tools = Tools(store_of(PAGES), HashingEmbedder())
    evidence = EXPLAINED.retrieve(Question("Where did the Hello Harbour singer live?"), tools)
    assert not any(step.raised for step in evidence.trace)


def test_moments_raised_by_their_names_name_the_edges():
    """`Weigh` names the entities through which a moment of talk rose, and the passage that has them."""
    talk = {
        "One": ["We had rain.", "It fell for a week.", "Then Ludo Prynne met Bree Hollow there."],
        "Two": ["Who asked about the boat?", "The boat was sold with the boat.", "The boat, yes."],
        "Three": ["Nothing of note.", "I think Ludo Prynne left.", "So it was."],
    }
    weighed = Strategy("weighed", Search() >> Passages(9) >> Weigh(dense=0.3, lexical=0.3, graph=2.0))
    evidence, store = explained(talk, "Who sold the boat to Ludo Prynne?", weighed)
    (step,) = (step for step in evidence.trace if step.raised)
    assert step.stage.startswith("Weigh(")
    for raised in step.raised:
        names = named_at(store, (raised.recording, raised.position)).values()
        assert {edge.source.object for edge in raised.edges} <= set(names)
        assert raised.place < raised.without
