"""Settings from arguments, environment variables and files: precedence, checks, origins and secrets."""

from math import inf
from pathlib import Path
from time import process_time

import pytest
import yaml
from pydantic import ValidationError

import onrecord
from onrecord.errors import SettingError
from onrecord.retrieve.faq import FaqSettings
from onrecord.settings import described, load, names, unknown_variables
from onrecord.settings.groups import FaqGroup


@pytest.fixture(autouse=True)
def no_file_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Use an empty folder for settings, so that no file of the user is read."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def test_an_argument_wins_over_the_environment_over_the_file(tmp_path, monkeypatch):
    """Arguments take precedence over the environment, and the environment over the file."""
    (tmp_path / "onrecord.yaml").write_text("workspace: file\nstrategy: file\nanswer: {quotes: 3}\n")
    monkeypatch.setenv("ONRECORD_WORKSPACE", "environment")
    monkeypatch.setenv("ONRECORD_STRATEGY", "environment")
    settings = load(workspace="argument")
    assert settings.workspace == "argument"
    assert settings.strategy == "environment"
    assert settings.answer.quotes == 3
    assert settings.answer.words == 220


def test_the_environment_sets_a_group_without_losing_the_file(tmp_path, monkeypatch):
    """A variable for one setting of a group keeps the group's other values."""
    (tmp_path / "onrecord.yaml").write_text("answer: {quotes: 3}\n")
    monkeypatch.setenv("ONRECORD_ANSWER__WORDS", "99")
    assert (load().answer.quotes, load().answer.words) == (3, 99)


def test_the_folder_of_the_embedded_model_is_not_the_group_cache(tmp_path, monkeypatch):
    """`ONRECORD_CACHE` is the folder of weights, not the settings group `cache`."""
    monkeypatch.setenv("ONRECORD_CACHE", str(tmp_path))
    monkeypatch.setenv("ONRECORD_CACHE__RESULTS", "3")
    assert load().cache.results == 3


def test_a_variable_named_like_a_group_is_refused_by_its_name(monkeypatch):
    monkeypatch.setenv("ONRECORD_LLM", "ollama:qwen3")
    with pytest.raises(SettingError, match=r"'ONRECORD_LLM' cannot be 'ollama:qwen3'.*ONRECORD_LLM__MODEL"):
        load()


def test_variables_reach_groups_within_groups_in_any_case(monkeypatch):
    monkeypatch.setenv("onrecord_llm__roles__plan", "on")
    monkeypatch.setenv("ONRECORD_LLM__CALLS", "7")
    llm = load(llm={"roles": {"check": "off"}}).llm
    assert (llm.roles.plan, llm.roles.check, llm.calls) == ("on", "off", 7)


def test_a_variable_holds_a_list_as_json(monkeypatch):
    monkeypatch.setenv("ONRECORD_SERVER__ORIGINS", '["https://a.example", "https://b.example"]')
    assert load().server.origins == ("https://a.example", "https://b.example")
    monkeypatch.setenv("ONRECORD_SERVER__ORIGINS", "https://a.example")
    with pytest.raises(
        SettingError, match=r"'server\.origins' \(ONRECORD_SERVER__ORIGINS\) cannot be 'https://a\.example'"
    ):
        load()
    with pytest.raises(SettingError, match=r'a list, such as \["10\.0\.0\.1"\]'):
        load(server={"proxies": "10.0.0.1", "origins": []})


@pytest.mark.parametrize("text", ["", "llm:\n"])
def test_a_file_or_a_group_that_says_nothing_leaves_the_rest(tmp_path, monkeypatch, text):
    (tmp_path / "onrecord.yaml").write_text(text)
    monkeypatch.setenv("ONRECORD_LLM__CALLS", "7")
    assert load().llm.calls == 7


def test_variables_that_nothing_reads_are_reported_with_the_nearest():
    """Unknown variables are reported with similar names."""
    typed = {
        "ONRECORD_ARCHVE": "talks.db",
        "onrecord_llm_model": "ollama:qwen3",
        "ONRECORD_LLM__ROLES__ANSWERS": "on",
        "ONRECORD_ZZ": "1",
    }
    assert unknown_variables(typed) == {
        "ONRECORD_ARCHVE": ["ONRECORD_ARCHIVE"],
        "onrecord_llm_model": ["ONRECORD_LLM__MODEL"],
        "ONRECORD_LLM__ROLES__ANSWERS": ["ONRECORD_LLM__ROLES__ANSWER"],
        "ONRECORD_ZZ": [],
    }


def test_every_setting_is_read_and_so_are_keys_and_what_is_no_setting():
    """Known settings, API keys and foreign variables are not reported as unknown."""
    settings = {f"ONRECORD_{name.replace('.', '__').upper()}": "" for name in names()}
    others = dict.fromkeys(("ONRECORD_LLM", "ONRECORD_CONFIG", "ONRECORD_CACHE", "ONRECORD_LLM_API_KEY"), "")
    key = {"ONRECORD_NIGHTLY": "onr_0123", "HOME": "/home/ann", "MYONRECORD_X": "1"}
    assert unknown_variables({**settings, **others, **key}) == {}


def test_none_says_nothing():
    """An argument of None leaves the setting unchanged."""
    assert load(workspace=None).workspace == "default"


@pytest.mark.parametrize(
    ("arguments", "name", "value", "allowed"),
    [
        ({"answer": {"quotes": 99}}, "answer.quotes", 99, "a whole number from 1 to 20"),
        (
            {"embedding": {"precision": "int4"}},
            "embedding.precision",
            "int4",
            "one of auto, float32, mixed, int8",
        ),
        ({"workspace": ""}, "workspace", "", "a text of 1 to 200 characters"),
        ({"strateggy": "x"}, "strateggy", "x", "does not exist: did you mean 'strategy'?"),
        ({"budgets": {"zzzz": 1}}, "budgets.zzzz", 1, "there are plan, embed, search, first_text, total"),
        ({"llm": {"quots": 1}}, "llm.quots", 1, "did you mean 'answer.quotes'?"),
        ({"llm": {"temperature": 9}}, "llm.temperature", 9, "a number from 0 to 2"),
        ({"budgets": {"plan": 0}}, "budgets.plan", 0, "a number over 0 and up to 600000"),
        ({"llm": {"money": -1}}, "llm.money", -1, "a number of 0 or more"),
        ({"llm": {"markdown": "so so"}}, "llm.markdown", "so so", "true or false"),
        ({"answer": 5}, "answer", 5, "a group of quotes, words, "),
        ({"strategies": 7}, "strategies", 7, "a path"),
        ({"retrieval": {"thresholds": {"causal": 3}}}, "retrieval.thresholds.causal", 3, "from -1 to 1"),
        ({"faq": {"high": 7}}, "faq.high", 7, "a number from 0 to 1"),
    ],
)
def test_a_bad_value_is_refused_with_its_name_and_what_is_allowed(arguments, name, value, allowed):
    with pytest.raises(SettingError) as refused:
        load(**arguments)
    assert (refused.value.name, refused.value.value) == (name, value)
    assert allowed in str(refused.value)


def test_a_refused_value_is_reported_with_what_sets_it(tmp_path, monkeypatch):
    """The message about a refused value names the file or variable that sets it."""
    file = tmp_path / "onrecord.yaml"
    file.write_text("answer: {quots: 3}\n")
    with pytest.raises(SettingError, match=rf"'answer\.quots' \({file}\) does not exist"):
        load()
    file.write_text("answer: {quotes: 99}\n")
    with pytest.raises(SettingError, match=rf"'answer\.quotes' \({file}\) cannot be 99"):
        load()
    monkeypatch.setenv("onrecord_answer__quotes", "many")
    with pytest.raises(SettingError, match=r"'answer\.quotes' \(onrecord_answer__quotes\) cannot be 'many'"):
        load()
    with pytest.raises(SettingError, match=r"'answer\.quotes' cannot be 0"):
        load(answer={"quotes": 0})


def test_every_setting_says_what_it_allows():
    assert all(one.allowed for one in described())


def test_the_group_refuses_what_the_faq_refuses():
    """The settings group and `FaqSettings` accept and refuse the same values at the ends of each range."""
    fields = {name: field.metadata for name, field in FaqGroup.model_fields.items() if field.metadata}
    for name, ends in fields.items():
        for end in ends:
            value, step = (end.ge, -1) if hasattr(end, "ge") else (end.le, 1)
            assert getattr(FaqSettings(**{name: value}), name) == value
            for wrong in (FaqSettings, FaqGroup):
                with pytest.raises((SettingError, ValidationError)):
                    wrong(**{name: value + step})
    assert len(fields) >= 13


@pytest.mark.parametrize("text", ["- a list", "answer: [", "just words"])
def test_a_file_that_is_no_mapping_is_refused_by_name(tmp_path, monkeypatch, text):
    path = tmp_path / "bad.yaml"
    path.write_text(text)
    monkeypatch.setenv("ONRECORD_CONFIG", str(path))
    with pytest.raises(SettingError, match=r"bad\.yaml"):
        load()


def test_a_file_that_is_named_but_not_there_is_refused(monkeypatch):
    monkeypatch.setenv("ONRECORD_CONFIG", "nowhere.yaml")
    with pytest.raises(SettingError, match=r"nowhere\.yaml"):
        load()


def test_every_setting_says_what_it_means():
    assert all(names().values())
    assert "answer.quotes" in names()


def test_roles_are_switched_as_yaml_reads_it(tmp_path):
    """YAML reads `on` and `off` as booleans; both switch a role."""
    (tmp_path / "onrecord.yaml").write_text("llm: {roles: {check: off, plan: on, rerank: 'ollama:small'}}\n")
    roles = load().llm.roles
    assert (roles.answer, roles.check, roles.plan, roles.rerank) == ("on", "off", "on", "ollama:small")


@pytest.mark.parametrize("bad", [{"calls": 0}, {"seconds": 0}, {"roles": {"judge": "on"}}, {"window": 10}])
def test_bad_settings_of_the_language_model_are_refused_by_name(bad):
    with pytest.raises(SettingError, match=r"llm\."):
        load(llm=bad)


# ---------------------------------------------------------------- origins of values


def test_every_setting_is_reported_with_its_value_origin_and_meaning(tmp_path, monkeypatch):
    """Every setting is described with its value, origin and meaning."""
    (tmp_path / "onrecord.yaml").write_text("answer: {quotes: 3}\n")
    monkeypatch.setenv("onrecord_llm__calls", "7")
    settings = {one.name: one for one in described(workspace="desk")}
    assert settings.keys() == names().keys()
    assert all(one.meaning for one in settings.values())
    assert (settings["workspace"].value, settings["workspace"].origin) == ("desk", "argument")
    assert (settings["llm.calls"].value, settings["llm.calls"].origin) == (7, "onrecord_llm__calls")
    assert (settings["answer.quotes"].value, settings["answer.quotes"].origin) == (
        3,
        str(tmp_path / "onrecord.yaml"),
    )
    assert (settings["answer.words"].value, settings["answer.words"].origin) == (220, "default")


def test_passwords_in_addresses_are_not_shown(monkeypatch):
    """Passwords in addresses are masked."""
    monkeypatch.setenv("ONRECORD_ARCHIVE", "postgresql://ann:se@cret@db.example/talks")
    (archive,) = [one for one in described() if one.name == "archive"]
    assert archive.value == "postgresql://ann:***@db.example/talks"


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("see http://ann:a/b@c@one.example then x@y", "see http://ann:***@one.example then x@y"),
        (
            "http://ann:one@a.example http://bo:two@b.example",
            "http://ann:***@a.example http://bo:***@b.example",
        ),
        ("http://one.example:8080/ann@b", "http://one.example:***@b"),
        ("http://one.example:8080/talks", "http://one.example:8080/talks"),
        ("mail ann@b.example", "mail ann@b.example"),
        (
            "postgresql://db.example/a?password=secret&user=ann",
            "postgresql://db.example/a?password=***&user=ann",
        ),
        (
            "postgresql://db.example/a?user=ann&sslPassword=s",
            "postgresql://db.example/a?user=ann&sslPassword=***",
        ),
    ],
)
def test_only_what_may_be_a_password_is_masked(address, shown):
    """All possible passwords of an address are masked, and nothing else."""
    assert {one.name: one.value for one in described(archive=address)}["archive"] == shown


@pytest.mark.parametrize(
    "piece", ["://a:", "://:", "://a:@ ", ": //", "@", "://", "?password", "&a", "&password="]
)
def test_masking_takes_time_in_line_with_the_length(piece):
    def seconds(length: int) -> float:
        text, best = piece * (length // len(piece)), inf
        for _ in range(3):
            began = process_time()
            described(archive=text)
            best = min(best, process_time() - began)
        return best

    seconds(1000)
    short, long = seconds(10_000), seconds(40_000)  # 4 times the length; quadratic time would be 16 times
    assert long < 0.1 or long < 8 * short


THEIRS = """
embedding: {model: BAAI/bge-m3}
retrieval:
  top_k: 20
  final_k: 5
  dense_weight: 0.7
  sparse_weight: 0.3
  similarity_threshold: 0.3
  mmr_lambda: 0.8
  reranker_model: BAAI/bge-reranker-v2-m3
generation: {provider: anthropic, model: large, temperature: 0.2, max_context_tokens: 4000}
"""


def test_names_of_other_systems_are_read_as_ours_and_reported(tmp_path, caplog, monkeypatch):
    """Setting names of other systems are translated, and one log message says so once."""
    monkeypatch.setattr("onrecord.settings.loading._logged", set())
    (tmp_path / "onrecord.yaml").write_text(THEIRS)
    settings = load()
    assert settings.embedding.model == "sentence-transformers:BAAI/bge-m3"
    assert settings.rerank.model == "sentence-transformers:BAAI/bge-reranker-v2-m3"
    figures = settings.retrieval.figures
    assert figures.pop("diversity") == 0.2  # the foreign setting weights relevance, not diversity
    assert figures == {"candidates": 20, "keep": 5, "dense": 0.7, "lexical": 0.3, "floor": 0.3}
    assert (settings.llm.model, settings.llm.temperature) == ("anthropic:large", 0.2)
    (note,) = caplog.messages
    assert note.startswith(
        "onrecord: onrecord.yaml: onrecord reads retrieval.top_k as retrieval.candidates, "
    )
    assert "generation.provider as the first part of llm.model" in note
    caplog.clear()
    assert load() == settings and not caplog.text  # logged only once


def test_a_name_of_ours_goes_before_theirs_and_their_values_are_checked(tmp_path):
    """Names of this package take precedence over foreign names, whose values are checked, too."""
    (tmp_path / "onrecord.yaml").write_text("retrieval: {top_k: 9, candidates: 30}\n")
    assert load().retrieval.candidates == 30
    (tmp_path / "onrecord.yaml").write_text("retrieval: {top_k: many}\n")
    with pytest.raises(SettingError, match=r"'retrieval\.candidates' \(.*\.yaml\) cannot be 'many'"):
        load()
    (tmp_path / "onrecord.yaml").write_text("retrieval: {tip_k: 9}\n")
    with pytest.raises(SettingError, match=r"retrieval\.tip_k"):
        load()


def test_every_name_of_others_leads_to_a_setting_that_exists():
    ours_by_theirs = yaml.safe_load(
        (Path(onrecord.__file__).parent / "data" / "foreign_settings.yaml").read_text("utf-8")
    )
    assert set(ours_by_theirs.values()) <= names().keys()
    assert not ours_by_theirs.keys() & names().keys()
