"""Tests of the reader of WebVTT files from browsers, meeting tools and transcribers.

test_rolling.py tests rolling captions.
"""

import pytest
from reading_texts import read_text, spoken_turns, times

from onrecord.errors import FormatError
from onrecord.ingest.formats import read
from onrecord.types import Transcript


def vtt(body: str) -> Transcript:
    return read_text(f"WEBVTT\n\n{body}", "webvtt")


def test_a_run_of_cues_by_one_voice_is_one_turn_with_a_mark_at_each_cue() -> None:
    transcript = vtt(
        "00:00:01.000 --> 00:00:02.000\n<v Ann>Good morning,\n\n"
        "00:00:02.000 --> 00:00:03.500\n<v Ann>everybody.\n\n"
        "00:00:04.000 --> 00:00:05.000\n<v Bo>Hello.\n"
    )
    ann, bo = transcript.turns
    assert spoken_turns(transcript) == [("Ann", "Good morning, everybody."), ("Bo", "Hello.")]
    assert (ann.start, ann.end, ann.marks) == (1.0, 3.5, ((0, 1.0), (14, 2.0)))
    assert (bo.start, bo.end, bo.marks) == (4.0, 5.0, ((0, 4.0),))
    assert transcript.warnings == ()


def test_silence_between_cues_is_marked_at_both_its_ends() -> None:
    """Check that a pause between cues has a mark at its start and one at its end."""
    (turn,) = vtt("00:01.000 --> 00:02.000\nOne.\n\n00:09.000 --> 00:10.000\nTwo.\n").turns
    assert turn.text == "One. Two."
    assert turn.marks == ((0, 1.0), (4, 2.0), (5, 9.0))


def test_header_comments_styles_regions_names_and_settings_are_no_words() -> None:
    transcript = read_text(
        "WEBVTT - The title of nothing\nKind: captions\nLanguage: pt-BR\n\n"
        "STYLE\n::cue(b) { color: red }\n\n"
        "REGION\nid:left\nwidth:40%\n\n"
        "NOTE one line\n\n"
        "NOTE\nover several\nlines\n\n"
        "first cue\n00:01.000 --> 00:02.000 region:left align:start position:10%,line-left\nOne.\n\n"
        "NOTE between\n\n"
        "2\n00:02.000 --> 00:03.000\nTwo.\n",
        "webvtt",
    )
    assert spoken_turns(transcript) == [(None, "One. Two.")]
    assert transcript.details.language == "pt"


def test_a_note_can_name_the_language() -> None:
    assert vtt("NOTE language:en-us\n\n00:01.000 --> 00:02.000\nHi.\n").details.language == "en"


def test_two_voices_in_one_cue_share_its_time() -> None:
    transcript = vtt("00:00.000 --> 00:10.000\n<v.loud.first Ann Lee>Is it far?</v> <v Bo>Not so far.</v>\n")
    assert spoken_turns(transcript) == [("Ann Lee", "Is it far?"), ("Bo", "Not so far.")]
    assert times(transcript) == [(0.0, 4.783), (4.783, 10.0)]


def test_a_voice_claims_no_words_but_its_own() -> None:
    transcript = vtt(
        "00:00.000 --> 00:02.000\n<v Ann>Yes.</v>\nWho says so?\n\n00:02.000 --> 00:03.000\nNobody.\n"
    )
    assert spoken_turns(transcript) == [("Ann", "Yes."), (None, "Who says so? Nobody.")]


def test_tags_go_and_entities_become_characters() -> None:
    transcript = vtt(
        "00:00.000 --> 00:02.000\n"
        "<c.yellow.bg_blue>R&amp;D</c> <i>is</i> <b>5 &lt; 6</b>&nbsp;&lrm;<u>there&#39;s</u> "
        "&quot;<lang en>more</lang>&quot;\n"
    )
    assert spoken_turns(transcript) == [(None, 'R&D is 5 < 6 there\'s "more"')]


def test_what_is_escaped_twice_and_what_only_looks_like_a_tag() -> None:
    transcript = vtt("00:00.000 --> 00:02.000\nIt&amp;#39;s a < b and <inaudible> at AT&T\n")
    assert spoken_turns(transcript) == [(None, "It's a < b and <inaudible> at AT&T")]


def test_reading_aids_are_not_said_twice() -> None:
    transcript = vtt("00:00.000 --> 00:02.000\n<ruby>東京<rt>とうきょう</rt></ruby> です\n")
    assert spoken_turns(transcript) == [(None, "東京 です")]
    assert spoken_turns(vtt("00:00.000 --> 00:02.000\n<ruby>東京<rt>とうきょう</ruby> です\n")) == [
        (None, "東京 です")
    ]


def test_times_of_words_become_marks() -> None:
    (turn,) = vtt("00:01.000 --> 00:04.000\nOne <00:02.000>two<00:03.000> three\n").turns
    assert turn.text == "One two three"
    assert turn.marks == ((0, 1.0), (4, 2.0), (8, 3.0))


def test_times_of_words_that_cannot_be_are_left_out() -> None:
    (turn,) = vtt("00:01.000 --> 00:04.000\nOne <00:09.000>two <00:02.000>three <00:01.500>four\n").turns
    assert turn.text == "One two three four"
    assert turn.marks == ((0, 1.0), (8, 2.0))


def test_overlapping_cues_keep_their_starts_and_their_order() -> None:
    transcript = vtt(
        "00:00.000 --> 00:05.000\n<v Ann>I was saying\n\n"
        "00:03.000 --> 00:04.000\n<v Bo>Sorry\n\n"
        "00:04.500 --> 00:08.000\n<v Ann>that it works.\n"
    )
    assert times(transcript) == [(0.0, 5.0), (3.0, 4.0), (4.5, 8.0)]


@pytest.mark.parametrize(
    ("written", "start", "end"),
    [
        ("00:01.000 --> 00:02.000", 1.0, 2.0),
        ("0:0:1.5 --> 0:0:2.75", 1.5, 2.75),
        ("00:00:01.0500000 --> 00:00:03.3900000", 1.05, 3.39),
        ("123:00:01.000 --> 123:00:02.000", 442801.0, 442802.0),
        ("75:00.000 --> 75:01.000", 4500.0, 4501.0),
        ("00:01,000 --> 00:02,000", 1.0, 2.0),
        ("00:00:01 -> 00:00:02", 1.0, 2.0),
        ("00:00:59.999 --> 00:00:60.000", 59.999, 60.0),
    ],
)
def test_times_in_all_the_ways_they_are_written(written: str, start: float, end: float) -> None:
    assert times(vtt(f"{written}\nHello.\n")) == [(start, end)]


def test_microsoft_teams() -> None:
    transcript = vtt(
        "4f1b5a0e-9a7f-4a5f-8b0e-1f2d3c4b5a69/12-0\n00:00:03.000 --> 00:00:07.130\n"
        "<v Lee, Ann>Shall we\nbegin?</v>\n\n"
        "4f1b5a0e-9a7f-4a5f-8b0e-1f2d3c4b5a69/12-1\n00:00:07.130 --> 00:00:09.000\n"
        "<v Bo O&#39;Dea (Guest)>Yes.</v>\n"
    )
    assert spoken_turns(transcript) == [("Lee, Ann", "Shall we begin?"), ("Bo O'Dea (Guest)", "Yes.")]


def test_zoom_puts_any_name_before_every_cue() -> None:
    transcript = vtt(
        "1\n00:01.000 --> 00:02.000\nAnn Lee: Are we all here?\n\n"
        "2\n00:02.000 --> 00:03.000\nbo's iPhone: Almost.\n\n"
        "3\n00:03.000 --> 00:04.000\nAnn Lee: Good. Note: we are recording.\n\n"
        "4\n00:04.000 --> 00:05.000\nZoë (she/her): Hi.\n"
    )
    assert spoken_turns(transcript) == [
        ("Ann Lee", "Are we all here?"),
        ("bo's iPhone", "Almost."),
        ("Ann Lee", "Good. Note: we are recording."),
        ("Zoë (she/her)", "Hi."),
    ]


def test_webex_names_the_speaker_in_the_name_of_the_cue() -> None:
    transcript = vtt(
        '1 "Ann Lee" (2784937472)\n00:01.000 --> 00:02.000\nHi.\n\n2 "Bo" (17)\n00:02.000 --> '
        "00:03.000\nHo.\n"
    )
    assert spoken_turns(transcript) == [("Ann Lee", "Hi."), ("Bo", "Ho.")]


def test_pieces_of_a_stream_laid_end_to_end_repeat_header_and_cues() -> None:
    piece = "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000\n\n"
    both = "00:05.000 --> 00:07.000\nacross the border.\n\n"
    text = (
        f"{piece}00:01.000 --> 00:05.000\nWe went\n\n{both}{piece}{both}00:07.000 --> 00:09.000\nAnd back.\n"
    )
    transcript = read_text(text, "webvtt")
    assert spoken_turns(transcript) == [(None, "We went across the border. And back.")]
    assert transcript.warnings == ("dropped copies of captions: 1",)


def test_blank_lines_may_be_missing_or_too_many() -> None:
    transcript = vtt(
        "00:01.000 --> 00:02.000\nOne\n00:02.000 --> 00:03.000\n\nTwo\n\nmore\n\n\n00:03.000 --> "
        "00:04.000\nThree"
    )
    assert spoken_turns(transcript) == [(None, "One Two more Three")]


def test_a_missing_blank_line_below_the_header_is_no_matter() -> None:
    assert spoken_turns(read_text("WEBVTT\n00:01.000 --> 00:02.000\nOne\n", "webvtt")) == [(None, "One")]


def test_two_people_who_say_the_same_stay_two() -> None:
    transcript = vtt(
        "00:01.000 --> 00:02.000\n<v Ann>Thank you.\n\n00:02.000 --> 00:03.000\n<v Bo>Thank you.\n"
    )
    assert spoken_turns(transcript) == [("Ann", "Thank you."), ("Bo", "Thank you.")]


@pytest.mark.parametrize(
    ("tail", "text"),
    [
        ("\n2\n00:02.000 --> 00:0", "One."),
        ("\n2\n00:02.000 --> 00:03.000", "One."),
        ("\n2\n00:02.000 --> 00:03.000\n", "One."),
        ("\n2\n00:02.0", "One."),
        ("\n2\n", "One."),
        ("\n4f1b5a0e-9a7f-4a5f-8b0e-1f2d3c4b5a69", "One."),
        ("\n2\n00:02.000 --> 00:03.000\nTwo <v B", "One. Two"),
        ("\n2\n00:02.000 --> 00:03.000\nTwo</", "One. Two"),
    ],
)
def test_a_file_cut_off_in_its_last_cue_keeps_the_rest(tail: str, text: str) -> None:
    transcript = vtt(f"1\n00:01.000 --> 00:02.000\nOne.\n{tail}")
    assert spoken_turns(transcript) == [(None, text)]
    assert "may be cut off" in transcript.warnings[0]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("00:01.000 --> 00:02.000\nHi\n\n00:0x.000 --> 00:04.000\nHo\n", "line 6: expected cue times"),
        ("00:01.000 --> \nHi\n\n00:03.000 --> 00:04.000\nHo\n", "line 3: expected cue times"),
        ("1\n--> 00:02.000\nHi\n\n00:03.000 --> 00:04.000\nHo\n", "line 4: expected cue times"),
        ("", "line 1: expected cue times (00:00:01.000 --> 00:00:02.500), found no cue below the header"),
        ("NOTE nothing\n", "found no cue below the header"),
        ("00:01.000 --> 00:02.000\n\n", "expected a transcript with words, found no words"),
        ("00:01.000 --> 00:02.000\n<v Ann></v>\n", "expected a transcript with words, found no words"),
    ],
)
def test_a_broken_file_is_an_error_that_names_the_line(body: str, message: str) -> None:
    with pytest.raises(FormatError) as error:
        read("talk.vtt", f"WEBVTT\n\n{body}".encode())
    assert message in str(error.value)


def test_an_arrow_in_what_is_said_is_no_time() -> None:
    assert spoken_turns(vtt("00:01.000 --> 00:02.000\nfrom a\nto b --> c\n")) == [(None, "from a to b --> c")]
