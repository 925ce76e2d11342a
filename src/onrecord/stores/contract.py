"""What every store must pass. Inherit `StoreContract`, say how one is opened, and let pytest run it::

class TestMine(StoreContract):
    @pytest.fixture(autouse=True)
    def place(self, tmp_path):
        self.folder = tmp_path

    def open(self, workspace="default"):
        return MyStore(self.folder, workspace)
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from onrecord.errors import NotFoundError, SettingError, StoreError
from onrecord.stores.base import Reader, Store
from onrecord.types import Details, Passage, Recording, Scope, Section

if TYPE_CHECKING:
    from onrecord.types import Vectors

SPEAKERS = ("Brendan Kelly", "Amélie Roux")
TEXTS = (
    "Margins fell because freight cost twice what we had planned.",
    "And the plant in Lyon stood still for a week.",
    "We expect margins to recover by the third quarter, Q3.",
)


def recording(name: str, passages: int = 3, **details: Any) -> Recording:
    """A recording to put into a store under test."""
    return Recording(
        id=name,
        source=f"talks/{name}.vtt",
        checksum=f"checksum of {name}",
        format="webvtt",
        details=Details(**details),
        passages=passages,
        words=30,
        seconds=10.0 * passages - 0.5,
        speakers=SPEAKERS,
    )


def passages(name: str, texts: tuple[str, ...] = TEXTS) -> list[Passage]:
    """Passages of ten seconds each, spoken in turn by Brendan Kelly and Amélie Roux."""
    return [
        Passage(
            name,
            at,
            text,
            SPEAKERS[at % 2],
            10.0 * at,
            10.0 * at + 9.5,
            ((0, 10.0 * at), (5, 10.0 * at + 1.25)),
        )
        for at, text in enumerate(texts)
    ]


def unit(*rows: tuple[float, ...]) -> Vectors:
    """Rows made to unit length."""
    matrix = np.array(rows, np.float32)
    return np.asarray(matrix / np.linalg.norm(matrix, axis=1, keepdims=True), np.float32)


VECTORS = unit((1, 0, 0, 0), (0, 1, 0, 0), (1, 1, 0, 0))


def refused(kind: type[Exception], call: Callable[[], object]) -> str:
    """The message of the error that a call must end with."""
    try:
        call()
    except kind as error:
        return str(error)
    raise AssertionError(f"{kind.__name__} was not raised")


class StoreContract:
    """Tests of one Store. Opening a workspace again must show what was put into it before."""

    def open(self, workspace: str = "default") -> Store:
        raise NotImplementedError

    def filled(self) -> Store:
        """A store with three recordings: call (2024-03-05), talk (2023, French), chat (undated)."""
        store = self.open()
        call = recording(
            "call", title="First Quarter", date="2024-03-05", language="en", attributes={"Bank": "TD Bank"}
        )
        talk = recording("talk", title="Über Lyon", date="2023", language="fr", people=("Kelly",))
        store.add(call, passages("call"), [Section("Q&A", 10.0, 29.5, 1, 2)], VECTORS)
        store.add(talk, [replace(p, section="Économie") for p in passages("talk")], vectors=VECTORS[::-1])
        store.add(recording("chat", 1), passages("chat", ("Freight, freight and nothing else.",)))
        return store

    def test_what_is_added_is_given_back(self) -> None:
        with closing(self.filled()) as store:
            found = store.recording("call")
            assert found is not None
            assert found.details.attributes == {"Bank": "TD Bank"}
            assert found == replace(recording("call"), details=found.details)
            assert [replace(p, row=-1) for p in store.transcript("call")] == passages("call")
            assert store.sections("call") == [Section("Q&A", 10.0, 29.5, 1, 2)]
            assert store.recording("nothing") is None
            assert store.transcript("nothing") == []
            assert store.sections("nothing") == []

    def test_what_is_thought_of_sections_and_passages_is_given_back(self) -> None:
        sections = [
            Section("Opening", 0.0, 9.5, 0, 0, "opening"),
            Section("Questions", 10.0, 29.5, 1, 2, "qa", None, "And the plant in Lyon stood still."),
            Section("Amélie's question", 10.0, 19.5, 1, 1, "exchange", "Questions"),
        ]
        judged = [
            replace(p, importance=share, before=share / 3, after=1 - share)
            for p, share in zip(passages("call"), (0.0, 0.7, 1.0), strict=True)
        ]
        judged[1] = replace(judged[1], section="Amélie's question")
        with closing(self.filled()) as store:
            store.add(recording("call"), judged, sections)
            assert [replace(p, row=-1) for p in store.transcript("call")] == judged
            assert store.sections("call") == sections
            assert store.transcript("chat")[0].importance is None

    def test_sections_can_be_given_later(self) -> None:
        sections = [Section("Opening", 0.0, 9.5, 0, 0, "opening"), Section("Costs", None, None, 1, 2)]
        with closing(self.filled()) as store:
            before = store.transcript("call")
            judged = [replace(p, section="Costs", importance=0.5, before=0.25, after=0.1) for p in before]
            store.set_sections("call", [replace(p, text="other words") for p in judged], sections)
            assert store.transcript("call") == judged
            assert store.sections("call") == sections
            assert _places(store, Scope(sections=("q&a",))) == ""
            assert _places(store, Scope(sections=("costs",))) == "call 0 1 2"
            assert np.allclose(store.vectors([p.row for p in before]), VECTORS, atol=1e-3)
            assert (store.keyword(["freight"], store.line()) > 0).sum() == 3
            refused(NotFoundError, lambda: store.set_sections("nothing", judged, []))
            assert "all of them" in refused(StoreError, lambda: store.set_sections("call", judged[:2], []))
            assert store.transcript("call") == judged

    def test_a_section_is_found_by_its_kind(self) -> None:
        with closing(self.filled()) as store:
            store.add(recording("call"), passages("call"), [Section("Your turn", 10.0, 29.5, 1, 2, "qa")])
            assert _places(store, Scope(sections=("QA",))) == "call 1 2"
            assert _places(store, Scope(sections=("your turn",))) == "call 1 2"

    def test_odd_values_are_given_back_as_they_were(self) -> None:
        odd = [
            Passage("odd", 0, "", None, None, None),
            Passage(
                "odd",
                1,
                "a\x00b 'quoted\" ; -- \U0001f600 é",
                "O'Hara; DROP",
                0.1,
                1 / 3,
                ((3, 1e-9), (70000, 2.5)),
            ),
            Passage("odd", 2, "Two. Voices.", "A", 4.0, 5.0, (), ((0, "A"), (5, None), (9, "B")), "x" * 300),
        ]
        details = recording("odd", 3, title="", attributes={"": "", "'k": "\x00"}, people=("a", "a"))
        with closing(self.open()) as store:
            store.add(details, odd)
            assert store.recording("odd") == details
            assert [replace(p, row=-1) for p in store.transcript("odd")] == odd

    def test_a_recording_may_have_no_passages(self) -> None:
        with closing(self.open()) as store:
            silent = recording("silent", 0)
            store.add(silent, [], [Section("Silence")], np.empty((0, 4), np.float32))
            assert store.recording("silent") == silent
            assert store.sections("silent") == [Section("Silence")]
            assert [r.id for r in store.recordings()] == ["silent"]
            assert len(store.line()) == 0
            assert store.without_vectors() == []
            store.add(recording("call"), passages("call"))
            assert [r.id for r in store.recordings()] == ["call", "silent"]
            assert store.remove("silent")

    def test_recordings_come_by_date_then_title_and_undated_last(self) -> None:
        with closing(self.filled()) as store:
            assert [r.id for r in store.recordings()] == ["talk", "call", "chat"]
            assert [r.id for r in store.recordings(Scope(speakers=("roux",)))] == ["talk", "call"]

    def test_a_transcript_can_be_read_in_part(self) -> None:
        with closing(self.filled()) as store:
            assert [p.position for p in store.transcript("call", 1)] == [1, 2]
            assert [p.position for p in store.transcript("call", 0, 1)] == [0, 1]
            assert [p.position for p in store.transcript("call", 5, 9)] == []

    def test_adding_again_replaces(self) -> None:
        with closing(self.filled()) as store:
            store.add(recording("call", 1), passages("call", ("All new.",)))
            assert [p.text for p in store.transcript("call")] == ["All new."]
            assert store.sections("call") == []
            assert store.without_vectors() == ["chat", "call"]
            line = store.line()
            assert not store.keyword(["quarter"], line)[line.recordings == line.names.index("call")].any()

    def test_a_refused_recording_changes_nothing(self) -> None:
        with closing(self.filled()) as store:
            before = store.transcript("call")
            gap = [before[0], before[2]]
            assert "positions" in refused(StoreError, lambda: store.add(recording("call"), gap))
            two = VECTORS[:2]
            assert "'call'" in refused(StoreError, lambda: store.add(recording("call"), before, vectors=two))
            bad = VECTORS * np.float32(np.nan)
            assert "finite" in refused(StoreError, lambda: store.set_vectors("call", bad))
            assert store.transcript("call") == before

    def test_removing_leaves_nothing(self) -> None:
        with closing(self.filled()) as store:
            assert store.remove("call")
            assert not store.remove("call")
            assert store.recording("call") is None
            assert store.transcript("call") == []
            assert "call" not in store.line().names
            assert not store.keyword(["quarter"], store.line(Scope(recordings=("chat",)))).any()
            assert store.stats()["recordings"] == 2

    def test_metas_are_kept_for_the_workspace(self) -> None:
        with closing(self.open()) as store:
            assert store.meta("model") is None
            store.set_meta("model", {"fingerprint": "minilm é", "dimensions": 384})
            assert store.meta("model") == {"fingerprint": "minilm é", "dimensions": 384}
            store.set_meta("model", None)
            assert store.meta("model") is None

    def test_stats_count(self) -> None:
        with closing(self.filled()) as store:
            stats = store.stats()
            counts = {key: stats[key] for key in ("recordings", "passages", "speakers", "embedded")}
            assert counts == {"recordings": 3, "passages": 7, "speakers": 2, "embedded": 6}
            assert stats["words"] == sum(len(text.split()) for text in TEXTS) * 2 + 5
            assert stats["seconds"] == 29.5 * 2 + 9.5
            assert stats["bytes"] > 0

    # ---- caches

    def test_what_is_cached_is_there_until_something_is_written(self) -> None:
        writes: list[Callable[[Store], object]] = [
            lambda s: s.add(recording("late", 1), passages("late", ("Freight came late.",))),
            lambda s: s.set_vectors("call", VECTORS),
            lambda s: s.set_sections("call", s.transcript("call"), []),
            lambda s: s.set_meta("model", "another"),
            lambda s: s.forget_vectors(),
            lambda s: s.remove("chat"),
        ]
        with closing(self.filled()) as store:
            for write in writes:
                version = store.version
                store.cache("results", {b"a": b"1", b"b": b""}, version, 1000)
                store.cache("embeddings", {b"a": b"2"}, version, 1000)
                assert store.version == version
                assert store.cached("results", (b"a", b"b", b"c")) == {b"a": b"1", b"b": b""}
                assert store.cached("embeddings", (b"a", b"b")) == {b"a": b"2"}
                write(store)
                assert store.version > version
                assert store.cached("results", (b"a", b"b")) == {}
                assert store.cached("embeddings", (b"a",)) == {}

    def test_what_was_found_before_a_write_is_not_kept(self) -> None:
        with closing(self.filled()) as store:
            with store.snapshot() as before:
                store.remove("chat")
                store.cache("results", {b"a": b"old"}, before.version, 1000)
                assert before.cached("results", (b"a",)) == {}
            assert store.cached("results", (b"a",)) == {}

    def test_the_oldest_leave_a_full_cache(self) -> None:
        with closing(self.filled()) as store:
            for key in (b"a", b"b", b"c", b"d"):
                store.cache("results", {key: b"12345"}, store.version, 13)
            assert store.cached("results", (b"a", b"b", b"c", b"d")) == {b"c": b"12345", b"d": b"12345"}
            store.cache("results", {b"e": b"too large for it"}, store.version, 13)
            assert store.cached("results", (b"c", b"d", b"e")) == {}

    def test_caches_are_counted(self) -> None:
        with closing(self.filled()) as store:
            assert store.stats()["caches"]["results"]["rate"] is None
            store.cache("results", {b"a": b"12345"}, store.version, 1000)
            store.count("results", 3, 0)
            store.count("results", 0, 1)
            counted = {"kept": 1, "bytes": 6, "hits": 3, "misses": 1, "rate": 0.75}
            assert store.stats()["caches"]["results"] == counted
            assert store.stats()["caches"]["embeddings"]["hits"] == 0
            store.remove("chat")
            assert store.stats()["caches"]["results"] == {**counted, "kept": 0, "bytes": 0}

    def test_workspaces_do_not_share_what_is_cached(self) -> None:
        with closing(self.filled()) as store, closing(self.open("other")) as other:
            other.add(recording("call", 1), passages("call", ("Freight.",)))
            store.cache("results", {b"a": b"mine"}, store.version, 1000)
            other.cache("results", {b"a": b"theirs"}, other.version, 1000)
            assert store.cached("results", (b"a",)) == {b"a": b"mine"}
            other.remove("call")
            assert store.cached("results", (b"a",)) == {b"a": b"mine"}
            assert other.cached("results", (b"a",)) == {}
            assert other.stats()["caches"]["results"]["kept"] == 0

    # ---- scope

    def test_the_line_runs_by_recording_then_position(self) -> None:
        with closing(self.filled()) as store:
            line = store.line()
            names = [line.names[i] for i in line.recordings]
            assert names == ["call"] * 3 + ["talk"] * 3 + ["chat"]
            assert line.positions.tolist() == [0, 1, 2, 0, 1, 2, 0]
            assert line.words.tolist() == [len(p.text.split()) for p in store.passages(line.rows)]
            assert [(p.recording, p.position) for p in store.passages(line.rows)] == list(
                zip(names, line.positions.tolist(), strict=True)
            )

    def test_every_field_of_a_scope_narrows(self) -> None:
        expected = [
            (Scope(recordings=("call", "chat", "nothing")), "call 0 1 2 chat 0"),
            (Scope(speakers=("kelly",)), "call 0 2 talk 0 2 chat 0"),
            (Scope(speakers=("AMELIE ROUX",)), "call 1 talk 1"),
            (Scope(speakers=("Kell", "ame")), ""),
            (Scope(since="2024"), "call 0 1 2"),
            (Scope(since="2023-06", until="2024-03"), "call 0 1 2 talk 0 1 2"),
            (Scope(until="2023"), "talk 0 1 2"),
            (Scope(since="2024-03-06"), ""),
            (Scope(languages=("EN",)), "call 0 1 2"),
            (Scope(sections=("q&a",)), "call 1 2"),
            (Scope(sections=("economie", "Q&A"), speakers=("roux",)), "call 1 talk 1"),
            (Scope(attributes={"bank": "td bank"}), "call 0 1 2"),
            (Scope(attributes={"bank": "td bank", "year": "2024"}), ""),
        ]
        with closing(self.filled()) as store:
            for scope, wanted in expected:
                assert _places(store, scope) == wanted, scope

    def test_values_of_a_scope_are_never_syntax(self) -> None:
        with closing(self.filled()) as store:
            for text in ("'", '"', "%", "_", "*", "kelly' OR '1'='1", "\x00", "", "a" * 10_000, "(", "\\"):
                scope = Scope((text,), (text,), None, None, (text,), (text,), {text: text})
                assert len(store.line(scope)) == 0
                assert len(store.line(Scope(speakers=(text,)))) == 0

    def test_a_date_that_is_none_is_refused(self) -> None:
        with closing(self.filled()) as store:
            assert "'march'" in refused(SettingError, lambda: store.line(Scope(since="march")))

    # ---- searching

    def test_dense_scores_every_passage_of_the_line(self) -> None:
        with closing(self.filled()) as store:
            query = unit((1, 0.2, 0, 0))[0]
            near, across, both = (VECTORS @ query).tolist()
            scores = store.dense(query, store.line())
            assert scores.dtype == np.float32
            assert np.allclose(scores, [near, across, both, both, across, near, 0], atol=1e-3)
            part = store.dense(query, store.line(Scope(speakers=("roux",))))
            assert np.allclose(part, [across, across], atol=1e-3)

    def test_vectors_come_in_the_order_asked_with_zeros_where_there_is_none(self) -> None:
        with closing(self.filled()) as store:
            rows = store.line().rows[[6, 2, 0]]
            assert np.allclose(store.vectors(rows), [np.zeros(4), VECTORS[2], VECTORS[0]], atol=1e-3)

    def test_vectors_can_be_given_later(self) -> None:
        with closing(self.filled()) as store:
            assert store.without_vectors() == ["chat"]
            store.set_vectors("chat", VECTORS[1:2])
            store.set_vectors("call", VECTORS[[1, 1, 1]])
            assert store.without_vectors() == []
            scores = store.dense(VECTORS[1], store.line(Scope(recordings=("chat", "call"))))
            assert np.allclose(scores, 1, atol=1e-3)
            refused(NotFoundError, lambda: store.set_vectors("nothing", VECTORS))

    def test_vectors_can_be_forgotten_and_made_by_another_model(self) -> None:
        with closing(self.filled()) as store:
            store.forget_vectors()
            assert store.without_vectors() == ["call", "talk", "chat"]
            assert not store.dense(VECTORS[0], store.line()).any()
            store.set_vectors("talk", unit((1, 0), (0, 1), (1, 1)))
            scores = store.dense(unit((1, 0))[0], store.line())
            assert np.allclose(scores, [0, 0, 0, 1, 0, 0.5**0.5, 0], atol=1e-3)
            assert store.stats()["embedded"] == 3

    def test_who_speaks_is_found_by_name(self) -> None:
        with closing(self.filled()) as store:
            voices = ((0, None), (5, "Zoë Quine"))
            store.add(recording("duet", 1), [Passage("duet", 0, "Well, yes.", voices=voices)])
            line = store.line()
            assert store.passages(line.rows[store.keyword(["Zoe"], line) > 0])[0].text == "Well, yes."
            assert (store.keyword(["Kelly"], line) > 0).sum() == 5
            store.remove("duet")
            assert not store.keyword(["quine", "yes"], store.line()).any()

    def test_keyword_scores_rise_with_what_is_rare_and_frequent(self) -> None:
        with closing(self.filled()) as store:
            line = store.line()
            scores = store.keyword(["Freight"], line)
            assert scores.dtype == np.float32
            assert (scores > 0).tolist() == [True, False, False, True, False, False, True]
            assert scores.argmax() == 6
            assert (store.keyword(["freight", "plant"], line) > 0).tolist()[:3] == [True, True, False]

    def test_keyword_scores_do_not_depend_on_the_scope(self) -> None:
        with closing(self.filled()) as store:
            line = store.line()
            part = store.line(Scope(recordings=("call",)))
            assert np.array_equal(store.keyword(["margins"], part), store.keyword(["margins"], line)[:3])

    def test_words_asked_for_are_never_syntax(self) -> None:
        with closing(self.filled()) as store:
            line = store.line()
            plain = store.keyword(["freight"], line)
            for text in ('"freight"', "freight*", "(freight)", "^freight", "text:freight", "-freight"):
                assert np.array_equal(store.keyword([text], line), plain), text
            for text in ('"', "'", "*", "\x00", "", " ", "NEAR(", ")", "%", "\ud800"):
                assert not store.keyword([text], line).any(), repr(text)
            assert store.keyword(["freight " * 20_000], line).any()

    # ---- one state

    def test_a_snapshot_stays_as_it_was(self) -> None:
        with closing(self.filled()) as store:
            with store.snapshot() as before:
                line = before.line()
                store.remove("call")
                store.add(
                    recording("late", 1), passages("late", ("Freight came late.",)), vectors=VECTORS[:1]
                )
                assert _state(before, line) == _state(before, before.line())
                assert [p.recording for p in before.passages(line.rows[:1])] == ["call"]
                assert before.dense(VECTORS[0], line)[0] > 0.99
                assert before.keyword(["margins"], line)[0] > 0
            assert "late" in store.line().names

    def test_a_line_that_outlived_its_passages_does_no_harm(self) -> None:
        with closing(self.filled()) as store:
            line = store.line()
            store.add(recording("call"), passages("call", TEXTS[::-1]), vectors=VECTORS)
            store.remove("talk")
            assert store.keyword(["freight"], line).nonzero()[0].tolist() == [6]
            assert not store.dense(VECTORS[0], line).any()
            assert [p.recording for p in store.passages(line.rows)] == ["chat"]
            assert not store.vectors(line.rows).any()

    def test_rows_are_never_used_twice(self) -> None:
        with closing(self.filled()) as store:
            line = store.line()
            for name in ("chat", "talk"):
                store.remove(name)
            store.add(recording("late"), passages("late"), vectors=VECTORS)
            there = line.recordings == line.names.index("call")
            assert [p.recording for p in store.passages(line.rows)] == ["call"] * 3
            assert np.array_equal(store.vectors(line.rows).any(axis=1), there)
            assert not store.dense(unit((1, 1, 1, 1))[0], line)[~there].any()
            assert not store.keyword(["freight", "plant", "quarter"], line)[~there].any()

    def test_workspaces_do_not_see_each_other(self) -> None:
        with closing(self.filled()) as store, closing(self.open("other")) as other:
            alone = store.keyword(["freight"], store.line())
            assert other.recordings() == []
            other.add(
                recording("call", 1), passages("call", ("Freight freight freight.",)), vectors=VECTORS[:1]
            )
            other.set_meta("model", "another")
            assert store.meta("model") is None
            assert len(store.line()) == 7
            assert np.array_equal(store.keyword(["freight"], store.line()), alone)
            other.remove("call")
            assert store.recording("call") is not None


def _places(store: Reader, scope: Scope) -> str:
    """What is in scope, as "recording position position recording position"."""
    line = store.line(scope)
    words: list[str] = []
    for place, position in zip(line.recordings, line.positions, strict=True):
        if line.names[place] not in words:
            words.append(line.names[place])
        words.append(str(position))
    return " ".join(words)


def _state(store: Reader, line: Any) -> list[Any]:
    """Everything that a question can see."""
    return [
        [p.text for p in store.passages(line.rows)],
        store.dense(VECTORS[0], line).tolist(),
        store.keyword(["freight", "margins"], line).tolist(),
    ]
