"""Reader that turns the lines of plain text, Markdown and HTML documents into a transcript.

A speaker's label opens a turn, which continues over the paragraphs below until the next label. Without
labels, each paragraph is a turn. Timestamps in the text become marks. The start and end of a turn between
two timestamps are interpolated, as if people spoke at an even pace.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from onrecord.ingest.dates import iso_date
from onrecord.ingest.formats.base import Source
from onrecord.ingest.formats.clock import longest_rising
from onrecord.ingest.formats.heads import Head, exact_head, extract_stamps
from onrecord.ingest.formats.labels import Label, is_remark
from onrecord.ingest.formats.layout import Layout, exact_layout, read_layout
from onrecord.ingest.formats.line_heads import read_heads, with_speakers_of_headings
from onrecord.ingest.formats.lines import Line, strip_marks
from onrecord.ingest.formats.run_on import split_run_on
from onrecord.ingest.formats.separators import separated_heads
from onrecord.ingest.people import attributes_by_role
from onrecord.types import Details, Marks, Section, Transcript, Turn

_TRANSCRIPT = re.compile(r"(?:(?:the|full|complete|edited) ){0,3}transcri(?:pt|ption):?", re.IGNORECASE)


def transcript(
    source: Source, name: str, lines: Sequence[Line], details: Details | None = None, *, exact: bool = False
) -> Transcript:
    """Return a transcript of format `name` from the lines of a document.

    Headings become sections. If the first line is the only heading of level 1, it becomes the title. If
    `exact` is True, every turn names its speaker in bold type, and nothing else is read as a label.

    Raises FormatError if there are no words.
    """
    lines, letterhead = (lines, Details()) if exact else split_letterhead(lines)
    title, lines = (None, lines) if exact else _title(split_run_on(with_speakers_of_headings(lines)))
    if exact:
        heads = [exact_head(line.text) for line in lines]
        plan = exact_layout(lines, heads)
    else:
        heads, plan = _layout(lines, read_heads(lines))
    plan = plan.without(plan.doubtful)
    reading = _read(lines, heads, plan, exact)
    if silent := _silent_labels(plan, reading):
        plan = plan.without(silent)
        reading = _read(lines, heads, plan, exact)
    if not reading.talks:
        raise source.error("the whole of it", "a transcript with words", "no words")
    roles = attributes_by_role(
        (heads[at].role, label.name) for at, label in plan.labels.items() if heads[at].role
    )
    timeline, warnings = _timeline(reading)
    _divide_at_first_time(reading, timeline)
    turns = tuple(_turns(reading.talks, timeline))
    return Transcript(
        turns=turns,
        format=name,
        details=Details(title=title, attributes=roles).over(letterhead).over(details or Details()),
        sections=_sections(reading.headings, turns),
        warnings=(*plan.warnings, *warnings),
    )


def _layout(lines: Sequence[Line], heads: list[Head]) -> tuple[list[Head], Layout]:
    """Return the layout of the talk, and the heads of all lines, perhaps with other signs behind names.

    Nobody speaks above the heading of the transcript: names stand there in summaries and lists of tasks.
    """
    begin = _talk_begins(lines)
    lines, above, heads = lines[begin:], heads[:begin], heads[begin:]
    plan = read_layout(lines, heads)
    if separated := separated_heads(lines, heads, len(plan.labels)):
        other = read_layout(lines, separated)
        if len(other.labels) > len(plan.labels):
            heads, plan = separated, other
    return above + heads, plan.moved(begin)


def _talk_begins(lines: Sequence[Line]) -> int:
    """Return the index of the heading of the transcript if most words stand below it, else 0."""
    headings = (at for at, line in enumerate(lines) if line.level and _TRANSCRIPT.fullmatch(line.words))
    begin = next(headings, 0)
    lengths = [len(line.text) for line in lines]
    return begin if sum(lengths[begin:]) > sum(lengths[:begin]) else 0


def _title(lines: Sequence[Line]) -> tuple[str | None, Sequence[Line]]:
    if lines and lines[0].level == 1 and not any(line.level == 1 for line in lines[1:]):
        return lines[0].words, lines[1:]
    return None, lines


def _silent_labels(plan: Layout, reading: _Reading) -> frozenset[int]:
    """Return the lines of labels whose names never speak: such a label is part of the text instead."""
    speaking = {talk.speaker for talk in reading.talks}
    if not speaking:
        return frozenset()
    return frozenset(
        at for at, label in plan.labels.items() if label.name not in speaking and not is_remark(label.name)
    )


# ---------------------------------------------------------------- line by line


@dataclass(slots=True)
class _Talk:
    """An unfinished turn; `begin` is its offset in the text of all turns, in characters."""

    speaker: str | None
    begin: int
    texts: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Reading:
    """The state of a document that is being read line by line.

    `length` is the number of characters in all turns so far. `times` are (character offset, second, line
    number). `headings` are (level, title, index of the next turn). `of_day` is True if a timestamp is a time
    of day. If `exact` is True, every label is a name, even "Music".
    """

    exact: bool
    talks: list[_Talk] = field(default_factory=list)
    times: list[tuple[int, float, int]] = field(default_factory=list)
    headings: list[tuple[int, str, int]] = field(default_factory=list)
    of_day: bool = False
    length: int = 0
    speaker: str | None = None
    _goes_on: bool = False
    _next: float | None = None
    _until: float | None = None

    def read(self, line: Line, head: Head, label: Label | None, nobody: bool) -> None:
        """Read a line with its label, if any; `nobody` means that the speaker is unknown from here on."""
        if head.stamp:
            self._next, self._until = head.stamp.second, head.stamp.until
            self.of_day = self.of_day or head.stamp.of_day
        if line.level:
            title, marks = extract_stamps(strip_marks(line.text[head.words :]))
            self._next = marks[0][1] if marks else self._next
            if title:
                self.headings.append((line.level, title, len(self.talks)))
            self._goes_on = False
            return
        words = strip_marks(line.text[label.end if label else head.words :])
        if label:
            self._goes_on = False
            is_sound = is_remark(label.name) and not self.exact
            self.speaker = None if is_sound else label.name
            if is_sound and not words and self._next is not None:
                # The remark ends the previous turn.
                self.times.append((self.length, self._next, line.number))
                self._next, self._until = self._until, None
            if is_sound and words:
                words = f"{label.name}: {words}"  # "Intro: Ann reads the news."
        elif nobody or (line.opens and self.speaker is None):
            self.speaker, self._goes_on = None, False
        self._say(words, line)

    def resume(self, speaker: str | None) -> None:
        """Begin another turn of a speaker."""
        self.speaker, self._goes_on = speaker, False

    def _say(self, words: str, line: Line) -> None:
        text, marks = extract_stamps(words)
        if not text:
            self._next = marks[-1][1] if marks else self._next
            return
        begin = self.length + 1 if self.talks else 0
        if not self._goes_on:
            self.talks.append(_Talk(self.speaker, begin))
            self._goes_on = True
        if self._next is not None:
            self.times.append((begin, self._next, line.number))
        self.times += [(begin + at, second, line.number) for at, second in marks]
        self.talks[-1].texts.append(text)
        self.length = begin + len(text)
        if self._until is not None:
            self.times.append((self.length, self._until, line.number))
        behind = [second for at, second in marks if at == len(text)]
        self._next, self._until = behind[-1] if behind else None, None


def _read(lines: Sequence[Line], heads: Sequence[Head], plan: Layout, exact: bool) -> _Reading:
    reading = _Reading(exact)
    for at, (line, head) in enumerate(zip(lines, heads, strict=True)):
        speaker = reading.speaker
        reading.read(line, head, plan.labels.get(at), at in plan.nobody or at in plan.asides)
        if at in plan.asides:
            reading.resume(speaker)
    return reading


# ---------------------------------------------------------------- times


@dataclass(frozen=True, slots=True)
class Timeline:
    """Timestamps of characters in the text of all turns.

    `at` are character offsets, and `seconds` are the timestamps at these offsets. The two have the same
    length, and neither decreases.
    """

    at: Sequence[int]
    seconds: Sequence[float]

    def second(self, at: int) -> float | None:
        """Return the interpolated second of a character, or None before the first or after the last time."""
        after = bisect_left(self.at, at)
        if after == len(self.at) or (after == 0 and self.at[0] != at):
            return None
        if self.at[after] == at:
            return self.seconds[after]
        (begin, end), (first, last) = self.at[after - 1 : after + 1], self.seconds[after - 1 : after + 1]
        return round(first + (at - begin) / (end - begin) * (last - first), 3)

    def marks(self, begin: int, end: int) -> Marks:
        """Return the marks from `begin` to `end`, both inclusive, with offsets counted from `begin`."""
        first, last = bisect_left(self.at, begin), bisect_right(self.at, end)
        return tuple((self.at[i] - begin, self.seconds[i]) for i in range(first, last))


def _timeline(reading: _Reading) -> tuple[Timeline, list[str]]:
    """Return the longest non-decreasing series of timestamps, and warnings about the others."""
    believed = longest_rising([second for _, second, _ in reading.times])
    times = {at: second for at, second, _ in (reading.times[number] for number in believed)}
    warnings = []
    if dropped := sorted({*range(len(reading.times))}.difference(believed)):
        line = reading.times[dropped[0]][2]
        warnings.append(f"dropped times that run backwards: {len(dropped)}, first in line {line}")
    zero = min(times.values(), default=0.0) if reading.of_day else 0.0
    if zero < 3600:  # times this early count from the start of the recording, not from midnight
        zero = 0.0
    else:
        warnings.append("times of day: counted from the first one")
    if len(times) > 1 and any(talk.begin not in times for talk in reading.talks):
        warnings.append("some turns have no time: onrecord estimates those between two times")
    return Timeline(tuple(times), tuple(round(second - zero, 3) for second in times.values())), warnings


def _turns(talks: Sequence[_Talk], timeline: Timeline) -> Iterator[Turn]:
    for talk in talks:
        text = " ".join(talk.texts)
        end = talk.begin + len(text)
        start = timeline.second(talk.begin)
        if start is None:
            yield Turn(text, talk.speaker)
            continue
        marks = timeline.marks(talk.begin, end)
        is_timed_at_end = marks and marks[-1][0] == len(text)
        stop = timeline.second(end) if is_timed_at_end else timeline.second(end + 1)  # the next turn's start
        yield Turn(text, talk.speaker, start, stop, marks)


def _divide_at_first_time(reading: _Reading, timeline: Timeline) -> None:
    """Split the turn that contains the first timestamp, so that its untimed first part becomes a turn."""
    first = timeline.at[0] if timeline.at else 0
    number = bisect_right([talk.begin for talk in reading.talks], first) - 1
    talk = reading.talks[number]
    text = " ".join(talk.texts)
    cut = first - talk.begin
    if not 0 < cut < len(text):
        return
    cut += text[cut] == " "
    timed = _Talk(talk.speaker, talk.begin + cut, [text[cut:]])
    parts = [_Talk(talk.speaker, talk.begin, [text[:cut].rstrip()]), timed]
    reading.talks[number : number + 1] = parts
    reading.headings = [(level, title, at + (at > number)) for level, title, at in reading.headings]


def _sections(headings: Sequence[tuple[int, str, int]], turns: Sequence[Turn]) -> tuple[Section, ...]:
    """Return a section for each heading that has turns; it ends at the next heading of its level or above."""
    sections = []
    next_turns = [len(turns)] * 7  # by heading level: the index of the turn below the next heading
    for level, title, first in reversed(headings):
        last = min(next_turns[: level + 1]) - 1
        next_turns[level] = first
        if last >= first:
            sections.append(Section(title, turns[first].start, turns[last].end, first, last))
    return tuple(sections[::-1])


# ---------------------------------------------------------------- letterheads of meeting tools

_PEOPLE = frozenset({"speakers", "attendees", "participants"})
_BELOW = re.compile(
    r"Transcri(?:bed|pt|ption) by (?:https?://)?\w{1,40}\.(?:com|ai|io)\b.{0,30}|https?://otter\.ai/\S*"
    r"|(?:Meeting|Transcription|Recording) ended after \d[\d:]*\b.{0,10}"
    r"|\S[^:.!?]{0,80} (?:started|stopped) transcription"
    r"|This editable transcript was computer[- ]generated and might contain errors\..{0,100}",
    re.IGNORECASE,
)
_LENGTH = re.compile(r"(?:\d{1,2}h ?)?(?:\d{1,2}m ?)?\d{1,2}s")
_STAMPED = re.compile(r"-\d{8}_\d{6}(?:UTC)?-Meeting Recording$")
_TITLE_ENDS = re.compile(r" [-–—] transcript\Z", re.IGNORECASE)
_ASIDE = (["transcript"], ["invited"], ["attachments"])
_ROOM = 20
"""The maximum number of lines in a letterhead."""


def split_letterhead(lines: Sequence[Line]) -> tuple[list[Line], Details]:
    """Split a meeting tool's letterhead from the talk; return the talk's lines and the letterhead's details.

    The details are the title, the date and the people. Otter writes the lines SUMMARY KEYWORDS and SPEAKERS.
    Google Meet writes Attendees and Transcript, or a title that ends in "- Transcript" and a date. Teams
    writes a title, a date and the length of the meeting.
    """
    spoken = [line for line in lines if len(line.text) > 200 or not _BELOW.fullmatch(line.words)]
    heads = [line.words.strip(":📖📝 ").lower() for line in spoken[:_ROOM]]
    at = next((at for at, head in enumerate(heads) if head in _PEOPLE), None)
    if at is not None and at + 1 < len(spoken):
        if "transcript" in heads[at + 2 :]:
            end = heads.index("transcript", at + 2)
            return spoken[end + 1 :], _details(spoken[:at], spoken[at + 1 : end])
        if "summary keywords" in heads[:at]:
            above = spoken[: heads.index("summary keywords")]
            return spoken[at + 2 :], _details(above, spoken[at + 1 : at + 2])
    length = next((at for at, head in enumerate(heads[:4]) if _LENGTH.fullmatch(head)), 0)
    if length and _date(spoken[length - 1].words):
        return spoken[length + 1 :], _details(spoken[:length], [])
    return _without_title(spoken, heads)


def _without_title(spoken: list[Line], heads: Sequence[str]) -> tuple[list[Line], Details]:
    """Split a title that ends in "- Transcript", and a date or guests next to it, from the talk."""
    at = next((at for at, head in enumerate(heads[:6]) if _TITLE_ENDS.search(head)), None)
    if at is None or any(len(line.words) > 200 for line in spoken[:at]):
        return spoken, Details()
    end = at + 1
    while end < len(spoken) and (_date(spoken[end].words) or heads[end : end + 1] in _ASIDE):
        end += 1
    above = [spoken[at], *spoken[:at], *spoken[at + 1 : end]]
    return spoken[end:], _details(above, [])


def _details(above: Sequence[Line], people: Sequence[Line]) -> Details:
    title = _STAMPED.sub("", _TITLE_ENDS.sub("", above[0].words)) if above else None
    names = (name.strip() for line in people for name in line.words.split(","))
    dates = (date for line in above if (date := _date(line.words)))
    return Details(title=title, date=next(dates, None), people=tuple(name for name in names if name))


def _date(text: str) -> str | None:
    """Return the date that fills a line or stands in parentheses within it, or None."""
    bracketed = re.search(r"\((\d{4}-\d\d-\d\d)\b[^()]*\)", text)
    try:
        return iso_date(bracketed[1] if bracketed else text[:100])
    except ValueError:
        return None
