"""Tests of how timed tokens become turns."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reading import assert_sound

from onrecord.errors import FormatError
from onrecord.ingest.formats.base import Source
from onrecord.ingest.formats.words import (
    MAX_SECONDS,
    Token,
    align,
    bracket_remark,
    in_order,
    match_words,
    per_second,
    seconds,
    space_words,
    speaker_name,
    tidy,
    transcript,
)
from onrecord.types import Passage, Transcript, Turn

SOURCE = Source("talk.json", "{}")


def transcript_of(*lines: list[Token]) -> Transcript:
    return transcript(SOURCE, "test", *lines)


def test_words_become_text_with_a_mark_at_each_start() -> None:
    (turn,) = transcript_of([Token("Good", 1.0, 1.2), Token("morning", 1.3, 1.6)]).turns
    assert turn == Turn("Good morning", None, 1.0, 1.6, ((0, 1.0), (5, 1.3)))


def test_a_pause_after_a_word_is_marked_so_that_nothing_is_said_in_it() -> None:
    """Check that a mark at the end of a word keeps text positions out of the pause."""
    (turn,) = transcript_of([Token("So", 1.0, 1.2), Token("prices", 2.6, 3.0)]).turns
    assert turn.marks == ((0, 1.0), (2, 1.2), (3, 2.6))
    clock = Passage("", 0, turn.text, start=turn.start, end=turn.end, marks=turn.marks)
    assert clock.time_at(1) == pytest.approx(1.1)


def test_half_a_second_is_no_pause() -> None:
    (turn,) = transcript_of([Token("So", 1.0, 1.2), Token("prices", 1.7, 2.0)]).turns
    assert turn.marks == ((0, 1.0), (3, 1.7))


def test_pauses_between_unspaced_words_keep_offsets_rising() -> None:
    words = [Token("你好", 0.0, 0.4), Token("世", 3.0, 3.1, joined=True), Token("界", 5.0, 5.1, joined=True)]
    (turn,) = transcript(SOURCE, "test", [Token("a", speaker="A"), *words][1:]).turns[:1]
    assert turn.text == "你好"
    named = [Token(w.text, w.start, w.end, "Li", w.joined) for w in words]
    (turn,) = transcript_of(named).turns
    assert turn.text == "你好世界"
    assert turn.marks == ((0, 0.0), (1, 0.4), (2, 3.0), (3, 5.0))


def test_untimed_words_between_timed_ones_have_no_mark() -> None:
    (turn,) = transcript_of([Token("in", 1.0, 1.1), Token("2014"), Token("we", 2.0, 2.1)]).turns
    assert turn.text == "in 2014 we"
    assert turn.marks == ((0, 1.0), (8, 2.0))


def test_a_turn_ends_with_its_speaker() -> None:
    turns = transcript_of(
        [Token("Hi", 0.0, 0.5, "A"), Token("Hello", 0.4, 0.9, "B"), Token("you", 1.0, 1.2, "B")]
    ).turns
    assert [(t.speaker, t.text, t.start, t.end) for t in turns] == [
        ("A", "Hi", 0.0, 0.5),
        ("B", "Hello you", 0.4, 1.2),
    ]


def test_a_long_pause_ends_a_turn_where_nobody_knows_who_speaks() -> None:
    words = [Token("one", 0.0, 0.5), Token("two", 2.4, 2.6), Token("three", 4.7, 5.0)]
    assert [t.text for t in transcript_of(words).turns] == ["one two", "three"]
    named = [Token(w.text, w.start, w.end, "A") for w in words]
    assert [t.text for t in transcript_of(named).turns] == ["one two three"]


def test_a_token_may_open_a_turn_of_the_same_speaker() -> None:
    words = [Token("One.", speaker="A"), Token(" ", opens=True), Token("Two.", speaker="A")]
    assert [t.text for t in transcript_of(words).turns] == ["One.", "Two."]


def test_lines_side_by_side_follow_one_another_by_their_starts() -> None:
    left = [Token("How are you?", 0.0, 1.0, "L"), Token("Good.", 3.5, 4.0, "L")]
    right = [Token("Fine.", 1.5, 2.0, "R"), Token("And you?"), Token("Tell me.", 3.8, 4.4, "R")]
    turns = transcript_of(left, right).turns
    assert [t.text for t in turns] == ["How are you?", "Fine.", "And you?", "Good.", "Tell me."]


def test_times_that_fall_back_are_moved_forward_and_counted() -> None:
    result = transcript_of([Token("a", 5.0, 5.5, "A"), Token("b", 3.0, 3.5, "A"), Token("c", 4.0, 6.0, "B")])
    assert result.turns[0].marks == ((0, 5.0), (2, 5.0))
    assert (result.turns[1].start, result.turns[1].end) == (5.0, 6.0)
    assert result.warnings == ("2 times ran backwards, moved to the last one before",)


def test_overlapping_turns_are_left_alone() -> None:
    result = transcript_of(
        [Token("a long story", 0.0, 9.0, "A"), Token("yes", 4.0, 4.2, "B"), Token("so", 9.5, 9.9, "A")]
    )
    assert [t.start for t in result.turns] == [0.0, 4.0, 9.5]
    assert result.warnings == ()


def test_untimed_words_at_the_edges_of_turns_get_times_between_their_neighbours() -> None:
    words = [
        *[Token(f"w{n}", 0.5 * n, 0.5 * n + 0.5, "A") for n in range(4)],
        *[Token("x", speaker="A")] * 2,
        *[Token("y", speaker="B")] * 5,
        Token("z", 10.0, 10.5, "B"),
        *[Token("end", speaker="C")] * 3,
    ]
    a, b, c = transcript_of(words).turns
    assert a.end == pytest.approx(2.0 + 2 * 0.4)
    assert b.start == pytest.approx(10.0 - 5 * 0.4)
    assert (b.end, c.start, c.end) == (10.5, 10.5, pytest.approx(10.5 + 3 * 0.4))


def test_untimed_words_crowd_where_there_is_little_time() -> None:
    words = [Token("a", 0.0, 1.0, "A"), *[Token("b", speaker="B")] * 8, Token("c", 2.0, 3.0, "C")]
    _, b, _ = transcript_of(words).turns
    assert (b.start, b.end) == (1.0, 2.0)


def test_untimed_words_at_the_beginning_start_no_earlier_than_the_recording() -> None:
    assert transcript_of([Token("well"), Token("yes", 0.3, 0.5)]).turns[0].start == 0.0


def test_without_any_time_there_are_none() -> None:
    (turn,) = transcript_of([Token("Good"), Token("morning")]).turns
    assert turn == Turn("Good morning")


def test_no_words_are_an_error() -> None:
    with pytest.raises(FormatError, match=r"talk\.json.*no words"):
        transcript_of([Token(" \n "), Token("")])


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["Well", ",", "I", "'ll", "see", "."], "Well, I'll see."),
        (["down", "$8", ".9", "%"], "down $8.9%"),
        ([" Yes", ",", " nine", "-teen", " men"], "Yes, nine-teen men"),
        ([" It", " ends.", "New"], "It ends. New"),
        (["今天", "很", "好", "ok"], "今天很好 ok"),
        (["rock", "'n'", "roll", "'til", "dawn"], "rock 'n' roll 'til dawn"),
        (["He", "said", "(", "so", ")", "."], "He said (so)."),
    ],
)
def test_words_of_a_list_are_spaced_as_in_writing(words: list[str], text: str) -> None:
    (turn,) = transcript_of(space_words(Token(word, speaker="A") for word in words)).turns
    assert turn.text == text


def test_aligned_words_read_as_their_text() -> None:
    text = "“Yes,” she said – it is 5% of the well-known (old) share…"
    words = ["Yes", "she", "said", "it", "is", "5", "of", "the", "well", "-known", "old", "share"]
    tokens = align(text, [Token(word, float(n)) for n, word in enumerate(words)])
    assert tokens is not None
    assert [t.text for t in tokens][:4] == ["“Yes,”", "she", "said –", "it"]
    (turn,) = transcript_of(tokens).turns
    assert turn.text == text
    assert dict(turn.marks)[text.index("(old)")] == 10.0


@pytest.mark.parametrize(
    ("text", "words"),
    [("one two three", ["one", "three"]), ("one two", ["one", "too"]), ("one two", ["one"]), ("one", [])],
)
def test_words_that_are_not_those_of_the_text_are_not_aligned(text: str, words: list[str]) -> None:
    assert align(text, [Token(word) for word in words]) is None


def test_words_are_matched_with_those_of_a_text_that_are_the_same() -> None:
    heard = ["so", "it", "begun", "on", "a", "day"]
    words = [Token(word, float(n), n + 0.5, "AB"[n > 2]) for n, word in enumerate(heard)]
    tokens = match_words("Well, so it began on – a sunny day.", words)
    assert [(t.text, t.start, t.speaker) for t in tokens] == [
        ("Well,", None, "A"),
        ("so", 0.0, "A"),
        ("it", 1.0, "A"),
        ("began", None, "A"),
        ("on", 3.0, "B"),
        ("–", None, "B"),
        ("a", 4.0, "B"),
        ("sunny", None, "B"),
        ("day.", 5.0, "B"),
    ]


@given(st.lists(st.text("ab, .“”()-é", min_size=1, max_size=5).filter(str.strip), min_size=1))
def test_alignment_keeps_every_character(pieces: list[str]) -> None:
    text = tidy(" ".join(pieces))
    words = [Token(word) for word in "".join(c if c.isalnum() else " " for c in text).split()]
    tokens = align(text, words)
    assert (tokens is None) == (not words)
    if tokens:
        assert transcript_of(tokens).turns[0].text == text


@pytest.mark.parametrize(
    ("value", "units", "second"),
    [
        (1, 1, 1.0),
        (1500, 1000, 1.5),
        ("2.5", 1, 2.5),
        (" 3 ", 1, 3.0),
        ("1e1", 1, 10.0),
        ("00:01:02,500", 1000, 62.5),
        ("1:02:03.25", 1, 3723.25),
        ("02:03", 1, 123.0),
        ("00:00:01:12", 1, 1.0),
        (-0.0, 1, 0.0),
        ("-0.0", 1, 0.0),
        (-1e-12, 1, 0.0),
    ],
)
def test_times_that_are_read(value: object, units: float, second: float) -> None:
    parsed = seconds(value, units)
    assert parsed == second
    assert str(parsed)[0] != "-"


@pytest.mark.parametrize(
    "value",
    [
        -1,
        "-1",
        "abc",
        "",
        float("nan"),
        float("inf"),
        "nan",
        "1e999",
        10**400,
        True,
        None,
        [],
        {},
        "1:99",
        "1_000",
        "٣",
        MAX_SECONDS * 2,
        "9" * 5000 + ":00:00",
    ],
)
def test_times_that_are_none(value: object) -> None:
    assert seconds(value) is None


def test_texts_are_tidied() -> None:
    assert tidy(" a\x00b\n\tc\u00a0d\ud800 ") == "a b c d\ufffd"


@pytest.mark.parametrize(
    ("label", "name"),
    [("0", "Speaker 0"), (" 12 ", "Speaker 12"), ("A", "A"), ("SPEAKER_00", "SPEAKER_00"), ("", None)],
)
def test_only_a_bare_number_is_made_a_name(label: str, name: str | None) -> None:
    assert speaker_name(label) == name


def test_remarks_are_bracketed() -> None:
    assert bracket_remark("<inaudible>") == "[inaudible]"
    assert bracket_remark("a < b > c") == "a < b > c"


def test_whole_numbers_are_milliseconds_where_they_can_be_nothing_else() -> None:
    texts = ["so the prices fell again", "yes"]
    assert per_second(texts, 4) == 1.0
    assert per_second(texts, 4000) == 1000.0
    assert per_second(["今天天气很好我们去公园散步吧" * 4], 30) == 1.0


def test_in_order_leaves_untimed_turns() -> None:
    turns = [Turn("a", start=2.0, end=3.0), Turn("b"), Turn("c", start=1.0, end=1.5)]
    ordered, moved = in_order(turns)
    assert ordered == [turns[0], turns[1], Turn("c", start=2.0, end=2.0)]
    assert moved == 2


tokens = st.builds(
    Token,
    st.text("ab .,\n你", max_size=4),
    st.none() | st.floats(0, 100),
    st.none() | st.floats(0, 100),
    st.sampled_from([None, "A", "B"]),
    st.booleans(),
    st.booleans(),
)


@given(st.lists(st.lists(tokens, max_size=12), min_size=1, max_size=3))
def test_any_tokens_give_their_words_and_rising_times(lists: list[list[Token]]) -> None:
    words = ["".join(token.text for token in line) for line in lists]
    if not "".join(words).split():
        with pytest.raises(FormatError):
            transcript_of(*lists)
        return
    result = transcript_of(*lists)
    letters = "".join(turn.text for turn in result.turns).replace(" ", "")
    if len(lists) == 1:
        assert letters == "".join("".join(words).split())
    assert sorted(letters) == sorted("".join("".join(words).split()))
    assert_sound(result)
