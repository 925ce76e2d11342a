"""A row may import only the rows below it; row-mates never import each other, nor do modules in a circle."""

import ast
from graphlib import TopologicalSorter
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
    {"understand"},
    {"graph"},
    {"ingest", "stores", "models"},
    {"network", "plugins"},
    {"types"},
    {"errors"},
]
RANK = {name: len(ROWS) - i for i, row in enumerate(ROWS) for name in row}
MODULES = sorted(p for p in SRC.rglob("*.py") if p.name != "__main__.py" and p != SRC / "__init__.py")


def room_of(path: Path) -> str:
    return path.relative_to(SRC).with_suffix("").parts[0]


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(SRC.parent).with_suffix("").parts).removesuffix(".__init__")


def imported_names(path: Path) -> set[str]:
    """All dotted names that a module imports, anywhere in it: of modules, and of what is in them."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno} imports relatively"
            found |= {node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return found


def imported_rooms(path: Path) -> set[str]:
    """Names of onrecord's top-level rooms that a module imports."""
    return {name.split(".")[1] for name in imported_names(path) if name.startswith("onrecord.")}


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(SRC)))
def test_imports_point_down(path: Path) -> None:
    room = room_of(path)
    for other in imported_rooms(path) - {room}:
        if other not in RANK:  # a public name re-exported by the package itself
            pytest.fail(f"{path} imports onrecord.{other}: import it from where it is defined")
        assert RANK[other] < RANK[room], f"{room} must not import {other}"


def test_every_room_has_a_row() -> None:
    assert {room_of(p) for p in MODULES} <= RANK.keys()


def test_no_modules_import_one_another() -> None:
    """Not in a circle either: whoever shares a package imports from the module, not from the package."""
    paths = {module_of(path): path for path in (*MODULES, SRC / "__init__.py")}
    imports = {name: (imported_names(path) & paths.keys()) - {name} for name, path in paths.items()}
    TopologicalSorter(imports).prepare()  # raises CycleError, which names the circle
