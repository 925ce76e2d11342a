"""The values that flow through onrecord. All are frozen, and none depends on where it is stored.

Ingest:  ``Transcript -> Turn -> Passage`` (and ``Section``).
Asking:  ``Question -> Evidence(question, plan, moments, curve, grade, trace) -> Answer``.

Seconds are floats counted from the start of the recording, or None if the source has no times. Dates are ISO
8601 strings with a precision of day, month or year ("2024-03-05", "2024-03", "2024").
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from onrecord.types.answers import REFUSALS as REFUSALS
from onrecord.types.answers import VERDICTS as VERDICTS
from onrecord.types.answers import Answer as Answer
from onrecord.types.answers import Call as Call
from onrecord.types.answers import Citation as Citation
from onrecord.types.answers import Curve as Curve
from onrecord.types.answers import Event as Event
from onrecord.types.answers import Evidence as Evidence
from onrecord.types.answers import FaqEntry as FaqEntry
from onrecord.types.answers import FaqHit as FaqHit
from onrecord.types.answers import Feedback as Feedback
from onrecord.types.answers import Heading as Heading
from onrecord.types.answers import Judgement as Judgement
from onrecord.types.answers import Moment as Moment
from onrecord.types.answers import Nearest as Nearest
from onrecord.types.answers import PassageTimeline as PassageTimeline
from onrecord.types.answers import Quoted as Quoted
from onrecord.types.answers import Step as Step
from onrecord.types.answers import mark as mark
from onrecord.types.graph import Alias as Alias
from onrecord.types.graph import Entity as Entity
from onrecord.types.graph import GraphSource as GraphSource
from onrecord.types.graph import Knowledge as Knowledge
from onrecord.types.graph import Mention as Mention
from onrecord.types.graph import NameAt as NameAt
from onrecord.types.graph import Raised as Raised
from onrecord.types.graph import RaisingEdge as RaisingEdge
from onrecord.types.graph import Relation as Relation
from onrecord.types.questions import FILTER_FIELDS as FILTER_FIELDS
from onrecord.types.questions import INTENTS as INTENTS
from onrecord.types.questions import STYLES as STYLES
from onrecord.types.questions import Exchange as Exchange
from onrecord.types.questions import Fact as Fact
from onrecord.types.questions import Filter as Filter
from onrecord.types.questions import Form as Form
from onrecord.types.questions import Plan as Plan
from onrecord.types.questions import Question as Question
from onrecord.types.questions import QuestionHints as QuestionHints
from onrecord.types.questions import Scope as Scope
from onrecord.types.recordings import Details as Details
from onrecord.types.recordings import Marks as Marks
from onrecord.types.recordings import Passage as Passage
from onrecord.types.recordings import Recording as Recording
from onrecord.types.recordings import Section as Section
from onrecord.types.recordings import Transcript as Transcript
from onrecord.types.recordings import Turn as Turn
from onrecord.types.recordings import Voices as Voices
from onrecord.types.text import clock as clock
from onrecord.types.text import collapsed as collapsed
from onrecord.types.text import one_line as one_line
from onrecord.types.text import primary_language as primary_language
from onrecord.types.text import printable as printable
from onrecord.types.text import several as several
from onrecord.types.text import to_millisecond as to_millisecond
from onrecord.types.text import without_accents as without_accents

if TYPE_CHECKING:
    from onrecord.types.arrays import Counts as Counts
    from onrecord.types.arrays import Rows as Rows
    from onrecord.types.arrays import Scores as Scores
    from onrecord.types.arrays import Vector as Vector
    from onrecord.types.arrays import Vectors as Vectors
