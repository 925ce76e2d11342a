"""Tests that every original transcript reads back the same after an export to each kind of file."""

from pathlib import Path

import pytest

from onrecord.errors import OnRecordError
from onrecord.ingest.export import WRITERS, export, transcript_of
from onrecord.ingest.passages import Cutter
from onrecord.ingest.surroundings import FileContext
from onrecord.types import Recording, Transcript

FOLDERS = ("formats_more/documents", "formats_more/vendors", "changelog/raw", "transcript_formats/raw")
SHARED = Path(__file__).parents[3] / "shared" / "data"


def originals() -> list[Path]:
    """Return the paths of all original files."""
    return [path for folder in FOLDERS for path in sorted((SHARED / folder).rglob("*")) if path.is_file()]


def by_speaker(transcript: Transcript) -> dict[str | None, list[str]]:
    """Return the words of each speaker in order.

    Only the order within a speaker is compared, because captions of overlapping turns alternate.
    """
    texts: dict[str | None, list[str]] = {}
    for turn in transcript.turns:
        texts.setdefault(turn.speaker, []).extend(turn.text.split())
    return texts


@pytest.mark.data
@pytest.mark.slow
@pytest.mark.parametrize("folder", FOLDERS)
def test_every_original_comes_back(data: Path, folder: str) -> None:
    count = 0
    for path in (each for each in originals() if (SHARED / folder) in each.parents):
        try:
            transcripts = FileContext().read(path.name, path.read_bytes())
        except OnRecordError:
            continue
        for transcript in transcripts:
            passages, sections = Cutter().cut(transcript, "talk")
            recording = Recording("talk", "talk", "", transcript.format, transcript.details)
            expected = by_speaker(transcript_of(recording, sections, passages))
            for kind in WRITERS:
                if kind in ("vtt", "srt") and all(turn.start is None for turn in transcript.turns):
                    continue
                text = export(kind, recording, sections, passages)
                (again,) = FileContext().read(f"talk.{kind}", text.encode())
                assert by_speaker(again) == expected, (path.name, kind)
                count += 1
    assert count > 20
