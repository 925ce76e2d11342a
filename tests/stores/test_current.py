"""A process's view of an archive: it equals what a fresh process reads, whatever others write."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from onrecord.stores import whitening
from onrecord.stores.base import Snapshot, Store
from onrecord.stores.contract import recording
from onrecord.stores.sqlite import SqliteStore
from onrecord.types import Passage, Scope, Section

NAMES = st.sampled_from(["call", "talk", "chat", "late", "long"])
WORDS = st.sampled_from(["freight", "freight freight freight freight", "margin", "Lyon", "R2-D2", "the"])
TEXTS = st.lists(st.lists(WORDS, max_size=5).map(" ".join), max_size=12)
TERMS = ["freight", "margin", "lyon", "r2", "never"]
QUERIES = np.eye(3, dtype=np.float32)


@pytest.fixture(autouse=True)
def whitened_spaces_of_few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fit the whitened space to few pairs of neighbors, so that a small archive has one."""
    monkeypatch.setattr(whitening, "LEAST", 4)


class Current(RuleBasedStateMachine):
    """Two connections to one archive: one writes, and the other has read everything before."""

    def open(self) -> Store:
        return SqliteStore(Path(self.folder.name) / "talks.db")

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.writer = self.open()
        self.writer.set_meta("begun", 1)
        self.reader = self.open()
        read(self.reader, TERMS)
        self.numbers = np.random.default_rng(1)

    @rule(name=NAMES, texts=TEXTS, embedded=st.booleans(), date=st.sampled_from([None, "2024", "2023-05"]))
    def add(self, name: str, texts: list[str], embedded: bool, date: str | None) -> None:
        passages = [
            Passage(name, at, text, f"Speaker {at % 2}", section="Q&A") for at, text in enumerate(texts)
        ]
        vectors = self.vectors(len(texts)) if embedded else None
        self.writer.add(recording(name, len(texts), date=date), passages, vectors=vectors)

    @rule(name=NAMES)
    def remove(self, name: str) -> None:
        self.writer.remove(name)

    @rule(name=NAMES)
    def set_vectors(self, name: str) -> None:
        count = len(self.writer.transcript(name))
        if count:
            self.writer.set_vectors(name, self.vectors(count))

    @rule(name=NAMES, title=st.sampled_from(["Economy", "Q&A"]))
    def set_sections(self, name: str, title: str) -> None:
        passages = [replace(p, section=title, importance=0.5) for p in self.writer.transcript(name)]
        if passages:
            self.writer.set_sections(name, passages, [Section(title, None, None, 0, 0)])

    @rule(names=st.sets(NAMES))
    def exchange_vectors(self, names: set[str]) -> None:
        sizes = {name: len(self.writer.transcript(name)) for name in sorted(names)}
        self.writer.exchange_vectors((name, self.vectors(size)) for name, size in sizes.items() if size)

    @rule(terms=st.lists(st.sampled_from(TERMS), max_size=2))
    def ask(self, terms: list[str]) -> None:
        """Check that the reader's answers equal those of a fresh store.

        Without `terms`, all terms are scored. With some, the reader may have scored a few of them long ago.
        """
        fresh = self.open()
        expected, answers = read(fresh, terms or TERMS), read(self.reader, terms or TERMS)
        check_same(answers, expected)
        fresh.close()

    @rule(name=NAMES, texts=TEXTS)
    def write_beside_an_old_snapshot(self, name: str, texts: list[str]) -> None:
        """Check that an open snapshot does not see newer writes.

        What the snapshot reads must not change newer answers either.
        """
        with self.reader.snapshot() as before:
            expected = read(before, TERMS[:2])
            self.add(name, texts, True, None)
            read(self.reader, TERMS)
            check_same(read(before, TERMS[:2]), expected)
        self.ask([])

    def vectors(self, count: int) -> np.ndarray:
        rows = self.numbers.normal(size=(count, 3)).astype(np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    def teardown(self) -> None:
        self.ask([])
        self.writer.close()
        self.reader.close()
        self.folder.cleanup()


def read(store: Snapshot, terms: list[str]) -> dict[str, object]:
    """Return all answers of a store, by name."""
    timeline = store.timeline()
    part = store.timeline(Scope(speakers=("1",)))
    names = sorted(timeline.names)
    return {
        "recordings": store.recordings(),
        "names": timeline.names,
        "rows": timeline.rows,
        "words": timeline.words,
        "part": part.rows,
        "sections": [store.sections(name) for name in names],
        "passages": store.passages(timeline.rows),
        "heard": sorted(store.heard(terms)),
        "vectors": store.vectors(timeline.rows),
        "without": store.without_vectors(),
        **{f"keyword {term}": store.keyword([term], timeline) for term in terms},
        **{f"keyword in part {term}": store.keyword([term], part) for term in terms},
        **{f"dense {at}": store.dense(query, timeline) for at, query in enumerate(QUERIES)},
        **{f"whitened {at}": store.whitened(query, timeline)[1] for at, query in enumerate(QUERIES)},
    }


def check_same(answers: dict[str, object], expected: dict[str, object]) -> None:
    assert answers.keys() == expected.keys()
    for name, answer in answers.items():
        if isinstance(answer, np.ndarray):
            np.testing.assert_allclose(answer, expected[name], atol=1e-5, err_msg=name)
        else:
            assert answer == expected[name], name


TestCurrent = Current.TestCase
TestCurrent.settings = settings(max_examples=15, stateful_step_count=10, deadline=None)
