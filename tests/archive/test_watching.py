"""Watching of folders and feeds: what each look adds and reports."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

import onrecord
from onrecord.archive import Archive
from onrecord.archive.intake import Added
from onrecord.archive.watching import Watcher
from onrecord.errors import EmbeddingError, FetchError, LockedError, NotFoundError

TALK = "Ann: This is tape {}, of the harvest.\n"
BROKEN = "WEBVTT\n\n00:01.000 --> nonsense\nHello there.\n"


@pytest.fixture
def talks(tmp_path: Path) -> Path:
    folder = tmp_path / "talks"
    folder.mkdir()
    return folder


@pytest.fixture
def archive(tmp_path: Path):
    with onrecord.open(tmp_path / "talks.db", embedding={"model": "hashing"}) as opened:
        yield opened


def put(path: Path, text: str, age: float = 60.0) -> None:
    """Write a file that was last changed `age` seconds ago."""
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    os.utime(path, (time.time() - age,) * 2)


def titles(report: Added) -> list[str]:
    return [recording.title for recording in (*report.added, *report.changed)]


def test_what_is_new_or_changed_is_added_once(archive: Archive, talks: Path) -> None:
    watcher = Watcher(archive, [str(talks)])
    put(talks / "a.txt", TALK.format("a"))
    assert titles(watcher.look()) == ["A"]
    assert watcher.look() == Added()
    put(talks / "b.txt", TALK.format("b"), age=0)
    put(talks / "a.txt", TALK.format("a, again"))
    assert titles(watcher.look()) == []  # they may still be growing
    report = watcher.look()
    assert [r.title for r in report.added] == ["B"] and [r.title for r in report.changed] == ["A"]
    assert len(archive.recordings()) == 2


def test_nothing_is_read_where_nothing_changed(archive: Archive, talks: Path, monkeypatch) -> None:
    put(talks / "a.txt", TALK.format("a"))
    watcher = Watcher(archive, [str(talks)])
    watcher.look()
    monkeypatch.setattr(Archive, "add", lambda *_, **__: pytest.fail("it read again"))
    assert watcher.look() == Added()


def test_only_the_branch_of_folders_that_changed_is_read(archive: Archive, talks: Path, monkeypatch) -> None:
    from onrecord.ingest import sources

    put(talks / "one" / "a.txt", TALK.format("a"))
    put(talks / "two" / "b.txt", TALK.format("b"))
    watcher = Watcher(archive, [str(talks)])
    assert titles(watcher.look()) == ["A", "B"]
    read: list[str] = []
    whole = sources.read_bytes
    monkeypatch.setattr(sources, "read_bytes", lambda path: (read.append(path.name), whole(path))[1])
    put(talks / "two" / "b.txt", TALK.format("b, again"))
    watcher.look()
    assert titles(watcher.look()) == ["B"] and read == ["b.txt"]


def test_a_file_that_grows_is_left_until_it_stops(archive: Archive, talks: Path) -> None:
    watcher = Watcher(archive, [str(talks)])
    for number in range(3):
        with (talks / "a.txt").open("a") as file:
            file.write(TALK.format(number))
        assert watcher.look() == Added() and len(watcher.growing) == 1
    assert titles(watcher.look()) == ["A"] and not watcher.growing
    assert archive.recordings()[0].words == 3 * len(TALK.split()[1:])


def test_a_feed_is_left_while_a_part_of_it_grows(archive: Archive, talks: Path) -> None:
    item = '<item><title>One</title><podcast:transcript url="parts/one.vtt" type="text/vtt"/></item>'
    space = 'xmlns:podcast="https://podcastindex.org/namespace/1.0"'
    put(talks / "show.xml", f'<rss version="2.0" {space}><channel><title>Show</title>{item}</channel></rss>')
    watcher = Watcher(archive, [str(talks / "show.xml")])
    put(talks / "parts" / "one.vtt", "WEBVTT\n\n00:01.000 --> 00:02.000\nOf the har", age=0)
    assert watcher.look() == Added() and len(watcher.growing) == 1
    put(talks / "parts" / "one.vtt", "WEBVTT\n\n00:01.000 --> 00:02.000\nOf the harvest.\n")
    assert watcher.look() == Added()
    assert titles(watcher.look()) == ["One"]
    put(talks / "parts" / "one.vtt", "WEBVTT\n\n00:01.000 --> 00:02.000\nOf the late harvest.\n")
    watcher.look()
    assert titles(watcher.look()) == ["One"]


def test_details_beside_a_transcript_are_a_change_of_it(archive: Archive, talks: Path) -> None:
    put(talks / "a.txt", TALK.format("a"))
    watcher = Watcher(archive, [str(talks)])
    watcher.look()
    put(talks / "a.yaml", "title: Harvest Home\n", age=0)
    watcher.look()
    assert titles(watcher.look()) == ["Harvest Home"]
    (talks / "a.yaml").unlink()
    assert titles(watcher.look()) == ["A"]


def test_a_refusal_is_reported_once_and_again_when_the_file_changes(archive: Archive, talks: Path) -> None:
    put(talks / "a.vtt", BROKEN)
    watcher = Watcher(archive, [str(talks)])
    assert len(watcher.look().refused) == 1
    assert watcher.look() == Added()
    put(talks / "b.txt", TALK.format("b"))
    report = watcher.look()
    assert titles(report) == ["B"] and not report.refused
    put(talks / "a.vtt", BROKEN, age=30)
    watcher.look()
    assert len(watcher.look().refused) == 1
    put(talks / "a.vtt", "WEBVTT\n\n00:01.000 --> 00:02.000\nHello there.\n")
    watcher.look()
    assert titles(watcher.look()) == ["A"]


def test_a_folder_that_is_not_there_yet_is_waited_for(archive: Archive, talks: Path) -> None:
    watcher = Watcher(archive, [str(talks / "later")])
    assert [type(error) for _, error in watcher.look().refused] == [NotFoundError]
    assert watcher.look() == Added()
    put(talks / "later" / "a.txt", TALK.format("a"))
    assert titles(watcher.look()) == ["A"]


@pytest.mark.parametrize("error", [LockedError("locked"), EmbeddingError("nobody answers")])
def test_what_was_no_fault_of_the_file_is_tried_again_unchanged(
    archive: Archive, talks: Path, monkeypatch, error
) -> None:
    """After an error of the archive or the model, the next looks try an unchanged file again.

    The error is reported once.
    """

    def refuse(*_):
        raise error

    put(talks / "a.txt", TALK.format("a"))
    watcher = Watcher(archive, [str(talks)])
    with monkeypatch.context() as patch:
        patch.setattr(type(archive.store), "add", refuse)
        assert len(watcher.look().refused) == 1
        assert watcher.look() == Added()
    assert titles(watcher.look()) == ["A"]


def test_a_stop_leaves_the_rest_for_later(archive: Archive, talks: Path) -> None:
    for name in "abc":
        put(talks / f"{name}.txt", TALK.format(name))
    watcher = Watcher(archive, [str(talks)])
    assert titles(watcher.look(stop=lambda: len(archive.recordings()) == 1)) == ["A"]
    assert titles(watcher.look()) == ["B", "C"]


def test_an_address_is_asked_once_in_a_quarter_of_an_hour(archive: Archive, monkeypatch) -> None:
    from onrecord.ingest import fetch

    asked: list[str] = []
    part = "https://example.org/one.vtt"
    space = 'xmlns:podcast="https://podcastindex.org/namespace/1.0"'
    item = f'<item><title>One</title><podcast:transcript url="{part}" type="text/vtt"/></item>'
    pages = {
        "https://example.org/show.xml": f'<rss version="2.0" {space}><channel>{item}</channel></rss>',
        part: "WEBVTT\n\n00:01.000 --> 00:02.000\nOf the harvest.\n",
    }

    def answer(_: object, url: str) -> bytes:
        asked.append(url)
        if url not in pages:
            raise FetchError(f"{url}: not there")
        return pages[url].encode()

    monkeypatch.setattr(fetch.Fetcher, "__call__", answer)
    watcher = Watcher(archive, ["https://example.org/show.xml"], fetch=True)
    assert titles(watcher.look()) == ["One"] and asked == list(pages)
    assert watcher.look() == Added() and len(asked) == 2
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now + 1000)
    report = watcher.look()
    assert len(report.unchanged) == 1 and asked[2:] == ["https://example.org/show.xml"]
