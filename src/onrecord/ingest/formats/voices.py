"""Who says what in captions: voice tags, "NAME:", ">> NAME:", and dashes of dialogue."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from onrecord.ingest.formats.labels import Label, ends_sentence, is_name, is_remark, label_at, speakers
from onrecord.ingest.formats.markup import Caption, Words
from onrecord.types import Marks

_CHEVRONS = re.compile(r"(?<!\S)>>+[ \t]*|\[SPEAKER_TURN\]\s*")
_DASH = re.compile(r"[-–—‐−](?P<blank> ?)(?=[^\s\d>–—-])")


@dataclass(frozen=True, slots=True)
class Cue:
    """One speaker's words in a caption; `opens` says that somebody else begins, known or not.

    `marks` are word times as (offset in `text`, second), rising in both, within the cue, and behind its
    first character, which is said at `start`.
    """

    text: str
    speaker: str | None
    start: float
    end: float
    marks: Marks = ()
    opens: bool = False


@dataclass(frozen=True, slots=True)
class _Beginning:
    """A place in a line where somebody may begin: `at` the sign for it, `words` behind it. `sure` says
    that somebody else does begin there, named or not."""

    at: int
    words: int
    sure: bool = False


@dataclass(frozen=True, slots=True)
class _Said:
    words: Words
    speaker: str | None
    opens: bool = False


def split_captions(captions: Sequence[Caption]) -> Iterator[Cue]:
    """The captions cut where the speaker changes.

    Whoever is named goes on speaking until somebody else begins; what a voice tag claims is that
    voice's alone. A caption's time is shared among its speakers by their letters.
    """
    names = speakers(_labels(captions), len(captions))
    speaker, before = None, ""
    for caption in captions:
        said: list[_Said] = []
        dialogue = sum(bool(_DASH.match(line[0].text)) for line in caption.lines) > 1
        for line in caption.lines:
            for number, words in enumerate(line):
                if words.voice is not None:
                    said.append(_Said(words, words.voice))
                else:
                    dashes = dialogue or (not names and _is_reply(words.text, before))
                    said += _parts(words, _beginnings(words.text, number == 0, dashes), names, speaker)
                speaker = said[-1].speaker if words.voice is None else None
                before = words.text
        yield from _timed(caption, _joined(said))


def _labels(captions: Sequence[Caption]) -> Iterator[Label]:
    """Everything in the captions that may be a speaker's label."""
    before = ""
    for unit, caption in enumerate(captions):
        for line in caption.lines:
            for number, words in enumerate(line):
                text = words.text
                for beginning in _beginnings(text, number == 0, True) if words.voice is None else ():
                    if label := label_at(text, beginning.words):
                        opens = beginning.sure or ends_sentence(before)
                        marked = label.marked or (beginning.sure and is_name(label.name))
                        yield replace(label, unit=unit, opens=opens, marked=marked)
                before = text


def _beginnings(text: str, line_begins: bool, dashes: bool) -> list[_Beginning]:
    found = [_Beginning(m.start(), m.end(), True) for m in _CHEVRONS.finditer(text)]
    if line_begins and not (found and found[0].at == 0):
        dash = _DASH.match(text) if dashes else None
        found.insert(0, _Beginning(0, dash.end() if dash else 0, bool(dash)))
    return found


def _is_reply(text: str, before: str) -> bool:
    """Whether a single dash at the head of a line is somebody's reply, and no pause in a sentence."""
    dash = _DASH.match(text)
    return bool(dash and dash["blank"]) and ends_sentence(before)


def _parts(
    words: Words, beginnings: Sequence[_Beginning], names: frozenset[str], speaker: str | None
) -> Iterator[_Said]:
    """A run of words cut at its beginnings; `speaker` has been speaking so far."""
    ends = [*(b.at for b in beginnings), len(words.text)]
    if ends[0] > 0 or not beginnings:
        yield _Said(words.part(0, ends[0]), speaker)
    for beginning, end in zip(beginnings, ends[1:], strict=True):
        label = label_at(words.text, beginning.words)
        begin = beginning.words
        if label and label.name in names:
            speaker = None if is_remark(label.name) else label.name
            begin = label.end
        elif beginning.sure:
            speaker = None
        yield _Said(words.part(begin, end), speaker, opens=beginning.sure)


def _joined(said: Sequence[_Said]) -> list[_Said]:
    """What one speaker says on several lines of a caption in one piece; what has no words left out."""
    groups: list[list[_Said]] = []
    for part in said:
        if groups and not part.opens and part.speaker == groups[-1][0].speaker:
            groups[-1].append(part)
        else:
            groups.append([part])
    whole = [replace(group[0], words=_one([part.words for part in group])) for group in groups]
    return [part for part in whole if part.words.text]


def _one(pieces: Sequence[Words]) -> Words:
    """Pieces of words with blanks between them."""
    texts, marks, length = [], [], 0
    for piece in pieces:
        if piece.text:
            marks += [(at + length, second) for at, second in piece.marks]
            texts.append(piece.text)
            length += len(piece.text) + 1
    return Words(" ".join(texts), pieces[0].voice, tuple(marks))


def _timed(caption: Caption, said: Sequence[_Said]) -> Iterator[Cue]:
    """The parts of a caption with times: evenly by letters, between the word times that can be true."""
    begins = [0]
    for part in said:
        begins.append(begins[-1] + len(part.words.text) + 1)
    points = _rising(
        [(0, caption.start)]
        + [(at + base, s) for part, base in zip(said, begins, strict=False) for at, s in part.words.marks]
        + [(begins[-1], caption.end)],
        caption.end,
    )
    for part, base, end in zip(said, begins, begins[1:], strict=False):
        first, last = (bisect_left(points, (at,), 1, len(points) - 1) for at in (base + 1, end))
        marks = tuple((at - base, s) for at, s in points[first:last])
        start, stop = _second_at(points, base), _second_at(points, end)
        yield Cue(part.words.text, part.speaker, start, stop, marks, part.opens)


def _rising(points: Sequence[tuple[int, float]], end: float) -> list[tuple[int, float]]:
    """The points whose seconds never fall, up to an end."""
    rising = [points[0]]
    for at, second in points[1:]:
        if at > rising[-1][0] and rising[-1][1] <= second <= end:
            rising.append((at, second))
    return rising


def _second_at(points: Sequence[tuple[int, float]], at: int) -> float:
    i = bisect_right(points, (at, float("inf")))
    (before, start), (after, end) = points[max(i - 1, 0)], points[min(i, len(points) - 1)]
    share = (at - before) / (after - before) if after > before else 0.0
    return round(start + share * (end - start), 3)
