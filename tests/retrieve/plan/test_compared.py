"""The sides that a comparison is taken apart into."""

import pytest
from plan_world import TODAY, world

from onrecord.retrieve.plan import plan
from onrecord.types import Question

STORE = world()


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        ("tabs vs spaces debate", "tabs", "spaces"),
        ("What happened in the tabs vs spaces debate?", "tabs", "spaces"),
        ("What was said about tabs versus spaces?", "tabs", "spaces"),
        ("Tell me about the tabs vs. spaces discussion", "tabs", "spaces"),
        ("the debate about copper versus nickel", "copper", "nickel"),
        ("copper vs nickel on price", "copper on price", "nickel on price"),
        ("debate clubs vs chess clubs", "debate clubs", "chess clubs"),
        (
            "Compare TD Bank's margin with Alder Bank's margin",
            "Compare TD Bank's margin",
            "Compare Alder Bank's margin",
        ),
        (
            "Compare TD Bank's margin with Alder Bank's margin in 2024",
            "Compare TD Bank's margin in 2024",
            "Compare Alder Bank's margin in 2024",
        ),
        (
            "Is TD Bank's margin larger than Alder Bank's?",
            "Is TD Bank's margin larger?",
            "Is Alder Bank's margin larger?",
        ),
    ],
)
def test_each_side_is_named_without_what_stands_around_both(text: str, first: str, second: str) -> None:
    made = plan(Question(text), STORE, TODAY)
    assert (made.intent, made.queries) == ("comparison", (first, second))
