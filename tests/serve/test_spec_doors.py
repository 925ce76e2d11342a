"""Rows of docs/spec.md work the same in the library, the command line and the server.

These rows have other tests that check internals. All three interfaces read the same environment variables.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from starlette.testclient import TestClient

import onrecord
from model_server import ModelServer, model_server
from onrecord.answer.render import to_json
from onrecord.errors import OnRecordError
from onrecord.serve.cli import main
from onrecord.serve.http import Tenants, create_app
from onrecord.types import FaqEntry, Form, Scope

EXAMPLES = Path(onrecord.__file__).parent / "examples"
RECIPES = Path(onrecord.__file__).parent / "recipes"
WHY = "Why did margins fall?"
Reply = dict[str, Any]


class Doors:
    """The three interfaces to one archive."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.path, self.set = folder / "talks.db", monkeypatch.setenv
        monkeypatch.chdir(folder)
        self.settings(embedding__model="hashing", rerank__model="none", cache__results="0")

    def settings(self, **values: str) -> None:
        """Set environment variables that all three interfaces read."""
        for name, value in values.items():
            self.set(f"ONRECORD_{name.upper()}", value)

    def line(self, *words: str) -> Reply:
        """Run a command with `--json` and return its value."""
        done = CliRunner().invoke(main, [*words, "--archive", str(self.path), "--json"])
        assert done.exit_code == 0, done.output
        reply: Reply = json.loads(done.stdout)
        return reply

    def post(self, path: str, **body: Any) -> Reply:
        """Send a request to a new server on the archive and return the JSON of its reply."""
        with TestClient(create_app(Tenants(("default",), lambda _: onrecord.open(self.path)))) as client:
            reply = client.post(path, json=body)
        assert reply.status_code == 200, reply.text
        value: Reply = reply.json()
        return value

    def ask(self, question: str, strategy: str = "auto", form: Form | None = None) -> list[Reply]:
        """Return the answers of the library, the command line and the server."""
        with onrecord.open(self.path) as archive:
            own = to_json(archive.ask(question, strategy, form=form))
        form_options = ["--context", str(form.context)] if form else []
        form_body = {"form": {"context": form.context}} if form else {}
        return [
            own,
            self.line("ask", question, "--strategy", strategy, *form_options),
            self.post("/api/ask", question=question, strategy=strategy, **form_body),
        ]

    def faq(self, question: str) -> list[Reply]:
        """Return the stage and the FAQ answer from each of the three interfaces."""
        with onrecord.open(self.path) as archive:
            hit = archive.faq.ask(question)
        replies = [self.line("faq", "ask", question), self.post("/api/faq", question=question)]
        return [
            {"stage": hit.stage, "answer": hit.answer},
            *({name: each[name] for name in ("stage", "answer")} for each in replies),
        ]


@pytest.fixture
def doors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Doors:
    """Return the interfaces to an archive with the examples and two live FAQ entries."""
    all_doors = Doors(tmp_path, monkeypatch)
    with onrecord.open(all_doors.path, make=True) as archive:
        archive.add(EXAMPLES)
        archive.faq.add(FaqEntry("reset", "How can I reset my password?", "Click on it."), live=True)
        archive.faq.add(FaqEntry("delete", "How can I delete my account?", "Write to us."), live=True)
    return all_doors


def one(replies: list[Reply], *fields: str) -> Reply:
    """Check that all replies agree in these fields, and return the first reply."""
    for reply in replies[1:]:
        for field in fields:
            assert reply[field] == replies[0][field], field
    return replies[0]


SAME = ("text", "verdict", "citations", "sections", "tokens", "suggestions")


@pytest.mark.parametrize(
    ("rows", "strategy", "stages"),
    [
        ("A3 A5", "direct", "Threshold Grouped"),
        ("A10 B6", "comparison", "Balance Diverse"),
        ("A14 D2", "exploratory", "Expand"),
        ("A15 B2 B5", "talks", "Rerank"),
        ("B3", "retrieval", "Threshold Diverse"),
        ("D3 D5", "thorough", "Iterate Correct"),
        ("D6", "research", "Rerank Weigh"),
        ("E2 E3", "calls", "DropIrrelevant Important Neighbours FillGaps"),
        ("E4", "section", "Sections"),
        ("E5 F7", "full", "Full"),
    ],
)
def test_stages_run_from_every_door(
    doors: Doors, rows: str, strategy: str, stages: str, tmp_path: Path
) -> None:
    """The stages of a strategy run and give the same answer in all interfaces."""
    if "Rerank" in stages:
        doors.settings(rerank__model="minilm", rerank__milliseconds="60000")
    if strategy == "retrieval":
        doors.settings(retrieval__keep="4")
    if strategy in ("talks", "research", "calls"):
        recipe = "earnings" if strategy == "calls" else strategy
        doors.settings(strategies=str(RECIPES / recipe / "strategies"))
    replies = doors.ask(WHY, strategy)
    assert one(replies, *SAME)["citations"], rows
    for reply in replies:
        ran = {step["stage"].partition("(")[0].partition(",")[0] for step in reply["trace"]}
        assert set(stages.split()) <= ran, rows


def test_exact_words_and_numbers_are_found(doors: Doors, tmp_path: Path) -> None:
    """Row A12: part numbers, which an embedder does not capture, are matched by words."""
    (tmp_path / "valves.md").write_text("Ann Lee: Order part ZX-4417 again.\n\nBo Lund: We ran out of it.\n")
    with onrecord.open(doors.path) as archive:
        archive.add(tmp_path / "valves.md")
    citations = one(doors.ask("Who spoke of ZX-4417?"), *SAME)["citations"]
    assert "ZX-4417" in citations[0]["quote"]


def test_words_around_quotes_and_what_to_ask_next(doors: Doors) -> None:
    """Rows D15, F3: quotes have context words, and an unanswered question has suggestions."""
    answer = one(doors.ask(WHY, form=Form(context=9)), *SAME, "retrieved", "cited")
    assert any(citation.get("before") for citation in answer["citations"])
    assert one(doors.ask("What is the capital of Peru?"), *SAME)["suggestions"]


def test_a_fault_has_its_name_and_its_budget_is_shown(doors: Doors) -> None:
    """Rows B12, B13: an error names its cause, and answers include their time budgets."""
    with onrecord.open(doors.path) as archive, pytest.raises(OnRecordError, match="nonsense"):
        archive.ask(WHY, "nonsense")
    failed = CliRunner().invoke(main, ["ask", WHY, "--strategy", "nonsense", "--archive", str(doors.path)])
    assert failed.exit_code == 1 and "nonsense" in failed.stderr
    with TestClient(create_app(Tenants(("default",), lambda _: onrecord.open(doors.path)))) as client:
        reply = client.post("/api/ask", json={"question": WHY, "strategy": "nonsense"})
    assert reply.status_code in (400, 404, 422) and "nonsense" in reply.json()["error"]["message"]
    with onrecord.open(doors.path) as archive:
        assert {"search", "total"} <= archive.ask(WHY).budgets.keys()
    explained = CliRunner().invoke(main, ["ask", WHY, "--explain", "--archive", str(doors.path)]).stdout
    assert re.search(r"search \d+ of 50 ms.* total \d+ of 5000 ms", explained)
    shown = doors.post("/api/ask", question=WHY)["budgets"]
    assert {"search", "total"} <= {budget["stage"] for budget in shown}


def test_a_call_by_company_year_and_quarter(doors: Doors, tmp_path: Path) -> None:
    """Rows E1, F7: company, year and quarter are options and request fields; two calls can be compared."""
    for quarter, expected in (("Q1", "nine"), ("Q2", "twelve")):
        details = (
            f"---\ntitle: Alder call {quarter}\ncompany: Alder Bank\nyear: 2024\nquarter: {quarter}\n---\n\n"
        )
        text = f"Ann Lee: Credit losses were {expected} million in the quarter.\n\nBo Lund: Thank you.\n"
        (tmp_path / f"alder-{quarter}.md").write_text(details + text)
    with onrecord.open(doors.path) as archive:
        archive.add(tmp_path / "alder-Q1.md", tmp_path / "alder-Q2.md")
        scope = Scope(attributes={"company": "alder", "year": "2024", "quarter": "Q2"})
        own = to_json(archive.ask("What were credit losses?", scope=scope))
    fields = {"company": "alder", "year": "2024", "quarter": "Q2"}
    options = [word for name, value in fields.items() for word in (f"--{name}", value)]
    by_line = doors.line("ask", "What were credit losses?", *options)
    by_post = doors.post("/api/ask", question="What were credit losses?", **fields)
    assert "twelve million" in one([own, by_line, by_post], *SAME)["text"] and "nine" not in own["text"]
    both = one(doors.ask("Compare the two Alder calls"), *SAME)
    assert "nine million" in both["text"] and "twelve million" in both["text"]


# ---------------------------------------------------------------- answers of a language model

DRAFT = (
    "## Margins\n\nThe tariff on **imported aluminium frames** went from six to twenty-five percent "
    "[Source 1]. Dragons bought the company for 99 billion dollars [Source 1]."
)


def writes(body: Reply) -> str:
    """Return the draft for an answer request, and an empty list of verdicts for a check."""
    return '{"verdicts": []}' if "tools" in body or "response_format" in body else DRAFT


def drafts(server: ModelServer) -> list[Reply]:
    """Return the messages of the requests that asked the model to write an answer."""
    return [
        body["messages"] for body in server.asked if "tools" not in body and "response_format" not in body
    ]


def test_an_answer_is_written_alike(doors: Doors) -> None:
    """Rows A6, A7, B7, B8, D16, F1: all interfaces send one prompt and return one text.

    A sentence that no source supports is left out.
    """
    with model_server(writes) as server:
        doors.settings(llm__model="small", llm__base_url=server.base_url, llm__markdown="true")
        doors.settings(
            answer__style="sources", llm__instructions="Be a dry-witted host.", llm__temperature="0.7"
        )
        answer = one(doors.ask(WHY, "balanced"), *SAME, "unsupported")
        first, *others = drafts(server)
    assert answer["text"].startswith("## Margins") and "[Source 1]" in answer["text"]
    assert "Dragons" not in answer["text"] and answer["unsupported"]
    assert len(others) == 2 and others == [first, first]
    assert "Be a dry-witted host." in json.dumps(first) and "The Night Desk 41" in json.dumps(first)
    assert all(body.get("temperature") == 0.7 for body in server.asked[:1])


def test_a_question_has_so_many_calls(doors: Doors) -> None:
    """Row F2: `llm.calls` limits the model calls of a question."""
    with model_server(writes) as server:
        doors.settings(llm__model="small", llm__base_url=server.base_url, llm__calls="1")
        one(doors.ask(WHY, "balanced"), *SAME)
        assert len(server.asked) == len(drafts(server)) == 3, "none is left to check with"


# ---------------------------------------------------------------- the FAQ


@pytest.mark.parametrize(
    ("rows", "settings", "fault", "stage", "answer"),
    [
        ("C1", {}, "none", "embedding_high", "Click on it."),
        ("C1", {"faq__low": "0.9999", "faq__high": "1"}, "none", "embedding_too_low", None),
        ("C2", {"faq__low": "0", "faq__high": "1"}, "none", "rerank_hit", "Click on it."),
        ("C3", {"faq__low": "0", "faq__high": "1"}, "html", "rerank_none", None),
        ("C7", {"faq__low": "0", "faq__high": "1"}, "", "rerank_hit", "Click on it."),
    ],
)
def test_the_faq_decides_alike(
    doors: Doors, rows: str, settings: dict[str, str], fault: str, stage: str, answer: str | None
) -> None:
    """The FAQ gives the same stage and answer in all interfaces, with and without a model."""
    with model_server("PICK: 1\nREASON: It is about resetting a password.", fault or "none") as server:
        doors.settings(**settings, faq__cache_seconds="0")
        if fault:
            doors.settings(llm__model="small", llm__base_url=server.base_url)
        question = "Who runs the shop?" if stage == "embedding_too_low" else "How can I reset my password?"
        assert doors.faq(question) == [{"stage": stage, "answer": answer}] * 3, rows


def test_a_ready_answer_is_remembered_until_a_change_and_counted(doors: Doors) -> None:
    """Rows C4, C9: all interfaces share the FAQ cache and its usage counts; a change empties the cache."""
    first, *others = doors.faq("How can I reset my password?")
    assert first["stage"] == "embedding_high" and [each["stage"] for each in others] == ["cache", "cache"]
    doors.line("faq", "retire", "delete")
    assert [each["stage"] for each in doors.faq("How can I reset my password?")][:2] == [
        "embedding_high",
        "cache",
    ]
    with onrecord.open(doors.path) as archive:
        (day,) = archive.faq.costs()
    line = doors.line("faq", "costs")
    assert (day.asked, day.cached) == (6, 4) and "6" in json.dumps(line)
