"""Tests that a store returns what was put into it, unchanged."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace

import numpy as np

from onrecord.errors import NotFoundError, StoreError
from onrecord.stores.contract.world import TEXTS, VECTORS, World, passages, places, recording, refused
from onrecord.types import Passage, Scope, Section


class Keeping(World):
    """Tests of recordings, passages, sections, metas and counts."""

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
            assert places(store, Scope(sections=("q&a",))) == ""
            assert places(store, Scope(sections=("costs",))) == "call 0 1 2"
            assert np.allclose(store.vectors([p.row for p in before]), VECTORS, atol=1e-3)
            assert (store.keyword(["freight"], store.timeline()) > 0).sum() == 3
            refused(NotFoundError, lambda: store.set_sections("nothing", judged, []))
            assert "all of them" in refused(StoreError, lambda: store.set_sections("call", judged[:2], []))
            assert store.transcript("call") == judged

    def test_a_section_is_found_by_its_kind(self) -> None:
        with closing(self.filled()) as store:
            store.add(recording("call"), passages("call"), [Section("Your turn", 10.0, 29.5, 1, 2, "qa")])
            assert places(store, Scope(sections=("QA",))) == "call 1 2"
            assert places(store, Scope(sections=("your turn",))) == "call 1 2"

    def test_odd_values_are_given_back_as_they_were(self) -> None:
        odd = [
            Passage("odd", 0, "", None, None, None),
            Passage(
                "odd",
                1,
                f"a{self.zero}b 'quoted\" ; -- \U0001f600 é",
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
            assert len(store.timeline()) == 0
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
            timeline = store.timeline()
            assert not store.keyword(["quarter"], timeline)[
                timeline.recordings == timeline.names.index("call")
            ].any()

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
            assert "call" not in store.timeline().names
            assert not store.keyword(["quarter"], store.timeline(Scope(recordings=("chat",)))).any()
            assert store.stats()["recordings"] == 2

    def test_metas_are_kept_for_the_workspace(self) -> None:
        with closing(self.open()) as store:
            assert store.meta("model") is None
            store.set_meta("model", {"fingerprint": "minilm é", "dimensions": 384})
            store.set_meta("note", [1])
            assert store.metas() == {"model": store.meta("model"), "note": [1]}
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
