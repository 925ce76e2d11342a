"""Raises passages that hang together with all that a question names, by the graph, where passages stand
alone.

"Where was the founder of Halden Cycles born" names one thing, and is answered by a passage about another. A
walker who begins at what the question names and at the passages that were found first, and goes from passages
to what they mention and on to other passages that mention it, comes by both again and again (see
`onrecord.graph.walk`):

    score(i) += weight * sqrt( PageRank(i) / max PageRank )

Only entities that few passages mention lead anywhere. Talk is left as it is: what hangs together there stands
together, and scores flow along it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from onrecord.graph.walk import names_asked, page_rank, rarity
from onrecord.retrieve.candidates.fuse import minmax
from onrecord.retrieve.curve.curves import CurveStage, with_score
from onrecord.retrieve.curve.entries import stands_alone
from onrecord.retrieve.stage import Tools
from onrecord.stores.graph.base import GraphReader
from onrecord.stores.ranking import top
from onrecord.types import Curve, Evidence, NameAt

if TYPE_CHECKING:
    from onrecord.types import Scores

_STEEP = 3
"""Power of the scores with which a walk begins: at the best passages rather than at all that look alike."""
_STEPS = 2
_ASKED = 3.0
"""How much nearer a passage is that has what the question names than one that shares something with
another."""

Place = tuple[str, int]


@dataclass(frozen=True)
class Graph(CurveStage):
    """Adds `weight` * the square root of personalized PageRank, stretched to 0..1, to the curve.

    Runs only where no recording in scope has two passages. The walker begins at the entities of the question
    and at the first `seeds` passages, and goes on with the probability `walk`, over at most `passages`
    passages that are near. It walks by entities that are the title of a passage and that at most `widest`
    passages mention. Sets the part "graph".
    """

    weight: float = 0.3
    seeds: int = 20
    walk: float = 0.7
    widest: int = 60
    passages: int = 550
    ranges: ClassVar = {
        "weight": (0, inf),
        "seeds": (1, 200),
        "walk": (0, 0.99),
        "widest": (1, inf),
        "passages": (1, inf),
    }

    def changed(self, curve: Curve, evidence: Evidence, tools: Tools) -> Curve:
        if not stands_alone(curve):
            return curve
        near = self._near(evidence.question.text, curve, tools.store.graph)
        if not near.any():
            return curve
        score = curve.score + self.weight * np.sqrt(near / near.max()).astype(np.float32)
        return with_score(curve, score, graph=near)

    def _near(self, question: str, curve: Curve, graph: GraphReader) -> Scores:
        """PageRank of every passage of the timeline; 0 where the walker never comes."""
        timeline = curve.timeline
        at_line = {timeline.names[recording]: at for at, recording in enumerate(timeline.recordings)}
        best = top(curve.score, self.seeds)
        first = [(timeline.names[timeline.recordings[at]], int(timeline.positions[at])) for at in best]
        asked = names_asked(question, graph, self.widest)
        names = [n for n in self._around(first, asked, graph) if n.recording in at_line]
        places = {
            place: at
            for at, place in enumerate(dict.fromkeys([*first, *((n.recording, n.position) for n in names)]))
        }
        keys = {key: at for at, key in enumerate(dict.fromkeys(name.entity for name in names))}
        strength = minmax(curve.score[best]) ** _STEEP
        ranks = page_rank(
            [(places[name.recording, name.position], keys[name.entity]) for name in names],
            (len(places), len(keys)),
            (
                {places[place]: float(s) for place, s in zip(first, strength, strict=True)},
                {keys[key]: rarity(count) for key, count in asked.items() if key in keys},
            ),
            self.walk,
        )
        found = np.zeros(len(timeline), np.float32)
        found[[at_line[name] for name, _ in places]] = ranks
        return found

    def _around(self, first: Sequence[Place], asked: Mapping[str, int], graph: GraphReader) -> list[NameAt]:
        """The names in the passages of a walk: the first ones, and those that are one step and two steps from
        them or from what the question names; where there are too many, those that share the rarest names."""
        places, keys = list(first), set(asked)
        titles: set[str] = set()
        for _ in range(_STEPS):
            keys |= {name.entity for name in graph.names_in(places, self.widest)}
            names = graph.names_of(keys, self.widest)
            titles = {name.entity for name in names if name.titled}
            gain: defaultdict[Place, float] = defaultdict(float)
            for name in names:
                if name.entity in titles:
                    weight = _ASKED if name.entity in asked else 1.0
                    gain[name.recording, name.position] += weight / name.passages
            near = sorted(gain, key=lambda place: (-gain[place], place))
            places = list(dict.fromkeys([*places, *near]))[: self.passages]
        return [name for name in graph.names_in(places, self.widest) if name.entity in titles]

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        if after.curve is None or "graph" not in after.curve.parts:
            return ""
        asked = names_asked(after.question.text, tools.store.graph, self.widest)
        reached = int((after.curve.parts["graph"] > 0).sum())
        return f"walked over {reached} passages from {', '.join(asked) or 'what was found first'}"
