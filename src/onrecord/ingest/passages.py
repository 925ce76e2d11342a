"""Passages of a transcript: short enough to cite, long enough to carry meaning."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from onrecord.ingest.language import sentence_spans
from onrecord.types import Marks, Passage, Section, Transcript, Turn


@dataclass(frozen=True, slots=True)
class Cutter:
    """Cuts a transcript into passages of at most `most` words.

    A turn longer than `most` is cut at sentence ends into pieces of even size. Consecutive pieces are joined
    until they have `least` words. Beyond that, only words of the same speaker, or fewer than `aside` words of
    another ("Yeah, exactly."), may join. A passage never crosses a section and never mixes timed with untimed
    speech.

    Why 90: in meetings half of all turns have five words or fewer, and an exchange between several speakers
    tells a model more than the part of one speaker. With 40, the share of gold words found on QMSum falls
    from .689 to .658 (see docs/measurements.md). Long turns, as in talks and podcasts, are cut alike either
    way.
    """

    least: int = 90
    most: int = 120
    aside: int = 10

    def cut(self, transcript: Transcript, recording: str) -> tuple[list[Passage], list[Section]]:
        """Return the passages of a transcript, at positions 0, 1, 2, ..., and its sections with positions.

        Sections without passages are dropped.
        """
        language = transcript.details.language or "en"
        lookup = _SectionLookup(transcript.sections, len(transcript.turns))
        pieces = [
            _Piece(piece, section)
            for at, turn in enumerate(transcript.turns)
            for share, section in lookup.split(turn, at)
            for piece in self.pieces(share, language)
        ]
        groups = list(self._groups(pieces))
        titles = [section.title for section in transcript.sections]
        passages = [_join(group, titles, recording, at) for at, group in enumerate(groups)]
        places: defaultdict[int | None, list[int]] = defaultdict(list)
        for at, group in enumerate(groups):
            places[group[0].section].append(at)
        sections = [
            replace(section, first=places[number][0], last=places[number][-1])
            for number, section in enumerate(transcript.sections)
            if number in places
        ]
        return passages, sections

    def cut_turns(self, turns: Sequence[Turn], recording: str) -> list[Passage]:
        """Return a passage for each turn, of any length: a turn with its own vector stays whole."""
        return [_join([_Piece(turn, None)], (), recording, at) for at, turn in enumerate(turns)]

    def pieces(self, turn: Turn, language: str) -> list[Turn]:
        """Cut a turn into pieces of at most `most` words, keeping all words and marks.

        It cuts at sentence ends, else at pauses, else by length.
        """
        count = len(turn.text.split())
        if count <= self.most:
            return [turn] if count else []
        target = count / -(-count // self.most)
        ends = [e for s in sentence_spans(turn.text, language) for e in self._cut_sentence(turn, s, target)]
        cuts, words, begin = [0], 0, 0
        for end in ends:
            size = len(turn.text[begin:end].split())
            if words and (words + size > self.most or words >= target * 0.85):
                cuts.append(begin)
                words = 0
            words += size
            begin = end
        return [cut_turn(turn, a, b) for a, b in zip(cuts, [*cuts[1:], len(turn.text)], strict=True)]

    def _cut_sentence(self, turn: Turn, span: tuple[int, int], target: float) -> Iterator[int]:
        """Yield the end of a sentence, and cuts within it if it is too long for a passage."""
        begin, end = span
        text = turn.text
        starts = [
            at
            for at in range(begin, end)
            if not text[at].isspace() and (at == begin or text[at - 1].isspace())
        ]
        at = 0
        while len(starts) - at > self.most:
            ahead = starts[at : at + self.most + 2]
            at += _best_break(turn, ahead, round(target), self.most)
            yield starts[at]
        yield end

    def _groups(self, pieces: Sequence[_Piece]) -> Iterator[list[_Piece]]:
        group: list[_Piece] = []
        for piece in pieces:
            if group and not self._joins(group, piece):
                yield group
                group = []
            group.append(piece)
        if group:
            yield group

    def _joins(self, group: Sequence[_Piece], piece: _Piece) -> bool:
        last, words = group[-1], sum(p.words for p in group)
        if piece.section != last.section or piece.timed != last.timed:
            return False
        if words + piece.words > self.most:
            return False
        return words < self.least or piece.turn.speaker == last.turn.speaker or piece.words < self.aside


def texts_to_embed(title: str | None, passages: Sequence[Passage]) -> list[str]:
    """Return the texts to embed for the passages of a recording.

    A single passage (an entry, a paragraph) gets its title in front, which names its subject. In longer
    recordings a title says little about each passage.
    """
    heading = f"{title}. " if title and len(passages) == 1 else ""
    return [heading + passage.spoken for passage in passages]


@dataclass(frozen=True, slots=True)
class _Piece:
    """A turn or a part of a turn, and the number of its section."""

    turn: Turn
    section: int | None

    @property
    def words(self) -> int:
        return len(self.turn.text.split())

    @property
    def timed(self) -> bool:
        return self.turn.start is not None


def cut_turn(turn: Turn, begin: int, end: int) -> Turn:
    """Return the characters `begin`..`end` of a turn as a new turn, with its times and marks."""
    text = turn.text[begin:end]
    begin += len(text) - len(text.lstrip())
    text = text.strip()
    end = begin + len(text)
    clock = Passage("", 0, turn.text, start=turn.start, end=turn.end, marks=turn.marks)
    first = bisect_left(turn.marks, (begin,))
    last = bisect_left(turn.marks, (end + 1,))
    inside = tuple((at - begin, second) for at, second in turn.marks[first:last])
    return replace(turn, text=text, start=clock.time_at(begin), end=clock.time_at(end), marks=inside)


def _join(group: Sequence[_Piece], titles: Sequence[str], recording: str, position: int) -> Passage:
    text = ""
    marks: list[tuple[int, float]] = []
    voices: list[tuple[int, str | None]] = []
    words_by_speaker: dict[str | None, int] = {}
    for piece in group:
        turn = piece.turn
        offset = len(text) + 1 if text else 0
        text = f"{text} {turn.text}" if text else turn.text
        marks += _marks_at(turn, offset)
        # Turns without a speaker are joined: most are paragraphs, lines or pauses of one person, not replies.
        if not voices or voices[-1][1] != turn.speaker:
            voices.append((offset, turn.speaker))
        words_by_speaker[turn.speaker] = words_by_speaker.get(turn.speaker, 0) + piece.words
    ends = [piece.turn.end for piece in group if piece.turn.end is not None]
    section = group[0].section
    return Passage(
        recording=recording,
        position=position,
        text=text,
        speaker=max(words_by_speaker, key=lambda name: words_by_speaker[name]),
        start=group[0].turn.start,
        end=max(ends, default=None),
        marks=_rising_marks(marks),
        voices=tuple(voices) if len(voices) > 1 else (),
        section=None if section is None else titles[section],
    )


def _marks_at(turn: Turn, offset: int) -> list[tuple[int, float]]:
    marks = [(at + offset, second) for at, second in turn.marks]
    if turn.start is not None and not (turn.marks and turn.marks[0][0] == 0):
        marks.insert(0, (offset, turn.start))
    if turn.end is not None and not (turn.marks and turn.marks[-1][0] == len(turn.text)):
        marks.append((offset + len(turn.text), turn.end))
    return marks


def _rising_marks(marks: Iterable[tuple[int, float]]) -> Marks:
    """Drop marks until offsets and seconds both rise.

    Where speech overlaps, the mark with the earlier time is dropped. Exception: the end of a turn, one
    character before the next turn, is dropped in favor of that turn's beginning.
    """
    rising: list[tuple[int, float]] = []
    for offset, second in marks:
        if len(rising) > 1 and offset == rising[-1][0] + 1 and rising[-2][1] <= second < rising[-1][1]:
            rising.pop()
        if not rising or (offset > rising[-1][0] and second >= rising[-1][1]):
            rising.append((offset, second))
    return tuple(rising)


def _best_break(turn: Turn, starts: Sequence[int], target: int, most: int) -> int:
    """Return how many words to take before a cut in a run without sentence ends.

    The cut is at the longest pause in the second half, else determined by length.
    """
    clock = Passage("", 0, turn.text, start=turn.start, end=turn.end, marks=turn.marks)
    seconds = [clock.time_at(at) for at in starts[: most + 1]]
    best, longest = min(target, most), 0.5
    for i in range(max(1, target // 2), min(most, len(starts) - 1) + 1):
        now, before = seconds[i], seconds[i - 1]
        if now is not None and before is not None and now - before > longest:
            best, longest = i, now - before
    return best


class _SectionLookup:
    """The sections of a transcript by turn, or by time where they have only times.

    Of several sections in a place, the last counts.
    """

    def __init__(self, sections: Sequence[Section], turns: int) -> None:
        timed = [section for section in sections if section.first < 0]
        times = {at for section in timed for at in (section.start or 0.0, section.end) if at is not None}
        self._times = sorted(times)
        self._by_time = [-1] * (len(self._times) + 1)
        self._by_turn = [-1] * turns
        for number, section in enumerate(sections):
            if section.first >= 0:
                line, first, end = self._by_turn, section.first, min(section.last + 1, turns)
            else:
                line, first, end = self._by_time, self._time(section.start or 0.0), self._time(section.end)
            if first < end:
                line[first:end] = [number] * (end - first)

    def section(self, turn: int, second: float | None) -> int | None:
        """Return the number of the section at a turn and a time; None if there is none."""
        by_time = -1 if second is None else self._by_time[self._time(second)]
        number = max(self._by_turn[turn], by_time)
        return number if number >= 0 else None

    def split(self, turn: Turn, at: int) -> Iterator[tuple[Turn, int | None]]:
        """Yield the parts of a turn between section starts, with the number of each part's section."""
        begin = 0
        number = self.section(at, turn.start)
        for offset, second in turn.marks:
            current = self.section(at, second)
            if current == number:
                continue
            if turn.text[begin:offset].strip():
                yield cut_turn(turn, begin, offset), number
                begin = offset
            number = current
        yield (cut_turn(turn, begin, len(turn.text)) if begin else turn), number

    def _time(self, second: float | None) -> int:
        return len(self._by_time) if second is None else bisect_right(self._times, second)
