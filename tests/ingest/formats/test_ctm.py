"""Tests of the readers of NIST CTM and RTTM files."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reading import assert_sound, fitting, lines, read_one, spans

from onrecord.errors import FormatError
from onrecord.ingest.formats.base import Source
from onrecord.ingest.formats.ctm import FORMAT, read
from onrecord.ingest.formats.rttm import FORMAT as RTTM

SPEAKERS = """\
SPEAKER talk 1 3.240 5.594 <NA> <NA> ann <NA> <NA>
SPEAKER talk 1 9.408 2.464 <NA> <NA> bo <NA> <NA>
"""


def test_words_comments_and_pauses() -> None:
    text = (
        ";; made by hand\ntalk A 1.00 0.20 so .99\n\ntalk A 1.20 0.30 it 1.00\ntalk A 4.00 0.50 began 0.5\n"
    )
    transcript = read_one(FORMAT, text)
    assert lines(transcript) == [(None, "so it"), (None, "began")]
    assert spans(transcript) == [(1.0, 1.5), (4.0, 4.5)]
    assert transcript.part == ""


def test_channels_are_speakers() -> None:
    text = "t A 0.0 0.5 how\nt A 0.5 0.5 so\nt A 3.0 0.4 good\nt B 1.2 0.5 just\nt B 1.7 0.5 so\n"
    assert lines(read_one(FORMAT, text)) == [
        ("Channel A", "how so"),
        ("Channel B", "just so"),
        ("Channel A", "good"),
    ]


def test_speakers_types_and_what_is_no_word() -> None:
    text = (
        "t 1 0.0 0.5 hello 1.0 lex ann\nt 1 0.6 0.1 um 1.0 fp ann\nt 1 0.8 0.1 <cough> 1.0 noise ann\n"
        "t 1 1.0 0.2 <eps> 1.0 lex ann\nt 1 1.2 0.5 <unk> NA lex bo\n"
    )
    assert lines(read_one(FORMAT, text)) == [("ann", "hello um"), ("bo", "[unk]")]


def test_of_alternatives_the_first_is_read() -> None:
    text = (
        "t 1 0.0 0.5 I\nt 1 * * <ALT_BEGIN>\nt 1 0.5 0.2 do\nt 1 0.7 0.1 n't\nt 1 * * <ALT>\n"
        "t 1 0.5 0.3 don't\nt 1 * * <ALT_END>\nt 1 0.9 0.2 know\n"
    )
    assert lines(read_one(FORMAT, text)) == [(None, "I don't know")]


def test_each_file_is_a_recording() -> None:
    one, two = read(Source("all.ctm", "one 1 0.0 0.5 hello\ntwo 1 0.0 0.5 good\none 1 0.5 0.5 there\n"))
    assert (one.part, one.details.title, lines(one)) == ("one", "one", [(None, "hello there")])
    assert (two.part, lines(two)) == ("two", [(None, "good")])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "t 1 0.0 0.5 a\nt 1 0.5\nt 1 0.5 0.5 b\n",
            "talk, line 2: expected file, channel, start, duration and word, found t 1 0.5",
        ),
        ("t 1 0.0 0.5 a\nt 1 0.5 0.1 b\nt 1 x 0.5 c\n", "line 3: expected a start and a duration.*'x'"),
        ("t 1 0.0 0.5 <eps>\n", "no words"),
    ],
)
def test_what_is_broken_is_named(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read_one(FORMAT, text)


@given(
    st.lists(
        st.lists(st.sampled_from(["t", "1", "0.5", "-2", "nan", "word", "<ALT>", "*", ";;"]), max_size=7)
    )
)
def test_any_lines_are_read_or_refused(rows: list[list[str]]) -> None:
    try:
        transcripts = read(Source("x.ctm", "\n".join(map(" ".join, rows))))
    except FormatError:
        return
    for transcript in transcripts:
        assert_sound(transcript)


def test_speaker_times_without_words_are_refused() -> None:
    with pytest.raises(FormatError, match=r"who spoke when, not what.*RTTM speaker times without words"):
        read_one(RTTM, SPEAKERS)


def test_words_in_rttm() -> None:
    text = (
        SPEAKERS
        + "LEXEME talk 1 3.3 0.4 hello lex ann 0.9 <NA>\nLEXEME talk 1 9.5 0.4 there lex bo 0.9 <NA>\n"
    )
    transcript = read_one(RTTM, text)
    assert lines(transcript) == [("ann", "hello"), ("bo", "there")]
    assert spans(transcript) == [(3.3, pytest.approx(3.7)), (9.5, pytest.approx(9.9))]


def test_files_and_channels_in_rttm() -> None:
    text = (
        "LEXEME a 1 0.5 0.5 why lex <NA> 0.9 <NA>\nLEXEME a 2 2.5 0.5 rain lex bo 0.9 <NA>\n"
        "LEXEME b 1 0.5 0.5 yes lex cy 0.9 <NA>\n"
    )
    first, second = RTTM.read(Source("talk.rttm", text))
    assert (first.part, lines(first)) == ("a", [("Channel 1", "why"), ("bo", "rain")])
    assert (second.part, lines(second)) == ("b", [("cy", "yes")])


def test_a_file_of_silence_beside_others() -> None:
    (only,) = FORMAT.read(Source("talk.ctm", "a 1 0.5 0.5 why\nb 1 0.5 0.5 <sil>\n"))
    assert lines(only) == [(None, "why")]


def test_prose_is_neither() -> None:
    assert fitting(Source("x.ctm", "We met at 9 and 10.\nIt was in room 3 4 of the house.\n")) == []


@pytest.mark.data
def test_original(data: Path) -> None:
    text = (data / "transcript_formats/raw/ctm/4320211.ctm").read_text()
    transcript = read_one(FORMAT, text)
    assert_sound(transcript)
    assert (transcript.turns[0].start, transcript.turns[-1].end) == (3.24, pytest.approx(3283.46))
    assert transcript.turns[0].text.startswith("good morning ladies and gentlemen")
    assert sum(len(turn.text.split()) for turn in transcript.turns) == 8950
    assert {turn.speaker for turn in transcript.turns} == {None}
    assert len(transcript.turns) == 33


@pytest.mark.data
def test_rttm_original(data: Path) -> None:
    with pytest.raises(FormatError, match="without words"):
        read_one(RTTM, (data / "transcript_formats/raw/rttm/4320211.rttm").read_text())
