"""A stage that ranks the best moments again, by a model that reads each together with the question.

A cross-encoder reads question and passage at once (Nogueira and Cho, Passage Re-ranking with BERT, 2019).
That is far more accurate than comparing two vectors, and far slower. So it reads only a few moments, best
first, while time is left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from onrecord.errors import RerankError
from onrecord.models.base import Loads, Reranker
from onrecord.models.loading import call_within
from onrecord.retrieve.curve.curves import minmax
from onrecord.retrieve.model_calls import rank
from onrecord.retrieve.stage import Stage, Tools, Watch, remarked
from onrecord.types import Evidence, Moment

if TYPE_CHECKING:
    from onrecord.types import Scores

_LONGEST = 200
"""Words of a moment that are read: what a cross-encoder of 512 tokens can take beside a question."""


@dataclass(frozen=True)
class Rerank(Stage):
    """A stage that ranks the best `most` moments by the reranker's scores, and the others after them.

    The score is weight * the reranker's score + (1 - weight) * the score so far; if both count, each is
    scaled to 0..1. If `weight` is None, the reranker's own `share` is used (`onrecord.models.base.Reranker`).
    The reranker reads the first moment alone, then at most `batch` at a time, as many as should fit into
    `milliseconds` (None: the tools' limit); a batch that takes longer is abandoned. A language model in the
    role "rerank" takes precedence, and reads all moments in one call. Without a reranker, or if it fails, the
    order stays unchanged, and a note says so.
    """

    most: int = 20
    weight: float | None = None
    batch: int = 5
    milliseconds: float | None = None
    ranges: ClassVar = {"most": (1, inf), "weight": (0, 1), "batch": (1, inf), "milliseconds": (0, inf)}

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        if not evidence.moments:
            return evidence
        texts = [text_to_rerank(moment) for moment in evidence.moments[: self.most]]
        picked = rank(evidence.question.text, texts, tools.roles)
        if picked is not None:
            return evidence.with_moments(self._ranked(evidence.moments, picked, 1.0))
        if tools.reranker is None:
            return evidence
        try:
            read = self._read(evidence.question.text, texts, tools.reranker, tools)
        except RerankError as error:
            return remarked(evidence, "Rerank", f"left as it was: {error}", cut=True)
        if not len(read):
            return remarked(evidence, "Rerank", f"the time was over before one of {len(texts)}", cut=True)
        share = getattr(tools.reranker, "share", 1.0)
        again = evidence.with_moments(self._ranked(evidence.moments, read, share))
        if len(read) == len(texts):
            return again
        return remarked(again, "Rerank", f"the time was over after {len(read)} of {len(texts)}", cut=True)

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        if any("rerank" in moment.scores for moment in after.moments) and tools.roles.is_filled("rerank"):
            return f"by {tools.roles.models['rerank'].name}"
        return "" if tools.reranker else "skipped: there is no reranker (setting rerank.model)"

    def _read(self, question: str, texts: Sequence[str], reranker: Reranker, tools: Tools) -> Scores:
        """Return the scores of the first texts, as many as time allows."""
        limit = self.milliseconds if self.milliseconds is not None else tools.rerank_milliseconds
        if isinstance(reranker, Loads):
            reranker.load()  # loading does not count as reading
        watch, size, at, best = Watch(tools), 1, 0, inf
        scores: list[Scores] = []
        while at < len(texts) and size and watch.milliseconds < limit:
            begun = watch.milliseconds
            left = limit - begun
            batch = partial(reranker.score, question, texts[at : at + size])
            try:
                scores.append(call_within(left / 1000, batch))
            except TimeoutError:
                break
            at += len(scores[-1])
            best = min(best, (watch.milliseconds - begun) / len(scores[-1]))  # the first may be slow to start
            room = (limit - watch.milliseconds) / best if best > 0 else inf
            size = int(min(self.batch, room))
        return np.concatenate(scores) if scores else np.zeros(0, np.float32)

    def _ranked(self, moments: tuple[Moment, ...], read: Scores, share: float) -> tuple[Moment, ...]:
        """Return the moments ranked by `read`, the scores of the first moments.

        `share` is the weight of these scores unless the stage sets its own.
        """
        weight = share if self.weight is None else self.weight
        before = minmax(np.array([moment.score for moment in moments], np.float32))
        judged = read if weight == 1 else minmax(read)
        score = weight * judged + (1 - weight) * before[: len(read)]
        rest = before[len(read) :] * score.min()  # unread moments come after those that were read
        ranked = [
            replace(moment, score=float(score[at]), scores={**moment.scores, "rerank": float(read[at])})
            for at, moment in enumerate(moments[: len(read)])
        ]
        unread = zip(moments[len(read) :], rest.tolist(), strict=True)
        return (
            *sorted(ranked, key=lambda moment: -moment.score),
            *(replace(moment, score=share) for moment, share in unread),
        )


def text_to_rerank(moment: Moment) -> str:
    """Return the best passage of a moment with its speaker, and what follows, up to `_LONGEST` words."""
    words: list[str] = []
    for passage in moment.passages[moment.peak :]:
        words += passage.spoken.split()
        if len(words) >= _LONGEST:
            break
    return " ".join(words[:_LONGEST])
