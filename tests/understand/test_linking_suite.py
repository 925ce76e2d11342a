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


def wrong_mentions(half: str) -> Iterator[str]:
    """Questions whose mentions resolve to something else."""
    for _, text, expected in rows("questions.txt", half):
        found = read(planned([text]), wanted_in(expected))
        if resolved(found) != resolved(wanted_in(expected)):
            yield f"{text}\n  wanted {wanted_in(expected)}\n  read   {found}"


def wrong_kinds(half: str) -> Iterator[str]:
    """Questions that are planned as of another kind."""
    for kind, text, _ in rows("questions.txt", half):
        if (found := planned([text]).intent) != kind:
            yield f"{text}: {kind}, not {found}"


def wrong_dialogues(half: str) -> Iterator[str]:
    """Follow-ups that resolve to something else, or are searched without the words that they go on from."""
    for turns, expected, words in rows("dialogues.txt", half):
        found = planned([turn.strip() for turn in turns.split("//")])
        mentions = wanted_in(expected)
        missing = [word for word in words.split() if word[0] == "+" and word[1:] not in found.text.lower()]
        if missing or resolved(read(found, mentions)) != resolved(mentions):
            yield f"{turns}\n  wanted {mentions} {missing}\n  read   {found.filters} {found.text!r}"


SUITES = {"mentions": wrong_mentions, "kinds": wrong_kinds, "dialogues": wrong_dialogues}


def share_right(suite: str, half: str) -> tuple[float, str]:
    """The share of a half that is understood, and what is wrong with the others."""
    wrong = list(SUITES[suite](half))
    count = len(rows("dialogues.txt" if suite == "dialogues" else "questions.txt", half))
    return 1 - len(wrong) / count, "\n".join(wrong)


@pytest.mark.parametrize("half", ["odd", "even"])
@pytest.mark.parametrize(("suite", "goal"), [("mentions", 0.9), ("kinds", 0.85), ("dialogues", 0.8)])
def test_most_questions_are_understood(suite: str, goal: float, half: str) -> None:
    right, wrong = share_right(suite, half)
    print(f"{half} half: {suite} are right in {right:.0%}")
    assert right >= goal, wrong


@pytest.mark.parametrize("half", ["odd", "even"])
def test_only_what_is_exact_or_said_of_the_recording_excludes(half: str) -> None:
    for _, text, _ in rows("questions.txt", half):
        for found in planned([text]).filters:
            assert not found.exact or found.field in ("recording", "since", "until"), text
