"""Additions that meet errors of the archive or the model, or writes by another process."""

import sqlite3
from contextlib import closing

import numpy as np
import pytest

import onrecord
from onrecord.errors import DiskFullError, InputError, LockedError, UnusableError
from onrecord.models.double import HashingEmbedder


@pytest.fixture
def talks(tmp_path):
    folder = tmp_path / "talks"
    folder.mkdir()
    for name in ("a", "b", "c"):
        (folder / f"{name}.txt").write_text(f"Ann: This is tape {name}, of the harvest.\n")
    return folder


@pytest.fixture
def archive(tmp_path):
    with onrecord.open(tmp_path / "talks.db", embedding={"model": "hashing"}) as opened:
        yield opened


def lock(archive):
    """Lock the archive against other writers until the returned context ends."""
    archive.store.database.file.patience = 0.01
    writer = sqlite3.connect(archive.settings.archive_url, isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    return closing(writer)


class Breaking(HashingEmbedder):
    """An embedder with another vector length that is interrupted at the second recording."""

    def __init__(self):
        super().__init__(64)
        self.calls = 0

    def embed(self, texts):
        self.calls += 1
        if self.calls == 2:
            raise KeyboardInterrupt
        return super().embed(texts)


def test_embedding_anew_leaves_the_old_vectors_until_the_new_ones_are_there(archive, talks, monkeypatch):
    archive.add(talks)
    rows = archive.store.timeline().rows
    before, model = archive.store.vectors(rows), archive.store.meta("model")
    monkeypatch.setattr(archive.models, "open_embedder", Breaking)
    with pytest.raises(KeyboardInterrupt):
        archive.embed(again=True)
    assert np.array_equal(archive.store.vectors(rows), before) and archive.store.meta("model") == model
    monkeypatch.setattr(archive.models, "open_embedder", lambda: HashingEmbedder(64))
    assert archive.embed(again=True) == 3
    assert archive.store.vectors(rows).shape == (3, 64)
    assert archive.ask("What of the harvest?").citations


def test_a_locked_archive_stops_an_add_and_the_rest_goes_in_later(archive, talks):
    archive.add(talks / "a.txt")
    with lock(archive):
        report = archive.add(talks)
    assert [recording.title for recording in report.unchanged] == ["A"]
    assert [type(error) for _, error in report.refused] == [LockedError]
    assert report.notes == ("stopped there: the one that was left would have met the same; add again for it",)
    assert len(archive.add(talks).added) == 2


@pytest.mark.parametrize("error", [DiskFullError("full"), UnusableError("damaged")])
def test_so_does_one_that_cannot_be_written(archive, talks, monkeypatch, error):
    """An archive that cannot be written also stops an addition, and a later one adds the rest."""

    def refuse(*_):
        raise error

    monkeypatch.setattr(type(archive.store), "add", refuse)
    report = archive.add(talks)
    assert [message for _, message in report.refused] == [error]
    assert report.notes == (
        "stopped there: the 2 that were left would have met the same; add again for them",
    )
    monkeypatch.undo()
    assert len(archive.add(talks).added) == 3


def test_what_the_last_one_meets_leaves_nobody_behind(archive, talks):
    """An error at the last source adds no note, because no source is left."""
    archive.add(talks / "a.txt", talks / "b.txt")
    with lock(archive):
        report = archive.add(talks)
    assert len(report.refused) == 1 and report.notes == ()


def test_a_keyword_that_add_does_not_know_is_refused(archive, talks):
    with pytest.raises(InputError, match="no keyword 'detail': did you mean 'details'"):
        archive.add(talks, detail={"show": "Harbour"})
    assert archive.recordings() == []


def test_a_list_of_paths_is_refused_in_words(archive, talks):
    with pytest.raises(InputError, match=r"takes paths, not list: give several as add\(\*paths\)"):
        archive.add([talks])


def test_a_source_that_is_refused_stops_no_other(archive, talks):
    (talks / "a.txt").write_text("")
    report = archive.add(talks)
    assert len(report.refused) == 1 and len(report.added) == 2 and report.notes == ()


def test_what_somebody_else_adds_meanwhile_is_left_as_it_is(archive, talks):
    def meanwhile(number, of, name):
        if number == 0:
            with onrecord.open(archive.settings.archive_url, embedding={"model": "hashing"}) as other:
                other.add(talks / "b.txt")

    report = archive.add(talks, progress=meanwhile)
    assert [r.title for r in report.added] == ["A", "C"] and [r.title for r in report.unchanged] == ["B"]
    (talks / "b.txt").write_text("Ann: This is another tape, of the harvest.\n")
    assert [r.title for r in archive.add(talks).changed] == ["B"]
