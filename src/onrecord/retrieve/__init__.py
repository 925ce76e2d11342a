"""From a question to ranked moments: stages, and how they are put together."""

from onrecord.retrieve.acts import Acts
from onrecord.retrieve.balance import Balance
from onrecord.retrieve.cap import Cap
from onrecord.retrieve.context import Budget
from onrecord.retrieve.correct import Correct
from onrecord.retrieve.distinct import Distinct
from onrecord.retrieve.diverse import Diverse
from onrecord.retrieve.expand import Expand
from onrecord.retrieve.feedback import Feedback
from onrecord.retrieve.focus import Focus
from onrecord.retrieve.full import Full
from onrecord.retrieve.fuse import Fuse
from onrecord.retrieve.gaps import FillGaps
from onrecord.retrieve.grade import Grade
from onrecord.retrieve.grouped import Grouped
from onrecord.retrieve.hop import Hop
from onrecord.retrieve.important import Important
from onrecord.retrieve.iterate import Iterate
from onrecord.retrieve.keyword import Keyword
from onrecord.retrieve.likely import Likely
from onrecord.retrieve.limits import Limits
from onrecord.retrieve.moments import Moments
from onrecord.retrieve.nearby import Nearby
from onrecord.retrieve.neighbours import Neighbours
from onrecord.retrieve.order import ReadingOrder
from onrecord.retrieve.overall import Overall
from onrecord.retrieve.overview import Overview
from onrecord.retrieve.passages import Passages
from onrecord.retrieve.prefer import Prefer
from onrecord.retrieve.read import Read
from onrecord.retrieve.region import Region
from onrecord.retrieve.relevant import DropIrrelevant
from onrecord.retrieve.rerank import Rerank
from onrecord.retrieve.route import Route, Way
from onrecord.retrieve.search import Search
from onrecord.retrieve.sections import Sections
from onrecord.retrieve.semantic import Semantic
from onrecord.retrieve.sides import Sides
from onrecord.retrieve.smooth import Smooth
from onrecord.retrieve.stage import Sequence, Stage, Tools
from onrecord.retrieve.steady import Steady
from onrecord.retrieve.threshold import Threshold
from onrecord.retrieve.weigh import Weigh
from onrecord.retrieve.within import Within

__all__ = [
    "Acts",
    "Balance",
    "Budget",
    "Cap",
    "Correct",
    "Distinct",
    "Diverse",
    "DropIrrelevant",
    "Expand",
    "Feedback",
    "FillGaps",
    "Focus",
    "Full",
    "Fuse",
    "Grade",
    "Grouped",
    "Hop",
    "Important",
    "Iterate",
    "Keyword",
    "Likely",
    "Limits",
    "Moments",
    "Nearby",
    "Neighbours",
    "Overall",
    "Overview",
    "Passages",
    "Prefer",
    "Read",
    "ReadingOrder",
    "Region",
    "Rerank",
    "Route",
    "Search",
    "Sections",
    "Semantic",
    "Sequence",
    "Sides",
    "Smooth",
    "Stage",
    "Steady",
    "Threshold",
    "Tools",
    "Way",
    "Weigh",
    "Within",
]
