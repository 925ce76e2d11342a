"""Cached results equal those of a new search, and cost less."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from math import inf
from pathlib import Path
from threading import Event, Thread
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from onrecord.archive import Archive
from onrecord.errors import SettingError
from onrecord.models.base import Reading
from onrecord.models.double import HashingEmbedder, OverlapReader
from onrecord.retrieve import Keyword, Moments, Read, Search
from onrecord.retrieve.result_cache import ResultCache, configuration, pack, unpack
from onrecord.retrieve.stage import Stage, Tools, remarked
from onrecord.settings import load
from onrecord.stores import Store
from onrecord.stores.memory import MemoryStore
from onrecord.stores.sqlite import SqliteStore
from onrecord.strategies import STRATEGIES, Strategy
from onrecord.types import Answer, Evidence, Exchange, Judgement, Question, Scope

TALKS = (
    "Ann: Freight rates doubled in Rotterdam, and every container waits for the harbour crane.\n\n"
    "Bo: And nobody builds a crane in a year.\n\nAnn: The tariff on frames is the smaller part of it.",
    "Cora: Mortgages became dearer although the central bank cut its rate twice this autumn.\n\n"
    "Ann: Freight has nothing to do with it, mortgages follow the long end of the curve.",
    "Dev: The flood gate opens at noon.\n\nBo: The harbour committee wants a second crane and a tariff.",
)
QUESTIONS = (
    "Why did freight double?",
    "what about mortgages",
    "harbour crane",
    "Who spoke of a tariff?",
    "xyzzy",
    "Why did freight double? How many recordings are there? What was said about mortgages?",
)


def archive(store: Store, **cache: int) -> Archive:
    """Return an archive with the hashing embedder and these cache settings."""
    return Archive(store, load(embedding={"model": "hashing"}, cache=cache))


def comparable(answer: Answer) -> Answer:
    """Return an answer without its timings and trace."""
    return replace(answer, seconds={}, evidence=bare(answer.evidence))


def bare(evidence: Evidence) -> Evidence:
    """Return evidence without its trace and curve."""
    return replace(evidence, trace=(), curve=None, parts=tuple(map(bare, evidence.parts)))


def same(one: Evidence, other: Evidence) -> bool:
    """Return whether two pieces of evidence are equal, including their curves."""
    if (one.curve is None) != (other.curve is None):
        return False
    if one.curve and other.curve:
        for array in ("rows", "recordings", "positions", "words"):
            assert np.array_equal(getattr(one.curve.timeline, array), getattr(other.curve.timeline, array))
        assert one.curve.timeline.names == other.curve.timeline.names
        assert np.array_equal(one.curve.score, other.curve.score)
        assert one.curve.parts.keys() == other.curve.parts.keys()
    parts = all(same(*both) for both in zip(one.parts, other.parts, strict=True))
    return parts and bare(one) == bare(other)


@pytest.fixture(params=[MemoryStore, SqliteStore])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """Return an empty store, in memory or in SQLite."""
    memory = MemoryStore() if request.param is MemoryStore else SqliteStore(tmp_path / "talks.db")
    yield memory
    memory.close()


@dataclass(frozen=True)
class Hurried(Stage):
    """A stage that reports a time limit on its first run only."""

    times: ClassVar[list[int]] = []

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        self.times.append(1)
        return remarked(evidence, "Hurried", "the time was over", cut=len(self.times) == 1)


def test_what_was_cut_short_is_not_kept(talks: list[Path]) -> None:
    """A result that a time limit cut short is not cached; the next one is."""
    strategy = Strategy("hurried", Keyword(5) >> Hurried())
    with archive(MemoryStore()) as asked:
        asked.add(*talks)
        for _ in range(4):
            asked.search("harbour crane", strategy)
    assert len(Hurried.times) == 2


class Unhurried(OverlapReader):
    """A reader with a clock of its own, on which every passage takes a second."""

    def __init__(self) -> None:
        self.texts: list[tuple[str, ...]] = []

    def read(self, question: str, passages: Sequence[Sequence[str]]) -> list[Reading]:
        self.texts += map(tuple, passages)
        return super().read(question, passages)


@dataclass(frozen=True)
class OnClockOf(Stage):
    """A stage that reads one passage after another, on the clock of a reader."""

    reader: Unhurried

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        on_clock = replace(tools, clock=lambda: float(len(self.reader.texts)))
        return Read(batch=1, milliseconds=1500)(evidence, on_clock)


def test_a_question_asked_again_reads_on_where_its_time_was_over(store: Store, talks: list[Path]) -> None:
    """Passages that were read are not read again; once all are read, the result is cached."""
    reader = Unhurried()
    strategy = Strategy("unhurried", Keyword(5) >> OnClockOf(reader))
    with archive(store) as it:
        it.models.reader = reader
        it.add(*talks)
        stages = []
        while not stages or stages[-1] != ["Remembered"]:
            assert len(stages) < 5
            found = it.search("freight crane tariff", strategy)
            stages.append([step.name for step in found.trace])
        assert len(reader.texts) == len({*reader.texts}) == len(found.moments) == len(stages) - 1 > 2
        fresh = archive(store, embeddings=0, results=0)
        fresh.models.reader = OverlapReader()
        assert bare(fresh.search("freight crane tariff", Strategy("all", Keyword(5) >> Read()))) == bare(
            found
        )


@pytest.fixture
def talks(tmp_path: Path) -> list[Path]:
    """Write the talks to files, and return their paths."""
    paths = [tmp_path / f"talk-{number}.txt" for number in range(len(TALKS))]
    for path, text in zip(paths, TALKS, strict=True):
        path.write_text(text)
    return paths


acts = st.one_of(
    st.tuples(st.just("add"), st.integers(0, 2), st.integers(0, 3)),
    st.tuples(st.just("remove"), st.integers(0, 2), st.just(0)),
    st.tuples(st.sampled_from((None, "balanced", "direct", "summary")), st.integers(0, 5), st.integers(0, 2)),
)


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(acts, min_size=4, max_size=12))
def test_a_remembered_answer_is_the_one_that_would_be_found(
    tmp_path: Path, acts: list[tuple[str | None, int, int]]
) -> None:
    """After any changes to the archive, answers with and without caches are equal."""
    store = MemoryStore()
    remembering, forgetful = archive(store), archive(store, embeddings=0, results=0)
    scopes = (None, Scope(speakers=("ann",)), Scope(since="2024"))
    for act, which, how in acts:
        path = tmp_path / f"{which}.txt"
        if act == "add":
            path.write_text(f"{TALKS[which]}\n\nBo: {QUESTIONS[how]}")
            remembering.add(path)
        elif act == "remove":
            for recording in store.recordings():
                if recording.source.endswith(path.name):
                    remembering.remove(recording.id)
        else:
            for _ in range(2):
                one = remembering.ask(QUESTIONS[which], act, scope=scopes[how])
                other = forgetful.ask(QUESTIONS[which], act, scope=scopes[how])
                assert comparable(one) == comparable(other)
                assert same(one.evidence, other.evidence)


@pytest.mark.parametrize("strategy", [*STRATEGIES])
def test_evidence_of_every_strategy_comes_back_as_it_was(
    store: Store, talks: list[Path], strategy: str
) -> None:
    """Cached evidence of every strategy equals the original."""
    with archive(store) as it:
        it.add(*talks)
        first = it.search("Why did freight double in Rotterdam?", strategy)
        again = it.search("Why did freight double in Rotterdam?", strategy)
        assert same(again, first)
        assert [step.stage for step in again.trace] == ["Remembered"]
        assert again.trace[0].given == len(first.moments)


def test_what_was_found_for_each_of_several_questions_comes_back(store: Store, talks: list[Path]) -> None:
    """The evidence for each part of a text with several questions is cached."""
    with archive(store) as it:
        it.add(*talks)
        first, again = it.ask(QUESTIONS[-1]), it.ask(QUESTIONS[-1])
        assert len(again.evidence.parts) == 3 and same(again.evidence, first.evidence)
        assert comparable(again) == comparable(first)
        assert [step.stage for step in again.evidence.trace] == ["Remembered"]


def test_a_question_asked_again_embeds_nothing_and_is_counted(
    store: Store, talks: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A repeated question is a cache hit and calls no embedder."""
    with archive(store) as it:
        it.add(*talks)
        first = it.ask("Why did freight double?")
        monkeypatch.setattr(HashingEmbedder, "embed", None)
        assert comparable(it.ask("Why did freight double?")) == comparable(first)
        caches = it.stats()["caches"]
        assert (caches["results"]["hits"], caches["results"]["misses"]) == (1, 1)
        assert caches["embeddings"]["rate"] > 0
        assert caches["results"]["kept"] == 1


def test_any_write_empties_them(store: Store, talks: list[Path]) -> None:
    """Any write empties both caches."""
    with archive(store) as it:
        it.add(*talks[:2])
        it.ask("Why did freight double?")
        assert it.stats()["caches"]["results"]["kept"] == 1
        it.add(talks[2])
        caches = it.stats()["caches"]
        assert (caches["results"]["kept"], caches["embeddings"]["kept"]) == (0, 0)


def test_the_model_the_scope_the_history_and_the_strategy_are_distinguished(
    store: Store, talks: list[Path]
) -> None:
    """Questions that differ in scope, history, strategy or removed filters have separate entries."""
    with archive(store) as it:
        it.add(*talks)
        asked = "And the harbour crane?"
        it.ask(asked)
        it.ask(asked, scope=Scope(speakers=("bo",)))
        it.ask(asked, history=[Exchange("Who is Bo?")])
        it.ask(asked, Strategy("auto", Search() >> Moments()))
        it.ask(asked, Strategy("auto", Search() >> Moments(words=50)))
        it.ask(asked, without=["speaker"])
        caches = it.stats()["caches"]["results"]
        assert (caches["hits"], caches["misses"], caches["kept"]) == (0, 6, 6)


def test_what_other_code_found_is_found_anew(
    store: Store, talks: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Results of another cache format are not used."""
    with archive(store) as it:
        it.add(*talks)
        it.search("Why did freight double?")
        monkeypatch.setattr("onrecord.retrieve.result_cache.FORMAT", -1)
        it.search("Why did freight double?")
        assert it.stats()["caches"]["results"]["hits"] == 0


def test_what_other_examples_found_is_found_anew(
    store: Store, talks: list[Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Results for other data files of the package are not used."""
    with archive(store) as it:
        it.add(*talks)
        it.search("Why did freight double?")
        (tmp_path / "intents.yaml").write_text("other: {en: [examples]}")
        monkeypatch.setattr("onrecord.retrieve.result_cache.DATA", tmp_path)
        it.search("Why did freight double?")
        assert it.stats()["caches"]["results"]["hits"] == 0


def test_off_is_off(store: Store, talks: list[Path]) -> None:
    """With a size of 0, a cache keeps and counts nothing."""
    with archive(store, embeddings=0, results=0) as it:
        it.add(*talks)
        for _ in range(2):
            it.ask("Why did freight double?")
        for cache in it.stats()["caches"].values():
            assert (cache["kept"], cache["hits"], cache["misses"]) == (0, 0, 0)


def test_a_size_that_cannot_be_is_refused() -> None:
    """A negative size is refused."""
    with pytest.raises(SettingError, match=r"cache\.results"):
        load(cache={"results": -1})


def test_what_was_found_before_a_write_is_not_kept_after_it(store: Store, talks: list[Path]) -> None:
    """A result that was found before a write is not cached if the write comes first."""
    with archive(store) as it:
        it.add(*talks[:2])
        events = it.stream("Why did freight double?")
        next(events)
        it.add(talks[2])
        list(events)
        assert it.stats()["caches"]["results"]["kept"] == 0
        assert comparable(it.ask("Who wants a second crane?")) == comparable(
            archive(store, embeddings=0, results=0).ask("Who wants a second crane?")
        )


def test_who_may_not_write_asks_all_the_same(tmp_path: Path, talks: list[Path]) -> None:
    """A read-only store answers questions without caching them."""
    with archive(SqliteStore(tmp_path / "talks.db")) as it:
        it.add(*talks)
    with archive(SqliteStore(tmp_path / "talks.db", read_only=True)) as it:
        assert it.ask("Why did freight double?").citations
        assert it.stats()["caches"]["results"]["kept"] == 0


def test_while_somebody_writes_nothing_is_kept_and_nobody_waits(tmp_path: Path, talks: list[Path]) -> None:
    """While another connection writes, questions are answered at once and not cached."""
    with archive(SqliteStore(tmp_path / "talks.db")) as it:
        it.add(*talks)
        other = SqliteStore(tmp_path / "talks.db")
        with other._write("hold up"):
            assert it.ask("Why did freight double?").citations
        assert it.stats()["caches"]["results"]["kept"] == 0
        other.close()


def test_questions_beside_writers_of_other_processes_leave_nothing_stale(
    tmp_path: Path, talks: list[Path]
) -> None:
    """Questions during the writes of another connection leave no outdated result in the cache."""
    asking, writing = (archive(SqliteStore(tmp_path / "talks.db")) for _ in range(2))
    writing.add(*talks)
    done = Event()

    def write() -> None:
        for number in range(6):
            talks[0].write_text(f"{TALKS[0]}\n\nBo: Freight doubled {number} times.")
            writing.add(talks[0])
        done.set()

    writer = Thread(target=write)
    writer.start()
    while not done.is_set():
        asking.ask("Why did freight double?")
    writer.join()
    for _ in range(2):
        assert "5 times" in asking.search("Why did freight double?", "direct").moments[0].text
        fresh = archive(SqliteStore(tmp_path / "talks.db"), embeddings=0, results=0)
        assert comparable(asking.ask("Why did freight double?")) == comparable(
            fresh.ask("Why did freight double?")
        )
        fresh.close()
    asking.close()
    writing.close()


def test_an_error_keeps_nothing(talks: list[Path]) -> None:
    """If an exception ends a question, nothing is cached."""
    store = MemoryStore()
    with archive(store) as it:
        it.add(*talks)
    with pytest.raises(ZeroDivisionError), ResultCache(store, store, 1000, 1000) as memory:
        memory.evidence("basis", find=lambda: Evidence(Question("x")))
        raise ZeroDivisionError
    assert store.stats()["caches"]["results"]["kept"] == 0


def test_a_result_that_would_fill_the_cache_is_not_kept(talks: list[Path]) -> None:
    """A result that would take too large a share of the cache is not cached."""
    store = MemoryStore()
    with archive(store) as it:
        it.add(*talks)
    with ResultCache(store, store, 0, 100) as memory:
        memory.evidence("basis", find=lambda: Evidence(Question("x" * 50)))
    assert store.stats()["caches"]["results"]["kept"] == 0


def test_a_curve_along_another_line_is_not_packed(talks: list[Path]) -> None:
    """Only evidence that can be restored from the store is packed.

    Evidence with an outdated timeline or with invalid Unicode is not.
    """
    store = MemoryStore()
    with archive(store) as it:
        it.add(*talks)
    tools = Tools(store, HashingEmbedder())
    narrow = Search()(Evidence(Question("freight", Scope(speakers=("bo",)))), tools)
    assert pack(narrow, store) is not None
    assert narrow.curve
    gone = replace(narrow.curve.timeline, rows=narrow.curve.timeline.rows + 100)
    assert pack(replace(narrow, curve=replace(narrow.curve, timeline=gone)), store) is None
    evidence = Keyword(5)(Evidence(Question("freight")), tools)
    packed = pack(evidence, store)
    assert packed is not None
    assert same(unpack(packed, store, 0.0), evidence)
    graded = replace(
        evidence, grade=Judgement(inf, (0.5, -inf), {"freight": 1.0}, ("ports",), "low relevance")
    )
    packed = pack(graded, store)
    assert packed is not None and unpack(packed, store, 0.0).grade == graded.grade
    assert pack(replace(evidence, question=Question("half a \ud83d")), store) is None, "it is no Unicode"


def test_a_configuration_tells_every_setting() -> None:
    """Configurations differ if any setting differs, and do not depend on the order of mappings."""
    assert configuration(STRATEGIES["auto"]) == configuration(STRATEGIES["auto"])
    texts = {configuration(strategy) for strategy in STRATEGIES.values()}
    assert len(texts) == len(STRATEGIES)
    assert configuration(Scope(attributes={"a": "1", "b": "2"})) == configuration(
        Scope(attributes={"b": "2", "a": "1"})
    )
    assert configuration(("a", "b")) != configuration(("a, b",))
    assert "dense=0.6" in configuration(Search(dense=0.6) >> Moments())
    assert configuration({"a"}) != configuration(("a",))
    assert configuration(date) == repr(date)
