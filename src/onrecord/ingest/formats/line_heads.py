"""The heads of all lines of a document: what a time before or behind a name means there.

A time without brackets may be spoken, and a line that ends in a time may be the header of somebody unknown.
The other lines of the document decide.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from onrecord.ingest.formats.clock import longest_rising
from onrecord.ingest.formats.heads import Bare, Head, head_of, header_stamp
from onrecord.ingest.formats.labels import is_name
from onrecord.ingest.formats.lines import BOLD, END, Line
from onrecord.ingest.formats.shapes import MIN_TIMED_LABELS_SHARE, are_mostly
from onrecord.ingest.formats.terms import may_be_term

_DAY = 24 * 60 * 60


def with_speakers_of_headings(lines: Sequence[Line]) -> list[Line]:
    """Turn recurring headings that are names ("### Brendan Kelly") into speakers' labels."""
    headings = [(line, head_of(line.text, Bare.ANYWHERE)) for line in lines if line.level]
    names = {
        line.number: head.label.name if head.label else line.text[head.words :].rstrip(":")
        for line, head in headings
    }
    topics = _topics(
        (names[line.number], line.level)
        for line, head in headings
        if not head.stamp and not line.words.endswith(":")
    )
    counts = Counter(names.values())
    speakers = {
        number: name
        for number, name in names.items()
        if counts[name] > 1 and is_name(name) and name not in topics
    }
    changed = []
    for line in lines:
        if name := speakers.get(line.number):
            text = line.text.replace(name, f"{BOLD}{name}:{END}", 1)
            line = replace(line, text=text, opens=True, level=0, headed=True)
        changed.append(line)
    return changed


def _topics(headings: Iterable[tuple[str, int]]) -> frozenset[str]:
    """Return the headings, given with their levels, that never recur within a section: "### Proposal".

    Full names and roles are people even if they speak once in each section.
    """
    found, recurring = set[str](), set[str]()
    sections: list[tuple[int, set[str]]] = []
    for name, level in headings:
        while sections and sections[-1][0] > level:
            sections.pop()
        if not sections or sections[-1][0] < level:
            sections.append((level, set()))
        within = sections[-1][1]
        (recurring if name in within else found).add(name)
        within.add(name)
    return frozenset(name for name in found - recurring if may_be_term(name))


def read_heads(lines: Sequence[Line]) -> list[Head]:
    """Return the heads of all lines, read by comparison with one another."""
    return _with_unknown_headers(lines, _read_times(lines))


def _read_times(lines: Sequence[Line]) -> list[Head]:
    """Return the heads of all lines, and decide whether times without brackets are timestamps.

    They are timestamps if there are enough of them and nearly all increase. The only time of a short
    recording is its start: a line with 0:00 alone.
    """
    heads = _without_spoken_times(lines, [head_of(line.text, Bare.ANYWHERE) for line in lines])
    heads = _with_times_of_day(lines, heads)
    outside = [head.stamp for line, head in zip(lines, heads, strict=True) if not line.level]
    seconds = [stamp.second for stamp in outside if stamp and stamp.bare]
    are_enough = len(seconds) >= max(2, 0.02 * len(outside))
    fill = any(head.stamp and head.words == len(line.text) for line, head in zip(lines, heads, strict=True))
    is_start = fill and seconds == [0.0]
    if (are_enough or is_start) and len(longest_rising(seconds)) >= 0.8 * len(seconds):
        return heads
    return [
        head_of(line.text, Bare.NOWHERE) if head.stamp and head.stamp.bare else head
        for line, head in zip(lines, heads, strict=True)
    ]


def _without_spoken_times(lines: Sequence[Line], heads: list[Head]) -> list[Head]:
    """Read the times behind colons as words ("Bo: 10:30") unless nearly all recurring labels have one."""
    spoken = {
        at: head_of(lines[at].text, Bare.BESIDE_NAMES)
        for at, head in enumerate(heads)
        if head.stamp and head.stamp.bare and head.label
    }
    behind = {at: head for at, head in spoken.items() if not head.stamp}
    names = {at: head.label.name for at, head in enumerate(heads) if head.label and not head.alone}
    counts = Counter(names.values())
    recurring = {at for at, name in names.items() if counts[name] > 1} or names.keys()
    if len(behind.keys() & recurring) >= MIN_TIMED_LABELS_SHARE * len(recurring):
        return heads
    return [behind.get(at, head) for at, head in enumerate(heads)]


def _with_times_of_day(lines: Sequence[Line], heads: list[Head]) -> list[Head]:
    """Read the times in the heads as times of day if the document is a saved chat.

    In such a chat, hours and minutes stand before `<nick>`.
    """
    stamped = [
        (at, head, head.stamp) for at, head in enumerate(heads) if head.stamp and not head.stamp.of_day
    ]
    units = {at: 60 if lines[at].text[: head.words].count(":") == 1 else 1 for at, head, _ in stamped}
    if not are_mostly(head.form == "nick" for _, head, _ in stamped):
        return heads
    if any(stamp.second * units[at] >= _DAY for at, _, stamp in stamped):
        return heads
    changed = list(heads)
    for at, head, stamp in stamped:
        of_day = replace(stamp, second=stamp.second * units[at], bare=False, of_day=True)
        changed[at] = replace(head, stamp=of_day)
    return changed


def _with_unknown_headers(lines: Sequence[Line], heads: list[Head]) -> list[Head]:
    """Read lines that end in a time as headers of somebody unknown if most labels are such headers.

    The names of such headers are too long, or unlike names. Their times fit between those around them.
    """
    found = {
        at: stamp for at, line in enumerate(lines) if not line.level and (stamp := header_stamp(line.text))
    }
    labelled = [at for at, head in enumerate(heads) if head.label and not head.alone]
    known = {at for at in labelled if at in found and heads[at].stamp and _fills(lines[at], heads[at])}
    forms = Counter(found[at][0] for at in known)
    form, count = next(iter(forms.most_common(1)), ("", 0))
    if count < 2 or not are_mostly(at in known and found[at][0] == form for at in labelled):
        return heads
    opens = are_mostly(lines[at].opens for at in known)
    candidates = [at for at in found if found[at][0] == form and (at in known or not heads[at].stamp)]
    rising = longest_rising([found[at][1].second for at in candidates])
    changed = list(heads)
    for at in (candidates[number] for number in rising):
        if at not in known and lines[at].opens >= opens and not (heads[at].label and not heads[at].alone):
            changed[at] = Head(stamp=found[at][1], form="header")
    return changed


def _fills(line: Line, head: Head) -> bool:
    return head.label is not None and head.label.end == len(line.text)
