"""The subject that an answer must cover if only some speakers' words are considered."""

import pytest

from onrecord.answer.extract import Extractive
from onrecord.answer.judging import subject_asked
from onrecord.models.double import HashingEmbedder
from onrecord.retrieve import Tools
from onrecord.stores.memory import MemoryStore
from onrecord.strategies import AUTO
from onrecord.types import Answer, Details, Evidence, Filter, Moment, Passage, Plan, Question, Recording

ANN = Filter("speaker", "Ann Bell", "Ann Bell")
HALDEN = Filter("company", "Halden Cycles", "Halden")
SENTENCES = (
    "Our dealers asked us not to raise prices this year.",
    "The tariff on frames took three points of margin.",
    "We opened three workshops in the spring and two more after it.",
)


def evidence(text: str, *filters: Filter) -> Evidence:
    plan = Plan(text, "factual", "en", filters=filters) if filters else None
    return Evidence(Question(text), plan=plan)


@pytest.mark.parametrize(
    ("text", "filters", "left"),
    [
        ("What did Ann Bell say about prices?", (ANN,), "What did say about prices"),
        ("What did Ann Bell say about prices?", (), "What did Ann Bell say about prices"),
        ("What did Annabel say about Ann Bell?", (ANN,), "What did Annabel say about"),
        ("What did Ann Bell say?", (ANN,), "What did Ann Bell say"),
        ("What about Ann (x) Bell on rent?", (Filter("speaker", "A", "Ann (x) Bell"),), "What about on rent"),
        ("How much debt does Halden have?", (HALDEN,), "How much debt does have"),
        ("Why did Halden's margins fall?", (HALDEN,), "Why did margins fall"),
        ("What did Ann Bell say about Halden?", (ANN, HALDEN), "What did say about Halden"),
        ("What is Halden?", (HALDEN,), "What is Halden"),
        ("Prices in spring?", (Filter("since", "2024-03", "in spring"),), "Prices in spring"),
    ],
)
def test_who_is_asked_for_is_not_what_is_asked_about(
    text: str, filters: tuple[Filter, ...], left: str
) -> None:
    assert subject_asked(evidence(text, *filters)) == left


@pytest.fixture
def tools() -> Tools:
    store, embedder = MemoryStore(), HashingEmbedder()
    passages = [Passage("talk", at, text, "Ann Bell") for at, text in enumerate(SENTENCES)]
    recording = Recording("talk", "t", "", "test", Details("Talk"), len(SENTENCES), speakers=("Ann Bell",))
    store.add(recording, passages, (), embedder.embed([p.spoken for p in passages]))
    return Tools(store, embedder)


def ask(text: str, tools: Tools) -> Answer:
    return Extractive().answer(AUTO.retrieve(Question(text), tools), tools)


def test_a_speaker_who_says_nothing_of_it_has_not_answered(tools: Tools) -> None:
    assert ask("What did Ann Bell say about dealers and prices?", tools).verdict == "answered"
    helmets = ask("What did Ann Bell say about helmets?", tools)
    assert helmets.verdict != "answered" and "helmets" in helmets.notes[0]


@pytest.mark.parametrize("said", ["Al", "al"])
def test_the_name_of_a_speaker_is_not_cut_out_of_other_words(said: str) -> None:
    store = MemoryStore()
    first = "Alcohol is banned on the quay. It is decided." + " The ferry was late again on Monday." * 14
    lines = (first, "Kelp is cut in winter. It is decided.")
    passages = [Passage("a", at, line, "Al Berg") for at, line in enumerate(lines)]
    store.add(Recording("a", "a", "a", "t", Details(title="Port", language="en"), len(lines)), passages)
    text = f"what did {said} decide about alcohol or kelp"
    plan = Plan(text, language="en", filters=(Filter("speaker", "Al Berg", said),), act="decision")
    moments = tuple(Moment((passage,), 1.0) for passage in store.transcript("a"))
    answer = Extractive().answer(Evidence(Question(text), moments, plan=plan), Tools(store))
    assert "Alcohol is banned" in answer.text and "Kelp is cut" in answer.text
