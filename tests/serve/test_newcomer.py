"""Mistakes at the command line and failures of terminals, pipes and disks give clear errors.

Each prints a clear message with an exit code, never a traceback.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from onrecord.stores import workspaces

WAY = [sys.executable, "-m", "onrecord"]


@pytest.fixture
def run(filled):
    """Return a function that runs a command in its own process and captures its output as bytes."""

    def ran(*words, **environment):
        environment_ = {**os.environ, "PYTHONWARNINGS": "ignore", **environment}
        return subprocess.run([*WAY, *words], capture_output=True, env=environment_, cwd=filled.folder)

    return ran


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--speaker", "zorro"), "nobody called 'zorro' speaks here: there are Alderman Finch, Bill Tranter"),
        (("--speaker", "Rahman"), "nobody called 'Rahman' speaks here: did you mean 'Priya Raman'?"),
        (("--language", "de"), "no recording is in 'de': there are en, fr"),
        (("--where", "quarter=Q9"), "no recording has 'quarter=Q9': did you mean 'quarter=Q3'"),
        (("--section", "Openning"), "no section is called 'Openning': did you mean 'Opening'"),
        (
            ("--since", "2031"),
            "no recording is from that time: recordings have dates from 2024-06-05 to 2024-11-21",
        ),
        (("--speaker", "kelly", "--language", "fr"), "not all of them together"),
    ],
)
def test_an_empty_scope_says_which_condition_nothing_meets(filled, options, says):
    """When no recording is in scope, the message names the filter that excludes all and suggests values."""
    for command in (("ask", "Why did margins fall?"), ("search", "margins"), ("list",)):
        assert says in filled(*command, *options).stderr


def test_nothing_is_said_of_conditions_in_json_and_where_there_are_none(filled):
    """No message about filters is printed with `--json` or without filters."""
    result = filled("search", "margins", "--speaker", "zorro", "--json")
    assert result.stderr == "" and result.stdout.startswith("{")
    assert filled("ask", "Who won the chess world cup on Saturn?").stderr == ""


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("export", "halden", "--output", "no/such/file.json"), "cannot read or write no/such/file.json"),
        (("export", "halden", "--output", "talks/a.md/b"), "cannot read or write talks/a.md/b"),
        (
            ("ask", "why", "did", "margins", "fall", "--strategy", "mine.yaml"),
            "no file of a strategy 'mine.yaml'",
        ),
        (("ask", "why", "--strategy", "blanced"), "did you mean 'balanced'"),
        (("show", "halden cycle", "--at", "0:30", "--archive", "talks"), "talks is a folder"),
        (
            ("search", "tariff", "--where", "show"),
            "--where needs NAME=VALUE, such as --where show=",
        ),
        (
            ("search", "tariff", "--where", "quarter=Q3", "--where", "quarter=Q2"),
            "--where quarter=... is given",
        ),
        (("list", "--where", "Language=fr"), "language is not an attribute; use --language"),
        (("list", "--where", "date=2024"), "date is not an attribute; use --since and --until"),
        (("ask", "why", "--model", "none"), "--no-model"),
        (("embed", "--embedder", "minlm"), "none, or one of minilm"),
    ],
)
def test_mistyped_paths_and_names_are_reported_in_one_line(filled, words, says):
    """A mistyped path, strategy, option value or model gives a one-line error with a suggestion."""
    result = filled(*words, code=1)
    assert says in result.stderr and len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize("command", ["ask", "plan", "search"])
def test_a_misspelt_field_to_leave_out_is_reported(filled, command):
    """`--without` with an unknown field suggests a known one; field names ignore case."""
    asked = (command, "what", "did", "Kelly", "say", "about", "tariffs?")
    error_output = filled(*asked, "--without", "spaeker", code=1).stderr
    assert all(
        words in error_output for words in ("'spaeker'", "did you mean 'speaker'?", "section", "company")
    )
    assert "did you mean 'show'?" in filled(*asked, "--without", "shwo", code=1).stderr
    for known in ("show", "Speaker", "date"):
        filled(*asked, "--without", known)


def test_an_unknown_option_unlike_all_others_lists_them(filled):
    """An unknown option that resembles none is answered by a list of the command's options."""
    result = filled("embed", "--model", "minilm", code=2)
    assert "No such option '--model'. Its options are: --again, --archive, --embedder" in result.stderr
    assert "Its options are: --help" in filled("keys", "--zz", code=2).stderr
    assert "'paths'" not in filled("add", "--paths", "x", code=2).stderr


@pytest.mark.parametrize("command", ["ask", "plan", "search"])
def test_what_a_question_cannot_mean_is_reported(filled, command):
    """Invalid hints give an error with a suggestion."""
    for option, value, message in (
        ("--intent", "comparsion", "did you mean 'comparison'?"),
        ("--asked-in", "germna", "did you mean 'de'?"),
        ("--about", "", "a name that the question is about has no words"),
        ("--sub-question", " ", "a sub-question has no words"),
    ):
        assert message in filled(command, "tariffs?", option, value, code=1).stderr


def test_a_date_is_left_out_by_one_name(filled):
    """`--without date` removes both date filters."""
    asked = ("plan", "what did Kelly say about tariffs in November 2024?", "--without", "date")
    assert [filter_["field"] for filter_ in filled.json(*asked)["filters"]] == ["speaker"]


def test_search_takes_what_was_asked_before(filled):
    asked = ("search", "And", "Priya?", "--after", "What did Kelly say about tariffs?")
    assert "tariffs" in filled.json(*asked)["plan"]["text"]
    assert "tariffs" in filled.json(*asked, "--strategy", "direct")["plan"]["text"]
    assert filled.json("search", "And", "Priya?", "--strategy", "direct")["plan"] is None


@pytest.mark.parametrize(
    "command",
    [
        "ask Why did margins fall",
        "search margins",
        "plan Why did margins fall",
        "list",
        "show halden",
        "stats",
        "export halden",
        "embed",
        "eval talks/questions.yaml",
        "faq list",
        "mcp",
    ],
)
def test_an_unknown_workspace_is_distinguished_from_an_empty_one(filled, command):
    """Commands that do not create a workspace refuse an unknown one and suggest a similar name."""
    result = filled(*command.split(), "--workspace", "defualt", code=1)
    message = (
        "there is no workspace 'defualt' here: did you mean 'default'? (begin it with: onrecord add FOLDER"
    )
    assert message in result.stderr and len(result.stderr.splitlines()) == 1
    assert "there are default" in filled(*command.split(), "--workspace", "my desk", code=1).stderr
    assert filled.json("stats")["workspace"] == "default"


def test_an_unknown_workspace_is_reported_in_json_and_no_workspace_is_begun(filled):
    assert filled.json("list", "--workspace", "desk", code=1)["error"]["code"] == "not_found_error"
    assert workspaces(filled.folder / "onrecord.db") == ["default"]


def test_a_workspace_of_questions_alone_is_there(filled):
    """A workspace that has only a FAQ counts as existing."""
    (filled.folder / "faq.yaml").write_text("- question: How do I pay?\n  answer: By card.\n")
    filled("faq", "add", "faq.yaml", "--workspace", "help")
    assert filled.json("list", "--workspace", "help") == []
    assert "How do I pay?" in filled("faq", "list", "--workspace", "help").output


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--speaker", "kelly", "ask", "why"), "--speaker stands after the command"),
        (("--nope", "ask", "why"), "--nope"),
        (("Why did margins fall?",), "To ask a question: onrecord ask 'Why did margins fall?'"),
        (("why", "did", "margins", "fall"), "To ask a question: onrecord ask why did margins fall"),
        (("summarize", "episode", "41", "--json"), "To ask a question: onrecord ask summarize episode 41"),
        (("aks", "why", "did", "margins", "fall"), "Did you mean 'ask'?"),
        (("help",), "onrecord --help"),
        (("version",), "onrecord --version"),
    ],
)
def test_what_stands_in_the_wrong_place_is_put_right(shell, words, says):
    """An option before the command, or a question without a command, gets an error with the correct form."""
    result = shell(*words, code=2)
    assert says in result.stderr and ("stands after" in result.stderr) == ("stands after" in says)


@pytest.mark.parametrize("option", [("--archive", "onrecord.db"), ("--archive=onrecord.db",)])
def test_the_archive_may_be_named_before_the_command(filled, option):
    """`--archive` and `--workspace` also work before commands that take them."""
    expected = filled("list", "--archive", "onrecord.db").output
    assert filled(*option, "list").output == expected
    assert filled("--workspace", "default", *option, "list").output == expected
    assert filled(*option, "graph", "about", "Halden").output.startswith("Halden")
    assert filled(*option, "plan", "--", "why").output == filled("plan", "why").output
    assert "there is no workspace 'desk'" in filled("--workspace", "desk", "list", code=1).stderr
    assert "No such option '--archive'" in filled("--archive", "onrecord.db", "demo", code=2).stderr


@pytest.mark.parametrize(
    ("command", "option", "says"),
    [
        ("edit halden", "--title", "--set title=..."),
        ("add talks", "--show", "--set show=..."),
        ("ask why", "--episode", "--where episode=..."),
        ("list", "--guest", "--where guest=..."),
    ],
)
def test_a_detail_as_an_option_of_its_own_is_put_right(filled, command, option, says):
    """A detail such as `--title` used as an option gets an error that names `--set` or `--where`."""
    error_output = filled(*command.split(), option, "x", code=2).stderr
    assert (
        f"No such option '{option}'" in error_output
        and f"A detail of recordings is named so: {says}" in error_output
    )
    assert "named so" not in filled("ask", "why", "--speker", "x", code=2).stderr
    assert "named so" not in filled("stats", "--title", "x", code=2).stderr


def test_a_folder_of_a_faq_alone_is_asked_and_search_points_to_it(shell):
    """`ask` answers from an archive that has only a FAQ; `search` refers to `ask`."""
    (shell.folder / "faq.yaml").write_text("- question: How do I pay?\n  answer: By card.\n")
    assert "a FAQ: onrecord faq add FILE" in shell("faq", "ask", "how do i pay?", code=1).stderr
    shell("faq", "add", "faq.yaml")
    error_output = shell("ask", "how do i pay?").stderr
    assert "Its FAQ has drafts, which answer nothing until: onrecord faq promote --drafts" in error_output
    shell("faq", "promote", "--drafts")
    asked = shell("ask", "how do i pay?")
    assert "By card." in asked.stdout and not asked.stderr
    error_output = shell("search", "how to pay").stderr
    assert (
        "The archive is empty" in error_output
        and "Its FAQ has 1 entry. Ask it: onrecord ask QUESTION" in error_output
    )


def test_what_the_recordings_do_not_answer_points_to_a_faq_that_was_not_asked(filled):
    """A question without an answer mentions the FAQ if there is one and it was not asked."""
    hint = "its FAQ was not asked: onrecord ask --faq QUESTION"
    assert hint not in filled("ask", "Zebras zeppelins?").stderr
    (filled.folder / "faq.yaml").write_text("- question: Zebras zeppelins?\n  answer: By card.\n")
    filled("faq", "add", "faq.yaml", "--live")
    assert hint in filled("ask", "Zebras zeppelins?").stderr
    assert hint not in filled("ask", "--faq", "Zebras zeppelins?").stderr


def test_a_recording_is_printed_a_line_for_each_turn(shell):
    (shell.folder / "two.vtt").write_text(
        "WEBVTT\n\n00:00.000 --> 00:04.000\n<v Ann>Is the heap cold?\n\n"
        "00:04.000 --> 00:09.000\n<v Ben>It was too small.\n"
    )
    shell("add", "two.vtt")
    assert "[0:00] Ann: Is the heap cold?\n[0:04] Ben: It was too small.\n" in shell("show", "two").stdout


def test_a_table_of_details_is_no_transcript_and_how_to_add_it_is_reported(shell):
    """Adding a manifest as a transcript is refused with a reference to `--manifest`."""
    (shell.folder / "list.csv").write_text("file,title\na.txt,First\n")
    assert "add those with --manifest" in shell("add", "list.csv", code=1).stderr


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("faq.csv", "id,question,answer\npay,How do I pay?,By card.\n"),
        ("faq.json", '[{"question": "How do I pay?", "answer": "By card."}]'),
    ],
)
def test_a_faq_is_no_transcript_and_how_to_add_it_is_reported(shell, name, content):
    """Adding a FAQ file as a transcript is refused with a reference to `onrecord faq add`."""
    (shell.folder / name).write_text(content)
    assert "onrecord faq add" in shell("add", name, code=1).stderr
    assert "1 added" in shell("faq", "add", name).stdout


def test_a_faq_without_entries_says_how_to_add_them(filled):
    assert "onrecord faq add FILE --live" in filled("faq", "ask", "How do I pay?").stderr


def test_search_among_nobody_names_the_speaker_and_no_words(filled):
    """With an unknown speaker, the message names the speaker and does not also blame the words."""
    error_output = filled("search", "tariffs", "--speaker", "keley").stderr
    assert "nobody called 'keley' speaks here" in error_output and "never said" not in error_output


def test_search_that_finds_nothing_names_words_that_nobody_says(filled):
    (filled.folder / "floor.yaml").write_text("stages:\n- Keyword: {most: 5}\n- Moments: {}\n")
    result = filled("search", "zeppelins", "--strategy", "floor.yaml")
    assert result.stdout == "nothing found\n" and "'zeppelins' is never said" in result.stderr


def test_summaries_without_a_model_are_extractive_and_it_says_so(filled):
    error_output = filled("summarize", code=1).stderr
    assert "summaries made of their own sentences" in error_output and len(error_output.splitlines()) == 1
    assert "--model ollama:NAME, or llm.model in onrecord.yaml" in error_output


@pytest.mark.parametrize("command", ["ask why", "search margins", "plan why", "list"])
def test_dates_that_leave_no_day_are_reported(filled, command):
    """`--since` after `--until` is refused; overlapping periods are accepted."""
    error_output = filled(*command.split(), "--since", "2024-11-02", "--until", "2024-10", code=1).stderr
    assert "since 2024-11-02 and until 2024-10: exchange them" in error_output
    for since, until in (("2024-11-02", "2024"), ("2024", "2024-11"), ("2024-11", "2024-11-30")):
        assert "exchange" not in filled(*command.split(), "--since", since, "--until", until).stderr


def test_search_names_words_that_nobody_says(filled):
    assert "'tarouf' is never said in the recordings searched" in filled("search", "tarouf", "margins").stderr
    both = filled("search", "xylophones and zeppelins", "--speaker", "kelly").stderr
    assert both == "onrecord: 'xylophones', 'zeppelins' are never said in the recordings searched\n"


def test_a_misspelt_word_is_searched_for_as_what_was_meant_unless_switched_off(filled):
    result = filled("search", "freihgt")
    assert '"freihgt" is never said: searched for "freight" instead.' in result.stderr
    assert "freight" in result.stdout and "'freihgt'" not in result.stderr
    assert "'freihgt' is never said" in filled("search", "freihgt", "--without", "spelling").stderr
    assert "did you mean 'spelling'?" in filled("plan", "freihgt", "--without", "speling", code=1).stderr
    assert filled("search", "Which episodes talk about tariffs?").stderr == ""
    assert filled("search", "tarouf", "--json").stderr == ""


def test_a_misspelt_variable_is_reported_once_and_stops_nothing(filled, monkeypatch):
    """An unknown ONRECORD_ environment variable gives one warning, and the command still runs."""
    monkeypatch.setenv("ONRECORD_ARCHVE", "elsewhere.db")
    result = filled("list", "--json")
    message = (
        "onrecord: nothing reads the environment variable ONRECORD_ARCHVE: did you mean 'ONRECORD_ARCHIVE'?\n"
    )
    assert result.stderr == message and result.stdout.startswith("[")
    assert filled("models", "list").stderr == message
    assert filled("list", "--help").stderr == ""


def test_a_time_after_the_end_says_where_the_end_is(filled):
    assert "nothing is said there: it ends at 3:40" in filled("show", "halden", "--at", "59:00").stdout


def test_questions_in_a_folder_of_transcripts_are_distinguished(filled):
    """A file of questions in a folder of transcripts is skipped with a reference to `onrecord eval`."""
    assert "talks/questions.yaml: questions about an archive: onrecord eval" in filled("add", "talks").stdout


@pytest.mark.slow
def test_a_terminal_that_is_not_utf_8_gets_question_marks(run):
    plain = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C"}
    asked = run("ask", "Combien a coûté le réseau de chaleur ?", **plain)
    assert asked.returncode == 0 and b"L?a Fontaine" in asked.stdout
    assert run("list", **plain).returncode == run("show", "chaleur", **plain).returncode == 0
    process = run("show", "chaleur", "--json", **plain)
    assert b"L\\u00e9a Fontaine" in process.stdout  # JSON escapes characters that the terminal cannot encode


@pytest.mark.slow
def test_a_reader_that_leaves_early_is_no_error_to_print(filled):
    """A closed pipe, as with `head`, prints no error."""
    for command in ("show night-desk-41", "list", "ask Why did margins fall", "export night-desk-41"):
        line = f"{' '.join(WAY)} {command} | head -c 1"
        process = subprocess.run(line, shell=True, capture_output=True, cwd=filled.folder)
        assert process.stderr == b"" and len(process.stdout) == 1


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
def test_a_full_disk_is_reported(filled):
    for command in ("list", "list --json", "ask Why did margins fall"):
        line = f"{' '.join(WAY)} {command} > /dev/full"
        process = subprocess.run(line, shell=True, capture_output=True, cwd=filled.folder)
        assert process.returncode == 1
        assert process.stderr == b"onrecord: cannot read or write the output: No space left on device\n"


def test_a_huge_question_is_refused_and_a_huge_file_too(filled):
    assert "at most 8000 are read" in filled("ask", "why " * 5000, code=1).stderr
    (filled.folder / "questions.yaml").write_text("- text: a\n" * 2_000_000)
    assert "at most 16,000,000 are read" in filled("eval", "questions.yaml", code=1).stderr


def test_a_name_that_nobody_has_brings_the_one_it_is_part_of(filled):
    """An unknown speaker or title suggests the full name that it is part of."""
    assert "did you mean 'Brendan Kelly'?" in filled("rename", "Kelly", "B. Kelly", code=1).stderr
    assert "did you mean 'Halden Cycles, third quarter 2024" in filled("show", "Haldn Cycles", code=1).stderr


def test_an_explanation_has_what_options_narrow_to(filled):
    """`--explain` lists the filters that options set."""
    output = filled(
        "ask", "Why did margins fall?", "--speaker", "kelly", "--since", "2024", "--explain"
    ).stdout
    assert "given       speaker: kelly\n            date: 2024.." in output
    assert "given" not in filled("ask", "Why did margins fall?", "--explain").stdout


def test_a_moment_that_ends_in_the_second_it_begins_has_one_time(filled):
    """A moment that starts and ends in the same second is printed with one timestamp."""
    (filled.folder / "one.md").write_text("# Roses\n\n[00:12] Ann Bell: Roses need water in July.\n")
    filled("add", "one.md", "--archive", "one.db")
    assert filled("search", "roses", "--archive", "one.db").stdout.startswith("1. Roses  0:12\n")
