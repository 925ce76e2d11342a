"""Captions into turns: times put in order, each word once, one turn for each run of one speaker's cues."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise, zip_longest
from math import inf

from onrecord.ingest.formats.base import Source
from onrecord.ingest.formats.clock import longest_rising
from onrecord.ingest.formats.markup import Caption, Line, Words
from onrecord.ingest.formats.voices import Cue, split_captions
from onrecord.types import Details, Transcript, Turn

SILENCE = 0.1
"""Seconds: where the next cue begins later than this after a cue's end, the end is marked too, so that
nothing is taken to be said in between."""


def transcript(
    source: Source,
    name: str,
    captions: Sequence[Caption],
    details: Details | None = None,
    warnings: Sequence[str] = (),
) -> Transcript:
    """A transcript of format `name` from captions in the order of their source.

    A turn is a run of cues by one speaker, from the start of the first to the end of the last, with a
    mark at the start of each cue and of each word that has a time. Words keep their order; times that
    run backwards are repaired, and a warning says how many and where. Raises FormatError where there
    are no words.
    """
    spoken = [caption for caption in captions if caption.lines]
    if not spoken:
        raise source.error("the whole of it", "a transcript with words", "no words")
    single = drop_copies(spoken)
    ordered, repairs = order_captions(single)
    copies = len(spoken) - len(single)
    about_copies = [f"captions that stand there twice were read once: {copies}"] if copies else []
    return Transcript(
        turns=tuple(join_cues(split_captions(drop_repeats(ordered)))),
        format=name,
        details=details or Details(),
        warnings=(*warnings, *repairs, *about_copies),
    )


def order_captions(captions: Sequence[Caption]) -> tuple[list[Caption], list[str]]:
    """The captions with starts that never fall and ends that are not before them, and what was repaired.

    The times that rise with most others are believed. A caption outside of them is put behind the one
    above it in the source, for as long as it lasts but before the next one that is believed.
    """
    trusted_order = longest_rising([caption.start for caption in captions])
    trusted_order = [at for at in trusted_order if captions[at].start >= 0]
    trusted, next_starts = set(trusted_order), iter([*(captions[at].start for at in trusted_order), inf])
    ordered: list[Caption] = []
    moved, shortened = [], []
    limit = next(next_starts)
    for at, caption in enumerate(captions):
        if at in trusted:
            limit = next(next_starts)
        else:
            moved.append(caption)
            caption = _move(caption, ordered[-1].end if ordered else 0.0, limit)
        if caption.end < caption.start:
            shortened.append(caption)
            caption = replace(caption, end=caption.start)
        ordered.append(caption)
    return ordered, _repairs(moved, shortened)


def _move(caption: Caption, start: float, limit: float) -> Caption:
    """A caption at another time, without the times of its words."""
    lasts = max(0.0, caption.end - caption.start)
    lines = tuple(tuple(replace(words, marks=()) for words in line) for line in caption.lines)
    start = min(start, limit)
    return replace(caption, start=start, end=round(min(start + lasts, limit), 3), lines=lines)


def _repairs(moved: Sequence[Caption], shortened: Sequence[Caption]) -> list[str]:
    notes = []
    if moved:
        place = moved[0].place
        notes.append(
            f"captions that run backwards, put behind those above them: {len(moved)}, first in {place}"
        )
    if shortened:
        notes.append(f"captions that end before they start: {len(shortened)}, first in {shortened[0].place}")
    return notes


def trim_lingering(captions: Sequence[Caption]) -> list[Caption]:
    """Return the captions that have words, ending automatic ones when the next caption begins.

    A line of automatic captions stays on the screen while the next one is said.
    """
    captions = [caption for caption in captions if caption.lines]
    trimmed = []
    for caption, following in zip_longest(captions, captions[1:]):
        seconds = [second for line in caption.lines for words in line for _, second in words.marks]
        if seconds and following:
            caption = replace(caption, end=min(caption.end, max(*seconds, following.start)))
        trimmed.append(caption)
    return trimmed


# ---------------------------------------------------------------- turns


@dataclass(slots=True)
class _Turn:
    """A turn as far as it has been read."""

    speaker: str | None
    start: float
    end: float
    texts: list[str] = field(default_factory=list)
    marks: list[tuple[int, float]] = field(default_factory=list)
    length: int = 0

    def add(self, cue: Cue) -> None:
        if self.texts:
            if cue.start - self.end > SILENCE:
                self.mark(self.length, self.end)
            self.length += 1
        self.mark(self.length, cue.start)
        for at, second in cue.marks:
            self.mark(self.length + at, second)
        self.texts.append(cue.text)
        self.length += len(cue.text)
        self.end = max(self.end, cue.end)

    def mark(self, at: int, second: float) -> None:
        """Cues may overlap: a mark never lies before the one in front of it."""
        self.marks.append((at, max(second, self.marks[-1][1] if self.marks else self.start)))

    def done(self) -> Turn:
        end = max(self.end, self.marks[-1][1])
        return Turn(" ".join(self.texts), self.speaker, self.start, end, tuple(self.marks))


def join_cues(spoken: Iterable[Cue]) -> list[Turn]:
    """Cues put together to turns: a new one begins where the speaker changes, or somebody else begins."""
    turns: list[_Turn] = []
    for cue in spoken:
        if not turns or cue.opens or cue.speaker != turns[-1].speaker:
            start = max(cue.start, turns[-1].start) if turns else cue.start
            turns.append(_Turn(cue.speaker, start, cue.end))
        turns[-1].add(cue)
    return [turn.done() for turn in turns]


# ---------------------------------------------------------------- words that captions show more than once

AT_ONCE = 0.25
"""Seconds: a caption that begins so soon after the one before continues it on the screen."""
MOST_LINES = 8
"""No screen shows more lines that roll."""
MIN_SHARE = 0.3
"""The share of captions that must repeat words before a file is taken to do so by its nature: people
do say the same thing twice."""


def drop_copies(captions: Sequence[Caption]) -> list[Caption]:
    """The captions, where the very same one (times and words) counts once: the pieces of a stream repeat
    those that cross from one piece into the next."""
    first = {(c.start, c.end, c.texts): c for c in reversed(captions)}
    firsts = set(map(id, first.values()))
    return [caption for caption in captions if id(caption) in firsts]


def drop_repeats(captions: Sequence[Caption]) -> list[Caption]:
    """The captions without the words that they only go on showing. Captions must have words."""
    return _unroll(_merge_highlights(captions))


# ---------------------------------------------------------------- one caption for each word said


def _merge_highlights(captions: Sequence[Caption]) -> list[Caption]:
    """Captions that show one text again and again, each time with another word styled (as Whisper's
    `--highlight_words` writes them), as one caption that has the time of each word."""
    moving = sum(_styles_next(a, b) for a, b in pairwise(captions))
    if moving < 2 or moving < MIN_SHARE * (len(captions) - 1):
        return list(captions)
    groups: list[list[Caption]] = []
    for caption in captions:
        if groups and _continues(groups[-1], caption):
            groups[-1].append(caption)
        else:
            groups.append([caption])
    return [_merge_group(group) for group in groups]


def _same_screen(a: Caption, b: Caption) -> bool:
    return b.start - a.end <= AT_ONCE and a.texts == b.texts and not any(a.timed + b.timed)


def _styles_next(a: Caption, b: Caption) -> bool:
    return a.styled != b.styled and _same_screen(a, b)


def _continues(group: Sequence[Caption], caption: Caption) -> bool:
    """Whether a caption shows the text of a group again, with no word styled before the last one that
    was: where styling starts anew, the same words are said once more."""
    if not _same_screen(group[-1], caption):
        return False
    if caption.styled is None:
        return True
    return caption.styled > next((c.styled for c in reversed(group) if c.styled is not None), -1)


def _merge_group(group: Sequence[Caption]) -> Caption:
    first = group[0]
    times = {c.styled: c.start for c in group if c.styled is not None}
    lines, before = [], 0
    for line in first.lines:
        timed = []
        for words in line:
            marks = [(at - before, s) for at, s in times.items() if before <= at < before + len(words.text)]
            timed.append(replace(words, marks=tuple(marks)))
            before += len(words.text) + 1
        lines.append(tuple(timed))
    return replace(first, end=max(c.end for c in group), lines=tuple(lines))


# ---------------------------------------------------------------- lines that roll up


def _unroll(captions: Sequence[Caption]) -> list[Caption]:
    """Rolling captions with only what is new in each.

    YouTube shows each line of its automatic captions three times: as it is said (with word times), for
    10 ms alone, and above the next line; others let a line grow word by word. Only files that do so
    throughout are touched.
    """
    shown = [_count_repeated(a, b) for a, b in pairwise(captions)]
    repeating = sum(count > 0 or letters > 0 for count, letters in shown)
    growing = sum(
        letters > 0 or 0 < count < len(b.lines)
        for (count, letters), b in zip(shown, captions[1:], strict=True)
    )
    if repeating < 2 or not growing or repeating < MIN_SHARE * len(shown):
        return list(captions)
    fresh = [_cut_caption(caption, *again) for caption, again in zip(captions, [(0, 0), *shown], strict=True)]
    return [caption for caption in fresh if caption.lines]


def _count_repeated(before: Caption, caption: Caption) -> tuple[int, int]:
    """How many lines of a caption, and how many letters of the line after them, are still there from
    the caption before. A line with word times is being said: it is always new."""
    if caption.start - before.end > AT_ONCE:
        return 0, 0
    old, new, timed = before.texts, caption.texts, caption.timed
    for size in range(min(len(old), len(new), MOST_LINES), 0, -1):
        if any(timed[:size]) or old[-size:-1] != new[: size - 1]:
            continue
        if new[size - 1] == old[-1]:
            return size, 0
        if new[size - 1].startswith(old[-1] + " "):
            return size - 1, len(old[-1]) + 1
    return 0, 0


def _cut_caption(caption: Caption, lines: int, letters: int) -> Caption:
    left = caption.lines[lines:]
    if letters:
        left = (_cut_line(left[0], letters), *left[1:])
    return replace(caption, lines=left) if lines or letters else caption


def _cut_line(line: Line, letters: int) -> Line:
    """A line without its first letters, counting the blanks between its runs of words."""
    rest: list[Words] = []
    for words in line:
        if letters < len(words.text):
            rest.append(words.part(max(letters, 0)))
        letters -= len(words.text) + 1
    return tuple(rest)
