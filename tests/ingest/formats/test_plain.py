"""Tests of the reader of plain text that people type or that meeting tools and transcribers export."""

import pytest
from reading_texts import read_text, spoken_turns, times

from onrecord.types import Transcript


def txt(text: str) -> Transcript:
    return read_text(text, "text")


def starts(transcript: Transcript) -> list[float | None]:
    return [turn.start for turn in transcript.turns]


def test_a_label_opens_a_turn_that_goes_on_over_paragraphs() -> None:
    transcript = txt("Ann: Good morning.\nHow are you?\n\nIt is late.\n\nBo: Is it?\n")
    assert spoken_turns(transcript) == [("Ann", "Good morning. How are you? It is late."), ("Bo", "Is it?")]
    assert times(transcript) == [(None, None)] * 2
    assert transcript.warnings == ()


@pytest.mark.parametrize(
    ("first", "second", "third"),
    [
        (
            "10:01:12 From Ann Lee to Everyone:\n\t",
            "10:01:40 From Bo to Everyone:\n\t",
            "10:03:12 From Ann Lee to Everyone:\n\t",
        ),
        ("10:01:12\t From  Ann Lee : ", "10:01:40\t From  Bo : ", "10:03:12\t From  Ann Lee : "),
        (
            "10:01:12\t From Ann Lee : ",
            "10:01:40\t From Bo to Ann Lee(Direct Message) : ",
            "10:03:12\t From Ann Lee : ",
        ),
        ("[10:01:12] <ann> ", "[10:01:40] <bo> ", "[10:03:12] <ann> "),
    ],
)
def test_chats_count_from_their_first_time(first: str, second: str, third: str) -> None:
    transcript = txt(f"{first}Is it raining?\n{second}It is.\n{third}Good.\n")
    assert starts(transcript) == [0.0, 28.0, 120.0]
    assert [((name or "?")[0].lower(), words) for name, words in spoken_turns(transcript)] == [
        ("a", "Is it raining?"),
        ("b", "It is."),
        ("a", "Good."),
    ]


def test_two_fields_before_a_nick_are_hours_and_minutes() -> None:
    """Check that two-field times are hours and minutes in a chat unless a field exceeds its range."""
    transcript = txt(
        "[10:01] <ann> Is it raining?\n[10:03] * cy has joined\n[11:04] <bo> It is.\n[11:05] <ann> Good.\n"
    )
    assert starts(transcript) == [0.0, 120.0, 3780.0, 3840.0]
    assert starts(txt("[10:01] <ann> Is it raining?\n[25:04] <bo> It is.\n")) == [601.0, 1504.0]


def test_names_in_bold_tags_are_labels() -> None:
    transcript = txt("<b>Ann</b>: Good morning.\n<b>Bo:</b> Is it <b>so</b>?\n<strong>Ann</strong>: 2 < 3.\n")
    assert spoken_turns(transcript) == [("Ann", "Good morning."), ("Bo", "Is it so?"), ("Ann", "2 < 3.")]


def test_a_label_on_a_line_of_its_own() -> None:
    transcript = txt("Ann Lee:\nGood morning.\n\nBo:\nHello.\n\nAnn Lee:\nSo.\n")
    assert spoken_turns(transcript) == [("Ann Lee", "Good morning."), ("Bo", "Hello."), ("Ann Lee", "So.")]


def test_a_label_whose_name_says_nothing_anywhere_is_words() -> None:
    """Check that a label without any text below it stays in the text."""
    text = (
        "Ann Lee (0:01):\nGood day.\n\nBob Ray (0:04):\nHello.\n\nAnn Lee (0:06):\nYes.\n\nSee You (0:09):\n"
    )
    assert spoken_turns(txt(text))[-2:] == [("Ann Lee", "Yes."), (None, "See You (0:09):")]


def test_paragraphs_of_prose_are_turns_of_nobody() -> None:
    transcript = txt(
        "It was late in April: the clocks\nwere slow. He had one rule: never stop.\n\n"
        "Note: he was alone.\n\nAt 10:30 he left. 12:30 was too late.\n"
    )
    assert spoken_turns(transcript) == [
        (None, "It was late in April: the clocks were slow. He had one rule: never stop."),
        (None, "Note: he was alone."),
        (None, "At 10:30 he left. 12:30 was too late."),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Q: Who?\nA: Me.\nQ: Why?\nA: Because.",
        "I: Who?\nR: Me.\nI: Why?\nR: Because.",
        "Dr. Anna de Vries: Who?\nBO O'DEA, JR.: Me.\nDr. Anna de Vries: Why?\nBO O'DEA, JR.: Because.",
        "Speaker 1: Who?\nSpeaker 2: Me.\nSpeaker 1: Why?\nSpeaker 2: Because.",
        "interviewer: Who?\nguest: Me.\ninterviewer: Why?\nguest: Because.",
        "Anna Dupont : Who?\nJean-Luc : Me.\nAnna Dupont : Why?\nJean-Luc : Because.",
        "主持人：Who?\n嘉宾：Me.\n主持人：Why?\n嘉宾：Because.",
    ],
)
def test_names_of_many_kinds(text: str) -> None:
    turns = spoken_turns(txt(text))
    assert [words for _, words in turns] == ["Who?", "Me.", "Why?", "Because."]
    assert turns[0][0] == turns[2][0] != turns[1][0] == turns[3][0] is not None


def test_a_short_talk_whose_names_come_once() -> None:
    assert spoken_turns(txt("Ann: Hello.\nBo: Hi, Ann.")) == [("Ann", "Hello."), ("Bo", "Hi, Ann.")]
    assert spoken_turns(txt("Kelly: Good morning.")) == [("Kelly", "Good morning.")]


def test_what_stands_above_the_talk_is_nobodys() -> None:
    transcript = txt("Title: The show\nDate: 2024-03-05\n\nANN: Hello.\nBO: Hi.\n")
    assert spoken_turns(transcript) == [
        (None, "Title: The show Date: 2024-03-05"),
        ("ANN", "Hello."),
        ("BO", "Hi."),
    ]


def test_names_alone_on_their_lines_if_two_of_them_come_back() -> None:
    """Check that names on lines of their own are speakers only if two of them recur."""
    transcript = txt("Ann Lee\n\nMargins fell.\n\nBo Dea\n\nWhy?\n\nAnn Lee\n\nPrices.\n\nBo Dea\n\nOh.\n")
    assert spoken_turns(transcript) == [
        ("Ann Lee", "Margins fell."),
        ("Bo Dea", "Why?"),
        ("Ann Lee", "Prices."),
        ("Bo Dea", "Oh."),
    ]
    assert spoken_turns(txt("Ann Lee\n\nMargins fell.\n\nBo Dea\n\nWhy?\n")) == [
        (None, words) for words in ("Ann Lee", "Margins fell.", "Bo Dea", "Why?")
    ]


def test_what_people_are_stands_behind_their_names() -> None:
    """Check that a role after a name becomes an attribute and leaves the name."""
    transcript = txt(
        "Ann Lee -- Chief Financial Officer\n\nMargins fell.\n\nBo Dea -- Oakmoor Securities -- Analyst\n\n"
        "Why?\n\nAnn Lee -- Chief Financial Officer\n\nPrices.\n\n"
        "Bo Dea -- Oakmoor Securities -- Analyst\n\nOh.\n"
    )
    assert {speaker for speaker, _ in spoken_turns(transcript)} == {"Ann Lee", "Bo Dea"}
    assert transcript.details.attributes == {"chief financial officer": "Ann Lee", "analyst": "Bo Dea"}


def test_otter() -> None:
    transcript = txt(
        "Weekly meeting\nMon, Sep 11, 2023 10:23AM • 45:23\n\nSUMMARY KEYWORDS\nbudget, plan\n\n"
        "SPEAKERS\nAnn Lee, Bo Dea\n\n"
        "Ann Lee  00:00\nShall we begin at 10:30 sharp?\n\nBo Dea  00:12\nYes. One thing first:\nthe "
        "plan.\n\n"
        "Unknown Speaker  1:02:03\nFine.\n\nTranscribed by https://otter.ai\n"
    )
    assert spoken_turns(transcript) == [
        ("Ann Lee", "Shall we begin at 10:30 sharp?"),
        ("Bo Dea", "Yes. One thing first: the plan."),
        ("Unknown Speaker", "Fine."),
    ]
    assert times(transcript) == [(0.0, 12.0), (12.0, 3723.0), (3723.0, None)]
    assert (transcript.details.title, transcript.details.date) == ("Weekly meeting", "2023-09-11")
    assert transcript.details.people == ("Ann Lee", "Bo Dea")


def test_google_meet() -> None:
    transcript = txt(
        "Weekly sync (2024-01-31 10:00 GMT+1) - Transcript\nAttendees\nAnn Lee, Bo Dea\nTranscript\n"
        "00:00:00\n \nAnn Lee: Hello.\nBo Dea: Hi.\n00:05:00\n \nAnn Lee: So.\n"
        "Meeting ended after 00:10:12 👋\n"
    )
    assert spoken_turns(transcript) == [("Ann Lee", "Hello."), ("Bo Dea", "Hi."), ("Ann Lee", "So.")]
    assert (starts(transcript)[0], starts(transcript)[2]) == (0.0, 300.0)
    assert (transcript.details.title, transcript.details.date) == (
        "Weekly sync (2024-01-31 10:00 GMT+1)",
        "2024-01-31",
    )
    assert transcript.warnings == ("some turns have no time: onrecord estimates those between two times",)


@pytest.mark.parametrize("gap", ["", "\n"])
def test_the_only_time_of_a_short_meeting_is_its_start(gap: str) -> None:
    transcript = txt(
        f"Weekly sync - Transcript\n{gap}Attendees\n{gap}Ann Lee, Bo Dea\n{gap}Transcript\n{gap}"
        f"00:00:00\n{gap}Ann Lee: Hello.\nBo Dea: Hi, how is it?\n{gap}Transcription ended after 00:03:11\n"
    )
    assert spoken_turns(transcript) == [("Ann Lee", "Hello."), ("Bo Dea", "Hi, how is it?")]
    assert starts(transcript) == [0.0, None]


@pytest.mark.parametrize("words", ["10:30", "0:00 is midnight."])
def test_the_only_time_in_a_text_may_be_spoken(words: str) -> None:
    found = spoken_turns(txt(f"Ann Lee: When?\n{words}\nBo Dea: Hi.\n"))
    assert found == [("Ann Lee", f"When? {words}"), ("Bo Dea", "Hi.")]


def test_quotations_within_a_turn_are_not_turns() -> None:
    talk = [f"{'Ann' if i % 2 else 'Bo'}: We spoke of bridge {i} for an hour." for i in range(12)]
    talk[5:5] = ["The Mayor: “We will not pay.” The bank: “You will.”", "Mary Jones: “I was not there.”"]
    transcript = txt("\n\n".join(talk))
    assert {turn.speaker for turn in transcript.turns} <= {"Ann", "Bo", None}
    assert any("'The Mayor'" in warning for warning in transcript.warnings)


@pytest.mark.parametrize(
    "head",
    [
        "Weekly sync (2024-01-31 10:00 GMT+1) - Transcript\nAttendees\n\nAnn Lee\nBo Dea\n\nTranscript\n",
        "📖 Transcript\nJan 31, 2024\nWeekly sync - Transcript\n",
        "Weekly sync - Transcript\nJan 31, 2024\n\n",
        "Weekly sync – Transcript\nJan 31, 2024\n\n",
    ],
)
def test_other_letterheads_of_google_meet(head: str) -> None:
    transcript = txt(
        f"{head}00:00:00\n \nAnn Lee: Hello.\nBo Dea: Hi.\n\n00:05:00\n \nAnn Lee: So.\n"
        "Transcription ended after 00:10:12\nThis editable transcript was computer generated and might "
        "contain errors. People can also change the text after it was created.\n"
    )
    assert spoken_turns(transcript) == [("Ann Lee", "Hello."), ("Bo Dea", "Hi."), ("Ann Lee", "So.")]
    assert (transcript.details.title or "").startswith(
        "Weekly sync"
    ) and transcript.details.date == "2024-01-31"


def test_zoom_gives_times_of_day() -> None:
    transcript = txt(
        "[Ann Lee] 10:02:03\nHello.\n\n[Bo] 10:02:09\nHi.\nAnd more.\n\n[Ann Lee] 10:03:00\nBye.\n"
    )
    assert spoken_turns(transcript) == [("Ann Lee", "Hello."), ("Bo", "Hi. And more."), ("Ann Lee", "Bye.")]
    assert times(transcript) == [(0.0, 6.0), (6.0, 57.0), (57.0, None)]
    assert transcript.warnings == ("times of day: counted from the first one",)


@pytest.mark.parametrize(
    "head",
    [
        "[{} AM] {}\n",
        "[{} AM] {}: ",
        "({} a.m.) {}: ",
        "{} AM - {}: ",
        "{} AM {}: ",
        "{} Uhr {}: ",
        "[{}, 12/03/2024] {}: ",
        "[{} AM, 3/12/2024] {}: ",
        "[12 March 2024 {}] {}: ",
        "[Mar 12, 2024, {} AM] {}: ",
        "12. März 2024, {} - {}: ",
        "2024-03-12T{}:00Z {}: ",
    ],
)
def test_times_of_day_before_names(head: str) -> None:
    said = [("10:02", "Ann Lee", "Hello."), ("10:03", "Bo Dea", "Hi."), ("10:05", "Ann Lee", "So we go.")]
    transcript = txt("\n".join(head.format(time, name) + words for time, name, words in said))
    assert spoken_turns(transcript) == [(name, words) for _, name, words in said]
    assert starts(transcript) == [0.0, 60.0, 180.0]


def test_dates_and_times_behind_names() -> None:
    transcript = txt("Ann Lee (12/03/2024 10:02)\nHello.\n\nBo Dea (12/03/2024 10:03)\nHi.\n")
    assert spoken_turns(transcript) == [("Ann Lee", "Hello."), ("Bo Dea", "Hi.")]


def test_times_of_day_that_are_spoken() -> None:
    text = "Ann: Hello.\n\nBo: When do we meet?\n\nAnn: 9:02 AM is too early.\n\n10:30 a.m. suits us all.\n"
    assert "9:02 AM is too early. 10:30 a.m. suits us all." in spoken_turns(txt(text))[-1][1]


def test_f4_times_at_the_ends_of_paragraphs() -> None:
    transcript = txt("I: Seit wann? #00:00:03-0#\n\nB: Seit Mai. #00:00:09-4#\n\nI: Gut. #00:00:12-7#\n")
    assert spoken_turns(transcript) == [("I", "Seit wann?"), ("B", "Seit Mai."), ("I", "Gut.")]


def test_names_in_brackets_with_times_of_the_recording() -> None:
    transcript = txt("[Ann Lee] 00:00:03\nHello.\n\n[Bo] 00:00:09\nHi.\n")
    assert times(transcript) == [(3.0, 9.0), (9.0, None)]
    assert transcript.warnings == ()


@pytest.mark.parametrize(
    "head",
    [
        "{name} ({time}):\n",
        "{name}: ({time})\n",
        "{name}   {time}\n",
        "{name} - {time}\n",
        "{time} {name}: ",
        "({time}) {name}: ",
        "[{time}.00] - {name}\n",
        "{name} [{time}]: ",
        "{name}: [{time}] ",
        "{name}: {time} ",
    ],
)
@pytest.mark.parametrize("gap", ["\n", "\n\n"])
def test_speakers_with_times(head: str, gap: str) -> None:
    talk = [
        ("Ann Lee", "00:01", "Hello (we hope)."),
        ("Bo", "00:12", "I have two: ten and one."),
        ("Ann Lee", "01:02:03", "Bye."),
    ]
    transcript = txt(gap.join(head.format(name=name, time=time) + words for name, time, words in talk))
    assert spoken_turns(transcript) == [(name, words) for name, _, words in talk]
    assert times(transcript) == [(1.0, 12.0), (12.0, 3723.0), (3723.0, None)]
    assert transcript.warnings == ()


def test_video_editors_write_ranges_with_frames() -> None:
    transcript = txt(
        "00:00:01:12 - 00:00:05:03\nSpeaker 1\nHello.\n\n00;00;06;10 - 00;00;09;00\nSpeaker 2\nHi.\n"
    )
    assert spoken_turns(transcript) == [("Speaker 1", "Hello."), ("Speaker 2", "Hi.")]
    assert times(transcript) == [(1.0, 5.0), (6.0, 9.0)]


def test_whisper_prints_ranges_before_every_line() -> None:
    transcript = txt(
        "[00:00.000 --> 00:04.000]  So we went\n[00:04.000 --> 00:08.500]  away.\n[00:09.500 --> "
        "00:12.000]  Yes.\n"
    )
    assert spoken_turns(transcript) == [(None, "So we went away. Yes.")]
    assert transcript.turns[0].marks == ((0, 0.0), (10, 4.0), (11, 4.0), (16, 8.5), (17, 9.5), (21, 12.0))
    assert times(transcript) == [(0.0, 12.0)]


def test_lines_of_times_between_lines_of_words() -> None:
    transcript = txt("0:00\ngood evening everyone\n0:03\nto the meeting\n1:02:03\nat 10:30 we go\n")
    assert spoken_turns(transcript) == [(None, "good evening everyone to the meeting at 10:30 we go")]
    assert transcript.turns[0].marks == ((0, 0.0), (22, 3.0), (37, 3723.0))


def test_times_inside_the_words_become_marks_and_remarks_stay() -> None:
    transcript = txt(
        "Ann: [00:10] One two. [0:20] Three (00:00:30) four [laughs] [unintelligible 00:00:35] five.\n"
        "Bo: [00:40] Six."
    )
    ann, _ = transcript.turns
    assert ann.text == "One two. Three four [laughs] [unintelligible 00:00:35] five."
    assert ann.marks == ((0, 10.0), (9, 20.0), (15, 30.0))
    assert (ann.start, ann.end) == (10.0, 40.0)


def test_turns_between_two_times_run_evenly_and_it_is_said() -> None:
    transcript = txt("Ann: aaaa aaaa\nBo: [00:10] bbbb\nAnn: cccc\nBo: dddd\nAnn: [00:25] eeee\nBo: ffff\n")
    assert times(transcript) == [
        (None, None),
        (10.0, 15.0),
        (15.0, 20.0),
        (20.0, 25.0),
        (25.0, None),
        (None, None),
    ]
    assert transcript.warnings == ("some turns have no time: onrecord estimates those between two times",)


def test_what_is_said_before_the_first_time_has_none() -> None:
    transcript = txt("Ann: One.\n\n[00:10] Two.\n\nBo: [00:20] Three.\n")
    assert spoken_turns(transcript) == [("Ann", "One."), ("Ann", "Two."), ("Bo", "Three.")]
    assert times(transcript) == [(None, None), (10.0, 20.0), (20.0, None)]


def test_times_that_run_backwards_are_left_out_with_a_warning() -> None:
    transcript = txt("[00:10] Ann: One.\n[00:05] Bo: Two.\n[00:20] Ann: Six.\n")
    assert spoken_turns(transcript) == [("Ann", "One."), ("Bo", "Two."), ("Ann", "Six.")]
    assert times(transcript) == [(10.0, 15.0), (15.0, 20.0), (20.0, None)]
    assert transcript.warnings[0] == "dropped times that run backwards: 1, first in line 2"


def test_front_matter_is_no_talk() -> None:
    assert spoken_turns(txt("---\ntitle: A talk\npeople:\n  - Ann\n---\nAnn: Hello.\n")) == [
        ("Ann", "Hello.")
    ]
    assert spoken_turns(txt("---\nHello.\n---\nIt goes on.\n")) == [(None, "Hello."), (None, "It goes on.")]


def test_a_line_of_the_service_below_is_nobodys() -> None:
    text = "Ann Bell (00:00):\nHello.\n\nBo Lund (00:04):\nThanks.\n\nTranscribed by Rev.com\n"
    assert spoken_turns(txt(text)) == [("Ann Bell", "Hello."), ("Bo Lund", "Thanks.")]


@pytest.mark.parametrize("label", ["{}:", "**{}:**"])
@pytest.mark.parametrize("words", ["10:30", "10:30.", "10:30, at the gate.", "10:30 or so."])
def test_time_that_an_answer_begins_with_is_said(label: str, words: str) -> None:
    """Check that a time behind a colon is spoken where other labels have none."""
    talk = [
        ("Ann", "When do we start?"),
        ("Bo", words),
        ("Ann", "And when is lunch?"),
        ("Bo", "12:15, I think."),
    ]
    talk.append(("Ann", "Fine."))
    text = "\n\n".join(f"{label.format(name)} {words}" for name, words in talk)
    found = read_text(text, *(("markdown", "talk.md") if "*" in label else ("text", "talk.txt")))
    assert spoken_turns(found) == talk
    assert starts(found) == [None] * 5


@pytest.mark.parametrize("label", ["{}: {}", "{}: {}\n"])
def test_times_behind_the_colons_of_nearly_all_labels_are_times(label: str) -> None:
    """Check that times behind colons count if labels have them, but not before punctuation."""
    heads = [label.format(name, time) for name, time in (("Ann", "0:00"), ("Bo", "0:04"), ("Ann", "0:09"))]
    found = txt("\n\n".join(f"{head} The hive {at} is full." for at, head in enumerate(heads)))
    assert starts(found) == [0.0, 4.0, 9.0]
    text = "Ann: 0:00 When is lunch?\n\nBo: 12:15, or later.\n\nAnn: 0:09 Good.\n\nAnn: 0:12 So.\n"
    assert spoken_turns(txt(text))[1] == ("Bo", "12:15, or later.")


@pytest.mark.parametrize("head", ["{}  {}", "{} ({})", "{} ({}):", "{} - {}", "{} [{}]"])
@pytest.mark.parametrize(
    "name",
    ["The Right Honourable the Lord Archbishop of Canterbury and Primate of All England", "4155551234"],
)
def test_header_of_an_unknown_name_ends_the_speaker(head: str, name: str) -> None:
    """Check that a line that ends in a time like other headers ends the speaker, also if no name is read."""
    talk = [
        ("Ann Lee", "Did the boat arrive at 0:05"),
        (name, "It did."),
        ("Ann Lee", "Who took it?"),
        (name, "Bo."),
    ]
    times = ["0:03", "0:08", "0:12", "0:15"]
    blocks = [f"{head.format(name, time)}\n{words}" for (name, words), time in zip(talk, times, strict=True)]
    found = txt("\n\n".join(blocks))
    assert [turn.speaker for turn in found.turns] == ["Ann Lee", None, "Ann Lee", None]
    assert found.turns[0].text == "Did the boat arrive at 0:05"
    assert found.turns[1].text.endswith("It did.") and starts(found) == [3.0, 8.0, 12.0, 15.0]
    assert found.warnings[0].startswith("paragraphs below a speaker's words that somebody else may say: 2")


def test_remark_before_words_stays_with_them_and_is_nobodys() -> None:
    found = txt(
        "Ann: Good evening.\n\nIntro: Ann reads the news.\n\nBo: So it begins.\n\n"
        "Sponsor: This show is paid for by Oakmilk.\n\nAnn: The bees are back.\n\nBo: All of them.\n"
    )
    assert spoken_turns(found)[1:4] == [
        (None, "Intro: Ann reads the news."),
        ("Bo", "So it begins."),
        (None, "Sponsor: This show is paid for by Oakmilk."),
    ]
