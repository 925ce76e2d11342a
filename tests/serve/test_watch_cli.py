"""The command `onrecord watch`: a single pass, refused files and signals."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import EXAMPLES, Shell


def events(text: str) -> list[dict[str, object]]:
    """Return the JSON values of the lines."""
    return [json.loads(line) for line in text.splitlines()]


def test_once_adds_what_is_there_and_ends(shell: Shell, tmp_path: Path) -> None:
    shutil.copytree(EXAMPLES, tmp_path / "talks")
    output = shell("watch", "talks", "--once", "--every", "0.1").stdout
    assert output.count("added  ") >= 5 and output.splitlines()[-1].split()[:3] == ["done", "5", "added,"]
    output = shell("watch", "talks", "--once", "--every", "0.1", "--json").stdout
    assert events(output)[-1] == {"event": "done", "added": 0, "changed": 0, "refused": 0}


def test_once_fails_where_something_was_refused(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "a.vtt").write_text("WEBVTT\n\n00:01.000 --> nonsense\nHello there.\n")
    output = shell("watch", "a.vtt", "--once", "--every", "0.1", "--json", code=1).stdout
    assert [event["event"] for event in events(output)] == ["refused", "done"]


@pytest.mark.skipif(os.name == "nt", reason="signals of another kind")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_in_order(shell: Shell, tmp_path: Path, number: signal.Signals) -> None:
    (tmp_path / "talks").mkdir()
    command = [sys.executable, "-m", "onrecord", "watch", "talks", "--every", "0.2", "--json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        (tmp_path / "talks" / "a.txt").write_text("Ann: Of the harvest.\n")
        assert json.loads(process.stdout.readline())["title"] == "A"
        process.send_signal(number)
        rest, error_output = process.communicate(timeout=30)
    finally:
        process.kill()
    assert process.returncode == 0 and not error_output
    assert events(rest)[-1] == {"event": "stopped", "added": 1, "changed": 0, "refused": 0}
    assert len(shell.json("list")) == 1
