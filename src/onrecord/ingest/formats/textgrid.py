"""Reader of Praat's TextGrid, long and short: timed interval tiers, one per speaker."""

from __future__ import annotations

import re
from collections.abc import Iterator

from onrecord.ingest.formats.base import Format, Source
from onrecord.ingest.formats.tiers import Interval, Tier, tiers_to_tokens
from onrecord.ingest.formats.words import seconds, transcript
from onrecord.types import Transcript

_BEGINS = re.compile(r'\s*(?:File type\s*=\s*"ooTextFile|"?ooTextFile|Object class\s*=\s*"TextGrid)')
_VALUE = re.compile(
    r'"((?:[^"]|"")*)"|<(?:exists|absent)>|(?<![\w\[.])(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w\]])'
)
MAX_COUNT = 4_000_000


def fits(source: Source) -> bool:
    return bool(_BEGINS.match(source.text)) and "TextGrid" in source.text[:500]


def read(source: Source) -> tuple[Transcript, ...]:
    return (transcript(source, FORMAT.name, *tiers_to_tokens(list(_tiers(source)))),)


FORMAT = Format("textgrid", (".textgrid",), fits, read)


class _Values:
    """A reader of a file's values (strings and numbers) in sequence, which skips their names."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.matches = _VALUE.finditer(source.text)
        self.at = 0

    def text(self) -> str:
        return self._next("a text in quotes", 1).replace('""', '"')

    def number(self) -> float:
        return float(self._next("a number", 2))

    def second(self) -> float:
        written = self.number()
        second = seconds(max(0.0, written))
        if second is None:
            raise self.error("a time", str(written))
        return second

    def count(self) -> int:
        return int(min(self.number(), MAX_COUNT))

    def _next(self, expected: str, group: int) -> str:
        match = next((value for value in self.matches if value[1] is not None or value[2] is not None), None)
        if match is None:
            raise self.error(expected, "the end of the file")
        self.at = match.start()
        if match[group] is None:
            raise self.error(expected, match[0])
        return match[group]

    def error(self, expected: str, found: str) -> Exception:
        return self.source.error(f"line {self.source.text.count(chr(10), 0, self.at) + 1}", expected, found)


def _tiers(source: Source) -> Iterator[Tier]:
    values = _Values(source)
    for _ in range(2):  # skip the file type and the object class
        values.text()
    values.number(), values.number()
    for _ in range(values.count()):
        kind, name = values.text(), values.text()
        values.number(), values.number()
        intervals = []
        for _ in range(values.count()):
            start = values.second()
            end = values.second() if kind == "IntervalTier" else start
            intervals.append(Interval(" ".join(values.text().split()), start, end))
        if kind == "IntervalTier":
            yield name, "", intervals
