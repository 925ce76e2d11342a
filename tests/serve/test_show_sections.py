"""The sections that `onrecord show` prints."""

import pytest

from conftest import Shell
from onrecord.serve.recordings_cli import print_sections
from onrecord.types import Section


def test_sections_are_shown_with_times_kinds_and_summaries(filled: Shell) -> None:
    out = filled("show", "halden", "--sections").stdout
    assert "1:49  Questions and answers  (qa)" in out
    assert "    1:49-2:26  Questions by Claire Dumont  (exchange)" in out
    assert "Our dealers began the summer with too much stock" in out
    assert "Operator:" not in out


def test_a_section_whose_start_is_not_known_is_shown_until_its_end(
    capsys: pytest.CaptureFixture[str],
) -> None:
    print_sections(
        [Section("Freight", None, 130.0), Section("Tariffs", 130.0, None), Section("Rates", None, None)]
    )
    out = capsys.readouterr().out
    assert "until 2:10  Freight" in out and "\n  2:10  Tariffs" in out
    assert "until" not in out.split("Freight")[1]


def test_the_whole_recording_begins_with_its_sections(filled: Shell) -> None:
    out = filled("show", "halden").stdout
    assert out.index("(opening)") < out.index("# Opening") < out.index("Operator:")
    assert "(opening)" not in filled("show", "halden", "--at", "0:30").stdout


def test_one_section_is_shown_by_its_title_or_path(filled: Shell) -> None:
    for title in ("questions and answers", "Questions and answers > Questions by Claire Dumont"):
        out = filled("show", "halden", "--section", title).stdout
        assert "Claire Dumont:" in out and "All lines are muted" not in out and "(opening)" not in out
    missing = filled("show", "halden", "--section", "Question and answer", code=1)
    assert "did you mean 'Questions and answers'?" in missing.stderr


def test_sections_for_programs(filled: Shell) -> None:
    """With `--json`, each section has its kind, times, first and last passage, tokens and summary."""
    output = filled.json("show", "halden", "--sections")
    assert output["passages"] == 8  # with --sections, the number of passages
    assert output["sections"][0] == {
        "title": "Opening",
        "kind": "opening",
        "under": None,
        "start": 2.0,
        "end": 18.0,
        "first": 0,
        "last": 0,
        "tokens": 59,
        "summary": output["sections"][0]["summary"],
    }
    whole = filled.json("show", "halden")
    assert whole["sections"] == output["sections"]
    assert 0 < whole["passages"][1]["importance"] <= 1


def test_a_recording_without_sections_says_so(shell: Shell) -> None:
    (shell.folder / "short.txt").write_text("Ann: Yes.\n\nBo: No.\n")
    shell("add", "short.txt")
    assert "it has no sections" in shell("show", "short", "--sections").stdout


def test_a_section_narrows_a_question_by_its_kind(filled: Shell) -> None:
    output = filled.json("search", "tariff", "--section", "qa")
    assert {moment["passages"][0]["section"] for moment in output["moments"]} <= {
        "Questions by Claire Dumont",
        "Questions by Sam Okafor",
    }
    assert output["moments"]
