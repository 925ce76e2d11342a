"""A small archive of invented talk, for answers that a language model writes."""

from __future__ import annotations

from collections.abc import Sequence

from onrecord.models.double import HashingEmbedder, ScriptedModel
from onrecord.models.roles import Allowance, ModelRoles
from onrecord.retrieve import Moments, Search, Smooth, Tools
from onrecord.stores.memory import MemoryStore
from onrecord.types import Details, Evidence, Moment, Passage, Question, Recording

CALL = (
    ("Operator", "Good morning and welcome. All lines are muted, and this call is being recorded for later."),
    (
        "Ann Bell",
        "Our gross margin fell to twenty-six percent. Three points of that came from the tariff on frames.",
    ),
    ("Claire Dumont", "Why did you not raise prices after the tariff?"),
    ("Ann Bell", "Our dealers asked us not to. A full shop sells less when prices rise, not more."),
    ("Bo Lund", "Electric bicycles were 38 percent of revenue. But they need batteries from two suppliers."),
)
DESK = (
    (
        "Mara Linde",
        "You are listening to the desk. Tonight we speak with a buyer of parts about an odd spring.",
    ),
    ("Mara Linde", "Why did margins fall at the bicycle makers?"),
    (
        "Bo Lund",
        "Freight doubled in August. And the tariff on frames took three points of margin in one night.",
    ),
    ("Bo Lund", "I would have sold the warehouse in spring. The harbour rents it back to you by the month."),
)


def add(store: MemoryStore, name: str, turns: Sequence[tuple[str | None, str]], **details: str) -> None:
    talk = [
        Passage(name, at, words, speaker, at * 20.0, at * 20.0 + 18.0)
        for at, (speaker, words) in enumerate(turns)
    ]
    recording = Recording(name, f"{name}.vtt", "", "webvtt", Details(**{"title": name.title(), **details}))
    store.add(recording, talk, (), HashingEmbedder().embed([p.spoken for p in talk]))


def talks(*more: tuple[str, str]) -> MemoryStore:
    """Return a store with the call and the desk; the call ends with `more`."""
    store = MemoryStore()
    add(
        store,
        "halden call",
        (*CALL, *more),
        date="2024-11-12",
        link="https://youtu.be/aB3_-xYz901",
        language="en",
    )
    add(store, "night desk", DESK, date="2024-11-14", language="en")
    return store


def tools(
    store: MemoryStore, model: ScriptedModel | None = None, calls: int = 3, roles: str = "answer check"
) -> Tools:
    """Return tools with a model in some roles."""
    taken = dict.fromkeys(roles.split(), model) if model else {}
    return Tools(store, HashingEmbedder(), roles=ModelRoles(taken, Allowance(calls=calls)))


def evidence_for(question: Question, work: Tools) -> Evidence:
    """Return the evidence for a question."""
    stages = Search() >> Smooth(forward=15, backward=15) >> Moments(words=300, floor=0.4)
    return stages(Evidence(question), work)


def whole(question: Question, work: Tools) -> Evidence:
    """Return both recordings as one moment each, the call first."""
    evidence = evidence_for(question, work)
    both = [tuple(work.store.transcript(name)) for name in ("halden call", "night desk")]
    scores = {"dense": 0.6, "lexical": 3.0}
    return evidence.with_moments(tuple(Moment(talk, 0.9, scores, peak=1) for talk in both))
