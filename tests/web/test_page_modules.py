"""The JavaScript modules of the page, tested in Node without a browser."""

import json
import random
import shutil
import subprocess
from pathlib import Path

import pytest

from onrecord.answer.marks import marks_in

HERE = Path(__file__).parent
ASSETS = HERE.parents[1] / "src" / "onrecord" / "serve" / "page" / "assets"
NODE = shutil.which("node")


@pytest.mark.web
@pytest.mark.skipif(NODE is None, reason="needs Node")
def test_modules() -> None:
    assert NODE
    done = subprocess.run(
        [NODE, "--test", str(HERE / "modules.test.mjs")], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr


MARKS_OF_PAGE = """
import { readFileSync } from "node:fs";
const { pieces } = await import(process.argv[1]);
const marks = (line) => pieces(line, new Set([1, 2])).filter((p) => p.kind === "mark").map((p) => p.number);
const texts = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(texts.map((text) => text.split("\\n").flatMap(marks))));
"""


@pytest.mark.web
@pytest.mark.skipif(NODE is None, reason="needs Node")
def test_the_page_and_the_server_find_the_same_marks() -> None:
    """Check that a mark is a link on the page where the server counts it as a mark, and nowhere else."""
    assert NODE
    chance = random.Random(3)
    signs = ["“", "”", "« ", " »", "«", "»", "[1]", "[2]", "said ", ": ", "\n"]
    texts = ["".join(chance.choices(signs, k=chance.randrange(16))) for _ in range(3000)]
    done = subprocess.run(
        [NODE, "--input-type=module", "-e", MARKS_OF_PAGE, str(ASSETS / "markdown.js")],
        input=json.dumps(texts),
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    of_page = json.loads(done.stdout)
    assert of_page == [[int(match[1]) for match in marks_in(text)] for text in texts]
