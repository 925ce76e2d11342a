"""Of a passage of several voices only who was asked for is quoted."""

from onrecord.answer.extract import Extractive
from onrecord.models.double import HashingEmbedder
from onrecord.retrieve import Tools
from onrecord.stores.memory import MemoryStore
from onrecord.strategies import BALANCED
from onrecord.types import Details, Passage, Question, Recording, Scope

HERS = "Tariffs on copper are a step for everybody who smelts it."
HIS = "A slope is what I see in tariffs, and it goes on for years."


def quoted(*speakers: str) -> set[str | None]:
    """Who is quoted on tariffs, where these speakers are asked for."""
    store, embedder = MemoryStore(), HashingEmbedder()
    text = f"{HERS} {HIS}"
    passage = Passage("talk", 0, text, "Bo", voices=((0, "Ann"), (len(HERS) + 1, "Bo")))
    recording = Recording("talk", "t", "t", "test", Details(), 1, speakers=("Ann", "Bo"))
    store.add(recording, [passage], vectors=embedder.embed([passage.spoken]))
    tools = Tools(store, embedder)
    evidence = BALANCED.retrieve(Question("tariffs on copper", Scope(speakers=speakers)), tools)
    return {citation.speaker for citation in Extractive().answer(evidence, tools).citations}


def test_anybody_is_quoted_where_nobody_is_named() -> None:
    assert "Ann" in quoted()


def test_only_who_was_asked_for_is_quoted() -> None:
    assert quoted("Bo") == {"Bo"}
    assert quoted("ann") == {"Ann"}
