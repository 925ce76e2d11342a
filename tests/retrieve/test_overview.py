"""An overview of everything in scope."""

from dataclasses import replace

from worlds import EMBEDDER, places, tools_of

from onrecord.retrieve import Overview, Tools
from onrecord.stores.memory import MemoryStore
from onrecord.types import Details, Evidence, Passage, Question, Recording, Scope, Section

ASKED = Evidence(Question("what is this about?"))


def judged(importance: list[float], sections: list[Section]) -> Tools:
    """Return tools with one recording whose passages have these importances."""
    store = MemoryStore()
    inner = [next((s.title for s in sections[::-1] if s.first <= at <= s.last), None) for at in range(9)]
    passages = [
        Passage("talk", at, f"passage {at} has five words", section=inner[at], importance=worth)
        for at, worth in enumerate(importance)
    ]
    store.add(Recording("talk", "t", "t", "test", Details(), len(passages)), passages, sections)
    return Tools(store, EMBEDDER)


def test_what_says_most_comes_in_order_of_talk() -> None:
    evidence = Overview(words=10).run(ASKED, judged([0.8, 0.1, 0.3, 0.2, 0.9, 0.1], []))
    assert places(evidence.moments) == [("talk", [0]), ("talk", [4])]
    assert [moment.scores["rank"] for moment in evidence.moments] == [1, 0]


def test_advertisements_are_left_out_unless_there_is_nothing_else() -> None:
    whole, paid = Section("Transcript", first=0, last=3), Section("Acme", first=0, last=1, under="Transcript")
    paid = replace(paid, kind="advertisement")
    weighed = [0.9, 0.9, 0.1, 0.2]
    evidence = Overview(words=15).run(ASKED, judged(weighed, [whole, paid]))
    assert places(evidence.moments) == [("talk", [2]), ("talk", [3])]
    only = Overview(words=15).run(ASKED, judged(weighed, [replace(paid, last=3, under=None)]))
    assert places(only.moments)[0] == ("talk", [0])


def test_recordings_take_turns_within_the_budget() -> None:
    tools = tools_of({name: [f"{name} {at} of this" for at in range(5)] for name in "abcdef"})
    evidence = Overview(words=12, recordings=3).run(ASKED, tools)
    assert [moment.recording for moment in evidence.moments] == ["a", "c", "f"]


def test_without_judgement_or_vectors_length_stands_in() -> None:
    tools = tools_of({"one": ["short", "a passage of a few more words"]}, vectors=False)
    evidence = Overview(words=7).run(ASKED, tools)
    assert places(evidence.moments) == [("one", [1])]


def test_a_scope_is_kept_to_and_an_empty_one_borne() -> None:
    tools = tools_of({"one": ["here"], "two": ["there"]})
    only = replace(ASKED, question=Question("overview", Scope(recordings=("two",))))
    assert [moment.recording for moment in Overview().run(only, tools).moments] == ["two"]
    nothing = replace(ASKED, question=Question("overview", Scope(speakers=("nobody",))))
    assert Overview().run(nothing, tools).moments == ()
