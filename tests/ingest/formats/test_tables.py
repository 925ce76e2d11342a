"""Tests of the reader of tables of utterances."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reading import assert_sound, fitting, lines, read_one, spans

from onrecord.errors import FormatError
from onrecord.ingest.formats.base import Source
from onrecord.ingest.formats.tables import FORMAT, read


def test_whisper_tsv_counts_milliseconds() -> None:
    transcript = read_one(FORMAT, 'start\tend\ttext\n0\t2500\t"So," she said,\n2500\t4000\tit began.\n')
    assert lines(transcript) == [(None, '"So," she said, it began.')]
    assert spans(transcript) == [(0.0, 4.0)]


def test_whisper_cpp_csv_is_quoted() -> None:
    transcript = read_one(FORMAT, 'start,end,text\n0,2500," So, ""it"" began."\n4000,5000," It did."\n')
    assert lines(transcript) == [(None, 'So, "it" began. It did.')]
    assert spans(transcript) == [(0.0, 5.0)]
    assert transcript.turns[0].marks == ((0, 0.0), (15, 2.5), (16, 4.0))


@pytest.mark.parametrize(
    "text",
    [
        "1,00:00:01,00:00:03,Ann,So it began.\n2,00:00:03,00:00:04,Bo,It did.\n",
        "0,1.0,3.0,Ann,So it began.\n1,3.0,4.0,Bo,It did.\n",
        "7\t1\t3\tAnn\tSo it began.\n8\t3\t4\tBo\tIt did.\n",
    ],
)
def test_numbers_of_rows_are_no_times(text: str) -> None:
    transcript = read_one(FORMAT, text)
    assert lines(transcript) == [("Ann", "So it began."), ("Bo", "It did.")]
    assert spans(transcript) == [(1.0, 3.0), (3.0, 4.0)]


def test_a_start_that_counts_seconds_is_no_number_of_a_row() -> None:
    assert spans(read_one(FORMAT, "1,2,Ann,So it began.\n2,3,Bo,It did.\n")) == [(1.0, 2.0), (2.0, 3.0)]


@pytest.mark.parametrize("column", ["participant_name", "Speaker label", "speakerName"])
def test_columns_of_speakers_have_many_names(column: str) -> None:
    text = f"id,begin_time,{column},utterance\n1,1.5,Ann,Where is it?\n2,3.0,Bo,There.\n"
    assert lines(read_one(FORMAT, text)) == [("Ann", "Where is it?"), ("Bo", "There.")]


@pytest.mark.parametrize("column", ["Name", "author", "Role", "Actor"])
def test_a_column_of_names_beside_times_has_the_speakers(column: str) -> None:
    assert lines(read_one(FORMAT, f"Start,{column},Text\n0:05,Ann,So it began.\n")) == [
        ("Ann", "So it began.")
    ]
    text = f"Start,{column},Speaker,Text\n0:05,Opening,Ann,So it began.\n"
    assert lines(read_one(FORMAT, text)) == [("Ann", "So it began.")]


def test_a_column_of_clock_times_that_rise_has_the_starts_whatever_its_name() -> None:
    rows = "INT,{},Where is it?\nP1,0:04,There.\n"
    assert spans(read_one(FORMAT, f"Speaker,Timecode,Text\n{rows.format('0:01')}"))[0][0] == 1.0
    assert spans(read_one(FORMAT, f"Speaker,Timecode,Text\n{rows.format('0:09')}")) == [(None, None)] * 2


def test_a_column_of_names_that_is_not_read_is_told() -> None:
    text = "Start;Sprecher;Stimmung;Text\n0:01;Ann;ruhig, leise;Wo ist sie?\n0:04;Bo;laut;Dort.\n"
    found = read_one(FORMAT, text)
    assert lines(found) == [(None, "Wo ist sie? Dort.")]
    assert found.warnings == ("perhaps speakers, but not read: column 'sprecher'",)
    assert not read_one(FORMAT, text.replace("Sprecher", "Speaker")).warnings


def test_coraal() -> None:
    text = (
        "Line\tSpkr\tStTime\tContent\tEnTime\n"
        "1\tXYZ_int_01\t0.0\tWhere did you go?\t1.25\n"
        "2\tXYZ_int_01\t1.25\t(pause 0.75)\t2.0\n"
        "3\tXYZ_se0_ag1_f_01\t2.0\t<laugh> To [school.]\t2.9\n"
        "4\tXYZ_int_01\t2.5\t[Mm.]\t2.8\n"
    )
    transcript = read_one(FORMAT, text)
    assert lines(transcript) == [
        ("XYZ_int_01", "Where did you go?"),
        ("XYZ_se0_ag1_f_01", "[laugh] To [school.]"),
        ("XYZ_int_01", "[Mm.]"),
    ]
    assert spans(transcript) == [(0.0, 1.25), (2.0, 2.9), (2.5, 2.8)]


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("Speaker;Start time;End time;Text\nAnn;00:01:02,500;00:01:04,000;So it began\n", (62.5, 64.0)),
        ("speaker,text,start_ms,end_ms\nAnn,So it began,7,9\n", (0.007, 0.009)),
        ("start (s),duration,speaker,text\n5,2,Ann,So it began\n", (5.0, 7.0)),
        ("text,start,end,speaker\nSo it began,5,8,Ann\n", (5.0, 8.0)),
        ('"start","end","text","speaker"\n"5.5","8","So it began","Ann"\n', (5.5, 8.0)),
        ("speaker\ttext\nAnn\tSo it began\n", (None, None)),
        ("speaker,timestamp,content\nAnn,3:05,So it began\n", (185.0, 185.0)),
        ("start,end,speaker,text\n1,,Ann,So it began\n", (1.0, 1.0)),
    ],
)
def test_columns_by_their_names(text: str, span: tuple[float, float]) -> None:
    transcript = read_one(FORMAT, text)
    assert lines(transcript) in ([("Ann", "So it began")], [(None, "So it began")])
    assert spans(transcript) == [span]


def test_a_last_cell_may_hold_commas_that_are_not_quoted() -> None:
    assert lines(read_one(FORMAT, "speaker,text\nAnn,Well, it began\n")) == [("Ann", "Well, it began")]


def test_quotes_around_a_cell_between_tabs() -> None:
    text = 'speaker\ttext\nAnn\t"He said ""so""."\nBo\t"So."\n'
    assert lines(read_one(FORMAT, text)) == [("Ann", 'He said "so".'), ("Bo", '"So."')]


def test_a_label_track() -> None:
    assert spans(read_one(FORMAT, "0.500000\t1.250000\tSo it\n1.250000\t2.000000\tbegan.\n")) == [(0.5, 2.0)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("start,end,text\n0,1,a\nx,2,b\n", r"talk, line 3, column start: expected a time from 0, found 'x'"),
        ("start\tend\ttext\n0\t1\ta\n1\n", "line 3: expected 3 columns, found 1: 1"),
        ("start,end,text\n0,-1,a\n", "column end"),
        ("start,end,text\n", "no words"),
        ("start,end,text\n0,1,\n", "no words"),
        ("start,end,text\n0,1," + "a" * 200_000, "line 2: expected comma-separated cells"),
    ],
)
def test_what_is_broken_is_named(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read_one(FORMAT, text)


@pytest.mark.parametrize(
    "text",
    [
        "file,title,text\na.vtt,A,b\n",
        "question,answer\nWhy?,Because.\n",
        "Ann, who spoke: yes.\n",
        "start,end\n0,1\n",
        "",
    ],
)
def test_other_tables_are_left_alone(text: str) -> None:
    assert fitting(Source("table.csv", text)) == []


@given(st.text('start,end\ttext;"0.1\n', max_size=40))
def test_any_rows_are_read_or_refused(rows: str) -> None:
    for header in ("start,end,text\n", "start\tend\ttext\n", ""):
        source = Source("x.csv", header + rows)
        FORMAT.fits(source)
        try:
            (transcript,) = read(source)
        except FormatError:
            continue
        assert_sound(transcript)


def test_clock_times_without_a_header_are_no_captions() -> None:
    text = "00:00:00.500,00:00:01.500,Hello there.\n00:00:02.000,00:00:02.500,Yes.\n"
    assert spans(read_one(FORMAT, text)) == [(0.5, 2.5)]


def test_a_time_with_a_note_and_a_speaker_with_a_colon() -> None:
    text = "timestamp,speaker,text\n[00:00:03] the rain begins,DB:,Hello there.\n[00:00:09],KW:,Yes.\n"
    read_ = read_one(FORMAT, text)
    assert [turn.speaker for turn in read_.turns] == ["DB", "KW"]
    assert [span[0] for span in spans(read_)] == [3.0, 9.0]


@pytest.mark.parametrize(
    "text",
    [
        '00:00:01,Ana,"The pump, it broke."\n00:00:03,Ben,We replaced it.\n00:00:07,Ana,"Fine, then."\n',
        "Ana;0:01;The pump, it broke.\nBen;0:03;We replaced it.\nAna;0:07;Fine, then.\n",
    ],
)
def test_rows_with_the_second_at_which_each_begins(text: str) -> None:
    assert fitting(Source("table.csv", text)) == ["table"]
    transcript = read_one(FORMAT, text)
    assert lines(transcript) == [
        ("Ana", "The pump, it broke."),
        ("Ben", "We replaced it."),
        ("Ana", "Fine, then."),
    ]
    assert [turn.start for turn in transcript.turns] == [1.0, 3.0, 7.0]


def test_prose_behind_a_time_is_no_table() -> None:
    text = "00:01, So today, we talk of pumps.\n00:09, Well, pumps, and more.\n00:12, Right, then.\n"
    assert "table" not in fitting(Source("talk.txt", text))
