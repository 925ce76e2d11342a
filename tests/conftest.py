"""Shared by all tests. No test can reach a network by accident: only loopback is open."""

import os
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
