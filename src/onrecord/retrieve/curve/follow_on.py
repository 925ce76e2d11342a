"""Goes on from what was found to what it leads to, where passages stand alone.

"Where was the founder of Halden Cycles born" is answered by two passages that do not know one another: the
first names the founder, the second is about her and shares no word with the question. So each of the best
passages is asked onward: what it does not say of the question, with the names it brings in,

    onward(p) = the question's words that p does not say + the first names of p that the question has not
    near(p, i) = stretched(cosine(onward(p), i))^2 * (1 + shared * the rarest name that p and i share)
    score(i) += weight * max over p of  (score(p) / max score)^2 * near(p, i)

(asking again with what was read is iterative retrieval, as in Xiong et al., Answering complex open-domain
questions with multi-hop dense retrieval, 2021, here without a trained model.) That two passages name the same
is an edge of the graph: the fewer others name it, the more it tells, and it tells more where it is the title
of one. Talk is left as it is: there what leads on follows in time, and scores flow to it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf, log
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from onrecord.ingest.passages import texts_of
from onrecord.retrieve.candidates.fuse import minmax
from onrecord.retrieve.stage import Stage, Tools
from onrecord.stores.graph.base import GraphReader
from onrecord.stores.ranking import top
from onrecord.stores.words import STOP, terms
from onrecord.types import Curve, Evidence, NameAt

if TYPE_CHECKING:
    from onrecord.models.base import Embedder
    from onrecord.types import Rows, Scores


_NAME = re.compile(r"\b[A-ZÀ-ÖØ-Þ][\w'’-]+(?: [A-ZÀ-ÖØ-Þ][\w'’-]+)*")
_TITLED = 1.5
"""How much more it tells that a passage is about a name than that it has it."""
_TOLD = 3
"""Passages of which a trace says what raised them, among the first so many."""
_FIRST = 5


@dataclass(frozen=True)
class FollowOn(Stage):
    """Asks onward from the best `passages` of the curve, with at most `names` names of each.

    Runs only where no recording in scope has two passages, and with an embedder: one embedding for each of
    the `passages`. Names that more than `widest` passages have are not counted as shared. Sets the part
    "onward". docs/evaluation.md has what it brings on questions that need two paragraphs or more.
    """

    passages: int = 8
    weight: float = 0.4
    names: int = 6
    shared: float = 1.0
    widest: int = 60
    ranges: ClassVar = {
        "passages": (1, 20),
        "weight": (0, inf),
        "names": (0, 50),
        "shared": (0, inf),
        "widest": (1, inf),
    }

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        curve = evidence.curve
        if curve is None or tools.embedder is None or not alone(curve):
            return evidence
        found = self._onward(evidence.question.text, curve, tools, tools.embedder)
        score = curve.score + self.weight * found
        return replace(evidence, curve=replace(curve, score=score, parts={**curve.parts, "onward": found}))

    def _onward(self, question: str, curve: Curve, tools: Tools, embedder: Embedder) -> Scores:
        """How near each passage is to what the best ones lead to."""
        best = top(curve.score, self.passages)
        found = np.zeros(len(curve.timeline), np.float32)
        shared = self._shared(curve, best, tools.store.graph) if self.shared else {}
        for at, passage in zip(best, tools.store.passages(curve.timeline.rows[best]), strict=True):
            (text,) = texts_of(_title(passage.recording, tools), [passage])
            query = embedder.embed_query(onward(question, text, self.names))
            near = minmax(tools.store.dense(query, curve.timeline)) ** 2
            for other, strength in shared.get(int(at), {}).items():
                near[other] *= 1 + self.shared * strength
            near[at] = 0  # no passage leads to itself
            found = np.maximum(found, near * (curve.score[at] / curve.score[best[0]]) ** 2)
        return found

    def _shared(self, curve: Curve, best: Rows, graph: GraphReader) -> dict[int, dict[int, float]]:
        """For each of the best passages those that share a name with it, and how much the rarest tells: 1 for
        one that no others have."""
        timeline = curve.timeline
        at_line = {timeline.names[recording]: at for at, recording in enumerate(timeline.recordings)}
        named = graph.names_in([_place(curve, at) for at in best], self.widest)
        elsewhere: defaultdict[str, list[NameAt]] = defaultdict(list)
        for name in graph.names_of({name.entity for name in named}, self.widest):
            elsewhere[name.entity].append(name)
        found: defaultdict[int, dict[int, float]] = defaultdict(dict)
        for name in named:
            tells = max(0.0, log(len(timeline) / name.passages) / log(len(timeline)))
            for other in elsewhere[name.entity]:
                if other.recording in at_line:
                    held, at = found[at_line[name.recording]], at_line[other.recording]
                    held[at] = max(held.get(at, 0.0), tells * (_TITLED if other.titled else 1.0))
        return found

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        if before.curve is None or after.curve is None or "onward" not in after.curve.parts:
            return ""
        raised = [at for at in top(after.curve.score, _FIRST) if at not in top(before.curve.score, _FIRST)]
        told = self._told(raised[:_TOLD], before.curve, tools)
        asked = f"asked onward from {min(self.passages, len(after.curve.timeline))}"
        return "; ".join((asked, *told))

    def _told(self, raised: Sequence[int], curve: Curve, tools: Tools) -> list[str]:
        """By which edges passages came among the first: the name that they share with one that was there."""
        there = [_place(curve, at) for at in top(curve.score, self.passages)]
        places = [_place(curve, at) for at in raised]
        some = tools.store.graph.names_in([*there, *places], self.widest) if raised and self.shared else []
        found = []
        for own, _ in places:
            keys = {name.entity for name in some if name.recording == own}
            beside = [
                name for name in some if name.entity in keys and (name.recording, name.position) in there
            ]
            if beside:
                rarest = min(beside, key=lambda name: name.passages)
                titles = [
                    r.title if (r := tools.store.recording(name)) else name
                    for name in (own, rarest.recording)
                ]
                found.append(f"{titles[0]} raised by {titles[1]} through {rarest.entity!r}")
        return found


def _title(recording: str, tools: Tools) -> str | None:
    known = tools.store.recording(recording)
    return known.details.title if known else None


def _place(curve: Curve, at: int) -> tuple[str, int]:
    """The recording and the position of a passage on a timeline."""
    return curve.timeline.names[curve.timeline.recordings[at]], int(curve.timeline.positions[at])


def onward(question: str, text: str, names: int) -> str:
    """What is left to ask when a text has been read: the question's words that it does not say, and the
    first `names` names in it that the question does not have."""
    asked, said = set(terms(question)), set(terms(text))
    left = [word for word in question.split() if not _content(word) or not _content(word) <= said]
    new = dict.fromkeys(name for name in _NAME.findall(text) if _content(name) - asked)
    return " ".join([*left, *list(new)[:names]])


def _content(text: str) -> set[str]:
    return set(terms(text)) - STOP


def alone(curve: Curve) -> bool:
    """Whether there are several passages, none of which follows another, with vectors and a score."""
    timeline = curve.timeline
    return (
        len(timeline) > 1
        and "dense" in curve.parts
        and bool(np.bincount(timeline.recordings).max() < 2)
        and bool(curve.score.max() > 0)
    )
