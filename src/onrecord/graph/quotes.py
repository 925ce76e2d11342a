"""Words of passages as quotes: the sentence in which something is named, who says it, at which second."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from onrecord.graph.results import Quote
from onrecord.ingest.language import sentence_spans
from onrecord.ingest.links import deep_link
from onrecord.stores.base import Reader
from onrecord.types import Passage, Recording
from onrecord.types.graph import Mention

_LONGEST = 400
"""Characters of a quote."""

Span = tuple[str, int, int, int]
"""Recording, position, first and last character."""


class Quoter:
    """Quotes passages of one state of an archive; what was read once is not read again."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._passages: dict[tuple[str, int], Passage | None] = {}
        self._recordings: dict[str, Recording | None] = {}

    def recording(self, name: str) -> Recording | None:
        """The recording of an id, or None."""
        if name not in self._recordings:
            self._recordings[name] = self._reader.recording(name)
        return self._recordings[name]

    def date(self, name: str) -> str | None:
        """The day of a recording, where it is known."""
        recording = self.recording(name)
        return recording.details.date if recording else None

    def passage(self, recording: str, position: int) -> Passage | None:
        """The passage at a position of a recording, or None."""
        key = recording, position
        if key not in self._passages:
            self._passages[key] = next(iter(self._reader.transcript(recording, position, position)), None)
        return self._passages[key]

    def quote(self, span: Span) -> Quote | None:
        """The sentences that hold some characters of a passage, word for word and of one voice; its first for
        -1..-1."""
        name, position, begin, end = span
        passage, recording = self.passage(name, position), self.recording(name)
        if passage is None or recording is None or not passage.text:
            return None
        turn, turn_end = _turn(passage, max(begin, 0))
        begin, end = max(begin, 0) - turn, min(max(end, 1), turn_end) - turn
        language = recording.details.language or "en"
        begin, end = (turn + at for at in _sentences(passage.text[turn:turn_end], begin, end, language))
        details, start = recording.details, passage.time_at(begin)
        return Quote(
            passage.text[begin:end], passage.speaker_at(begin), name, recording.title, details.date, position,
            begin, start, passage.time_at(end), deep_link(details.link, details.media, start),
        )  # fmt: skip

    def quotes(self, spans: Iterable[Span], most: int) -> tuple[Quote, ...]:
        """At most so many quotes, first of recordings and voices that have none yet."""
        quotes: list[Quote] = []
        for span in diverse(list(spans), most):
            quote = self.quote(span)
            if quote and all(quote.text != other.text for other in quotes):
                quotes.append(quote)
        return tuple(quotes)


def span_of(mention: Mention) -> Span:
    return mention.recording, mention.position, mention.begin, mention.end


def diverse(spans: Sequence[Span], most: int) -> list[Span]:
    """At most so many spans, of as many recordings as there are, in their order."""
    by_recording: dict[str, list[Span]] = {}
    for span in spans:
        by_recording.setdefault(span[0], []).append(span)
    chosen: list[Span] = []
    depth = 0
    while len(chosen) < most and any(len(spans_there) > depth for spans_there in by_recording.values()):
        chosen += [spans_there[depth] for spans_there in by_recording.values() if len(spans_there) > depth][
            : most - len(chosen)
        ]
        depth += 1
    return chosen


def _turn(passage: Passage, at: int) -> tuple[int, int]:
    """The first character of the turn that has a character, and where the next voice begins."""
    begins = [begin for begin, _ in passage.voices]
    return (
        max((begin for begin in begins if begin <= at), default=0),
        min((begin for begin in begins if begin > at), default=len(passage.text)),
    )


def _sentences(text: str, begin: int, end: int, language: str) -> tuple[int, int]:
    """From the sentence that has the first character to the one that has the last, cut at words where that
    is too long."""
    spans = [span for span in sentence_spans(text, language) if span[1] > begin and span[0] < end]
    first, last = (spans[0][0], spans[-1][1]) if spans else (begin, end)
    if last - first <= _LONGEST:
        return first, last
    room = max(0, _LONGEST - (end - begin)) // 2
    first, last = max(first, begin - room), min(last, max(end, begin + 1) + room)
    while first > 0 and not text[first - 1].isspace():
        first -= 1
    while last < len(text) and not text[last].isspace():
        last += 1
    return first, last
