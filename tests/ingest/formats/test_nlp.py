"""Tests of the reader of Rev's .nlp files."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reading import assert_sound, lines, read_one, spans

from onrecord.errors import FormatError
from onrecord.ingest.formats.base import Source
from onrecord.ingest.formats.nlp import FORMAT, read

HEADER = "token|speaker|ts|endTs|punctuation|case|tags"


def nlp(*rows: str, header: str = HEADER) -> str:
    return "\n".join([header, *rows, ""])


def test_tokens_with_their_punctuation() -> None:
    transcript = read_one(
        FORMAT,
        nlp(
            "Good|0|3.24|3.37|||",
            "morning|0|3.37|3.63|,||",
            "all|0|3.7|3.9|.|LC|[]",
            "Thanks|1|5.0|5.2|.|UC|[]",
        ),
    )
    assert lines(transcript) == [("Speaker 0", "Good morning, all."), ("Speaker 1", "Thanks.")]
    assert spans(transcript) == [(3.24, 3.9), (5.0, 5.2)]


def test_columns_in_another_order_with_prepunctuation() -> None:
    text = nlp('Ann|"|well||', 'Ann||then|"|', header="speaker|prepunctuation|token|punctuation|extra")
    assert lines(read_one(FORMAT, text)) == [("Ann", '"well then"')]


def test_without_times() -> None:
    assert spans(read_one(FORMAT, nlp("So|0|||||", "it|0|||||", "began|0|||.||"))) == [(None, None)]


def test_partly_timed() -> None:
    rows = ["well|0|||,||", "yes|0|2.0|2.4|.||", "Next|1|||||", "please|1|9.0|9.5|.||", "Ok|2|||.||"]
    transcript = read_one(FORMAT, nlp(*rows))
    assert [start for start, _ in spans(transcript)] == [pytest.approx(1.6), pytest.approx(8.6), 9.5]
    assert transcript.turns[0].marks[1] == (6, 2.0)


@pytest.mark.parametrize(
    ("token", "case", "text"), [("monro", "UC", "Monro"), ("sec", "CA", "SEC"), ("IFoo", "MC", "IFoo")]
)
def test_case(token: str, case: str, text: str) -> None:
    assert lines(read_one(FORMAT, nlp(f"{token}|0||||{case}|"))) == [("Speaker 0", text)]


def test_what_was_not_understood_and_who_was_not_distinguished() -> None:
    assert lines(read_one(FORMAT, nlp("the|UU|||||", "<inaudible>|UU|||,||", "'s|UU|||||"))) == [
        (None, "the [inaudible],'s")
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (nlp("So|0|1.0"), r"talk, line 2: expected 7 columns, found 3: So\|0\|1.0"),
        (
            nlp("So|0|1.0|2.0|||", "it|0|soon|2.0|||"),
            "line 3, column ts: expected a number of seconds.*'soon'",
        ),
        (nlp("So|0|nan|2.0|||"), "column ts"),
        (nlp("So|0|-1|2.0|||"), "column ts"),
        (nlp(), "no words"),
        (nlp("|0|||||"), "no words"),
    ],
)
def test_what_is_broken_is_named(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read_one(FORMAT, text)


@given(st.text("ab|0.\n ", max_size=60))
def test_any_rows_are_read_or_refused(rows: str) -> None:
    try:
        (transcript,) = read(Source("x.nlp", f"{HEADER}\n{rows}"))
    except FormatError:
        return
    assert_sound(transcript)


@pytest.mark.data
@pytest.mark.parametrize(
    ("pattern", "turns", "speakers", "timed"),
    [
        ("transcript_formats/raw/rev_nlp/reference_4320211.nlp", 82, 10, False),
        ("transcript_formats/raw/rev_nlp/amazon_4320211.nlp", 73, 7, True),
        ("transcript_formats/raw/rev_nlp/google_4320211.nlp", 1, 1, True),
        ("transcript_formats/raw/rev_nlp/microsoft_4320211.nlp", 1, 1, False),
        ("transcript_formats/raw/rev_nlp/speechmatics_4320211.nlp", 23, 0, True),
        ("transcript_formats/raw/rev_nlp/4443920.aligned.nlp", 67, 10, True),
        ("transcript_formats/raw/rev_nlp/rev16_10.nlp", 111, 2, False),
        ("earnings22/raw/force_aligned_nlp_references/4481967.aligned.nlp", 63, 25, True),
        ("rev16/raw/verbatim/10.nlp", 261, 2, False),
    ],
)
def test_originals(data: Path, pattern: str, turns: int, speakers: int, timed: bool) -> None:
    text = (data / pattern).read_text()
    transcript = read_one(FORMAT, text)
    assert_sound(transcript)
    assert len(transcript.turns) == turns
    assert len({turn.speaker for turn in transcript.turns} - {None}) == speakers
    assert all((turn.start is not None) == timed for turn in transcript.turns)
    header, *rows = [row.split("|") for row in text.strip().split("\n")]
    token = header.index("token")
    letters = "".join(c for turn in transcript.turns for c in turn.text.lower() if c.isalnum())
    assert letters == "".join(c for row in rows for c in row[token].lower() if c.isalnum())
    assert transcript.warnings == ()


@pytest.mark.data
def test_an_aligned_original_to_the_word(data: Path) -> None:
    transcript = read_one(FORMAT, (data / "transcript_formats/raw/rev_nlp/4443920.aligned.nlp").read_text())
    first, second, *_ = transcript.turns
    assert first.text.startswith("Good morning, ladies and gentlemen,")
    assert (first.start, first.marks[1]) == (0.0, (14, 0.24))
    assert (first.speaker, second.speaker, second.start) == ("Speaker 0", "Speaker 1", 919.03)
    assert "[inaudible]" in first.text


def test_without_a_column_of_tokens_it_is_refused_with_its_place() -> None:
    with pytest.raises(FormatError, match=r"line 1: expected columns parted by \|, one named token"):
        read(Source("talk.nlp", "word|speaker|ts\nhello|1|0.5\n"))
