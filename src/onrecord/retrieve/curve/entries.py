"""Scores for entries: short recordings about one thing, such as notes or encyclopedia articles.

An entry is isolated: almost no passages precede or follow it, so scores cannot spread to neighbors. Its title
names its subject, which its text may leave out (`Entries`):

    score(i) = dense * minmax(cosine(i)) + lexical * minmax(BM25(i)) + title * share(title(i))

share is the part of the question's weight, by inverse document frequency, that the words of the title carry.

An entry leads to others (`FollowOn`). "Where was the founder of Halden Cycles born" is answered by two
unconnected passages: the first names the founder, the second is about her and shares no word with the
question. So each of the best passages gives a further query. It consists of the part of the question that the
passage does not answer, and the names that the passage adds,

    onward(p) = the question's words that p does not have + the first names of p that the question lacks
    near(p, i) = ((1 - lexical) * cosine(onward(p), i) + lexical * BM25(onward(p), i))^2
                 * (1 + shared * the rarest name that p and i share)
    path(p, i) = (score(p) / max score)^2 * near(p, i)
    score(i) += weight * max over p of path(p, i)
    score(p) += weight * max over i of path(p, i)

with cosine and BM25 scaled to 0..1. A path raises both of its ends, because the passage that leads on is part
of the answer too. After `hops` rounds, a path may have as many steps. (Searching again with the text that was
read is iterative retrieval, as in Xiong et al., Answering complex open-domain questions with multi-hop dense
retrieval, 2021, here without a trained model.) A name that two passages share is an edge of the graph. It
weighs more if few other passages have the name, and more again if it is the title of one of them. Talk is
left unchanged: there the answer follows in time, and scores spread to it.

Entries are connected (`Graph`). A random walker starts at the entities that the question names and at the
first search results. It goes from passages to the entities that they mention, and on to other passages that
mention them. It most often visits the passages that are linked to both starting points (see
`onrecord.graph.walk`):

    score(i) += weight * sqrt( PageRank(i) / max PageRank )

The walker follows only entities that few passages mention.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf, log
from typing import TYPE_CHECKING, ClassVar, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from onrecord.ingest.passages import texts_to_embed
from onrecord.retrieve.curve.curves import CurveStage, convex, minmax, with_score
from onrecord.retrieve.stage import Tools
from onrecord.retrieve.wording import subject, wording
from onrecord.stores.base import Snapshot
from onrecord.stores.graph.base import GraphSnapshot
from onrecord.stores.ranking import top
from onrecord.stores.words import STOP, terms
from onrecord.types import Curve, Evidence, NameAt, PassageTimeline, Raised
from onrecord.types.recordings import MOST_ENTRIES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from onrecord.graph.walk import Walk
    from onrecord.models.base import Embedder
    from onrecord.retrieve.raising import Link
    from onrecord.types import Rows, Scores


_ENTRIES: WeakKeyDictionary[PassageTimeline, NDArray[np.bool_]] = WeakKeyDictionary()


def entries_of(timeline: PassageTimeline, store: Snapshot) -> NDArray[np.bool_]:
    """Return whether each passage belongs to an entry (`Recording.is_entry`), with shape (passages,).

    All are False if there are fewer than two entries, or if their share of the recordings is below
    `MOST_ENTRIES`. Computed once for each timeline and cached while it exists.
    """
    if timeline not in _ENTRIES:
        known = [store.recording(name) for name in timeline.names]
        entries = np.array([bool(recording and recording.is_entry) for recording in known], bool)
        few = entries.sum() < max(2, MOST_ENTRIES * len(entries))
        _ENTRIES[timeline] = (entries & (not few))[timeline.recordings]
    return _ENTRIES[timeline]


def has_entries(curve: Curve | None, store: Snapshot) -> bool:
    """Return whether most recordings of the curve are entries, and it has vectors and a score above 0."""
    return (
        curve is not None
        and len(curve.timeline) > 1
        and "dense" in curve.parts
        and bool(entries_of(curve.timeline, store).any())
        and bool(curve.score.max() > 0)
    )


@dataclass(frozen=True)
class Entries(CurveStage):
    """A stage that replaces the scores of entries, and reads the titles of the best `read` entries.

    It runs only if most recordings in scope are entries, and with vectors. Scores of talk beside them stay
    unchanged.
    """

    dense: float = 0.7
    lexical: float = 0.3
    title: float = 0.2
    read: int = 50
    ranges: ClassVar = {"dense": (0, inf), "lexical": (0, inf), "title": (0, inf), "read": (0, inf)}

    def changed(self, curve: Curve, evidence: Evidence, tools: Tools) -> Curve:
        if not has_entries(curve, tools.store):
            return curve
        parts, timeline, entries = curve.parts, curve.timeline, entries_of(curve.timeline, tools.store)
        score = convex([(self.dense, parts["dense"]), (self.lexical, parts["lexical"])])
        words = wording(subject(evidence.question.text), timeline, tools.store)
        for at in top(np.where(entries, score, 0), self.read).tolist():
            score[at] += self.title * words.coverage(title_of(timeline.names[timeline.recordings[at]], tools))
        return with_score(curve, np.where(entries, score, curve.score))


def title_of(recording: str, tools: Tools) -> str:
    """Return the title in a recording's details, or an empty string if it has none."""
    known = tools.store.recording(recording)
    return (known.details.title if known else None) or ""


Place = tuple[str, int]
_NAME = re.compile(r"\b[A-ZÀ-ÖØ-Þ][\w'’-]+(?: [A-ZÀ-ÖØ-Þ][\w'’-]+)*")
_Shared = dict[int, tuple[float, str]]
"""The passages that share a name with a passage: the strength, and the rarest such name."""
_TITLED = 1.5
"""Factor for a shared name that is the title of the other passage, relative to a name in its text."""


@dataclass(frozen=True)
class FollowOn(CurveStage):
    """A stage that searches onward from the best `passages` of the curve, `hops` times.

    Each query has at most `names` names of its passage. The stage runs only if most recordings in scope are
    entries, and with an embedder: it needs one embedding for each of the `passages` and `hops`. Names in more
    than `widest` passages do not count as shared. It sets the part "onward" to the gain of the last hop.
    docs/measurements.md reports its effect on questions that need two paragraphs or more.
    """

    passages: int = 5
    hops: int = 2
    weight: float = 0.6
    lexical: float = 0.15
    names: int = 6
    shared: float = 1.0
    widest: int = 60
    ranges: ClassVar = {
        "passages": (1, 20),
        "hops": (1, 3),
        "weight": (0, inf),
        "lexical": (0, 1),
        "names": (0, 50),
        "shared": (0, inf),
        "widest": (1, inf),
    }

    def changed(self, curve: Curve, evidence: Evidence, tools: Tools) -> Curve:
        if tools.embedder is None or not has_entries(curve, tools.store):
            return curve
        for _ in range(self.hops):
            gain = self._gain(evidence.question.text, curve, tools, tools.embedder)
            curve = with_score(curve, curve.score + self.weight * gain, onward=gain)
        return curve

    def _gain(self, question: str, curve: Curve, tools: Tools, embedder: Embedder) -> Scores:
        """Return, for each passage, the best path that starts or ends there, 0 or more.

        All paths start at one of the best passages.
        """
        gain = np.zeros(len(curve.timeline), np.float32)
        for at, path, _ in self._paths(question, curve, tools, embedder):
            gain = np.maximum(gain, path)
            gain[at] = max(gain[at], path.max())
        return gain

    def _paths(
        self, question: str, curve: Curve, tools: Tools, embedder: Embedder
    ) -> Iterator[tuple[int, Scores, _Shared]]:
        """Yield each of the best passages, the paths from it to all others, and the names they share."""
        best = top(curve.score, self.passages)
        shared = self._shared(curve, best, tools.store.graph) if self.shared else {}
        for at, passage in zip(best, tools.store.passages(curve.timeline.rows[best]), strict=True):
            (text,) = texts_to_embed(title_of(passage.recording, tools), [passage])
            near = self._near(onward(question, text, self.names), curve, tools, embedder)
            names = shared.get(int(at), {})
            for other, (strength, _) in names.items():
                near[other] *= 1 + self.shared * strength
            near[at] = 0  # no path leads from a passage to itself
            yield int(at), near * (curve.score[at] / curve.score[best[0]]) ** 2, names

    def _near(self, query: str, curve: Curve, tools: Tools, embedder: Embedder) -> Scores:
        """Return the similarity of each passage to a query, in 0..1."""
        signals = [(1 - self.lexical, tools.store.dense(embedder.embed_query(query), curve.timeline))]
        if self.lexical:
            signals.append((self.lexical, tools.store.keyword([query], curve.timeline)))
        near = convex(signals)
        highest = float(near.max())
        squared: Scores = (near / highest) ** 2 if highest else near
        return squared

    def _shared(self, curve: Curve, best: Rows, graph: GraphSnapshot) -> Mapping[int, _Shared]:
        """Return the passages that share a name with each of the best passages.

        The strength is the rarity of the rarest shared name, 1 for a name in only one passage.
        """
        at_place = _at_places(curve.timeline)
        named = graph.names_in([_place(curve, at) for at in best], self.widest)
        elsewhere: defaultdict[str, list[NameAt]] = defaultdict(list)
        for name in graph.names_of({name.entity for name in named}, self.widest):
            elsewhere[name.entity].append(name)
        shared: defaultdict[int, _Shared] = defaultdict(dict)
        for name in named:
            rarity = max(0.0, log(len(at_place) / name.passages) / log(len(at_place)))
            for other in elsewhere[name.entity]:
                if (other.recording, other.position) in at_place:
                    strengths = shared[at_place[name.recording, name.position]]
                    at = at_place[other.recording, other.position]
                    strength = rarity * (_TITLED if other.titled else 1.0)
                    strengths[at] = max(strengths.get(at, (0.0, "")), (strength, name.entity))
        return shared

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        if before.curve is None or after.curve is None or "onward" not in after.curve.parts:
            return ""
        return f"asked onward from {min(self.passages, len(after.curve.timeline))}"

    def raised(self, before: Evidence, after: Evidence, tools: Tools) -> tuple[Raised, ...]:
        if tools.embedder is None or not (before.curve and after.curve) or after.curve is before.curve:
            return ()
        from onrecord.graph.walk import names_asked
        from onrecord.retrieve.raising import raised_by, risen

        question, curve, by_words = before.question.text, before.curve, replace(self, shared=0.0)
        links: list[tuple[Place, Link]] = []
        for _ in range(self.hops):
            gain = self._gain(question, curve, tools, tools.embedder)
            excess = gain - by_words._gain(question, curve, tools, tools.embedder)
            for at, path, names in self._paths(question, curve, tools, tools.embedder):
                links += self._links(curve, at, path, names, gain, excess)
            curve = with_score(curve, curve.score + self.weight * gain)
        rose = risen(after.curve.score, by_words.changed(before.curve, before, tools).score)
        places = {_place(curve, at): ranks for at, ranks in rose.items()}
        asked = names_asked(question, tools.store.graph, self.widest)
        return raised_by(links, places, asked, tools.store)

    def _links(
        self, curve: Curve, at: int, path: Scores, names: _Shared, gain: Scores, excess: Scores
    ) -> Iterator[tuple[Place, Link]]:
        """Yield the shared names that lengthen the best path of a passage, at both ends of the path.

        `excess` is the part of the passages' `gain` that they would not have without shared names.
        """
        from onrecord.retrieve.raising import Link

        for other, (_, name) in names.items():
            for end, start in ((other, at), (at, other)):
                if path[other] == gain[end] and excess[end] > 0:
                    yield (
                        _place(curve, end),
                        Link(name, _place(curve, start), self.weight * float(excess[end])),
                    )


def _place(curve: Curve, at: int) -> Place:
    """Return the recording and the position of a passage on a timeline."""
    return curve.timeline.names[curve.timeline.recordings[at]], int(curve.timeline.positions[at])


_INDEXES: WeakKeyDictionary[PassageTimeline, Mapping[Place, int]] = WeakKeyDictionary()


def _at_places(timeline: PassageTimeline) -> Mapping[Place, int]:
    """Return the index of each passage by its place. Computed once for each timeline and cached."""
    if timeline not in _INDEXES:
        names = map(timeline.names.__getitem__, timeline.recordings.tolist())
        places = zip(names, timeline.positions.tolist(), strict=True)
        _INDEXES[timeline] = {place: at for at, place in enumerate(places)}
    return _INDEXES[timeline]


def onward(question: str, text: str, names: int) -> str:
    """Return the query that remains after a text has been read.

    It is the question's words that the text does not have, and the first `names` names in the text that the
    question does not have.
    """
    asked, said = set(terms(question)), set(terms(text))
    left = [word for word in question.split() if not _content(word) or not _content(word) <= said]
    new = dict.fromkeys(name for name in _NAME.findall(text) if _content(name) - asked)
    return " ".join([*left, *list(new)[:names]])


def _content(text: str) -> set[str]:
    return set(terms(text)) - STOP


# ---------------------------------------------------------------- along the graph

_STEEP = 3
"""Exponent of the scores with which a walk starts, so that it starts mostly at the best passages."""
_STEPS = 2
_ASKED = 3.0
"""Weight of a name in the question, relative to other names, when passages near the walk are chosen."""


class _Walked(NamedTuple):
    """A walk over these passages and entities, with the entities that the question names."""

    places: tuple[Place, ...]
    keys: tuple[str, ...]
    asked: tuple[str, ...]
    walk: Walk


@dataclass(frozen=True)
class Graph(CurveStage):
    """A stage that adds `weight` * the square root of personalized PageRank, scaled to 0..1, to the curve.

    It runs only if most recordings in scope are entries. The walker starts at the entities of the question
    and at the first `seeds` passages, and continues with the probability `walk`, over at most `passages`
    nearby passages. It follows entities that are the title of a passage and that at most `widest` passages
    mention. The stage sets the part "graph".
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

    def changed(self, curve: Curve, evidence: Evidence, tools: Tools) -> Curve:
        if not has_entries(curve, tools.store):
            return curve
        walked = self._walked(evidence.question.text, curve, tools.store.graph)
        at_place = _at_places(curve.timeline)
        near = np.zeros(len(curve.timeline), np.float32)
        near[[at_place[place] for place in walked.places]] = walked.walk.passages
        if not near.any():
            return curve
        score = curve.score + self.weight * np.sqrt(near / near.max()).astype(np.float32)
        return with_score(curve, score, graph=near)

    def _walked(self, question: str, curve: Curve, graph: GraphSnapshot) -> _Walked:
        """Return a walk from the first passages of a curve and from the names in the question."""
        from onrecord.graph.walk import names_asked, page_rank, rarity  # only when entries are searched

        at_place = _at_places(curve.timeline)
        best = top(curve.score, self.seeds)
        first = [_place(curve, at) for at in best]
        asked = names_asked(question, graph, self.widest)
        names = [n for n in self._around(first, asked, graph) if (n.recording, n.position) in at_place]
        places = {
            place: at
            for at, place in enumerate(dict.fromkeys([*first, *((n.recording, n.position) for n in names)]))
        }
        keys = {key: at for at, key in enumerate(dict.fromkeys(name.entity for name in names))}
        strength = minmax(curve.score[best]) ** _STEEP
        walk = page_rank(
            [(places[name.recording, name.position], keys[name.entity]) for name in names],
            (len(places), len(keys)),
            (
                {places[place]: float(s) for place, s in zip(first, strength, strict=True)},
                {keys[key]: rarity(count) for key, count in asked.items() if key in keys},
            ),
            self.walk,
        )
        return _Walked(tuple(places), tuple(keys), tuple(asked), walk)

    def _around(self, first: Sequence[Place], asked: Mapping[str, int], graph: GraphSnapshot) -> list[NameAt]:
        """Return the names in the passages of a walk.

        These are the first passages, and those one or two steps from them or from the names in the question.
        If there are too many, the passages that share the rarest names are taken.
        """
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
        alone = graph.names_of(asked, widest=1)  # `names_in` has only names that several passages share
        return [name for name in (*graph.names_in(places, self.widest), *alone) if name.entity in titles]

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        if after.curve is None or "graph" not in after.curve.parts:
            return ""
        return f"walked over {int((after.curve.parts['graph'] > 0).sum())} passages"

    def raised(self, before: Evidence, after: Evidence, tools: Tools) -> tuple[Raised, ...]:
        if not (before.curve and after.curve) or after.curve is before.curve:
            return ()
        from onrecord.retrieve.raising import Link, raised_by, risen

        places, keys, asked, walk = self._walked(before.question.text, before.curve, tools.store.graph)
        at_place, gained = _at_places(before.curve.timeline), after.curve.score - before.curve.score
        links = []
        for passage, entity, other, share in walk.over({keys.index(key) for key in asked if key in keys}):
            via = None if other is None else places[other]
            score = share * float(gained[at_place[places[passage]]])
            links.append((places[passage], Link(keys[entity], via, score)))
        rose = risen(after.curve.score, before.curve.score)
        ranks = {_place(before.curve, at): both for at, both in rose.items()}
        return raised_by(links, ranks, asked, tools.store)
