"""The values that flow through onrecord. All are frozen; none knows where it is stored.

Ingest:  ``Transcript -> Turn -> Passage`` (and ``Section``).
Asking:  ``Question -> Evidence(question, plan, moments, curve, grade, trace) -> Answer``.

Seconds are floats counted from the start of the recording, or None where the source has no times.
Dates are ISO 8601 strings of day, month or year precision ("2024-03-05", "2024-03", "2024").
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from onrecord.types.answers import (
    Answer,
    Call,
    Citation,
    Curve,
    Event,
    Evidence,
    FaqEntry,
    FaqHit,
    Feedback,
    Heading,
    Judgement,
    Moment,
    Nearest,
    PassageTimeline,
    Quoted,
    Step,
    mark,
)
from onrecord.types.graph import Alias, Entity, GraphSource, Knowledge, Mention, NameAt, Relation
from onrecord.types.questions import (
    FILTER_FIELDS,
    INTENTS,
    STYLES,
    Exchange,
    Fact,
    Filter,
    Form,
    Plan,
    Question,
    QuestionHints,
    Scope,
)
from onrecord.types.recordings import Details, Marks, Passage, Recording, Section, Transcript, Turn, Voices
from onrecord.types.text import clock, collapsed, one_line, printable, to_millisecond

if TYPE_CHECKING:
    from onrecord.types.arrays import Counts as Counts
    from onrecord.types.arrays import Rows as Rows
    from onrecord.types.arrays import Scores as Scores
    from onrecord.types.arrays import Vector as Vector
    from onrecord.types.arrays import Vectors as Vectors

__all__ = [
    "FILTER_FIELDS",
    "INTENTS",
    "STYLES",
    "Alias",
    "Answer",
    "Call",
    "Citation",
    "Curve",
    "Details",
    "Entity",
    "Event",
    "Evidence",
    "Exchange",
    "Fact",
    "FaqEntry",
    "FaqHit",
    "Feedback",
    "Filter",
    "Form",
    "GraphSource",
    "Heading",
    "Judgement",
    "Knowledge",
    "Marks",
    "Mention",
    "Moment",
    "NameAt",
    "Nearest",
    "Passage",
    "PassageTimeline",
    "Plan",
    "Question",
    "QuestionHints",
    "Quoted",
    "Recording",
    "Relation",
    "Scope",
    "Section",
    "Step",
    "Transcript",
    "Turn",
    "Voices",
    "clock",
    "collapsed",
    "mark",
    "one_line",
    "printable",
    "to_millisecond",
]
