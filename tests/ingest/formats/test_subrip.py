"""Tests of the reader of SubRip files from editors, transcribers and broadcasters."""

import pytest
from reading_texts import read_text, spoken_turns, times

from onrecord.errors import FormatError
from onrecord.ingest.formats import read
from onrecord.types import Transcript


def srt(*captions: str, first: float = 0.0) -> Transcript:
    """Return the transcript of a SubRip file whose captions last two seconds each, without pauses."""
    blocks = [
        f"{n}\n00:00:{2 * n - 2:02},000 --> 00:00:{2 * n:02},000\n{caption}\n"
        for n, caption in enumerate(captions, 1)
    ]
    return read_text("\n".join(blocks), "subrip")


def test_a_label_speaks_until_the_next_one() -> None:
    transcript = srt("Ann: When you", "first begin,", "it is hard.", "Bo: Is it?", "Ann: It is.")
    assert spoken_turns(transcript) == [
        ("Ann", "When you first begin, it is hard."),
        ("Bo", "Is it?"),
        ("Ann", "It is."),
    ]
    assert times(transcript) == [(0.0, 6.0), (6.0, 8.0), (8.0, 10.0)]


def test_labels_within_a_caption() -> None:
    transcript = srt("ANN: How are you?\nBO: Fine.", "ANN: Good.\nI am glad.", "BO: So am I.")
    assert spoken_turns(transcript)[:3] == [
        ("ANN", "How are you?"),
        ("BO", "Fine."),
        ("ANN", "Good. I am glad."),
    ]
    assert times(transcript)[0] == (0.0, 1.368)


@pytest.mark.parametrize(
    "label", ["[SPEAKER_00]:", "SPEAKER_00:", "[SPEAKER_00]", "(speaker 0)", "Speaker A:", "spk_0:"]
)
def test_labels_of_programs_are_believed_at_once(label: str) -> None:
    transcript = srt("so it began", f"{label} and went on")
    assert spoken_turns(transcript)[1] == (label.strip("[]():"), "and went on")


def test_a_label_on_a_line_of_its_own() -> None:
    transcript = srt("[speaker 0]\nGood evening.", "[speaker 1]\nHello\nthere.")
    assert spoken_turns(transcript) == [("speaker 0", "Good evening."), ("speaker 1", "Hello there.")]


def test_colons_without_a_speaker_stay_in_the_text() -> None:
    transcript = srt(
        "I give you an example.",
        "Google: a search engine.",
        "Note: it closes at\n10:30 sharp.",
        "See\nhttps://example.com/a: it is there.",
        "And the rule is:\nnever stop.",
    )
    assert [speaker for speaker, _ in spoken_turns(transcript)] == [None]
    assert "Google: a search engine. Note: it closes at 10:30 sharp." in spoken_turns(transcript)[0][1]


def test_credits_at_the_beginning_are_no_speakers() -> None:
    transcript = srt("Translator: Ann Lee\nReviewer: Bo Dea", "Good morning.", "How are you?")
    assert spoken_turns(transcript) == [
        (None, "Translator: Ann Lee Reviewer: Bo Dea Good morning. How are you?")
    ]


def test_a_single_label_at_the_very_beginning_is_a_speaker() -> None:
    assert spoken_turns(srt("Kelly: Good morning.", "It is late.")) == [
        ("Kelly", "Good morning. It is late.")
    ]


def test_chevrons_change_the_speaker_anywhere_in_a_line() -> None:
    transcript = srt(
        ">> ANN: GOOD EVENING.",
        "WELCOME. >> BO: THANK YOU.",
        ">> WHO IS THAT?",
        ">>> IN OTHER NEWS, NOTHING.",
    )
    assert spoken_turns(transcript) == [
        ("ANN", "GOOD EVENING. WELCOME."),
        ("BO", "THANK YOU."),
        (None, "WHO IS THAT?"),
        (None, "IN OTHER NEWS, NOTHING."),
    ]


def test_whisper_cpp_marks_that_somebody_else_goes_on() -> None:
    transcript = srt("Are you there? [SPEAKER_TURN]", "I am.")
    assert spoken_turns(transcript) == [(None, "Are you there? I am.")]
    transcript = srt("Are you there? [SPEAKER_TURN] I am.", "Good.")
    assert spoken_turns(transcript) == [(None, "Are you there?"), (None, "I am. Good.")]


def test_dashes_of_dialogue_part_two_speakers() -> None:
    assert spoken_turns(srt("- Is it far?\n- No.", "-Oui.\n-Non.")) == [
        (None, "Is it far?"),
        (None, "No."),
        (None, "Oui."),
        (None, "Non."),
    ]


def test_a_single_dash_is_a_reply_only_after_a_whole_sentence() -> None:
    assert spoken_turns(srt("Is it far?\n- No.")) == [(None, "Is it far?"), (None, "No.")]
    assert spoken_turns(srt("I was going\n- well, perhaps - to leave.")) == [
        (None, "I was going - well, perhaps - to leave.")
    ]
    assert spoken_turns(srt("It was\n-5 degrees.")) == [(None, "It was -5 degrees.")]


def test_music_is_nobody() -> None:
    assert spoken_turns(srt("Ann: Listen.", "Music: a slow waltz.", "Ann: Done.")) == [
        ("Ann", "Listen."),
        (None, "Music: a slow waltz."),
        ("Ann", "Done."),
    ]


@pytest.mark.parametrize(("note", "speaker"), [("(BO SIGHS)", None), ("[ANN SIGHS]", "ANN")])
def test_a_direction_about_another_speaker_ends_the_turn(note: str, speaker: str | None) -> None:
    """Check that nobody speaks below a note that begins with the name of another speaker."""
    transcript = srt(
        "ANN: Is he here?", "BO: I am.", "ANN: Then help the cook.", f"{note}\nI could go.", "BO: Do."
    )
    assert [who for who, text in spoken_turns(transcript) if "I could go." in text] == [speaker]


def test_markup_of_all_kinds_goes() -> None:
    transcript = srt(
        '<font color="#ffff00">Hello</font> {\\an8}there,<br/>{\\i1}you{\\i0} &amp; <b>me</b>\\Nagain',
        "a <i>b",
    )
    assert spoken_turns(transcript) == [(None, "Hello there, you & me again a b")]


def test_a_file_that_keeps_no_rule() -> None:
    transcript = read_text(
        "\n\n1\n0:00:01,000-->00:00:02.000 X1:117 X2:619 Y1:042 Y2:428\nOne \n2 \n"
        "00:00:02,000 --> 00:00:03:500  \n\nTwo\nwith 42\n   \n3\n00:00:04 --> 00:00:05\nThree\n\nmore "
        "of it\n"
        "00:00:05,000 --> 00:00:06,000\nFour",
        "subrip",
    )
    assert spoken_turns(transcript) == [(None, "One Two with 42 Three more of it Four")]
    assert transcript.turns[0].marks == ((0, 1.0), (4, 2.0), (15, 3.5), (16, 4.0), (33, 5.0))


def test_a_number_that_is_said_is_no_number_of_a_caption() -> None:
    plain = (
        "00:00:01,000 --> 00:00:02,000\nHow many?\n\n00:00:02,000 --> 00:00:03,000\n42\n\n"
        "00:00:03,000 --> 00:00:04,000\nOh.\n"
    )
    assert spoken_turns(read_text(plain, "subrip")) == [(None, "How many? 42 Oh.")]
    assert spoken_turns(srt("How many?", "42", "Oh.")) == [(None, "How many? 42 Oh.")]


def test_youtubes_sbv() -> None:
    text = "0:00:01.000,0:00:02.500\nAnn: Good\nmorning.\n\n0:00:02.500,0:00:04.000\nBo: 10:30, 11:45\n"
    transcript = read_text(text, "subrip")
    assert spoken_turns(transcript) == [("Ann", "Good morning."), ("Bo", "10:30, 11:45")]
    assert times(transcript) == [(1.0, 2.5), (2.5, 4.0)]


def test_double_line_ends_part_nothing() -> None:
    text = (
        "1\r\r\n00:00:01,000 --> 00:00:02,000\r\r\nOne\r\r\n\r\r\n2\r\r\n00:00:02,000 --> "
        "00:00:03,000\r\r\nTwo\r\r\n"
    )
    assert spoken_turns(read_text(text, "subrip")) == [(None, "One Two")]


def test_an_empty_line_below_every_line_is_no_matter() -> None:
    text = "1\n\n00:00:01,000 --> 00:00:02,000\n\nOne\n\n\n2\n\n00:00:02,000 --> 00:00:03,000\n\nTwo\n\n"
    assert spoken_turns(read_text(text, "subrip")) == [(None, "One Two")]


def test_hours_beyond_a_day() -> None:
    text = "1\n100:00:05,000 --> 100:00:06,000\nLate.\n"
    assert times(read_text(text, "subrip")) == [(360005.0, 360006.0)]


def test_times_that_run_backwards_keep_the_words_in_order_and_are_repaired() -> None:
    transcript = read_text(
        "1\n00:00:01,000 --> 00:00:02,000\nOne\n\n"
        "2\n09:00:00,000 --> 09:00:01,000\ntwo\n\n"
        "3\n00:00:03,000 --> 00:00:04,000\nthree\n\n"
        "4\n00:00:02,500 --> 00:00:03,500\nfour\n\n"
        "5\n00:00:06,000 --> 00:00:05,000\nfive\n",
        "subrip",
    )
    (turn,) = transcript.turns
    assert turn.text == "One two three four five"
    assert turn.marks == ((0, 1.0), (4, 2.0), (8, 3.0), (14, 4.0), (18, 5.0), (19, 6.0))
    assert (turn.start, turn.end) == (1.0, 6.0)
    assert transcript.warnings == (
        "moved captions that run backwards behind those above: 2, first in line 6",
        "captions that end before they start: 1, first in line 18",
    )


def test_a_second_part_whose_times_begin_anew_goes_on_behind_the_first() -> None:
    transcript = read_text(
        "1\n00:00:01,000 --> 00:00:02,000\nOne\n\n2\n00:00:02,000 --> 00:00:04,000\ntwo\n\n"
        "1\n00:00:01,000 --> 00:00:03,000\nthree\n",
        "subrip",
    )
    assert transcript.turns[0].marks == ((0, 1.0), (4, 2.0), (8, 4.0))
    assert transcript.turns[0].end == 6.0


def test_times_before_zero_are_repaired() -> None:
    transcript = read_text(
        "1\n-00:00:01,000 --> 00:00:01,000\nOne\n\n2\n00:00:02,000 --> 00:00:03,000\nTwo\n", "subrip"
    )
    assert times(transcript) == [(0.0, 3.0)]
    assert "line 2" in transcript.warnings[0]


def test_text_above_the_first_caption_is_reported() -> None:
    transcript = read_text("My talk\n\n1\n00:00:01,000 --> 00:00:02,000\nOne\n", "subrip")
    assert transcript.warnings == ("dropped the text above the first caption",)


def test_a_file_cut_off_in_its_last_caption_keeps_the_rest() -> None:
    transcript = read_text("1\n00:00:01,000 --> 00:00:02,000\nOne.\n\n2\n00:00:02,000 --> 00:0", "subrip")
    assert spoken_turns(transcript) == [(None, "One.")]
    assert transcript.warnings == ("the file may be cut off in its last caption (line 6)",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "1\n00:00:01,000 --> 00:00:xx,000\nOne\n\n2\n00:00:02,000 --> 00:00:03,000\nTwo\n",
            "talk.srt, line 2: expected cue times (00:00:01.000 --> 00:00:02.500), found 00:00:01,000 "
            "--> 00:00:xx",
        ),
        ("1\n00:00:01,000 --> 00:00:02,000\nOne\n\n2\n00:00:03,000 00:00:04,000\nTwo\n", "line 6: expected"),
        ("1\n00:00:01,000 --> 00:00:02,000\n\n", "found no words"),
        ("1\n00:00:01,000 --> 00:00:02,000\nAnn Lee: \n", "expected a transcript with words, found no words"),
    ],
)
def test_a_broken_file_is_an_error_that_names_the_line(text: str, message: str) -> None:
    with pytest.raises(FormatError) as error:
        read("talk.srt", text.encode())
    assert message in str(error.value)


def test_a_name_ends_with_its_sentence_where_other_speakers_have_only_a_dash() -> None:
    said = [
        "- Who's there?\n- It's me.",
        "ANNA: Then come in,\nand sit down.",
        "I brought the ledger.",
        "PETER: Why?",
    ]
    said += ["And so\nit is,", "as you know.", "- Now?\n- Now.", "ANNA: Yes.", "PETER: No."]
    text = "\n".join(
        f"{n}\n00:00:{n:02},000 --> 00:00:{n:02},900\n{words}\n" for n, words in enumerate(said, 1)
    )
    transcript = read_text(text, "subrip")
    assert ("ANNA", "Then come in, and sit down.") in spoken_turns(transcript)
    assert {
        speaker for speaker, words in spoken_turns(transcript) if "ledger" in words or "know" in words
    } == {None}
    assert any("up to the end of a sentence" in warning for warning in transcript.warnings)
    everybody = read_text(
        text.replace("- Who's", "- ANNA: Who's").replace("- Now?", "- ANNA: Now?"), "subrip"
    )
    assert ("ANNA", "Then come in, and sit down. I brought the ledger.") in spoken_turns(everybody)
