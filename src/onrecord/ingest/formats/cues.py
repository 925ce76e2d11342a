"""Captions into turns: times put in order, each word once, one turn for each run of one speaker's cues."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from math import inf

from onrecord.ingest.formats.base import Source
from onrecord.ingest.formats.clock import longest_rising
from onrecord.ingest.formats.markup import Caption
from onrecord.ingest.formats.rolling import each_word_once, without_copies
from onrecord.ingest.formats.voices import Cue, cues
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
    single = without_copies(spoken)
    ordered, repairs = in_order(single)
    copies = len(spoken) - len(single)
    about_copies = [f"captions that stand there twice were read once: {copies}"] if copies else []
    return Transcript(
        turns=tuple(turns(cues(each_word_once(ordered)))),
        format=name,
        details=details or Details(),
        warnings=(*warnings, *repairs, *about_copies),
    )


def in_order(captions: Sequence[Caption]) -> tuple[list[Caption], list[str]]:
    """The captions with starts that never fall and ends that are not before them, and what was repaired.

    The times that rise with most others are believed. A caption outside of them is put behind the one
    above it in the source, for as long as it lasts but before the next one that is believed.
    """
    believed = longest_rising([caption.start for caption in captions])
    believed = [at for at in believed if captions[at].start >= 0]
    trusted, upcoming = set(believed), iter([*(captions[at].start for at in believed), inf])
    ordered: list[Caption] = []
    moved, shortened = [], []
    limit = next(upcoming)
    for at, caption in enumerate(captions):
        if at in trusted:
            limit = next(upcoming)
        else:
            moved.append(caption)
            caption = _moved(caption, ordered[-1].end if ordered else 0.0, limit)
        if caption.end < caption.start:
            shortened.append(caption)
            caption = replace(caption, end=caption.start)
        ordered.append(caption)
    return ordered, _repairs(moved, shortened)


def _moved(caption: Caption, start: float, limit: float) -> Caption:
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


def turns(spoken: Iterable[Cue]) -> list[Turn]:
    """Cues put together to turns: a new one begins where the speaker changes, or somebody else begins."""
    found: list[_Turn] = []
    for cue in spoken:
        if not found or cue.opens or cue.speaker != found[-1].speaker:
            start = max(cue.start, found[-1].start) if found else cue.start
            found.append(_Turn(cue.speaker, start, cue.end))
        found[-1].add(cue)
    return [turn.done() for turn in found]
