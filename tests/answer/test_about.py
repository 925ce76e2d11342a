"""What an answer must speak to, where only the words of some people are looked at."""

import pytest

from onrecord.answer.about import about, asked, nearness
from onrecord.answer.extract import Extractive
from onrecord.answer.honesty import signs
from onrecord.models.base import Calibration
from onrecord.models.double import HashingEmbedder
from onrecord.retrieve import Tools
from onrecord.retrieve.wording import Wording
from onrecord.stores.memory import MemoryStore
from onrecord.strategies import AUTO
from onrecord.types import Answer, Details, Evidence, Filter, Moment, Passage, Plan, Question, Recording

ANN = Filter("speaker", "Ann Bell", "Ann Bell")
HALDEN = Filter("company", "Halden Cycles", "Halden")
SAID = (
    "Our dealers asked us not to raise prices this year.",
    "The tariff on frames took three points of margin.",
    "We opened three workshops in the spring and two more after it.",
)


def found(text: str, *filters: Filter) -> Evidence:
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
    assert about(found(text, *filters)) == left


def test_quotes_are_chosen_for_what_is_asked_of_a_firm_or_a_speaker() -> None:
    both = found("What did Ann Bell say about the debt of Halden?", ANN, HALDEN)
    assert asked(both) == "What did Ann Bell say about the debt of"
    assert about(both) == "What did say about the debt of"
    assert (
        asked(found("What did Ann Bell say about Halden?", ANN, HALDEN))
        == "What did Ann Bell say about Halden"
    )
    assert asked(found("What did they say about prices?")) == "prices"


@pytest.fixture
def tools() -> Tools:
    store, embedder = MemoryStore(), HashingEmbedder()
    passages = [Passage("talk", at, text, "Ann Bell") for at, text in enumerate(SAID)]
    recording = Recording("talk", "t", "", "test", Details("Talk"), len(SAID), speakers=("Ann Bell",))
    store.add(recording, passages, (), embedder.embed([p.spoken for p in passages]))
    return Tools(store, embedder)


def test_nearness_is_measured_where_names_were_left_out(tools: Tools) -> None:
    moment = Moment(tuple(tools.store.transcript("talk")), 1.0)
    evidence = Evidence(Question("dealers and prices"), (moment,))
    near = nearness(evidence, "raise prices", tools)
    assert near is not None and 0 < near <= 1
    assert nearness(evidence, "dealers and prices", tools) is None
    assert nearness(Evidence(Question("q")), "prices", tools) is None
    assert nearness(evidence, "raise prices", Tools(tools.store, None)) is None


def test_closeness_is_the_mean_with_and_without_names() -> None:
    moment = Moment((Passage("r", 0, "Margins fell.", "Ann"),), 0.7, {"dense": 0.5})
    model, words = Calibration(floor=0.2, sure=0.6), Wording({"margin": 0.5})
    evidence = Evidence(Question("q"), (moment,))
    assert signs(evidence, words, model, 9).closeness == pytest.approx(0.75)
    assert signs(evidence, words, model, 9, 0.3).closeness == pytest.approx(0.5)


def test_words_count_wherever_quotes_are_chosen_from() -> None:
    moments = tuple(Moment((Passage("r", at, f"ship{at}", "Ann"),), 1.0) for at in range(12))
    for at, seen in ((0, 1.0), (7, 1.0), (8, 0.0)):
        assert signs(Evidence(Question("q"), moments), Wording({f"ship{at}": 0.5}), None, 9).coverage == seen


def ask(text: str, tools: Tools) -> Answer:
    return Extractive().answer(AUTO.retrieve(Question(text), tools), tools)


def test_a_speaker_who_says_nothing_of_it_has_not_answered(tools: Tools) -> None:
    assert ask("What did Ann Bell say about dealers and prices?", tools).verdict == "answered"
    helmets = ask("What did Ann Bell say about helmets?", tools)
    assert helmets.verdict == "nothing_found" and "helmets" in helmets.notes[0]
