"""What the tests of all readers of word lists share."""

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
    """The only transcript in a text, or in a value written as JSON, which the format must recognise."""
    source = Source(name, content if isinstance(content, str) else json.dumps(content))
    assert fitting(source) == [format_.name]
    (transcript,) = format_.read(source)
    return transcript


def fitting(source: Source) -> list[str]:
    """Names of the formats that take a source for theirs."""
    return [format_.name for format_ in FORMATS if format_.fits(source)]


def lines(transcript: Transcript) -> list[tuple[str | None, str]]:
    """Who said what."""
    return [(turn.speaker, turn.text) for turn in transcript.turns]


def spans(transcript: Transcript) -> list[tuple[float | None, float | None]]:
    """When each turn starts and ends."""
    return [(turn.start, turn.end) for turn in transcript.turns]


def assert_sound(result: Transcript) -> None:
    """What every transcript must keep to."""
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
