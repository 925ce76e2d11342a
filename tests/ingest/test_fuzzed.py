"""Tests of scripts/fuzz and of the mutated files that it found.

Each file once broke a reader; now the reader reads or refuses it.
"""

import re
import sys
from collections.abc import Iterator
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

import pytest

from onrecord.types import Transcript

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def fuzz() -> Iterator[ModuleType]:
    """Load scripts/fuzz as a module."""
    spec = spec_from_loader("fuzz", SourceFileLoader("fuzz", str(ROOT / "scripts" / "fuzz")))
    assert spec and spec.loader
    sys.modules["fuzz"] = module = module_from_spec(spec)  # dataclasses look up their module by name
    spec.loader.exec_module(module)
    yield module
    del sys.modules["fuzz"]


@pytest.mark.data
def test_seeds_that_once_showed_a_fault(data: Path, fuzz: ModuleType) -> None:
    for line in fuzz.SEEDS.read_text().splitlines():
        name, seed = line.rsplit(" ", 1)
        assert fuzz.trial(fuzz.load(data, name), seed)[1] is None, line


@pytest.mark.data
@pytest.mark.slow
def test_a_few_mutations_of_every_original(data: Path, fuzz: ModuleType) -> None:
    for original in fuzz.originals(data):
        for seed in ("test.0", "layouttest.0", "wordstest.0"):
            assert fuzz.trial(original, seed)[1] is None, (original.name, seed)


def test_a_reader_that_loses_a_word_shows(fuzz: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that the fuzzer reports a reader that drops inserted words."""
    talk = fuzz.Original("text", "talk.txt", b"Ann: Good morning, everybody.\nBo: Hello there.\n")
    assert fuzz.trial(talk, "words0") != (talk.data, None) and fuzz.trial(talk, "words0")[1] is None
    read = fuzz.FileContext.read

    def forgetful(context: object, name: str, data: bytes) -> tuple[Transcript, ...]:
        known = re.sub(rb" [bdfgklmnprstvz]{9}\b", b"", data)
        return read(context, name, known)

    monkeypatch.setattr(fuzz.FileContext, "read", forgetful)
    assert fuzz.trial(talk, "words0")[1].startswith("other turns")


def test_words_are_inserted_between_tags_only(fuzz: ModuleType) -> None:
    """Check that a spoken word that is also an attribute gets no new word inside the tag."""
    page = (
        '<html><body><article><p><span class="speaker" data-m="0">Ann: </span>'
        '<span class="class" data-m="100">my </span><span data-m="900">class </span></p>'
        "</article></body></html>"
    )
    talk = fuzz.Original("hyperaudio", "talk.html", page.encode())
    data, wrong = fuzz.trial(talk, "words0")
    assert wrong is None and data != talk.data
    assert data.count(b'class="class"') == 1 and data.count(b'class="speaker"') == 1


@pytest.mark.data
def test_every_reader_has_an_original(data: Path, fuzz: ModuleType) -> None:
    from onrecord.ingest.formats.registry import FORMATS

    assert {each.name for each in FORMATS} <= {original.reader for original in fuzz.originals(data)}


def endless(*_: object) -> None:
    """Loop forever, as a stuck reader does."""
    while True:
        pass


def test_a_stuck_reader_is_stopped(fuzz: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz, "STUCK", 0.05)
    monkeypatch.setattr(fuzz.FileContext, "read", endless)
    assert fuzz.fault("talk.txt", b"Good morning.") == "more than 0 seconds"


def test_a_run_goes_on_where_it_was(fuzz: ModuleType) -> None:
    """Check that a run resumed from saved progress adds trials and time."""
    progress, original = (
        fuzz.Progress(),
        fuzz.Original("text", "talk.txt", b"Ann: Good morning.\nBo: Rain again.\n"),
    )
    progress.run([original], 0, 0.05, None)
    again = fuzz.Progress(**vars(progress))
    again.run([original], 0, 0.05, None)
    assert again.trials > progress.trials and again.seconds >= 0.1 and not again.faults
