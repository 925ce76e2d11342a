"""The people, recordings, values and dates that questions mention, and what each resolves to.

The suites are split by row number: the odd rows were used to develop examples, the even rows check that the
examples generalize. Filters are compared by what they resolve to: the set of recordings that meet all.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest
from plan_world import TODAY, world

from onrecord.stores.memory import MemoryStore
from onrecord.types import Exchange, Plan, Question, Scope
from onrecord.understand.planner import plan

HERE = Path(__file__).parent
OWN = ("speaker", "section", "language")


def rows(name: str, half: str) -> list[list[str]]:
    """Return the rows of one half of a suite, each split into cells at its bars."""
    lines = [line for line in (HERE / name).read_text().splitlines() if not line.startswith("#")]
    return [[cell.strip() for cell in line.split("|")] for line in lines[half == "even" :: 2]]


@cache
def archive() -> MemoryStore:
    """Return the archive that the questions are about, built once."""
    return world()


def planned(turns: Sequence[str]) -> Plan:
    """Return the plan for the last turn, after the earlier turns."""
    *before, text = turns
    question = Question(text, history=tuple(Exchange(turn) for turn in before))
    return plan(question, archive(), TODAY)


Mentions = list[tuple[str, str]]


def wanted_in(cell: str) -> Mentions:
    """Return the field and value of each expected filter of a cell."""
    pairs = (pair.partition("=") for pair in cell.split(";") if pair.strip())
    return [(name.strip(), value.strip()) for name, _, value in pairs]


def resolved(mentions: Mentions) -> tuple[Mentions, frozenset[str]]:
    """Return the mentions of people, sections and languages, and the recordings that meet all others.

    Values of the same field are alternatives.
    """
    own = sorted({(name, value) for name, value in mentions if name in OWN})
    left = frozenset(recording.id for recording in archive().recordings())
    for name in {name for name, _ in mentions if name not in OWN}:
        values = [value for other, value in mentions if other == name]
        left &= frozenset().union(*(fitting(name, value) for value in values))
    return own, left


def fitting(name: str, value: str) -> frozenset[str]:
    """Return the ids of the recordings that have a value."""
    if name == "recording":
        scope = Scope(recordings=(value,))
    elif name in ("since", "until"):
        scope = Scope(**{name: value})  # type: ignore[arg-type]
    else:
        scope = Scope(attributes={name: value})
    return frozenset(recording.id for recording in archive().recordings(scope))


def read(plan: Plan, expected: Mentions) -> Mentions:
    """Return the field and value of each filter of a plan.

    Omit preferred dates if no date is expected: a date that does not concern recordings may be preferred.
    """
    dated = any(name in ("since", "until") for name, _ in expected)
    filters = [f for f in plan.filters if f.exact or dated or f.field not in ("since", "until")]
    return [(each.field, each.value) for each in filters]


def wrong_mentions(half: str) -> Iterator[str]:
    """Yield the questions whose mentions do not resolve as expected."""
    for _, text, expected in rows("questions.txt", half):
        mentions = read(planned([text]), wanted_in(expected))
        if resolved(mentions) != resolved(wanted_in(expected)):
            yield f"{text}\n  wanted {wanted_in(expected)}\n  read   {mentions}"


def wrong_kinds(half: str) -> Iterator[str]:
    """Yield the questions that are planned with another intent."""
    for kind, text, _ in rows("questions.txt", half):
        if (intent := planned([text]).intent) != kind:
            yield f"{text}: {kind}, not {intent}"


def wrong_dialogues(half: str) -> Iterator[str]:
    """Yield the follow-ups that resolve to something else or lack a word of the previous question."""
    for turns, expected, words in rows("dialogues.txt", half):
        result = planned([turn.strip() for turn in turns.split("//")])
        mentions = wanted_in(expected)
        missing = [word for word in words.split() if word[0] == "+" and word[1:] not in result.text.lower()]
        if missing or resolved(read(result, mentions)) != resolved(mentions):
            yield f"{turns}\n  wanted {mentions} {missing}\n  read   {result.filters} {result.text!r}"


SUITES = {"mentions": wrong_mentions, "kinds": wrong_kinds, "dialogues": wrong_dialogues}


def share_right(suite: str, half: str) -> tuple[float, str]:
    """Return the share of a half that is right, in 0..1, and a description of the errors."""
    wrong = list(SUITES[suite](half))
    count = len(rows("dialogues.txt" if suite == "dialogues" else "questions.txt", half))
    return 1 - len(wrong) / count, "\n".join(wrong)


@pytest.mark.parametrize("half", ["odd", "even"])
@pytest.mark.parametrize(("suite", "goal"), [("mentions", 0.9), ("kinds", 0.85), ("dialogues", 0.8)])
def test_most_questions_are_understood(suite: str, goal: float, half: str) -> None:
    """The share of right rows reaches the goal in both halves."""
    right, wrong = share_right(suite, half)
    print(f"{half} half: {suite} are right in {right:.0%}")
    assert right >= goal, wrong


@pytest.mark.parametrize("half", ["odd", "even"])
def test_only_what_is_exact_or_said_of_the_recording_excludes(half: str) -> None:
    """Only filters on recordings and their dates exclude; all other filters prefer."""
    for _, text, _ in rows("questions.txt", half):
        for filter_ in planned([text]).filters:
            assert not filter_.exact or filter_.field in ("recording", "since", "until"), text
