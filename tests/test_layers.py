"""The layers of the package: a row may import only the rows below it.

Packages of one row never import each other, and modules do not import each other in a cycle.
"""

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
    """Return the top-level package or module of a file."""
    return path.relative_to(SRC).with_suffix("").parts[0]


def module_of(path: Path) -> str:
    """Return the dotted name of the module in a file."""
    return ".".join(path.relative_to(SRC.parent).with_suffix("").parts).removesuffix(".__init__")


def imported_names(path: Path) -> set[str]:
    """Return all dotted names that a module imports, at any level of its code.

    These are the names of modules and of objects in modules.
    """
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno} imports relatively"
            names |= {node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
    return names


def imported_rooms(path: Path) -> set[str]:
    """Return the top-level packages of onrecord that a module imports."""
    return {name.split(".")[1] for name in imported_names(path) if name.startswith("onrecord.")}


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(SRC)))
def test_imports_point_down(path: Path) -> None:
    room = room_of(path)
    for other in imported_rooms(path) - {room}:
        if other not in RANK:  # a public name that the package re-exports
            pytest.fail(f"{path} imports onrecord.{other}: import it from where it is defined")
        assert RANK[other] < RANK[room], f"{room} must not import {other}"


def test_every_room_has_a_row() -> None:
    """Every top-level package has a row."""
    assert {room_of(p) for p in MODULES} <= RANK.keys()


def test_no_modules_import_one_another() -> None:
    """No modules import each other, directly or in a cycle.

    Modules of one package import from the module, not from the package.
    """
    paths = {module_of(path): path for path in (*MODULES, SRC / "__init__.py")}
    imports = {name: (imported_names(path) & paths.keys()) - {name} for name, path in paths.items()}
    TopologicalSorter(imports).prepare()  # raises CycleError, which names the cycle
