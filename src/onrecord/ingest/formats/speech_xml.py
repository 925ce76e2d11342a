"""Reader of turns in XML: TEI (``<u who="#ann">``, ``<sp>``), Transcriber (``<Turn speaker="spk1">``), etc.

A turn is an element that names its speaker in an attribute or, in TEI's plays, in an element ``<speaker>``.
A speaker may be a code, whose name stands elsewhere in the file. TEI: Text Encoding Initiative, Guidelines
P5, chapters 7 and 8.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from onrecord.errors import FormatError
from onrecord.ingest.formats.base import Format, Source
from onrecord.ingest.formats.words import Token, seconds, speaker_name, tidy, transcript
from onrecord.ingest.formats.xml_source import (
    attribute,
    find_all,
    local_name,
    parse_xml,
    root_name,
    text_of,
)
from onrecord.types import Details, Transcript, one_line

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_TURN = re.compile(
    r"<[\w:.-]{1,40}\s(?:[^<>]{0,300}\s)?(?:who|speaker)\s?=\s?[\"']|<sp>\s{0,200}<speaker\b", re.IGNORECASE
)
_PAGES = frozenset("html body div main section article p span".split())
"""Root elements of web pages, which other readers handle."""
_SPEAKERS = ("who", "speaker", "Speaker")
_STARTS, _ENDS = ("start", "startTime", "begin", "time"), ("end", "endTime")
_NAMES = ("persName", "name")
_NOT_SPOKEN = frozenset("speaker note desc stage incident kinesic vocal event comment background".split())
"""Elements within a turn that describe it, and are not spoken."""
_WITHIN_WORDS = frozenset("hi emph em strong b i".split())
"""Elements that do not end a word."""
_HEADER = frozenset("teiheader speakers topics".split())
_LOOKED_AT = 200_000
"""The number of characters in which the first turn must begin."""


def fits(source: Source) -> bool:
    root = root_name(source)
    return bool(root) and root not in _PAGES and _TURN.search(source.text[:_LOOKED_AT]) is not None


def read(source: Source) -> tuple[Transcript, ...]:
    root = _parse(source)
    names: dict[str, str] = {}
    for element in root.iter():
        if code := attribute(element, "id"):
            inside = (text_of(child) for name in _NAMES for child in find_all(element, name))
            if name := attribute(element, "name") or next(filter(None, inside), ""):
                names[code] = one_line(name)
    tokens = [token for element in _turn_elements(root) for token in _tokens(element, names)]
    title = next((text_of(element) for element in find_all(root, "title")), "")
    return (transcript(source, FORMAT.name, tokens, details=Details(title=one_line(title) or None)),)


FORMAT = Format("xml", (".trs", ".tei"), fits, read)


def _parse(source: Source) -> Element:
    """Return the root element; add one if the file consists of several top-level elements.

    Raises FormatError for broken XML.
    """
    try:
        return parse_xml(source)
    except FormatError as error:
        if "junk after document element" not in str(error):
            raise
    return parse_xml(Source(source.name, f"<turns>{source.text}</turns>", source.remarks))


def _turn_elements(root: Element) -> Iterator[Element]:
    """Yield the turns in document order, except in headers and lists of people.

    Turns are the elements that name a speaker, and elements of the same name between them that do not.
    """
    names = {local_name(element) for element in root.iter() if _speaker_of(element) is not None}
    stack = [(root, False)]
    while stack:
        element, is_within = stack.pop()
        if local_name(element).lower() not in _HEADER | _NOT_SPOKEN:
            is_turn = _speaker_of(element) is not None
            if not is_turn and not is_within and local_name(element) in names:
                is_turn = [inner for inner in element.iter() if local_name(inner) in names] == [element]
            if is_turn:
                yield element
            stack += [(child, is_within or is_turn) for child in reversed(element)]


def _speaker_of(element: Element) -> str | None:
    """Return the speaker in an element's attributes or in its heading; None if the element is not a turn."""
    for name in _SPEAKERS:
        if (written := attribute(element, name)) is not None:
            return written
    return _heading(element)


def _heading(element: Element) -> str | None:
    """Return the text of a turn's ``<speaker>`` in a play, or None."""
    named = (text_of(child) for child in element if local_name(child) == "speaker")
    return next(named, None) if local_name(element) == "sp" else None


def _tokens(element: Element, names: Mapping[str, str]) -> list[Token]:
    """Return a token for each part of a turn between timestamps.

    The tokens have no speaker if the turn names several people.
    """
    written = _speaker_of(element) or ""
    known = [names[code] for part in written.split() if (code := part.rpartition("#")[2]) in names]
    if known:
        speaker = known[0] if len(known) == 1 else None
    else:
        speaker = speaker_name(_heading(element) or written.lstrip("#"))
    tokens = [Token(text, second, None, speaker) for second, text in _stretches(element) if text]
    if tokens:
        start = tokens[0].start if tokens[0].start is not None else _time(element, _STARTS)
        tokens[0] = replace(tokens[0], start=start, opens=True)
        tokens[-1] = replace(tokens[-1], end=_time(element, _ENDS))
    return tokens


def _time(element: Element, attributes: Sequence[str]) -> float | None:
    """Return the first of these attributes that is a time in seconds; others refer to a time elsewhere."""
    written = (attribute(element, name) for name in attributes)
    return next((second for value in written if value and (second := seconds(value)) is not None), None)


def _stretches(element: Element) -> list[tuple[float | None, str]]:
    """Return the parts of a turn as (second, text), divided at empty timed elements (Transcriber's Sync)."""
    pieces: list[tuple[float | None, list[str]]] = [(None, [])]

    def walk(inner: Element) -> None:
        pieces[-1][1].append(inner.text or "")
        for child in inner:
            second = None if len(child) or child.text else _time(child, _STARTS)
            if second is not None:
                pieces.append((second, []))
            elif (name := local_name(child).lower()) not in _NOT_SPOKEN and _speaker_of(child) is None:
                space = "" if name in _WITHIN_WORDS else " "
                pieces[-1][1].append(space)
                walk(child)
                pieces[-1][1].append(space)
            pieces[-1][1].append(child.tail or "")

    walk(element)
    return [(second, tidy("".join(texts))) for second, texts in pieces]
