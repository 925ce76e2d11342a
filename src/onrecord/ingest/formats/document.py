"""Documents into turns: what plain text, Markdown and HTML have in common once they are lines.

A speaker's label opens a turn, which goes on over the paragraphs below until another label; where
nobody is named each paragraph is a turn. Times in the text become marks. Between two of them talk is
taken to run evenly, so that the turns in between get a start and an end as well.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from onrecord.ingest.formats.base import Source
from onrecord.ingest.formats.clock import longest_rising
from onrecord.ingest.formats.heads import BOLD, END, Head, head_of, stamps_inside
from onrecord.ingest.formats.labels import Label, ends_sentence, is_name, is_remark, speakers
from onrecord.types import Details, Section, Transcript, Turn


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a document: single spaces, no markup but `BOLD` ... `END`.

    `number` counts from 1; `opens` says that a paragraph begins; `level` is that of a heading, or 0.
    """

    number: int
    text: str
    opens: bool = False
    level: int = 0


def transcript(
    source: Source, name: str, lines: Sequence[Line], details: Details | None = None
) -> Transcript:
    """A transcript of format `name` from the lines of a document. Headings become sections; one heading
    of the first level, above everything else, is the title. Raises FormatError where there are no words.
    """
    title, lines = _title(_with_speakers_of_headings(lines))
    reading = _Reading(*_conventions(lines))
    for line in lines:
        reading.read(line)
    if not reading.talks:
        raise source.error("the whole of it", "a transcript with words", "no words")
    clock, warnings = _clock(reading)
    turns = tuple(_turns(reading.talks, clock))
    return Transcript(
        turns=turns,
        format=name,
        details=Details(title=title).over(details or Details()),
        sections=tuple(_sections(reading.headings, turns)),
        warnings=tuple(warnings),
    )


def _title(lines: Sequence[Line]) -> tuple[str | None, Sequence[Line]]:
    if lines and lines[0].level == 1 and not any(line.level == 1 for line in lines[1:]):
        return _unmarked(lines[0].text), lines[1:]
    return None, lines


def _with_speakers_of_headings(lines: Sequence[Line]) -> list[Line]:
    """Headings that are names and come back ("### Brendan Kelly") are speakers, not sections."""
    names = {line.number: stamps_inside(line.text)[0].rstrip(":") for line in lines if line.level}
    counts = Counter(names.values())
    speakers = {number: name for number, name in names.items() if counts[name] > 1 and is_name(name)}
    return [_speaking(line, speakers[line.number]) if line.number in speakers else line for line in lines]


def _speaking(line: Line, name: str) -> Line:
    text = line.text.replace(name, f"{BOLD}{name}:{END}", 1)
    return replace(line, text=text, opens=True, level=0)


def _unmarked(text: str) -> str:
    return text.replace(BOLD, "").replace(END, "")


# ---------------------------------------------------------------- what the whole document decides


def _conventions(lines: Sequence[Line]) -> tuple[bool, frozenset[str], frozenset[str]]:
    """How this document is written: whether times without brackets are times of the recording, who
    speaks by label, and who speaks by a name on a line of its own."""
    said = [line for line in lines if not line.level]
    heads = [head_of(line.text, bare=True) for line in said]
    bare = _bare_times(heads)
    if not bare:
        heads = [
            head_of(line.text, bare=False) if head.stamp and head.stamp.bare else head
            for line, head in zip(said, heads, strict=True)
        ]
    units = sum(line.opens or bool(head.label) for line, head in zip(said, heads, strict=True))
    names = speakers(_labels(said, heads), units)
    return bare, names, names | _names_alone(heads)


def _names_alone(heads: Sequence[Head]) -> frozenset[str]:
    """Names that fill lines of their own: at least two of them come back."""
    alone = [(head.label.name, head.role) for head in heads if head.label and head.alone]
    counts = Counter(name for name, _ in alone)
    recurring = {name for name, count in counts.items() if count > 1}
    return (
        frozenset(recurring | {name for name, role in alone if role}) if len(recurring) > 1 else frozenset()
    )


def _bare_times(heads: Sequence[Head]) -> bool:
    """Whether times without brackets at the head of lines tell when they are said: there are some, and
    nearly all rise."""
    seconds = [head.stamp.second for head in heads if head.stamp and head.stamp.bare]
    enough = len(seconds) >= max(2, 0.02 * len(heads))
    return enough and len(longest_rising(seconds)) >= 0.8 * len(seconds)


def _labels(lines: Sequence[Line], heads: Sequence[Head]) -> Iterator[Label]:
    before = ""
    for unit, (line, head) in enumerate(zip(lines, heads, strict=True)):
        if head.label and not head.alone:
            yield replace(head.label, unit=unit, opens=line.opens or ends_sentence(before))
        before = line.text


# ---------------------------------------------------------------- line by line


@dataclass(slots=True)
class _Talk:
    """A turn as far as it has been read; `begin` counts the characters of all talk before it."""

    speaker: str | None
    begin: int
    texts: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Reading:
    """What has been read of a document.

    `length` counts the characters of all talk, and `times` are (character, second, line number);
    `headings` are (level, title, number of the talk that follows).
    """

    bare: bool
    names: frozenset[str]
    names_alone: frozenset[str]
    talks: list[_Talk] = field(default_factory=list)
    times: list[tuple[int, float, int]] = field(default_factory=list)
    headings: list[tuple[int, str, int]] = field(default_factory=list)
    of_day: bool = False
    length: int = 0
    _speaker: str | None = None
    _goes_on: bool = False
    _next: float | None = None
    _until: float | None = None

    def read(self, line: Line) -> None:
        head = head_of(line.text, self.bare)
        if head.stamp:
            self._next, self._until = head.stamp.second, head.stamp.until
            self.of_day = self.of_day or head.stamp.of_day
        if line.level:
            title, marks = stamps_inside(_unmarked(line.text[head.words :]))
            self._next = marks[0][1] if marks else self._next
            self.headings.append((line.level, title, len(self.talks)))
            self._goes_on = False
            return
        label = head.label if self._speaks(head) else None
        words = _unmarked(line.text[label.end if label else head.words :])
        if label:
            self._begin(label.name, line, words)
        elif line.opens and self._speaker is None:
            self._goes_on = False
        self._say(words, line)

    def _speaks(self, head: Head) -> bool:
        if head.label is None:
            return False
        return head.label.name in (self.names_alone if head.alone else self.names)

    def _begin(self, name: str, line: Line, words: str) -> None:
        """A speaker, or a remark ("Break") whose time ends the talk before it."""
        self._goes_on = False
        self._speaker = None if is_remark(name) else name
        if is_remark(name) and not words and self._next is not None:
            self.times.append((self.length, self._next, line.number))
            self._next, self._until = self._until, None

    def _say(self, words: str, line: Line) -> None:
        text, marks = stamps_inside(words)
        if not text:
            self._next = marks[-1][1] if marks else self._next
            return
        begin = self.length + 1 if self.talks else 0
        if not self._goes_on:
            self.talks.append(_Talk(self._speaker, begin))
            self._goes_on = True
        if self._next is not None:
            self.times.append((begin, self._next, line.number))
        self.times += [(begin + at, second, line.number) for at, second in marks]
        self.talks[-1].texts.append(text)
        self.length = begin + len(text)
        if self._until is not None:
            self.times.append((self.length, self._until, line.number))
        self._next = self._until = None


# ---------------------------------------------------------------- times


@dataclass(frozen=True, slots=True)
class _Clock:
    """The times of a document by the character of all talk."""

    at: Sequence[int]
    seconds: Sequence[float]

    def second(self, at: int) -> float | None:
        """When the character is said; None before the first time and after the last."""
        after = bisect_left(self.at, at)
        if after == len(self.at) or (after == 0 and self.at[0] != at):
            return None
        if self.at[after] == at:
            return self.seconds[after]
        share = (at - self.at[after - 1]) / (self.at[after] - self.at[after - 1])
        return round(self.seconds[after - 1] + share * (self.seconds[after] - self.seconds[after - 1]), 3)

    def marks(self, begin: int, end: int) -> tuple[tuple[int, float], ...]:
        """The times from one character to another, both inclusive, counted from the first."""
        first, last = bisect_left(self.at, begin), bisect_right(self.at, end)
        return tuple((self.at[i] - begin, self.seconds[i]) for i in range(first, last))


def _clock(reading: _Reading) -> tuple[_Clock, list[str]]:
    """The times that rise together, and what there is to say about them."""
    believed = longest_rising([second for _, second, _ in reading.times])
    warnings = []
    if len(believed) < len(reading.times):
        odd = next(at for at, b in enumerate([*believed, -1]) if at != b)
        count = len(reading.times) - len(believed)
        warnings.append(f"{count} times run backwards and were left out: line {reading.times[odd][2]}")
    times = {reading.times[at][0]: reading.times[at][1] for at in believed}
    zero = min(times.values(), default=0.0) if reading.of_day else 0.0
    if zero:
        warnings.append("times of day: counted from the first one")
    if any(begin not in times for begin in (talk.begin for talk in reading.talks)) and len(times) > 1:
        warnings.append("not every turn has its time: those between two times are estimated")
    return _Clock(tuple(times), tuple(round(second - zero, 3) for second in times.values())), warnings


def _turns(talks: Sequence[_Talk], clock: _Clock) -> Iterator[Turn]:
    for talk in talks:
        text = " ".join(talk.texts)
        end = talk.begin + len(text)
        marks = clock.marks(talk.begin, end)
        marked_end = marks[-1][1] if marks and marks[-1][0] == len(text) else None
        stop = clock.second(end + 1) if marked_end is None else marked_end  # where the next turn begins
        yield Turn(text, talk.speaker, clock.second(talk.begin), stop, marks)


def _sections(headings: Sequence[tuple[int, str, int]], turns: Sequence[Turn]) -> Iterator[Section]:
    """A section for each heading, up to the next one of its level or above."""
    for number, (level, title, first) in enumerate(headings):
        following = (h for h in headings[number + 1 :] if h[0] <= level)
        last = next(following, (0, "", len(turns)))[2] - 1
        if title and last >= first:
            yield Section(title, turns[first].start, turns[last].end, first, last)
