"""Of two hundred statements about invented talk, how many false ones are marked, and how many true ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from talks import add, tools

from onrecord.answer.check import Checker
from onrecord.answer.claims import claim
from onrecord.answer.context import context
from onrecord.answer.proof import Proof
from onrecord.models.roles import ModelRoles
from onrecord.stores.memory import MemoryStore
from onrecord.types import Evidence, Moment, Question

TALKS: list[dict[str, Any]] = yaml.safe_load((Path(__file__).parent / "statements.yaml").read_text())
CAUGHT, WRONGED = 0.9, 0.1
CAUGHT_ELSEWHERE = 0.85
"""Of the half that nothing was tuned on."""


@dataclass(frozen=True)
class Judged:
    """A statement, and whether it would be shown without a mark."""

    talk: str
    kind: str
    so: bool
    text: str
    stands: bool
    why: tuple[str, ...] = ()


def judged(talks: Sequence[dict[str, Any]], roles: ModelRoles | None = None) -> list[Judged]:
    """The statements about some talks, each held against the talk that it cites."""
    found = []
    for talk in talks:
        store = MemoryStore()
        language = talk.get("language", "en")
        add(store, talk["title"].lower(), [tuple(said) for said in talk["said"]], language=language)
        work = tools(store)
        moment = Moment(tuple(store.transcript(talk["title"].lower())), 0.9, {"dense": 0.6})
        shown = context(Evidence(Question("What was said?"), (moment,)), work, 4000)
        assert not shown.cut and len(shown.sources) == 1
        proof = Proof(shown, roles or ModelRoles(), Checker(shown.sources), "What was said?", language)
        for kind, so, text in talk["stated"]:
            finding = proof.of(claim(f"{text} [Source 1]"))
            why = finding.verdict, *finding.doubts
            found.append(Judged(talk["title"], kind, so, text, finding.stands, why))
    return found


def rates(statements: Sequence[Judged]) -> tuple[float, float]:
    """The shares of the false statements, and of the true ones, that are marked or left out."""
    marked = [[not one.stands for one in statements if one.so is so] for so in (False, True)]
    caught, wronged = (sum(some) / len(some) for some in marked)
    return caught, wronged


@pytest.mark.parametrize(
    ("talks", "least"),
    [(TALKS[0::2], CAUGHT), (TALKS[1::2], CAUGHT_ELSEWHERE), (TALKS, CAUGHT)],
    ids=["tuned on", "not tuned on", "all"],
)
def test_false_statements_are_marked_and_true_ones_are_not(talks: list[dict[str, Any]], least: float) -> None:
    statements = judged(talks)
    caught, wronged = rates(statements)
    missed = [f"{one.kind}: {one.text}" for one in statements if one.stands and not one.so]
    blamed = [f"{one.kind}: {one.text}" for one in statements if one.so and not one.stands]
    assert len(statements) == 20 * len(talks)
    assert caught >= least and wronged <= WRONGED, "\n".join((f"{caught} {wronged}", *missed, "--", *blamed))
