"""From a question to ranked moments: stages, and how they are put together."""

from onrecord.retrieve.fuse import Fuse
from onrecord.retrieve.keyword import Keyword
from onrecord.retrieve.moments import Moments
from onrecord.retrieve.search import Search
from onrecord.retrieve.semantic import Semantic
from onrecord.retrieve.smooth import Smooth
from onrecord.retrieve.stage import Sequence, Stage, Tools
from onrecord.retrieve.threshold import Threshold

__all__ = [
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
