"""Helpers for the tests of formats that store lists of timed words."""

import json
from typing import Any

from onrecord.ingest.formats import (
    amberscript,
    assemblyai,
    ctm,
    deepgram,
    native,
    nlp,
    podcasting,
    rev,
    rttm,
    tables,
    whisper,
)
from onrecord.ingest.formats.base import Format, Source
from onrecord.ingest.formats.words import tidy
from onrecord.types import Transcript

FORMATS = [
    m.FORMAT
    for m in (amberscript, assemblyai, ctm, deepgram, native, nlp, podcasting, rev, rttm, tables, whisper)
]


def read_one(format_: Format, content: Any, name: str = "talk") -> Transcript:
    """Return the only transcript that ``format_`` reads from ``content``.

    ``content`` is the text of a file, or a value that is written as JSON. Fail unless ``format_`` alone
    recognizes it.
    """
    source = Source(name, content if isinstance(content, str) else json.dumps(content))
    assert fitting(source) == [format_.name]
    (transcript,) = format_.read(source)
    return transcript


def fitting(source: Source) -> list[str]:
    """Return the names of the formats that recognize a source."""
    return [format_.name for format_ in FORMATS if format_.fits(source)]


def lines(transcript: Transcript) -> list[tuple[str | None, str]]:
    """Return the speaker and the text of each turn."""
    return [(turn.speaker, turn.text) for turn in transcript.turns]


def spans(transcript: Transcript) -> list[tuple[float | None, float | None]]:
    """Return the start and the end of each turn, in seconds."""
    return [(turn.start, turn.end) for turn in transcript.turns]


def assert_sound(result: Transcript) -> None:
    """Assert that the turns of a transcript are valid.

    Each text is tidy and not empty. The offsets of marks rise and lie within the text. Times never fall, and
    a turn without a start has no other times.
    """
    floor = 0.0
    for turn in result.turns:
        assert turn.text
        assert turn.text == tidy(turn.text)
        offsets = [at for at, _ in turn.marks]
        assert offsets == sorted(set(offsets))
        assert all(0 <= at <= len(turn.text) for at in offsets)
        if turn.start is None:
            assert turn.end is None and not turn.marks
            continue
        times = [floor, turn.start, *(second for _, second in turn.marks)]
        times += [turn.end] if turn.end is not None else []
        assert times == sorted(times)
        floor = turn.start
