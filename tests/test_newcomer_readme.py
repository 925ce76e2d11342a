"""The README from top to bottom, followed by a user who starts with only transcripts."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tomllib
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BLOCK = re.compile(r"```(?P<kind>console|python)\n(?P<body>.*?)```", re.S)
INSTALLED = "#!/bin/sh\nexit 0\n"
"""The replacement of pip and of the checks: the packages are installed, and other jobs run the checks."""


class Newcomer:
    """A user with an empty home folder and a folder of transcripts."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "work"
        shutil.copytree(ROOT / "src" / "onrecord" / "examples", self.folder / "talks")
        for name, text in {
            "bin/pip": INSTALLED,
            "work/scripts/check": INSTALLED,
            "bin/onrecord": f'#!/bin/sh\nexec "{sys.executable}" -m onrecord "$@"\n',
        }.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            path.chmod(0o755)
        home = folder / "home"
        home.mkdir()
        variables = {
            name: value for name, value in os.environ.items() if not name.startswith(("ONRECORD", "XDG_"))
        }
        self.environment = {
            **variables,
            "HOME": str(home),
            "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
            "PYTHONUNBUFFERED": "1",
            "ONRECORD_EMBEDDING__MODEL": "hashing",  # needs no weights
        }

    def run(self, command: str) -> None:
        """Run a shell command, and check that it succeeds."""
        if re.search(r"\bonrecord serve\b", command):
            self.serve(command)
            return
        completed = subprocess.run(
            ["bash", "-c", command], cwd=self.folder, env=self.environment, capture_output=True, text=True
        )
        assert completed.returncode == 0, f"$ {command}\n{completed.stdout}\n{completed.stderr}"

    def serve(self, command: str) -> None:
        """Start the server, check that it serves the added recordings, and stop it."""
        process = subprocess.Popen(
            ["bash", "-c", f"exec {command} --port 0"],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None and process.stderr is not None
        match = re.search(r"http://\S+", process.stdout.readline())
        if match is None:
            pytest.fail(f"$ {command}\n{process.communicate()[1]}")
        with urllib.request.urlopen(f"{match[0]}/api/recordings") as reply:
            assert b"Night Desk 41" in reply.read(), "what was added is what is served"
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)

    def python(self, body: str) -> None:
        """Run Python code, and check that it succeeds."""
        completed = subprocess.run(
            [sys.executable, "-"],
            input=body,
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
        )
        assert completed.returncode == 0, f"{body}\n{completed.stderr}"


def steps(path: Path) -> Iterator[tuple[str, str]]:
    """Yield each command and each Python block of a page, also those marked as not run."""
    for block in BLOCK.finditer(path.read_text()):
        if block["kind"] == "python":
            yield "python", block["body"]
            continue
        for line in block["body"].splitlines():
            if line.startswith("$ "):
                yield "console", line.removeprefix("$ ").partition(" #")[0].strip()


@pytest.mark.slow
@pytest.mark.parametrize("kinds", [("console", "python"), ("console",)], ids=["all", "commands alone"])
def test_the_readme_works_from_top_to_bottom(tmp_path: Path, kinds: tuple[str, ...]) -> None:
    newcomer = Newcomer(tmp_path)
    for kind, step in steps(ROOT / "README.md"):
        if kind in kinds:
            newcomer.python(step) if kind == "python" else newcomer.run(step)


def test_what_the_readme_names_is_there() -> None:
    text = (ROOT / "README.md").read_text()
    for name in ("constraints.txt", "scripts/check"):
        assert name in text and (ROOT / name).exists()


def test_the_constraints_pin_all_that_is_wanted_for_development() -> None:
    pinned = {line.partition("==")[0] for line in (ROOT / "constraints.txt").read_text().splitlines()}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    requirements = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    assert {re.split(r"[^\w-]", name)[0].lower() for name in requirements} <= pinned
