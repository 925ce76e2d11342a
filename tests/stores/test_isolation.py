"""Two workspaces of one file, used in turn, against two stores in memory that cannot mix."""

import tempfile
from pathlib import Path

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from onrecord.stores.contract import recording
from onrecord.stores.memory import MemoryStore
from onrecord.stores.sqlite import SqliteStore
from onrecord.stores.words import terms
from onrecord.types import Passage, Scope, Section

NAMES = st.sampled_from(["call", "talk", "chat"])
SPACES = st.sampled_from(["ours", "theirs"])
WORDS = st.sampled_from(["freight", "margin", "Lyon", "Q3", "kelly's", "R2-D2", "the"])
TEXTS = st.lists(st.lists(WORDS, max_size=6).map(" ".join), max_size=4)
SPEAKERS = st.sampled_from([None, "Brendan Kelly", "Amélie Roux"])
SCOPES = st.sampled_from(
    [
        Scope(),
        Scope(speakers=("kelly",)),
        Scope(recordings=("call", "chat")),
        Scope(sections=("q&a",)),
        Scope(since="2024"),
    ]
)


class Workspaces(RuleBasedStateMachine):
    def open(self, name):
        """The store of a workspace in the archive that is made for this example."""
        return SqliteStore(Path(self.folder.name) / "talks.db", name)

    def __init__(self):
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.stores = {name: self.open(name) for name in ("ours", "theirs")}
        self.models = {name: MemoryStore(name) for name in self.stores}
        self.stale = {name: store.timeline() for name, store in self.stores.items()}

    def teardown(self):
        for store in self.stores.values():
            store.close()
        self.folder.cleanup()

    def on_both(self, space, name, *arguments):
        results = [getattr(each[space], name)(*arguments) for each in (self.stores, self.models)]
        assert results[0] == results[1]

    @rule(space=SPACES, name=NAMES, texts=TEXTS, speaker=SPEAKERS, seed=st.none() | st.integers(0, 9))
    def add(self, space, name, texts, speaker, seed):
        said = [Passage(name, at, text, speaker, float(at)) for at, text in enumerate(texts)]
        vectors = None if seed is None else vectors_of(len(said), seed)
        sections = [Section("Q&A", None, None, 1, 2)]
        details = recording(name, len(said), date=f"202{len(said)}")
        self.on_both(space, "add", details, said, sections, vectors)

    @rule(space=SPACES, name=NAMES)
    def remove(self, space, name):
        self.on_both(space, "remove", name)

    @rule(space=SPACES, name=NAMES, seed=st.integers(0, 9))
    def set_vectors(self, space, name, seed):
        count = len(self.models[space].transcript(name))
        if self.models[space].recording(name):
            self.on_both(space, "set_vectors", name, vectors_of(count, seed))

    @rule(space=SPACES)
    def exchange_vectors(self, space):
        self.on_both(space, "exchange_vectors", ())

    @rule(space=SPACES, key=st.sampled_from(["model", "note"]), value=st.none() | st.integers())
    def set_meta(self, space, key, value):
        self.on_both(space, "set_meta", key, value)

    @rule(space=SPACES)
    def keep_a_line(self, space):
        self.stale[space] = self.stores[space].timeline()

    @rule(space=SPACES, words=st.lists(WORDS, max_size=3), scope=SCOPES, seed=st.integers(0, 9))
    def ask(self, space, words, scope, seed):
        store, model = self.stores[space], self.models[space]
        timeline, expected = store.timeline(scope), model.timeline(scope)
        assert (timeline.names, timeline.positions.tolist()) == (expected.names, expected.positions.tolist())
        assert timeline.words.tolist() == expected.words.tolist()
        assert np.array_equal(store.keyword(words, timeline), model.keyword(words, expected))
        vector = vectors_of(1, seed)[0]
        assert np.allclose(store.dense(vector, timeline), model.dense(vector, expected), atol=1e-4)
        assert spoken(store, timeline) == spoken(model, expected)
        assert store.recordings(scope) == model.recordings(scope)
        assert all(store.beginning(word[:2].lower()) == model.beginning(word[:2].lower()) for word in words)
        for word in words:
            held = store.timeline().rows[store.keyword([word], store.timeline()) > 0][:2].tolist()
            assert len(terms(word)) != 1 or store.holding(terms(word)[0], 2).tolist() == held

    @rule(space=SPACES, words=st.lists(WORDS, max_size=3), seed=st.integers(0, 9))
    def ask_with_an_old_line(self, space, words, seed):
        store, timeline = self.stores[space], self.stale[space]
        there = {passage.row for passage in store.passages(timeline.rows)}
        for scores in (store.keyword(words, timeline), store.dense(vectors_of(1, seed)[0], timeline)):
            assert scores.shape == timeline.rows.shape
            assert not scores[[row not in there for row in timeline.rows]].any()
        assert store.vectors(timeline.rows).shape[0] == len(timeline)

    @invariant()
    def counts_agree(self):
        for space, store in self.stores.items():
            stats, expected = store.stats(), self.models[space].stats()
            assert {**stats, "bytes": 0} == {**expected, "bytes": 0}
            assert store.without_vectors() == self.models[space].without_vectors()
            assert store.meta("model") == self.models[space].meta("model")


def vectors_of(count, seed):
    rows = np.random.default_rng(seed).standard_normal((count, 4)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def spoken(store, timeline):
    return [(p.recording, p.position, p.text, p.speaker) for p in store.passages(timeline.rows)]


TestWorkspaces = Workspaces.TestCase
TestWorkspaces.settings = settings(max_examples=25, stateful_step_count=25, deadline=None)
