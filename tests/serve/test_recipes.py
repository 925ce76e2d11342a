"""Every recipe works from an empty folder to answers, on the command line and through a server."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml
from click.testing import CliRunner

import onrecord
from onrecord.archive import Archive
from onrecord.errors import WeightsError
from onrecord.models import open_embedder
from onrecord.serve.cli import main
from onrecord.serve.http import Tenants, create_app
from onrecord.serve.init_cli import recipes
from onrecord.strategies import read_strategies
from server_world import chat, kinds, parts_of, running

NAMES = ["podcast", "talks", "faq", "research", "earnings"]


def run(command: str, code: int = 0) -> str:
    """Run a command line in this process, check its exit code and return its output."""
    result = CliRunner().invoke(main, shlex.split(command)[1:])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == code, f"{command}\n{result.output}"
    return result.output


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty working folder with settings that need no model weights."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("ONRECORD_ARCHIVE", raising=False)
    monkeypatch.setenv("ONRECORD_EMBEDDING__MODEL", "hashing")
    monkeypatch.setenv("ONRECORD_RERANK__MODEL", "none")
    return tmp_path


def begun(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Create the recipe in a new folder, make it the working folder and run its first command."""
    run(f"onrecord init {name} mine")
    monkeypatch.chdir("mine")
    run(recipes()[name].next[0])


@contextmanager
def served() -> Iterator[httpx.Client]:
    """Yield a client of a real server on loopback, configured only by onrecord.yaml in the working folder."""
    with (
        running(create_app(Tenants(("default",), lambda _: onrecord.open()))) as address,
        httpx.Client(base_url=address, timeout=60) as client,
    ):
        yield client


def answer_by(name: str, monkeypatch: pytest.MonkeyPatch, question: str, strategy: str, stage: str) -> Any:
    """Return the answer of a recipe's server; check its strategy and that `stage` ran."""
    begun(name, monkeypatch)
    with served() as client:
        answer = client.post("/api/ask", json={"question": question}).json()
    assert answer["plan"]["strategy"] == strategy
    assert stage in {step["name"] for step in answer["trace"]}
    return answer


# ---------------------------------------------------------------- files that a recipe creates


def test_the_recipes_are_those_that_are_documented() -> None:
    """The recipes, the output of `init` and the pages in docs/recipes are the same."""
    assert list(recipes()) == NAMES
    output = run("onrecord init")
    assert all(name in output for name in NAMES)
    pages = Path(__file__).parent.parent.parent / "docs" / "recipes"
    assert {page.stem for page in pages.glob("*.md")} == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_every_command_that_is_suggested_next_runs(
    folder: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every command that `init` suggests runs without an error."""
    output = run(f"onrecord init {name} mine")
    assert "cd mine" in output and "onrecord serve" in output
    monkeypatch.chdir("mine")
    for command in recipes()[name].next:
        assert command in output
        run(command)


@pytest.mark.parametrize("name", NAMES)
def test_every_file_is_sound(folder: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every YAML file of a recipe is valid, and its settings and strategies load."""
    run(f"onrecord init {name} mine")
    files = [path for path in Path("mine").rglob("*") if path.is_file()]
    assert {path.name for path in files} >= {"onrecord.yaml", "compose.yaml"}
    for path in files:
        if path.suffix == ".yaml":
            assert isinstance(yaml.safe_load(path.read_text()), dict | list), path
    monkeypatch.chdir("mine")
    settings = onrecord.settings.load()
    if settings.strategies:
        assert settings.strategy in read_strategies(settings.strategies)
    changed = run("onrecord settings --changed")
    assert "onrecord.yaml" in changed and "archive = onrecord.db" in changed


def test_nothing_is_written_over(folder: Path) -> None:
    run("onrecord init podcast mine")
    (folder / "mine" / "onrecord.yaml").write_text("workspace: mine\n")
    before = {path: path.read_bytes() for path in (folder / "mine").rglob("*") if path.is_file()}
    assert "which are not overwritten" in run("onrecord init earnings mine", code=1)
    assert {path: path.read_bytes() for path in (folder / "mine").rglob("*") if path.is_file()} == before
    (folder / "file").write_text("")
    assert "is a file" in run("onrecord init podcast file", code=1)
    assert "did you mean 'podcast'?" in run("onrecord init potcast", code=1)


def test_without_a_folder_it_is_the_working_folder(folder: Path) -> None:
    """Without a folder, `init` writes into the working folder."""
    output = run("onrecord init faq")
    assert (folder / "faq.csv").is_file() and "cd " not in output


# ---------------------------------------------------------------- each recipe with a server and a client


def test_podcast_streams_text_and_parts(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun("podcast", monkeypatch)
    question = "What did Brendan Kelly say about the tariff?"
    with served() as client:
        parts = parts_of(client.post("/api/chat", json=chat(question)).text)
        text = client.post("/api/chat?protocol=text", json=chat(question))
        assert text.headers["content-type"].startswith("text/plain") and "Brendan Kelly" in text.text
        stages = [part["data"]["stage"] for part in parts if part["type"] == "data-step"]
    assert "source-url" in kinds(parts) and kinds(parts)[-1] == "finish"
    assert any(stage.startswith("Threshold(floor=0.37, level='sure', most=10, least=3)") for stage in stages)
    plan = next(part["data"] for part in parts if part["type"] == "data-plan")
    assert plan["filters"][0]["value"] == "Brendan Kelly" and plan["strategy"] == "podcast"


def test_talks_cite_sources_in_two_languages(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun("talks", monkeypatch)
    with served() as client:
        english = client.post("/api/ask", json={"question": "What does the heat pump cost?"}).json()
        french = client.post(
            "/api/ask", json={"question": "Que dit Léa Fontaine du réseau de chaleur ?"}
        ).json()
    assert "[Source 1]" in english["text"] and english["citations"][0]["link"].startswith(
        "https://vimeo.com/"
    )
    assert french["plan"]["language"] == "fr" and french["citations"][0]["speaker"] == "Léa Fontaine"
    assert any(citation.get("after") or citation.get("before") for citation in french["citations"])
    assert {"name": "Diverse"}.items() <= next(s for s in english["trace"] if s["name"] == "Diverse").items()


@pytest.mark.parametrize(
    ("question", "strategy", "stage"),
    [
        ("Summarize the latest episode", "overview", "Overview"),
        ("What is this podcast about?", "overview", "Overview"),
        ("Compare Brendan Kelly and Priya Raman on prices", "comparison", "Sides"),
        ("How long does it take to qualify a new welder?", "podcast", "Grouped"),
    ],
)
def test_podcast_sums_up_and_compares(
    folder: Path, monkeypatch: pytest.MonkeyPatch, question: str, strategy: str, stage: str
) -> None:
    assert answer_by("podcast", monkeypatch, question, strategy, stage)["citations"]


@pytest.mark.parametrize(
    ("question", "strategy"),
    [
        ("What is a heat pump?", "balanced"),
        ("How much did the pump cost?", "factual"),
        ("Summarize the talk", "overview"),
        ("Compare the pool and the laundry", "comparison"),
        ("Which talks discuss warm water?", "exploratory"),
    ],
)
def test_talks_take_the_way_of_the_kind(
    folder: Path, monkeypatch: pytest.MonkeyPatch, question: str, strategy: str
) -> None:
    """In the recipe `talks`, the type of a question selects the strategy."""
    begun("talks", monkeypatch)
    with onrecord.open() as archive:
        assert archive.plan(question).strategy == strategy


def test_faq_answers_at_once_and_tells_how(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The recipe `faq` answers and reports the stage in a header."""
    begun("faq", monkeypatch)
    with served() as client:
        reply = client.post("/api/faq", json={"question": "password forgotten?"})
        costs = client.get("/api/faq/costs").json()
    assert reply.headers["X-Retrieval-Stage"] in ("embedding_high", "rerank_hit", "rerank_none")
    assert len(reply.json()["candidates"]) == 5 and costs["currency"] == "USD"


@pytest.mark.parametrize(
    ("question", "strategy", "stage"),
    [
        ("What is a workshop?", "definition", "Neighbours"),
        ("Why did margins fall?", "causal", "Iterate"),
        ("Compare Brendan Kelly and Ingrid Halden on tariffs", "comparison", "Grade"),
        ("What do Brendan Kelly and Ingrid Halden have in common on tariffs?", "multi_entity", "Grade"),
        ("Which recordings discuss tariffs?", "exploratory", "Distinct"),
        ("What did they say about freight?", "balanced", "Weigh"),
    ],
)
def test_research_forms_reach_their_ways(
    folder: Path, monkeypatch: pytest.MonkeyPatch, question: str, strategy: str, stage: str
) -> None:
    """In the recipe `research`, the form of a question selects the strategy and its stage."""
    assert answer_by("research", monkeypatch, question, strategy, stage)["citations"]


def test_names_in_common_change_what_research_retrieves(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Setting the graph weight of the recipe `research` to 0 changes the passages."""
    begun("research", monkeypatch)

    def passages() -> set[tuple[str, int]]:
        with onrecord.open() as archive:
            evidence = archive.search("What is said about Priya Raman?")
        return {(passage.recording, passage.position) for m in evidence.moments for passage in m.passages}

    by_names = passages()
    strategy = Path("strategies/research.yaml")
    strategy.write_text(strategy.read_text().replace("graph: 0.1", "graph: 0"))
    assert by_names != passages()


@pytest.mark.parametrize(
    ("question", "strategy", "stage"),
    [
        ("What did management say about credit losses?", "earnings", "FillGaps"),
        ("Summarize the entire earnings call", "full", "Full"),
        ("Summarize the call", "overview", "Full"),
        ("Which section talks about batteries?", "section", "Sections"),
        ("Compare the second quarter and the third quarter", "comparison", "Full"),
    ],
)
def test_earnings_take_the_way_of_the_router(
    folder: Path, monkeypatch: pytest.MonkeyPatch, question: str, strategy: str, stage: str
) -> None:
    """In the recipe `earnings`, the router selects the strategy."""
    answer_by("earnings", monkeypatch, question, strategy, stage)


@pytest.mark.parametrize(
    "question",
    [
        "Compare Q2 2024 with Q3 2024",
        "Compare the second quarter of 2024 and the third quarter of 2024",
        "What changed between Q2 and Q3?",
        "Compare the two calls",
        "What changed between the second and third quarter?",
    ],
)
def test_earnings_of_two_quarters_are_compared_in_full(
    folder: Path, monkeypatch: pytest.MonkeyPatch, question: str
) -> None:
    """A comparison of two quarters without a subject shows both calls from beginning to end."""
    begun("earnings", monkeypatch)
    with served() as client:
        response = client.post("/api/ask", json={"question": question}).json()
        other = client.post("/api/ask", json={"question": "Compare penguins in Q2 and Q3"}).json()
        preset = client.post("/api/ask", json={"question": question, "strategy": "auto"}).json()
        models = {model["id"]: model for model in client.get("/v1/models").json()["data"]}
    assert models["onrecord"]["root"] == "onrecord/calls", "which the page shows as chosen"
    assert models["onrecord/calls"].get("root") is None
    assert len({c["recording"]["id"] for c in response["citations"]}) == 2 and not response["notes"]
    assert response["heading"] == preset["heading"] == "Two recordings, each from beginning to end:"
    assert len({c["recording"]["id"] for c in preset["citations"]}) == 2
    assert "from beginning to end" not in other["heading"], "it has a subject"
    assert len(set(other["suggestions"])) == len(other["suggestions"])


def test_earnings_by_fields_of_the_request(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`company`, `year` and `quarter` of a request select the call."""
    begun("earnings", monkeypatch)
    asked = {
        "question": "Summarize the entire earnings call",
        "company": "halden",
        "year": 2024,
        "quarter": 2,
    }
    with served() as client:
        response = client.post("/api/ask", json=asked).json()
        both = client.post(
            "/api/ask", json={"question": "Compare the second quarter and the third quarter"}
        ).json()
    assert {c["recording"]["title"] for c in response["citations"]} == {
        "Halden Cycles, second quarter 2024 earnings call"
    }
    assert sum(response["section_tokens"].values()) == response["tokens"] > 0
    assert any(" > " in section for section in both["sections"])
    assert len({c["recording"]["id"] for c in both["citations"]}) == 2


# ---------------------------------------------------------------- with the real embedding model


@pytest.fixture
def real(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the working folder with the real embedding model; skip the test without its weights."""
    try:
        open_embedder("minilm")
    except WeightsError as error:
        pytest.skip(f"needs the real weights: {error}")
    monkeypatch.delenv("ONRECORD_EMBEDDING__MODEL")
    return folder


FIRST: list[tuple[str, str, dict[str, Any], str]] = [
    ("podcast", "How long does it take to qualify a new welder?", {}, "nine months"),
    ("podcast", "Why did margins fall?", {}, "Three things at once"),
    ("talks", "Where does the warmth of the servers in Villeneuve go?", {}, "pool"),
    ("talks", "De quoi les habitants avaient-ils peur ?", {}, "le bruit des pompes"),
    ("research", "Why did margins fall?", {}, "Three things at once"),
    (
        "earnings",
        "What did Tobias Brandt say about the gross margin?",
        {"quarter": "Q3"},
        "twenty-six percent",
    ),
    ("earnings", "Compare the second quarter and the third quarter", {}, "twenty-six percent"),
]


@pytest.mark.model
@pytest.mark.parametrize(("name", "question", "attributes", "message"), FIRST)
def test_the_first_answer_is_right(
    real: Path, monkeypatch: pytest.MonkeyPatch, name: str, question: str, attributes: Any, message: str
) -> None:
    begun(name, monkeypatch)
    archive: Archive
    with onrecord.open() as archive:
        answer = archive.ask(question, scope=onrecord.Scope(attributes=attributes))
    assert answer.verdict == "answered" and message in answer.text


@pytest.mark.model
def test_calibrate_finds_the_figure_of_the_podcast(real: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`calibrate` computes the threshold that the recipe `podcast` states."""
    begun("podcast", monkeypatch)
    output = run("onrecord calibrate --write")
    assert "sure 0.37, floor 0.15" in output
    with onrecord.open() as archive:
        assert archive.embedder is not None and archive.embedder.calibration.sure == 0.37
    run("onrecord calibrate --reset")
    with onrecord.open() as archive:
        assert archive.embedder is not None and archive.embedder.calibration.sure == 0.56
