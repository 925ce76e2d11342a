"""Quotes from passages: the sentence that mentions an entity, its speaker and its timestamp."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import inf
from typing import NamedTuple

from onrecord.graph.results import Quote
from onrecord.ingest.language import sentence_spans
from onrecord.ingest.links import deep_link
from onrecord.stores.base import Snapshot
from onrecord.stores.graph.base import Place
from onrecord.types import Passage, Recording
from onrecord.types.graph import Mention

_LONGEST = 400
"""Most characters of a quote."""
_OMISSION = " [...] "
"""Marker for omitted words, as in the quotes of answers."""
_TRIED = 8
"""Spans that are tried for each quote, because some cannot be shown."""


class Span(NamedTuple):
    """Characters `begin`..`end` of a passage; `also` is the span of a second name in the quote."""

    recording: str
    position: int
    begin: int
    end: int
    also: tuple[int, int] | None = None


class Quoter:
    """Quotes passages of one state of an archive, with a cache of passages and recordings."""

    def __init__(self, reader: Snapshot) -> None:
        self._reader = reader
        self._passages: dict[Place, Passage | None] = {}
        self._recordings: dict[str, Recording | None] = {}

    def recording(self, name: str) -> Recording | None:
        """Return the recording with an id, or None."""
        if name not in self._recordings:
            self._recordings[name] = self._reader.recording(name)
        return self._recordings[name]

    def date(self, name: str) -> str | None:
        """Return the date of a recording, or None if it is unknown."""
        recording = self.recording(name)
        return recording.details.date if recording else None

    def passage(self, recording: str, position: int) -> Passage | None:
        """Return the passage at a position of a recording, or None."""
        key = recording, position
        if key not in self._passages:
            self._passages[key] = next(iter(self._reader.transcript(recording, position, position)), None)
        return self._passages[key]

    def load(self, places: Iterable[Place]) -> None:
        """Read passages into the cache at once, which is faster than one by one."""
        timeline = self._reader.timeline()
        unread = [place for place in dict.fromkeys(places) if place not in self._passages]
        at = [timeline.firsts[name] + position for name, position in unread]
        for passage in self._reader.passages(timeline.rows[at]):
            self._passages[passage.recording, passage.position] = passage

    def quote(self, span: Span) -> Quote | None:
        """Return the sentences around a span, verbatim and by one speaker, or None.

        The span -1..-1 gives the first sentence of the passage. The result is None if the two parts of the
        span have different speakers or are too far apart.
        """
        passage, recording = self.passage(span.recording, span.position), self.recording(span.recording)
        if passage is None or recording is None or not passage.text:
            return None
        language = recording.details.language or "en"
        parts = _both(passage, span, language) if span.also else [_sentences(passage, *span[2:4], language)]
        if not parts:
            return None
        begin, end = parts[0][0], parts[-1][1]
        details, start = recording.details, passage.time_at(begin)
        return Quote(
            _OMISSION.join(passage.text[first:last] for first, last in parts), passage.speaker_at(begin),
            span.recording, recording.title, details.date, span.position, begin, start, passage.time_at(end),
            deep_link(details.link, details.media, start),
        )  # fmt: skip

    def quotes(self, spans: Iterable[Span], most: int) -> tuple[Quote, ...]:
        """Return at most `most` different quotes, alternating between recordings."""
        quotes: list[Quote] = []
        for span in diverse(list(spans), _TRIED * most):
            quote = self.quote(span)
            if quote and all(quote.text != other.text for other in quotes):
                quotes.append(quote)
            if len(quotes) == most:
                break
        return tuple(quotes)


def span_of(mention: Mention) -> Span:
    return Span(mention.recording, mention.position, mention.begin, mention.end)


def span_of_both(mine: Iterable[Mention], theirs: Iterable[Mention]) -> Span | None:
    """Return the span of a mention of each side in one passage: the closest two by one speaker.

    A title counts as shown with every quote of its passage. None if no words show both.
    """
    others = list(filter(_is_shown, theirs))
    pairs = [
        (one, other) for one in mine if _is_shown(one) for other in others if one.speaker == other.speaker
    ]
    return _span_between(*min(pairs, key=_length)) if pairs else None


def first_within(turns: Iterable[Mention], named: Iterable[Mention]) -> Span | None:
    """Return the span of the first name within the turns of a speaker in a passage, or None."""
    stretches = [(turn.begin, turn.end) for turn in turns]
    within = (m for m in named if m.rule != "speaker" and any(a <= m.begin < b for a, b in stretches))
    return min(map(span_of, within), default=None)


def by_place(mentions: Iterable[Mention]) -> dict[tuple[str, int], list[Mention]]:
    """Return mentions by passage: recording and position."""
    mentions_at: defaultdict[tuple[str, int], list[Mention]] = defaultdict(list)
    for mention in mentions:
        mentions_at[mention.recording, mention.position].append(mention)
    return mentions_at


def _is_shown(mention: Mention) -> bool:
    """Check whether words of the passage, or its title, show a mention."""
    return mention.rule == "title" or (mention.begin >= 0 and mention.rule != "speaker")


def _length(pair: tuple[Mention, Mention]) -> float:
    """Return the characters from one mention to another; 0 beside a title, infinity for two titles."""
    one, other = pair
    if one.begin < 0 or other.begin < 0:
        return 0 if max(one.begin, other.begin) >= 0 else inf
    return other.end - one.begin if one.begin <= other.begin else one.end - other.begin


def _span_between(one: Mention, other: Mention) -> Span | None:
    """Return the span from one mention in a passage to another; None if the title alone names both."""
    first, last = (one, other) if one.begin <= other.begin else (other, one)
    if first.begin < 0:
        return span_of(last) if last.begin >= 0 else None
    return Span(first.recording, first.position, first.begin, first.end, (last.begin, last.end))


def diverse(spans: Sequence[Span], most: int) -> list[Span]:
    """Return at most `most` spans, alternating between recordings, otherwise in their order."""
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
    """Return the beginning of the speaker turn at a character, and its end."""
    return next((begin, end) for begin, end, _ in reversed(passage.turns) if begin <= at)


def _both(passage: Passage, span: Span, language: str) -> list[tuple[int, int]]:
    """Return the character ranges of a quote that shows both names of a span.

    The quote is one run of sentences or two sentences by one speaker, cut at word boundaries if too long. The
    result is empty if the names are too far apart.
    """
    (begin, end), (other_begin, other_end) = sorted((span[2:4], span.also or span[2:4]))
    speaker, in_one_turn = passage.speaker_at(begin), _turn(passage, begin) == _turn(passage, other_begin)
    if passage.speaker_at(other_begin) != speaker or (speaker is None and not in_one_turn):
        return []
    whole = [_whole(passage, *each, language) for each in ((begin, end), (other_begin, other_end))]
    if in_one_turn and whole[1][1] - whole[0][0] <= _LONGEST:
        return [(whole[0][0], whole[1][1])]
    if whole[0] != whole[1] and sum(last - first for first, last in whole) <= _LONGEST:
        return whole
    if in_one_turn and other_end - begin <= _LONGEST:
        return [_sentences(passage, begin, other_end, language)]
    return []


def _sentences(passage: Passage, begin: int, end: int, language: str) -> tuple[int, int]:
    """Return the range of the sentences around `begin`..`end`, cut at word boundaries if too long."""
    first, last = _whole(passage, begin, end, language)
    if last - first <= _LONGEST:
        return first, last
    text, room = passage.text, max(0, _LONGEST - (end - begin)) // 2
    first, last = max(first, begin - room), min(last, max(end, begin + 1) + room)
    turn, turn_end = _turn(passage, max(begin, 0))
    while first > turn and not text[first - 1].isspace():
        first -= 1
    while last < turn_end and not text[last].isspace():
        last += 1
    return first, last


def _whole(passage: Passage, begin: int, end: int, language: str) -> tuple[int, int]:
    """Return the range of the complete sentences around `begin`..`end` within one speaker turn."""
    turn, turn_end = _turn(passage, max(begin, 0))
    begin, end = max(begin, 0) - turn, min(max(end, 1), turn_end) - turn
    spans = sentence_spans(passage.text[turn:turn_end], language)
    there = [span for span in spans if span[1] > begin and span[0] < end]
    first, last = (there[0][0], there[-1][1]) if there else (begin, end)
    return turn + first, turn + last
