"""The JavaScript modules of the page, tested in Node without a browser."""

import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
NODE = shutil.which("node")


@pytest.mark.web
@pytest.mark.skipif(NODE is None, reason="needs Node")
def test_modules() -> None:
    assert NODE
    done = subprocess.run(
        [NODE, "--test", str(HERE / "modules.test.mjs")], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr
