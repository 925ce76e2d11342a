"""Tests that the graph counts what recordings add, and removes it with them."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from typing import Any

from onrecord.errors import NotFoundError
from onrecord.stores.contract.world import World, passages, recording, refused
from onrecord.stores.graph.base import GraphSnapshot
from onrecord.types.graph import MODEL, Alias, Entity, Knowledge, Mention, NameAt, Relation

KEYS = ("freight", "lyon", "brendan kelly", "kelly", "margin")


def knowledge(name: str) -> Knowledge:
    """Return the knowledge that a recording of the contract's world adds, for its three passages."""

    def mention(key: str, at: int, begin: int, name_: str, kind: str, rule: str) -> Mention:
        speaker = ("Brendan Kelly", "Amélie Roux")[at % 2]
        return Mention(key, name, at, begin, begin + len(name_), name_, kind, rule, speaker)

    mentions = (
        mention("brendan kelly", 0, 0, "Brendan Kelly", "person", "speaker"),
        mention("freight", 0, 21, "freight", "concept", "phrase"),
        mention("freight", 0, 40, "freight", "concept", "phrase"),
        mention("margin", 0, 0, "Margins", "concept", "phrase"),
        mention("lyon", 1, 17, "Lyon", "place", "name"),
        mention("kelly", 1, 30, "Kelly", "person", "person"),
        mention("margin", 2, 10, "margins", "concept", "phrase"),
    )
    causes = Relation("freight", "causes", "margin", name, 0, 0, 28, "Brendan Kelly")
    read = Relation("lyon", "part of", "kelly", name, 1, 17, 35, "Amélie Roux", MODEL)
    aliases = (Alias("kelly", "brendan kelly", 0.95, "part of the name", name),)
    return Knowledge(mentions, (causes, read), aliases, False, (1,))


def graph_of(graph: GraphSnapshot, recordings: tuple[str, ...] = ("call", "talk", "chat")) -> list[Any]:
    """Return the results of all queries to a graph."""
    places = [(name, at) for name in recordings for at in range(3)]
    return [
        sorted(graph.entities(KEYS).items()),
        graph.mentions([(key, "") for key in KEYS]),
        graph.mentioned(places),
        graph.shared(["lyon", "margin"], ["kelly", "freight"], 9),
        graph.names_in(places, 9),
        graph.names_of(KEYS, 9),
        graph.relations(KEYS),
        graph.aliases(KEYS, recordings),
        graph.aliases_at([(key, name) for key in KEYS for name in recordings]),
        graph.named("kelly"),
        graph.beginning("l"),
        graph.widest(1, 50),
        graph.learnt(),
        [graph.knowledge(name) for name in recordings],
    ]


class Graphing(World):
    """Tests of the graph of a store."""

    def test_what_a_recording_adds_is_counted(self) -> None:
        with closing(self.open()) as store:
            store.add(recording("call"), passages("call"), knowledge=knowledge("call"))
            store.add(recording("talk"), passages("talk"), knowledge=knowledge("talk"))
            graph = store.graph
            assert graph.entities(["freight", "nothing"]) == {
                "freight": Entity("freight", "freight", "concept", passages=2, recordings=2)
            }
            assert graph.entities(["margin"])["margin"] == Entity("margin", "Margins", "concept", 4, 2)
            assert [m.position for m in graph.mentions([("margin", "talk")])] == [0, 2]
            assert len(graph.mentions([("freight", "")])) == 4
            assert len(graph.mentions([("freight", "")], most=1)) == 1
            assert {m.entity for m in graph.mentioned([("call", 1), ("gone", 0)])} == {"lyon", "kelly"}
            assert graph.mentioned([("call", 1)])[0] == knowledge("call").mentions[4]
            assert graph.shared(["lyon"], ["kelly", "freight"], 9) == [("call", 1), ("talk", 1)]
            assert graph.shared(["kelly", "margin"], ["freight"], 9) == [("call", 0), ("talk", 0)]
            assert len(graph.shared(["lyon"], ["kelly"], 1)) == 1
            assert graph.shared(["lyon"], ["freight", "nothing"], 9) == []
            assert [r.recording for r in graph.relations(["margin"])] == ["call", "talk"]
            assert [a.recording for a in graph.aliases(["brendan kelly"])] == ["call", "talk"]
            assert [a.recording for a in graph.aliases((), ["talk"])] == ["talk"]
            assert [a.recording for a in graph.aliases(["kelly"], ["talk"])] == ["talk"]
            assert graph.aliases(["freight"], ["talk"]) == []
            assert [a.recording for a in graph.aliases_at([("kelly", "talk"), ("lyon", "call")])] == ["talk"]
            assert graph.aliases_at([("kelly", "gone"), ("brendan kelly", "call")]) == []
            assert graph.learnt(capitals=True) == {} != graph.learnt(capitals=False)
            assert [e.key for e in graph.named("kelly")] == ["brendan kelly", "kelly"]
            assert graph.named("freight") == []  # a phrase
            assert graph.beginning("l") == ["lyon"]
            assert graph.beginning("k") == ["brendan kelly", "kelly"]
            assert graph.beginning("") == sorted(KEYS)
            assert [e.key for e in graph.widest(2, 2)] == ["margin", "brendan kelly"]
            assert graph.widest(3, 2) == []
            assert graph.names_in([("call", 1)], 9) == [
                NameAt("kelly", "call", 1, 2, False),
                NameAt("lyon", "call", 1, 2, False),
            ]
            assert graph.names_in([("call", 1)], 1) == []
            assert graph.names_of(["lyon", "margin"], 9) == [
                NameAt("lyon", name, 1, 2, False) for name in ("call", "talk")
            ]
            assert graph.names_of(["lyon"], 1) == []
            assert graph.learnt() == {"call": False, "talk": False}
            learnt = graph.knowledge("call")
            assert (
                learnt is not None
                and learnt.read == (1,)
                and set(learnt.mentions) == set(knowledge("call").mentions)
            )
            assert set(learnt.relations) == set(knowledge("call").relations)
            assert graph.knowledge("gone") is None

    def test_of_many_mentions_some_are_returned(self) -> None:
        mention = knowledge("call").mentions[1]
        many = tuple(mention._replace(position=at) for at in range(4000))
        with closing(self.open()) as store:
            store.add(recording("call"), passages("call"), knowledge=Knowledge(many))
            for most in (1, 2, 50):
                assert 1 <= len(store.graph.mentions([("freight", "")], most)) <= most

    def test_a_relation_needs_a_mention_of_both_ends(self) -> None:
        known = knowledge("call")
        without_margin = tuple(mention for mention in known.mentions if mention.entity != "margin")
        with closing(self.open()) as store:
            store.add(recording("talk"), passages("talk"), knowledge=knowledge("talk"))
            store.add(recording("call"), passages("call"), knowledge=replace(known, mentions=without_margin))
            learnt = store.graph.knowledge("call")
            assert learnt is not None and learnt.relations == known.relations[1:]
            assert [r.recording for r in store.graph.relations(["freight"])] == ["talk"]

    def test_what_a_recording_added_leaves_with_it(self) -> None:
        with closing(self.open()) as store:
            empty = graph_of(store.graph)
            store.add(recording("call"), passages("call"), knowledge=knowledge("call"))
            alone = graph_of(store.graph)
            store.add(recording("talk"), passages("talk"), knowledge=knowledge("talk"))
            store.remove("talk")
            assert graph_of(store.graph) == alone
            store.add(recording("call"), passages("call"))  # changed, and without extracted knowledge
            assert graph_of(store.graph) == empty

    def test_knowledge_can_be_given_later(self) -> None:
        with closing(self.open()) as store:
            store.add(recording("call"), passages("call"), knowledge=knowledge("call"))
            alone = graph_of(store.graph)
            store.add(recording("call"), passages("call"))
            store.graph.learn("call", Knowledge())
            assert store.graph.learnt() == {"call": True}
            store.graph.learn("call", knowledge("call"))
            assert graph_of(store.graph) == alone
            refused(NotFoundError, lambda: store.graph.learn("nothing", Knowledge()))

    def test_aliases_made_by_hand_stay(self) -> None:
        by_hand = Alias("lyon", "kelly", 1.0, "a nickname")
        with closing(self.open()) as store:
            store.add(recording("call"), passages("call"), knowledge=knowledge("call"))
            store.graph.name(by_hand)
            store.graph.name(replace(by_hand, score=0.0, reason="no nickname"))
            store.remove("call")
            assert [a.score for a in store.graph.aliases(["lyon"])] == [1.0, 0.0]
            assert store.graph.aliases(["lyon"])[0] == by_hand
            assert [a.score for a in store.graph.aliases_at([("lyon", ""), ("kelly", "call")])] == [1.0, 0.0]

    def test_a_snapshot_keeps_its_graph(self) -> None:
        with closing(self.open()) as store:
            store.add(recording("call"), passages("call"), knowledge=knowledge("call"))
            with store.snapshot() as before:
                before_removal = graph_of(before.graph)
                store.remove("call")
                store.graph.name(Alias("lyon", "kelly", 1.0, "a nickname"))
                assert graph_of(before.graph) == before_removal
            assert store.graph.learnt() == {}

    def test_workspaces_do_not_see_each_others_graph(self) -> None:
        with closing(self.open()) as store, closing(self.open("other")) as other:
            empty = graph_of(other.graph)
            store.add(recording("call"), passages("call"), knowledge=knowledge("call"))
            store.graph.name(Alias("lyon", "kelly", 1.0, "a nickname"))
            assert graph_of(other.graph) == empty
            other.add(recording("call"), passages("call"), knowledge=knowledge("call"))
            mine = graph_of(store.graph)
            other.remove("call")
            assert graph_of(store.graph) == mine
