"""Answers, the words of recordings that they stand on, and what people think of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from onrecord.types.evidence import Evidence, Step
from onrecord.types.questions import Exchange, Plan, Scope
from onrecord.types.recordings import Passage, Recording
from onrecord.types.text import clock, one_line, printable


@dataclass(frozen=True, slots=True)
class Citation:
    """Words of a recording that an answer stands on. `quote` stands verbatim in the passages named,
    and was checked to do so before it is shown. `link` opens at `start` where the recording has one.
    `confidence` is in 0..1 and calibrated for the model at hand. `number` is the mark in the text: [1].
    `section` is the way to the section that it begins in: "Questions and answers > Freight costs"; `role` is
    what the speaker is in the recording, where that is known: "host", "CFO". `before` and `after` are words
    that stand around the quote, where they are asked for."""

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
    role: str | None = None
    before: str = ""
    after: str = ""

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
        """Who said it, where and when: ``Brendan Kelly, guest, Night Desk 12, 12:31-12:58``."""
        named, role = self.speaker or "", self.role or ""
        told = role.casefold() in named.casefold()  # "Brendan Kelly (guest)"
        parts = (named, "" if told else role, self.recording.title, self.times)
        return ", ".join(one_line(part) for part in parts if part)

    def told(self, style: str = "numbers") -> str:
        """A line of where it stands, behind its mark in one of `STYLES`."""
        link = f"  {printable(self.link)}" if self.link else ""
        return f"{mark(self.number, style)} {self.source}{link}"

    def __str__(self) -> str:
        return self.told()


def mark(number: int, style: str = "numbers") -> str:
    """The mark of a citation: ``[1]``, or ``[Source 1]``."""
    return f"[Source {number}]" if style == "sources" else f"[{number}]"


@dataclass(frozen=True, slots=True)
class Call:
    """What was asked of a language model, and what it cost. `role` is what it was asked for ("plan",
    "answer", "check", ...); `failure` says in plain words why its reply was not used, empty where it was;
    `money` is in the currency of the settings, 0 where no prices are set."""

    role: str
    model: str
    seconds: float
    prompt_tokens: int = 0
    completion_tokens: int = 0
    money: float = 0.0
    failure: str = ""


@dataclass(frozen=True, slots=True)
class FaqHit:
    """What the FAQ said to a question that an archive was asked: where it was decided (`stage`), the `score`
    of its best entry in 0..1, that entry's id and question, and whether its answer is the one given."""

    stage: str
    score: float
    entry: str | None = None
    question: str | None = None
    answered: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer that can be checked.

    `verdict` is one of "answered", "low_relevance" (the nearest is shown), "low_diversity" (all that was
    found says the same), "nothing_found" (or an empty scope or archive). `heading` says in one line how
    sure the answer is, and is empty where the text begins with what the archive knows; `notes` are
    remarks for the user (answered from words alone, ...); `unsupported` are sentences that could not be
    checked against the evidence; `calls` are what a language model was asked for, in order; `seconds` are
    the times of the parts of the work ("plan", "embed", "search", "rerank", "first_text", "total");
    `measured` says whether `confidence` is of the kind that was measured on recordings held out: quotes that
    the trained reader chose for one question, headed as an answer; never that of prose;
    `sections` are the ways to the sections of what was found ("Questions and answers > Freight costs"),
    in the order of the moments; `strategy` is the name of the one that was asked for, or that chance chose
    where `trial` says so; `scope` is what the question was put to, before filters were read from it; `style`
    is how citations are marked (see `mark`); `markdown` whether the text may have headings and bold words;
    `suggestions` are questions to ask instead, where nothing answers this one; `budgets` are the seconds that
    parts of the work should take at most; `faq` is what the FAQ said, where it was asked first.
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
    strategy: str = ""
    trial: bool = False
    scope: Scope = field(default_factory=Scope)
    style: str = "numbers"
    markdown: bool = False
    suggestions: tuple[str, ...] = ()
    measured: bool = False
    budgets: Mapping[str, float] = field(default_factory=dict)
    faq: FaqHit | None = None

    @property
    def sources(self) -> str:
        """A line for each citation, behind its mark."""
        return "\n".join(citation.told(self.style) for citation in self.citations)

    @property
    def remarks(self) -> str:
        """A line for each note, then for each suggestion."""
        return "\n".join((*self.notes, *(f"- {text}" for text in self.suggestions)))

    def __str__(self) -> str:
        """Prose with [1] [2], then who said it and when; safe to print in a terminal."""
        parts = (self.heading, self.text, self.sources, self.remarks)
        return "\n\n".join(printable(part) for part in parts if part)


@dataclass(frozen=True, slots=True)
class Heading:
    """What will be the heading of an answer whose text is still being written."""

    text: str


@dataclass(frozen=True, slots=True)
class Nearest:
    """The quotes that would answer without a language model, to look at while one writes. Their numbers are
    their own, and not those of the text that follows."""

    citations: tuple[Citation, ...]


Event = Plan | Evidence | Nearest | Step | Citation | Heading | str | Answer
"""What `Archive.stream` gives, in this order: the Plan where there is one; the Evidence, whose trace says
what every stage did; the Nearest quotes, where a language model is to write; where much is read part by part,
a Step for every part that was; then, where it has one, the Heading, before any text; the text piece by piece,
each piece checked before it is given, and each Citation before the first piece that cites it;
the whole Answer last, always."""


# ---------------------------------------------------------------- FAQ and feedback


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


@dataclass(frozen=True, slots=True)
class Quoted:
    """What an answer cited: verbatim words of a recording, by its id; seconds, None where it has none."""

    recording: str
    quote: str
    start: float | None = None
    end: float | None = None


@dataclass(frozen=True, slots=True)
class Feedback:
    """One person's judgement of one answer, with what it was an answer to and stood on.

    `good` is the thumb; `note` is free text. `scope` is what the question was put to before filters were
    read from it; of `history` the questions are kept. `strategy` was asked for, or chosen by chance where
    `trial` says so; `models` are those that found and wrote it, by their part. `made` is an ISO time in UTC.
    """

    id: str
    good: bool
    question: str
    made: str = ""
    note: str = ""
    history: tuple[Exchange, ...] = ()
    scope: Scope = field(default_factory=Scope)
    strategy: str = ""
    trial: bool = False
    verdict: str = ""
    text: str = ""
    evidence: tuple[Quoted, ...] = ()
    models: Mapping[str, str] = field(default_factory=dict)
