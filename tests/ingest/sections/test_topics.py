"""Tests that a topic begins where words, embeddings or cue phrases change, and nowhere else."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from spoken import FREIGHT, HOLIDAY, PLANT, on, recording

from onrecord.ingest.sections.topics import (
    Topics,
    boundary_signals,
    smooth_rows,
    speaker_shares,
    window_cosines,
)
from onrecord.ingest.sections.words import Words, count_cues, is_opener, unit_rows


def begins(lines: list[str], vectors: "np.ndarray | None" = None, **how: float) -> list[int]:
    """Return the positions of the passages that begin a topic."""
    passages = recording(*lines)
    return Topics(**how).begins(passages, Words(passages), vectors)  # type: ignore[arg-type]


def test_three_topics_are_distinguished_by_their_words() -> None:
    lines = on(FREIGHT, 8) + on(PLANT, 8) + on(HOLIDAY, 8)
    assert begins(lines) == [0, 8, 16]


def test_three_topics_are_distinguished_by_their_vectors() -> None:
    noise = np.random.default_rng(3).normal(0, 0.05, (60, 16))
    vectors = unit_rows(np.asarray(np.eye(16)[[0] * 20 + [5] * 20 + [9] * 20] + noise, np.float32))
    assert begins([f"Ann: word{i} here" for i in range(60)], vectors) == [0, 20, 40]


def test_one_topic_stays_whole_and_a_short_recording_is_not_cut() -> None:
    assert begins(on(FREIGHT, 14)) == [0]
    assert begins(on(FREIGHT, 3) + on(PLANT, 3)) == [0]
    assert begins([]) == []


def test_phrases_draw_a_boundary_to_where_they_are_said() -> None:
    """Check that a cue phrase moves a topic boundary to its passage."""
    vague = [f"Ann: {word} and so it went that time for them" for word in "abcdefghijkl"]
    plain = [*on(FREIGHT, 8), *vague[:4], *on(PLANT, 8)]
    boosted = plain.copy()
    boosted[9] = "Bo: Okay, so, thank you. Let's move on to the next item on the agenda, any questions first?"
    assert begins(plain) == [0, 10]
    assert begins(boosted) == [0, 9]


def test_a_topic_is_never_longer_than_allowed() -> None:
    starts = begins(on(FREIGHT, 16) * 3, longest=10)
    assert max(np.diff([*starts, 48])) <= 10


@given(st.lists(st.sampled_from((FREIGHT, PLANT, HOLIDAY, "Yes.", "")), max_size=40), st.integers(1, 5))
def test_topics_rise_from_0_and_none_is_too_short(texts: list[str], least: int) -> None:
    starts = begins([f"Ann: {text}" for text in texts], least=least)
    assert starts[:1] == ([0] if texts else [])
    sizes = np.diff([*starts, len(texts)])
    assert (sizes >= min(least, len(texts))).all()


def test_thousands_of_speakers_take_little_memory() -> None:
    passages = recording(*(f"Speaker{number}: yes" for number in range(3000)))
    assert len({passage.speaker for passage in passages}) == 3000
    assert speaker_shares(passages).shape == (3000, 1024)


def test_windows_are_compared_across_each_boundary() -> None:
    rows = unit_rows(np.array([[1, 0], [1, 0], [0, 1], [0, 1]], np.float32))
    assert np.allclose(window_cosines(rows, 2), [0.5**0.5, 0, 0.5**0.5])
    assert window_cosines(rows, 1).tolist() == [1.0, 0.0, 1.0]


def test_smoothing_keeps_what_is_level_and_spreads_what_is_not() -> None:
    assert np.allclose(smooth_rows(np.ones((9, 2), np.float32), 2.0), 1)
    peak = np.zeros((9, 1), np.float32)
    peak[4] = 1
    smoothed = smooth_rows(peak, 1.0)[:, 0]
    assert smoothed.argmax() == 4
    assert smoothed[3] == pytest.approx(smoothed[5])
    assert 0 < smoothed[2] < smoothed[3]


def test_signals_are_finite_where_nothing_differs() -> None:
    passages = recording(*["Ann: same words"] * 9)
    words = Words(passages)
    rows = words.matrix()
    assert np.isfinite(boundary_signals(passages, words, rows, rows)).all()
    assert speaker_shares(passages).tolist() == [[1.0]] * 9


def test_cues_are_counted_once_a_sign_in_both_languages() -> None:
    """Check the number of cue phrases in English and French sentences."""
    assert count_cues("So let's move on and moving on".split()) == 2
    assert count_cues("Merci Passons à la prochaine question".split()) == 4
    assert count_cues("The freight rates doubled".split()) == 0
    assert is_opener("Okay so here we go".split())
    assert not is_opener("Okay".split())
