"""Evidence for a question, the answers and citations based on it, and people's feedback on answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from onrecord.types.graph import GraphSource, Raised
from onrecord.types.questions import Exchange, Plan, Question, Scope
from onrecord.types.recordings import Passage, Recording
from onrecord.types.text import clock, one_line, printable

if TYPE_CHECKING:
    from onrecord.types.arrays import Counts, Rows, Scores

# ---------------------------------------------------------------- evidence


@dataclass(frozen=True, eq=False)
class PassageTimeline:
    """All passages of a scope, laid end to end in the order of speech. Equal only to itself.

    The arrays have one length n and are ordered by recording, then position: `rows` (the store's row
    numbers), `recordings` (index into `names`), `positions`, `words` (counts). Neighbors on the timeline
    follow one another in speech only if they have the same recording and consecutive positions.
    """

    rows: Rows
    recordings: Counts
    positions: Counts
    words: Counts
    names: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def firsts(self) -> Mapping[str, int]:
        """The index of the first passage of each recording, by the recording's id."""
        firsts = self.recordings.searchsorted(range(len(self.names)))
        return dict(zip(self.names, firsts.tolist(), strict=True))


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Curve:
    """Relevance along a PassageTimeline, equal only to itself.

    Moments are cut from `score`. `parts` are the signals that make up the score ("dense": cosine, "lexical":
    BM25, ...), each of the timeline's length.
    """

    timeline: PassageTimeline
    score: Scores
    parts: Mapping[str, Scores] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Moment:
    """A stretch of speech: passages of one recording that follow one another, in the order of speech.

    A single passage is a moment of length one. `score` ranks the moments of one evidence. `scores` has the
    score from each stage ("dense": best cosine, "lexical": best BM25, ...). `peak` is the index, in
    `passages`, of the passage that fits best.
    """

    passages: tuple[Passage, ...]
    score: float
    scores: Mapping[str, float] = field(default_factory=dict)
    peak: int = 0

    @property
    def recording(self) -> str:
        """The id of the recording that contains the moment."""
        return self.passages[0].recording

    @property
    def start(self) -> float | None:
        """The second at which the first passage begins; None if the recording has no times."""
        return self.passages[0].start

    @property
    def end(self) -> float | None:
        """The second at which the last passage ends; None if the recording has no times."""
        return self.passages[-1].end

    @property
    def text(self) -> str:
        """The text of the passages, without their speakers."""
        return " ".join(p.text for p in self.passages)

    @property
    def words(self) -> int:
        """The number of words."""
        return sum(len(p.text.split()) for p in self.passages)


@dataclass(frozen=True, slots=True)
class Step:
    """The record of one stage: the numbers of moments (or passages on the curve) in and out, and the time.

    `stage` is the stage with its settings: "Moments(words=1000)". `note` adds details. `cut` is true if time
    ran out, or something failed, before the stage was done: the same question may get more results another
    time. `raised` are the passages that the graph raised in this stage, for a question that asks for an
    explanation (`Ask.explain`).
    """

    stage: str
    taken: int
    given: int
    seconds: float
    note: str = ""
    cut: bool = False
    raised: tuple[Raised, ...] = ()

    @property
    def name(self) -> str:
        """The name of the stage, without its settings."""
        return self.stage.partition("(")[0]

    def __str__(self) -> str:
        note = f"  {self.note}" if self.note else ""
        return f"{self.stage}: {self.taken} -> {self.given} in {self.seconds * 1000:.1f} ms{note}"

    @property
    def lines(self) -> tuple[str, ...]:
        """The record as text: a line for the stage, then for each raised passage and its edges."""
        lines = [str(self)]
        for each in self.raised:
            lines += (f"  {one_line(str(each))}", *(f"    {one_line(str(edge))}" for edge in each.edges))
        return tuple(lines)


@dataclass(frozen=True, slots=True)
class Judgement:
    """How good the evidence is.

    `quality` is in 0..1. So are the `relevance` of each moment, in the order in which the moments were
    judged, and the `coverage` of each entity of the question. `gaps` are entities and aspects without
    evidence. `cause` is "" if there is nothing to correct, else "nothing found", "entity not found", "low
    relevance", "relation missing" or "aspect missing".
    """

    quality: float
    relevance: tuple[float, ...] = ()
    coverage: Mapping[str, float] = field(default_factory=dict)
    gaps: tuple[str, ...] = ()
    cause: str = ""

    @property
    def retry(self) -> bool:
        """Whether another search could help."""
        return bool(self.cause)

    def __str__(self) -> str:
        missing = f", nothing about {' or '.join(self.gaps)}" if self.gaps else ""
        return f"quality {self.quality:.2f}" + (f": {self.cause}{missing}" if self.cause else "")


@dataclass(frozen=True, slots=True)
class Evidence:
    """The moments retrieved for a question, and how they were retrieved.

    `moments` are ranked, best first. `curve` is set once every passage in scope has been scored. `trace` has
    one Step for each stage that ran. `plan` is set if the question was planned, `grade` if a stage judged the
    evidence. If the text asks several questions, `parts` are the evidence for each of them, with its plan;
    `moments` then combines the moments of all parts, beginning with the best moment of each.
    """

    question: Question
    moments: tuple[Moment, ...] = ()
    curve: Curve | None = None
    trace: tuple[Step, ...] = ()
    plan: Plan | None = None
    grade: Judgement | None = None
    parts: tuple[Evidence, ...] = ()

    def with_moments(self, moments: tuple[Moment, ...]) -> Evidence:
        """Return the same evidence with other moments, best first."""
        return replace(self, moments=moments)


# ---------------------------------------------------------------- answers


@dataclass(frozen=True, slots=True)
class Citation:
    """Words of a recording that support an answer.

    `number` is the number of the mark in the text: [1]. `quote` stands verbatim in `passages`, which is
    checked before it is shown. `link` opens at `start` if the recording has a link. `confidence` is in 0..1,
    calibrated for the embedder. `section` is the path of the section in which the quote begins: "Questions
    and answers > Freight costs". `role` is the speaker's role in the recording, if known: "host", "CFO".
    `before` and `after` are the words around the quote, if a `Form` asks for them. `graph` describes the fact
    of the graph that these words show, if the answer states it.
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
    graph: GraphSource | None = None

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
        """The speaker, the recording and the time: ``Brendan Kelly, guest, Night Desk 12, 12:31-12:58``.

        Without a time, the title of the section says where the quote is.
        """
        named, role = self.speaker or "", self.role or ""
        has_role = role.casefold() in named.casefold()  # "Brendan Kelly (guest)"
        section = (self.section or "").rpartition(" > ")[2]
        where = self.times or (f"“{section}”" if section else "")
        parts = (named, "" if has_role else role, self.recording.title, where)
        return ", ".join(one_line(part) for part in parts if part)

    def source_line(self, style: str = "numbers") -> str:
        """Return the source on one line, after the citation's mark in one of `STYLES`."""
        link = f"  {printable(self.link)}" if self.link else ""
        return f"{mark(self.number, style)} {self.source}{link}"

    def __str__(self) -> str:
        return self.source_line()


def mark(number: int, style: str = "numbers") -> str:
    """Return the mark of a citation: ``[1]``, or ``[Source 1]``."""
    return f"[Source {number}]" if style == "sources" else f"[{number}]"


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a language model, and its cost.

    `role` is the model's role ("plan", "answer", "check", ...). `failure` is the reason why the reply was not
    used, or empty. `money` is in the currency of the settings, 0 if no prices are set.
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
    """The FAQ's reply to a question: the `stage` that decided, and the best entry with a `score` in 0..1.

    `entry` and `question` are the entry's id and question. `answered` says whether the entry's answer was
    returned; if not, `options` are questions that the FAQ can answer.
    """

    stage: str
    score: float
    entry: str | None = None
    question: str | None = None
    answered: bool = False
    options: tuple[str, ...] = ()


VERDICTS = ("answered", "low_diversity", "low_relevance", "nothing_found")
"""The verdicts of answers, best first."""
REFUSALS = ("low_relevance", "nothing_found")
"""The verdicts of answers that do not answer the question."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer that can be checked.

    `verdict` is one of `VERDICTS`: "answered", "low_diversity" (all evidence says the same), "low_relevance"
    (the nearest quotes are shown), "nothing_found" (or an empty scope or archive). `heading` describes in one
    line how certain the answer is, and is empty if the text begins with facts of the catalog. `notes` are for
    the user (answered from words alone, ...). `unsupported` are sentences that the evidence does not support;
    `marked` counts those of them that the text shows with a mark. `calls` are the calls of language models,
    in order. `seconds` are the times of the parts of the work ("plan", "embed", "search", "rerank",
    "first_text", "total"), `budgets` their upper limits.

    `measured` says whether `confidence` was measured on held-out recordings. It is true only for quotes that
    the trained reader chose for a single question whose words all occur in the recordings, never for prose.
    `sections` are the paths of the moments' sections ("Questions and answers > Freight costs"), in the same
    order. `strategy` is the name of the strategy; `trial` says that it was chosen at random. `scope` is the
    question's scope, before filters were read from the question. `style` is the style of citation marks (see
    `mark`); `markdown` says whether the text may have headings and bold words. `suggestions` are questions to
    ask instead, if nothing answers this one. `faq` is the FAQ's reply, if the FAQ was asked first.
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
    marked: int = 0

    @property
    def refuses(self) -> bool:
        """Whether this does not answer the question, but shows the nearest quotes at most."""
        return self.verdict in REFUSALS

    @property
    def exchange(self) -> Exchange:
        """The question and its answer as the history of the next question."""
        plan = self.evidence.plan
        known = [name for fact in (plan.facts if plan else ()) for name in fact.recordings]
        cited = [citation.recording.id for citation in self.citations]
        return Exchange(self.question, self.text, tuple(dict.fromkeys((*cited, *known))))

    @property
    def sources(self) -> str:
        """One line for each citation, after its mark."""
        return "\n".join(citation.source_line(self.style) for citation in self.citations)

    @property
    def remarks(self) -> str:
        """One line for each note, then for each suggestion."""
        return "\n".join((*self.notes, *(f"- {text}" for text in self.suggestions)))

    def __str__(self) -> str:
        """Prose with [1] [2], then the speakers and times; safe to print in a terminal."""
        parts = (self.heading, self.text, self.sources, self.remarks)
        return "\n\n".join(printable(part) for part in parts if part)


@dataclass(frozen=True, slots=True)
class Heading:
    """The heading of an answer whose text is still being written."""

    text: str


@dataclass(frozen=True, slots=True)
class Nearest:
    """The quotes that would be the answer without a language model, shown while a model writes.

    They are numbered independently of the text that follows.
    """

    citations: tuple[Citation, ...]


Event = Plan | Evidence | Nearest | Step | Citation | Heading | str | Answer
"""The values that `Archive.stream` yields, in this order: the Plan, if there is one; the Evidence, whose
trace records every stage; the Nearest quotes, if a language model writes; a Step for every part of a long
recording that was read; the Heading, if there is one; the text piece by piece, each piece checked first, and
each Citation before the first piece that cites it; always last, the complete Answer."""


# ---------------------------------------------------------------- FAQ and feedback


@dataclass(frozen=True, slots=True)
class FaqEntry:
    """A question with its answer, and other wordings of the question.

    `status` is "draft" (not used for answers yet), "live" (answers questions) or "retired" (no longer
    answers).
    """

    id: str
    question: str
    answer: str
    variants: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    link: str | None = None
    status: str = "draft"

    @property
    def wordings(self) -> tuple[str, ...]:
        """All wordings: the question itself, then the variants."""
        return (self.question, *self.variants)


@dataclass(frozen=True, slots=True)
class Quoted:
    """A citation in feedback: the recording's id, verbatim words, and seconds if the recording has times."""

    recording: str
    quote: str
    start: float | None = None
    end: float | None = None


@dataclass(frozen=True, slots=True)
class Feedback:
    """One person's rating of one answer, with its question and its evidence.

    `good` is the thumb; `note` is free text. `scope` is the question's scope, before filters were read from
    the question; `history` has the questions only. `strategy` is the answer's strategy; `trial` says that it
    was chosen at random. `models` are the names of the models that retrieved and wrote the answer, by their
    part. `made` is an ISO time in UTC.
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
