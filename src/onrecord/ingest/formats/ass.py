"""Reader of SubStation Alpha and Advanced SubStation Alpha (.ssa, .ass): the events in `Dialogue` lines."""

from __future__ import annotations

import re
from collections.abc import Iterator

from onrecord.ingest.formats.base import Format, Source
from onrecord.ingest.formats.clock import seconds_of
from onrecord.ingest.formats.cues import transcript
from onrecord.ingest.formats.lines import split_lines
from onrecord.ingest.formats.markup import Caption, lines_of_runs
from onrecord.types import Details, Transcript, one_line

_BEGINS = re.compile(r"\s*(?:;[^\n]*\n\s*)*\[(?:Script Info|V4\+? Styles|Events)\]", re.IGNORECASE)
_FIELDS = "layer, start, end, style, name, marginl, marginr, marginv, effect, text"
_TIME = re.compile(r"\d{1,6}:\d{1,2}:\d{1,2}(?:[.:,]\d{1,3})?")
_OVERRIDE = re.compile(r"\{([^{}]*)\}")
_DRAWING = re.compile(r"\\p(\d)")
_KARAOKE = re.compile(r"\\[kK][fo]?(\d{1,6})")


def fits(source: Source) -> bool:
    return bool(_BEGINS.match(source.text))


def read(source: Source) -> tuple[Transcript, ...]:
    lines = split_lines(source)
    captions = sorted(_captions(source, lines), key=lambda caption: (caption.start, caption.end))
    title = next((line[6:].strip() for line in lines[:200] if line[:6].lower() == "title:"), "")
    details = Details(title=one_line(title) or None)
    return (transcript(source, FORMAT.name, captions, details),)


FORMAT = Format("ass", (".ass", ".ssa"), fits, read)


def _captions(source: Source, lines: list[str]) -> Iterator[Caption]:
    columns = [name.strip() for name in _FIELDS.split(",")]
    for number, line in enumerate(lines, 1):
        kind, colon, rest = line.partition(":")
        kind = kind.strip().lower()
        if colon and kind == "format" and "text" in rest.lower():
            columns = [name.strip().lower() for name in rest.split(",")]
        elif colon and kind == "dialogue":
            cells = rest.split(",", len(columns) - 1)
            if len(cells) < len(columns):
                raise source.error(
                    f"line {number}", f"{len(columns)} fields", f"{len(cells)}: {rest.strip()}"
                )
            yield _caption(source, number, dict(zip(columns, cells, strict=True)))


def _caption(source: Source, number: int, cells: dict[str, str]) -> Caption:
    times = []
    for name in ("start", "end"):
        cell = cells.get(name, "")
        if not _TIME.fullmatch(cell.strip()):
            raise source.error(f"line {number}", "a time (0:00:01.50)", repr(cell))
        times.append(seconds_of(cell))
    start, end = times
    voice = one_line(cells.get("name") or cells.get("actor") or "") or None
    return Caption(f"line {number}", start, end, lines_of_runs(_runs(cells.get("text", ""), voice, start)))


def _runs(text: str, voice: str | None, start: float) -> Iterator[tuple[str, str | None, float | None]]:
    """Yield the text runs of an event as (text, voice, second), without overrides and drawings.

    Only karaoke syllables have times.
    """
    drawing, second, following = False, None, start
    for number, piece in enumerate(_OVERRIDE.split(text)):
        if number % 2 == 0:
            piece = piece.replace("\\N", "\n").replace("\\n", " ").replace("\\h", " ")
            for at, line in enumerate(piece.split("\n") if not drawing else ()):
                if at:
                    yield "\n", voice, None
                yield line, voice, second if not at and line.strip() else None
            continue
        if tag := _DRAWING.search(piece):
            drawing = tag[1] != "0"
        second = None
        if tag := _KARAOKE.search(piece):
            second, following = following, round(following + int(tag[1]) / 100, 3)
