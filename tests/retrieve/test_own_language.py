"""A recording in another language than the question's comes first only if it is clearly better."""

from dataclasses import replace

import pytest

from onrecord.answer.extract import Extractive
from onrecord.answer.paragraphs import remarks
from onrecord.retrieve import Tools
from onrecord.retrieve.moments.order import CLEARLY, own_language_first
from onrecord.retrieve.wording import Wording
from onrecord.stores.memory import MemoryStore
from onrecord.types import Details, Evidence, Filter, Moment, Passage, Plan, Question, Recording, Scope
from onrecord.understand.lexicon import messages_in

EVERYTHING = Scope()
TEXTS = {
    "ar": "Halden Halden Halden",
    "en": "Halden closed the harbour in May.",
    "fr": "Halden ferme le port.",
}


@pytest.fixture
def store() -> MemoryStore:
    memory = MemoryStore()
    for language, text in TEXTS.items():
        details = Details(title=f"Talk {language}", language=language)
        memory.add(
            Recording(language, f"{language}.txt", "", "text", details), [Passage(language, 0, text, "Ann")]
        )
    return memory


def evidence_of(
    store: MemoryStore, language: str | None = "en", scope: Scope = EVERYTHING, **scores: float
) -> Evidence:
    moments = tuple(
        Moment(tuple(store.transcript(name)), score, {"dense": score}) for name, score in scores.items()
    )
    plan = Plan("What did Halden close?", language=language) if language else None
    return Evidence(Question("What did Halden close?", scope), moments, plan=plan)


def order(evidence: Evidence) -> list[str]:
    return [moment.recording for moment in evidence.moments]


def test_what_is_hardly_better_in_another_language_comes_after(store: MemoryStore) -> None:
    evidence = own_language_first(evidence_of(store, ar=0.332, fr=0.331, en=0.330), store)
    assert order(evidence) == ["en", "ar", "fr"] and "language" in evidence.trace[-1].note


@pytest.mark.parametrize(
    "evidence",
    [
        {"ar": 0.5, "en": 0.5 * CLEARLY - 0.01},
        {"ar": 0.332, "fr": 0.331},
        {"en": 0.332, "ar": 0.331},
        {"ar": 0.332, "en": 0.331, "language": None},
        {"ar": 0.332, "en": 0.331, "scope": Scope(languages=("ar", "en"))},
    ],
    ids=str,
)
def test_else_the_order_stays(store: MemoryStore, evidence: dict) -> None:
    before = evidence_of(store, **evidence)
    assert own_language_first(before, store) == before


def test_reading_order_begins_with_it(store: MemoryStore) -> None:
    before = evidence_of(store, ar=0.332, en=0.330)
    ranked = tuple(replace(m, scores={"rank": float(at)}) for at, m in enumerate(before.moments))
    evidence = own_language_first(before.with_moments(ranked), store)
    assert order(evidence) == ["en", "ar"] and [m.scores["rank"] for m in evidence.moments] == [0, 1]


def test_an_answer_that_begins_in_another_language_says_so(store: MemoryStore) -> None:
    tools = Tools(store)
    answer = Extractive().answer(evidence_of(store, ar=3.0, en=0.1), tools)
    assert answer.citations[0].recording.id == "en" or any("Arabic" in note for note in answer.notes)
    other = replace(evidence_of(store, "fr", en=3.0, fr=0.1), question=Question("Halden harbour May closed"))
    answer = Extractive().answer(other, tools)
    assert answer.citations[0].recording.id == "en"
    assert any("The first quote is in English" in note for note in answer.notes)


def notes_on(evidence: Evidence, store: MemoryStore, verdict: str = "answered") -> list[str]:
    """Return the notes on the language of the quotes in an answer of quotes with this verdict."""
    tools = Tools(store)
    answer = replace(Extractive().answer(evidence, tools), verdict=verdict)
    assert answer.citations
    notes = remarks(answer, Wording({}), store.timeline(), 0, tools, messages_in("en"))
    return [note for note in notes if "in French" in note]


def asking(evidence: Evidence, text: str, *filters: Filter) -> Evidence:
    """Return evidence with another question, and with conditions in its plan."""
    assert evidence.plan
    question = replace(evidence.question, text=text)
    return replace(evidence, question=question, plan=replace(evidence.plan, text=text, filters=filters))


FIRST = "The first quote is in French: nothing in the language of the question is as close."
NEAREST = "The nearest passages are in French: a question in that language may find more."


def test_whatever_the_evidence_holds_another_language_is_reported_once(store: MemoryStore) -> None:
    alone = asking(evidence_of(store, fr=3.0), "What did Halden say of le port?")
    beside = asking(evidence_of(store, fr=3.0, ar=0.1), "What did Halden say of le port?")
    assert notes_on(alone, store) == notes_on(beside, store) == [FIRST]
    assert notes_on(beside, store, "low_relevance") == [FIRST]
    assert notes_on(alone, store, "low_relevance") == [NEAREST]


@pytest.mark.parametrize(
    ("text", "filters", "scope"),
    [
        ("What did Halden say in French?", (Filter("language", "fr", "French"),), EVERYTHING),
        ("What was said in Talk fr of Halden?", (Filter("recording", "fr", "Talk fr"),), EVERYTHING),
        ("What did Halden say of le port?", (), Scope(recordings=("fr",))),
        ("Halden port", (), EVERYTHING),  # no word shows the language of the question
        ("Que ferme Halden, le port ou la gare ?", (), EVERYTHING),  # asks for an English answer, in French
    ],
)
def test_no_language_is_reported_that_was_asked_for(
    store: MemoryStore, text: str, filters: tuple[Filter, ...], scope: Scope
) -> None:
    evidence = asking(evidence_of(store, scope=scope, fr=3.0), text, *filters)
    assert not [note for note in notes_on(evidence, store) if "first quote" in note]
