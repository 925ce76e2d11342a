"""Reader of TTML in all its dialects (DFXP, IMSC, EBU-TT, iTunes lyrics): timed paragraphs with agents.

By the standard, times count from the beginning of the enclosing element. If such a time lies past the end of
that element, the times count from the beginning of the recording, as in some files. A document without
beginnings has no times.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from onrecord.ingest.formats.base import Format, Source
from onrecord.ingest.formats.cues import transcript
from onrecord.ingest.formats.markup import Caption, lines_of_runs
from onrecord.ingest.formats.xml_source import attribute, find_all, local_name, parse_xml, root_name, text_of
from onrecord.ingest.language import language_code
from onrecord.types import Details, Transcript, Turn, one_line

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_CLOCK = re.compile(r"(\d{1,6}):(\d{1,2}):(\d{1,2}(?:\.\d{1,9})?)(?::(\d{1,4})(?:\.\d{1,4})?)?")
_SHORT = re.compile(r"(\d{1,4}):(\d{1,2}(?:\.\d{1,9})?)")
_OFFSET = re.compile(r"(\d{1,15}(?:\.\d{1,9})?)(h|ms|m|s|f|t)?")
_SLACK = 0.01


def fits(source: Source) -> bool:
    return root_name(source) == "tt"


def read(source: Source) -> tuple[Transcript, ...]:
    root = parse_xml(source)
    clock = _Clock.of(root)
    agents = {}
    for agent in find_all(root, "agent"):  # prefer a full name over any other name
        names = sorted(find_all(agent, "name"), key=lambda name: attribute(name, "type") != "full")
        agents[attribute(agent, "id") or ""] = next(filter(None, map(text_of, names)), "")
    body = next(find_all(root, "body"), None)
    captions = []
    if body is not None:
        reader = _Reader(source, clock, agents)
        captions = list(reader.captions(body))
        if reader.overran:
            captions = list(_Reader(source, clock, agents, nested=False).captions(body))
    title = next((text_of(element) for element in find_all(root, "title")), "")
    details = Details(title=one_line(title) or None, language=language_code(attribute(root, "lang") or ""))
    read_captions = transcript(source, FORMAT.name, captions, details)
    if body is not None and not any(attribute(element, "begin") for element in body.iter()):
        untimed = tuple(Turn(turn.text, turn.speaker) for turn in read_captions.turns)
        read_captions = replace(read_captions, turns=untimed)
    return (read_captions,)


FORMAT = Format("ttml", (".ttml", ".dfxp", ".itt", ".imsc"), fits, read)


@dataclass(frozen=True, slots=True)
class _Clock:
    """The frame rate and the tick rate of a document, per second."""

    frames: float = 30.0
    ticks: float = 1.0

    @staticmethod
    def of(root: Element) -> _Clock:
        frames = _read_number(attribute(root, "frameRate"), 30.0)
        top, _, bottom = (attribute(root, "frameRateMultiplier") or "").replace(":", " ").partition(" ")
        if _read_number(top, 0.0) and _read_number(bottom, 0.0):
            frames *= _read_number(top, 1.0) / _read_number(bottom, 1.0)
        ticks = _read_number(attribute(root, "tickRate"), 0.0)
        return _Clock(frames, ticks or (frames if attribute(root, "frameRate") else 1.0))

    def second(self, source: Source, element: Element, name: str) -> float | None:
        """Return a time attribute in seconds, or None if absent. Raise FormatError if it is not a time."""
        written = (attribute(element, name) or "").strip()
        if not written:
            return None
        if match := _CLOCK.fullmatch(written):
            hours, minutes, seconds, frames = match.groups()
            return int(hours) * 3600 + int(minutes) * 60 + float(seconds) + int(frames or 0) / self.frames
        if match := _SHORT.fullmatch(written):
            return int(match[1]) * 60 + float(match[2])
        if match := _OFFSET.fullmatch(written):
            units = {"h": 3600.0, "m": 60.0, "ms": 0.001, "f": 1 / self.frames, "t": 1 / self.ticks}
            return float(match[1]) * units.get(match[2], 1.0)
        raise source.error(f"<{local_name(element)} {name}>", "a time (00:00:01.5, 1.5s, 45f)", repr(written))


def _read_number(text: str | None, default: float) -> float:
    match = re.fullmatch(r"\d{1,9}(?:\.\d{1,6})?", (text or "").strip())
    return float(match[0]) or default if match else default


@dataclass(slots=True)
class _Place:
    """The times (in seconds) and the agent of an element, which its children inherit."""

    start: float = 0.0
    end: float | None = None
    agent: str | None = None


@dataclass(slots=True)
class _Runs:
    """The pieces of a paragraph as (text, agent, second), with the first start and last end of its spans."""

    pieces: list[tuple[str, str | None, float | None]] = field(default_factory=list)
    first: float | None = None
    last: float | None = None

    def add(self, text: str | None, place: _Place, second: float | None) -> None:
        if text:
            self.pieces.append((re.sub(r"\s+", " ", text), place.agent, second))


@dataclass(slots=True)
class _Reader:
    """A reader of the paragraphs of a body.

    If `nested` is True, times count from the beginning of the enclosing element. `overran` becomes True if
    such a time lies past the end of that element.
    """

    source: Source
    clock: _Clock
    agents: Mapping[str, str]
    nested: bool = True
    overran: bool = False

    def captions(self, body: Element) -> Iterator[Caption]:
        number = 0
        stack = [(body, _Place())]
        while stack:
            element, around = stack.pop()
            place = self._place_of(element, around)
            if local_name(element) == "p":
                number += 1
                if caption := self._paragraph(element, place, number):
                    yield caption
            else:
                stack += [(child, place) for child in reversed(element)]

    def _place_of(self, element: Element, around: _Place) -> _Place:
        """Return the times and the agent of an element."""
        times = (self.clock.second(self.source, element, name) for name in ("begin", "end", "dur"))
        begin, end, length = times
        if end is None and length is not None:
            end = (begin or 0.0) + length
        base = around.start if self.nested else 0.0
        start = base + begin if begin is not None else around.start
        stop = base + end if end is not None else around.end
        if around.end is not None and base and max(start, stop or 0.0) > around.end + _SLACK:
            self.overran = True
        codes = (attribute(element, "agent") or "").split()
        names: set[str | None] = {self.agents.get(code) or code for code in codes}
        names = names or {around.agent}
        return _Place(start, stop, names.pop() if len(names) == 1 else None)

    def _paragraph(self, element: Element, place: _Place, number: int) -> Caption | None:
        runs = _Runs()
        self._walk(element, place, runs, None)
        lines = lines_of_runs(runs.pieces)
        if not lines:
            return None
        start = place.start if runs.first is None or attribute(element, "begin") else runs.first
        end = place.end if place.end is not None else runs.last
        return Caption(f"paragraph {number}", round(start, 3), round(start if end is None else end, 3), lines)

    def _walk(self, element: Element, place: _Place, runs: _Runs, second: float | None) -> None:
        """Add the text of an element and its descendants, without metadata and ruby annotations."""
        runs.add(element.text, place, second)
        for child in element:
            name = local_name(child)
            if name == "br":
                runs.pieces.append(("\n", None, None))
            elif name == "span" and attribute(child, "ruby") not in ("text", "textContainer", "delimiter"):
                inner = self._place_of(child, place)
                timed = round(inner.start, 3) if attribute(child, "begin") else None
                if timed is not None:
                    runs.first = timed if runs.first is None else runs.first
                    runs.last = inner.end
                self._walk(child, inner, runs, timed)
            runs.add(child.tail, place, None)
