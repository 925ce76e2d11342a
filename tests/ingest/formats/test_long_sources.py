"""Tests that long or hostile sources are read in linear time."""

from contextlib import suppress
from time import process_time

import pytest

from onrecord.errors import FormatError
from onrecord.ingest.formats import read

BLANKS = " " * 3000
SECONDS = 20
"""The limit in seconds of CPU time. It allows for a busy machine; a quadratic reader takes minutes."""


def taken(name: str, text: str) -> float:
    """Return the CPU seconds that reading a text takes, whether the text is read or refused."""
    began = process_time()
    with suppress(FormatError):
        read(name, text.encode())
    return process_time() - began


@pytest.mark.parametrize(
    "line",
    [f"1:{BLANKS}x", f"1:2{BLANKS}-->{BLANKS}", f"00:00:0{BLANKS},{BLANKS}", "-->" * 1000, "1:" + ":" * 3000],
)
@pytest.mark.parametrize("head", ["WEBVTT\n\n", ""])
def test_a_subtitle_full_of_blanks(head: str, line: str) -> None:
    text = f"{head}00:00:01.000 --> 00:00:02.000\nHello.\n\n{line}\n\n00:00:03.000 --> 00:00:04.000\nBye.\n"
    assert taken("talk.vtt" if head else "talk.srt", text) < 1


@pytest.mark.slow
@pytest.mark.parametrize("name", ["talk.txt", "talk.md", "talk.vtt", "talk.html", "talk.json"])
def test_one_turn_of_very_many_words(name: str) -> None:
    words = "well so we thought about it again, " * 90_000
    heads = {"talk.vtt": "WEBVTT\n\n00:01.000 --> 99:00.000\n", "talk.html": "<html><p>"}
    text = f"{heads.get(name, 'Ann: ')}{words}"
    if name == "talk.json":
        text = f'{{"onrecord": 1, "turns": [{{"text": "{words.strip()}"}}]}}'
    assert taken(name, text) < SECONDS


@pytest.mark.slow
@pytest.mark.parametrize(
    "unit", ["a", "a ", "a: ", "**a** ", "[0:01] ", "<b>", "(", "[a](b) ", "\\*", "a\t", "&amp;"]
)
@pytest.mark.parametrize("name", ["talk.txt", "talk.md", "talk.html", "talk.srt", "talk.csv", "talk.lrc"])
def test_a_line_of_megabytes(name: str, unit: str) -> None:
    line = unit * (2_000_000 // len(unit))
    heads = {
        "talk.srt": "00:00:01,000 --> 00:00:02,000\n",
        "talk.html": "<html><p>",
        "talk.csv": "start,text\n1,",
    }
    head = heads.get(name, "[00:01.00]" if name == "talk.lrc" else "Ann: Hello.\n\n")
    assert taken(name, f"{head}{line}\n") < SECONDS


@pytest.mark.slow
def test_one_turn_of_very_many_lines() -> None:
    lines = "and so we thought about it again\n" * 80_000
    talk = "Ann: Hello.\n\nBo: Hello.\n\n" * 3
    assert taken("talk.txt", f"{talk}Ann: Well\n{lines}") < SECONDS
