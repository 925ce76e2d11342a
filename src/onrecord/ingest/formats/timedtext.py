"""Reader of YouTube's timed text as XML: srv3 (`<timedtext format="3">`), srv2, and srv1 (`<transcript>`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from onrecord.ingest.formats.base import Format, Source
from onrecord.ingest.formats.cues import transcript, trim_lingering
from onrecord.ingest.formats.markup import Caption, lines_of, lines_of_pieces, unescape
from onrecord.ingest.formats.xml_source import find_all, local_name, parse_xml, read_seconds, root_name
from onrecord.types import Transcript

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element


def fits(source: Source) -> bool:
    name = root_name(source)
    return name == "timedtext" or (name == "transcript" and "<text" in source.text[:5000])


def read(source: Source) -> tuple[Transcript, ...]:
    root = parse_xml(source)
    if local_name(root) == "transcript":
        captions = [_line(source, text, "start", "dur", 1.0) for text in find_all(root, "text")]
    elif next(find_all(root, "p"), None) is None:
        captions = [_line(source, text, "t", "d", 1000.0) for text in find_all(root, "text")]
    else:
        captions = list(_paragraphs(source, root))
    return (transcript(source, FORMAT.name, trim_lingering(captions)),)


FORMAT = Format("timedtext", (".srv3", ".srv2", ".srv1"), fits, read)


def _line(source: Source, text: Element, start: str, length: str, per_second: float) -> Caption:
    begin = read_seconds(source, text, start, per_second) or 0.0
    end = begin + (read_seconds(source, text, length, per_second) or 0.0)
    lines, _ = lines_of(unescape("".join(text.itertext())))
    return Caption(f"second {begin:g}", round(begin, 3), round(end, 3), lines)


def _paragraphs(source: Source, root: Element) -> Iterator[Caption]:
    """Yield a caption for each paragraph, with the times of its words if they have any."""
    for paragraph in find_all(root, "p"):
        begin = read_seconds(source, paragraph, "t") or 0.0
        length = read_seconds(source, paragraph, "d") or 0.0
        pieces: list[tuple[str, float | None]] = [(paragraph.text or "", None)]
        words = list(find_all(paragraph, "s"))
        timed = any(word.get("t") for word in words)
        for word in words:
            offset = read_seconds(source, word, "t") or 0.0
            pieces.append((word.text or "", round(begin + offset, 3) if timed else None))
            pieces.append((word.tail or "", None))
        end = max([begin + length, *(second for _, second in pieces if second is not None)])
        yield Caption(f"second {begin:g}", round(begin, 3), round(end, 3), lines_of_pieces(pieces))
