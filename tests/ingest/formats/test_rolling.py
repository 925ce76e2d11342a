"""Tests that rolling captions give each word once.

Captions that roll show the same words several times. Words that a speaker repeats stay repeated.
"""

from reading_texts import read_text, spoken_turns

YOUTUBE = """WEBVTT
Kind: captions
Language: en

00:00:00.160 --> 00:00:02.389 align:start position:0%
~
good<00:00:00.400><c> evening</c><00:00:00.640><c> everyone</c>

00:00:02.389 --> 00:00:02.399 align:start position:0%
good evening everyone
~

00:00:02.399 --> 00:00:05.110 align:start position:0%
good evening everyone
to<00:00:02.560><c> the</c><00:00:02.800><c> meeting</c>

00:00:05.110 --> 00:00:05.120 align:start position:0%
to the meeting
~

00:00:05.120 --> 00:00:06.110 align:start position:0%
to the meeting
yes

00:00:06.110 --> 00:00:06.120 align:start position:0%
yes
~

00:00:06.120 --> 00:00:07.000 align:start position:0%
yes
yes<00:00:06.500><c> indeed</c>
""".replace("~", " ")  # a line that holds one space is part of the cue


def blocks(*captions: str, seconds: float = 1.0) -> str:
    """Return a SubRip file of captions without pauses, each ``seconds`` long."""
    return "\n".join(
        f"{n + 1}\n00:00:{n * seconds:06.3f} --> 00:00:{(n + 1) * seconds:06.3f}\n{text}\n"
        for n, text in enumerate(captions)
    )


def test_automatic_captions_of_youtube_with_the_time_of_each_word() -> None:
    transcript = read_text(YOUTUBE, "webvtt")
    (turn,) = transcript.turns
    assert turn.text == "good evening everyone to the meeting yes yes indeed"
    assert (turn.start, turn.end) == (0.16, 7.0)
    assert turn.marks == (
        *((0, 0.16), (5, 0.4), (13, 0.64), (22, 2.399), (25, 2.56), (29, 2.8)),
        *((37, 5.12), (41, 6.12), (45, 6.5)),
    )
    assert transcript.details.language == "en"
    assert transcript.warnings == ()


def test_the_same_as_subrip_without_times_of_words() -> None:
    lines = [
        "\ngood evening everyone",
        "good evening everyone",
        "good evening everyone\nto the meeting",
        "to the meeting",
        "to the meeting\nyes",
        "yes",
        "yes\nyes indeed",
    ]
    assert spoken_turns(read_text(blocks(*lines), "subrip")) == [
        (None, "good evening everyone to the meeting yes yes indeed")
    ]


def test_lines_that_roll_up_without_bridges() -> None:
    text = blocks("ONE LINE", "ONE LINE\nTWO LINES", "TWO LINES\nTHREE LINES", "TWO LINES\nTHREE LINES\nFOUR")
    assert spoken_turns(read_text(text, "subrip")) == [(None, "ONE LINE TWO LINES THREE LINES FOUR")]


def test_lines_that_grow_word_by_word() -> None:
    text = blocks("SO", "SO WE", "SO WE WENT", "SO WE WENT\nHOME", "HOME\nAND SLEPT")
    transcript = read_text(text, "subrip")
    assert spoken_turns(transcript) == [(None, "SO WE WENT HOME AND SLEPT")]
    assert transcript.turns[0].marks == ((0, 0.0), (3, 1.0), (6, 2.0), (11, 3.0), (16, 4.0))


def test_captions_shown_again_for_each_word_give_the_times_of_words() -> None:
    text = blocks(
        *("<u>Prices</u> fell.", "Prices <u>fell.</u>"),
        *("<u>Why</u> so?", "Why <u>so?</u>"),
        *("<u>Why</u> so?", "Why <u>so?</u>"),
    )
    transcript = read_text(text, "subrip")
    assert spoken_turns(transcript) == [(None, "Prices fell. Why so? Why so?")]
    assert transcript.turns[0].marks == ((0, 0.0), (7, 1.0), (13, 2.0), (17, 3.0), (21, 4.0), (25, 5.0))


def test_colours_can_tell_the_word_too() -> None:
    on, off = '<font color="#00ff00">', "</font>"
    text = blocks(
        f"{on}Prices{off} fell\nat last.",
        f"Prices {on}fell{off}\nat last.",
        f"Prices fell\n{on}at{off} last.",
    )
    transcript = read_text(text, "subrip")
    assert spoken_turns(transcript) == [(None, "Prices fell at last.")]
    assert transcript.turns[0].marks == ((0, 0.0), (7, 1.0), (12, 2.0))


def test_what_is_said_again_and_again_stays() -> None:
    text = blocks("Thank you.", "Thank you.", "Thank you.", "Yes.", "Yes.", "Yes, I know.")
    assert spoken_turns(read_text(text, "subrip")) == [
        (None, "Thank you. Thank you. Thank you. Yes. Yes. Yes, I know.")
    ]


def test_a_few_repetitions_do_not_make_a_file_roll() -> None:
    """Check that a few captions that extend the caption before do not count as rolling captions."""
    lines = [f"line {n} of it" for n in range(20)]
    lines[7:9] = ["no", "no\nnever"]
    lines[12:14] = ["so", "so\nwhat"]
    assert spoken_turns(read_text(blocks(*lines), "subrip")) == [(None, " ".join(" ".join(lines).split()))]


def test_after_a_pause_a_line_is_new_even_where_lines_roll() -> None:
    text = (
        "1\n00:00:00,000 --> 00:00:01,000\none\n\n2\n00:00:01,000 --> 00:00:02,000\none\ntwo\n\n"
        "3\n00:00:02,000 --> 00:00:03,000\ntwo\nthree\n\n4\n00:00:09,000 --> 00:00:10,000\nthree\n"
    )
    assert spoken_turns(read_text(text, "subrip")) == [(None, "one two three three")]


def test_another_voice_that_says_the_same_is_no_repetition() -> None:
    votes = [("Cole", "No."), ("Dunn", "No."), ("Egan", "No."), ("Frost", "No. I vote no."), ("Gale", "No.")]
    cues = [f"00:0{at}.000 --> 00:0{at + 1}.000\n<v {name}>{words}" for at, (name, words) in enumerate(votes)]
    assert spoken_turns(read_text("WEBVTT\n\n" + "\n\n".join(cues), "webvtt")) == votes


def test_two_voices_that_say_the_same_at_once_are_both_kept() -> None:
    cues = [f"00:01.000 --> 00:02.000\n<v {name}>Aye." for name in ("Cole", "Dunn")]
    text = "WEBVTT\n\n" + "\n\n".join([*cues, cues[1]])
    assert spoken_turns(read_text(text, "webvtt")) == [("Cole", "Aye."), ("Dunn", "Aye.")]


def test_lines_of_a_voice_roll_up_too() -> None:
    lines = ["<v Cole>ONE LINE", "<v Cole>ONE LINE\n<v Cole>TWO LINES", "<v Cole>TWO LINES\n<v Cole>THREE"]
    cues = [f"00:0{at}.000 --> 00:0{at + 1}.000\n{line}" for at, line in enumerate(lines)]
    text = "WEBVTT\n\n" + "\n\n".join(cues)
    assert spoken_turns(read_text(text, "webvtt")) == [("Cole", "ONE LINE TWO LINES THREE")]
