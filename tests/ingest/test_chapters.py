"""Tests of files of chapters: Podcasting 2.0 JSON, lists of times and titles, and FFmetadata."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.errors import FormatError, OnRecordError
from onrecord.ingest.chapters import from_simple_chapters, is_chapters, read_chapters, seconds_of_clock
from onrecord.types import Section


def chapters(*items: object) -> bytes:
    return json.dumps({"version": "1.2.0", "chapters": items}).encode()


def test_podcast_namespace_json() -> None:
    data = chapters(
        {"startTime": 90.5, "title": "Rates", "endTime": 100, "url": "https://example.com"},
        {"startTime": 0, "title": "  Hello\n there "},
        {"startTime": 50, "img": "https://example.com/a.png", "toc": False},
        {"startTime": 60, "title": "only a picture", "toc": False},
        {"startTime": "00:02:00", "title": "Good bye", "endTime": 3},
    )
    assert read_chapters("c.json", data) == (
        Section("Hello there", 0.0, 90.5),
        Section("Rates", 90.5, 100.0),
        Section("Good bye", 120.0, None),
    )


def test_no_chapters() -> None:
    assert read_chapters("c.json", chapters()) == ()
    assert read_chapters("c.txt", b"") == ()
    assert read_chapters("c.txt", b";FFMETADATA1\ntitle=the whole\n") == ()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b'{"chapters": [', "c.json, line 1, column 15: expected JSON, found the end of the file"),
        (b'{"segments": []}', 'c.json, line 1: expected {"chapters": [...]}'),
        (chapters(7), 'c.json, chapters[0]: expected a mapping {"startTime": ...'),
        (chapters({"title": "x"}), "c.json, chapters[0].startTime: expected seconds from the start"),
        (chapters({"startTime": -1, "title": "x"}), "chapters[0].startTime: expected seconds"),
        (chapters({"startTime": float("nan"), "title": "x"}), "chapters[0].startTime: expected seconds"),
        (chapters({"startTime": 10**400, "title": "x"}), "chapters[0].startTime: expected seconds"),
        (chapters({"startTime": True, "title": "x"}), "chapters[0].startTime: expected seconds"),
        (chapters({"startTime": 0, "title": ["x"]}), "chapters[0].title: expected a text, found a list"),
        (b"\xff\xff", "c.json, byte 0: expected UTF-8 text"),
    ],
)
def test_broken_json(data: bytes, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        read_chapters("c.json", data)
    assert message in str(caught.value)


def test_a_list_of_times_and_titles() -> None:
    text = "# made by hand\n00:00 Hello\n\n[1:30] - Rates: up or down\n1:02:03 | Good bye\n"
    assert read_chapters("c.txt", text.encode("utf-8-sig")) == (
        Section("Hello", 0.0, 90.0),
        Section("Rates: up or down", 90.0, 3723.0),
        Section("Good bye", 3723.0, None),
    )


@pytest.mark.parametrize("line", ["Hello", "12 Hello", "1:2 Hello", "00:00", "00:00Hello"])
def test_a_line_that_is_no_chapter(line: str) -> None:
    with pytest.raises(FormatError, match=r"c.txt, line 2: expected a time and a title, such as 12:30 Quest"):
        read_chapters("c.txt", f"00:00 Start\n{line}".encode())


def test_ffmetadata() -> None:
    text = """;FFMETADATA1
title=the whole
[STREAM]
title=a stream
[CHAPTER]
TIMEBASE=1/1000
START=0
END=90500
title=Rates \\= up\\; or \\\\ down
[CHAPTER]
TIMEBASE=1/10
START=905
END=1200
"""
    assert read_chapters("c.txt", text.encode()) == (Section("Rates = up; or \\ down", 0.0, 90.5),)


@pytest.mark.parametrize("broken", ["START=x\nEND=1", "START=1", f"START=0\nEND={'9' * 5000}",
                                    "TIMEBASE=1/0\nSTART=0\nEND=1"])  # fmt: skip
def test_broken_ffmetadata(broken: str) -> None:
    with pytest.raises(FormatError, match=r"c.txt, line 2: expected TIMEBASE=1/1000, START= and END="):
        read_chapters("c.txt", f";FFMETADATA1\n[CHAPTER]\n{broken}\n".encode())


def test_simple_chapters_leave_out_what_is_no_time() -> None:
    entries = [
        {"start": "00:03:07.5", "title": "b"},
        {"start": "soon", "title": "x"},
        {"start": "0", "title": "a"},
    ]
    assert from_simple_chapters(entries) == (Section("a", 0.0, 187.5), Section("b", 187.5, None))


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("3723", 3723), ("62:03", 3723), ("1:02:03.5", 3723.5), ("", None), ("-1", None), ("1:2:3:4", None),
     ("9" * 400, None)],
)  # fmt: skip
def test_clock(text: str, seconds: float | None) -> None:
    assert seconds_of_clock(text) == seconds


def test_chapters_are_distinguished_from_transcripts() -> None:
    assert is_chapters({"chapters": []})
    assert not is_chapters({"segments": [], "chapters": []})
    assert not is_chapters({"words": [], "chapters": [{"start": "0", "headline": "x"}]})
    assert not is_chapters([])


@pytest.mark.data
def test_real_chapters(data: Path) -> None:
    folder = data / "transcript_formats" / "raw" / "podcasting2_chapters"
    plain = read_chapters("example.json", (folder / "example.json").read_bytes())
    assert [(s.start, s.end) for s in plain[:2]] == [(0.0, 168.0), (168.0, 260.0)]
    assert len(plain) == 9 and plain[-1].end is None
    rich = read_chapters("exampleComplex.json", (folder / "exampleComplex.json").read_bytes())
    assert len(rich) == 10, "the chapter that is only a picture is left out"


SECONDS = st.integers(0, 10**8).map(lambda thousandths: thousandths / 1000)
CHAPTER = st.fixed_dictionaries(
    {"startTime": SECONDS, "title": st.text(max_size=5)},
    optional={"endTime": SECONDS, "toc": st.booleans()},
)


@given(st.lists(CHAPTER, max_size=6))
def test_chapters_come_in_order_and_never_end_before_they_start(items: list[object]) -> None:
    sections = read_chapters("c.json", chapters(*items))
    starts = [section.start or 0.0 for section in sections]
    assert starts == sorted(starts)
    assert all(section.title for section in sections)
    assert all(section.end is None or section.end >= (section.start or 0.0) for section in sections)


@given(st.binary(max_size=80), st.sampled_from([b"", b";FFMETADATA1\n[CHAPTER]\n", b'{"chapters": [']))
def test_any_bytes_are_chapters_or_an_error(data: bytes, head: bytes) -> None:
    try:
        read_chapters("x", head + data)
    except OnRecordError as error:
        assert str(error).startswith("x, ")
