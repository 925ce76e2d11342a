"""Fixtures for tests of the command line and the server."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner, Result

from onrecord.serve.cli import main

if TYPE_CHECKING:
    from starlette.testclient import TestClient

    from server_world import World

EXAMPLES = Path(__file__).parent.parent.parent / "src" / "onrecord" / "examples"


class Shell:
    """Runs commands in their own folder, with an embedder that needs no weights."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, *words: str, code: int = 0) -> Result:
        """Run a command, check its exit code and return the result."""
        result = CliRunner().invoke(main, words)
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert result.exit_code == code, result.output
        return result

    def json(self, *words: str, code: int = 0) -> Any:
        """Run a command with `--json` and return the value that it prints."""
        return json.loads(self(*words, "--json", code=code).stdout)


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """Return a shell in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ONRECORD_ARCHIVE", str(tmp_path / "onrecord.db"))
    monkeypatch.setenv("ONRECORD_EMBEDDING__MODEL", "hashing")
    return Shell(tmp_path)


@pytest.fixture
def filled(shell: Shell) -> Shell:
    """Return a shell whose archive holds the examples."""
    shutil.copytree(EXAMPLES, shell.folder / "talks")
    shell("add", "talks")
    return shell


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    """Return the archives of a server, shared by all tests of a module."""
    from server_world import World

    return World(tmp_path_factory.mktemp("world"))


@pytest.fixture
def client(world: World) -> TestClient:
    """Return a client of a server without keys."""
    from starlette.testclient import TestClient

    return TestClient(world.app(), raise_server_exceptions=False)
