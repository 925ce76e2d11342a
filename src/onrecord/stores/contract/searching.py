"""Tests that every passage in scope gets its scores."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, suppress
from typing import TYPE_CHECKING

import numpy as np

from onrecord.errors import NotFoundError, SettingError, StoreError
from onrecord.stores.contract.world import VECTORS, World, passages, places, recording, refused, unit
from onrecord.types import Passage, Scope

if TYPE_CHECKING:
    from onrecord.types import Vectors


class Searching(World):
    """Tests of scopes, and of scores by vectors and by words."""

    # ---- scope

    def test_the_line_runs_by_recording_then_position(self) -> None:
        with closing(self.filled()) as store:
            timeline = store.timeline()
            names = [timeline.names[i] for i in timeline.recordings]
            assert names == ["call"] * 3 + ["talk"] * 3 + ["chat"]
            assert timeline.positions.tolist() == [0, 1, 2, 0, 1, 2, 0]
            assert timeline.words.tolist() == [len(p.text.split()) for p in store.passages(timeline.rows)]
            assert [(p.recording, p.position) for p in store.passages(timeline.rows)] == list(
                zip(names, timeline.positions.tolist(), strict=True)
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
                assert places(store, scope) == wanted, scope

    def test_values_of_a_scope_are_never_syntax(self) -> None:
        with closing(self.filled()) as store:
            for text in ("'", '"', "%", "_", "*", "kelly' OR '1'='1", "\x00", "", "a" * 10_000, "(", "\\"):
                scope = Scope((text,), (text,), None, None, (text,), (text,), {text: text})
                assert len(store.timeline(scope)) == 0
                assert len(store.timeline(Scope(speakers=(text,)))) == 0

    def test_a_date_that_is_none_is_refused(self) -> None:
        with closing(self.filled()) as store:
            assert "'march'" in refused(SettingError, lambda: store.timeline(Scope(since="march")))

    # ---- searching

    def test_dense_scores_every_passage_of_the_line(self) -> None:
        with closing(self.filled()) as store:
            query = unit((1, 0.2, 0, 0))[0]
            near, across, both = (VECTORS @ query).tolist()
            scores = store.dense(query, store.timeline())
            assert scores.dtype == np.float32
            assert np.allclose(scores, [near, across, both, both, across, near, 0], atol=1e-3)
            part = store.dense(query, store.timeline(Scope(speakers=("roux",))))
            assert np.allclose(part, [across, across], atol=1e-3)

    def test_vectors_come_in_the_order_asked_with_zeros_where_there_is_none(self) -> None:
        with closing(self.filled()) as store:
            rows = store.timeline().rows[[6, 2, 0]]
            assert np.allclose(store.vectors(rows), [np.zeros(4), VECTORS[2], VECTORS[0]], atol=1e-3)

    def test_vectors_can_be_given_later(self) -> None:
        with closing(self.filled()) as store:
            assert store.without_vectors() == ["chat"]
            store.set_vectors("chat", VECTORS[1:2])
            store.set_vectors("call", VECTORS[[1, 1, 1]])
            assert store.without_vectors() == []
            scores = store.dense(VECTORS[1], store.timeline(Scope(recordings=("chat", "call"))))
            assert np.allclose(scores, 1, atol=1e-3)
            refused(NotFoundError, lambda: store.set_vectors("nothing", VECTORS))

    def test_vectors_can_be_forgotten_and_made_by_another_model(self) -> None:
        with closing(self.filled()) as store:
            store.exchange_vectors(())
            assert store.without_vectors() == ["call", "talk", "chat"]
            assert not store.dense(VECTORS[0], store.timeline()).any()
            store.set_vectors("talk", unit((1, 0), (0, 1), (1, 1)))
            scores = store.dense(unit((1, 0))[0], store.timeline())
            assert np.allclose(scores, [0, 0, 0, 1, 0, 0.5**0.5, 0], atol=1e-3)
            assert store.stats()["embedded"] == 3

    def test_vectors_are_exchanged_all_at_once_or_not_at_all(self) -> None:
        def interrupted() -> Iterator[tuple[str, Vectors]]:
            yield "talk", unit((1, 0), (0, 1), (1, 1))
            raise KeyboardInterrupt

        with closing(self.filled()) as store:
            store.set_meta("model", {"name": "old"})
            before, timeline = store.vectors(store.timeline().rows), store.timeline()
            with suppress(KeyboardInterrupt):
                store.exchange_vectors(interrupted(), {"name": "new"})
            assert np.array_equal(store.vectors(timeline.rows), before)
            assert store.meta("model") == {"name": "old"}
            bad = [("call", VECTORS * np.float32(np.nan))]
            assert "finite" in refused(StoreError, lambda: store.exchange_vectors(bad))
            assert np.array_equal(store.vectors(timeline.rows), before)
            new = [("call", VECTORS[[1, 1, 1]]), ("gone", VECTORS), ("talk", VECTORS[:1])]
            store.exchange_vectors(new, {"name": "new"})
            assert store.without_vectors() == ["talk", "chat"]
            assert store.meta("model") == {"name": "new"}

    def test_who_speaks_is_found_by_name(self) -> None:
        with closing(self.filled()) as store:
            voices = ((0, None), (5, "Zoë Quine"))
            store.add(recording("duet", 1), [Passage("duet", 0, "Well, yes.", voices=voices)])
            timeline = store.timeline()
            assert store.passages(timeline.rows[store.keyword(["Zoe"], timeline) > 0])[0].text == "Well, yes."
            assert (store.keyword(["Kelly"], timeline) > 0).sum() == 5
            store.remove("duet")
            assert not store.keyword(["quine", "yes"], store.timeline()).any()

    def test_keyword_scores_rise_with_what_is_rare_and_frequent(self) -> None:
        with closing(self.filled()) as store:
            timeline = store.timeline()
            scores = store.keyword(["Freight"], timeline)
            assert scores.dtype == np.float32
            assert (scores > 0).tolist() == [True, False, False, True, False, False, True]
            assert scores.argmax() == 6
            assert (store.keyword(["freight", "plant"], timeline) > 0).tolist()[:3] == [True, True, False]

    def test_keyword_scores_do_not_depend_on_the_scope(self) -> None:
        with closing(self.filled()) as store:
            timeline = store.timeline()
            part = store.timeline(Scope(recordings=("call",)))
            assert np.array_equal(store.keyword(["margins"], part), store.keyword(["margins"], timeline)[:3])

    def test_the_scores_of_terms_add_up_to_those_of_their_words(self) -> None:
        with closing(self.filled()) as store:
            words = ["Freight margins", "plant zeppelin"]
            for scope in (Scope(), Scope(recordings=("talk", "chat")), Scope(speakers=("roux",))):
                timeline = store.timeline(scope)
                terms = list(store.term_scores(words, timeline))
                added = np.zeros(len(timeline), np.float32)
                for at, scores in terms:
                    assert (np.diff(at) > 0).all() and (scores > 0).all()
                    added[at] += scores
                assert len(terms) == 4
                assert np.allclose(added, store.keyword(words, timeline))

    def test_the_best_matches_are_the_highest_keyword_scores(self) -> None:
        with closing(self.filled()) as store:
            store.set_vectors("chat", VECTORS[:1])  # an index has only passages with vectors
            for scope in (Scope(), Scope(recordings=("talk", "chat")), Scope(speakers=("roux",))):
                timeline = store.timeline(scope)
                for words in (["Freight margins"], ["plant zeppelin", "kelly"], ["zeppelin"], [""]):
                    scores = store.keyword(words, timeline)
                    order = np.argsort(-scores, kind="stable")[: (scores > 0).sum()]
                    for most in (2, 50):
                        rows, own = store.best_matches(words, timeline, most)
                        assert rows.tolist() == timeline.rows[order][:most].tolist(), (words, scope)
                        assert np.allclose(own, scores[order][:most])

    def test_words_that_are_said_somewhere(self) -> None:
        with closing(self.filled()) as store:
            asked = ("Freight", "margin", "zeppelin", "freight zeppelin", "", "\ud800", "freight*")
            assert store.heard(asked) == {"Freight", "margin", "freight*"}
            assert store.heard(()) == frozenset()

    def test_the_number_of_passages_with_each_term(self) -> None:
        with closing(self.filled()) as store:
            assert store.frequencies(["freight", "zeppelin", "freight"]) == {"freight": 3, "zeppelin": 0}
            assert store.frequencies([]) == {}
            store.add(recording("noise", 2), passages("noise", ("Freight, freight.",)))
            with store.snapshot() as before:
                store.remove("noise")
                assert before.frequencies(["freight"]) == {"freight": 4}
            assert store.frequencies(["freight"]) == {"freight": 3}

    def test_passages_that_contain_a_word(self) -> None:
        with closing(self.filled()) as store:
            timeline = store.timeline()
            said = timeline.rows[store.keyword(["freight"], timeline) > 0].tolist()
            assert said and store.holding("Freight", 50).tolist() == said
            assert store.holding("Freight", 1).tolist() == said[:1]
            for word in ("o'zeppelin", 'freight" OR "margin', "freight'zeppelin", "'", "", "\ud800"):
                assert store.holding(word, 50).tolist() == []

    def test_a_word_of_any_length_is_found(self) -> None:
        long, longer = "x" * 40_000, "x" * 40_001
        with closing(self.filled()) as store:
            store.add(recording("noise", 2), passages("noise", (f"{long} {longer} {long}", longer)))
            timeline = store.timeline()
            for word, times in ((long, [2, 0]), (longer, [1, 1])):
                found = store.keyword([word], timeline)[-2:] > 0
                assert found.tolist() == [count > 0 for count in times]
            assert store.keyword([long], timeline)[-2] > store.keyword([longer], timeline)[-2]
            assert store.heard([long, long[:39_000]]) == {long}
            assert store.remove("noise") and not store.heard([long])

    def test_words_asked_for_are_never_syntax(self) -> None:
        with closing(self.filled()) as store:
            timeline = store.timeline()
            plain = store.keyword(["freight"], timeline)
            for text in ('"freight"', "freight*", "(freight)", "^freight", "text:freight", "-freight"):
                assert np.array_equal(store.keyword([text], timeline), plain), text
            for text in ('"', "'", "*", "\x00", "", " ", "NEAR(", ")", "%", "\ud800"):
                assert not store.keyword([text], timeline).any(), repr(text)
            assert store.keyword(["freight " * 20_000], timeline).any()
