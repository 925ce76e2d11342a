"""Reader of Word documents (.docx) of meeting tools and transcribers: Teams, Otter, Rev, Amazon call reports.

`decode` unpacks the document's XML. This module converts its paragraphs to lines; a line break separates two
lines of a paragraph. If a table has columns of speakers and words, only the rows of such tables are read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from onrecord.ingest.formats.base import Format, Source
from onrecord.ingest.formats.document import transcript
from onrecord.ingest.formats.lines import BOLD, END, Line, check_count, single_spaces, strip_marks
from onrecord.ingest.formats.tables import column_of
from onrecord.ingest.formats.words import Token, end_time, seconds, speaker_name
from onrecord.ingest.formats.words import transcript as of_words
from onrecord.ingest.formats.xml_source import attribute, local_name, parse_xml, root_name
from onrecord.types import Transcript

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_HEADING = re.compile(r"(?:heading|berschrift|titre)\s?([1-6])", re.IGNORECASE)
_COLUMNS = {"comment": "text", "comments": "text", "said": "text", "dur": "duration", "turntime": "start"}


def fits(source: Source) -> bool:
    return root_name(source) == "document" and "wordprocessingml" in source.text[:20_000]


def read(source: Source) -> tuple[Transcript, ...]:
    check_count(source, source.text.count("<w:p"), "paragraphs")
    body = next((child for child in parse_xml(source) if local_name(child) == "body"), None)
    if body is not None and (tokens := _utterances(body)):
        return (of_words(source, FORMAT.name, tokens),)
    lines = list(_lines(body)) if body is not None else []
    return (transcript(source, FORMAT.name, lines),)


FORMAT = Format("docx", (".docx",), fits, read)


def _lines(body: Element) -> Iterator[Line]:
    for number, block in enumerate(_blocks(body), 1):
        if local_name(block) == "tbl":  # a row becomes a line of its joined cells
            for at, cells in enumerate(_rows(block)):
                if row := " ".join(cell for cell in cells if cell):
                    yield Line(number + at, row, opens=True)
            continue
        level = _level(block)
        for at, text in enumerate(_texts(block)):
            words = single_spaces(text)
            if strip_marks(words).strip():
                yield Line(number, words, opens=at == 0, level=level)


def _blocks(element: Element) -> Iterator[Element]:
    """Yield the paragraphs and tables, including those inside content controls and similar elements."""
    for child in element:
        if local_name(child) in ("p", "tbl"):
            yield child
        elif local_name(child) in ("sdt", "sdtContent", "customXml", "ins", "moveTo", "smartTag"):
            yield from _blocks(child)


def _level(paragraph: Element) -> int:
    styles = (element for element in paragraph.iter() if local_name(element) == "pStyle")
    style = attribute(next(styles, paragraph), "val") or ""
    if style.lower() in ("title", "titel", "titre"):
        return 1
    heading = _HEADING.search(style)
    return int(heading[1]) if heading else 0


def _texts(paragraph: Element) -> list[str]:
    """Return the lines of a paragraph, with bold words between `BOLD` and `END`."""
    pieces: list[str] = []
    for run in (element for element in paragraph.iter() if local_name(element) == "r"):
        words = "".join(_words(run))
        bold = next((element for element in run.iter() if local_name(element) == "b"), None)
        if words.strip() and bold is not None and attribute(bold, "val") not in ("0", "false", "off"):
            pieces.append(
                "\n".join(f"{BOLD}{part}{END}" if part.strip() else part for part in words.split("\n"))
            )
        else:
            pieces.append(words)
    joined = re.sub(rf"{END}(\s*){BOLD}", lambda gap: gap[0] if "\n" in gap[1] else gap[1], "".join(pieces))
    return joined.split("\n")


def _words(run: Element) -> Iterator[str]:
    for child in run:
        name = local_name(child)
        if name == "t":
            yield " ".join((child.text or "").replace("\n", " ").split(" "))
        elif name in ("br", "cr"):
            yield "\n"
        elif name in ("tab", "noBreakHyphen"):
            yield "\t" if name == "tab" else "-"


def _rows(table: Element) -> list[list[str]]:
    """Return the rows of a table as lists of cell texts."""
    rows = []
    for row in (child for child in table if local_name(child) == "tr"):
        cells = []
        for cell in (child for child in row if local_name(child) == "tc"):
            blocks = (block for block in _blocks(cell) if local_name(block) == "p")
            texts = (strip_marks(" ".join(_texts(block))) for block in blocks)
            cells.append(" ".join(" ".join(texts).split()))
        rows.append(cells)
    return rows


# ---------------------------------------------------------------- tables of utterances


def _utterances(body: Element) -> list[Token]:
    """Return the rows of all tables of utterances as tokens.

    In such a table, the first row names columns of words and speakers, or every row consists of a time, a
    name and words.
    """
    tokens: list[Token] = []
    for table in (block for block in _blocks(body) if local_name(block) == "tbl"):
        rows = _rows(table)
        names = [re.sub(r"[^a-z]", "", cell.lower()) for cell in (rows[0] if rows else [])]
        columns = {
            column_of(name) or _COLUMNS.get(name, ""): at for at, name in reversed(list(enumerate(names)))
        }
        if {"text", "speaker"} <= columns.keys():
            tokens += [token for row in rows[1:] if (token := _token(row, columns))]
        elif len(rows) > 1 and all(len(row) == 3 and seconds(row[0]) is not None and row[2] for row in rows):
            tokens += [token for row in rows if (token := _token(row, {"start": 0, "speaker": 1, "text": 2}))]
    return tokens


def _token(row: list[str], columns: dict[str, int]) -> Token | None:
    cells = {name: row[at] for name, at in columns.items() if name and at < len(row)}
    if not cells.get("text"):
        return None
    times = (cells.get(name, "").strip().rstrip("s ").strip("[]() ") for name in ("start", "end", "duration"))
    start, end, length = map(seconds, times)
    speaker = speaker_name(cells.get("speaker", ""))
    return Token(cells["text"], start, end_time(start, end, length), speaker, opens=True)
