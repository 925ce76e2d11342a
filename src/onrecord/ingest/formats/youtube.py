"""Reader of YouTube's timed text as JSON (``json3``): events of segments; yt-dlp saves it as ``.json3``."""

from __future__ import annotations

from onrecord.ingest.formats.base import Format, Source
from onrecord.ingest.formats.cues import transcript, trim_lingering
from onrecord.ingest.formats.fields import Field, broken_json, document
from onrecord.ingest.formats.markup import Caption, lines_of_pieces
from onrecord.types import Transcript, printable


def fits(source: Source) -> bool:
    """Recognize an object that has a list `events` with YouTube's keys."""
    value = source.json
    if not isinstance(value, dict):
        return broken_json(source, "events", "tStartMs")
    events = value.get("events")
    if not isinstance(events, list):
        return False
    first = next((event for event in events if isinstance(event, dict)), {})
    return value.get("wireMagic") == "pb3" or "segs" in first or "tStartMs" in first


def read(source: Source) -> tuple[Transcript, ...]:
    """Read the words of all events; in automatic captions, each word has a time."""
    captions = [_caption(event) for event in document(source)["events"]]
    return (transcript(source, FORMAT.name, trim_lingering(captions)),)


FORMAT = Format("youtube", (".json3",), fits, read)


def _caption(event: Field) -> Caption:
    start = event["tStartMs"].seconds(1000) or 0.0
    pieces: list[tuple[str, float | None]] = []
    for segment in event["segs"]:
        offset = segment["tOffsetMs"].seconds(1000)
        second = None if offset is None else round(start + offset, 3)
        pieces.append((printable(segment["utf8"].text), second))
    spoken = max((second for _, second in pieces if second is not None), default=start)
    end = max(spoken, start + (event["dDurationMs"].seconds(1000) or 0.0))
    return Caption(event.place, start, end, lines_of_pieces(pieces))
