"""Answers that a language model writes, over connections to a server that replaces the model."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from click.testing import CliRunner

import onrecord
from model_server import ModelServer, model_server
from onrecord.answer import render
from onrecord.archive import Archive
from onrecord.serve.cli import main
from onrecord.types import Answer, Citation, Exchange, Heading

EXAMPLES = Path(onrecord.__file__).parent / "examples"
WHY = "Why did margins fall?"
KEY = "sk-never-to-be-shown-2280"
DRAFT = (
    "The tariff on imported aluminium frames went from six to twenty-five percent [Source 1]. "
    "The company was sold for 99 billion dollars [Source 1].\n\n"
    "- A container cost two thousand dollars in January [Source 1]."
)


@pytest.fixture(scope="module")
def archive_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the path of an archive of the examples."""
    path = tmp_path_factory.mktemp("archive") / "talks.db"
    with onrecord.open(path, embedding={"model": "hashing"}) as archive:
        archive.add(EXAMPLES)
    return path


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set an API key, which no output may contain."""
    monkeypatch.setenv("ONRECORD_LLM_API_KEY", KEY)


def opened(path: Path, server: ModelServer, model: str = "openai:small", **llm: object) -> Archive:
    """Open the archive with a language model on this server."""
    asked = {"model": model, "base_url": server.base_url, **llm}
    return onrecord.open(path, embedding={"model": "hashing"}, llm=asked, strategy="balanced")


def only_written(body: dict[str, object]) -> str:
    """Return the draft, or a check result without verdicts."""
    return '{"verdicts": []}' if "tools" in body or "response_format" in body else DRAFT


@pytest.mark.parametrize("model", ["openai:small", "anthropic:small", "small"])
def test_an_answer_is_written_checked_and_accounted_for(archive_path: Path, model: str) -> None:
    """Supported sentences are shown with citations, and unsupported ones are removed.

    The calls are recorded with role and price.
    """
    with (
        model_server(only_written) as server,
        opened(archive_path, server, model, prompt_price=1.0) as archive,
    ):
        assert archive.writer == model
        answer = archive.ask(WHY)
    assert "twenty-five percent [1]" in answer.text and "\n\n- A container" in answer.text
    assert "99" not in answer.text and answer.unsupported == ("The company was sold for 99 billion dollars.",)
    assert all(citation.quote and citation.link for citation in answer.citations)
    assert [call.role for call in answer.calls] == ["answer", "check"]
    assert answer.calls[0].money == pytest.approx(120e-6)
    assert 0 < answer.seconds["first_text"] <= answer.seconds["total"]


THOUGHTS = "Let me see. The tariff went from six to twenty-five percent [Source 1]. So I will say that.\n"


@pytest.mark.parametrize("begun", ["<think>", "<thinking>\n", ""])
@pytest.mark.parametrize("pieces", [3, 500])
@pytest.mark.parametrize("model", ["openai:small", "anthropic:small", "small"])
def test_what_a_model_thinks_is_neither_shown_nor_cited(
    archive_path: Path, model: str, begun: str, pieces: int
) -> None:
    """Reasoning before the answer is removed, with or without an opening tag.

    The size of the streamed pieces does not matter.
    """
    ends = begun.replace("<", "</").strip() or "</think>"
    thoughts = THOUGHTS if begun else "Let me see. Source one says why. So I will say that.\n"

    def reply(body: dict[str, object]) -> str:
        decides = "tools" in body or "response_format" in body
        return only_written(body) if decides else f"{begun}{thoughts}{ends}\n\n{DRAFT}"

    with model_server(reply, pieces=pieces) as server, opened(archive_path, server, model) as archive:
        answer = archive.ask(WHY)
    with model_server(only_written) as server, opened(archive_path, server, model) as archive:
        assert answer.text == archive.ask(WHY).text
    assert "see" not in answer.text and not any("see" in one for one in answer.unsupported)


def test_a_thought_that_turns_out_late_ends_the_draft(archive_path: Path) -> None:
    """A closing tag of reasoning within the answer ends it, with a note."""
    late = "The tariff went from six to twenty-five percent in June [Source 1]. Hm, is that so?</think>No."
    with model_server(late) as server, opened(archive_path, server) as archive:
        answer = archive.ask(WHY)
    assert "Hm" not in answer.text and any("thoughts" in note for note in answer.notes)


def test_the_heading_comes_before_the_text(archive_path: Path) -> None:
    with model_server(only_written) as server, opened(archive_path, server) as archive:
        events = list(archive.stream(WHY))
    first = next(at for at, event in enumerate(events) if isinstance(event, str))
    (heading,) = (event for event in events[:first] if isinstance(event, Heading))
    assert heading.text == events[-1].heading != ""


def test_events_keep_their_contract(archive_path: Path) -> None:
    """Streamed texts add up to the answer, and a citation comes before its number."""
    with model_server(only_written, pieces=3) as server, opened(archive_path, server) as archive:
        events = list(archive.stream(WHY))
    answer = events[-1]
    assert isinstance(answer, Answer)
    assert "".join(event for event in events if isinstance(event, str)) == answer.text
    seen: set[int] = set()
    for event in events:
        if isinstance(event, Citation):
            seen.add(event.number)
        if isinstance(event, str):
            assert {n for n in range(1, 20) if f"[{n}]" in event} <= seen


@pytest.mark.parametrize(
    "fault", ["slow", "cut", "html", "refusal", "key", "limit", "broken", "nonsense", "empty"]
)
def test_whatever_goes_wrong_there_is_an_answer_and_a_reason(
    archive_path: Path, fault: str, caplog: pytest.LogCaptureFixture
) -> None:
    """After any fault of the server, the answer consists of quotes, and a note gives the reason.

    The API key is in no output.
    """
    caplog.set_level(logging.DEBUG)
    seconds = 0.5 if fault == "slow" else 10.0
    with model_server(DRAFT, fault) as server, opened(archive_path, server, seconds=seconds) as archive:
        answer = archive.ask(WHY)
    assert answer.citations and "“" in answer.text
    assert answer.calls[0].failure and any(answer.calls[0].failure in note for note in answer.notes)
    shown = (
        json.dumps(render.to_json(answer)) + repr(answer) + str(answer) + caplog.text + repr(archive.settings)
    )
    assert KEY not in shown and "sk-the-servers" not in shown


def test_a_missing_key_is_reported(archive_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the API key is missing, a note names its variable."""
    monkeypatch.delenv("ONRECORD_LLM_API_KEY")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with onrecord.open(
        archive_path, embedding={"model": "hashing"}, llm={"model": "openai:small"}
    ) as archive:
        answer = archive.ask(WHY, "balanced")
    assert answer.citations and any("OPENAI_API_KEY" in note for note in answer.notes)


def test_closing_the_stream_ends_the_call(archive_path: Path) -> None:
    """When the caller closes the stream, the connection to the model is closed."""
    with model_server(DRAFT * 50, pieces=5, pause=0.005) as server, opened(archive_path, server) as archive:
        events = archive.stream(WHY)
        next(event for event in events if isinstance(event, str))
        events.close()  # type: ignore[attr-defined]
        assert server.gone.wait(10)


def test_the_conversation_is_sent_and_the_question_as_it_was_asked(archive_path: Path) -> None:
    """The prompt has the earlier exchanges and the original text of the question."""
    history = (Exchange("Who is Brendan Kelly?", "He buys parts."),)
    with model_server(only_written) as server, opened(archive_path, server) as archive:
        archive.ask("And why did margins fall, in 2024?", history=history)
        (prompt,) = (text for text in server.prompts if "<conversation>" in text)
    assert "Asked: Who is Brendan Kelly?" in prompt and "And why did margins fall, in 2024?" in prompt


def test_roles_may_be_empty_or_have_models_of_their_own(archive_path: Path) -> None:
    """A role can be switched off or can use another model."""
    with model_server(only_written) as server:
        with opened(archive_path, server, roles={"check": "off"}) as archive:
            answer = archive.ask(WHY)
        assert [call.role for call in answer.calls] == ["answer"]
        with opened(archive_path, server, roles={"answer": "openai:large", "check": "off"}) as archive:
            assert archive.writer == "openai:large"
            archive.ask(WHY)
        assert server.asked[-1]["model"] == "large"
        with opened(archive_path, server, roles={"answer": "off", "check": "off"}) as archive:
            assert archive.writer is None and archive.ask(WHY).calls == ()


def test_a_role_of_another_provider_gets_neither_address_nor_key(
    archive_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A role with another provider does not receive the address or the key of the first one."""
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    with (
        model_server(only_written) as server,
        opened(archive_path, server, roles={"check": "anthropic:small"}) as archive,
    ):
        answer = archive.ask(WHY)
    assert [bool(call.failure) for call in answer.calls] == [False, True]
    assert "ANTHROPIC_API_KEY" in answer.calls[1].failure and len(server.asked) == 1


def test_many_slow_streams_at_once(archive_path: Path) -> None:
    """Twenty slow answers are written concurrently."""
    with model_server(only_written, pieces=20, pause=0.05) as server:
        archive = opened(archive_path, server, roles={"check": "off"})
        first = archive.ask(WHY).text
        with ThreadPoolExecutor(20) as pool:
            answers = list(pool.map(archive.ask, [WHY] * 20))
        archive.close()
    assert {answer.text for answer in answers} == {first} and "twenty-five percent [1]" in first
    assert server.busiest >= 10, "they wait together"


def test_a_long_recording_is_summarized_part_by_part(archive_path: Path) -> None:
    """A recording that exceeds the context window is summarized in parts."""

    def reply(body: dict[str, object]) -> str:
        number = json.dumps(body).split("[Source ")[-1].split("]")[0]
        return f"The tariff was announced in February [Source {number}]."

    asked = {"window": 1000, "roles": {"check": "off"}}
    with model_server(reply) as server, opened(archive_path, server, **asked) as archive:
        small = archive.settings.answer.model_copy(update={"tokens": 300})
        archive.settings = archive.settings.model_copy(update={"answer": small})
        steps = [event for event in archive.stream(WHY, "full") if isinstance(event, onrecord.Step)]
    assert len(steps) >= 2 and steps[0].stage.startswith("part 1 of ")
    assert len(server.asked) == len(steps) + 1


# ---------------------------------------------------------------- the command line


@pytest.fixture
def run(archive_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[CliRunner]:
    """Return a runner of commands on the archive."""
    monkeypatch.setenv("ONRECORD_ARCHIVE", str(archive_path))
    monkeypatch.setenv("ONRECORD_EMBEDDING__MODEL", "hashing")
    yield CliRunner()


def test_ask_shows_the_text_as_it_comes(run: CliRunner, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command prints the heading, the text, its sources and the removed sentences."""
    with model_server(only_written) as server:
        monkeypatch.setenv("ONRECORD_LLM__BASE_URL", server.base_url)
        result = run.invoke(main, ["ask", WHY, "--model", "tiny", "--explain", "--strategy", "balanced"])
    assert result.exit_code == 0, result.output
    written, rest = result.output.split("\n\n[1] ", 1)
    heading, text = written.split("\n\n", 1)
    assert heading.endswith("answers this.") and heading not in rest
    assert text.startswith("The tariff on imported aluminium frames") and "- A container" in text
    assert "One sentence was removed" in rest
    assert "tiny, answer:" in rest and "left out, not supported: The company was sold" in rest
    assert KEY not in result.output


def test_ask_prints_json_of_a_written_answer(run: CliRunner, monkeypatch: pytest.MonkeyPatch) -> None:
    with model_server(only_written) as server:
        monkeypatch.setenv("ONRECORD_LLM__BASE_URL", server.base_url)
        result = run.invoke(main, ["ask", WHY, "--model", "tiny", "--json"])
    answer = json.loads(result.output)
    assert [call["role"] for call in answer["calls"]] == ["answer", "check"]
    assert answer["unsupported"] == ["The company was sold for 99 billion dollars."]


def test_no_model_asks_none_whatever_the_settings_say(
    run: CliRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The option ``--no-model`` overrides all settings of models."""
    with model_server(only_written) as server:
        monkeypatch.setenv("ONRECORD_LLM__BASE_URL", server.base_url)
        monkeypatch.setenv("ONRECORD_LLM__MODEL", "tiny")
        monkeypatch.setenv("ONRECORD_LLM__ROLES__ANSWER", "other")
        result = run.invoke(main, ["ask", WHY, "--no-model"])
        assert result.exit_code == 0 and "“" in result.output and server.asked == []
    both = run.invoke(main, ["ask", WHY, "--no-model", "--model", "tiny"])
    assert both.exit_code == 2 and "choose one" in both.output


def test_a_model_that_is_none_is_refused(run: CliRunner) -> None:
    """An unknown model is refused with a suggestion."""
    result = run.invoke(main, ["ask", WHY, "--model", "opnai:gpt"])
    assert result.exit_code == 1 and "did you mean 'openai'" in result.output
