"""Conversion of captions into speaker turns: order the times, drop repeated words, join a speaker's cues."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise, zip_longest
from math import inf

from onrecord.ingest.formats.base import Source
from onrecord.ingest.formats.clock import longest_rising
from onrecord.ingest.formats.markup import Caption, Words
from onrecord.ingest.formats.voices import Cue, Voices
from onrecord.types import Details, Transcript, Turn

SILENCE = 0.1
"""The longest silence after a cue, in seconds, that gets no mark.

A longer silence gets a mark at the end of the cue, so that time interpolation places no word in it.
"""


def transcript(
    source: Source,
    name: str,
    captions: Sequence[Caption],
    details: Details | None = None,
    warnings: Sequence[str] = (),
) -> Transcript:
    """Return a transcript of format `name` from captions in the order of their source.

    A turn is a run of cues by one speaker, with a mark at the start of each cue and of each timed word. Words
    keep their order. Times that run backwards are repaired, and a warning gives their number and the first
    place.

    Raises FormatError if there are no words.
    """
    spoken = [caption for caption in captions if caption.lines]
    single = drop_copies(spoken)
    ordered, repairs = order_captions(single)
    copies = len(spoken) - len(single)
    dropped = [f"dropped copies of captions: {copies}"] if copies else []
    voices = Voices(_unroll(_merge_highlights(ordered)))
    turns = tuple(join_cues(voices.cues()))
    if not turns:  # captions may consist of labels
        raise source.error("the whole of it", "a transcript with words", "no words")
    return Transcript(
        turns=turns,
        format=name,
        details=details or Details(),
        warnings=(*warnings, *repairs, *dropped, *voices.warnings()),
    )


def order_captions(captions: Sequence[Caption]) -> tuple[list[Caption], list[str]]:
    """Return the captions with start times that never decrease, and warnings about repairs.

    Non-negative start times in the longest non-decreasing series are trusted. Any other caption moves to the
    end of the previous caption in the source. It keeps its duration, but ends no later than the next trusted
    caption starts. No caption ends before it starts.
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
    warnings = []
    for repaired, what in (
        (moved, "moved captions that run backwards behind those above"),
        (shortened, "captions that end before they start"),
    ):
        if repaired:
            warnings.append(f"{what}: {len(repaired)}, first in {repaired[0].place}")
    return ordered, warnings


def _move(caption: Caption, start: float, limit: float) -> Caption:
    """Move a caption to `start`, end it by `limit` (both in seconds), and drop the times of its words."""
    lasts = max(0.0, caption.end - caption.start)
    lines = tuple(tuple(replace(words, marks=()) for words in line) for line in caption.lines)
    start = min(start, limit)
    return replace(caption, start=start, end=round(min(start + lasts, limit), 3), lines=lines)


def trim_lingering(captions: Sequence[Caption]) -> list[Caption]:
    """Return the captions that have words, with word-timed captions cut where the next caption begins.

    A line of automatic captions stays on the screen while the next line is spoken. A caption never ends
    before its last word time.
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
    """An unfinished turn."""

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
        """Add a mark, but not before the previous mark, because cues may overlap."""
        self.marks.append((at, max(second, self.marks[-1][1] if self.marks else self.start)))

    def done(self) -> Turn:
        end = max(self.end, self.marks[-1][1])
        return Turn(" ".join(self.texts), self.speaker, self.start, end, tuple(self.marks))


def join_cues(spoken: Iterable[Cue]) -> list[Turn]:
    """Join cues into turns; a new turn begins where the speaker changes or a cue opens one."""
    turns: list[_Turn] = []
    for cue in spoken:
        if not turns or cue.opens or cue.speaker != turns[-1].speaker:
            start = max(cue.start, turns[-1].start) if turns else cue.start
            turns.append(_Turn(cue.speaker, start, cue.end))
        turns[-1].add(cue)
    return [turn.done() for turn in turns]


# ---------------------------------------------------------------- repeated words

AT_ONCE = 0.25
"""The longest gap, in seconds, after which a caption still continues the previous one on the screen."""
MOST_LINES = 8
"""The maximum number of lines that scroll on a screen."""
MIN_SHARE = 0.3
"""The minimum share (0 to 1) of captions that repeat words in a file that does so by design.

The threshold is needed because people repeat words too.
"""


def drop_copies(captions: Sequence[Caption]) -> list[Caption]:
    """Return the captions without copies (same times, words and voices).

    The segments of a stream repeat captions that extend from one segment into the next.
    """
    first = {(c.start, c.end, c.texts, c.voices): c for c in reversed(captions)}
    firsts = set(map(id, first.values()))
    return [caption for caption in captions if id(caption) in firsts]


# ---------------------------------------------------------------- one caption for each spoken word


def _merge_highlights(captions: Sequence[Caption]) -> list[Caption]:
    """Merge captions that repeat a text, each with another word styled, into one caption with word times.

    Whisper's `--highlight_words` writes such captions.
    """
    moving = sum(a.styled != b.styled and _same_screen(a, b) for a, b in pairwise(captions))
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
    same = a.texts == b.texts and a.voices == b.voices
    return same and b.start - a.end <= AT_ONCE and not any(a.timed + b.timed)


def _continues(group: Sequence[Caption], caption: Caption) -> bool:
    """Return whether a caption repeats the text of a group and styles a later word, or none.

    If the styling starts again at an earlier word, the same words are spoken again.
    """
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
    """Keep only the new words of each rolling caption.

    YouTube shows each line of its automatic captions three times: while it is spoken (with word times),
    alone for 10 ms, and above the next line. Other programs let a line grow word by word. Files that do
    neither throughout are returned unchanged.
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
    """Count the lines of a caption, and the characters of its next line, that the previous caption shows.

    A line with word times is being spoken, so it is always new. Words in another voice are new too.
    """
    if caption.start - before.end > AT_ONCE:
        return 0, 0
    old, new = _voiced(before), _voiced(caption)
    for size in range(min(len(old), len(new), MOST_LINES), 0, -1):
        if any(caption.timed[:size]) or old[-size:-1] != new[: size - 1]:
            continue
        (text, voices), (last, last_voices) = new[size - 1], old[-1]
        if (text, voices) == (last, last_voices):
            return size, 0
        if text.startswith(last + " ") and voices[: len(last_voices)] == last_voices:
            return size - 1, len(last) + 1
    return 0, 0


def _voiced(caption: Caption) -> list[tuple[str, tuple[str | None, ...]]]:
    """Return the text of each line of a caption with the voices in it."""
    return list(zip(caption.texts, caption.voices, strict=True))


def _cut_caption(caption: Caption, lines: int, letters: int) -> Caption:
    """Cut the first `lines` off a caption, and the first `letters` characters off its next line.

    A space between two runs of words counts as one character.
    """
    if not (lines or letters):
        return caption
    rest = list(caption.lines[lines:])
    if letters:
        line: list[Words] = []
        for words in rest[0]:
            if letters < len(words.text):
                line.append(words.part(max(letters, 0)))
            letters -= len(words.text) + 1
        rest[0] = tuple(line)
    return replace(caption, lines=tuple(rest))
