"""The command `onrecord plan`, and the plans that `ask` and `search` show."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from onrecord.serve.cli import main
from onrecord.types import INTENTS

EXAMPLES = Path(__file__).parents[2] / "src" / "onrecord" / "examples"
Run = Callable[..., str]


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the path of an archive of the built-in examples, embedded by the hashing embedder."""
    folder = tmp_path_factory.mktemp("plan")
    shutil.copytree(EXAMPLES, folder / "talks")
    env = {"ONRECORD_EMBEDDING__MODEL": "hashing"}
    CliRunner(env=env).invoke(
        main, ["add", str(folder / "talks"), "--archive", str(folder / "a.db")], catch_exceptions=False
    )
    return folder / "a.db"


@pytest.fixture
def run(archive: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return a function that runs a command that must succeed and returns its standard output."""
    monkeypatch.setenv("ONRECORD_ARCHIVE", str(archive))
    monkeypatch.setenv("ONRECORD_EMBEDDING__MODEL", "hashing")

    def run(*words: str) -> str:
        result = CliRunner().invoke(main, words, catch_exceptions=False)
        assert result.exit_code == 0, result.output
        return result.stdout

    return run


def test_a_plan_is_shown_line_by_line(run: Run) -> None:
    shown = run("plan", "what did Kelly say about tariffs in November 2024?").splitlines()
    assert shown == [
        "looks for   what did Kelly say about tariffs?",
        "intent      factual",
        "language    en",
        "names       Brendan Kelly",
        'filters     date: 2024-11-01..2024-11-30  ("in November 2024")',
        'prefers     speaker: Brendan Kelly  ("Kelly")',
        "strategy    balanced",
    ]


def test_a_recording_is_shown_by_its_title(run: Run) -> None:
    shown = run("plan", "summarize episode 42")
    assert 'recording: The Night Desk 42: The step and the slope  ("episode 42")' in shown
    assert "strategy    overview" in shown


def test_many_values_of_the_same_words_are_one_line(run: Run) -> None:
    """Filters from the same words of a question are printed on one line."""
    shown = run("plan", "what did everyone besides Kelly say about tariffs?")
    assert '\nprefers     speaker: Alderman Finch, Bill Tranter and 11 others  ("besides Kelly")\n' in shown
    answer = run("ask", "what did everyone besides Kelly say about tariffs?")
    assert "Brendan Kelly: “" not in answer and "not quoted here" not in answer


def test_a_plan_as_json(run: Run) -> None:
    plan = json.loads(run("plan", "compare what Kelly and Priya say about tariffs", "--json"))
    assert plan["intent"] == plan["strategy"] == "comparison"
    assert [filter_["value"] for filter_ in plan["filters"]] == ["Brendan Kelly", "Priya Raman"]
    assert len(plan["queries"]) == 2


def test_options_come_before_what_is_read(run: Run) -> None:
    """An option overrides the filter that the question names."""
    asked = ("plan", "what did Kelly say about tariffs in November 2024?", "--json")
    by_option = json.loads(run(*asked, "--speaker", "Priya Raman", "--strategy", "direct"))
    assert {filter_["field"] for filter_ in by_option["filters"]} == {"since", "until"}
    assert by_option["strategy"] == "direct"
    without = json.loads(run(*asked, "--without", "since", "--without", "until"))
    assert [filter_["field"] for filter_ in without["filters"]] == ["speaker"]


def test_what_options_narrow_to_is_shown_as_given(run: Run) -> None:
    asked = ("plan", "what did Kelly say about tariffs in November 2024?", "--speaker", "Priya Raman")
    shown = run(*asked, "--since", "2024-11", "--where", "show=The Night Desk")
    assert shown.splitlines()[-3:] == [
        "given       speaker: Priya Raman",
        "            date: 2024-11..",
        "            show: The Night Desk",
    ]
    assert "given" not in run("plan", "what did Kelly say about tariffs?")


def test_what_the_question_means_is_shown_as_given(run: Run) -> None:
    hints = ("--intent", "Comparison", "--asked-in", "French", "--about", "tariffs", "--about", "freight")
    shown = run(
        "plan",
        "What did Kelly say?",
        *hints,
        "--sub-question",
        "Why tariffs?",
        "--sub-question",
        "Why freight?",
    )
    assert shown.splitlines() == [
        "looks for   What did Kelly say?",
        "intent      comparison, complex",
        "language    fr",
        "names       tariffs, freight",
        'prefers     speaker: Brendan Kelly  ("Kelly")',
        "strategy    comparison",
        "asks        Why tariffs?",
        "            Why freight?",
        "given       intent: Comparison",
        "            asked in: French",
        "            about: tariffs",
        "            about: freight",
        "            asks: Why tariffs?",
        "            asks: Why freight?",
    ]


def test_help_teaches_what_may_be_said(run: Run) -> None:
    for command in ("plan", "ask", "search"):
        shown = " ".join(run(command, "--help").split())
        assert all(option in shown for option in ("--intent KIND", "--asked-in CODE", "--about NAME"))
        assert "--sub-question TEXT" in shown and all(intent in shown for intent in INTENTS)


def test_a_follow_up_is_asked_of_whom_it_means(run: Run) -> None:
    """A follow-up that names another speaker is answered only with quotes of that speaker."""
    answer = json.loads(run("ask", "And Priya?", "--after", "What did Kelly say about tariffs?", "--json"))
    assert answer["question"] == "And Priya?"
    assert {citation["speaker"] for citation in answer["citations"]} == {"Priya Raman"}


def test_a_scope_in_which_nothing_is_says_which_option_did_it(archive: Path) -> None:
    """When no recording is in scope, the message names the option that excludes all."""
    asked = ["plan", "what did Kelly say about tariffs?", "--archive", str(archive), "--language", "de"]
    result = CliRunner().invoke(main, asked, catch_exceptions=False)
    assert "given       language: de" in result.stdout
    assert result.stderr == "onrecord: no recording is in 'de': there are en, fr\n"


def test_a_search_is_explained_like_an_answer(run: Run) -> None:
    shown = run("search", "tariffs by Kelly", "--explain")
    assert "What was understood\nlooks for   tariffs by Kelly" in shown
    assert shown.index("What was understood") < shown.index("What was done")


def test_explain_shows_the_plan_before_the_stages(run: Run) -> None:
    shown = run("ask", "what did Kelly say about tariffs?", "--explain")
    assert "What was understood\nlooks for   what did Kelly say about tariffs?" in shown
    assert shown.index("What was understood") < shown.index("What was done")
    assert "factual -> balanced; preferring speaker Brendan Kelly" in shown


def test_an_answer_says_what_was_left_out(run: Run) -> None:
    assert 'No recording matches "in 2019" as well' in run("ask", "what did Kelly say about tariffs in 2019?")


def test_an_overview_is_an_answer(run: Run) -> None:
    answer = json.loads(run("ask", "what is this about?", "--json"))
    assert answer["verdict"] == "answered" and len({c["recording"]["id"] for c in answer["citations"]}) > 1
