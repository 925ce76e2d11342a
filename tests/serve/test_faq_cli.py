"""The command `onrecord faq`."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from onrecord.serve import faq_cli
from onrecord.serve.cli import main
from onrecord.serve.http import running

CSV = """question,answer,variants,tags,link
How can I reset the password?,Click on it.,password forgotten|change my password,account,
When does your shop open?,At nine.,opening hours of the shop,,https://example.org/hours
How can I delete the account?,Write to us.,close account,account,
"""
LABELLED = """question,entry
password forgotten please,how-can-i-reset-the-password
change password,how-can-i-reset-the-password
opening hours today,When does your shop open?
when opens your shop,when-does-your-shop-open
delete account,how-can-i-delete-the-account
close account please,how-can-i-delete-the-account
Which bands played yesterday?,none
Tell me some joke,oos
What will tomorrow bring?,
"""


class Faqs:
    """The command `onrecord faq`, run with an embedder that needs no weights."""

    def __init__(self, shell: Any) -> None:
        self.shell, self.folder = shell, shell.folder
        (self.folder / "faq.csv").write_text(CSV)
        (self.folder / "labelled.csv").write_text(LABELLED)

    def __call__(self, *words: str, code: int = 0) -> Result:
        return self.shell("faq", *words, code=code)  # type: ignore[no-any-return]

    def json(self, *words: str, code: int = 0) -> Any:
        return self.shell.json("faq", *words, code=code)


@pytest.fixture
def faqs(shell: Any) -> Faqs:
    return Faqs(shell)


def test_from_a_file_to_an_answer(faqs: Faqs) -> None:
    added = faqs("add", "faq.csv")
    assert "3 added, 0 changed, 0 unchanged" in added.stdout and "3 are drafts" in added.stderr
    assert "no entries to answer from" in faqs("ask", "password forgotten").stdout
    assert faqs("promote", "how-can-i-reset-the-password").stdout.splitlines()[-1] == "1 live"
    assert faqs("ask", "password forgotten").stdout == "Click on it.\n"
    assert "2 live" in faqs("promote", "--drafts").stdout
    assert faqs("ask", "opening hours of the shop").stdout == "At nine.\nhttps://example.org/hours\n"
    assert "1 retired" in faqs("retire", "when-does-your-shop-open").stdout
    assert [line.split()[0] for line in faqs("list").stdout.splitlines()] == ["live", "retired", "live"]
    assert "3 unchanged" in faqs("add", "faq.csv", "--live").stdout
    assert [e["id"] for e in faqs.json("list", "--status", "retired")] == ["when-does-your-shop-open"]
    assert "1 removed" in faqs("remove", "when-does-your-shop-open").stdout
    assert len(faqs.json("list")) == 2


def test_live_at_once_and_asking_back(faqs: Faqs) -> None:
    assert len(faqs.json("add", "faq.csv", "--live")["added"]) == 3
    back = faqs("ask", "Which bands played yesterday?").stdout.splitlines()
    assert len(back) >= 3 and back[1].startswith("- ")
    explained = faqs("ask", "password forgotten", "--explain").stdout
    assert "stage embedding_high, score 0.9" in explained and "(how-can-i-reset-the-password)" in explained
    value = faqs.json("ask", "password forgotten")
    assert list(value) == ["answer", "entry", "stage", "score", "candidates", "clarify"]
    assert value["stage"] == "cache"


def test_one_entry(faqs: Faqs) -> None:
    faqs("add", "faq.csv")
    shown = faqs("show", "when-does-your-shop-open").stdout
    assert "  or: opening hours of the shop" in shown and "status: draft" in shown
    assert faqs.json("show", "when-does-your-shop-open")["answer"] == "At nine."


def test_what_is_mistyped_or_not_there(faqs: Faqs) -> None:
    """Mistyped entries, missing files and wrong arguments get clear errors."""
    faqs("add", "faq.csv")
    assert "no FAQ entry" in faqs("promote", "how-can-i-reset-the-passwort", code=1).stderr
    assert "how-can-i-reset-the-password" in faqs("retire", "how-can-i-reset-the-passwort", code=1).stderr
    assert faqs.json("show", "nothing", code=1)["error"]["code"] == "not_found_error"
    assert "name what to promote" in faqs("promote", code=2).stderr
    assert "name what to promote" in faqs("promote", "--drafts", "--all", code=2).stderr
    assert "none.csv: no such file" in faqs("add", "none.csv", code=1).stderr
    (faqs.folder / "bad.csv").write_text("question,answer\nWhat?,\n")
    assert "bad.csv, line 2, answer" in faqs("add", "bad.csv", code=1).stderr
    assert "give both" in faqs("thresholds", "0.9", code=2).stderr
    assert "or --reset alone" in faqs("thresholds", "0.9", "0.2", "--reset", code=2).stderr
    assert "at most" in faqs("thresholds", "0.2", "0.9", code=1).stderr


def test_without_an_embedding_model(faqs: Faqs, monkeypatch: pytest.MonkeyPatch) -> None:
    faqs("add", "faq.csv")
    monkeypatch.setenv("ONRECORD_EMBEDDING__MODEL", "none")
    error = faqs.json("ask", "How can I reset the password?", code=1)["error"]
    assert error["code"] == "embedding_error" and "needs an embedding model" in error["message"]


def test_workspaces(faqs: Faqs) -> None:
    faqs("add", "faq.csv", "--live", "--workspace", "acme")
    assert "there is no workspace 'default' here: there are acme" in faqs("list", code=1).stderr
    (faqs.shell.folder / "a.txt").write_text("Ann: Freight got dearer.\n")
    faqs.shell("add", "a.txt")
    assert faqs.json("list") == []
    assert faqs.json("ask", "password forgotten", "--workspace", "acme")["answer"] == "Click on it."
    assert faqs.json("ask", "password forgotten")["stage"] == "no_candidates"


def test_costs(faqs: Faqs) -> None:
    faqs("add", "faq.csv", "--live")
    for _ in range(2):
        faqs("ask", "password forgotten")
    costs = faqs.json("costs")
    (day,) = costs["days"]
    assert (day["asked"], day["cached"], day["cache_hit_rate"], day["cost"]) == (2, 1, 0.5, 0)
    assert costs["currency"] == "USD"
    assert faqs.shell.json("stats", "--costs")["faq"] == [day]
    head, line = faqs("costs").stdout.splitlines()
    assert head.split()[:2] == ["day", "asked"] and line.split()[1:3] == ["2", "50.0%"]
    assert faqs.shell("stats", "--costs").stdout.splitlines()[-2:] == [head, line]


# ---------------------------------------------------------------- thresholds


def test_calibrate_proposes_and_writes(faqs: Faqs) -> None:
    faqs("add", "faq.csv", "--live")
    shown = faqs("calibrate", "labelled.csv", "--plot", "curves.svg").stdout
    assert "9 questions, 6 of which an entry answers; AUROC 1.000" in shown
    assert "P precision" in shown and "S stage two" in shown
    assert "<svg" in (faqs.folder / "curves.svg").read_text()
    assert faqs.json("thresholds") == {"high": 0.8, "low": 0.2}
    head, *rows = LABELLED.splitlines()
    (faqs.folder / "many.csv").write_text("\n".join([head, *rows * 13]))
    value = faqs.json("calibrate", "many.csv", "--write")
    proposed = value["proposed"]
    assert proposed["precision"]["value"] == proposed["answered"]["value"] == 1
    assert 0 < proposed["precision"]["interval"][0] < proposed["precision"]["interval"][1] == 1
    assert faqs.json("thresholds") == {"high": proposed["high"], "low": proposed["low"]}
    assert value["forecast"]["between"]["value"] <= 1
    assert "answers at once from 0.8 on" in faqs("thresholds", "--reset").stdout
    assert faqs.json("thresholds", "0.9", "0.1") == {"high": 0.9, "low": 0.1}


def test_a_label_that_no_entry_has_is_reported_with_the_nearest(faqs: Faqs) -> None:
    faqs("add", "faq.csv", "--live")
    (faqs.folder / "misspelt.csv").write_text("question,entry\nx,how-can-i-reset-the-pasword\n")
    error_output = faqs("calibrate", "misspelt.csv", code=1).stderr
    assert "did you mean 'how-can-i-reset-the-password'?" in error_output


def test_calibrate_writes_nothing_from_a_handful_of_questions(faqs: Faqs) -> None:
    faqs("add", "faq.csv", "--live")
    few = "too few questions: the proposed thresholds answer 6 of them at once, and it takes 73"
    assert few in faqs("calibrate", "labelled.csv").stderr
    refused = faqs("calibrate", "labelled.csv", "--write", code=1).stderr
    assert few in refused and "nothing is written: 0.8 and 0.2 stay in force" in refused
    assert faqs.json("thresholds") == {"high": 0.8, "low": 0.2}
    measured = faqs.json("calibrate", "labelled.csv")
    assert (measured["within_reach"], measured["enough"], measured["needed"]) == (True, False, 73)


def test_calibrate_where_nothing_is_right(faqs: Faqs) -> None:
    """When no threshold reaches the precision, `--write` makes the FAQ answer nothing directly."""
    faqs("add", "faq.csv", "--live")
    (faqs.folder / "wrong.csv").write_text("question,entry\npassword forgotten,none\n")
    assert "a precision of 95% cannot be reached" in faqs("calibrate", "wrong.csv", code=1).stderr
    assert faqs.json("thresholds") == {"high": 0.8, "low": 0.2}
    result = faqs("calibrate", "wrong.csv", "--write")
    assert "everything is asked back" in result.stderr
    assert faqs.json("thresholds") == {"high": 1.0, "low": 1.0}


def test_calibrate_with_a_label_that_is_none(faqs: Faqs) -> None:
    """A label that no entry has is refused."""
    faqs("add", "faq.csv", "--live")
    (faqs.folder / "wrong.csv").write_text("question,entry\npassword forgotten,pasword\n")
    assert "labelled with 'pasword'" in faqs("calibrate", "wrong.csv", code=1).stderr


def test_a_plot_that_cannot_be(faqs: Faqs, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong file type or a missing matplotlib is reported for `--plot`, before any work."""
    faqs("add", "faq.csv", "--live")
    assert "ends in .png or .svg" in faqs("calibrate", "labelled.csv", "--plot", "curves.bmp", code=1).stderr
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    refused = faqs("calibrate", "labelled.csv", "--plot", "curves.png", code=1)
    assert "pip install 'onrecord[plot]'" in refused.stderr and not refused.stdout


# ---------------------------------------------------------------- serving


def test_serve_answers_for_the_workspaces_named(faqs: Faqs, monkeypatch: pytest.MonkeyPatch) -> None:
    faqs("add", "faq.csv", "--live", "--workspace", "acme")
    seen: dict[str, Any] = {}

    def run(open_archive: Any, names: tuple[str, ...], host: str, port: int) -> None:
        seen.update(names=names, host=host, port=port)
        for name in names:
            with open_archive(name) as archive:
                seen["answers", name] = archive.faq.ask("password forgotten").answer

    monkeypatch.setattr(running, "run", run)
    result = CliRunner().invoke(main, ["serve", "--workspace", "acme", "--workspace", "b", "--port", "9000"])
    assert result.exit_code == 0, result.output
    assert seen == {
        "names": ("acme", "b"),
        "host": "127.0.0.1",
        "port": 9000,
        ("answers", "acme"): "Click on it.",
        ("answers", "b"): None,
    }


def test_help_is_quick_to_load() -> None:
    """Importing the command must be fast, so it imports no large packages."""
    assert isinstance(faq_cli.faq, click.Group)
    heavy = "('numpy', 'fastapi', 'yaml')"
    code = f"import sys, onrecord.serve.faq_cli; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
