"""The steps of deploy/Dockerfile without Docker, in a folder, run as deploy/compose.yaml says.

Python steps run in a fresh environment. Steps that need root or a separate system (users, owners) are left
out by name. Absolute paths such as /archive become paths in the folder. These tests do not cover the base
image.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import httpx
import pytest
import yaml

HOME = Path(__file__).parent.parent
COMPOSE = yaml.safe_load((HOME / "deploy" / "compose.yaml").read_text())["services"]
OF_THE_SYSTEM = ("useradd", "chown")
TALK = "WEBVTT\n\n00:00.000 --> 00:06.000\n<v Ann Bell>The pumps failed because the filters were full.\n"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(700),
    pytest.mark.skipif(
        not os.environ.get("ONRECORD_IMAGE_TESTS"), reason="installs packages: ONRECORD_IMAGE_TESTS=1"
    ),
]


class Image:
    """The result of the Dockerfile: a folder for /, environment variables, and the commands."""

    def __init__(self, root: Path) -> None:
        self.root, self.cwd = root, root
        self.variables = {"PATH": f"{root / 'bin'}:{os.environ['PATH']}", "HOME": str(root / "home")}
        self.lists: dict[str, list[str]] = {}
        (root / "bin").mkdir(parents=True)
        (root / "bin" / "python").symlink_to(sys.executable)
        text = (HOME / "deploy" / "Dockerfile").read_text().replace("\\\n", " ")
        for line in text.splitlines():
            if line and not line.startswith("#"):
                name, _, rest = line.partition(" ")
                getattr(self, {"FROM": "stage"}.get(name, name.casefold()), lambda rest: None)(rest.strip())

    def inside(self, text: str) -> str:
        """Replace absolute paths of the image in a text with paths of the folder."""
        return re.sub(r"(?<![\w./:}])/(?=(?:archive|onrecord|source)\b)", f"{self.root}/", text)

    def run_in(self, words: list[str], **variables: str) -> subprocess.CompletedProcess[str]:
        """Run a command in the image's folder with its environment variables."""
        return subprocess.run(
            [self.inside(word) for word in words],
            cwd=self.cwd,
            env=self.variables | variables,
            capture_output=True,
            text=True,
            timeout=280,
        )

    # ---- one method for each Dockerfile instruction

    def stage(self, rest: str) -> None:
        """Start a build stage (``FROM``)."""
        assert rest.startswith("python:3.")
        self.cwd = self.root

    def workdir(self, rest: str) -> None:
        self.cwd = Path(self.inside(rest))
        self.cwd.mkdir(exist_ok=True)

    def copy(self, rest: str) -> None:
        """Copy files of the repository or of an earlier stage."""
        if rest.startswith("--from="):  # a later stage has only what it copies from earlier ones
            _, source, target = rest.split()
            assert source == target, "an environment stays where it was made"
            for folder in self.root.iterdir():
                if folder.name not in ("bin", source[1:]):
                    shutil.rmtree(folder)
            return
        *sources, target = rest.split()
        for source in sources:
            copy = shutil.copytree if (HOME / source).is_dir() else shutil.copy
            copy(HOME / source, self.cwd / (source if target == "./" else target))

    def run(self, rest: str) -> None:
        """Run the shell steps of a ``RUN`` line, except those for users and owners."""
        steps = [step for step in rest.split(" && ") if not step.startswith(OF_THE_SYSTEM)]
        done = self.run_in(["sh", "-ec", " && ".join(steps)])
        assert done.returncode == 0, done.stderr[-2000:]

    def env(self, rest: str) -> None:
        for pair in shlex.split(rest):
            name, _, value = pair.partition("=")
            self.variables[name] = self.inside(value).replace("$PATH", self.variables["PATH"])

    def entrypoint(self, rest: str) -> None:
        self.lists["entrypoint"] = json.loads(rest)

    def cmd(self, rest: str) -> None:
        self.lists["cmd"] = json.loads(rest)

    def healthcheck(self, rest: str) -> None:
        self.lists["healthcheck"] = json.loads(rest[rest.index("[") :])

    # ---- runs by the compose file

    def composed(self, *words: str, **given: str) -> subprocess.CompletedProcess[str]:
        """Run a command as ``docker compose run --rm onrecord WORDS`` would, and check that it succeeds."""
        done = self.run_in([*self.lists["entrypoint"], *words], **self.environment(**given))
        assert done.returncode == 0, done.stderr
        return done

    def environment(self, **given: str) -> dict[str, str]:
        """Return the variables of the compose file, with these values from the shell."""

        def value_of(match: re.Match[str]) -> str:
            return given.get(match[1]) or match[2]

        return {
            name: self.inside(re.sub(r"\$\{(\w+):-([^}]*)\}", value_of, value))
            for name, value in COMPOSE["onrecord"]["environment"].items()
        }

    @contextmanager
    def serving(self, **given: str) -> Iterator[str]:
        """Run the server as ``docker compose up`` would, yield its address, and stop it gracefully."""
        with closing(socket.create_server(("127.0.0.1", 0))) as free:
            port = str(free.getsockname()[1])
        words = [*self.lists["entrypoint"], *self.lists["cmd"]]
        assert words[words.index("--port") + 1] == "8000"
        command = [port if word == "8000" else word for word in words]
        variables = self.variables | self.environment(**given)
        command[0] = shutil.which(command[0], path=variables["PATH"]) or command[0]
        server = subprocess.Popen(command, cwd=self.cwd, env=variables)
        try:
            health = [word.replace(":8000/", f":{port}/") for word in self.lists["healthcheck"][1:]]
            end = time.monotonic() + 120
            while self.run_in(["python", *health]).returncode:
                assert server.poll() is None and time.monotonic() < end
                time.sleep(0.5)
            yield f"http://127.0.0.1:{port}"
            server.send_signal(signal.SIGTERM)
            grace = COMPOSE["onrecord"]["stop_grace_period"]
            assert server.wait(float(grace.removesuffix("s"))) in (0, 128 + signal.SIGTERM)
        finally:
            server.kill()
            server.wait()


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Image:
    """Build the image once for this module."""
    return Image(tmp_path_factory.mktemp("image") / "root")


def test_the_image_has_nothing_but_its_environment(image: Image) -> None:
    """The final stage has only the environment and the archive folder."""
    assert {path.name for path in image.root.iterdir()} == {"bin", "onrecord", "archive"}
    where = image.run_in(["python", "-c", "import onrecord; print(onrecord.__file__)"]).stdout
    assert where.startswith(str(image.root / "onrecord"))


@pytest.mark.parametrize("store", ["file", "postgres"])
def test_it_serves_as_the_compose_file_says(
    image: Image, store: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """Adding, keys, health checks, answers and metrics work in the image.

    The archive is a file or in PostgreSQL.
    """
    given = {}
    if store == "postgres":
        documented = "postgresql://onrecord:$POSTGRES_PASSWORD@postgres/onrecord"
        assert documented in (HOME / "deploy" / "compose.yaml").read_text()
        given = {"ONRECORD_ARCHIVE": request.getfixturevalue("postgres")}
    (tmp_path / "pumps.vtt").write_text(TALK)
    image.composed("add", str(tmp_path), **given)
    keys = image.root / "archive" / "keys.yaml"
    keys.unlink(missing_ok=True)
    secrets = [
        image.composed("keys", "new", "--file", "keys.yaml", "--right", right, **given).stdout.strip()
        for right in ("read", "metrics")
    ]
    asking, watching = ({"Authorization": f"Bearer {secret}"} for secret in secrets)
    question = {"question": "Why did the pumps fail?"}
    with image.serving(**given) as address, httpx.Client(base_url=address, timeout=120) as client:
        assert client.get("/healthz").status_code == client.get("/readyz").status_code == 200
        assert client.post("/api/ask", json=question).status_code == 401
        answer = client.post("/api/ask", json=question, headers=asking).json()
        assert "the filters were full" in answer["text"]
        assert "onrecord_answers_total" in client.get("/metrics", headers=watching).text
        assert client.get("/metrics", headers=asking).status_code == 403
    assert (image.root / "archive" / "onrecord.db").exists() or store == "postgres"
