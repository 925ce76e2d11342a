"""The command `onrecord eval`, with typical input mistakes."""

import json
import sys
from pathlib import Path

import pytest

from onrecord.archive.models import Models
from onrecord.models.double import ScriptedModel

QUESTIONS = """\
- id: gate
  text: How much would a new sector gate cost?
  type: fact
  gold: {recording: harbour, from: 0:40, to: 0:48}
  points: [seven million]
- id: freight
  text: What did freight cost in August?
  type: fact
  gold: {words: "a container from Kaohsiung cost two thousand dollars in January"}
- id: moon
  text: Which astronauts walked on Saturn?
  type: none
  unanswerable: true
"""
CORPUS = [
    {"id": "a:0", "recording_id": "a", "position": 0, "speaker": "Bell", "text": "why did margins fall"},
    {"id": "a:1", "recording_id": "a", "position": 1, "speaker": "Roux", "text": "freight costs rose"},
    {"id": "b:0", "recording_id": "b", "position": 0, "speaker": None, "text": "good morning to everyone"},
]
QUERIES = [
    {"id": "q1", "text": "freight costs?", "recording_id": "a", "type": "fact", "exclude": ["a:0"]},
    {"id": "q2", "text": "morning", "recording_id": "b", "type": "other"},
]


@pytest.fixture
def asked(filled):
    """Return a shell with the examples and a file of questions."""
    (filled.folder / "questions.yaml").write_text(QUESTIONS)
    return filled


@pytest.fixture
def folder(shell):
    """Return a shell with a folder that holds a corpus, queries and relevance judgments."""
    set_folder = shell.folder / "set"
    set_folder.mkdir()
    (set_folder / "corpus.jsonl").write_text("".join(json.dumps(row) + "\n" for row in CORPUS))
    (set_folder / "queries.jsonl").write_text("".join(json.dumps(row) + "\n" for row in QUERIES))
    (set_folder / "qrels.tsv").write_text("q1\ta:1\t1\nq2\tb:0\t1\n")
    return shell


def test_the_terminal_shows_means_differences_types_times_and_misses(asked):
    out = asked("eval", "questions.yaml", "--strategy", "balanced", "--strategy", "direct").stdout
    for words in (
        "3 questions",
        "How good",
        "gold words shown, 1000 words",
        "How much above balanced",
        "By type of question",
        "Milliseconds",
        "total",
    ):
        assert words in out
    assert "How much above" not in asked("eval", "questions.yaml").stdout


def test_misses_are_named_with_what_went_wrong(asked):
    """The report lists the questions that failed."""
    (asked.folder / "q.csv").write_text("id,text,words\nx,Who won the world cup of chess?,A container\n")
    assert "x: Who won the world cup of chess?" in asked("eval", "q.csv").stdout
    assert "Look at these" not in asked("eval", "q.csv", "--misses", "0").stdout


def test_json_has_every_figure(asked):
    report = asked.json("eval", "questions.yaml", "--strategy", "balanced", "--strategy", "direct")
    assert report["questions"] == 3 and list(report["strategies"]) == ["balanced", "direct"]
    balanced = report["strategies"]["balanced"]
    assert balanced["measures"]["recall@5"] == {"mean": 1, "low": 1, "high": 1, "n": 2}
    assert balanced["types"]["none"]["R"] is None
    assert balanced["seconds"]["total"]["p95"] >= balanced["seconds"]["total"]["p50"] > 0
    assert report["differences"]["direct"]["against"] == "balanced"
    assert report["differences"]["direct"]["measures"].keys() == balanced["measures"].keys()
    first = report["by_question"][0]
    assert first["id"] == "gate" and first["strategies"]["balanced"]["values"]["R"] == 1
    assert report["measures"]["wrong_refusal"]["higher_is_better"] is False


def test_k_and_words_are_settable(asked):
    report = asked.json("eval", "questions.yaml", "--top", "3", "--words", "50", "--known")
    names = report["measures"]
    assert {"recall@3", "precision@3", "ndcg@3"} <= names.keys() and "50 words" in names["R"]["means"]


def test_nothing_is_remembered_so_that_times_are_of_a_first_asking(asked):
    """Evaluation uses no result cache, so that its times are those of a first request."""
    for _ in range(2):
        report = asked.json("eval", "questions.yaml", "--strategy", "balanced")
        assert "Search" in report["strategies"]["balanced"]["seconds"]
    assert {cache["kept"] for cache in asked.json("stats")["caches"].values()} == {0}


def test_a_draw_by_chance_is_the_same_for_a_seed(asked):
    def ids(*options):
        return [
            q["id"] for q in asked.json("eval", "questions.yaml", "--limit", "2", *options)["by_question"]
        ]

    assert ids() == ids() and len(ids()) == 2
    assert len({tuple(ids("--seed", str(seed))) for seed in range(8)}) > 1


@pytest.mark.parametrize("name", ["report.png", "report.svg"])
def test_a_plot_is_drawn(asked, name):
    pytest.importorskip("matplotlib", reason="pictures need the extra plot")
    assert f"chart written to {name}" in asked("eval", "questions.yaml", "--plot", name).stderr
    assert (asked.folder / name).stat().st_size > 1000


def test_the_examples_need_no_archive(shell):
    report = shell.json("eval", "examples", "--limit", "4", "--strategy", "direct")
    assert report["questions"] == 4 and "200 words" in report["measures"]["R"]["means"]
    assert not (shell.folder / "onrecord.db").exists()


def test_a_folder_brings_its_own_recordings(folder):
    report = folder.json("eval", "set", "--strategy", "balanced")
    assert report["strategies"]["balanced"]["measures"]["mrr"]["mean"] == 1
    assert "type" in folder("eval", "set", "--plot", "report.svg").stdout
    assert "By type: gold words shown" in (folder.folder / "report.svg").read_text()
    assert not (folder.folder / "onrecord.db").exists()


def test_a_folder_is_kept_in_the_archive_named_and_used_again(folder):
    """With `--archive`, the recordings of a folder are stored and reused by the next run."""
    for _ in range(2):
        report = folder.json("eval", "set", "--archive", "kept.db", "--known", "--limit", "1")
        assert report["questions"] == 1
    assert len(folder.json("list", "--archive", "kept.db")) == 2
    assert folder.json("stats", "--archive", "kept.db")["model"]["name"] == "hashing"


def test_a_folder_never_goes_into_an_archive_of_other_recordings(filled, folder):
    assert (
        "holds other recordings than set" in filled("eval", "set", "--archive", "onrecord.db", code=1).stderr
    )
    assert len(filled.json("list")) == 5


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("question.yaml",), "question.yaml"),
        (("questions.yaml", "--strategy", "balance"), "did you mean 'balanced'"),
        (("questions.yaml", "--plot", "report.gif"), ".png or .svg"),
        (("questions.yaml", "--archive", "no.db"), "onrecord add"),
        (("questions.yaml", "--workspace", "empty"), "there is no workspace 'empty' here: there are default"),
        (("talks",), "corpus.jsonl"),
        (("talks/night-desk-41.vtt",), ".yaml, .yml, .json"),
        (("questions.yaml", "--plot", "no/report.png"), "there is no folder no"),
        (("bad.yaml",), "bad.yaml, line 2"),
        (("mark.yaml",), "a text that ends in ? stands in quotes"),
        (("lost.yaml",), "lost.yaml, line 1, 1, gold 1: 'a tunnel' is not said in harbour"),
    ],
)
def test_mistakes_are_reported_in_one_line(asked, words, says):
    (asked.folder / "bad.yaml").write_text("# mine\n- text: Who?\n")
    (asked.folder / "mark.yaml").write_text("- {text: Who?, unanswerable: true}")
    (asked.folder / "lost.yaml").write_text(
        "- {id: 1, text: 'Where?', gold: {recording: harbour, words: a tunnel}}"
    )
    result = asked("eval", *words, code=1)
    assert says in result.stderr
    assert len(result.stderr.splitlines()) == 1 and result.stdout == ""


def test_the_examples_are_in_no_archive_that_an_option_names(asked):
    refused = asked("eval", "examples", "--workspace", "desk", code=2)
    assert "leave --archive and --workspace out" in refused.stderr


def test_errors_are_json_where_json_is_wanted(asked):
    assert asked.json("eval", "question.yaml", code=1)["error"]["code"] == "not_found_error"


def test_matplotlib_is_asked_for_by_its_extra_before_the_work(asked, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    result = asked("eval", "questions.yaml", "--plot", "report.png", code=1)
    assert "onrecord[plot]" in result.stderr and result.stdout == ""


def test_what_questions_say_cannot_steer_the_terminal(asked):
    """Escape sequences and markup in a file of questions are not interpreted."""
    (asked.folder / "q.yaml").write_text(
        '- id: "a\\e[31m"\n  text: "Who won \\e[31m the cup [bold]?"\n  type: "[red]\\e[1m"\n'
        '  gold: {words: a container}\n- {text: "Who?", type: b, unanswerable: yes}\n'
    )
    out = asked("eval", "q.yaml").stdout
    assert "\x1b" not in out and "[bold]" in out and "[red]" in out


def test_the_file_of_questions_is_read_before_the_archive_is_opened(shell):
    (Path.cwd() / "bad.yaml").write_text("- text: Who?\n")
    assert "bad.yaml, line 1" in shell("eval", "bad.yaml", code=1).stderr


def test_what_a_language_model_was_asked_for_is_reported(asked, monkeypatch):
    model = ScriptedModel("A new sector gate costs seven million [Source 1]. Elephants danced [Source 1].")
    monkeypatch.setattr(Models, "language", {"answer": model})
    report = asked.json("eval", "questions.yaml", "--strategy", "balanced")
    gate = report["by_question"][0]["strategies"]["balanced"]
    assert gate["calls"][0]["role"] == "answer" and gate["values"]["withheld"] == 0.5
    assert len(model.asked) == sum(len(q["strategies"]["balanced"]["calls"]) for q in report["by_question"])
    assert "calls of a language model, 2" in asked("eval", "questions.yaml").stdout


def test_no_model_leaves_every_role_empty(asked, monkeypatch):
    monkeypatch.setenv("ONRECORD_LLM__MODEL", "openai:no-such-model")
    report = asked.json("eval", "questions.yaml", "--no-model", "--strategy", "balanced")
    assert all(q["strategies"]["balanced"]["calls"] == [] for q in report["by_question"])
