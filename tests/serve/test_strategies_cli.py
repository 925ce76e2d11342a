"""The command `onrecord strategies`, and strategies read from files."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from onrecord.serve.cli import main
from onrecord.strategies import STRATEGIES, from_yaml

EXAMPLES = Path(__file__).parent.parent.parent / "src" / "onrecord" / "examples"


def run(*words: str) -> Result:
    return CliRunner().invoke(main, words)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the working folder, with an archive of the examples and a strategy file."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ONRECORD_ARCHIVE", str(tmp_path / "talks.db"))
    monkeypatch.setenv("ONRECORD_EMBEDDING__MODEL", "hashing")
    assert run("add", str(EXAMPLES)).exit_code == 0
    (tmp_path / "mine.yaml").write_text("about: Words alone\nstages: [Keyword: {most: 4}]\n")
    return tmp_path


def test_a_line_for_each(folder: Path) -> None:
    lines = run("strategies").stdout.splitlines()
    assert [line.split()[0] for line in lines] == list(STRATEGIES)
    assert sum("(the default)" in line for line in lines) == 1
    strategies = json.loads(run("strategies", "--json").stdout)
    assert strategies[0].keys() == {"name", "about", "answer", "stages"}


@pytest.mark.parametrize("name", STRATEGIES)
def test_each_shows_its_stages_and_reads_back(name: str) -> None:
    shown = run("strategies", name).stdout
    assert shown.startswith(f"{name}  {STRATEGIES[name].about}")
    assert from_yaml(run("strategies", name, "--yaml").stdout) == STRATEGIES[name]
    assert json.loads(run("strategies", name, "--json").stdout)["name"] == name


def test_a_file_is_a_strategy(folder: Path) -> None:
    result = run("search", "freight", "--strategy", "mine.yaml", "--explain")
    assert result.exit_code == 0 and "Keyword(most=4)" in result.stdout
    answer = run("ask", "why did margins fall", "--strategy", "mine.yaml", "--json")
    assert json.loads(answer.stdout)["trace"][0]["stage"] == "Keyword(most=4)"


def test_the_setting_names_a_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ONRECORD_STRATEGIES", str(folder))
    assert "mine" in run("strategies").stdout
    assert run("search", "freight", "--strategy", "mine").exit_code == 0
    monkeypatch.setenv("ONRECORD_STRATEGY", "mine")
    assert "Words alone (the default)" in run("strategies").stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("strategies", "ballanced"), "did you mean 'balanced'?"),
        (("search", "x", "--strategy", "none.yaml"), "none.yaml"),
        (("search", "x", "--strategy", "bad.yaml"), "bad.yaml: stages[0].Moments.words"),
        (("search", "x", "--strategy", "mine"), "there is no strategy 'mine'"),
    ],
)
def test_mistakes_are_one_clear_line(folder: Path, words: tuple[str, ...], message: str) -> None:
    (folder / "bad.yaml").write_text("stages: [Moments: {words: many}]")
    result = run(*words)
    assert result.exit_code == 1 and message in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize("words", [("--yaml",), ("auto", "--yaml", "--json")])
def test_yaml_is_of_one_strategy(words: tuple[str, ...]) -> None:
    result = run("strategies", *words)
    assert result.exit_code == 2 and "--yaml prints one strategy" in result.stderr


def test_a_name_is_never_a_path(folder: Path) -> None:
    """A strategy name in the library cannot be a file path, because names may come over a network."""
    import onrecord
    from onrecord.errors import NotFoundError

    with onrecord.open() as archive, pytest.raises(NotFoundError):
        archive.search("freight", str(folder / "mine.yaml"))
