"""Reading question files: every format, and errors that name the line and the allowed values."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.errors import FormatError, InputError, NotFoundError
from onrecord.evaluate.question_files import read_questions
from onrecord.evaluate.questions import EvalQuestion, Place
from onrecord.types import Exchange

YAML = """\
# a comment
questions:
  - id: margins
    text: Why did   margins fall?
    type: causal
    gold:
      - {recording: night-desk-41, from: 0:36, to: 1:06}
      - {words: "Of these five points", speaker: Brandt}
    entities: [Halden, [the operator, she]]
    points: [tariff]

  - question: Who won?
    unanswerable: yes
    history: ["What is it?", {question: "And?", answer: This.}]
"""
ROWS = [
    {
        "id": "margins",
        "text": "Why did margins fall?",
        "type": "causal",
        "gold": [
            {"recording": "night-desk-41", "from": 36, "to": "1:06"},
            {"words": "Of these five points", "speaker": "Brandt"},
        ],
        "entities": ["Halden", ["the operator", "she"]],
        "points": "tariff",
    },
    {
        "text": "Who won?",
        "unanswerable": True,
        "history": ["What is it?", {"question": "And?", "answer": "This."}],
    },
]
GOLD = (Place("night-desk-41", 36.0, 66.0), Place(words="Of these five points", speaker="Brandt"))
ASKED = [
    EvalQuestion(
        "margins",
        "Why did margins fall?",
        "causal",
        GOLD,
        (("Halden",), ("the operator", "she")),
        (("tariff",),),
    ),
    EvalQuestion(
        "2", "Who won?", unanswerable=True, history=(Exchange("What is it?"), Exchange("And?", "This."))
    ),
]


def read(folder: Path, name: str, text: str) -> list[EvalQuestion]:
    (folder / name).write_text(text, encoding="utf-8")
    return read_questions(folder / name)


def without_places(questions: list[EvalQuestion]) -> list[tuple[object, ...]]:
    """Return the questions' fields without `where`, the line of each gold place, which differs by format."""

    def bare(place: Place) -> tuple[object, ...]:
        return (place.recording, place.start, place.end, place.words, place.speaker)

    return [
        (q.id, q.text, q.type, [bare(p) for p in q.gold], q.entities, q.points, q.unanswerable, q.history)
        for q in questions
    ]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("q.yaml", YAML),
        ("q.yml", YAML),
        ("q.json", json.dumps(ROWS, indent=1)),
        ("q.json", json.dumps({"questions": ROWS})),
        ("q.jsonl", "\n\n".join(map(json.dumps, ROWS)) + "\n"),
    ],
)
def test_the_same_questions_in_every_form(tmp_path: Path, name: str, text: str) -> None:
    assert without_places(read(tmp_path, name, text)) == without_places(ASKED)


def test_a_line_of_json_may_hold_other_line_ends(tmp_path: Path) -> None:
    """Only a line feed ends a line of JSON Lines; U+2028 may stand inside a text."""
    (asked,) = read(tmp_path, "q.jsonl", '{"text": "Why\u2028not?", "unanswerable": true}\n')
    assert asked.text.split() == ["Why", "not?"]


def test_rows_of_one_id_are_one_question(tmp_path: Path) -> None:
    """CSV rows with the same id are further gold places of one question."""
    text = (
        "\ufeffid;question;recording;from;to;words;points;unanswerable;history\n"
        "a;Why?;one;0:36;1:06;;tariff | freight;;\n"
        'a;;two;;;"we said; twice";;;\n\n'
        ";Who?;;;;;;yes;First? | Second?\n"
    )
    first, second = read(tmp_path, "q.csv", text)
    assert [(p.recording, p.start, p.end, p.words) for p in first.gold] == [
        ("one", 36.0, 66.0, ""),
        ("two", None, None, "we said; twice"),
    ]
    assert first.points == (("tariff",), ("freight",)) and not first.unanswerable
    assert second.unanswerable and second.history == (Exchange("First?"), Exchange("Second?"))
    assert first.gold[1].where.endswith("q.csv, line 2, a, gold 2")


def test_a_question_knows_its_line(tmp_path: Path) -> None:
    for name, text in (("q.yaml", YAML), ("q.json", json.dumps({"questions": ROWS}, indent=1))):
        lines = text.splitlines()
        place = read(tmp_path, name, text)[0].gold[0]
        line = int(place.where.partition("line ")[2].partition(",")[0])
        assert any(sign in lines[line - 1] for sign in ("- id: margins", "{"))
        assert place.where == f"{tmp_path / name}, line {line}, margins, gold 1"


ONE = "- text: Who?\n  "


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("q.yaml", "- txt: Who?\n", "line 1: expected only id, text, .*'txt': did you mean 'text'"),
        ("q.yaml", "- id: a\n- text: x\n", "line 1, a, text: expected a text with words, found nothing"),
        ("q.yaml", ONE + "points: x\n- text: '?'\n", "line 3, text: expected a text with words"),
        (
            "q.yaml",
            "- text: Who?\n",
            "expected what to measure it by: gold, wrong, entities, points or unanswer",
        ),
        ("q.yaml", ONE + "unanswerable: maybe", "unanswerable: expected true or false, found maybe"),
        ("q.yaml", ONE + "unanswerable: yes\n  points: x", "no gold, wrong, entities or points beside it"),
        ("q.yaml", ONE + "gold: there", "gold 1: expected names and values"),
        ("q.yaml", ONE + "gold: {from: 1, to: 2}", "gold 1: expected a recording, words"),
        ("q.yaml", ONE + "gold: {words: a, from: 1}", "gold 1: expected the recording of these times"),
        ("q.yaml", ONE + "gold: {recording: a, from: noon, to: 2}", "from: expected a time such as 0:36"),
        ("q.yaml", ONE + "gold: {recording: a, from: 1}", "expected both from and to"),
        ("q.yaml", ONE + "gold: {recording: a, from: 2, to: 1}", "expected a time after 2 s, found 1 s"),
        ("q.yaml", ONE + "gold: {recording: a, form: 2}", "'form': did you mean 'from'"),
        ("q.yaml", ONE + "points: [[]]", "points 1: expected a text with words"),
        ("q.yaml", ONE + "points: x\n  history: [[a]]", "history 1: expected a question"),
        ("q.yaml", ONE + "points: x\n  type: [a]", "type: expected a text, found a list"),
        (
            "q.yaml",
            "- id: a\n  text: b\n  points: c\n" * 2,
            "line 4, a, id: expected another id than at line 1",
        ),
        ("q.yaml", "a: b: c", "line 1, column"),
        ("q.yaml", "text: Who?", "line 1: expected a list of questions"),
        ("q.yaml", "[]", "expected at least one question"),
        ("q.yaml", "- just words", "line 1: expected names and values"),
        ("q.json", '[\n {"text": "a", "points": "b"},\n\n {"text": 1, "gold": [2]}]', "line 4, gold 1"),
        ("q.json", "[{]", "line 1, column 3: expected JSON"),
        ("q.jsonl", '{"text": "a", "points": "b"}\n{"text": \n', "line 2, column .*: expected JSON"),
        ("q.csv", "id,text,colour\n", "line 1: expected only id, text"),
        ("q.csv", "text,points,text\na,b,c\n", "line 1: expected each name once"),
        ("q.csv", "text,points\na,b,c\n", "line 2: expected 2 cells"),
        ("q.csv", "id,text,points\na,b,c\na,d,c\n", "line 3, text: expected nothing, or the same as in"),
        ("q.csv", "text\n", "expected at least one question"),
    ],
)
def test_mistakes_are_reported_with_their_place(tmp_path: Path, name: str, text: str, says: str) -> None:
    with pytest.raises(FormatError, match=says) as error:
        read(tmp_path, name, text)
    assert error.value.file == str(tmp_path / name)


def test_other_files_are_refused_with_what_is_read(tmp_path: Path) -> None:
    (tmp_path / "q.txt").write_text("Who?")
    with pytest.raises(InputError, match=r"\.yaml, \.yml, \.json"):
        read_questions(tmp_path / "q.txt")
    with pytest.raises(NotFoundError):
        read_questions(tmp_path / "q.yaml")
    (tmp_path / "q.yaml").write_bytes(b"- text: caf\xe9\n")
    with pytest.raises(FormatError, match="UTF-8"):
        read_questions(tmp_path / "q.yaml")


values = st.recursive(
    st.text(max_size=8) | st.none() | st.booleans() | st.integers(0, 99),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
names = st.sampled_from(["id", "text", "gold", "points", "entities", "history", "unanswerable", "type"])


@given(st.lists(st.dictionaries(names, values, max_size=5), max_size=4))
def test_any_json_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, rows: list[object]) -> None:
    file = tmp_path_factory.getbasetemp() / "any.json"
    file.write_text(json.dumps(rows, indent=1), encoding="utf-8")
    try:
        questions = read_questions(file)
    except FormatError as error:
        assert "any.json" in str(error)
    else:
        assert len(questions) == len(rows)
