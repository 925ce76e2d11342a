"""The table in docs/spec.md: every row occurs once, and every test that it names exists."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROW = re.compile(r"^\| ([A-F]\d+) \| (.+?) \| (.*) \| (`[^|]+`) \|$", re.MULTILINE)
ROWS = ROW.findall((ROOT / "docs" / "spec.md").read_text("utf-8"))
WANTED = [
    *(f"A{n}" for n in range(1, 17)),
    *(f"B{n}" for n in range(1, 15)),
    *(f"C{n}" for n in range(1, 10)),
    *(f"D{n}" for n in range(1, 18)),
    *(f"E{n}" for n in range(1, 8)),
    *(f"F{n}" for n in range(1, 10)),
]


def test_no_row_is_left_out() -> None:
    assert [name for name, *_ in ROWS] == WANTED


@pytest.mark.parametrize(("name", "state", "doors", "tests"), ROWS, ids=[name for name, *_ in ROWS])
def test_what_proves_a_row_is_there(name: str, state: str, doors: str, tests: str) -> None:
    """A row has a valid state, and the tests that it names exist."""
    assert re.match(r"holds\b|in part: \S", state), state
    named = re.findall(r"`([^`]+)::([^`]+)`", tests)
    assert len(named) == tests.count("::") > 0
    for path, function in named:
        tree = ast.parse((ROOT / "tests" / path).read_text("utf-8"))
        functions = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
        assert function in functions, f"{path}::{function}"
