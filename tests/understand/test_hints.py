"""Hints of the user about a question replace what the planner reads from its text."""

import pytest
from plan_world import TODAY, world

from onrecord.strategies import AUTO
from onrecord.types import INTENTS, Exchange, Plan, Question, QuestionHints
from onrecord.understand.planner import plan

STORE = world()
STRATEGY_NAMES = tuple(strategy.name for strategy in AUTO.stages.branches)  # type: ignore[attr-defined]
KELLY = "What did Kelly say about copper in 2023?"


def asked(
    text: str, strategies: tuple[str, ...] = STRATEGY_NAMES, before: tuple[str, ...] = (), **hints: object
) -> Plan:
    """Return the plan for a question with hints."""
    question = Question(text, history=tuple(map(Exchange, before)), hints=QuestionHints(**hints))  # type: ignore[arg-type]
    return plan(question, STORE, TODAY, strategies=strategies)


def test_nothing_said_changes_nothing() -> None:
    """Without hints, the plan is the same."""
    assert not QuestionHints() and Question("a") == Question("a", hints=QuestionHints())
    for text in (KELLY, "Compare Kelly and Ortega on copper", "What was decided?", "Pourquoi le sel ?"):
        assert asked(text) == plan(Question(text), STORE, TODAY, strategies=STRATEGY_NAMES)


@pytest.mark.parametrize("intent", INTENTS)
def test_an_intent_takes_the_way_of_its_name(intent: str) -> None:
    """An intent selects the strategy of the same name, or else ``balanced``."""
    planned, read = asked(KELLY, intent=intent), asked(KELLY)
    assert planned.intent == intent
    assert planned.strategy == (intent if intent in STRATEGY_NAMES else "balanced")
    assert (planned.text, planned.filters, planned.entities) == (read.text, read.filters, read.entities)


def test_an_intent_stands_before_the_words_of_any_way() -> None:
    """An intent overrides the strategy that the words of the question select."""
    for text, read in (
        ("What was decided?", "acts"),
        ("Give me the full transcript of the copper talk", "full"),
        ("Which sections talk about copper?", "section"),
        ("Compare copper and salt", "comparison"),
    ):
        assert asked(text).strategy == read
        assert asked(text, intent="exploratory").strategy == "exploratory", text
        assert asked(text, intent="causal").strategy == "balanced", text


def test_a_summary_of_no_subject_is_an_overview() -> None:
    """The summary intent selects ``overview`` for questions without a subject."""
    assert asked("What is this about?", intent="summary").strategy == "overview"
    assert asked("What is this about?", intent="factual").strategy == "factual"
    assert asked("What about copper and salt?", intent="summary").strategy == "summary"


def test_a_strategy_that_is_given_stands_before_an_intent() -> None:
    """An intent cannot select a strategy that is not available."""
    assert asked(KELLY, ("direct",), intent="summary").strategy not in ("summary", "overview")


def test_an_intent_to_compare_has_sides() -> None:
    """A comparison intent splits the question into one side for each person."""
    text = "What did Kelly and Ortega say about copper?"
    planned = asked(text, intent="comparison")
    assert (planned.intent, planned.strategy, len(planned.queries)) == ("comparison", "comparison", 2)
    assert planned.relations == (("Brendan Kelly", "differs from", "Marisol Ortega"),)
    assert asked(text, intent="multi_entity").strategy == asked(text).strategy == "comparison"


def test_names_stand_in_place_of_those_read() -> None:
    """Entities in the hints replace those in the text, but the filters stay."""
    assert asked(KELLY).entities == ("Brendan Kelly",)
    planned = asked(KELLY, entities=("copper", "the strike", "tin"), intent="causal")
    assert planned.entities == ("copper", "the strike", "tin") and planned.complexity == "complex"
    assert ("copper", "causes", "the strike") in planned.relations
    assert planned.filters == asked(KELLY).filters


def test_a_language_is_that_of_its_dates_notes_and_answer() -> None:
    """A language in the hints applies to dates, notes and the answer."""
    assert asked("copper 2019").language == "en"
    planned = asked("What did Kelly say about copper in 2019?", language="fr")
    assert planned.language == "fr" and "« in 2019 »" in planned.notes[0]
    assert asked("Answer in French: what did Kelly say about copper?").language == "fr"
    assert asked("Answer in French: what did Kelly say about copper?", language="en").language == "en"


QUESTIONS = ("What did Kelly say about copper?", "And Ortega?", "How many recordings are there?")


def test_questions_are_asked_one_by_one_after_the_question() -> None:
    """Each query in the hints is a part of the plan.

    A part is planned as a follow-up of the part before it.
    """
    planned = asked("What do we know of salt?", queries=QUESTIONS)
    assert planned.queries == QUESTIONS and len(planned.parts) == 3
    first, second, third = planned.parts
    assert [filter_.value for filter_ in first.filters] == ["Brendan Kelly"]
    assert [filter_.value for filter_ in second.filters] == ["Marisol Ortega"] and "copper" in second.text
    assert third.settled and not planned.settled
    assert planned.text == "What do we know of salt?" and not planned.filters[2:]


def test_one_question_is_asked_too() -> None:
    """A single query is a part, too, even with the comparison intent."""
    planned = asked("Copper?", queries=QUESTIONS[:1], intent="comparison")
    assert planned.queries == QUESTIONS[:1] and len(planned.parts) == 1
    assert planned.parts[0].intent == "comparison"


def test_long_questions_in_one_text_are_searched_together() -> None:
    """Only short questions are split, because long ones are mostly about one thing."""
    long = "is it something about the mix of mines there that would make you more interested in buying one?"
    planned = asked(f"What would make you buy? And {long}")
    assert not planned.parts and "buy" in planned.text and "mix of mines" in planned.text


def test_questions_stand_in_place_of_those_in_the_text() -> None:
    """Queries in the hints replace the questions in the text."""
    text = "What did Kelly say about copper? How many recordings are there?"
    assert len(asked(text).parts) == 2
    assert asked(text, queries=("Why salt?", "Why tin?")).queries == ("Why salt?", "Why tin?")


def test_questions_of_a_comparison_are_its_sides() -> None:
    """If the question is a comparison, the queries are its sides, not parts."""
    sides = ("copper in the north", "copper in the south")
    for planned in (
        asked("Compare Kelly and Ortega on copper", queries=sides),
        asked("How do they see copper?", queries=sides, intent="comparison"),
        asked("Compare Kelly and Ortega", queries=sides),
    ):
        assert (planned.strategy, planned.queries, planned.parts) == ("comparison", sides, ())


def test_questions_are_asked_one_by_one_where_the_way_has_no_sides() -> None:
    """If the strategy has no sides, the queries are parts."""
    sides = ("copper in the north", "copper in the south")
    for planned in (asked("How many recordings are there?", queries=sides),):
        assert planned.queries == sides and [part.text for part in planned.parts] == list(sides)
        assert not planned.settled


def test_what_is_said_holds_for_each_question() -> None:
    """The other hints apply to each part."""
    planned = asked("Copper?", queries=QUESTIONS[:2], intent="exploratory", entities=("tin",), language="fr")
    assert {(p.intent, p.strategy, p.entities, p.language) for p in (planned, *planned.parts)} == {
        ("exploratory", "exploratory", ("tin",), "fr")
    }
