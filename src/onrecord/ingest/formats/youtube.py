"""YouTube's timed text as JSON (``json3``), which yt-dlp saves as ``.json3``: events made of segments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from onrecord.ingest.formats.base import Format, Source
from onrecord.ingest.formats.cues import transcript
from onrecord.ingest.formats.fields import Field, broken_json, document
from onrecord.ingest.formats.markup import Caption, lines_of_pieces
from onrecord.types import Transcript, printable


def fits(source: Source) -> bool:
    """An object whose list `events` says of itself when it is shown, in YouTube's words."""
    value = source.json
    if not isinstance(value, dict):
        return broken_json(source, "events", "tStartMs")
    events = value.get("events")
    if not isinstance(events, list):
        return False
    first = next((event for event in events if isinstance(event, dict)), {})
    return value.get("wireMagic") == "pb3" or "segs" in first or "tStartMs" in first


def read(source: Source) -> tuple[Transcript, ...]:
    """The words of all events. In automatic captions each word has its time; events that only open a
    window or break a line have no words."""
    captions = [_caption(event) for event in document(source)["events"]]
    spoken = [caption for caption in captions if caption.lines]
    return (transcript(source, FORMAT.name, [*map(_without_linger, spoken, spoken[1:]), *spoken[-1:]]),)


FORMAT = Format("youtube", (".json3",), fits, read)


def _caption(event: Field) -> Caption:
    start = event["tStartMs"].seconds(1000) or 0.0
    pieces = list(_pieces(event, start))
    spoken = max((second for _, second in pieces if second is not None), default=start)
    end = max(spoken, start + (event["dDurationMs"].seconds(1000) or 0.0))
    return Caption(event.place, start, end, lines_of_pieces(pieces))


def _without_linger(caption: Caption, following: Caption) -> Caption:
    """A line of automatic captions stays on the screen while the next one is said."""
    if not any(caption.timed):
        return caption
    said = max(second for line in caption.lines for words in line for _, second in words.marks)
    return replace(caption, end=min(caption.end, max(said, following.start)))


def _pieces(event: Field, start: float) -> Iterator[tuple[str, float | None]]:
    """The segments' texts, each with its time where the event has any."""
    for segment in event["segs"]:
        offset = segment["tOffsetMs"].seconds(1000)
        yield printable(segment["utf8"].text), None if offset is None else round(start + offset, 3)
