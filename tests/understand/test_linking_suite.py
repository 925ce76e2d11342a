"""Which people, recordings, values and dates a question mentions, and what each resolves to.

The suites are split by the parity of the row: examples are worked on with the odd rows, the even rows check
that they hold elsewhere. Conditions are compared by what they resolve to: the recordings that fit all."""

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest
from plan_world import TODAY, world

from onrecord.stores.memory import MemoryStore
from onrecord.types import Exchange, Plan, Question, Scope
from onrecord.understand.planner import plan

HERE = Path(__file__).parent
GOAL = 0.9
OWN = ("speaker", "section", "language")


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


Mentions = list[tuple[str, str]]


def wanted_in(cell: str) -> Mentions:
    pairs = (pair.partition("=") for pair in cell.split(";") if pair.strip())
    return [(name.strip(), value.strip()) for name, _, value in pairs]


def resolved(mentions: Mentions) -> tuple[Mentions, frozenset[str]]:
    """People, sections and languages, and the recordings that fit all else."""
    own = sorted({(name, value) for name, value in mentions if name in OWN})
    left = frozenset(recording.id for recording in archive().recordings())
    for name in {name for name, _ in mentions if name not in OWN}:
        values = [value for other, value in mentions if other == name]
        left &= frozenset().union(*(fitting(name, value) for value in values))
    return own, left


def fitting(name: str, value: str) -> frozenset[str]:
    if name == "recording":
        scope = Scope(recordings=(value,))
    elif name in ("since", "until"):
        scope = Scope(**{name: value})  # type: ignore[arg-type]
    else:
        scope = Scope(attributes={name: value})
    return frozenset(recording.id for recording in archive().recordings(scope))


def read(plan: Plan, wanted: Mentions) -> Mentions:
    """What a plan has of a question. A date that is not said of recordings only prefers, and may be there."""
    dated = any(name in ("since", "until") for name, _ in wanted)
    found = [f for f in plan.filters if f.exact or dated or f.field not in ("since", "until")]
    return [(each.field, each.value) for each in found]


@pytest.mark.parametrize("half", ["odd", "even"])
def test_mentions_resolve_rightly_in_nine_of_ten_questions(half: str) -> None:
    wrong = [
        f"{text}\n  wanted {wanted_in(wanted)}\n  read   {found}"
        for _, text, wanted in rows("questions.txt", half)
        if resolved(found := read(planned([text]), wanted_in(wanted))) != resolved(wanted_in(wanted))
    ]
    right = 1 - len(wrong) / len(rows("questions.txt", half))
    print(f"{half} half: mentions resolve rightly in {right:.0%} of questions")
    assert right >= GOAL, "\n".join(wrong)


@pytest.mark.parametrize("half", ["odd", "even"])
def test_only_what_is_exact_or_said_of_the_recording_excludes(half: str) -> None:
    for _, text, _ in rows("questions.txt", half):
        for found in planned([text]).filters:
            assert not found.exact or found.field in ("recording", "since", "until"), text


@pytest.mark.parametrize("half", ["odd", "even"])
def test_the_kind_of_question_is_told(half: str) -> None:
    wrong = [
        f"{text}: {kind}, not {found}"
        for kind, text, _ in rows("questions.txt", half)
        if (found := planned([text]).intent) != kind
    ]
    right = 1 - len(wrong) / len(rows("questions.txt", half))
    print(f"{half} half: the kind is told of {right:.0%} of questions")
    assert right >= 0.85, "\n".join(wrong)


def faults(turns: str, wanted: str, words: str) -> Iterator[str]:
    """What is wrong with the plan of the last turn."""
    found = planned([turn.strip() for turn in turns.split("//")])
    told = wanted_in(wanted)
    if resolved(read(found, told)) != resolved(told):
        yield f"{turns}\n  wanted {told}\n  read   {found.filters}"
    for word in words.split():
        if word[0] == "+" and word[1:] not in found.text.lower():
            yield f"{turns}\n  {word} in {found.text!r}"


@pytest.mark.parametrize("half", ["odd", "even"])
def test_follow_ups_carry_person_and_topic_over(half: str) -> None:
    dialogues = rows("dialogues.txt", half)
    wrong = [list(faults(*row)) for row in dialogues]
    right = sum(not found for found in wrong) / len(dialogues)
    print(f"{half} half: {right:.0%} of dialogues understood")
    assert right >= 0.8, "\n".join(fault for found in wrong for fault in found)
