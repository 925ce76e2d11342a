"""The values that flow through onrecord. All are frozen; none knows where it is stored.

Ingest:  ``Transcript -> Turn -> Passage`` (and ``Section``).
Asking:  ``Question -> Evidence(question, plan, moments, curve, trail) -> Answer``.

Seconds are floats counted from the start of the recording, or None where the source has no times.
Dates are ISO 8601 strings of day, month or year precision ("2024-03-05", "2024-03", "2024").
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # numpy is not needed to read types, and `onrecord --help` must not pay for it
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]
    """Shape (dimensions,), unit length."""
    Vectors = NDArray[np.float32]
    """Shape (n, dimensions), rows of unit length."""
    Scores = NDArray[np.float32]
    """Shape (n,), one score a passage of a Line."""
    Rows = NDArray[np.int64]
    """Shape (n,), row numbers of passages in a store."""
    Counts = NDArray[np.int32]
    """Shape (n,)."""

Marks = tuple[tuple[int, float], ...]
"""Time marks of a text: (character offset, second), both rising. Speech between two marks is
taken to run evenly, so a cue's start and end, or every word's start, are the same kind of thing."""

Voices = tuple[tuple[int, str | None], ...]
"""Who speaks from which character of a text on: (character offset, speaker), offsets rising."""


# ---------------------------------------------------------------- what is read


@dataclass(frozen=True, slots=True)
class Turn:
    """An unbroken run of speech by one speaker, as the source has it.

    `speaker` is the source's own label ("SPEAKER_00", "Kelly") or None; `text` has single spaces and
    no markup; `marks` point into `text`.
    """

    text: str
    speaker: str | None = None
    start: float | None = None
    end: float | None = None
    marks: Marks = ()


@dataclass(frozen=True, slots=True)
class Section:
    """A named part of a recording: a chapter, a topic, a Q&A.

    `first` and `last` are positions of passages, both inclusive. In a Transcript, where there are no
    passages yet, they are positions of turns, or -1 where only the seconds are known. `kind` is what
    sort of section it is ("qa", "discussion", ...; `onrecord.ingest.sections` lists them), None where
    that is not known; `under` is the title of the section that it is a part of; `summary` is made of
    sentences that are spoken in it.
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
    """What is known about a recording besides its words. Every field may be unknown.

    `people` are those who speak or are credited; `link` is where people watch or listen (it may hold
    ``{seconds}``, see `onrecord.ingest.links`); `media` is an audio or video file or address;
    `attributes` is anything else: show, episode, bank, quarter, ...
    """

    title: str | None = None
    date: str | None = None
    language: str | None = None
    people: tuple[str, ...] = ()
    link: str | None = None
    media: str | None = None
    attributes: Mapping[str, str] = field(default_factory=dict)

    def over(self, base: Details) -> Details:
        """These details, completed by `base` where they say nothing. Attributes are merged."""
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
    """What a reader makes of one recording in one source.

    `format` is the reader's name ("webvtt"); `part` tells several transcripts of one source apart
    (an item's guid in a feed), and is "" where the source holds one.
    """

    turns: tuple[Turn, ...]
    format: str
    details: Details = field(default_factory=Details)
    sections: tuple[Section, ...] = ()
    part: str = ""
    warnings: tuple[str, ...] = ()


# ---------------------------------------------------------------- what is kept


@dataclass(frozen=True, slots=True)
class Recording:
    """An episode, talk, call or meeting in an archive.

    `id` is short and stable: made from the source's name and place. `source` is where it was read
    from, `checksum` the SHA-256 of what was read (words and details), so that the same thing added
    again changes nothing. `seconds` is the end of the last timed word.
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

    @property
    def title(self) -> str:
        """The title, or the id where there is none."""
        return self.details.title or self.id


@dataclass(frozen=True, slots=True)
class Passage:
    """What is retrieved: a run of up to about 120 words, mostly by one speaker, at a position in its
    recording.

    Positions count 0, 1, 2, ... within a recording. `speaker` says most of the words; `voices` tells
    who speaks from which character on, (offset, speaker) rising from offset 0, and is empty where
    `speaker` says all of it. `row` is the store's number for it (-1 before it is stored).
    `importance` is how much it says, in 0..1; `before` and `after` are how much the passage before it
    and the one after it belong to it, in 0..1; all three are None where nobody has judged them.
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
        """The words with the name of who says them before each run: "Ann: Shall we? Bob: Yes." This is
        what is embedded and indexed, so that "what did Ann propose" finds Ann; `text` is what is shown.
        """
        begins = [begin for begin, _ in self.voices] or [0]
        parts = []
        for begin, end in zip(begins, [*begins[1:], len(self.text)], strict=True):
            speaker = self.speaker_at(begin)
            parts.append((f"{speaker}: " if speaker else "") + self.text[begin:end].strip())
        return " ".join(parts)

    def speaker_at(self, offset: int) -> str | None:
        """Who says the character at `offset` of the text."""
        speaker = self.speaker
        for begin, name in self.voices:
            if begin > offset:
                break
            speaker = name
        return speaker

    def time_at(self, offset: int) -> float | None:
        """The second at which the character at `offset` of the text is spoken, between two marks
        by linear interpolation; None where the passage has no times."""
        at = bisect_right(self.marks, offset, key=_offset)
        before = self.marks[at - 1] if at else None if self.start is None else (0, self.start)
        after = self.marks[at] if at < len(self.marks) else None
        if after is None and before is not None and self.end is not None:
            after = (len(self.text), self.end)
        if before is None or after is None:
            known = before or after
            return known[1] if known else None
        span = after[0] - before[0]
        share = min(1.0, max(0.0, (offset - before[0]) / span)) if span > 0 else 0.0
        return before[1] + share * (after[1] - before[1])


def _offset(mark: tuple[int, float]) -> int:
    return mark[0]


@dataclass(frozen=True, slots=True)
class FaqEntry:
    """A question with its answer, and the other ways in which it is asked.

    `status` is "draft" (kept, not found), "live" (answers questions) or "retired" (kept, no longer found).
    """

    id: str
    question: str
    answer: str
    variants: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    link: str | None = None
    status: str = "draft"

    @property
    def ways(self) -> tuple[str, ...]:
        """Every way in which it is asked: the question itself, then the variants."""
        return (self.question, *self.variants)


# ---------------------------------------------------------------- what is asked


@dataclass(frozen=True, slots=True)
class Scope:
    """Which passages a question is put to. An empty scope is the whole workspace.

    Every field narrows. Texts are compared without regard to case and accents; `speakers` match whole
    names or whole words of a name ("kelly" is Brendan Kelly, "al" is not Alan); `sections` match titles
    and kinds. `since` and `until` are inclusive ISO dates of any precision: until="2024" includes all of
    2024; a recording without a date is outside any dated scope.
    """

    recordings: tuple[str, ...] = ()
    speakers: tuple[str, ...] = ()
    since: str | None = None
    until: str | None = None
    languages: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()
    attributes: Mapping[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return self != Scope()


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question that was asked before in the same conversation, and what was answered."""

    question: str
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """A question as asked, the passages it is put to, and what was asked before it, oldest first."""

    text: str
    scope: Scope = field(default_factory=Scope)
    history: tuple[Exchange, ...] = ()


@dataclass(frozen=True, slots=True)
class Filter:
    """A condition that was read from a question.

    `field` is "recording", "speaker", "since", "until", "language", "section" or the name of an
    attribute; `value` is what `Scope` wants to see; `said` are the question's own words for it.
    """

    field: str
    value: str
    said: str


@dataclass(frozen=True, slots=True)
class Plan:
    """What was understood of a question, and the way that is taken to its answer.

    `text` is the question to search for: a follow-up with what it leans on, without the words of its
    filters. `intent` is "factual", "definition", "causal", "summary", "comparison", "exploratory" or
    "multi_entity"; `language` an ISO 639-1 code; `entities` are the people and things it names; `scope`
    is the one that was given, narrowed by the `filters` that were kept; `strategy` is the name of the
    route; `queries` are the questions to ask one by one (the sides of a comparison, the parts of a
    question in several), empty where there is one; `notes` are remarks for the user: a filter that was
    loosened, a name that could be two.
    """

    text: str
    intent: str = "factual"
    language: str | None = None
    entities: tuple[str, ...] = ()
    filters: tuple[Filter, ...] = ()
    scope: Scope = field(default_factory=Scope)
    strategy: str = "balanced"
    queries: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Line:
    """All passages of a scope, laid end to end in the order in which they were spoken.

    Arrays of one length n, ordered by recording, then position: `rows` (store's row numbers),
    `recordings` (index into `names`), `positions`, `words` (counts). Neighbours on the line are
    neighbours in talk only where the recording is the same and positions follow one another.
    """

    rows: Rows
    recordings: Counts
    positions: Counts
    words: Counts
    names: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.rows)


@dataclass(frozen=True, slots=True)
class Curve:
    """Relevance along a Line: `score` is what moments are cut from, `parts` are the signals it was
    made of ("dense": cosine, "lexical": BM25, ...), each of the line's length."""

    line: Line
    score: Scores
    parts: Mapping[str, Scores] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Moment:
    """A stretch of talk: passages of one recording that follow one another, as they were spoken.

    One passage found on its own is a moment of length one. `score` ranks moments of one evidence;
    `scores` keeps what each stage gave it ("dense": best cosine, "lexical": best BM25, ...);
    `peak` is the index, in `passages`, of the one that fits best.
    """

    passages: tuple[Passage, ...]
    score: float
    scores: Mapping[str, float] = field(default_factory=dict)
    peak: int = 0

    @property
    def recording(self) -> str:
        return self.passages[0].recording

    @property
    def start(self) -> float | None:
        return self.passages[0].start

    @property
    def end(self) -> float | None:
        return self.passages[-1].end

    @property
    def text(self) -> str:
        return " ".join(p.text for p in self.passages)

    @property
    def words(self) -> int:
        return sum(len(p.text.split()) for p in self.passages)


@dataclass(frozen=True, slots=True)
class Step:
    """What one stage did: how many moments (or passages on the curve) went in and came out, how long
    it took, and a note in plain words where there is something to say."""

    stage: str
    taken: int
    given: int
    seconds: float
    note: str = ""

    def __str__(self) -> str:
        note = f"  {self.note}" if self.note else ""
        return f"{self.stage}: {self.taken} -> {self.given} in {self.seconds * 1000:.1f} ms{note}"


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was found for a question, and how.

    `moments` are ranked, best first; `curve` is set once every passage in scope has been scored;
    `trail` has one Step for each stage that ran; `plan` is set where the question was planned.
    """

    question: Question
    moments: tuple[Moment, ...] = ()
    curve: Curve | None = None
    trail: tuple[Step, ...] = ()
    plan: Plan | None = None

    def with_moments(self, moments: tuple[Moment, ...]) -> Evidence:
        return replace(self, moments=moments)


# ---------------------------------------------------------------- what is answered

# Characters that steer a terminal, reorder text or cannot be seen: transcripts are not trusted with them.
_UNSEEN = (
    *((0x00, 0x09), (0x0B, 0x1F), (0x7F, 0x9F), (0xAD, 0xAD), (0x061C, 0x061C), (0x180E, 0x180E)),
    *((0x200B, 0x200B), (0x200E, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0xFEFF, 0xFEFF)),
    *((0xFFF9, 0xFFFB), (0xE0000, 0xE007F)),
)
_PRINTABLE: dict[int, str | None] = {
    **{code: None for first, last in _UNSEEN for code in range(first, last + 1)},
    **dict.fromkeys(range(0xD800, 0xE000), "\ufffd"),
    **dict.fromkeys((0x09, 0x0B, 0x0C, 0x0D, 0x85, 0x2028, 0x2029), " "),
}


def printable(text: str) -> str:
    """The text without what steers a terminal, reorders text or cannot be seen; line feeds stay."""
    return text.translate(_PRINTABLE)


def clock(seconds: float) -> str:
    """``12:31``, and ``1:02:03`` from the first hour on; rounded down."""
    minutes, second = divmod(max(0, int(seconds)), 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02}:{second:02}" if hours else f"{minute}:{second:02}"


@dataclass(frozen=True, slots=True)
class Citation:
    """Words of a recording that an answer stands on. `quote` stands verbatim in the passages named,
    and was checked to do so before it is shown. `link` opens at `start` where the recording has one.
    `confidence` is in 0..1 and calibrated for the model at hand. `number` is the mark in the text: [1].
    `section` is the way to the section that it begins in: "Questions and answers > Freight costs"."""

    number: int
    recording: Recording
    quote: str
    passages: tuple[Passage, ...]
    speaker: str | None
    start: float | None
    end: float | None
    link: str | None
    confidence: float
    section: str | None = None

    @property
    def passage(self) -> Passage:
        """The passage in which the quote begins."""
        return self.passages[0]

    @property
    def times(self) -> str:
        """``12:31-12:58``, ``12:31`` or an empty text."""
        return "-".join(dict.fromkeys(clock(s) for s in (self.start, self.end) if s is not None))

    @property
    def source(self) -> str:
        """Who said it, where and when: ``Brendan Kelly, Night Desk 12, 12:31-12:58``."""
        parts = (self.speaker, self.recording.title, self.times)
        return ", ".join(" ".join(printable(part).split()) for part in parts if part)

    def __str__(self) -> str:
        link = f"  {printable(self.link)}" if self.link else ""
        return f"[{self.number}] {self.source}{link}"


@dataclass(frozen=True, slots=True)
class Call:
    """What was asked of a language model, and what it cost. `seat` is what it was asked for ("plan",
    "answer", "check", ...); `failure` says in plain words why its reply was not used, empty where it was;
    `money` is in the currency of the settings, 0 where no prices are set."""

    seat: str
    model: str
    seconds: float
    prompt_tokens: int = 0
    completion_tokens: int = 0
    money: float = 0.0
    failure: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer that can be checked.

    `verdict` is one of "answered", "low_relevance" (the nearest is shown), "low_diversity" (all that
    was found says the same), "nothing_found" (or an empty scope or archive). `heading` says in one
    line how sure the answer is; `notes` are remarks for the user (answered from words alone, ...);
    `unsupported` are sentences that could not be checked against the evidence; `calls` are what a
    language model was asked for, in order; `seconds` are the times of the parts of the work
    ("plan", "embed", "search", "rerank", "first_text", "total"); `sections` are the ways to the sections
    of what was found ("Questions and answers > Freight costs"), in the order of the moments.
    """

    question: str
    heading: str
    text: str
    verdict: str
    citations: tuple[Citation, ...]
    evidence: Evidence
    confidence: float = 0.0
    notes: tuple[str, ...] = ()
    unsupported: tuple[str, ...] = ()
    calls: tuple[Call, ...] = ()
    seconds: Mapping[str, float] = field(default_factory=dict)
    sections: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Prose with [1] [2], then who said it and when; safe to print in a terminal."""
        sources = "\n".join(map(str, self.citations))
        parts = (self.heading, self.text, sources, "\n".join(self.notes))
        return "\n\n".join(printable(part) for part in parts if part)


Event = Plan | Evidence | Step | Citation | str | Answer
"""What `Archive.stream` gives, in this order: the Plan where there is one; the Evidence, whose trail says
what every stage did; where much is read part by part, a Step for every part that was; then the text piece by
piece, each piece checked before it is given, and each Citation before the first piece that cites it; the
whole Answer last, always."""
