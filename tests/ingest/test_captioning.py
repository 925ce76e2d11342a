"""Tests of how turns become captions."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.ingest.captioning import MAX_SECONDS, WIDTH, captions, lines_of
from onrecord.types import Turn


def spoken(text: str, start: float = 0.0, pace: float = 0.3, speaker: str | None = None) -> Turn:
    """Return a turn with a mark at every word; each word takes ``pace`` seconds."""
    offsets = [at for at in range(len(text)) if at == 0 or text[at - 1] == " "]
    marks = tuple((at, start + pace * n) for n, at in enumerate(offsets))
    return Turn(text, speaker, start, start + pace * len(offsets), marks)


def test_a_short_turn_is_one_caption() -> None:
    (caption,) = captions([spoken("Good morning.", 1.0, speaker="Ann")])
    assert (caption.start, caption.end, caption.speaker) == (1.0, 1.6, "Ann")
    assert caption.lines == ("Good morning.",)


def test_captions_end_with_sentences_where_they_can() -> None:
    text = "The prices fell in spring, and nobody knew why. Then they rose again, to the surprise of us all."
    first, second = captions([spoken(text)])
    assert " ".join(first.lines) == "The prices fell in spring, and nobody knew why."
    assert second.start == pytest.approx(9 * 0.3)


def test_else_with_clauses() -> None:
    """Check that a caption ends with a clause if no sentence ends within it."""
    text = (
        "so the prices of wheat fell in the spring of that year, and nobody at all knew why that was so then"
    )
    first, _ = captions([spoken(text)])
    assert " ".join(first.lines).endswith("year,")


def test_no_caption_stays_over_a_silence() -> None:
    turn = Turn("So it began.", None, 0.0, 9.0, ((0, 0.0), (2, 0.4), (3, 8.0)))
    assert [(c.start, c.end, c.lines) for c in captions([turn])] == [
        (0.0, 0.4, ("So",)),
        (8.0, 9.0, ("it began.",)),
    ]


def test_slow_speech_is_cut_by_time() -> None:
    parts = list(captions([spoken("one two three four five six", pace=3.0)]))
    assert [" ".join(c.lines) for c in parts] == ["one two", "three four", "five six"]


def test_a_line_is_broken_in_the_middle() -> None:
    assert lines_of("The prices fell in spring, and nobody knew why.") == [
        "The prices fell in spring,",
        "and nobody knew why.",
    ]
    assert lines_of("x" * 60) == ["x" * 60]


def test_no_line_begins_as_if_somebody_were_named() -> None:
    """Check that no line starts with a word and a colon, which would look like a label."""
    text = "He looked at all of us and then he said: why on earth did you go there at all?"
    assert lines_of(text)[1].startswith("why")


def test_chinese_is_cut_behind_its_marks() -> None:
    text = "今天天气很好，我们去公园散步吧。" * 4
    parts = ["".join(c.lines) for c in captions([Turn(text, None, 0.0, 20.0)])]
    assert "".join(parts) == text
    assert all(len(part) <= 42 and part[-1] in "，。" for part in parts)


def test_what_has_no_times_is_shown_between_its_neighbours() -> None:
    """Check that turns without times share the time between their neighbors."""
    turns = [
        Turn("Before it."),
        Turn("One.", None, 2.0, 3.0),
        Turn("Two two."),
        Turn("Three."),
        Turn("Four.", None, 6.0),
        Turn("Five five five."),
    ]
    spans = [(round(c.start, 3), round(c.end, 3)) for c in captions(turns)]
    assert spans == [(0.0, 2.0), (2.0, 3.0), (3.0, 5.0), (5.0, 6.0), (6.0, 6.4), (6.4, 7.6)]


def test_what_has_no_end_stays_until_the_next_begins() -> None:
    one, two = captions([Turn("One.", None, 2.0), Turn("Two.", None, 4.5)])
    assert (one.end, round(two.end, 3)) == (4.5, 4.9)


words = st.lists(st.text("abcdefgh,.?", min_size=1, max_size=12), min_size=1, max_size=60)


@given(words, st.floats(0.05, 2.0), st.floats(0, 1000))
def test_captions_are_short_and_keep_every_word(words: list[str], pace: float, start: float) -> None:
    turn = spoken(" ".join(words), start, pace)
    parts = list(captions([turn]))
    assert " ".join(line for c in parts for line in c.lines) == turn.text
    assert parts[0].start == turn.start
    assert parts[-1].end == turn.end
    for before, after in pairwise(parts):
        assert before.start <= before.end <= after.start
    for caption in parts:
        assert len(caption.lines) <= 2
        assert max(map(len, caption.lines)) <= WIDTH
        assert caption.end - caption.start <= MAX_SECONDS + 1e-6


def test_the_words_of_a_turn_stay_in_order_whatever_its_times() -> None:
    """Check that a mark after the end of its turn does not reorder the words."""
    turn = Turn(
        "See you next week, all of you who listened so far. " * 9, "Ann", 8.0, 9.0, ((0, 8.0), (60, 30.0))
    )
    shown = " ".join(" ".join(caption.lines) for caption in captions([turn]))
    assert shown.split() == turn.text.split()
