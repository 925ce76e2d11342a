"""Transcripts, and the values that an archive stores: recordings, sections, ``Turn -> Passage``."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import itemgetter

from onrecord.types.text import primary_language

Marks = tuple[tuple[int, float], ...]
"""Time marks of a text: (character offset, second), both ascending. Speech between two marks is assumed to
have a constant speed. So the start and end of a cue, or the start of every word, are both valid marks."""

Voices = tuple[tuple[int, str | None], ...]
"""The speaker from each character of a text on: (character offset, speaker), offsets ascending."""


@dataclass(frozen=True, slots=True)
class Turn:
    """An unbroken run of speech by one speaker, as the source has it.

    `speaker` is the source's label ("SPEAKER_00", "Kelly") or None; `text` has single spaces and no markup;
    `marks` refer to characters of `text`.
    """

    text: str
    speaker: str | None = None
    start: float | None = None
    end: float | None = None
    marks: Marks = ()


@dataclass(frozen=True, slots=True)
class Section:
    """A named part of a recording: a chapter, a topic, a Q&A.

    `first` and `last` are positions of passages, both inclusive. In a Transcript, which has no passages yet,
    they are positions of turns, or -1 if only the seconds are known. `kind` is "qa", "discussion", ...
    (`onrecord.ingest.sections` lists them), or None. `under` is the title of the section that contains it.
    `summary` consists of sentences spoken in the section, or is written by a language model.
    """

    title: str
    start: float | None = None
    end: float | None = None
    first: int = -1
    last: int = -1
    kind: str | None = None
    under: str | None = None
    summary: str = ""


@dataclass(frozen=True, slots=True)
class Details:
    """The details of a recording, other than its words. Every field may be unknown.

    `people` are the people who speak or are credited; `link` is the page where people watch or listen (it may
    contain ``{seconds}``, see `onrecord.ingest.links`); `media` is an audio or video file or address;
    `attributes` is anything else: show, episode, bank, quarter, ...
    """

    title: str | None = None
    date: str | None = None
    language: str | None = None
    people: tuple[str, ...] = ()
    link: str | None = None
    media: str | None = None
    attributes: Mapping[str, str] = field(default_factory=dict)

    @property
    def names(self) -> frozenset[str]:
        """The names of the known details: fields and attributes."""
        fields = {
            "title": self.title, "date": self.date, "language": self.language, "people": self.people,
            "link": self.link, "media": self.media,
        }  # fmt: skip
        return frozenset(name for name, value in fields.items() if value) | self.attributes.keys()

    @property
    def language_code(self) -> str:
        """The code of the language without its region: "fr" for "fr-CA"; "" for an unknown language."""
        return primary_language(self.language)

    def over(self, base: Details) -> Details:
        """Return these details, with the values of `base` for unknown fields. Attributes are merged."""
        return Details(
            title=self.title or base.title,
            date=self.date or base.date,
            language=self.language or base.language,
            people=self.people or base.people,
            link=self.link or base.link,
            media=self.media or base.media,
            attributes={**base.attributes, **self.attributes},
        )


@dataclass(frozen=True, slots=True)
class Transcript:
    """The content of one recording in one source, as a format reader returns it.

    `format` is the name of the format reader ("webvtt"). `part` distinguishes several transcripts of one
    source (an item's guid in a feed), and is "" if the source has only one.
    """

    turns: tuple[Turn, ...]
    format: str
    details: Details = field(default_factory=Details)
    sections: tuple[Section, ...] = ()
    part: str = ""
    warnings: tuple[str, ...] = ()


_ENTRY_PASSAGES, _ENTRY_WORDS = 3, 300
MOST_ENTRIES = 0.8
"""Share of the recordings, 0..1. If at least this share are entries, they are searched as entries."""


@dataclass(frozen=True, slots=True)
class Recording:
    """An episode, talk, call or meeting in an archive.

    `id` is short and stable: made from the source's name and place. `source` is the place from which it was
    read. `checksum` is the SHA-256 of the content (words and details), so that adding the same content again
    changes nothing. `seconds` is the end of the last timed word. `turns` is the number of speaker turns; a
    turn that several passages share counts in each of them (0 if the turns were not counted).
    """

    id: str
    source: str
    checksum: str
    format: str
    details: Details
    passages: int = 0
    words: int = 0
    seconds: float | None = None
    speakers: tuple[str, ...] = ()
    turns: int = 0

    @property
    def title(self) -> str:
        """The title, or the id if there is no title."""
        return self.details.title or self.id

    @property
    def is_entry(self) -> bool:
        """Whether it is an entry: a short text without speakers about the subject of its title."""
        short = self.passages == 1 or (1 < self.passages <= _ENTRY_PASSAGES and self.words <= _ENTRY_WORDS)
        return short and self.is_written

    @property
    def is_written(self) -> bool:
        """Whether it has no known speaker and no times."""
        return not self.speakers and self.seconds is None

    def counted(self, passages: Sequence[Passage]) -> Recording:
        """Return the recording with the counts, seconds and speakers of its passages."""
        ends = [p.end for p in passages if p.end is not None]
        voices = (name for p in passages for name in (p.speaker, *(voice for _, voice in p.voices)))
        return replace(
            self,
            passages=len(passages),
            words=sum(len(p.text.split()) for p in passages),
            seconds=max(ends, default=None),
            speakers=tuple(dict.fromkeys(name for name in voices if name)),
            turns=sum(len(p.voices) or 1 for p in passages),
        )


@dataclass(frozen=True, slots=True)
class Passage:
    """The unit of retrieval: up to about 120 consecutive words, mostly by one speaker.

    Positions count 0, 1, 2, ... within a recording. `speaker` speaks most of the words. `voices` gives the
    speaker from each character on, (offset, speaker) ascending from offset 0, and is empty if `speaker`
    speaks all of them. `row` is the store's row number (-1 before the passage is stored). `importance` is how
    informative the passage is, in 0..1. `before` and `after` are how closely the previous and the next
    passage belong to it, in 0..1. All three are None if they were not computed.
    """

    recording: str
    position: int
    text: str
    speaker: str | None = None
    start: float | None = None
    end: float | None = None
    marks: Marks = ()
    voices: Voices = ()
    section: str | None = None
    row: int = -1
    importance: float | None = None
    before: float | None = None
    after: float | None = None

    @property
    def spoken(self) -> str:
        """The words with the speaker's name before each run: "Ann: Shall we? Bob: Yes."

        This text is embedded and indexed, so that "what did Ann propose" matches Ann; `text` is shown.
        """
        return " ".join(
            (f"{speaker}: " if speaker else "") + self.text[begin:end].strip()
            for begin, end, speaker in self.turns
        )

    @property
    def turns(self) -> list[tuple[int, int, str | None]]:
        """The speaker turns: the first character of the text, the end, and the speaker of each."""
        voices = self.voices or ((0, self.speaker),)
        ends = [*(begin for begin, _ in voices[1:]), len(self.text)]
        return [(begin, end, speaker) for (begin, speaker), end in zip(voices, ends, strict=True)]

    def speaker_at(self, offset: int) -> str | None:
        """Return the speaker of the character at `offset` of the text."""
        speaker = self.speaker
        for begin, name in self.voices:
            if begin > offset:
                break
            speaker = name
        return speaker

    def time_at(self, offset: int) -> float | None:
        """Return the second at which a character of the text is spoken; None if the passage has no times.

        Between two marks the time is interpolated linearly.
        """
        at = bisect_right(self.marks, offset, key=itemgetter(0))
        before = self.marks[at - 1] if at else None if self.start is None else (0, self.start)
        after = self.marks[at] if at < len(self.marks) else None
        if after is None and before is not None and self.end is not None:
            after = (len(self.text), self.end)
        if before is None or after is None:
            nearest = before or after
            return nearest[1] if nearest else None
        span = after[0] - before[0]
        share = min(1.0, max(0.0, (offset - before[0]) / span)) if span > 0 else 0.0
        return before[1] + share * (after[1] - before[1])
