"""Tests of FAQ files: which files are read, and the errors for the others."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.errors import FormatError, IngestError
from onrecord.ingest.faq import entry_id, read_bytes, read_faq, read_labelled
from onrecord.types import FaqEntry

HOURS = FaqEntry(
    id="when-are-you-open",
    question="When are you open?",
    answer="From nine to five.",
    variants=("opening hours", "are you open, now"),
    tags=("shop", "time"),
    link="https://example.org/hours",
)
PARCEL = FaqEntry(id="p1", question="Where is my parcel?", answer="On its way.\nSee your mail.")


def failing(name: str, text: str) -> str:
    """Return the message of the error that a FAQ file raises."""
    with pytest.raises(FormatError) as refused:
        read_faq(name, text.encode())
    return str(refused.value)


@pytest.mark.parametrize(
    "text",
    [
        'question,answer,variants,tags,link,id\nWhen are you open?,From nine to five.,"opening hours|'
        'are you open, now",shop|time,https://example.org/hours,\n'
        'Where is my parcel?,"On its way.\nSee your mail.",,,,p1\n',
        "Question;Answer;Variants;Tags;Link;Id\r\nWhen are you open?;From nine to five.;opening hours | "
        "are you open, now|Opening hours|when are you open?;shop|time;https://example.org/hours\r\n\r\n"
        'Where is my parcel?;"On its way.\r\nSee your mail.";;;;p1',
        "\ufeffquestion\tanswer\tvariants\ttags\tlink\tid\nWhen are you open?\tFrom nine to five.\t"
        "opening hours|are you open, now\tshop|time\thttps://example.org/hours\t\n"
        'Where is my parcel?\t"On its way.\nSee your mail."\t\t\t\tp1',
    ],
    ids=["commas", "semicolons", "tabs"],
)
def test_csv_however_its_cells_are_parted(text: str) -> None:
    assert read_faq("faq.csv", text.encode()) == [HOURS, PARCEL]


def test_yaml_and_json_with_lists_or_bars() -> None:
    yaml = """
- question: When are you open?
  answer: From nine to five.
  variants: [opening hours, "are you open, now"]
  tags: shop|time
  link: https://example.org/hours
- id: p1
  question: Where is my parcel?
  answer: |
    On its way.
    See your mail.
"""
    values = [
        {
            "question": "When are you open?",
            "answer": "From nine to five.",
            "variants": "opening hours|are you open, now",
            "tags": ["shop", "time"],
            "link": "https://example.org/hours",
        },
        {"id": "p1", "question": "Where is my parcel?", "answer": PARCEL.answer, "variants": None},
    ]
    assert read_faq("faq.yaml", yaml.encode()) == [HOURS, PARCEL]
    assert read_faq("faq.YML", yaml.encode()) == [HOURS, PARCEL]
    assert read_faq("faq.json", json.dumps(values).encode()) == [HOURS, PARCEL]


def test_utf16_is_read_and_latin1_is_reported() -> None:
    text = "question,answer\nOù êtes-vous ?,Ici."
    assert read_faq("faq.csv", text.encode("utf-16"))[0].question == "Où êtes-vous ?"
    with pytest.raises(FormatError, match="UTF-8"):
        read_faq("faq.csv", text.encode("latin-1"))


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("faq.csv", "", "at least one question"),
        ("faq.csv", "question,answer\n", "at least one question"),
        ("faq.csv", "question,anwser\nA?,B", "did you mean 'answer'?"),
        ("faq.csv", "question,variants\nA?,B", "line 1: expected answer, found question, variants"),
        ("faq.csv", "question,question,answer\nA,B,C", "'question' twice"),
        ("faq.csv", "question,answer\nA?,B\n\nC?,", "line 4, answer: expected a text, found nothing"),
        ("faq.csv", 'question,answer\n"A\nB?",C\nD?,', "line 4, answer"),
        ("faq.csv", "question,answer\n,B", "line 2, question"),
        (
            "faq.csv",
            "question,answer\nA?,B,C",
            "line 2: expected 2 cells, found 3: quote cells that hold ','",
        ),
        ("faq.csv", 'question,answer\n"A?,B', "expected CSV"),
        (
            "faq.csv",
            "question,answer\nA?,B\nC?,D\na?,E",
            "line 4, question: expected another question than in",
        ),
        (
            "faq.csv",
            "id,question,answer\nx,A?,B\nx,C?,D",
            "line 3, id: expected each id once, found 'x' again",
        ),
        ("faq.csv", "question,answer,link\nA?,B,javascript:alert(1)", "line 2, link: expected an address"),
        ("faq.csv", f"question,answer\n{'a' * 1001},B", "at most 1,000 characters, found 1,001"),
        ("faq.csv", f"question,answer,variants\nA?,B,{'a' * 1001}", "line 2, variants"),
        (
            "faq.csv",
            f"question,answer,variants\nA?,B,{'|'.join(map(str, range(1001)))}",
            "at most 1,000 texts",
        ),
        ("faq.yaml", "question: A?\nanswer: B", "a list of entries"),
        ("faq.yaml", "- A?\n- B", "entry 1: expected names and values (question: ...), found text"),
        ("faq.yaml", "- {question: A, answer: [B]}", "entry 1, answer: expected a text, found a list"),
        ("faq.yaml", "- {question: A, answer: B, variants: [{a: b}]}", "entry 1, variants"),
        ("faq.yaml", "- question: 'A?\n", "line"),
        ("faq.json", '[{"question": "A?"', "expected JSON"),
        ("faq.json", '[{"question": "A?"}]', "entry 1: expected answer"),
        ("faq.txt", "question,answer\nA?,B", "ends in .csv, .yaml or .json"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(name: str, text: str, message: str) -> None:
    assert message in failing(name, text)


def test_what_steers_a_terminal_is_left_out() -> None:
    entry = read_faq("faq.csv", "question,answer\nA\x1b[31m\u202e?,B\x1b[2J\u200b C".encode())[0]
    assert "\x1b" not in entry.question + entry.answer
    assert "\u202e" not in entry.question


def test_ids_are_readable_and_differ_where_questions_do() -> None:
    assert entry_id("How do I reset my password?") == "how-do-i-reset-my-password"
    assert entry_id("What is C?") == "what-is-c"
    assert entry_id("What is C++?").startswith("what-is-c-")
    assert len({entry_id(q) for q in ("5+3?", "5-3?", "5 3?", "53?", "5.3?", "n!", "n?", "é", "e")}) == 9
    assert entry_id("日本語は？").startswith("日本語は-")
    assert len(entry_id("so " * 100)) < 75


@given(st.text(), st.text())
def test_ids_are_equal_only_for_questions_equal_but_for_case_and_question_mark(one: str, other: str) -> None:
    same = one.casefold().rstrip("? ") == other.casefold().rstrip("? ")
    assert (entry_id(one) == entry_id(other)) == same


@given(
    st.text(alphabet='question,answr\n\r"\t;|{}[]:- ', max_size=60), st.sampled_from(["csv", "yaml", "json"])
)
def test_any_text_is_read_or_refused_with_its_place(text: str, suffix: str) -> None:
    try:
        entries = read_faq(f"faq.{suffix}", text.encode())
    except FormatError as error:
        assert error.file == f"faq.{suffix}"
    else:
        assert all(entry.question and entry.answer for entry in entries)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "faq.csv")
    with pytest.raises(IngestError, match="not a regular file"):
        read_bytes(tmp_path / "faq.csv")


def test_labelled_questions() -> None:
    text = "question,entry\nopen now?,hours\nwhere is it,Where is my parcel?\nweather,none\njoke,OOS\nhi,\n"
    expected = [("open now?", "hours"), ("where is it", "Where is my parcel?"), ("weather", "")]
    assert read_labelled("labelled.csv", text.encode()) == [*expected, ("joke", ""), ("hi", "")]
    assert read_labelled("l.json", b'[{"question": "weather", "entry": null}]') == [("weather", "")]
    for wrong, message in (
        ("question\nhi", "entry"),
        ("question,entry\n,hours", "line 2"),
        ("question,entry", "none"),
    ):
        with pytest.raises(FormatError, match=message):
            read_labelled("labelled.csv", wrong.encode())
