"""Opening embedders by name: errors for unknown names and missing packages, and the list of providers."""

import builtins

import pytest

from onrecord.errors import ModelError, SettingError
from onrecord.models import describe, open_embedder
from onrecord.models.providers import EMBEDDERS


@pytest.mark.parametrize("name", ["minilm2", "openai", "openai:", "fastembed", "opnai:x", ""])
def test_an_unknown_name_is_refused_with_those_that_there_are(name):
    with pytest.raises(SettingError, match="sentence-transformers:NAME"):
        open_embedder(name)


def test_a_near_name_is_suggested():
    with pytest.raises(SettingError, match="did you mean 'openai'"):
        open_embedder("opnai:small")


@pytest.mark.parametrize("provider", ["openai", "fastembed", "sentence-transformers"])
def test_a_missing_package_is_named_with_the_command_that_installs_it(provider, monkeypatch):
    real = builtins.__import__

    def without(name, *rest):
        if name.partition(".")[0] in ("openai", "fastembed", "sentence_transformers"):
            raise ModuleNotFoundError(f"No module named {name!r}")
        return real(name, *rest)

    monkeypatch.setattr("importlib.import_module", without)
    with pytest.raises(ModelError, match=rf"pip install 'onrecord\[{provider}\]'"):
        open_embedder(f"{provider}:x")


def test_every_provider_is_described_with_what_to_do_about_it(tmp_path, monkeypatch):
    monkeypatch.setenv("ONRECORD_CACHE", str(tmp_path))
    monkeypatch.setattr("onrecord.models.providers.find_spec", lambda module: None)
    monkeypatch.setattr("onrecord.models.minilm.weights.installed", lambda: None)
    states = {known["name"]: (known["ready"], known["state"]) for known in describe()}
    assert list(states) == [name for name in EMBEDDERS if name != "hashing"]
    assert states["minilm"] == (False, "not fetched yet: onrecord models fetch")
    assert states["openai:NAME"] == (False, "not installed: pip install 'onrecord[openai]'")
