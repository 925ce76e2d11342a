"""Of statements about invented talk, how many false ones are marked, and how many true ones.

python tests/answer/test_statements.py prints the totals by kind, with 95 % intervals (Wilson's).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Any

import yaml
from talks import add, tools

from onrecord.answer.check import Checker
from onrecord.answer.claims import claim
from onrecord.answer.context import context
from onrecord.answer.proof import Proof
from onrecord.models.roles import ModelRoles
from onrecord.stores.memory import MemoryStore
from onrecord.types import Evidence, Moment, Question

FOLDER = Path(__file__).parent
TUNED: list[dict[str, Any]] = yaml.safe_load((FOLDER / "statements.yaml").read_text())
BLIND: list[dict[str, Any]] = yaml.safe_load((FOLDER / "statements_blind.yaml").read_text())
CAUGHT, WRONGED = 0.9, 0.1
"""Of the false statements at least, and of the true ones at most, so many are marked or left out."""


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


def test_false_statements_are_marked_and_true_ones_are_not() -> None:
    statements = judged(TUNED)
    caught, wronged = rates(statements)
    missed = [f"{one.kind}: {one.text}" for one in statements if one.stands and not one.so]
    blamed = [f"{one.kind}: {one.text}" for one in statements if one.so and not one.stands]
    assert caught >= CAUGHT and wronged <= WRONGED, "\n".join((f"{caught} {wronged}", *missed, "--", *blamed))


def test_so_it_is_on_the_blind_half() -> None:
    """Without a word of which statements fail: whoever sees them cannot measure by them any more."""
    caught, wronged = rates(judged(BLIND))
    assert caught >= CAUGHT and wronged <= WRONGED, f"{caught:.3f} {wronged:.3f}"


def interval(part: int, whole: int) -> str:
    """A share with its interval of 95 % (E. B. Wilson, 1927)."""
    share, z = part / whole, 1.96
    middle = share + z * z / (2 * whole)
    spread = z * sqrt(share * (1 - share) / whole + z * z / (4 * whole**2))
    low, high = ((middle + sign * spread) / (1 + z * z / whole) for sign in (-1, 1))
    return f"{part:>3} of {whole:>3}  {share:.3f} ({low:.3f}-{high:.3f})"


def main() -> None:
    for name, talks in (("tuned on", TUNED), ("blind", BLIND)):
        statements = judged(talks)
        for so in (False, True):
            chosen = [one for one in statements if one.so is so]
            marked = interval(sum(not one.stands for one in chosen), len(chosen))
            print(f"{name:9} {'true' if so else 'false':6} marked {marked}")
            for kind in sorted({one.kind for one in chosen}):
                alike = [not one.stands for one in chosen if one.kind == kind]
                print(f"          {kind:14} {sum(alike):>3} of {len(alike):>3}")


if __name__ == "__main__":
    main()
