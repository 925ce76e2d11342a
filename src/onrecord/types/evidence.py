"""The evidence for a question, and how it was retrieved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from onrecord.types.questions import Plan, Question
from onrecord.types.recordings import Passage

if TYPE_CHECKING:
    from onrecord.types.arrays import Counts, Rows, Scores


@dataclass(frozen=True, slots=True)
class PassageTimeline:
    """All passages of a scope, laid end to end in the order in which they were spoken.

    Arrays of one length n, ordered by recording, then position: `rows` (store's row numbers),
    `recordings` (index into `names`), `positions`, `words` (counts). Neighbours on the timeline are
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
    """Relevance along a PassageTimeline: `score` is what moments are cut from, `parts` are the signals it was
    made of ("dense": cosine, "lexical": BM25, ...), each of the timeline's length."""

    timeline: PassageTimeline
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
        """The id of the recording that it is a part of."""
        return self.passages[0].recording

    @property
    def start(self) -> float | None:
        """The second at which its first passage begins; None where the recording has no times."""
        return self.passages[0].start

    @property
    def end(self) -> float | None:
        """The second at which its last passage ends; None where the recording has no times."""
        return self.passages[-1].end

    @property
    def text(self) -> str:
        """The text of its passages, without their speakers."""
        return " ".join(p.text for p in self.passages)

    @property
    def words(self) -> int:
        """How many words it has."""
        return sum(len(p.text.split()) for p in self.passages)


@dataclass(frozen=True, slots=True)
class Step:
    """What one stage did: how many moments (or passages on the curve) went in and came out, in what time.

    `note` adds what the numbers do not say. `cut` is true where time ran out, or something failed, before the
    stage was done: asked again, it may find more.
    """

    stage: str
    taken: int
    given: int
    seconds: float
    note: str = ""
    cut: bool = False

    def __str__(self) -> str:
        note = f"  {self.note}" if self.note else ""
        return f"{self.stage}: {self.taken} -> {self.given} in {self.seconds * 1000:.1f} ms{note}"


@dataclass(frozen=True, slots=True)
class Judgement:
    """How good the evidence is.

    `quality` is in 0..1, as are the `relevance` of each moment, in the order in which they were judged, and
    the `coverage` of each entity of the question. `gaps` are entities and aspects without evidence. `cause`
    is "" where there is nothing to correct, else "nothing found", "entity not found", "low relevance",
    "relation missing" or "aspect missing".
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
    """What was retrieved for a question, and how.

    `moments` are ranked, best first; `curve` is set once every passage in scope has been scored; `trace` has
    one Step for each stage that ran; `plan` is set where the question was planned, `grade` where a stage
    judged the evidence. `parts` are the evidence for each question of a text that asks several, each with its
    own plan; `moments` then are those of all, the best of each first.
    """

    question: Question
    moments: tuple[Moment, ...] = ()
    curve: Curve | None = None
    trace: tuple[Step, ...] = ()
    plan: Plan | None = None
    grade: Judgement | None = None
    parts: tuple[Evidence, ...] = ()

    def with_moments(self, moments: tuple[Moment, ...]) -> Evidence:
        """The same with other moments, best first."""
        return replace(self, moments=moments)
