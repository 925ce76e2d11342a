"""Suggested follow-up questions come from the evidence beside the quotes."""

from dataclasses import replace

import pytest

from onrecord.answer.conversation import MOST, follow_ups
from onrecord.stores.memory import MemoryStore
from onrecord.types import (
    Answer,
    Citation,
    Details,
    Evidence,
    Moment,
    Passage,
    Plan,
    Question,
    Recording,
    Scope,
    Section,
)

ASKED = "Why did margins fall?"
PASSAGES = (
    ("call", "Ann", "Costs", "Margins fell as freight costs rose."),
    ("call", "Bob", "Costs", "Freight took two points of margin in one summer."),
    ("call", "Cy", "Outlook", "We expect the margin to recover in spring."),
    ("desk", "Dee", "Costs", "Makers told us that freight ate their margin."),
)


@pytest.fixture
def store() -> MemoryStore:
    store = MemoryStore()
    for name in ("call", "desk"):
        talk = [
            Passage(name, at, text, who, section=section)
            for at, (who, section, text) in enumerate((w, s, t) for r, w, s, t in PASSAGES if r == name)
        ]
        sections = [Section(title, first=0, last=0) for title in {p.section or "" for p in talk}]
        details = Details(title=f"The {name}")
        store.add(Recording(name, name, name, "made", details, len(talk)), talk, sections)
    return store


def answer(
    store: MemoryStore, scores: tuple[float, ...] = (1.0, 0.9, 0.8, 0.7), **scope: tuple[str, ...]
) -> Answer:
    """Return an answer that quotes the first passage; `scores` are the scores of all passages."""
    passages = store.passages(store.timeline().rows)
    moments = tuple(Moment((p,), score) for p, score in zip(passages, scores, strict=True) if score)
    evidence = Evidence(Question(ASKED, Scope(**scope)), moments, plan=Plan(ASKED, language="en"))
    recording = store.recording("call")
    assert recording
    first = passages[0]
    quoted = Citation(1, recording, first.text, (first,), first.speaker, None, None, None, 0.9)
    return Answer(ASKED, "", "", "answered", (quoted,), evidence)


def test_who_and_what_was_found_beside_is_asked(store: MemoryStore) -> None:
    questions = follow_ups(answer(store), store)
    assert [(f.text, f.scope) for f in questions] == [
        ("What does Bob say about this?", Scope(speakers=("Bob",))),
        ("What does Cy say about this?", Scope(speakers=("Cy",))),
        ("What is said in The desk?", Scope(recordings=("desk",))),
    ]
    assert {f.question for f in questions} == {ASKED} and len(questions) == MOST


def test_sections_are_asked_where_one_recording_is_quoted(store: MemoryStore) -> None:
    last = follow_ups(answer(store, (1.0, 0.9, 0.8, 0.0), speakers=("Ann",)), store)[-1]
    assert last.text == "What is said in “Outlook”?"
    assert last.scope == Scope(recordings=("call",), sections=("Outlook",))


def test_what_speaks_little_to_the_question_is_not_asked(store: MemoryStore) -> None:
    questions = follow_ups(answer(store, (1.0, 0.0, 0.3, 0.2)), store)
    assert [f.text for f in questions] == [
        "What does Cy say about this?"
    ]  # half of the moments of the call are Cy's


@pytest.mark.parametrize(
    ("named", "kinds"),
    [
        ({"speakers": ("Ann",)}, {"recordings", "sections"}),
        ({"recordings": ("call",)}, {"speakers", "sections"}),
        ({"sections": ("Costs",)}, {"speakers", "recordings"}),
    ],
)
def test_what_the_question_names_is_left_alone(
    store: MemoryStore, named: dict[str, tuple[str, ...]], kinds: set[str]
) -> None:
    questions = follow_ups(answer(store, (1.0, 0.9, 0.0, 0.7), **named), store)
    asked = {
        kind for f in questions for kind in ("speakers", "recordings", "sections") if getattr(f.scope, kind)
    }
    assert asked <= kinds and asked


def test_nothing_is_asked_where_nothing_is_quoted(store: MemoryStore) -> None:
    assert follow_ups(replace(answer(store), citations=()), store) == ()


def test_french_questions_are_followed_in_french(store: MemoryStore) -> None:
    first_answer = answer(store)
    first_answer = replace(
        first_answer, evidence=replace(first_answer.evidence, plan=Plan(ASKED, language="fr"))
    )
    assert [f.text for f in follow_ups(first_answer, store)][1:] == [
        "Qu'en dit Cy ?",
        "Qu'en dit-on dans The desk ?",
    ]


def test_a_recording_that_is_gone_is_not_asked(store: MemoryStore) -> None:
    first_answer = answer(store)
    store.remove("desk")
    assert all(f.scope.recordings != ("desk",) for f in follow_ups(first_answer, store))
    store.remove("call")
    assert all(not f.scope.speakers for f in follow_ups(first_answer, store))


def test_a_name_stays_on_its_line(store: MemoryStore) -> None:
    made = answer(store)
    hostile = replace(made.evidence.moments[1].passages[0], speaker="Eve\n\x1b[31m  Bad")
    moments = (made.evidence.moments[0], Moment((hostile,), 0.9))
    made = replace(made, evidence=replace(made.evidence, moments=moments))
    assert follow_ups(made, store)[0].text == "What does Eve [31m Bad say about this?"


@pytest.mark.parametrize(
    ("scores", "texts"),
    [
        ((0.1, 0.2, 0.9, 0.4), ["What is said in “Outlook”?", "What is said in “Costs”?"]),
        ((0.8, 0.9, 0.1, 0.1), ["What is said in “Costs”?"]),
        ((0.0, 0.0, 0.0, 0.0), ["What is said in “Costs”?", "What is said in “Outlook”?"]),
    ],
)
def test_where_nothing_answers_sections_of_the_nearest_passages_are_offered(
    scores: tuple[float, ...], texts: list[str], store: MemoryStore
) -> None:
    """Other sections are offered only if nothing is near, so that not every refusal offers the same."""
    refused = replace(answer(store, scores), verdict="nothing_found", citations=())
    offered = [each.text for each in follow_ups(refused, store)]
    assert (offered if any(scores) else sorted(offered)) == texts
