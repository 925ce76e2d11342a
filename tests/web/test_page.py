"""The page in a real browser: the scenes of page.mjs. `scripts/web` installs their requirements."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from page_world import servers

HERE = Path(__file__).parent
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium")
SCENES = 49
"""The minimum number of scenes that must run."""

pytestmark = [pytest.mark.web, pytest.mark.slow]


def missing() -> str:
    """Return what the machine lacks to run the scenes, or an empty text."""
    if not CHROMIUM or not shutil.which("node"):
        return "needs Chromium and Node: scripts/web"
    return (
        "" if (HERE / "node_modules" / "playwright-core").is_dir() else "needs the npm packages: scripts/web"
    )


@pytest.mark.timeout(700)
def test_every_scene_goes_well(tmp_path: Path) -> None:
    """All scenes run in one browser, because its start takes longer than most scenes."""
    lacking = missing()
    if lacking and not os.environ.get("ONRECORD_WEB_TESTS"):
        pytest.skip(lacking)
    assert not lacking, lacking
    with servers(tmp_path) as addresses:
        command = ["node", str(HERE / "page.mjs"), json.dumps(addresses)]
        environment = {**os.environ, "CHROMIUM": CHROMIUM or ""}
        done = subprocess.run(command, capture_output=True, text=True, timeout=660, env=environment)
    assert done.returncode == 0, done.stderr
    played = [json.loads(line) for line in done.stdout.splitlines()]
    failed = [f"{scene['name']}: {scene['error']}" for scene in played if scene["error"]]
    assert not failed, "\n\n".join(failed)
    assert len(played) >= SCENES
