"""Texts that ask several questions are taken apart, letters understood at what they ask; no others are."""

from collections.abc import Sequence
from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plan_world import TODAY, world

from onrecord.retrieve.plan import plan
from onrecord.retrieve.plan.letters import question_of
from onrecord.retrieve.plan.several import several
from onrecord.types import Exchange, Plan, Question, Scope

WORLD = world()
WAYS = ("balanced", "factual", "overview", "acts", "summary", "comparison", "exploratory", "section")


def asked(text: str, *before: str, **scope: object) -> Plan:
    history = tuple(Exchange(turn) for turn in before)
    return plan(Question(text, Scope(**scope), history), WORLD, TODAY, strategies=WAYS)  # type: ignore[arg-type]


def always(turns: Sequence[str]) -> bool:
    return True


def never(turns: Sequence[str]) -> bool:
    return False


def told(each: Plan) -> tuple[object, ...]:
    return each.text, each.intent, each.filters, each.strategy, each.act, each.facts, each.notes


# ---------------------------------------------------------------- several questions


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "What was decided?? Who has to do what?? How many episodes are there??",
            ("What was decided?", "Who has to do what?", "How many episodes are there?"),
        ),
        (
            "What does Kelly say about copper? How long is Slow Signals 4?",
            ("What does Kelly say about copper?", "How long is Slow Signals 4?"),
        ),
        (
            "What did Kelly say about tariffs? How does Priya Raman see tariffs?",
            ("What did Kelly say about tariffs?", "How does Priya Raman see tariffs?"),
        ),
        (
            "1. Who speaks in Slow Signals 4?\n2. Why does bread rise?\n3. Which banks are there?",
            ("Who speaks in Slow Signals 4?", "Why does bread rise?", "Which banks are there?"),
        ),
        (
            "- What was decided\n- Which risks were mentioned",
            ("What was decided", "Which risks were mentioned"),
        ),
        (
            "What did Kelly say about rates? And why? How many recordings are there?",
            ("What did Kelly say about rates? And why?", "How many recordings are there?"),
        ),
        (
            "Qu'est-ce qui a été décidé ? Combien d'épisodes y a-t-il ?",
            ("Qu'est-ce qui a été décidé ?", "Combien d'épisodes y a-t-il ?"),
        ),
        (
            "Can you tell me who speaks in Slow Signals 4? Summarize the talk on typed Python?",
            ("Can you tell me who speaks in Slow Signals 4?", "Summarize the talk on typed Python?"),
        ),
        (
            "Summarize Slow Signals 4. Summarize Slow Signals 5.",
            ("Summarize Slow Signals 4.", "Summarize Slow Signals 5."),
        ),
        ("Two things: what was decided? What is rising?", ("what was decided?", "What is rising?")),
        ("Two questions: What was decided? What is rising?", ("What was decided?", "What is rising?")),
        (
            "Hello! What was decided? Thanks. How many recordings are there? Thank you!",
            ("What was decided?", "How many recordings are there?"),
        ),
        (
            "Please answer: what was decided? And how many recordings are there?",
            ("what was decided?", "And how many recordings are there?"),
        ),
        (
            "What I need to know:\n1) What was decided?\n2) How many recordings are there?",
            ("What was decided?", "How many recordings are there?"),
        ),
    ],
)
def test_each_question_is_planned_as_it_is_alone(text: str, parts: tuple[str, ...]) -> None:
    made = asked(text)
    assert made.queries == parts
    assert [told(part) for part in made.parts] == [told(asked(part)) for part in parts]
    assert {found for part in made.parts for found in part.filters} == {*made.filters}
    assert made.scope == Scope() and made.text == text
    assert made.settled == all(part.settled for part in made.parts)


@pytest.mark.parametrize(
    "text",
    [
        "What did Kelly say about rates and why?",
        "What did Kelly say about rates? And why?",
        "What did Kelly say about copper? How does he explain it?",
        "What is the cost? What is a normal bootcamp cost?",
        "What did Kelly promise? Was that kept by the ports?",
        "How do you test that? Would you do so again?",
        "How do we get there? Which tools should we buy?",
        "What happened to the ports in spring? Freight doubled in August. Who paid for the freight?",
        "What fell? Why?",
        "How many episodes are there?",
        "Why? Why? Why?",
        "The ports were closed. Who paid for the freight? What does copper cost?",
        "What did J. Who say? What does copper. What?",
        "Compare Kelly and Priya; what about copper?",
        " ".join(f"What is said of harbour {n}?" for n in "one two three four five six".split()),
        "What was said about copper? " + "Which of the ports " + "and the quays " * 12 + "were closed?",
    ],
)
def test_what_belongs_together_stays_one(text: str) -> None:
    assert not asked(text).parts


def test_questions_of_several_lean_on_what_was_before_as_each_would() -> None:
    before = "What does Priya Raman say about tariffs?"
    made = asked("What does Kelly say about ports? How many recordings are there?", before)
    assert [told(part) for part in made.parts] == [told(asked(one, before)) for one in made.queries]


@pytest.mark.parametrize(
    "parts",
    [
        ("Who speaks in Slow Signals 4?", "What is it about?"),
        ("Summarize Slow Signals 4.", "How long is it?", "Who speaks in it?"),
        ("How many recordings are there?", "Which is the longest?"),
        ("Qui parle dans Slow Signals 4 ?", "De quoi ça parle ?"),
        ("What did Kelly say about tariffs?", "And what did Priya Raman say about ports?"),
        ("What was decided?", "And who has to do what?"),
        ("Qu'a dit Camille Lefèvre du sel ?", "Et qu'a dit Hélène Dufour des marées ?"),
    ],
)
def test_one_may_go_on_from_the_other(parts: tuple[str, ...]) -> None:
    made = asked(" ".join(parts))
    assert made.queries == parts
    for at, part in enumerate(made.parts):
        assert told(part) == told(asked(parts[at], *parts[:at]))


def test_a_follow_up_leans_on_the_last_of_several() -> None:
    both = "How many recordings are there? What does Kelly say about tariffs?"
    first, last = asked(both).queries
    follow = asked("And Priya?", both)
    assert told(follow) == told(asked("And Priya?", first, last))
    assert [found.value for found in follow.filters] == ["Priya Raman"] and "tariffs" in follow.text


def test_options_hold_for_each() -> None:
    made = asked("What does Kelly say about ports? Who speaks here?", recordings=("ss-4",))
    assert all(part.scope.recordings == ("ss-4",) for part in made.parts) and len(made.parts) == 2


@given(
    st.lists(
        st.sampled_from(["What was decided?", "Who?", "and why?", "- Which banks are there", "?", "It."])
    )
)
def test_no_question_is_lost(pieces: list[str]) -> None:
    text = "\n".join(pieces)
    parts = several(text, always, never)
    assert len(parts) != 1
    if parts:
        assert "".join(part.text for part in parts).replace(" ", "") == text.replace("- ", "").replace(
            "\n", ""
        ).replace(" ", "")


@given(st.text("What was decided?!., \n-1Whoé", max_size=120))
def test_anything_can_be_asked(text: str) -> None:
    assert all(part.text.strip() for part in several(question_of(text), never, never))


# ---------------------------------------------------------------- letters

LETTERS = (
    (
        "Hi all, I missed the call on Monday. Could you check what was said about copper? Thanks, Tom",
        "What was said about copper?",
    ),
    ("Hi all,\n\ncould you check what was said about copper?\n\nThanks,\nTom", "What was said about copper?"),
    (
        "Dear Ms Bell,\nWhat did Kelly say about copper?\nKind regards,\nTom Reed",
        "What did Kelly say about copper?",
    ),
    ("Hello Tom,\nwhat did Mr. Kelly say about ports?\nBest, Eva", "What did Mr. Kelly say about ports?"),
    ("What did Kelly say about copper? Thanks in advance, Tom", "What did Kelly say about copper?"),
    (
        "Bonjour à tous,\nje suis loin. Pourriez-vous me dire ce qui a été décidé ?\nMerci d'avance,\nLéa",
        "Qu'est-ce qui a été décidé ?",
    ),
)


@pytest.mark.parametrize(("letter", "question"), LETTERS)
def test_a_letter_is_understood_at_its_question(letter: str, question: str) -> None:
    got, alone = asked(letter), asked(question)
    assert told(got)[1:] == told(alone)[1:]
    assert got.text.casefold() == alone.text.casefold()
    assert got.language == alone.language


def test_a_letter_may_ask_several_questions() -> None:
    made = asked(
        "Hello everyone,\nI was away in March. Can someone tell me what was decided? And how many episodes "
        "are there? Best wishes, Tom"
    )
    assert made.queries == ("what was decided?", "how many episodes are there?")
    assert made.parts[0].act == "decision" and made.parts[1].settled


@pytest.mark.parametrize(
    "text",
    [
        "Hi, good morning. Thanks for taking my question. How do you see freight?",
        "Hello, what did Kelly say about copper?",
        "What did they say about thanks?",
        "What did Kelly say about copper? Thanks!",
        "Dear Ms Bell, the song: what is said of it?",
        "best regards",
    ],
)
def test_what_is_no_letter_stays_as_it_is(text: str) -> None:
    assert question_of(text) == text


def test_what_the_question_leans_on_is_kept() -> None:
    letter = "Hi all, I listened to Slow Signals 4. What does Kelly say in it? Thanks, Tom"
    assert question_of(letter) == "I listened to Slow Signals 4. What does Kelly say in it?"


@pytest.mark.parametrize(
    "text",
    [
        "\n" * 8000,
        ".thanks beaucoup" * 500,
        "Hi all, " + "thanks. " * 1000,
        "Hi " + "a " * 4000,
        "What?\n" * 1300,
    ],
    ids=["lines", "thanks", "more thanks", "names", "questions"],
)
def test_a_long_text_is_read_in_a_moment(text: str) -> None:
    began = perf_counter()
    several(question_of(text), always, never)
    assert perf_counter() - began < 0.2
