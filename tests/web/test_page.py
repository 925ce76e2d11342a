"""The page in a real browser: every scene of page.mjs is a test. `scripts/web` installs what they need."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from page_world import servers

HERE = Path(__file__).parent
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium")
SCENES = (
    "ask_and_hear",
    "quotes_are_marked_verbatim",
    "follow_up",
    "a_follow_up_has_an_address",
    "filters_can_be_taken_away",
    "a_models_answer",
    "the_pictures_lead_somewhere",
    "copy_and_export",
    "errors_are_told",
    "the_server_is_gone",
    "stop",
    "nothing_low_and_empty",
    "a_key",
    "browse",
    "permalinks",
    "embeds_wait_to_be_played",
    "keyboard_only",
    "phone",
    "accessible_light",
    "accessible_dark",
    "hostile_texts_stay_texts",
)

pytestmark = [pytest.mark.web, pytest.mark.slow]


def missing() -> str:
    """What the machine lacks to run these."""
    if not CHROMIUM or not shutil.which("node"):
        return "needs Chromium and Node: scripts/web"
    return (
        "" if (HERE / "node_modules" / "playwright-core").is_dir() else "needs the npm packages: scripts/web"
    )


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str | None]]:
    """The error of each scene, None where it went well. One browser plays them all."""
    lacking = missing()
    if lacking and not os.environ.get("ONRECORD_WEB_TESTS"):
        pytest.skip(lacking)
    assert not lacking, lacking
    with servers(tmp_path_factory.mktemp("page")) as addresses:
        command = ["node", str(HERE / "page.mjs"), json.dumps(addresses)]
        environment = {**os.environ, "CHROMIUM": CHROMIUM or ""}
        done = subprocess.run(command, capture_output=True, text=True, timeout=540, env=environment)
    assert done.returncode == 0, done.stderr
    played = [json.loads(line) for line in done.stdout.splitlines()]
    yield {scene["name"]: scene["error"] for scene in played}


@pytest.mark.parametrize("scene", SCENES)
def test_scene(scene: str, results: dict[str, str | None]) -> None:
    assert results[scene] is None, results[scene]


def test_every_scene_is_a_test(results: dict[str, str | None]) -> None:
    assert set(results) == set(SCENES)
