"""Kinds of questions that are put in words that no example of a form has."""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path

import numpy as np
import pytest
from plan_world import TODAY, world

from onrecord.errors import WeightsError
from onrecord.models import Embedder, open_embedder
from onrecord.models.minilm.embedder import MiniLM
from onrecord.retrieve import Tools
from onrecord.types import Plan, Question, Scope
from onrecord.understand.catalog import catalog_of
from onrecord.understand.intents import SURE
from onrecord.understand.paraphrases import examples_by_meaning, kind_by_meaning, stored_meanings
from onrecord.understand.planner import plan
from onrecord.understand.reading import Background, read

STORE = world()
STRATEGIES = ("balanced", "factual", "overview", "acts", "comparison", "exploratory", "section", "full")
PLAIN = {"one_line": "search", "definition": "search", "causal": "search", "followup": "search"}
ALIKE = {**PLAIN, "overview": "summary", "section": "exploratory"}
"""Kinds that lead to the same kind of answer."""


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    try:
        return open_embedder("minilm")
    except WeightsError as error:
        pytest.skip(f"needs the real weights: {error}")


def test_the_stored_vectors_are_those_of_the_examples() -> None:
    meanings = stored_meanings(MiniLM.fingerprint)
    assert meanings is not None, "run scripts/intent_vectors"
    assert meanings.vectors.shape == (len(examples_by_meaning()), 384)
    assert np.allclose(np.linalg.norm(meanings.vectors, axis=1), 1, atol=1e-5)


def test_another_embedder_tells_no_kind() -> None:
    background = Background(catalog_of(STORE), STORE, TODAY, (), STRATEGIES, Scope())
    reading = read("What's the gist of Slow Signals 4?", background)
    assert kind_by_meaning(reading.linked, reading.shape, open_embedder("hashing")) is None


# ---------------------------------------------------------------- with the real model


def planned(text: str, embedder: Embedder | None) -> Plan:
    return plan(Question(text), STORE, TODAY, strategies=STRATEGIES, embedder=embedder)


@pytest.mark.model
@pytest.mark.parametrize(
    ("text", "strategy"),
    [
        ("Quick recap of Slow Signals 4 please", "overview"),
        ("What's the gist of Slow Signals 4?", "overview"),
        ("Who did most of the talking in Slow Signals 4?", "settled"),
        ("Which recording is the earliest?", "settled"),
        ("What is the gist of the copper story?", "balanced"),
        ("In which city does the copper meeting take place?", "balanced"),
        ("How many people have signed up for the copper newsletter?", "balanced"),
    ],
)
def test_questions_are_read_by_what_they_mean(text: str, strategy: str, embedder: Embedder) -> None:
    made = planned(text, embedder)
    assert ("settled" if made.settled else made.strategy) == strategy


@pytest.mark.model
def test_tools_with_an_embedder_understand_paraphrases(embedder: Embedder) -> None:
    question = Question("Who did most of the talking in Slow Signals 4?")
    assert Tools(STORE, embedder).plan(question, STRATEGIES).settled
    assert not Tools(STORE).plan(question, STRATEGIES).settled


def filled(text: str) -> str:
    """A question of the suite about the recordings of `plan_world`."""
    people, subjects = cycle(("Marisol Ortega", "Brendan Kelly")), cycle(("copper", "heat pumps"))
    values = {"where": cycle(("Slow Signals 4",)), "person": people, "x": subjects}
    return re.sub(r"\{(\w+)\}", lambda braces: next(values[braces[1]]), text)


def suite() -> Iterator[tuple[str, str]]:
    for line in (Path(__file__).parent / "paraphrases.txt").read_text().splitlines():
        kind, _, text = line.partition("\t")
        yield ALIKE.get(kind, kind), filled(text)


def outcomes(embedder: Embedder | None) -> Counter[str]:
    """How many questions are read as their kind, as a plain search, and as another kind."""
    counts: Counter[str] = Counter()
    for kind, text in suite():
        background = Background(catalog_of(STORE), STORE, TODAY, (), STRATEGIES, Scope(), embedder)
        guess = read(text, background).guess
        read_as = ALIKE.get(guess.kind, guess.kind) if guess.likeness >= SURE else "search"
        outcome = "right" if read_as == kind else "search" if read_as == "search" else "wrong"
        counts[f"{'search' if kind == 'search' else 'kind'}: {outcome}"] += 1
    return counts


@pytest.mark.model
def test_paraphrases_by_somebody_else_are_told_by_meaning(embedder: Embedder) -> None:
    """Nothing was chosen on these. By form alone a quarter of the kinds are told."""
    counts = outcomes(embedder)
    of_kinds = sum(count for name, count in counts.items() if name.startswith("kind"))
    assert counts["kind: right"] >= 0.6 * of_kinds
    assert counts["kind: wrong"] <= 0.04 * of_kinds
    assert not counts["search: wrong"]


if __name__ == "__main__":
    for title, model in (("by form", None), ("by form and meaning", open_embedder("minilm"))):
        print(f"{title:20}", dict(sorted(outcomes(model).items())))
