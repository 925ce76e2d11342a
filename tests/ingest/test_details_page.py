"""Tests that the files on docs/details.md are read as the page says."""

import re
from pathlib import Path

import pytest

from onrecord.ingest.dates import iso_date
from onrecord.ingest.outcomes import TranscriptSource
from onrecord.ingest.sources import gather
from onrecord.types import Details, Section, Transcript

PAGE = Path(__file__).parents[2] / "docs" / "details.md"
FILE = re.compile(r"<!-- file: (?P<name>\S+) -->\n```\w+\n(?P<text>.*?)```", re.S)


@pytest.fixture
def page_transcripts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Transcript]:
    """Write the page's files to a folder, and return their transcripts by name."""
    monkeypatch.chdir(tmp_path)
    for match in FILE.finditer(PAGE.read_text()):
        path = tmp_path / match["name"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(match["text"])
    (tmp_path / "talks" / "margins.mp3").touch()
    transcripts = {}
    for outcome in gather(["talks/"]):
        assert isinstance(outcome, TranscriptSource), outcome
        (transcripts[outcome.name],) = outcome.transcripts()
    return transcripts


def test_every_file_is_read_as_the_page_says(page_transcripts: dict[str, Transcript], tmp_path: Path) -> None:
    assert {name: transcript.details for name, transcript in page_transcripts.items()} == {
        "talks/2024-03-05_rates.md": Details(
            title="Who pays for the step?",
            date="2024-03-05",
            people=("Ann Lee", "Bo Díaz"),
            attributes={"show": "Night Desk"},
        ),
        "talks/margins.en.vtt": Details(
            title="An expensive spring",
            date="2024-11-14",
            link="https://example.com/watch?at={seconds}",
            media=(tmp_path / "talks" / "margins.mp3").as_posix(),
            attributes={"episode": "41", "quarter": "Q2 2024"},
        ),
        "talks/calls/q3.txt": Details(
            title="Third quarter",
            date="2024-10-30",
            people=("Ann Lee", "Bo Díaz"),
            attributes={"quarter": "Q3 2024"},
        ),
        "The long autumn (show.xml)": Details(
            title="The long autumn",
            date="2024-11-28",
            people=("Ann Lee",),
            media="https://example.com/43.mp3",
            attributes={"show": "Night Desk", "host": "Ann Lee", "episode": "43"},
        ),
    }
    assert page_transcripts["talks/margins.en.vtt"].sections == (
        Section("Freight", 0.0, 750.0),
        Section("Questions from the floor", 750.0, None),
    )


DATES = re.search(r"\| `date` \| (.*) \|", PAGE.read_text())
assert DATES
SHOWN = re.findall(r"`([^`]+)`", DATES[1])


@pytest.mark.parametrize("date", SHOWN)
def test_the_dates_that_the_page_shows(date: str) -> None:
    if date == "03/04/2024":
        with pytest.raises(ValueError, match="one reading"):
            iso_date(date)
    else:
        assert iso_date(date)
