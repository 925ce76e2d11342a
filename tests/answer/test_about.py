"""What an answer must speak to, where only the words of some people are looked at."""

import pytest

from onrecord.answer.extract import Extractive
from onrecord.models.double import HashingEmbedder
from onrecord.retrieve import Tools
from onrecord.stores.memory import MemoryStore
from onrecord.strategies import AUTO
from onrecord.types import Answer, Details, Passage, Question, Recording

SAID = (
    "Our dealers asked us not to raise prices this year.",
    "The tariff on frames took three points of margin.",
    "We opened three workshops in the spring and two more after it.",
)


@pytest.fixture
def tools() -> Tools:
    store, embedder = MemoryStore(), HashingEmbedder()
    passages = [Passage("talk", at, text, "Ann Bell") for at, text in enumerate(SAID)]
    recording = Recording("talk", "t", "", "test", Details("Talk"), len(SAID), speakers=("Ann Bell",))
    store.add(recording, passages, (), embedder.embed([p.spoken for p in passages]))
    return Tools(store, embedder)


def ask(text: str, tools: Tools) -> Answer:
    return Extractive().answer(AUTO.retrieve(Question(text), tools), tools)


def test_a_speaker_who_says_nothing_of_it_has_not_answered(tools: Tools) -> None:
    assert ask("What did Ann Bell say about dealers and prices?", tools).verdict == "answered"
    helmets = ask("What did Ann Bell say about helmets?", tools)
    assert helmets.verdict != "answered" and "helmets" in helmets.notes[0]
