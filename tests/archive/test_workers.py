"""Adding with several processes: the archive equals that of one process, even if workers are killed."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from multiprocessing import active_children
from pathlib import Path

import pytest

import onrecord
from onrecord.archive import Archive, preparing
from onrecord.archive.moving import copy_workspace
from onrecord.types import Recording

EXAMPLES = Path(__file__).parent.parent.parent / "src" / "onrecord" / "examples"
FEED = """<rss version="2.0" xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel>\
<title>Show</title>
<item><title>One</title><podcast:transcript url="parts/one.vtt" type="text/vtt"/></item></channel></rss>"""
FILES = 12


@pytest.fixture
def talks(tmp_path: Path) -> Path:
    """Return a folder with the examples, a feed, a broken file, twins and some more files."""
    folder = tmp_path / "talks"
    shutil.copytree(EXAMPLES, folder)
    (folder / "parts").mkdir()
    (folder / "parts" / "one.vtt").write_text("WEBVTT\n\n00:01.000 --> 00:02.000\nOf the late harvest.\n")
    (folder / "show.xml").write_text(FEED)
    (folder / "broken.vtt").write_text("WEBVTT\n\n00:01.000 --> nonsense\nHello there.\n")
    shutil.copy(folder / "night-desk-41.vtt", folder / "same-words.vtt")
    for number in range(FILES):
        chance = random.Random(number)
        text = " ".join(f"Field {chance.randrange(10**6)} was sown by hand." for _ in range(60))
        (folder / f"tape-{number}.txt").write_text(f"Ann: {text}\nBea: And of the harvest.\n")
    return folder


def opened(path: Path) -> Archive:
    return onrecord.open(path, embedding={"model": "hashing"})


def content_of(report: onrecord.Added) -> list[object]:
    """Return the content of a report without row numbers."""
    kinds = [[r.id for r in getattr(report, kind)] for kind in ("added", "changed", "unchanged")]
    refused = [(name, type(error), str(error)) for name, error in report.refused]
    return [*kinds, refused, report.skipped, report.notes, [(name, r.id) for name, r in report.twins]]


def same(one: Archive, other: Archive) -> bool:
    """Return whether two archives are equal to the last bit.

    If they are, a copy of one into the other changes nothing.
    """
    done = copy_workspace(one.store, other.store, mirror=True)
    return done.copied == done.removed == 0 and done.unchanged > 0


def test_several_processes_make_the_same_archive_as_one(talks: Path, tmp_path: Path) -> None:
    with opened(tmp_path / "one.db") as one, opened(tmp_path / "two.db") as two:
        report = one.add(talks)
        assert len(report.refused) == 1 and report.twins and len(report.added) > FILES
        assert content_of(two.add(talks, workers=2)) == content_of(report)
        assert same(one, two)
        assert content_of(two.add(talks, workers=2)) == content_of(one.add(talks))
    assert not active_children()


@pytest.mark.skipif(not hasattr(os, "getpriority"), reason="this system has no such priorities")
def test_workers_let_everything_else_go_first(talks: Path, tmp_path: Path) -> None:
    own = os.getpriority(os.PRIO_PROCESS, 0)
    nice: list[int] = []

    def look(done: int, total: int, name: str) -> None:
        nice.extend(os.getpriority(os.PRIO_PROCESS, child.pid or 0) for child in active_children())

    with opened(tmp_path / "talks.db") as archive:
        archive.add(talks, workers=2, progress=look)
    assert max(nice) == max(own, preparing.NICE) and os.getpriority(os.PRIO_PROCESS, 0) == own


def test_what_people_edited_holds_in_every_process(talks: Path, tmp_path: Path) -> None:
    with opened(tmp_path / "talks.db") as archive:
        archive.add(talks)
        archive.edit("Tape 3", {"title": "Of the fields"})
        (talks / "tape-3.txt").write_text("Ann: All is new here.\n")
        report = archive.add(talks, workers=2)
        assert [recording.title for recording in report.changed] == ["Of the fields"]


def test_what_somebody_edits_meanwhile_holds_too(talks: Path, tmp_path: Path) -> None:
    """An edit made during an addition applies to a recording that is replaced after it."""
    with opened(tmp_path / "talks.db") as archive:
        archive.add(talks)
        for number in range(FILES):
            (talks / f"tape-{number}.txt").write_text(f"Ann: All is new on tape {number}.\n")

        def edit(done: int, total: int, name: str) -> None:
            if name.endswith("tape-10.txt"):
                archive.edit("Tape 11", {"title": "Edited late"})

        changed: tuple[Recording, ...] = archive.add(talks, workers=2, progress=edit).changed
        assert "Edited late" in [recording.title for recording in changed]


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no SIGKILL")
@pytest.mark.parametrize("often", [1, 2])
def test_nothing_is_lost_or_twice_where_workers_are_killed(talks: Path, tmp_path: Path, often: int) -> None:
    killed: list[int] = []

    def kill(done: int, total: int, name: str) -> None:
        if len(killed) < often and active_children():
            victim = active_children()[0]
            victim.kill()
            killed.append(victim.pid or 0)

    with opened(tmp_path / "one.db") as one, opened(tmp_path / "two.db") as two:
        report = one.add(talks)
        assert content_of(two.add(talks, workers=2, progress=kill)) == content_of(report)
        assert len(killed) == often and same(one, two)


def die(*_: object) -> None:
    """End the process at once, as a crash does."""
    os._exit(9)


def test_a_source_that_ends_every_process_is_refused_and_the_others_go_in(
    talks: Path, tmp_path: Path, monkeypatch
) -> None:
    prepare = preparing._prepare_source

    class Deadly(preparing.ProcessPoolExecutor):
        def submit(self, work, item, known):
            return super().submit(die if "tape-5" in item.name else prepare, item, known)

    monkeypatch.setattr(preparing, "ProcessPoolExecutor", Deadly)
    with opened(tmp_path / "talks.db") as archive:
        report = archive.add(talks, workers=2)
        refused = [Path(name).name for name, _ in report.refused]
        assert sorted(refused) == ["broken.vtt", "tape-5.txt"] and "Tape 6" in [r.title for r in report.added]


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system cannot send itself Ctrl-C")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_the_workers_start_is_not_lost(
    talks: Path, tmp_path: Path, monkeypatch, number: signal.Signals
) -> None:
    class Interrupted(preparing.ProcessPoolExecutor):
        def submit(self, *work):
            os.kill(os.getpid(), number)
            return super().submit(*work)

    def end(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(preparing, "ProcessPoolExecutor", Interrupted)
    before = signal.signal(number, end)
    try:
        with opened(tmp_path / "talks.db") as archive, pytest.raises(KeyboardInterrupt):
            archive.add(talks, workers=2)
    finally:
        signal.signal(number, before)
    assert not active_children()


def _listens() -> None:
    """Handle SIGINT, which a process ignores if a script starts it in the background."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for processes in /proc")
def test_workers_end_with_the_process_that_started_them(talks: Path, tmp_path: Path) -> None:
    code = """
import os, signal, sys, onrecord
from multiprocessing import active_children
def kill(done, total, name):
    if active_children():
        print(*(child.pid for child in active_children()), flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
if __name__ == "__main__":
    onrecord.open(sys.argv[2], embedding={"model": "hashing"}).add(sys.argv[1], workers=2, progress=kill)
"""
    script = tmp_path / "script.py"
    script.write_text(code)
    command = [sys.executable, str(script), str(talks), str(tmp_path / "talks.db")]
    ended = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=60)
    numbers = ended.stdout.split()
    assert numbers
    deadline = time.monotonic() + 20
    while any(is_alive(number) for number in numbers) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not any(is_alive(number) for number in numbers)
    with opened(tmp_path / "one.db") as one, opened(tmp_path / "talks.db") as two:
        one.add(talks)
        two.add(talks, workers=2)
        assert same(one, two)


def is_alive(number: str) -> bool:
    """Return whether a process runs.

    A process that has ended stays as a zombie until its parent reads its exit status.
    """
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def of_group(group: int) -> list[str]:
    """Return the ids of the processes of a process group."""
    stats = {path.parent.name: path.read_text() for path in Path("/proc").glob("[0-9]*/stat")}
    return [number for number, stat in stats.items() if stat.rpartition(")")[2].split()[2] == str(group)]


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for processes in /proc")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_and_term_leave_whole_recordings_and_no_process(
    talks: Path, tmp_path: Path, number: signal.Signals
) -> None:
    for copy in range(300):
        (talks / f"more-{copy}.txt").write_text(f"Ann: {'Of all that grows. ' * 400}{copy}\n")
    file = tmp_path / "talks.db"
    command = [sys.executable, "-m", "onrecord", "add", str(talks), "--archive", str(file), "--workers", "2"]
    environment = {**os.environ, "ONRECORD_EMBEDDING__MODEL": "hashing"}
    with subprocess.Popen(
        [*command, "--keep-both"],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=_listens,
    ) as process:
        deadline = time.monotonic() + 30
        while not file.exists() and time.monotonic() < deadline:
            time.sleep(0.1)
        os.killpg(process.pid, number)
        _, error_output = process.communicate(timeout=30)
    assert process.returncode == {signal.SIGINT: 130, signal.SIGTERM: 143}[number], error_output
    assert "Traceback" not in error_output and "the same command goes on from there" in error_output
    deadline = time.monotonic() + 20
    while any(is_alive(other) for other in of_group(process.pid)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not any(is_alive(other) for other in of_group(process.pid))
    with opened(file) as archive:
        assert len(archive.recordings()) < 300
