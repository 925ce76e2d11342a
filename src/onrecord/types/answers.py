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
    """Words of a recording that an answer stands on.

    `number` is the mark in the text: [1]. `quote` stands verbatim in `passages`, which is checked before it
    is shown. `link` opens at `start` where the recording has one. `confidence` is in 0..1, calibrated for the
    embedder. `section` is the path of the section that it begins in: "Questions and answers > Freight costs";
    `role` is the speaker's in the recording, if known: "host", "CFO". `before` and `after` are the words
    around the quote, where a `Form` asks for them.
    """

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
        has_role = role.casefold() in named.casefold()  # "Brendan Kelly (guest)"
        parts = (named, "" if has_role else role, self.recording.title, self.times)
        return ", ".join(one_line(part) for part in parts if part)

    def source_line(self, style: str = "numbers") -> str:
        """The source in a line, behind the citation's mark in one of `STYLES`."""
        link = f"  {printable(self.link)}" if self.link else ""
        return f"{mark(self.number, style)} {self.source}{link}"

    def __str__(self) -> str:
        return self.source_line()


def mark(number: int, style: str = "numbers") -> str:
    """The mark of a citation: ``[1]``, or ``[Source 1]``."""
    return f"[Source {number}]" if style == "sources" else f"[{number}]"


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a language model, and what it cost.

    `role` is the model's ("plan", "answer", "check", ...). `failure` says why its reply was not used, and is
    empty where it was. `money` is in the currency of the settings, 0 where no prices are set.
    """

    role: str
    model: str
    seconds: float
    prompt_tokens: int = 0
    completion_tokens: int = 0
    money: float = 0.0
    failure: str = ""


@dataclass(frozen=True, slots=True)
class FaqHit:
    """The FAQ's reply to a question: the `stage` that decided, and its best entry with a `score` in 0..1.

    `entry` and `question` are the entry's id and question; `answered` says whether its answer was given.
    """

    stage: str
    score: float
    entry: str | None = None
    question: str | None = None
    answered: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer that can be checked.

    `verdict` is one of "answered", "low_relevance" (the nearest is shown), "low_diversity" (all evidence says
    the same), "nothing_found" (or an empty scope or archive). `heading` says in one line how sure the answer
    is, and is empty where the text begins with facts of the catalogue. `notes` are for the user (answered
    from words alone, ...). `unsupported` are sentences that the evidence does not support. `calls` are those
    of language models, in order. `seconds` are the times of the parts of the work ("plan", "embed", "search",
    "rerank", "first_text", "total"), `budgets` what they should take at most. `measured` says whether
    `confidence` was measured on held-out recordings: for quotes that the trained reader chose for one
    question, never for prose. `sections` are the paths of the moments' sections ("Questions and answers >
    Freight costs"), in their order. `strategy` is the name of the strategy, which chance chose where it is on
    `trial`. `scope` is the question's, before filters were read from it. `style` is how citations are marked
    (see `mark`); `markdown` says whether the text may have headings and bold words. `suggestions` are
    questions to ask instead, where nothing answers this one. `faq` is the FAQ's reply, where it was asked
    first.
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
        return "\n".join(citation.source_line(self.style) for citation in self.citations)

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
    """The heading of an answer whose text is still being written."""

    text: str


@dataclass(frozen=True, slots=True)
class Nearest:
    """The quotes that would answer without a language model, shown while one writes.

    Their numbers are their own, not those of the text that follows.
    """

    citations: tuple[Citation, ...]


Event = Plan | Evidence | Nearest | Step | Citation | Heading | str | Answer
"""What `Archive.stream` yields, in this order: the Plan, if there is one; the Evidence, whose trace says what
every stage did; the Nearest quotes, if a language model writes; a Step for every part of a long recording
that was read; the Heading, if there is one; the text piece by piece, each piece checked first, and each
Citation before the first piece that cites it; always last, the whole Answer."""


# ---------------------------------------------------------------- FAQ and feedback


@dataclass(frozen=True, slots=True)
class FaqEntry:
    """A question with its answer, and other wordings of it.

    `status` is "draft" (does not answer yet), "live" (answers questions) or "retired" (answers no more).
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
        """All wordings: the question itself, then the variants."""
        return (self.question, *self.variants)


@dataclass(frozen=True, slots=True)
class Quoted:
    """A citation of an answer: verbatim words of a recording, by its id, with its seconds if it has times."""

    recording: str
    quote: str
    start: float | None = None
    end: float | None = None


@dataclass(frozen=True, slots=True)
class Feedback:
    """One person's judgement of one answer, with its question and its evidence.

    `good` is the thumb; `note` is free text. `scope` is the question's, before filters were read from it;
    `history` has the questions only. `strategy` is the answer's, which chance chose where it is on `trial`;
    `models` are the names of those that retrieved and wrote it, by their part. `made` is an ISO time in UTC.
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
