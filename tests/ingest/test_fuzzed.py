"""Files that mutations once broke a reader with (scripts/fuzz) are read or refused now."""

from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


def fuzz() -> ModuleType:
    spec = spec_from_loader("fuzz", SourceFileLoader("fuzz", str(ROOT / "scripts" / "fuzz")))
    assert spec and spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.data
def test_seeds_that_once_showed_a_fault(data: Path) -> None:
    tool = fuzz()
    for line in tool.SEEDS.read_text().splitlines():
        name, seed = line.rsplit(" ", 1)
        assert tool.trial(data / name, seed)[1] is None, line


@pytest.mark.data
@pytest.mark.slow
def test_a_few_mutations_of_every_original(data: Path) -> None:
    tool = fuzz()
    for path in tool.originals(data, ""):
        assert tool.trial(path, "test.0")[1] is None, path.name
