"""Kinds of questions in wordings that no example has, in English and French."""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path

import pytest
from plan_world import TODAY, world

from onrecord.retrieve import Tools
from onrecord.types import Question
from onrecord.understand.catalog import catalog_of
from onrecord.understand.intents import SURE
from onrecord.understand.reading import Background

STORE = world()
STRATEGIES = ("balanced", "factual", "overview", "acts", "comparison", "exploratory", "section", "full")
PLAIN = {"one_line": "search", "definition": "search", "causal": "search", "followup": "search"}
ALIKE = {**PLAIN, "overview": "summary", "section": "exploratory", "mentioned_in": "exploratory"}
"""The kind that stands for each kind, where several kinds lead to the same form of answer."""


@pytest.mark.parametrize(
    ("text", "strategy"),
    [
        ("Quick recap of Slow Signals 4 please", "overview"),
        ("What's the gist of Slow Signals 4?", "overview"),
        ("Who did most of the talking in Slow Signals 4?", "settled"),
        ("Which recording is the earliest?", "settled"),
        ("Peux-tu me faire un compte rendu de Slow Signals 4 ?", "overview"),
        ("What is the gist of the copper story?", "balanced"),
        ("In which city does the copper meeting take place?", "balanced"),
        ("How many people have signed up for the copper newsletter?", "balanced"),
    ],
)
def test_questions_are_read_by_what_they_mean(text: str, strategy: str) -> None:
    """Paraphrases are answered by the strategy or facts that their meaning requires.

    Similar wordings about the content are searched for.
    """
    plan = Tools(STORE).plan(Question(text), STRATEGIES)
    assert ("settled" if plan.settled else plan.strategy) == strategy


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Qu'a dit Kelly en novembre 2024 ?", "fr"),
        ("main point of the french talk", "en"),
        ("What did the French talk say about memory?", "en"),
        ("summarize the Slow Signals 4 episode in French", "fr"),
    ],
)
def test_answers_are_in_the_language_that_is_asked_in_or_for(text: str, language: str) -> None:
    """The language of an answer is that of the question or the requested one, not that of the recordings."""
    assert Tools(STORE).plan(Question(text), STRATEGIES).language == language


def filled(text: str) -> str:
    """Replace the placeholders of a question with names from the recordings of `plan_world`."""
    people, subjects = cycle(("Marisol Ortega", "Brendan Kelly")), cycle(("copper", "heat pumps"))
    values = {"where": cycle(("Slow Signals 4",)), "person": people, "x": subjects}
    return re.sub(r"\{(\w+)\}", lambda braces: next(values[braces[1]]), text)


def suite(name: str, half: str = "") -> Iterator[tuple[str, str]]:
    """Yield the kind and text of each question of a suite, or of one half of it."""
    lines = (Path(__file__).parent / name).read_text().splitlines()
    for line in lines[half == "even" :: 2 if half else 1]:
        kind, _, text = line.partition("\t")
        yield ALIKE.get(kind, kind), filled(text)


def outcomes(name: str, half: str = "") -> Counter[str]:
    """Count the questions of a suite that are read as their kind, as a plain search, and as another kind."""
    counts: Counter[str] = Counter()
    for kind, text in suite(name, half):
        guess = Background(catalog_of(STORE), STORE, TODAY).read(text).guess
        read_as = ALIKE.get(guess.kind, guess.kind) if guess.likeness >= SURE else "search"
        outcome = "right" if read_as == kind else "search" if read_as == "search" else "wrong"
        counts[f"{'search' if kind == 'search' else 'kind'}: {outcome}"] += 1
    return counts


@pytest.mark.parametrize(
    ("name", "half", "least"), [("paraphrases.txt", "", 0.75), ("paraphrases_fr.txt", "even", 0.65)]
)
def test_paraphrases_are_understood(name: str, half: str, least: float) -> None:
    """Most paraphrases are read as their kind, and few as another kind.

    The English questions were written by another person. The minimum similarity `SURE` was chosen on these
    suites.
    """
    counts = outcomes(name, half)
    of_kinds = sum(count for outcome, count in counts.items() if outcome.startswith("kind"))
    assert counts["kind: right"] >= least * of_kinds
    assert counts["kind: wrong"] <= 0.04 * of_kinds
    assert not counts["search: wrong"]


if __name__ == "__main__":
    for name, half in (
        ("paraphrases.txt", ""),
        ("paraphrases_fr.txt", "odd"),
        ("paraphrases_fr.txt", "even"),
    ):
        print(f"{name} {half:5}", dict(sorted(outcomes(name, half).items())))
