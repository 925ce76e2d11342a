"""Whose doing is shown where a question asks for that of a group: listeners, guests, analysts, a CFO."""

import pytest

from onrecord.answer.extract import Extractive
from onrecord.models.double import HashingEmbedder
from onrecord.retrieve import Tools
from onrecord.stores.memory import MemoryStore
from onrecord.strategies import AUTO
from onrecord.types import Answer, Details, Passage, Question, Recording, Section

SHOW = (
    ("Vera Holm", "Welcome back. Olaf, how do you keep bees alive through a winter as wet as this one?"),
    ("Olaf Brun", "You should leave them half of the honey. I recommend a roof of slate."),
    (
        "Vera Holm",
        "I would recommend a warm coat. A listener, Pia from Bergen, asks whether wasps are useful.",
    ),
    ("Olaf Brun", "They are. Someone asked me that on the ferry."),
    ("Caller", "Do bees sleep on the wing? My neighbour complains about the noise."),
    ("Olaf Brun", "They do not, and I'm fed up with that rumour."),
)
SECOND = (
    ("Vera Holm", "Today we talk about moss with Ines Prado. Why does it grow on the north side?"),
    ("Ines Prado", "It does not. I'd advise everybody to look at the south side too."),
)
CALL = (
    ("Dirk Moser", "Sales of roof slate rose by four percent and the quarries are full of work this year."),
    ("Lea Winter", "Costs rose by two percent, and we plan to repay the loan before March."),
    ("Operator", "The first question comes from Nils Aas of Fjord Bank."),
    ("Nils Aas", "How large is the loan in total?"),
    ("Lea Winter", "It is nine million."),
    ("Nils Aas", "And when does the second quarry open its gates?"),
    ("Operator", "One moment."),
    ("Dirk Moser", "In the spring."),
    ("Nils Aas", "Is the port ready, Lea, or is it still frozen?"),
    ("Dirk Moser", "It is ready."),
)
QUARREL = (
    ("Ana Bello", "A toll on the bridge keeps the lorries out of our streets."),
    ("Karl Voss", "I disagree, Ana, a toll ruins the bakers on the far side."),
    ("Ida Funk", "The bakers cross it once a week."),
    ("Karl Voss", "I agree with you there."),
)


def kept(store: MemoryStore, name: str, lines: tuple[tuple[str, str], ...], details: Details) -> None:
    passages = [
        Passage(name, at, text, speaker, at * 10.0, at * 10.0 + 9) for at, (speaker, text) in enumerate(lines)
    ]
    sections = [Section("Questions", first=2, last=9, kind="qa")] if name == "call" else []
    recording = Recording(name, name, name, "test", details).counted(passages)
    store.add(recording, passages, sections, HashingEmbedder().embed([p.text for p in passages]))


@pytest.fixture(scope="module")
def tools() -> Tools:
    store = MemoryStore()
    host = {"host": "Vera Holm"}
    kept(store, "bees", SHOW, Details("Bees", language="en", attributes={**host, "guest": "Olaf Brun"}))
    kept(store, "moss", SECOND, Details("Moss", language="en", attributes={**host, "guest": "Ines Prado"}))
    offices = {"chief executive officer": "Dirk Moser", "cfo": "Lea Winter"}
    kept(store, "call", CALL, Details("A call", language="en", attributes=offices))
    kept(store, "quarrel", QUARREL, Details("The toll", language="en"))
    return Tools(store, HashingEmbedder())


def answer(text: str, tools: Tools) -> Answer:
    return Extractive(10, 400, outline=True).answer(AUTO.retrieve(Question(text), tools), tools)


def told(found: Answer) -> str:
    return " ".join(citation.quote for citation in found.citations) if found.verdict == "answered" else ""


@pytest.mark.parametrize(
    ("question", "speakers", "words"),
    [
        ("What did listeners ask?", {"Vera Holm", "Caller"}, ["Pia from Bergen", "sleep on the wing"]),
        ("What did callers complain about?", {"Caller"}, ["complains about the noise"]),
        ("What did the guests recommend?", {"Olaf Brun", "Ines Prado"}, ["slate", "south side"]),
        ("What did the hosts recommend?", {"Vera Holm"}, ["warm coat"]),
        ("What did the analysts ask?", {"Nils Aas"}, ["the loan", "second quarry", "the port"]),
        ("What did the analysts ask the CFO?", {"Nils Aas"}, ["the loan", "the port"]),
        ("What did the analysts ask Dirk Moser?", {"Nils Aas"}, ["second quarry"]),
        ("What did Nils ask the chief executive?", {"Nils Aas"}, ["second quarry"]),
        ("Que recommandent les invités ?", {"Olaf Brun", "Ines Prado"}, ["slate", "south side"]),
    ],
)
def test_only_those_of_the_group_are_quoted(
    question: str, speakers: set[str], words: list[str], tools: Tools
) -> None:
    found = answer(question, tools)
    assert found.verdict == "answered" and all(word in told(found) for word in words)
    assert {citation.speaker for citation in found.citations} == speakers
    assert not any("could be" in note for note in found.notes)


def test_what_is_asked_of_one_is_not_shown_as_asked_of_another(tools: Tools) -> None:
    assert "second quarry" not in told(answer("What did the analysts ask the CFO?", tools))
    assert "the loan" not in told(answer("What did the analysts ask Dirk Moser?", tools))


def test_somebody_in_the_talk_is_no_listener(tools: Tools) -> None:
    heard = told(answer("What did listeners ask?", tools))
    assert "on the ferry" not in heard and "How large" not in heard and "wet as this" not in heard


def test_where_nobody_of_the_group_does_it_that_is_said(tools: Tools) -> None:
    found = answer("What did viewers promise?", tools)
    assert found.verdict == "low_relevance" and found.heading.startswith("Of “viewers”, nobody is known")
    french = answer("Que promettent les auditeurs ?", tools).evidence
    assert (
        Extractive(10, 400, outline=True)
        .answer(french, tools, "fr")
        .heading.startswith("De « les auditeurs »")
    )


def test_who_a_group_is_is_said_to_be_unknown_where_nothing_tells() -> None:
    store = MemoryStore()
    kept(store, "bees", SHOW, Details("Bees", language="en"))
    found = answer("What did the guests recommend?", Tools(store, HashingEmbedder()))
    assert found.verdict == "answered" and found.evidence.plan is not None
    assert found.evidence.plan.notes == ('Who "the guests" means is not told by the recordings.',)


@pytest.mark.parametrize(
    "question", ["Does Ana Bello agree with Karl Voss?", "Does Ana Bello agree with Karl Voss on the toll?"]
)
def test_of_two_who_may_agree_what_one_says_to_the_other_is_quoted(question: str, tools: Tools) -> None:
    found = answer(question, tools)
    assert found.citations[0].speaker == "Karl Voss" and "I disagree, Ana" in found.citations[0].quote
    assert "I agree with you there" not in told(found)
