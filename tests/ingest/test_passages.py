"""Tests of how turns are cut into passages."""

import re
from time import process_time

from hypothesis import given
from hypothesis import strategies as st

from onrecord.ingest.passages import Cutter, cut_turn
from onrecord.types import Details, Section, Transcript, Turn

WORDS = st.lists(
    st.sampled_from(["ja", "rates", "rose.", "why?", "margin,", "and", "é"]), min_size=1, max_size=8
)


@st.composite
def turns(draw, timed=None):
    """Draw turns that follow each other in time.

    A word takes a quarter of a second, and every ``step``-th word has a mark.
    """
    turn_list, second = [], 0.0
    with_times = draw(st.booleans()) if timed is None else timed
    for _ in range(draw(st.integers(1, 6))):
        words = draw(WORDS) * draw(st.sampled_from([1, 2, 10, 40]))
        step = draw(st.integers(1, 5))
        text, begin = " ".join(words), second
        marks, at = [], 0
        for number, word in enumerate(words):
            if number % step == 0:
                marks.append((at, second))
            at += len(word) + 1
            second += 0.25
        speaker = draw(st.sampled_from(["Ann", "Bob", None]))
        turn_list.append(
            Turn(text, speaker, begin, second, tuple(marks)) if with_times else Turn(text, speaker)
        )
    return tuple(turn_list)


def cut(turn_list, sections=(), **settings):
    return Cutter(**settings).cut(Transcript(turn_list, "test", Details(language="en"), tuple(sections)), "r")


@given(turns())
def test_every_word_is_kept_in_order_and_none_is_added(turn_list):
    passages, _ = cut(turn_list)
    assert " ".join(p.text for p in passages).split() == " ".join(t.text for t in turn_list).split()
    assert [p.position for p in passages] == list(range(len(passages)))


@given(turns(), st.integers(5, 60))
def test_no_passage_is_longer_than_allowed(turn_list, most):
    passages, _ = cut(turn_list, least=most // 3, most=most)
    assert all(len(p.text.split()) <= most for p in passages)


@given(turns())
def test_every_word_keeps_its_speaker(turn_list):
    passages, _ = cut(turn_list)
    expected = [(w, t.speaker) for t in turn_list for w in t.text.split()]
    pieces = []
    for p in passages:
        at = 0
        for word in p.text.split(" "):
            pieces.append((word, p.speaker_at(at)))
            at += len(word) + 1
    assert pieces == expected


@given(turns(timed=True))
def test_every_word_keeps_its_second(turn_list):
    passages, _ = cut(turn_list)
    for p in passages:
        assert list(p.marks) == sorted(set(p.marks))
        assert all(0 <= at <= len(p.text) for at, _ in p.marks)
    spoken = [(word, p.time_at(at)) for p in passages for at, word in placed(p.text)]
    expected = [(word, t.start + 0.25 * i) for t in turn_list for i, (_, word) in enumerate(placed(t.text))]
    known = {
        (t.start + 0.25 * i)
        for t in turn_list
        for i, (at, _) in enumerate(placed(t.text))
        if at in dict(t.marks)
    }
    for (word, second), (same, want) in zip(spoken, expected, strict=True):
        assert word == same
        assert abs(second - want) < (1e-6 if want in known else 1.5)


def placed(text):
    return [(m.start(), m.group()) for m in re.finditer(r"\S+", text)]


def test_short_turns_join_and_tell_who_said_what():
    """Check that a passage joins short turns and records the speaker at each offset."""
    turn_list = (Turn("Shall we start?", "Ann"), Turn("Yes.", "Bob"), Turn("Good, then let us begin.", "Ann"))
    (passage,), _ = cut(turn_list)
    assert passage.speaker == "Ann"
    assert passage.voices == ((0, "Ann"), (16, "Bob"), (21, "Ann"))
    assert passage.speaker_at(17) == "Bob"


def test_another_speaker_begins_a_new_passage_once_there_are_enough_words():
    turn_list = (Turn("word " * 50, "Ann"), Turn("word " * 20, "Bob"))
    assert [p.speaker for p in cut(turn_list, least=40)[0]] == ["Ann", "Bob"]
    assert [p.speaker for p in cut(turn_list, least=60)[0]] == ["Ann"]


def test_timed_and_untimed_words_are_never_mixed():
    turn_list = (Turn("one two", "Ann", 0.0, 1.0), Turn("three four", "Ann"))
    assert [p.start for p in cut(turn_list)[0]] == [0.0, None]


def test_a_section_begins_in_the_midst_of_a_turn():
    text = "intro words here then the main part begins"
    turn_list = (Turn(text, None, 0.0, 8.0, ((0, 0.0), (text.index("the main"), 4.0))),)
    passages, sections = cut(turn_list, [Section("Intro", 0.0, 4.0), Section("Main", 4.0, None)])
    assert [(p.text, p.section) for p in passages] == [
        ("intro words here then", "Intro"),
        ("the main part begins", "Main"),
    ]
    assert [(s.first, s.last) for s in sections] == [(0, 0), (1, 1)]


def test_sections_of_untimed_turns_go_by_position_and_empty_ones_are_left_out():
    """Check that untimed sections use turn positions and that sections without turns are dropped."""
    turn_list = (Turn("a b", "Ann"), Turn("c d", "Ann"), Turn("e f", "Ann"))
    named = [Section("One", first=0, last=0), Section("Void", start=5.0), Section("Two", first=1, last=2)]
    passages, sections = cut(turn_list, named)
    assert [(p.text, p.section) for p in passages] == [("a b", "One"), ("c d e f", "Two")]
    assert [(s.title, s.first, s.last) for s in sections] == [("One", 0, 0), ("Two", 1, 1)]


def test_words_without_sentence_ends_are_cut_at_the_longest_pause():
    words = ["so"] * 30
    marks = tuple((i * 3, i * 0.3 + (5.0 if i >= 18 else 0.0)) for i in range(30))
    passages, _ = cut((Turn(" ".join(words), None, 0.0, 20.0, marks),), least=5, most=20)
    assert [len(p.text.split()) for p in passages] == [18, 12]


def test_hours_of_timed_words_without_a_speaker_are_cut_in_linear_time():
    words = ["word"] * 100_000
    turn = Turn(" ".join(words), None, 0.0, 40_000.0, tuple((5 * i, 0.4 * i) for i in range(100_000)))
    passages, _ = cut((turn,))
    assert sum(len(p.text.split()) for p in passages) == 100_000
    assert passages[-1].end == 40_000.0


def test_as_many_chapters_as_words_are_found_in_little_time():
    marks = tuple((5 * i, float(i)) for i in range(20_000))
    turn = Turn("word " * 20_000, None, 0.0, 20_000.0, marks)
    chapters = [Section(f"Chapter {i}", float(i), i + 1.0) for i in range(0, 20_000, 2)]
    began = process_time()
    passages, sections = cut((turn,), chapters)
    assert process_time() - began < 10
    assert len(passages) == 20_000 and sections[-1].first == sections[-1].last == 19_998


def test_a_part_of_a_turn_keeps_its_times():
    turn = Turn("one two three", "Ann", 1.0, 4.0, ((0, 1.0), (4, 2.0), (8, 3.0)))
    assert cut_turn(turn, 4, 7) == Turn("two", "Ann", 2.0, 2.75, ((0, 2.0),))


def test_a_turn_that_begins_before_the_last_one_ends_keeps_its_second():
    turn_list = (Turn("one two", "Ann", 0.0, 9.0), Turn("three", "Bob", 4.0, 10.0))
    (passage,), _ = cut(turn_list)
    assert passage.time_at(passage.text.index("three")) == 4.0
