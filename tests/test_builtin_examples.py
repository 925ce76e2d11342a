"""What a newcomer asks of the built-in examples, with the embedded model and its real weights."""

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest

import onrecord
from onrecord.archive import Archive
from onrecord.errors import WeightsError
from onrecord.models import open_embedder
from onrecord.types import Answer

pytestmark = pytest.mark.model


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Archive]:
    try:
        open_embedder("minilm")
    except WeightsError as error:
        pytest.skip(f"needs the real weights: {error}")
    with onrecord.open(tmp_path_factory.mktemp("examples") / "examples.db", workspace="default") as opened:
        opened.add(Path(str(files("onrecord"))) / "examples")
        yield opened


def cited(answer: Answer) -> list[str]:
    return list(dict.fromkeys(citation.recording.title for citation in answer.citations))


def test_all_recordings_that_answer_are_quoted_and_no_other(archive: Archive) -> None:
    both = cited(archive.ask("Why did margins fall?"))
    assert len(both) == 2 and "41" in both[0] and "earnings call" in both[1]
    assert len(cited(archive.ask("How much does the new flood gate cost the town?"))) == 1
