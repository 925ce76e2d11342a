"""The retrieval stages, which turn a question into ranked moments."""

from onrecord.retrieve.candidates.acts import Acts
from onrecord.retrieve.candidates.fuse import Fuse, Weigh
from onrecord.retrieve.candidates.search import Keyword, Passages, Search, Semantic, Sparse
from onrecord.retrieve.candidates.sections import DropIrrelevant, Sections
from onrecord.retrieve.candidates.whole import Full, Overall, Overview
from onrecord.retrieve.curve.entries import Entries, FollowOn, Graph
from onrecord.retrieve.curve.prefer import Prefer
from onrecord.retrieve.curve.recordings import Focus, RecordingPrior, Within
from onrecord.retrieve.curve.smooth import Nearby, NeighbourMean, Smooth, WideNeighbourMean
from onrecord.retrieve.diversity.diverse import Balance, Cap, Distinct, Diverse
from onrecord.retrieve.loops.correct import Correct, Iterate
from onrecord.retrieve.loops.expand import Expand
from onrecord.retrieve.loops.grade import Grade
from onrecord.retrieve.loops.sides import Sides
from onrecord.retrieve.moments.budget import Budget, Important, Limits, Threshold
from onrecord.retrieve.moments.moments import Moments
from onrecord.retrieve.moments.order import FillGaps, Grouped, Neighbours, ReadingOrder
from onrecord.retrieve.read import Read
from onrecord.retrieve.rerank import Rerank
from onrecord.retrieve.route import Branch, Route
from onrecord.retrieve.stage import Sequence, Stage, Tools

__all__ = [
    "Acts",
    "Balance",
    "Branch",
    "Budget",
    "Cap",
    "Correct",
    "Distinct",
    "Diverse",
    "DropIrrelevant",
    "Entries",
    "Expand",
    "FillGaps",
    "Focus",
    "FollowOn",
    "Full",
    "Fuse",
    "Grade",
    "Graph",
    "Grouped",
    "Important",
    "Iterate",
    "Keyword",
    "Limits",
    "Moments",
    "Nearby",
    "NeighbourMean",
    "Neighbours",
    "Overall",
    "Overview",
    "Passages",
    "Prefer",
    "Read",
    "ReadingOrder",
    "RecordingPrior",
    "Rerank",
    "Route",
    "Search",
    "Sections",
    "Semantic",
    "Sequence",
    "Sides",
    "Smooth",
    "Sparse",
    "Stage",
    "Threshold",
    "Tools",
    "Weigh",
    "WideNeighbourMean",
    "Within",
]
