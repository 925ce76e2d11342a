"""The core package has few dependencies: no torch, directly or through another package."""

import json
import re
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
HEAVY = {"torch", "transformers", "tensorflow", "jax", "sentence-transformers", "onnx", "scipy", "pandas"}


def closure(name: str) -> set[str]:
    """Return the installed packages that `name` requires without extras, directly or indirectly."""
    from packaging.requirements import Requirement

    names: set[str] = set()
    waiting = [Requirement(name)]
    while waiting:
        requirement = waiting.pop()
        key = re.sub(r"[-_.]+", "-", requirement.name).lower()
        if key in names:
            continue
        names.add(key)
        try:
            needed = requires(requirement.name) or []
        except PackageNotFoundError:
            continue
        for need in map(Requirement, needed):
            extras = requirement.extras or {""}
            if need.marker is None or any(need.marker.evaluate({"extra": extra}) for extra in extras):
                waiting.append(need)
    return names


def test_what_is_installed_for_the_core_is_lean():
    """The installed requirements include no heavy package."""
    needed = closure("onrecord")
    assert "numpy" in needed
    assert not needed & HEAVY
    assert not [name for name in needed if name.startswith(("nvidia", "cuda"))]


@pytest.mark.slow
def test_what_a_fresh_install_would_bring_is_lean():
    """The packages that pip resolves for ``pip install .`` into an empty environment include no heavy one."""
    command = [sys.executable, "-m", "pip", "install", "--dry-run", "--ignore-installed", "--quiet"]
    process = subprocess.run([*command, "--report", "-", str(ROOT)], capture_output=True, text=True)
    if process.returncode and "connection" in process.stderr.lower():
        pytest.skip("no package registry can be reached")
    assert process.returncode == 0, process.stderr
    names = {item["metadata"]["name"].lower() for item in json.loads(process.stdout)["install"]}
    assert "onnxruntime" in names
    assert not names & HEAVY
    assert not [name for name in names if name.startswith(("nvidia", "cuda"))]


def test_asking_loads_nothing_that_only_adding_or_a_language_model_needs(tmp_path):
    """A question does not import modules that only ingestion or language models need."""
    (tmp_path / "talk.txt").write_text("Ann: Freight doubled.\n\nBo: And nobody builds a crane in a year.")
    code = """
import sys, onrecord
with onrecord.open(sys.argv[1], embedding={"model": "hashing"}) as archive:
    if sys.argv[2:]:
        archive.add(*sys.argv[2:])
    else:
        assert archive.ask("Who builds a crane?").citations
        needless = ("asyncio", "defusedxml", "numpy.ma", "onrecord.ingest.sources",
                    "onrecord.ingest.export", "onrecord.answer.draft", "onrecord.answer.context")
        print([name for name in needless if name in sys.modules])
"""
    run = [sys.executable, "-c", code, str(tmp_path / "talks.db")]
    subprocess.run([*run, str(tmp_path / "talk.txt")], check=True, capture_output=True)
    process = subprocess.run(run, capture_output=True, text=True)
    assert process.stdout.strip() == "[]", process.stderr
