"""Adding with Ray actors on this machine to a real PostgreSQL: the archive equals that of one process."""

from __future__ import annotations

import os
import random
import signal
import sys
from pathlib import Path

import pytest

import onrecord
from onrecord.archive import Archive, distributing
from onrecord.archive.intake import Added
from onrecord.archive.moving import copy_workspace
from onrecord.errors import InputError

ray = pytest.importorskip(
    "ray", reason="the package ray is missing: it is in an extra of its own, no part of dev"
)
pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.slow]
FILES = 16


@pytest.fixture
def talks(tmp_path: Path) -> Path:
    folder = tmp_path / "talks"
    folder.mkdir()
    for number in range(FILES):
        chance = random.Random(number)
        text = " ".join(f"Field {chance.randrange(10**6)} was sown by hand." for _ in range(80))
        (folder / f"tape-{number:02}.txt").write_text(f"Ann: {text}\nBea: And of the harvest.\n")
    (folder / "broken.vtt").write_text("WEBVTT\n\n00:01.000 --> nonsense\nHello there.\n")
    return folder


@pytest.fixture(scope="module")
def cluster():
    """Start a Ray cluster with two processor cores, which several tests share."""
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, _node_ip_address="127.0.0.1")
    yield
    ray.shutdown()


def opened(place: str | Path) -> Archive:
    return onrecord.open(place, embedding={"model": "hashing"})


def names(report: Added) -> list[list[str]]:
    kinds = [sorted(r.id for r in getattr(report, kind)) for kind in ("added", "changed", "unchanged")]
    return [*kinds, [name for name, _ in report.refused]]


def check_the_same(one: Archive, other: Archive) -> None:
    """Check that no recording is lost or duplicated.

    A copy of one archive into the other must change nothing.
    """
    done = copy_workspace(one.store, other.store, mirror=True)
    assert done.copied == done.removed == 0 and done.unchanged == FILES


def workers_of_ray() -> list[int]:
    """Return the ids of the processes that run actors of this process's Ray.

    They are found by their titles, among the grandchildren of this process.
    """
    workers = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            title = (stat.parent / "cmdline").read_bytes()
            parent = stat.read_text().rpartition(")")[2].split()[1]
            grandparent = Path(f"/proc/{parent}/stat").read_text().rpartition(")")[2].split()[1]
        except OSError:
            continue
        if title.startswith(b"ray::_Actor") and grandparent == str(os.getpid()):
            workers.append(int(stat.parent.name))
    return workers


def test_two_actors_make_the_same_archive_as_one_process(talks: Path, tmp_path: Path, postgres: str) -> None:
    with opened(tmp_path / "one.db") as one, opened(postgres) as other:
        report = one.add(talks)
        assert names(other.add(talks, workers=2, ray="local")) == names(report)
        check_the_same(one, other)
    assert not ray.is_initialized()


def test_what_has_not_changed_is_left_alone(
    talks: Path, tmp_path: Path, postgres: str, cluster: None
) -> None:
    with opened(tmp_path / "one.db") as one, opened(postgres) as other:
        one.add(talks)
        other.add(talks)
        (talks / "tape-03.txt").write_text("Ann: All is new here.\n")
        assert names(other.add(talks, workers=2, ray="auto")) == names(one.add(talks))
        check_the_same(one, other)
    assert ray.is_initialized()  # a cluster that the caller started keeps running


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for processes in /proc")
def test_nothing_is_lost_or_twice_where_an_actor_is_killed(
    talks: Path, tmp_path: Path, postgres: str
) -> None:
    chance, killed = random.Random(), list[int]()
    moments = sorted(chance.sample(range(1, FILES), 2))

    def kill(done: int, total: int, name: str) -> None:
        if moments and done >= moments[0] and (running := workers_of_ray()):
            moments.pop(0)
            killed.append(chance.choice(running))
            os.kill(killed[-1], signal.SIGKILL)

    with opened(tmp_path / "one.db") as one, opened(postgres) as other:
        report = one.add(talks)
        done = other.add(talks, workers=2, ray="auto", progress=kill)
        assert len(killed) == 2
        assert names(done) == names(report)
        check_the_same(one, other)


class Deadly:
    """A writer that ends its process when it gets one source."""

    def __init__(self, write: distributing.Write) -> None:
        self.write = write

    def __call__(self, item):
        if "tape-05" in item.name:
            os._exit(9)
        return self.write(item)


def test_a_source_that_ends_every_actor_is_refused_and_the_others_go_in(
    talks: Path, postgres: str, cluster: None, monkeypatch
) -> None:
    ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])  # actors cannot import a test module
    begin = distributing.Actors.__init__
    monkeypatch.setattr(
        distributing.Actors,
        "__init__",
        lambda self, address, count, make: begin(self, address, count, lambda: Deadly(make())),
    )
    with opened(postgres) as archive:
        report = archive.add(talks, workers=2, ray="auto")
        refused = sorted(Path(name).name for name, _ in report.refused)
        assert refused == ["broken.vtt", "tape-05.txt"] and len(report.added) == FILES - 1


def test_a_file_is_no_archive_for_many_machines(talks: Path, tmp_path: Path) -> None:
    with opened(tmp_path / "one.db") as archive, pytest.raises(InputError, match="an archive on a server"):
        archive.add(talks, ray="local")


@pytest.mark.parametrize("address", ["127.0.0.1:1", "ray://127.0.0.1:1"])
def test_an_address_where_no_cluster_is_says_so(
    talks: Path, postgres: str, address: str, monkeypatch
) -> None:
    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    with opened(postgres) as archive, pytest.raises(InputError, match=f"--ray {address}: no cluster"):
        archive.add(talks, ray=address)
