"""The committed labels: they are consistent, and contain no text of the recordings."""

import json
import re
from itertools import pairwise
from pathlib import Path

import pytest

from data import (
    HELD_OUT,
    LABELS,
    UNREAD,
    act_questions,
    claim_windows,
    lines,
    recordings_marked,
    shared_windows,
)

WINDOWS, PARAGRAPHS, QUESTIONS, CLAIMS, DISCUSSIONS, ACTS = (
    list(lines(LABELS / f"{name}.jsonl"))
    for name in ("windows", "paragraphs", "questions", "claims", "discussions", "acts")
)
ALL = (*WINDOWS, *PARAGRAPHS)
SENTENCES = {w["id"]: sum(len(offsets) // 2 for _, offsets in w["units"]) for w in ALL}
REPEATED = 12
"""Length in words of a run that no question or claim may share with its window."""


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def test_the_folder_is_small():
    assert sum(file.stat().st_size for file in LABELS.iterdir()) < 13_000_000


def test_a_window_is_ids_and_offsets_and_no_text():
    for window in ALL:
        assert window.keys() == {"id", "set", "recording", "units"}
        for unit, offsets in window["units"]:
            assert re.fullmatch(r"[\w.-]+:\d+", unit)
            assert window in PARAGRAPHS or unit.startswith(window["recording"])
            assert offsets and all(type(offset) is int for offset in offsets)


def test_offsets_are_spans_in_order():
    for window in ALL:
        for _, offsets in window["units"]:
            spans = list(zip(offsets[::2], offsets[1::2], strict=True))
            assert all(begin < end for begin, end in spans)
            assert all(end <= begin for (_, end), (begin, _) in pairwise(spans))


def test_no_unit_and_no_window_is_there_twice():
    assert len(SENTENCES) == len(ALL)
    units = [unit for window in ALL for unit, _ in window["units"]]
    assert len(units) == len(set(units))


def test_questions_fit_their_windows():
    for question in QUESTIONS:
        numbers, core = question["sentences"], question["core"]
        assert numbers == sorted(set(numbers))
        assert all(0 <= number < SENTENCES[question["window"]] for number in numbers)
        assert (core in numbers) if numbers else core is None
        assert (question["kind"] == "near-miss") == (not numbers)
    asked = [(question["window"], question["text"]) for question in QUESTIONS]
    assert len(asked) == len(set(asked))


def test_both_readers_agree_or_one_has_not_read():
    for question in QUESTIONS:
        second = question["second"]
        assert second == UNREAD or (
            second in question["sentences"] if question["sentences"] else second is None
        )


def test_claims_fit_their_windows():
    for claim in CLAIMS:
        assert claim["sentences"]
        assert all(0 <= number < SENTENCES[claim["window"]] for number in claim["sentences"])
        assert claim["supported"] == (claim["edit"] is None)


def test_half_of_the_claims_are_supported():
    assert 2 * sum(claim["supported"] for claim in CLAIMS) == len(CLAIMS)


@pytest.mark.data
def test_stretches_that_answer_stand_in_order(data: Path):
    sentences = {key: len(window.sentences) for key, window in shared_windows(data).items()} | SENTENCES
    for discussion in DISCUSSIONS:
        borders = [border for span in discussion["spans"] for border in span]
        assert borders == sorted(borders) and all(last < first for last, first in pairs_within(borders))
        assert all(0 <= border < sentences[discussion["window"]] for border in borders)


@pytest.mark.data
def test_acts_fit_their_windows(data: Path):
    sentences = {key: len(window.sentences) for key, window in shared_windows(data).items()} | SENTENCES
    assert len({acts["window"] for acts in ACTS}) == len(ACTS)
    for acts in ACTS:
        assert acts.keys() == {"window", *act_questions()}
        for kind in act_questions():
            numbers = acts[kind]
            assert numbers == sorted(set(numbers))
            assert all(0 <= number < sentences[acts["window"]] for number in numbers)


def pairs_within(borders):
    """Yield the end of each span with the beginning of the next span."""
    return zip(borders[1::2], borders[2::2], strict=False)


def test_the_card_has_the_counts_of_the_files():
    card = (LABELS / "README.md").read_text()
    near = sum(not question["sentences"] for question in QUESTIONS)
    unread = sum(question["second"] == UNREAD for question in QUESTIONS)
    absent = sum(not discussion["spans"] for discussion in DISCUSSIONS)
    counts = (
        len(WINDOWS),
        len(PARAGRAPHS),
        len(QUESTIONS),
        near,
        unread,
        len(CLAIMS),
        len(DISCUSSIONS),
        absent,
        len(ACTS),
        *(sum(len(acts[kind]) for acts in ACTS) for kind in act_questions()),
    )
    for count in counts:
        assert f"{count:,}" in card


@pytest.mark.data
def test_no_recording_that_is_held_out_is_labelled(data: Path):
    held_out = recordings_marked(shared_windows(data).values(), HELD_OUT)
    assert held_out and not held_out & {(window["set"], window["recording"]) for window in WINDOWS}


@pytest.mark.data
def test_offsets_are_those_of_sentences(data: Path):
    windows = claim_windows(data)
    assert {key: len(window.sentences) for key, window in windows.items()} == SENTENCES
    texts = [sentence.text for window in windows.values() for sentence in window.sentences]
    assert all(text == text.strip() != "" for text in texts)


@pytest.mark.data
def test_questions_and_claims_repeat_no_talk(data: Path):
    windows = claim_windows(data) | shared_windows(data)
    texts = {key: f" {' '.join(words(' '.join(s.text for s in w.sentences)))} " for key, w in windows.items()}
    for line in (*QUESTIONS, *CLAIMS, *DISCUSSIONS):
        own = words(line["text"])
        runs = (own[at : at + REPEATED] for at in range(len(own) - REPEATED + 1))
        assert not any(f" {' '.join(run)} " in texts[line["window"]] for run in runs), json.dumps(line)
