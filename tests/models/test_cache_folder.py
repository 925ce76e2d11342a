"""The cache folder: its location, atomic writes, and the removal of abandoned files."""

import os
import threading
import time

import platformdirs
import pytest

import onrecord.models.cache_folder as cache
from onrecord.errors import WeightsError


def names(folder):
    return sorted(file.name for file in folder.iterdir())


def test_the_root_is_named_or_in_the_environment_or_the_systems(tmp_path, monkeypatch):
    monkeypatch.setenv("ONRECORD_CACHE", str(tmp_path / "env"))
    assert cache.cache_root(tmp_path) == tmp_path
    assert cache.cache_root() == tmp_path / "env"
    monkeypatch.delenv("ONRECORD_CACHE")
    assert cache.cache_root() == platformdirs.user_cache_path("onrecord")


def test_a_file_is_whole_in_a_folder_that_is_made(tmp_path):
    file = tmp_path / "a" / "b" / "file"
    cache.write(file, [b"one", b"two"])
    assert file.read_bytes() == b"onetwo"
    assert names(file.parent) == ["file"]


def test_a_source_that_fails_leaves_what_was_there(tmp_path):
    def chunks():
        yield b"half"
        raise KeyError("gone")

    file = tmp_path / "file"
    file.write_bytes(b"before")
    with pytest.raises(KeyError):
        cache.write(file, chunks())
    assert file.read_bytes() == b"before"
    assert names(tmp_path) == ["file"]


def test_a_folder_that_cannot_be_written_to_is_named_with_the_way_out(tmp_path):
    (tmp_path / "taken").write_text("a file where the folder should be")
    with pytest.raises(WeightsError, match=r"taken.*ONRECORD_CACHE"):
        cache.write(tmp_path / "taken" / "file", [b"x"])


def test_readers_see_one_writers_file_and_never_a_mixture(tmp_path):
    file, seen = tmp_path / "file", set()
    contents = [bytes([n]) * 50_000 for n in range(8)]
    cache.write(file, [contents[0]])

    def write(content):
        for _ in range(5):
            cache.write(file, [content[:25_000], content[25_000:]])

    threads = [threading.Thread(target=write, args=(content,)) for content in contents]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        seen.add(file.read_bytes())
    assert seen <= set(contents)
    assert names(tmp_path) == ["file"]


def test_what_killed_writers_left_goes_after_a_day(tmp_path):
    old, new, whole = tmp_path / "a.1.part", tmp_path / "a.2.part", tmp_path / "a"
    for file in (old, new, whole):
        file.write_bytes(b"x")
    yesterday = time.time() - cache.ABANDONED_AFTER - 1
    os.utime(old, (yesterday, yesterday))
    os.utime(whole, (yesterday, yesterday))
    cache.sweep(tmp_path)
    assert names(tmp_path) == ["a", "a.2.part"]
    cache.sweep(tmp_path / "none")


def test_a_file_that_cannot_be_read_has_no_digest(tmp_path):
    assert cache.sha256(tmp_path / "none") is None
    (tmp_path / "empty").write_bytes(b"")
    assert cache.sha256(tmp_path / "empty").startswith("e3b0c442")
