"""Kills of a writing process: every recording is complete or absent, and adding again adds the rest."""

import random
import signal
import sqlite3
import subprocess
import sys
import time

import numpy as np
import pytest

from onrecord.stores import open_store
from onrecord.stores.contract import recording
from onrecord.types import Passage, Scope

RECORDINGS, PASSAGES = 25, 40
KILLS = 25


def talk(number):
    """Return a recording, its passages and its vectors, the same in every process."""
    name = f"talk-{number}"
    passages = [
        Passage(name, at, f"passage {at} of {name} about freight", "Ann", float(at)) for at in range(PASSAGES)
    ]
    vectors = np.random.default_rng(number).standard_normal((PASSAGES, 16)).astype(np.float32)
    return recording(name, PASSAGES), passages, vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def add_all(path):
    """Add the missing recordings, as `add` does; now and then replace and remove."""
    store = open_store(path)
    for number in range(RECORDINGS):
        details, passages, vectors = talk(number)
        if store.recording(details.id) is None or number % 5 == 0:
            store.add(details, passages, vectors=vectors)
        if number % 7 == 3:
            store.add(recording("passing", 1), [Passage("passing", 0, "gone soon")])
            store.remove("passing")
    store.close()


def check_whole(path):
    """Check that the file is intact and every recording complete, and return the ids of the recordings."""
    open_store(path).close()
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
    connection.execute("INSERT INTO words (words) VALUES ('integrity-check')")
    rows = {row for (row,) in connection.execute('SELECT "row" FROM passages')}
    assert indexed_rows(connection) == rows
    connection.close()
    store = open_store(path)
    there = sorted(stored.id for stored in store.recordings())
    for name in there:
        if name != "passing":
            check_recording(store, name)
    store.close()
    return there


def indexed_rows(connection):
    connection.execute("CREATE VIRTUAL TABLE temp.tokens USING fts5vocab (main, words, instance)")
    return {row for (row,) in connection.execute("SELECT doc FROM temp.tokens")}


def check_recording(store, name):
    """Check that a recording of `talk` has all its passages, vectors and words."""
    _, passages, vectors = talk(int(name.partition("-")[2]))
    timeline = store.timeline(Scope(recordings=(name,)))
    assert [passage.text for passage in store.passages(timeline.rows)] == [
        passage.text for passage in passages
    ]
    assert np.abs(store.vectors(timeline.rows) - vectors).max() < 1e-3
    assert (store.keyword(["freight"], timeline) > 0).all()


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no SIGKILL")
def test_killed_at_any_moment(tmp_path):
    path, whole = tmp_path / "talks.db", tmp_path / "whole.db"
    began = time.perf_counter()
    run_to_the_end(whole)
    longest = time.perf_counter() - began
    chance = random.Random(7)
    for _ in range(KILLS):
        process = start(path, "over and over")
        time.sleep(chance.random() * longest)
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
        process.stdout.close()
        if path.exists():
            check_whole(path)
    run_to_the_end(path)
    assert (
        check_whole(path) == check_whole(whole) == sorted(talk(number)[0].id for number in range(RECORDINGS))
    )
    assert answers(path) == answers(whole)


def start(path, *options):
    process = subprocess.Popen([sys.executable, __file__, str(path), *options], stdout=subprocess.PIPE)
    assert process.stdout.readline() == b"begun\n"
    return process


def run_to_the_end(path):
    process = start(path)
    assert process.wait() == 0
    process.stdout.close()


def answers(path):
    """Return the keyword and dense scores of every passage, by recording and position."""
    store = open_store(path)
    timeline = store.timeline()
    scores = (
        store.keyword(["passage", "talk", "7"], timeline).tolist(),
        store.dense(talk(3)[2][5], timeline).tolist(),
    )
    store.close()
    places = [
        (timeline.names[at], int(position))
        for at, position in zip(timeline.recordings, timeline.positions, strict=True)
    ]
    return sorted(zip(places, *scores, strict=True))


if __name__ == "__main__":
    print("begun", flush=True)
    add_all(sys.argv[1])
    while len(sys.argv) > 2:
        add_all(sys.argv[1])
