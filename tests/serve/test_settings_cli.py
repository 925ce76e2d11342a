"""The command `onrecord settings`, and a two-stage search that is configured by settings alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from onrecord.archive import open as opened
from onrecord.strategies import two_stage_strategy
from onrecord.types import INTENTS, Evidence, Plan, Question, QuestionHints

if TYPE_CHECKING:
    from conftest import Shell


def test_a_setting_is_reported_with_where_it_comes_from(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    (shell.folder / "onrecord.yaml").write_text("answer: {style: sources}\n")
    monkeypatch.setenv("ONRECORD_LLM__TEMPERATURE", "0.3")
    settings = {one["name"]: one for one in shell.json("settings")}
    assert settings["answer.style"]["value"] == "sources"
    assert settings["answer.style"]["origin"] == str(shell.folder / "onrecord.yaml")
    assert settings["llm.temperature"] == {
        "name": "llm.temperature",
        "value": 0.3,
        "origin": "ONRECORD_LLM__TEMPERATURE",
        "meaning": "how freely it words an answer; empty: the least",
        "variable": "ONRECORD_LLM__TEMPERATURE",
        "allowed": "a number from 0 to 2",
    }
    changed = {one["name"] for one in shell.json("settings", "--changed")}
    assert changed == {"archive", "embedding.model", "answer.style", "llm.temperature"}
    shown = shell("settings", "answer").output
    assert f"answer.style = sources   ({shell.folder / 'onrecord.yaml'})\n    how citations" in shown
    assert "answer.quotes = 5   (default)\n    quotes at most" in shown
    assert "answer.style" not in shell("settings", "llm").output
    assert "did you mean 'answer.style'?" in shell("settings", "answer.stile", code=1).output


def test_figures_alone_make_the_strategy_that_is_taken(filled: Shell) -> None:
    """Settings below `retrieval` define the default strategy; an explicit strategy overrides them."""
    file = filled.folder / "onrecord.yaml"
    file.write_text("retrieval: {top_k: 9, final_k: 4, diversity: 0.1}\n")
    trace = filled.json("ask", "Why did margins fall?")["trace"]
    stages = " ".join(step["stage"] for step in trace)
    assert "Passages(most=9)" in stages and "Diverse(diversity=0.1, most=4)" in stages
    assert "retrieval" in filled("strategies").output
    named = filled.json("ask", "Why did margins fall?", "--strategy", "fast")["trace"]
    assert "Passages(most=9)" not in " ".join(step["stage"] for step in named)
    file.write_text("strategy: fast\nretrieval: {top_k: 9}\n")
    trace = filled.json("ask", "Why did margins fall?")["trace"]
    assert "Passages(most=9)" not in " ".join(step["stage"] for step in trace)


def test_a_threshold_for_an_intent_goes_before_that_of_the_strategy(filled: Shell) -> None:
    """A threshold for the intent of the question overrides the threshold of the strategy."""
    strategy = two_stage_strategy(floor=-1, keep=9)
    question = Question("Why did margins fall?")
    path = filled.folder / "onrecord.db"
    for thresholds, most in (({}, 9), ({"causal": 1.0}, 3), ({"summary": 1.0}, 9)):
        asked = {"retrieval": {"thresholds": thresholds}}
        with opened(path, **asked) as archive, archive.store.snapshot() as reader:
            tools = archive.models.tools(reader, [])
            evidence = strategy.retrieve(question, tools)
            assert len(evidence.moments) == 9  # without a plan there is no intent
            planned = strategy.stages(_planned(question), tools)
            assert len(planned.moments) == most


def test_a_file_that_is_no_yaml_is_refused_with_its_line(shell: Shell) -> None:
    (shell.folder / "onrecord.yaml").write_text("llm:\n  model: ollama: small\n")
    refused = shell("list", code=1).stderr
    assert "onrecord.yaml" in refused and "(line 2: mapping values are not allowed here)" in refused


@pytest.mark.parametrize("intent", INTENTS)
def test_the_threshold_of_every_intent_changes_answers(filled: Shell, intent: str) -> None:
    other = INTENTS[INTENTS.index(intent) - 1]

    def quotes(**thresholds: float) -> list[str]:
        asked = {"least": 0, "thresholds": thresholds}
        with opened(filled.folder / "onrecord.db", retrieval=asked) as archive:
            answer = archive.ask("Why did margins fall?", hints=QuestionHints(intent))
        return [citation.quote for citation in answer.citations]

    assert quotes(**{intent: -1.0}) == quotes(**{intent: -1.0, other: 1.0}) != quotes(**{intent: 1.0})


def test_a_threshold_alone_makes_the_strategy_that_is_taken(filled: Shell) -> None:
    """A single threshold is enough to select the strategy `retrieval`."""
    (filled.folder / "onrecord.yaml").write_text("retrieval: {thresholds: {causal: 0.3}}\n")
    assert filled.json("ask", "Why did margins fall?")["plan"]["strategy"] == "retrieval"


def _planned(question: Question) -> Evidence:
    """Return empty evidence with a plan of intent "causal"."""
    return Evidence(question, plan=Plan(question.text, intent="causal"))


def test_the_form_of_an_answer_by_option(filled: Shell) -> None:
    """`--style`, `--context` and `--quotes` change the form of an answer."""
    output = filled(
        "ask", "Why did margins fall?", "--style", "sources", "--context", "5", "--quotes", "1"
    ).output
    assert "[Source 1]" in output and "[Source 2]" not in output
    reply = filled.json("ask", "Why did margins fall?", "--context", "5")
    assert 0 < len(reply["citations"][0]["after"].split()) <= 5
