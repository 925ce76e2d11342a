"""A row may import only the rows below it; row-mates never import each other."""

import ast
from pathlib import Path

import pytest

SRC = Path(__file__).parent.parent / "src" / "onrecord"
ROWS = [
    {"serve"},
    {"evaluate"},
    {"archive"},
    {"settings", "strategies"},
    {"answer"},
    {"retrieve"},
    {"ingest", "stores", "models"},
    {"types"},
    {"errors"},
]
RANK = {name: len(ROWS) - i for i, row in enumerate(ROWS) for name in row}
MODULES = sorted(p for p in SRC.rglob("*.py") if p.name != "__main__.py" and p != SRC / "__init__.py")


def room_of(path: Path) -> str:
    return path.relative_to(SRC).with_suffix("").parts[0]


def imported_rooms(path: Path) -> set[str]:
    """Names of onrecord's top-level rooms that a module imports, anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        names = []
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno} imports relatively"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        found |= {name.split(".")[1] for name in names if name.startswith("onrecord.")}
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(SRC)))
def test_imports_point_down(path: Path) -> None:
    room = room_of(path)
    for other in imported_rooms(path) - {room}:
        if other not in RANK:  # a public name re-exported by the package itself
            pytest.fail(f"{path} imports onrecord.{other}: import it from where it is defined")
        assert RANK[other] < RANK[room], f"{room} must not import {other}"


def test_every_room_has_a_row() -> None:
    assert {room_of(p) for p in MODULES} <= RANK.keys()
