"""From a question to ranked moments: stages, and how they are put together."""

from onrecord.retrieve.cap import Cap
from onrecord.retrieve.context import Budget
from onrecord.retrieve.distinct import Distinct
from onrecord.retrieve.diverse import Diverse
from onrecord.retrieve.feedback import Feedback
from onrecord.retrieve.fuse import Fuse
from onrecord.retrieve.keyword import Keyword
from onrecord.retrieve.moments import Moments
from onrecord.retrieve.search import Search
from onrecord.retrieve.semantic import Semantic
from onrecord.retrieve.smooth import Smooth
from onrecord.retrieve.stage import Sequence, Stage, Tools
from onrecord.retrieve.threshold import Threshold

__all__ = [
    "Budget",
    "Cap",
    "Distinct",
    "Diverse",
    "Feedback",
    "Fuse",
    "Keyword",
    "Moments",
    "Search",
    "Semantic",
    "Sequence",
    "Smooth",
    "Stage",
    "Threshold",
    "Tools",
]
