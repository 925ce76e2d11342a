"""After any sequence of additions, changes and removals, the graph equals one that is built anew."""

from contextlib import closing

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from onrecord.graph.extract import knowledge_of
from onrecord.graph.nouns import words_in
from onrecord.stores import open_store
from onrecord.stores.memory import MemoryStore
from onrecord.types import Details, Passage, Recording

SENTENCES = (
    "The tariff on aluminium frames caused a shortage of spare parts.",
    "I spoke with Brendan Kelly about the heat pump.",
    "Kelly says that heat pumps are cheaper than gas boilers.",
    "The Harbour Committee met in Porto, and Kelly joined.",
    "no capitals here but the heat pump and brendan kelly",
    "Freight costs lead to higher prices.",
)
SPEAKERS = ("Ann Lee", "Brendan Kelly", "Speaker 1", None)

talks = st.lists(st.tuples(st.sampled_from(SENTENCES), st.sampled_from(SPEAKERS)), min_size=1, max_size=4)
moves = st.lists(
    st.tuples(st.sampled_from("abc"), st.one_of(st.none(), talks)),
    min_size=1,
    max_size=10,
)


def put(store, name, talk):
    """Add a talk to a store, with its knowledge; replace an earlier talk of the name."""
    passages = [Passage(name, at, text, speaker) for at, (text, speaker) in enumerate(talk)]
    recording = Recording(name, name, "", "test", Details(attributes={"company": "Porto Works"})).counted(
        passages
    )
    store.add(recording, passages, knowledge=knowledge_of(recording, passages))


def asked(graph):
    """Return the results of all graph queries; they do not depend on internal row numbers."""
    keys = graph.beginning("a", 999)
    for letter in "bcdefghijklmnopqrstuvwxyz":
        keys += graph.beginning(letter)
    places = [(name, at) for name in "abc" for at in range(4)]
    words = {word for key in keys for word in key.split()}
    return [
        sorted(graph.entities(keys).items()),
        graph.mentions([(key, "") for key in keys]),
        graph.mentioned(places),
        graph.names_in(places, 3),
        graph.names_of(keys, 3),
        graph.relations(keys),
        graph.aliases(keys, "abc"),
        {word: graph.named(word) for word in sorted(words)},
        graph.widest(1, 999),
        graph.learnt(),
        [graph.knowledge(name) for name in "abc"],
    ]


@settings(max_examples=25, deadline=None)
@given(moves)
def test_any_sequence_leaves_the_graph_that_a_fresh_build_makes(tmp_path_factory, moves):
    """Any sequence of changes in SQLite gives the same graph as a new store in memory.

    After the last removal, all tables of the graph are empty.
    """
    with closing(open_store(tmp_path_factory.mktemp("sums") / "talks.db")) as store:
        there = {}
        for name, talk in moves:
            if talk is None:
                store.remove(name)
                there.pop(name, None)
            else:
                put(store, name, talk)
                there[name] = talk
        fresh = MemoryStore()
        for name in sorted(there, reverse=True):
            put(fresh, name, there[name])
        assert asked(store.graph) == asked(fresh.graph)
        for name in there:
            store.remove(name)
        with store.snapshot() as now:
            tables = [
                f"graph_{t}"
                for t in ("recordings entities forms words mentions relations aliases readings").split()
            ]
            counts = {t: now._connection.execute(f"SELECT count(*) FROM {t}").fetchone()[0] for t in tables}
            assert not any(counts.values()), counts


@pytest.mark.parametrize("store", [MemoryStore()])
def test_a_mention_stands_where_it_says(store):
    """The offsets of a mention select its name in the passage."""
    put(store, "a", [(text, "Ann Lee") for text in SENTENCES])
    for mention in store.graph.mentioned([("a", at) for at in range(len(SENTENCES))]):
        if mention.begin >= 0 and mention.rule != "speaker":
            words = SENTENCES[mention.position][mention.begin : mention.end]
            assert words == mention.name
            assert " ".join(word.key for word in words_in(words) if word.key) == mention.entity


def test_of_what_is_named_often_a_part_is_drawn_from_all_over(tmp_path):
    """A limited number of mentions is a repeatable sample from all recordings."""
    with closing(open_store(tmp_path / "talks.db")) as store:
        for name in "abcdef":
            put(store, name, [(SENTENCES[1], "Ann Lee")] * 40)
        drawn = store.graph.mentions([("heat pump", "")], most=30)
        assert 15 <= len(drawn) <= 30 and {m.recording for m in drawn} == set("abcdef")
        assert drawn == store.graph.mentions([("heat pump", "")], most=30)
        assert len(store.graph.mentions([("heat pump", "")])) == 240


def test_of_what_is_named_everywhere_a_part_is_drawn(tmp_path):
    """A sample from many recordings covers many of them and different positions."""
    with closing(open_store(tmp_path / "large.db")) as store:
        for number in range(300):
            texts = ["The valve is old."] * 5
            passages = [Passage(f"r{number}", at, text, "Ann Lee") for at, text in enumerate(texts)]
            recording = Recording(f"r{number}", "", "", "test", Details()).counted(passages)
            store.add(recording, passages, knowledge=knowledge_of(recording, passages))
        drawn = store.graph.mentions([("valve", "")], most=60)
        assert 30 <= len(drawn) <= 60 and len({m.recording for m in drawn}) >= 25
        assert {m.entity for m in drawn} == {"valve"} and len({m.position for m in drawn}) > 1
        assert len(store.graph.mentions([("valve", "")], most=2000)) == 1500
