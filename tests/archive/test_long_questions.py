"""Long questions: texts made to take a long time are answered quickly."""

from collections.abc import Iterator
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

import onrecord
from onrecord.archive import Archive
from onrecord.errors import InputError
from onrecord.types import Exchange, collapsed

UNITS = (
    " ",
    "\n",
    "\t ",
    " \n",
    "?",
    "a",
    "a ",
    "é",
    "中",
    "中 ",
    "1",
    "1,",
    "www.",
    "a'",
    "(",
    '"',
    "Q3 ",
    "who said ",
)


@pytest.fixture(scope="module")
def archive(tmp_path_factory) -> Iterator[Archive]:
    path = tmp_path_factory.mktemp("archive") / "talks.db"
    with onrecord.open(path, embedding={"model": "hashing"}, cache={"results": 0}) as opened:
        opened.add(Path(onrecord.__file__).parent / "examples")
        opened.ask("Why did margins fall?")  # loads the models and caches that later questions reuse
        yield opened


@pytest.mark.parametrize("unit", UNITS)
def test_a_long_question_takes_no_longer_than_it_must(archive: Archive, unit: str) -> None:
    text = "Why did margins fall" + unit * (7000 // len(unit)) + " in spring?"
    began = process_time()
    archive.ask(text)
    archive.ask("And why?", history=[Exchange(text, text)])
    assert process_time() - began < 1.5


def test_blanks_do_not_count_and_change_nothing(archive: Archive) -> None:
    asked = archive.ask("Why did margins fall?")
    blown = archive.ask("  Why\t\tdid" + " " * 100_000 + "margins \u00a0 fall?\n\n\n")
    assert (blown.question, blown.text) == (asked.question, asked.text)
    with pytest.raises(InputError, match="at most 8000"):
        archive.ask("why " * 3000)
    with pytest.raises(InputError, match="no words"):
        archive.ask(" \n" * 9000)


@given(st.text(st.sampled_from("ab \n\t\u2003"), max_size=60))
def test_collapsed_text_has_its_words_and_lines_in_order(text: str) -> None:
    short = collapsed(text)
    assert short.split() == text.split() and collapsed(short) == short
    assert "  " not in short and "\n\n\n" not in short and short == short.strip()
    assert [line.split() for line in short.split("\n") if line] == [
        line.split() for line in text.splitlines() if line.strip()
    ]
