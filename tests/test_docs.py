"""Every command and example in the documentation runs.

In a Markdown file, ``console`` blocks hold commands after "$ "; the output below them is not compared.
``python`` blocks run one after another in one namespace. All blocks run in a folder that holds the built-in
examples as ``talks/``, with an embedder that needs no weights. A block under ``<!-- not run -->`` is not run.
"""

import re
import shlex
import shutil
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from onrecord.serve.cli import main

ROOT = Path(__file__).parent.parent
DOCS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"(?P<skip><!-- not run[^>]*-->\n)?```(?P<kind>console|python)\n(?P<body>.*?)```", re.S)

SHOWS_NOTHING = re.compile(r'^(No stated causes|Nothing in the archive|  "paths": \[\])', re.M)
"""Output of a graph command that finds nothing: no example for a page."""


def blocks(path: Path) -> list[tuple[str, str]]:
    """Return the kind and body of each block of a page that runs."""
    return [(m["kind"], m["body"]) for m in BLOCK.finditer(path.read_text()) if not m["skip"]]


def run_console(body: str) -> None:
    """Run the ``onrecord`` commands of a block, and check that each succeeds."""
    for line in body.splitlines():
        command = shlex.split(line.removeprefix("$ "), comments=True) if line.startswith("$ ") else []
        if command[:1] != ["onrecord"]:
            continue
        result = CliRunner().invoke(main, command[1:])
        assert result.exit_code == 0, f"{line}\n{result.output}\n{result.exception!r}"
        assert not SHOWS_NOTHING.search(result.output), f"{line}\n{result.output}"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Enter a folder with the examples and with settings that need no weights."""
    shutil.copytree(ROOT / "src" / "onrecord" / "examples", tmp_path / "talks")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ONRECORD_ARCHIVE", str(tmp_path / "onrecord.db"))
    monkeypatch.setenv("ONRECORD_EMBEDDING__MODEL", "hashing")
    return tmp_path


@pytest.mark.parametrize("path", DOCS, ids=lambda p: p.name)
def test_every_example_runs(path: Path, folder: Path) -> None:
    namespace: dict[str, object] = {}
    for kind, body in blocks(path):
        if kind == "console":
            run_console(body)
        else:
            exec(compile(body, str(path), "exec"), namespace)


@pytest.mark.parametrize("path", DOCS, ids=lambda p: p.name)
def test_every_local_link_leads_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", path.read_text()):
        assert (path.parent / target).exists(), target


def test_measurements_call_shown_what_the_graph_shows() -> None:
    """The table of relations has "yes" for exactly those that the data shows by default."""
    relations = yaml.safe_load((ROOT / "src" / "onrecord" / "data" / "relations.yaml").read_text())[
        "relations"
    ]
    rows = re.findall(
        r"^\| ([a-z ]+) \|.*\| ([^|]+) \|$", (ROOT / "docs" / "measurements.md").read_text(), re.M
    )
    listed = {name: shown == "yes" for name, shown in rows if name in relations}
    assert listed == {name: relations[name].get("shown", True) for name in listed} and len(listed) > 5
