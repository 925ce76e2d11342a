"""Reading labeled data folders, and filling a store from them."""

import json
from pathlib import Path

import pytest

from onrecord.errors import FormatError, NotFoundError
from onrecord.evaluate import fill, load
from onrecord.ingest.passages import Cutter
from onrecord.models.double import HashingEmbedder
from onrecord.stores.memory import MemoryStore

CORPUS = [
    {
        "id": "a:1",
        "recording_id": "a",
        "position": 1,
        "speaker": "Roux",
        "text": "freight costs rose",
        "title": "A",
    },
    {"id": "a:0", "recording_id": "a", "position": 0, "speaker": "Kelly", "text": "why did margins fall"},
    {"id": "b:0", "recording_id": "b", "position": 0, "speaker": None, "text": "good morning"},
]
QUERIES = [
    {"id": "q1", "text": "margins?", "recording_id": "a", "type": "fact", "exclude": ["a:0"]},
    {"id": "q2", "text": "nobody knows"},
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "corpus.jsonl").write_text("".join(json.dumps(row) + "\n" for row in CORPUS))
    (tmp_path / "queries.jsonl").write_text("".join(json.dumps(row) + "\n" for row in QUERIES))
    (tmp_path / "qrels.tsv").write_text("q1\ta:1\t1\nq2\tb:0\t0\n")
    return tmp_path


def test_units_stand_in_order_and_questions_without_labels_are_left_out(folder: Path) -> None:
    dataset = load(folder)
    assert [unit.id for unit in dataset.units["a"]] == ["a:0", "a:1"]
    (question,) = dataset.questions
    assert question.grades == {"a:1": 1.0}
    assert (question.recording, question.exclude, question.type) == ("a", ("a:0",), "fact")


def test_each_unit_a_passage_or_cut_as_any_transcript(folder: Path) -> None:
    whole, cut = MemoryStore(), MemoryStore()
    fill(whole, load(folder), HashingEmbedder())
    fill(cut, load(folder), cutter=Cutter())
    assert [p.text for p in whole.transcript("a")] == ["why did margins fall", "freight costs rose"]
    assert [p.text for p in cut.transcript("a")] == ["why did margins fall freight costs rose"]
    assert whole.without_vectors() == [] and cut.without_vectors() == ["a", "b"]


@pytest.mark.parametrize(
    ("file", "text", "says"),
    [
        ("corpus.jsonl", '{"id": "a:0"}\n', "corpus.jsonl, line 1: expected a text 'recording_id'"),
        ("corpus.jsonl", '{"id":\n', "corpus.jsonl, line 1: expected a JSON object"),
        ("corpus.jsonl", "[]\n", "corpus.jsonl, line 1: expected a text 'id'"),
        (
            "corpus.jsonl",
            '{"id": "a:0", "recording_id": "a", "text": "Hello", "position": "first"}\n',
            "corpus.jsonl, line 1: expected a whole number 'position'",
        ),
        ("qrels.tsv", "q1\ta:1\n", "qrels.tsv, line 1: expected query, unit and grade"),
        ("qrels.tsv", "q1\ta:1\t1\nq1\tzz\t1\n", "qrels.tsv, line 2: expected the id of a unit"),
    ],
)
def test_a_broken_file_is_named_with_its_line(folder: Path, file: str, text: str, says: str) -> None:
    (folder / file).write_text(text)
    with pytest.raises(FormatError, match="^" + says.replace("[", r"\[")):
        load(folder)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match=r"corpus\.jsonl"):
        load(tmp_path)


@pytest.mark.data
def test_real_folders_are_read(data: Path) -> None:
    dataset = load(data / "hipporag_hotpotqa")
    assert len(dataset.units) == 994 and len(dataset.questions) == 50
    assert all(len(question.grades) == 2 for question in dataset.questions)
