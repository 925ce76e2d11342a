"""The planner's figures: filters exactly right in 95 % of 200 questions, and follow-ups understood.

Both suites are split by the parity of the row: rules are worked on with the odd rows, the even rows check
that they hold elsewhere."""

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest
from plan_world import TODAY, world

from onrecord.retrieve.plan import plan
from onrecord.stores.memory import MemoryStore
from onrecord.types import Exchange, Plan, Question

HERE = Path(__file__).parent
GOAL = 0.95


def rows(name: str, half: str) -> list[list[str]]:
    """The rows of a half, each cut at its bars."""
    lines = [line for line in (HERE / name).read_text().splitlines() if not line.startswith("#")]
    return [[cell.strip() for cell in line.split("|")] for line in lines[half == "even" :: 2]]


@cache
def archive() -> MemoryStore:
    return world()


def planned(turns: Sequence[str]) -> Plan:
    *before, text = turns
    question = Question(text, history=tuple(Exchange(turn) for turn in before))
    return plan(question, archive(), TODAY)


def filters(cell: str) -> list[tuple[str, str]]:
    pairs = (pair.partition("=") for pair in cell.split(";") if pair.strip())
    return sorted((name.strip(), value.strip()) for name, _, value in pairs)


def read(plan: Plan) -> list[tuple[str, str]]:
    return sorted((found.field, found.value) for found in plan.filters)


@pytest.mark.parametrize("half", ["odd", "even"])
def test_filters_are_exactly_right_in_95_of_100_questions(half: str) -> None:
    wrong = [
        f"{text}\n  wanted {filters(wanted)}\n  read   {found}"
        for _, text, wanted in rows("questions.txt", half)
        if (found := read(planned([text]))) != filters(wanted)
    ]
    right = 1 - len(wrong) / len(rows("questions.txt", half))
    print(f"{half} half: filters exactly right in {right:.0%} of questions")
    assert right >= GOAL, "\n".join(wrong)


@pytest.mark.parametrize("half", ["odd", "even"])
def test_the_kind_of_question_is_told(half: str) -> None:
    wrong = [
        f"{text}: {kind}, not {found}"
        for kind, text, _ in rows("questions.txt", half)
        if (found := planned([text]).intent) != kind
    ]
    assert 1 - len(wrong) / len(rows("questions.txt", half)) >= 0.9, "\n".join(wrong)


def faults(turns: str, wanted: str, words: str) -> Iterator[str]:
    """What is wrong with the plan of the last turn."""
    found = planned([turn.strip() for turn in turns.split("//")])
    if read(found) != filters(wanted):
        yield f"{turns}\n  wanted {filters(wanted)}\n  read   {read(found)}"
    for word in words.split():
        if (word[1:] in found.text.lower()) != (word[0] == "+"):
            yield f"{turns}\n  {word} in {found.text!r}"


@pytest.mark.parametrize("half", ["odd", "even"])
def test_follow_ups_carry_person_and_topic_over(half: str) -> None:
    dialogues = rows("dialogues.txt", half)
    wrong = [list(faults(*row)) for row in dialogues]
    right = sum(not found for found in wrong) / len(dialogues)
    print(f"{half} half: {right:.0%} of dialogues understood")
    assert right >= GOAL, "\n".join(fault for found in wrong for fault in found)


def test_the_suites_are_as_large_as_they_claim() -> None:
    count = {name: sum(len(rows(name, half)) for half in ("odd", "even")) for name in NAMES}
    assert count["questions.txt"] >= 200 and count["dialogues.txt"] >= 60


NAMES = ("questions.txt", "dialogues.txt")
