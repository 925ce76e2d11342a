"""Raises passages that hang together with all that a question names, by the graph, where passages stand alone.

"Where was the founder of Halden Cycles born" names one thing, and is answered by a passage about another. A walker
who begins at what the question names and at the passages that were found first, and goes from passages to what
they mention and on to other passages that mention it, comes by both again and again (see `onrecord.graph.walk`):

    score(i) += weight * sqrt( PageRank(i) / max PageRank )

Only entities that few passages mention lead anywhere. Talk is left as it is: what hangs together there stands
together, and scores flow along it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf, log
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from onrecord.graph.nouns import words_in
from onrecord.graph.walk import page_rank
from onrecord.retrieve.candidates.fuse import minmax
from onrecord.retrieve.curve.follow_on import alone
from onrecord.retrieve.stage import Stage, Tools
from onrecord.stores.graph.base import GraphReader
from onrecord.stores.ranking import top
from onrecord.types import Curve, Entity, Evidence, Mention

if TYPE_CHECKING:
    from onrecord.types import Scores

_LONGEST = 6
"""Words of a name in a question."""

Place = tuple[str, int]


@dataclass(frozen=True)
class Graph(Stage):
    """Adds `weight` * the square root of personalized PageRank, stretched to 0..1, to the curve.

    Runs only where no recording in scope has two passages. The walker begins at the entities of the question and
    at the first `seeds` passages, and goes on with the probability `walk`, over at most `passages` passages that
    are near; entities that more than `widest` passages mention are left out. Sets the part "graph".
    """

    weight: float = 0.6
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

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        curve = evidence.curve
        if curve is None or not alone(curve):
            return evidence
        found = self._near(evidence.question.text, curve, tools.store.graph)
        if not found.any():
            return evidence
        score = curve.score + self.weight * np.sqrt(found / found.max()).astype(np.float32)
        return replace(evidence, curve=replace(curve, score=score, parts={**curve.parts, "graph": found}))

    def _near(self, question: str, curve: Curve, graph: GraphReader) -> Scores:
        """PageRank of every passage of the line; 0 where the walker never comes."""
        line = curve.line
        best = top(curve.score, self.seeds)
        first = [(line.names[line.recordings[at]], int(line.positions[at])) for at in best]
        asked = self._asked(question, graph)
        around = self._around(first, asked, graph)
        index = {name: at for at, name in enumerate(line.names)}
        at_line = {place: index[place[0]] for place in around if place[0] in index}
        places = list(at_line)
        by_place, known = self._mentioned(places, asked, graph)
        keys = {key: number for number, key in enumerate(known)}
        links = [[keys[key] for key in by_place[place] if key in keys] for place in places]
        strength = minmax(curve.score[best])
        begin = {
            places.index(place): float(s)
            for place, s in zip(first, strength, strict=True)
            if place in at_line
        }
        seeds = begin, {keys[key]: self._told(known[key]) for key in asked if key in keys}
        ranks = page_rank(links, [1.0] * len(keys), _balanced(*seeds), self.walk)
        found = np.zeros(len(line), np.float32)
        found[[at_line[place] for place in places]] = ranks
        return found

    def _told(self, entity: Entity) -> float:
        """How much it tells that the question names an entity."""
        return 1 / log(2 + entity.passages)

    def _asked(self, question: str, graph: GraphReader) -> dict[str, Entity]:
        """What the question names, the longest names first, each word once."""
        words = [word.key for word in words_in(question) if word.key]
        spans = [(at, at + size) for size in range(_LONGEST, 0, -1) for at in range(len(words) - size + 1)]
        known = graph.entities(" ".join(words[a:b]) for a, b in spans)
        taken: set[int] = set()
        found: dict[str, Entity] = {}
        for a, b in spans:
            entity = known.get(" ".join(words[a:b]))
            if entity and entity.passages <= self.widest and not taken & set(range(a, b)):
                found[entity.key] = entity
                taken |= set(range(a, b))
        return found

    def _around(self, first: Sequence[Place], asked: Mapping[str, Entity], graph: GraphReader) -> list[Place]:
        """The places of a walk: the first passages, and those that share something special with them or with
        the question, those that share more first."""
        keys = Counter(m.entity for m in graph.mentioned(first))
        known = {**graph.entities(keys), **asked}
        special = [key for key, entity in known.items() if 1 < entity.passages <= self.widest or key in asked]
        gain: defaultdict[Place, float] = defaultdict(float)
        for mention in graph.mentions([(key, "") for key in special], self.widest):
            weight = 3.0 if mention.entity in asked else 1.0
            gain[mention.recording, mention.position] += weight / known[mention.entity].passages
        near = sorted(gain, key=lambda place: (-gain[place], place))
        return list(dict.fromkeys([*first, *near]))[: self.passages]

    def _mentioned(
        self, places: Sequence[Place], asked: Mapping[str, Entity], graph: GraphReader
    ) -> tuple[dict[Place, list[str]], dict[str, Entity]]:
        """The special entities of each place, and what is known of them."""
        by_place: defaultdict[Place, dict[str, Mention]] = defaultdict(dict)
        for mention in graph.mentioned(places):
            by_place[mention.recording, mention.position].setdefault(mention.entity, mention)
        shared = Counter(key for some in by_place.values() for key in some)
        known = graph.entities(key for key, count in shared.items() if count > 1 or key in asked)
        special = {key: e for key, e in known.items() if e.passages <= self.widest}
        return {place: [k for k in some if k in special] for place, some in by_place.items()} | {
            place: [] for place in places if place not in by_place
        }, special


def _balanced(
    passages: Mapping[int, float], entities: Mapping[int, float]
) -> tuple[dict[int, float], dict[int, float]]:
    """Where a walk begins, half at passages and half at entities."""
    made = []
    for some in (passages, entities):
        total = sum(some.values())
        made.append({at: weight / total for at, weight in some.items()} if total else {})
    return made[0], made[1]
