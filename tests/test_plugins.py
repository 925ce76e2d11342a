"""Formats, stores and models from another package, installed as pip would install it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import onrecord
from onrecord.errors import SettingError
from onrecord.ingest.formats import registry
from onrecord.models import describe, open_embedder, open_reader, open_reranker
from onrecord.models.base import CallLimits, Message
from onrecord.models.providers import open_language_model, open_llm
from onrecord.stores import open_store, workspaces

MODULE = """
from onrecord.ingest.formats.base import Format
from onrecord.models.double import HashingEmbedder, OverlapReader, OverlapReranker, ScriptedModel
from onrecord.stores.memory import MemoryStore
from onrecord.types import Transcript, Turn

SHELVES = {}


def open_shelf(url, workspace, *, make, read_only):
    return SHELVES.setdefault((url, workspace), MemoryStore(workspace))


def open_embedder(model):
    embedder = HashingEmbedder(64)
    embedder.name, embedder.fingerprint = f"toy:{model}", f"toy/{model}"
    return embedder


def open_reranker(model):
    return OverlapReranker()


def open_reader(model):
    return OverlapReader()


def open_language_model(model):
    return ScriptedModel("<think>hm</think>Well.")


def read(source):
    return (Transcript((Turn(source.text[2:].strip(), "Ann"),), "shout"),)


SHOUT = Format("shout", (".shout",), lambda source: source.text.startswith("@@"), read)
"""
POINTS = """\
[onrecord.formats]
shout = toy_plugin:SHOUT

[onrecord.stores]
toy = toy_plugin:open_shelf
torn = no_such_module_at_all:open_shelf

[onrecord.models]
toy = toy_plugin
"""


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Put a distribution on the path, with the files that an installer writes."""
    site = tmp_path / "site"
    about = site / "toy_plugin-1.0.dist-info"
    about.mkdir(parents=True)
    (site / "toy_plugin.py").write_text(MODULE)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: toy-plugin\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(POINTS)
    (about / "RECORD").write_text("toy_plugin.py,,\ntoy_plugin-1.0.dist-info/METADATA,,\n")
    monkeypatch.syspath_prepend(site)
    registry.plugin_formats.cache_clear()
    yield
    registry.plugin_formats.cache_clear()


@pytest.mark.usefixtures("installed")
def test_an_archive_of_other_peoples_parts(tmp_path: Path) -> None:
    """An archive can use a format, store and models from plug-ins."""
    (tmp_path / "talk.shout").write_text("@@ Margins fell because freight doubled.")
    settings = {"embedding": {"model": "toy:small"}, "rerank": {"model": "toy:any"}}
    with onrecord.open("toy://shelf", reader={"model": "toy:any"}, **settings) as archive:
        (recording,) = archive.add(tmp_path / "talk.shout").added
        assert recording.format == "shout" and archive.embedder and archive.embedder.name == "toy:small"
        answer = archive.ask("Why did margins fall?", "direct")
        assert "freight doubled" in answer.citations[0].quote
        assert archive.stats()["model"]["fingerprint"] == "toy/small"
    assert workspaces("toy://shelf") == []


@pytest.mark.usefixtures("installed")
def test_each_kind_of_model() -> None:
    assert open_embedder("toy:x").name == "toy:x" and open_reranker("toy:x").name == "overlap"
    assert open_reader("toy:x") and open_language_model("toy:x").name == "scripted"
    assert open_llm("toy:x").complete([Message("user", "U")], CallLimits(1, 9)).text == "Well."
    assert describe()[-1]["name"] == "toy:NAME" and describe()[-1]["ready"] is True


@pytest.mark.usefixtures("installed")
def test_what_no_plugin_has_is_refused() -> None:
    """Unknown or broken plug-ins are refused with a message that names the choices."""
    with pytest.raises(SettingError, match="toy:NAME"):
        open_embedder("toi:small")
    with pytest.raises(SettingError, match=r"archive.*torn.*does not .ModuleNotFoundError"):
        open_store("torn://shelf")
    with pytest.raises(SettingError, match="an address of a plug-in"):
        open_store("nobody://shelf")


def test_without_it_nothing_of_it_is_there() -> None:
    """Without the package, its names are unknown."""
    with pytest.raises(SettingError, match="sentence-transformers:NAME"):
        open_embedder("toy:small")
    with pytest.raises(SettingError, match="toy://shelf"):
        open_store("toy://shelf")
