"""The shares of false and of true statements about invented talk that are marked.

python tests/answer/test_statements.py prints the totals by kind, with 95 % intervals (Wilson's).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
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

FOLDER = Path(__file__).parent
TUNED: list[dict[str, Any]] = yaml.safe_load((FOLDER / "statements.yaml").read_text())
BLIND: list[dict[str, Any]] = yaml.safe_load((FOLDER / "statements_blind.yaml").read_text())
OUTSIDER: list[dict[str, Any]] = yaml.safe_load((FOLDER / "statements_outsider.yaml").read_text())
CAUGHT, WRONGED = 0.9, 0.1
"""Shares of statements marked or left out: the least of the false, and the most of the true ones."""
ASKED, LOST = 0.9, 0.1
"""Limits for an outsider's statements.

At least the first share of the false statements is left out or checked by a model in the role "check". At
most the second share of the true statements is left out before a model could keep them.
"""


@dataclass(frozen=True)
class Judged:
    """A statement, and whether it would be shown without a mark."""

    talk: str
    kind: str
    so: bool
    text: str
    stands: bool
    sure: bool
    why: tuple[str, ...] = ()

    @property
    def wrong(self) -> bool:
        """Whether it is left out without asking a model."""
        return "wrong" in self.why


def judged(talks: Sequence[dict[str, Any]], roles: ModelRoles | None = None) -> list[Judged]:
    """Return the statements about some talks, each checked against the talk that it cites."""
    outcomes = []
    for talk in talks:
        store = MemoryStore()
        language = talk.get("language", "en")
        add(store, talk["title"].lower(), [tuple(spoken) for spoken in talk["said"]], language=language)
        work = tools(store)
        moment = Moment(tuple(store.transcript(talk["title"].lower())), 0.9, {"dense": 0.6})
        shown = context(Evidence(Question("What was said?"), (moment,)), work, 4000)
        assert not shown.cut and len(shown.sources) == 1
        proof = Proof(shown, roles or ModelRoles(), Checker(shown.sources), "What was said?", language)
        for kind, so, text in talk["stated"]:
            finding = proof.of(claim(f"{text} [Source 1]"))
            why = finding.verdict, *finding.doubts
            outcomes.append(Judged(talk["title"], kind, so, text, finding.stands, finding.sure, why))
    return outcomes


def rates(statements: Sequence[Judged]) -> tuple[float, float]:
    """Return the shares of the false statements, and of the true ones, that are marked or left out."""
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
    """The failing statements are not shown: a developer who sees them can no longer measure with them."""
    caught, wronged = rates(judged(BLIND))
    assert caught >= CAUGHT and wronged <= WRONGED, f"{caught:.3f} {wronged:.3f}"


def test_what_an_outsider_states_falsely_is_not_shown_unasked() -> None:
    """The local judge alone does not reach the shares above on these statements, so a model is needed."""
    statements = judged(OUTSIDER)
    unasked = [one.sure for one in statements if not one.so]
    lost = [one.wrong for one in statements if one.so]
    assert sum(unasked) <= (1 - ASKED) * len(unasked) and sum(lost) <= LOST * len(lost)


def marked(spoken: str, text: str) -> bool:
    talk = {"title": "Yard", "said": [["Ann Bell", spoken], ["Bo Lund", "Thank you."]]}
    (one,) = judged([{**talk, "stated": [["plain", True, text]]}])
    return not one.stands


@pytest.mark.parametrize(
    ("spoken", "text"),
    [
        (
            "I joined the yard in sixty-three, with my uncle.",
            "Ann Bell joined the yard in 1963, with her uncle.",
        ),
        ("Revenue is at thirty now, and it was twelve in March.", "Revenue is now at 30 thousand."),
        ("The crane arrives in the first quarter, on a barge.", "The crane arrives on a barge in Q1."),
        (
            "The crane is hired for nine weeks, no wait, nine days, with a driver.",
            "The crane is hired for nine days, with a driver.",
        ),
        ("Revenue was 2,143 million, on more hire.", "Revenue was about 2.1 billion, on more hire."),
    ],
)
def test_figures_as_people_say_them_are_read(spoken: str, text: str) -> None:
    assert not marked(spoken, text)


@pytest.mark.parametrize(
    ("spoken", "text", "same"),
    [
        ("A quarter of our barges came from Norway.", "25 per cent of the barges came from Norway.", True),
        ("A quarter of our barges came from Norway.", "35 per cent of the barges came from Norway.", False),
        ("A quarter of our barges came from Norway.", "25 barges came from Norway.", False),
        ("We lost 50 % of the orders in winter.", "Half of the orders were lost in winter.", True),
        ("We lost 50 % of the orders in winter.", "A third of the orders were lost in winter.", False),
        ("Some 33 percent of the crew left in May.", "A third of the crew left in May.", True),
        ("Some 33 percent of the crew left in May.", "Two thirds of the crew left in May.", False),
        ("Two thirds of the crew left in May.", "67 percent of the crew left in May.", True),
        ("Hire rose half a percent in May.", "Hire rose 0.5 percent in May.", True),
        ("Hire rose half a percent in May.", "Hire rose 50 percent in May.", False),
        ("Hire rose well in the first half of the year.", "Hire rose 50 percent in the year.", False),
        ("Nous avons perdu 50 % des commandes.", "La moitié des commandes a été perdue.", True),
        ("Nous avons perdu 50 % des commandes.", "Un tiers des commandes a été perdu.", False),
        ("Un quart des navires est en retard.", "25 pour cent des navires sont en retard.", True),
    ],
)
def test_a_part_in_words_is_its_percentage(spoken: str, text: str, same: bool) -> None:
    """A part of a whole is its share in percent, and no other share or number."""
    assert marked(spoken, text) is not same


@pytest.mark.parametrize(
    ("spoken", "text", "same"),
    [
        (
            "The margin of the yard was -5 percent in May.",
            "The margin of the yard was 5 percent in May.",
            False,
        ),
        ("The margin of the yard was -5 percent in May.", "The margin of the yard was +5 percent.", False),
        (
            "The margin of the yard was 5 percent in May.",
            "The margin of the yard was minus 5 percent.",
            False,
        ),
        (
            "The margin of the yard was -5 percent in May.",
            "The margin of the yard was minus five percent.",
            True,
        ),
        ("The margin of the yard was -5 percent in May.", "The margin of the yard fell to 5 percent.", False),
        (
            "The hire of the yard fell by 5 percent in May.",
            "The hire of the yard changed by -5 percent.",
            True,
        ),
        ("The yard had a loss of 7 million dollars.", "The result of the yard was -$7 million.", True),
        ("The margin of the yard was -5 percent in May.", "The yard has 5 margins to meet in May.", True),
        ("We hired 5-7 hands for the yard in May.", "The yard hired 7 hands in May.", True),
    ],
)
def test_a_figure_keeps_its_sign(spoken: str, text: str, same: bool) -> None:
    assert marked(spoken, text) is not same


@pytest.mark.parametrize(
    ("spoken", "text"),
    [
        ("The yard in Uzbekistan sells what it builds.", "The yard sells what the Uzbek crew builds."),
    ],
)
def test_what_is_said_in_other_words_stands(spoken: str, text: str) -> None:
    assert not marked(spoken, text)


@pytest.mark.parametrize(
    ("spoken", "text"),
    [
        ("Revenue was 2,143 million, on more hire.", "Revenue was about 2.2 billion, on more hire."),
        ("The yard was sold in 2019, with its crane.", "The yard was sold in 2020, with its crane."),
        (
            "I joined the yard in sixty-three, with my uncle.",
            "Ann Bell joined the yard in 1964, with her uncle.",
        ),
        (
            "The crane is hired for nine weeks, no wait, nine days, with a driver.",
            "The crane is hired for nine weeks, with a driver.",
        ),
        ("Does the price include the crane? No, that comes on top.", "The price includes the crane."),
    ],
)
def test_what_was_taken_back_or_refused_does_not_stand(spoken: str, text: str) -> None:
    assert marked(spoken, text)


def interval(part: int, whole: int) -> str:
    """Return a share with its 95 % interval (E. B. Wilson, 1927)."""
    share, z = part / whole, 1.96
    middle = share + z * z / (2 * whole)
    spread = z * sqrt(share * (1 - share) / whole + z * z / (4 * whole**2))
    low, high = ((middle + sign * spread) / (1 + z * z / whole) for sign in (-1, 1))
    return f"{part:>3} of {whole:>3}  {share:.3f} ({low:.3f}-{high:.3f})"


def main() -> None:
    halves = ("outsider A", OUTSIDER[::2]), ("outsider B", OUTSIDER[1::2])
    for name, talks in (("tuned on", TUNED), ("blind", BLIND), *halves):
        statements = judged(talks)
        for so in (False, True):
            chosen = [one for one in statements if one.so is so]
            print(f"{name:10} {'true' if so else 'false':6} marked or left out", end=" ")
            print(interval(sum(not one.stands for one in chosen), len(chosen)))
            share = sum(one.wrong if so else not one.sure for one in chosen)
            outcome = "left out unasked" if so else "left out or asked"
            print(f"          {outcome} {interval(share, len(chosen))}")
            for kind in sorted({one.kind for one in chosen}):
                alike = [not one.stands for one in chosen if one.kind == kind]
                print(f"          {kind:14} {sum(alike):>3} of {len(alike):>3}")


if __name__ == "__main__":
    main()
