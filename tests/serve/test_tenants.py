"""The workspaces of a server: each archive is opened once, on first use."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event
from unittest.mock import Mock

from onrecord.serve.http import Tenants


def test_a_workspace_that_opens_slowly_delays_no_other_and_is_opened_once() -> None:
    opening, open_slow = Event(), Event()
    archives = {"slow": Mock(), "fast": Mock()}
    opened = []

    def open_archive(name: str) -> Mock:
        opened.append(name)
        if name == "slow":
            opening.set()
            assert open_slow.wait(30)
        return archives[name]

    tenants = Tenants(tuple(archives), open_archive)
    with ThreadPoolExecutor(3) as threads:
        try:
            slow = [threads.submit(tenants.archive, "slow") for _ in range(2)]
            assert opening.wait(30)
            assert threads.submit(tenants.archive, "fast").result(30) is archives["fast"]
        finally:
            open_slow.set()
        assert [each.result(30) for each in slow] == [archives["slow"]] * 2
    assert opened == ["slow", "fast"]
    tenants.close()
    assert all(archive.close.call_count == 1 for archive in archives.values())
    assert tenants.archive("fast") is archives["fast"]
    assert opened == ["slow", "fast", "fast"]
