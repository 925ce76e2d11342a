"""Properties of every document, and of any bytes that a user takes for a transcript."""

from time import process_time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from reading_texts import assert_well_made, spoken_turns

from onrecord.errors import FormatError
from onrecord.ingest.formats import read

SUFFIXES = st.sampled_from(["", ".txt", ".md", ".html", ".vtt", ".srt", ".json3", ".json", ".csv", ".exe"])
PIECES = st.sampled_from(
    [
        *(
            "-->",
            "00:00:01,000",
            "00:00.000 --> 00:01.000\n",
            "\n\n",
            "\n",
            "WEBVTT\n\n",
            "NOTE",
            "STYLE",
            "1",
            "12:30",
        ),
        *(
            "<v",
            "<v A>",
            "</v>",
            "<",
            "</",
            "<b>",
            "<c>",
            "<cite>",
            "</cite>",
            "<time>",
            "<00:00:00.500>",
            "{\\an8}",
        ),
        *(
            "&amp;",
            "&#2;",
            ">>",
            "-",
            "---",
            "**",
            "__",
            "*",
            "#",
            "`",
            "|",
            "\\[",
            "\\]",
            "](",
            ")",
            "[",
            "]",
            "{",
            "}",
        ),
        *(
            "[00:01]",
            "(0:01:02)",
            "99:99:99",
            "Ann:",
            "Bob:",
            "Speaker 1",
            "：",
            "word",
            "é",
            "漢",
            "🙂",
            "\u200b",
            "'",
        ),
    ]
)
STYLES = (("Bo Dea", "Dr. Zoë de Vries", "Ann Lee"), ("Ann", "SPEAKER_01", "Q"))
"""Names by their style. The names in one file usually have the same style."""
WORDS = st.lists(st.text("abcäßЖ漢", min_size=1, max_size=6), min_size=1, max_size=8).map(" ".join)


def read_or_refuse(name: str, data: bytes) -> None:
    """Read a file; accept valid transcripts, or a ``FormatError`` that names the file."""
    try:
        transcripts = read(name, data)
    except FormatError as error:
        assert name in str(error)
        return
    for transcript in transcripts:
        assert_well_made(transcript)


@given(SUFFIXES, st.binary(max_size=300))
def test_bytes_of_any_kind_are_read_or_refused(suffix: str, data: bytes) -> None:
    read_or_refuse(f"talk{suffix}", data)


@given(SUFFIXES, st.text(max_size=300))
def test_texts_of_any_kind_are_read_or_refused(suffix: str, text: str) -> None:
    read_or_refuse(f"talk{suffix}", text.encode("utf-8", "surrogatepass"))


@given(SUFFIXES, st.lists(PIECES, max_size=40).map(" ".join) | st.lists(PIECES, max_size=40).map("".join))
def test_whatever_looks_like_a_transcript_is_read_or_refused(suffix: str, text: str) -> None:
    read_or_refuse(f"talk{suffix}", text.encode())


def turns_in(*styles: tuple[str, ...]) -> st.SearchStrategy[list[tuple[str, str]]]:
    """Draw turns of a speaker and words; all names of one talk come from one of ``styles``."""
    named = [st.lists(st.tuples(st.sampled_from(s), WORDS), min_size=2, max_size=10) for s in styles]
    return st.one_of(named)


@given(turns_in(*STYLES))
def test_labels_and_words_come_back_as_they_were_written(turns: list[tuple[str, str]]) -> None:
    text = "\n\n".join(f"**{name}:** So {words}." for name, words in turns)  # small, it may report
    (transcript,) = read("talk.md", text.encode())
    assert spoken_turns(transcript) == [(name, f"So {words}.") for name, words in turns]


@given(turns_in(STYLES[0] + STYLES[1]))
def test_among_names_of_many_styles_no_words_stand_under_another(turns: list[tuple[str, str]]) -> None:
    text = "\n\n".join(f"**{name}:** {words}." for name, words in turns)
    (transcript,) = read("talk.md", text.encode())
    for (speaker, spoken), (name, words) in zip(spoken_turns(transcript), turns, strict=True):
        assert (speaker, spoken) in ((name, f"{words}."), (None, f"{name}: {words}."))


@given(
    turns_in(*STYLES).flatmap(
        lambda turns: st.tuples(
            st.just(turns), st.lists(st.integers(0, 5000), min_size=len(turns), max_size=len(turns))
        )
    )
)
def test_times_come_back_as_they_were_written(timed: tuple[list[tuple[str, str]], list[int]]) -> None:
    turns, seconds = timed[0], sorted(set(timed[1]))
    talk = [(name, words, second) for (name, words), second in zip(turns, seconds, strict=False)]
    text = "\n".join(f"[{s // 60}:{s % 60:02}] {name}: {words}" for name, words, s in talk)
    (transcript,) = read("talk.txt", text.encode())
    assert [(turn.speaker, turn.text, turn.start) for turn in transcript.turns] == talk
    assert_well_made(transcript)


@example(["Ж Ж", "Ж Ж", "aЖ Ж", "aЖ Ж"])
@given(st.lists(WORDS, min_size=1, max_size=8, unique=True))  # a recurring line reads as a name
def test_paragraphs_of_nobody_come_back_as_they_were_written(paragraphs: list[str]) -> None:
    (transcript,) = read("talk.txt", "\n\n".join(paragraphs).encode())
    assert spoken_turns(transcript) == [(None, paragraph) for paragraph in paragraphs]


UNITS = [
    *(
        "a ",
        "<",
        "<a",
        "<v ",
        "<!--",
        "&",
        "[",
        "[a](",
        "[0:01]",
        "(",
        "1:",
        "1:11",
        "-",
        "*",
        "**a ",
        "_",
        "\\",
        "`",
        "|",
    ),
    *(
        ">> ",
        "{\\",
        '"',
        "\t",
        "\n",
        "a\n",
        "1\n",
        "- a\n",
        "# a\n",
        "1:00\n",
        "Ann: b\n",
        "0:00 --> 0:01\n",
        "-->\n",
        "NOTE\n\n",
    ),
]


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize(
    ("name", "head"),
    [
        ("talk.txt", "Ann: "),
        ("talk.md", "**Ann:** "),
        ("talk.html", "<html><p>"),
        ("talk.vtt", "WEBVTT\n\n00:00.000 --> 00:01.000\n"),
        ("talk.srt", "1\n00:00:00,000 --> 00:00:01,000\n"),
    ],
)
def test_no_text_makes_a_reader_slow(name: str, head: str, unit: str) -> None:
    size = 20_000 if "\n" in unit else 100_000
    data = (head + unit * (size // len(unit))).encode()
    began = process_time()
    read_or_refuse(name, data)
    assert process_time() - began < 4  # linear: well under 1 s; quadratic: minutes


@pytest.mark.slow
@pytest.mark.parametrize("unit", [unit for unit in UNITS if "\n" not in unit])
def test_a_line_of_five_megabytes_takes_seconds_at_most(unit: str) -> None:
    began = process_time()
    read_or_refuse("talk.txt", ("Ann: " + unit * (5_000_000 // len(unit))).encode())
    assert process_time() - began < 10


@pytest.mark.parametrize("name", ["talk.txt", "talk.md", "talk.html", "talk.vtt", "talk.srt"])
def test_more_lines_than_any_transcript_has_are_refused(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("onrecord.ingest.formats.lines.MAX_LINES", 100)
    head = {"talk.vtt": "WEBVTT\n\n0:00 --> 0:01\n", "talk.srt": "0:00 --> 0:01\n", "talk.html": "<p>"}
    data = (head.get(name, "") + "a<br/>\n" * 101).encode()
    with pytest.raises(FormatError, match=r"expected a transcript of at most 100 (lines|tags), found 10\d"):
        read(name, data)
