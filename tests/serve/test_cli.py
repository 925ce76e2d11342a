"""The main commands of the command line: add, ask, search, list, show, export, remove, edit and stats."""

import json
import os
import re
import signal
import subprocess
import sys

import click
import pytest
from click.testing import CliRunner

from model_server import model_server
from onrecord.serve.cli import main
from onrecord.serve.options import seconds
from onrecord.stores import open_store, workspaces


def ids(shell, *options):
    """Return the ids of the recordings that `onrecord list` prints."""
    return [r["id"] for r in shell.json("list", *options)]


def one(shell, start):
    """Return the first id that begins with `start`."""
    return next(name for name in ids(shell) if name.startswith(start))


# ---------------------------------------------------------------- add


def test_add_says_what_was_added_and_where(shell, tmp_path):
    (tmp_path / "call.txt").write_text("Ann: Margins fell because of freight.\n\nBob: How much?\n")
    out = shell("add", "call.txt").stdout
    assert "added  call-" in out
    assert "1 added, 0 changed, 0 unchanged, 0 skipped, 0 refused" in out
    assert str(tmp_path / "onrecord.db") in out


def test_adding_the_same_again_changes_nothing_and_says_so(filled):
    assert "0 added, 0 changed, 5 unchanged" in filled("add", "talks").stdout
    assert len(ids(filled)) == 5


def test_a_changed_file_replaces_its_recording(filled):
    path = filled.folder / "talks" / "night-desk-41.vtt"
    path.write_text(path.read_text().replace("Porto", "Lisbon"))
    report = filled.json("add", "talks")
    assert [r["title"] for r in report["changed"]] == ["The Night Desk 41: An expensive spring"]
    assert len(ids(filled)) == 5
    assert "Lisbon" in filled("show", "night-desk-41").stdout


def test_two_files_with_the_same_words_stay_two(shell):
    """Two files with the same text in one call stay separate recordings."""
    for name in ("one.txt", "two.txt"):
        (shell.folder / name).write_text("Ann: The very same words were said.\n")
    shell("add", "one.txt", "two.txt")
    assert len(ids(shell)) == 2


def test_a_broken_file_is_refused_and_the_others_go_in(shell):
    (shell.folder / "bad.json").write_text('{"segments": [{"start": "x", "end": 1, "text": "a"}]}')
    (shell.folder / "good.txt").write_text("Ann: All is well with the harvest this year.\n")
    result = shell("add", "bad.json", "good.txt", code=1)
    assert "bad.json, segments[0].start: expected" in result.stderr
    assert len(ids(shell)) == 1


def test_strict_stops_at_the_first_broken_file(shell):
    (shell.folder / "a.txt").write_text("")
    (shell.folder / "b.txt").write_text("Ann: All is well with the harvest this year.\n")
    shell("add", "--strict", "a.txt", "b.txt", code=1)
    assert not (shell.folder / "onrecord.db").exists()


def test_what_is_refused_begins_neither_an_archive_nor_a_workspace(filled):
    """A call that adds nothing creates no archive file and no workspace."""
    archive = filled.folder / "onrecord.db"
    (filled.folder / "a.txt").write_text("")
    before = archive.read_bytes()
    filled("add", "a.txt", "nowhere.txt", "--workspace", "desk", code=1)
    assert archive.read_bytes() == before and workspaces(archive) == ["default"]
    filled("add", "a.txt", "--archive", "new.db", code=1)
    filled("faq", "add", "a.txt", "--archive", "new.db", code=1)
    assert [path.name for path in filled.folder.iterdir() if path.name.startswith("new")] == []
    (filled.folder / "b.txt").write_text("Ann: All is well with the harvest this year.\n")
    filled("add", "a.txt", "b.txt", "--archive", "new.db", code=1)
    assert len(filled.json("list", "--archive", "new.db")) == 1


def test_set_gives_details_to_all(filled):
    """`--set` applies to every file of the call."""
    filled("add", "talks", "--set", "series=Spring", "--set", "language=en")
    assert {r["attributes"]["series"] for r in filled.json("list")} == {"Spring"}


def test_a_path_that_does_not_exist_names_what_is_near(filled):
    result = filled("add", "talkz", code=1)
    assert "talkz" in result.stderr
    assert "talks" in result.stderr


# ---------------------------------------------------------------- ask and search


def test_ask_answers_with_speaker_time_and_link(filled):
    out = filled("ask", "Why did the gross margin fall?").stdout
    assert "[1]" in out
    assert "The Night Desk 41" in out or "Halden" in out


def test_ask_as_json_has_checked_citations(filled):
    answer = filled.json("ask", "Which welding shop in Porto welds frames?")
    assert answer["verdict"] == "answered"
    assert any("Porto" in c["quote"] for c in answer["citations"])
    for citation in answer["citations"]:
        assert {"recording", "speaker", "start", "end", "link", "quote", "confidence"} <= citation.keys()


def test_explain_prints_the_trace(filled):
    output = filled("ask", "Why did margins fall?", "--explain").stdout
    assert "ms to find it" in output and "quotes chosen and checked, " in output


def test_ask_without_an_archive_says_how_to_make_one(shell):
    assert "onrecord add" in shell("ask", "Why?", code=1).stderr
    assert not (shell.folder / "onrecord.db").exists()


def test_ask_in_an_empty_archive_says_how_to_fill_it(filled):
    for name in [recording["id"] for recording in filled.json("list")]:
        filled("remove", name)
    assert "The archive is empty" in filled("ask", "Why?").output


def test_a_question_needs_no_quotes(filled):
    assert filled.json("ask", "Why", "did", "margins", "fall")["question"] == "Why did margins fall"


def test_the_default_archive_is_made_in_the_users_data_folder(shell, monkeypatch):
    monkeypatch.delenv("ONRECORD_ARCHIVE")
    monkeypatch.setenv("XDG_DATA_HOME", str(shell.folder / "data"))
    (shell.folder / "call.txt").write_text("Ann: Margins fell because of freight.\n")
    out = shell("add", "call.txt").stdout
    assert str(shell.folder / "data" / "onrecord" / "onrecord.db") in out


def test_a_question_without_words_is_refused(filled):
    assert "no words" in filled("ask", "?!", code=1).stderr


def test_errors_are_json_too_where_json_is_wanted(filled):
    """With `--json`, an error is printed as JSON."""
    error = filled.json("ask", "?!", code=1)["error"]
    assert error["code"] == "input_error"
    file = filled.folder / "file"
    file.touch()
    error = filled.json("init", "faq", str(file / "inside"), code=1)["error"]
    assert error == {
        "code": "system_error",
        "message": f"cannot read or write {file}/inside: Not a directory",
    }


def test_search_gives_moments_in_scope(filled):
    output = filled.json("search", "tariff", "--speaker", "kelly")
    assert output["moments"]
    assert all("night-desk-41" in m["recording"] for m in output["moments"])
    dated = filled.json("search", "tariff", "--since", "2024-11-20")
    assert {m["recording"][:13] for m in dated["moments"]} == {"night-desk-42"}
    where = filled.json("search", "tariff", "--where", "quarter=q3")
    assert {m["title"] for m in where["moments"]} == {"Halden Cycles, third quarter 2024 earnings call"}


def test_a_bad_date_is_refused_with_what_is_allowed(filled):
    assert "2024-03" in filled("search", "x", "--since", "March", code=1).stderr


# ---------------------------------------------------------------- list, show, export, remove, stats


def test_list_is_by_date(filled):
    dates = [r["date"] for r in filled.json("list")]
    assert dates == sorted(dates)
    assert "Harbour committee" in filled("list").stdout


def test_show_at_a_time_shows_what_is_said_then(filled):
    out = filled("show", "night-desk-41", "--at", "0:30").stdout
    assert "Brendan Kelly" in out
    assert "Thirty workshops" not in out


def test_show_takes_a_title_and_names_what_is_near(filled):
    """A recording can be named by part of its title; errors suggest similar or matching names."""
    assert "flood gate" in filled("show", "harbour committee").stdout
    assert "did you mean" in filled("show", "harbor comittee, 17 september 2024", code=1).stderr
    assert "could be any of" in filled("show", "night desk", code=1).stderr


def test_a_recording_can_be_named_by_whole_words_of_its_id(filled):
    """An id is made from the file's name, which people know even if they have changed the title."""
    filled("edit", "night-desk-41", "--set", "title=An expensive spring")
    assert "An expensive spring" in filled("show", "Desk_41").stdout
    assert "no recording" in filled("show", "desk-4", code=1).stderr


@pytest.mark.parametrize("form", ["vtt", "srt", "json", "md"])
def test_an_export_can_be_added_again(filled, form):
    name = one(filled, "night-desk-42")
    filled("export", name, "--format", form, "--output", f"copy.{form}")
    report = filled.json("add", f"copy.{form}", "--keep-both")
    before = filled.json("show", name)
    after = filled.json("show", report["added"][0]["id"])
    assert after["words"] == before["words"]
    assert set(after["speakers"]) == set(before["speakers"])


@pytest.mark.parametrize("command", [("export", "night-desk-42"), ("feedback", "export")])
def test_an_export_never_overwrites_an_archive(filled, command):
    archive = filled.json("stats")["archive"]
    refused = filled(*command, "--output", archive, code=1).stderr
    assert "an SQLite database" in refused and "name another file" in refused
    assert filled(*command, "--output", archive, "--force", code=1).stderr == refused
    assert len(ids(filled)) == 5


@pytest.mark.parametrize("command", [("export", "night-desk-42"), ("feedback", "export")])
def test_an_export_overwrites_a_file_only_if_told_to(filled, command):
    mine = filled.folder / "mine.json"
    mine.write_text("the only copy")
    refused = filled(*command, "--output", "mine.json", code=1).stderr
    assert (
        refused == "onrecord: mine.json is there already: name another file, or overwrite it with --force\n"
    )
    assert mine.read_text() == "the only copy"
    filled(*command, "--output", "mine.json", "--force")
    assert mine.read_text() != "the only copy"


def test_remove_leaves_nothing(filled):
    """A removed recording is gone from the list and from searches."""
    filled("remove", one(filled, "night-desk-42"))
    assert len(ids(filled)) == 4
    assert "mortgage" not in filled("search", "mortgage").stdout
    assert "no recording" in filled("remove", "night-desk-42", code=1).stderr


def test_stats_counts(filled):
    stats = filled.json("stats")
    assert stats["recordings"] == 5
    assert stats["model"]["name"] == "hashing"
    output = filled("stats").stdout
    assert re.search(r"recordings +5$", output, re.MULTILINE)
    assert re.search(r"bytes +\d+\.\d kB$", output, re.MULTILINE)


def test_stats_count_no_label_as_one_person_in_several_recordings(shell):
    """Speaker 1 of two recordings is nobody in particular; people count by name, however it is spelled."""
    for name, other in (("a", "Ann Bell"), ("b", "Bell, Ann"), ("c", "Bob Cray")):
        talk = f"Speaker 1: Freight got dearer in {name}.\n\n{other}: By how much?\n\n"
        (shell.folder / f"{name}.txt").write_text(talk * 2)
    (shell.folder / "d.txt").write_text("Ann Bell: Freight got cheaper.\n")
    shell("add", "a.txt", "b.txt", "c.txt", "d.txt")
    stats = shell.json("stats")
    assert (stats["recordings"], stats["speakers"], stats["unnamed"]) == (4, 2, 3)
    line = r"speakers +2, and others without a name in 3 recordings$"
    assert re.search(line, shell("stats").stdout, re.MULTILINE)
    for name in "abc":
        shell("remove", one(shell, name))
    assert re.search(r"speakers +1$", shell("stats").stdout, re.MULTILINE)


def test_stats_of_words_alone_name_no_model(shell, monkeypatch):
    monkeypatch.setenv("ONRECORD_EMBEDDING__MODEL", "none")
    (shell.folder / "a.txt").write_text("Ann: Freight got dearer.\n")
    shell("add", "a.txt")
    assert re.search(r"model +none$", shell("stats").stdout, re.MULTILINE)


def test_a_workspace_sees_only_itself(filled):
    (filled.folder / "a.txt").write_text("Ann: Freight got dearer.\n")
    other = ("--workspace", "other")
    (added,) = filled.json("add", "a.txt", *other)["added"]
    assert ids(filled, *other) == [added["id"]] and added["id"] not in ids(filled)
    moments = filled.json("search", "tariff", *other)["moments"]
    assert {moment["recording"] for moment in moments} <= {added["id"]}


# ---------------------------------------------------------------- models


def test_another_model_is_refused_with_the_command_that_embeds_anew(filled, monkeypatch):
    """An archive with vectors of another model is refused; the error gives the command to re-embed."""
    store = open_store(filled.folder / "onrecord.db")
    store.set_meta("model", {"name": "other", "fingerprint": "other/1"})
    store.close()
    for command in (("ask", "Why did margins fall?"), ("add", "talks"), ("embed",)):
        assert "onrecord embed --again --embedder hashing" in filled(*command, code=1).stderr
    filled("embed", "--again", "--embedder", "hashing")
    filled("ask", "Why did margins fall?")


def test_embed_again_gives_vectors_to_all(filled):
    assert filled.json("embed")["embedded"] == 0
    assert filled.json("embed", "--again")["embedded"] == 5


def test_what_was_added_without_a_model_is_embedded_later(shell, monkeypatch):
    (shell.folder / "call.txt").write_text("Ann: Margins fell because of freight.\n")
    monkeypatch.setenv("ONRECORD_EMBEDDING__MODEL", "none")
    shell("add", "call.txt")
    assert "freight" in shell("ask", "Which margins fell?").stdout
    monkeypatch.setenv("ONRECORD_EMBEDDING__MODEL", "hashing")
    assert shell.json("embed")["embedded"] == 1


# ---------------------------------------------------------------- help, times, terminals and signals


def test_a_mistyped_command_or_option_suggests_the_right_one():
    assert "'search'" in CliRunner().invoke(main, ["serch"]).output
    assert "Did you mean '--speaker'" in CliRunner().invoke(main, ["search", "--speeker", "x"]).output


def test_every_command_has_help():
    for name, command in main.commands.items():
        result = CliRunner().invoke(main, [name, "--help"])
        assert result.exit_code == 0
        assert command.help


def test_help_lists_every_command_once_in_its_section_with_a_whole_sentence():
    listed = CliRunner().invoke(main, ["--help"], terminal_width=80).output
    assert sorted(name for names in main.sections.values() for name in names) == sorted(main.commands)
    for title, names in main.sections.items():
        assert f"\n{title}:\n" in listed
        for name in names:
            (line,) = re.findall(rf"^  {name} +(.+)$", listed, re.MULTILINE)
            assert line.endswith(".") and (name == "graph" or not line.endswith("...")), line


def test_help_loads_nothing_heavy():
    """Help must be fast, so it imports no large packages."""
    code = (
        "import sys; from click.testing import CliRunner; from onrecord.serve.cli import main;"
        "CliRunner().invoke(main, ['--help']);"
        "print([m for m in ('numpy', 'onnxruntime', 'pydantic', 'rich', 'yaml') if m in sys.modules])"
    )
    environment = {**os.environ, "PYTHONWARNINGS": "ignore"}
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
    assert process.stdout.strip() == "[]", process.stderr


@pytest.mark.parametrize(
    ("text", "second"),
    [("12:30", 750), ("1:02:03", 3723), ("90", 90), ("90.5s", 90.5), ("12m30s", 750), ("1h", 3600)],
)
def test_times_as_people_write_them(text, second):
    """The time options accept clock times, seconds and units."""
    assert seconds(text) == second


@pytest.mark.parametrize("text", ["", "noon", "1:2:3:4", "-5"])
def test_what_is_no_time_is_refused(text):
    with pytest.raises(click.BadParameter):
        seconds(text)


def test_texts_of_transcripts_cannot_steer_the_terminal(shell):
    """Escape sequences and bidirectional controls in a transcript are not printed."""
    (shell.folder / "evil.txt").write_text("Ann: The \x1b[31mred\x1b[0m tariff \u202eis hidden.\n")
    shell("add", "evil.txt")
    for command in (("search", "tariff"), ("ask", "tariff?"), ("show", "evil"), ("list",)):
        assert "\x1b[31m" not in shell(*command).stdout
        assert "\u202e" not in shell(*command).stdout


def test_json_is_one_value(filled):
    json.loads(filled("list", "--json").stdout)


def test_a_citation_tells_what_its_speaker_is(filled):
    """A citation has the speaker's role."""
    output = filled("ask", "Why did gross margin fall by five points?").stdout
    assert re.search(r"^\[\d\] Tobias Brandt, chief financial officer, Halden Cycles, ", output, re.MULTILINE)
    answer = filled.json("ask", "Why did gross margin fall by five points?")
    roles = {c["speaker"]: c["role"] for c in answer["citations"]}
    assert roles["Tobias Brandt"] == "chief financial officer"
    halden = next(r for r in filled.json("list") if r["id"].startswith("halden"))
    assert halden["roles"]["Ingrid Halden"] == "chief executive officer" and "Operator" not in halden["roles"]


def test_who_interrupts_sees_what_is_kept(filled, monkeypatch):
    """An interrupted command exits with 130; `add` says that finished work is saved and how much is left."""

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("onrecord.archive.Archive.add", interrupted)
    message = "onrecord: stopped; what was done before is kept, and the same command goes on from there\n"
    assert filled("add", "talks", code=130).stderr == message

    def interrupted_later(*_, progress, **__):
        progress(1, 4, "b.vtt")
        raise KeyboardInterrupt

    monkeypatch.setattr("onrecord.archive.Archive.add", interrupted_later)
    assert filled("add", "talks", code=130).stderr == message.replace("stopped", "stopped with 3 of 4 left")
    monkeypatch.setattr("onrecord.archive.Archive.stats", interrupted)
    assert filled("stats", code=130).stderr == "onrecord: stopped\n"


def test_a_detail_that_nothing_gives_any_more_is_named(shell):
    """Adding a file again without a detail from the first call removes the detail and reports it."""
    (shell.folder / "ferry.txt").write_text("Ann: The ferry is late.\n\nBob: It is always late.\n")
    shell("add", "ferry.txt", "--set", "link=https://a.example/ferry", "--set", "show=Harbour")
    again = shell("add", "ferry.txt")
    assert "changed" in again.stdout and "ferry.txt: nothing gives its link, show any more" in again.stderr
    shell("edit", "ferry", "--set", "link=https://a.example/ferry")
    (shell.folder / "ferry.txt").write_text("Ann: The ferry is late.\n\nBob: It never comes.\n")
    assert "nothing gives" not in shell("add", "ferry.txt").stderr


def test_a_refused_name_stays_on_one_line(shell):
    """A line break in a file name must not break the output into more lines."""
    (shell.folder / "two\nlines.txt").write_text("")
    assert len(shell("add", "two\nlines.txt", code=1).stderr.splitlines()) == 1
    (shell.folder / "one\nid: two.txt").write_text("Hello.\n")
    shell("add", "one\nid: two.txt")
    assert " 1 word " in shell("list").stdout
    lines = shell("show", "one").stdout.splitlines()
    assert next(line for line in lines if "two.txt" in line).startswith("  from: ")


def test_an_empty_name_of_an_archive_is_not_the_default_one(filled):
    """An empty `--archive` is an error and does not fall back to the default archive."""
    for command in (("list",), ("add", "talks"), ("mcp",), ("serve",)):
        assert "name a file, or leave the option out" in filled(*command, "--archive", "", code=2).stderr


def test_who_terminates_a_stream_is_informed_that_it_is_not_whole(filled):
    """SIGTERM during a streamed answer ends the model call and says that the answer is incomplete."""
    draft = "The tariff on imported aluminium frames went from six to twenty-five percent [Source 1]. "
    with model_server(draft * 200, pieces=20, pause=0.05) as model:
        command = [sys.executable, "-m", "onrecord", "ask", "Why did margins fall?", "--model", "tiny"]
        own = {"ONRECORD_LLM__BASE_URL": model.base_url, "ONRECORD_LLM__TOKENS": "9000"}
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        with subprocess.Popen(command, cwd=filled.folder, env={**os.environ, **own}, **pipes) as process:
            first = ""
            while "tariff" not in first:
                first += process.stdout.read(1)
            process.send_signal(signal.SIGTERM)
            _, err = process.communicate(timeout=20)
        assert model.gone.wait(5), "the model writes on for nobody"
    assert process.returncode == 143
    assert err == "onrecord: stopped before the answer was whole: ask again for the rest of it\n"


def test_programs_get_an_end_as_json(filled, monkeypatch):
    """With `--json`, SIGTERM is reported as a JSON error, and the previous signal handler is restored."""

    def ended(*_, **__):
        signal.raise_signal(signal.SIGTERM)

    before = signal.getsignal(signal.SIGTERM)
    monkeypatch.setattr("onrecord.archive.Archive.stream", ended)
    assert filled.json("ask", "Why?", code=143)["error"] == {"code": "stopped", "message": "stopped"}
    assert signal.getsignal(signal.SIGTERM) == before


# ---------------------------------------------------------------- editing recordings and renaming speakers


def test_details_of_a_recording_are_changed(filled):
    out = filled(
        "edit", "night-desk-41", "--set", "title=Dear frames", "--set", "tags=tariffs; freight"
    ).stdout
    assert out.startswith("changed night-desk-41") and "Dear frames" in out
    (recording,) = filled.json("list", "--where", "tags=freight")
    assert recording["title"] == "Dear frames" and recording["date"] == "2024-11-14"
    filled("edit", "Dear frames", "--unset", "date")
    assert filled.json("list", "--where", "tags=freight")[0]["date"] is None
    error_output = filled("edit", "Dear frames", "--set", "date=someday", code=1).stderr
    assert "date=someday" in error_output
    assert "NAME=VALUE" in filled("edit", "Dear frames", "--set", "date", code=1).stderr


def test_a_speaker_is_renamed(filled):
    changed = filled.json("rename", "Mara Lindqvist", "Mara Lind")["changed"]
    assert len(changed) == 2 and all("Mara Lind" in r["speakers"] for r in changed)
    out = filled("rename", "Mara Lind", "Mara L", "--recording", "night-desk-41").stdout
    assert out.count("changed") == 1 and "Mara L" in out
    assert "did you mean 'Mara L'" in filled("rename", "Mara", "X", code=1).stderr
