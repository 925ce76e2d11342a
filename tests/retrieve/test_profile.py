"""The data behind a picture of the evidence."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.retrieve.profile import Profile, profiles
from onrecord.stores.memory import MemoryStore
from onrecord.types import Curve, Details, Evidence, Moment, Passage, Question, Recording, Scope


def store_of(sizes: dict[str, int], timed: bool = True, speakers: str = "AB") -> MemoryStore:
    """Return recordings with passages of ten seconds each; the speakers take turns."""
    store = MemoryStore()
    for name, size in sizes.items():
        passages = [
            Passage(
                name,
                at,
                "x" * 10,
                speakers[at % len(speakers)],
                10.0 * at if timed else None,
                10.0 * at + 10 if timed else None,
            )
            for at in range(size)
        ]
        recording = Recording(
            name, name, name, "test", Details(), size, seconds=10.0 * size if timed else None
        )
        store.add(recording, passages)
    return store


def evidence(
    store: MemoryStore,
    scores: list[float],
    *moments: tuple[str, int, int, float],
    scope: Scope = Scope(),  # noqa: B008
) -> Evidence:
    moments_found = tuple(
        Moment(tuple(store.transcript(name, first, last)), score) for name, first, last, score in moments
    )
    curve = Curve(store.timeline(scope), np.array(scores, np.float32)) if scores else None
    return Evidence(Question("?"), moments_found, curve)


def test_recordings_in_falling_order_of_their_best_moments() -> None:
    store = store_of({"a": 3, "b": 3, "c": 3})
    recordings = profiles(evidence(store, [], ("a", 0, 0, 0.2), ("c", 0, 0, 0.9), ("a", 2, 2, 0.5)), store)
    assert [(p.recording.id, p.score) for p in recordings] == [("c", 0.9), ("a", 0.5)]
    assert recordings[1].moments == ((20.0, 30.0, 0.5), (0.0, 10.0, 0.2))


def test_the_best_eight_recordings() -> None:
    names = "abcdefghi"
    store = store_of(dict.fromkeys(names, 1))
    recordings = profiles(evidence(store, [], *((name, 0, 0, float(ord(name))) for name in names)), store)
    assert [profile.recording.id for profile in recordings] == list("ihgfedcb")


def test_the_curve_is_over_time_and_of_the_best_place_anywhere() -> None:
    store = store_of({"a": 2, "b": 2})
    recordings = profiles(evidence(store, [1.0, 4.0, 2.0, -3.0], ("a", 0, 0, 1), ("b", 0, 0, 0.5)), store)
    assert recordings[0].curve == ((0.0, 10.0, 0.25), (10.0, 20.0, 1.0))
    assert recordings[1].curve == ((0.0, 10.0, 0.5), (10.0, 20.0, 0.0))
    assert recordings[0].timed


def test_between_moments_time_is_computed_from_positions() -> None:
    store = store_of({"a": 10})
    retrieved = evidence(store, list(range(1, 11)), ("a", 4, 5, 1.0))
    (profile,) = profiles(retrieved, store)
    assert [start for start, _, _ in profile.curve] == pytest.approx([10.0 * at for at in range(10)])


def test_without_times_positions_take_their_place() -> None:
    store = store_of({"a": 4}, timed=False)
    (profile,) = profiles(evidence(store, [1, 2, 3, 4], ("a", 1, 2, 0.5)), store)
    assert not profile.timed
    assert profile.moments == ((1, 3, 0.5),)
    assert profile.curve[-1] == (3.0, 4.0, 1.0)


def test_a_scope_leaves_gaps() -> None:
    store = store_of({"a": 6})
    scope = Scope(speakers=("A",))
    (profile,) = profiles(evidence(store, [1, 1, 1], ("a", 0, 0, 0.5), scope=scope), store)
    assert [(start, end) for start, end, _ in profile.curve] == [(0, 10), (20, 30), (40, 50)]


def test_who_speaks_how_much_of_it() -> None:
    store = store_of({"a": 3})
    (profile,) = profiles(evidence(store, [], ("a", 0, 2, 1), ("a", 0, 0, 0.5)), store)
    assert profile.speakers == (("A", pytest.approx(2 / 3)), ("B", pytest.approx(1 / 3)))
    passage = Passage("a", 0, "one two", "A", voices=((0, "A"), (4, "B")))
    (profile,) = profiles(Evidence(Question("?"), (Moment((passage,), 1.0),)), store)
    assert profile.speakers == (("A", pytest.approx(4 / 7)), ("B", pytest.approx(3 / 7)))


def test_nothing_found_and_recordings_that_are_gone() -> None:
    store = store_of({"a": 2})
    retrieved = evidence(store, [], ("a", 0, 0, 1))
    assert profiles(Evidence(Question("?")), store) == []
    store.remove("a")
    assert profiles(retrieved, store) == []


@given(
    scores=st.lists(st.floats(-1, 1, width=32), min_size=1, max_size=300),
    at=st.integers(0, 299),
)
def test_curves_keep_their_bounds(scores: list[float], at: int) -> None:
    size = len(scores)
    store = store_of({"a": size})
    (profile,) = profiles(evidence(store, scores, ("a", at % size, at % size, 1.0)), store)
    curve = profile.curve
    assert isinstance(profile, Profile) and 1 <= len(curve) <= 200
    assert curve[0][0] == 0 and curve[-1][1] == pytest.approx(10 * size)
    assert all(0 <= score <= 1 for _, _, score in curve)
    assert all(one[1] == pytest.approx(two[0]) for one, two in itertools.pairwise(curve))
    if max(scores) > 0:
        assert max(score for _, _, score in curve) == pytest.approx(1)
