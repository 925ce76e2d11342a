"""Query expansion with words from the archive itself.

Terms are weighted by how much more often they occur in some passages than in all:

    w(t) = p(t | passages) * log(p(t | passages) / p(t | all)),   p by the number of passages that contain t

(Carpineto, de Mori, Romano and Bigi, An Information-Theoretic Approach to Automatic Query Expansion, 2001).
From the best passages for a question, these are the terms of pseudo-relevance feedback. From the passages
that contain one of its words, they are the words that often occur with this word: in speech, often other
names for the same thing.

`Expand` searches with several wordings, and fuses the results into one ranking.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import inf, log
from typing import TYPE_CHECKING, ClassVar

from onrecord.retrieve.curve.curves import with_more
from onrecord.retrieve.model_calls import reword
from onrecord.retrieve.moments.moments import fused
from onrecord.retrieve.stage import Stage, Tools, asking, remarked
from onrecord.retrieve.wording import stem, stems, subject
from onrecord.stores.base import Snapshot
from onrecord.stores.ranking import top
from onrecord.stores.words import STOP, query_terms, terms
from onrecord.types import Evidence, Moment, PassageTimeline, Question

if TYPE_CHECKING:
    from onrecord.types import Scores


_CANDIDATES = 16
"""Number of terms whose frequency in the whole archive is looked up. Each costs an index lookup."""
_COMPANY = 30
"""Number of passages that are searched for the words that occur with a word."""
_BEST, _ADDED = 3, 5  # moments whose terms widen a question; most terms that are added to it


def telling_terms(
    texts: Sequence[str], excluded: Collection[str], timeline: PassageTimeline, store: Snapshot, most: int
) -> list[str]:
    """Return the `most` terms that distinguish some texts from all passages of a timeline, best first.

    Stop words and the stems in `excluded` are left out.
    """
    counts = Counter(
        term
        for text in texts
        for term in dict.fromkeys(terms(text))
        if len(term) > 2 and not term.isdigit() and term not in STOP and stem(term) not in excluded
    )
    common = [(term, n) for term, n in counts.most_common(_CANDIDATES) if n > 1]
    weights = {}
    for term, n in common:
        here = n / len(texts)
        everywhere = max(int((store.keyword([term], timeline) > 0).sum()), 1) / max(len(timeline), 1)
        weights[term] = here * log(here / everywhere) if here > everywhere else 0.0
    best = sorted((term for term in weights if weights[term] > 0), key=lambda t: -weights[t])
    return list(dict.fromkeys(best))[:most]


def feedback(
    question: str, moments: Sequence[Moment], timeline: PassageTimeline, store: Snapshot, most: int
) -> list[str]:
    """Return the terms that distinguish the best moments from all passages, without names of speakers."""
    passages = [passage for moment in moments for passage in moment.passages]
    names = {word for passage in passages for word in stems(passage.speaker or "")}
    return telling_terms([p.text for p in passages], names.union(stems(question)), timeline, store, most)


def company(question: Question, timeline: PassageTimeline, store: Snapshot, each: int) -> list[str]:
    """Return the `each` most distinctive terms of the passages with each word of a question."""
    excluded, terms_beside = stems(question.text), []
    for word in query_terms([subject(question.text)]):
        scores: Scores = store.keyword([word], timeline)
        best = [at for at in top(scores, _COMPANY).tolist() if scores[at] > 0]
        texts = [passage.text for passage in store.passages(timeline.rows[best])]
        if len(texts) > 1:
            terms_beside += telling_terms(texts, excluded, timeline, store, each)
    return list(dict.fromkeys(terms_beside))


def bare_words(question: Question) -> list[str]:
    """Return a question's content words as one query; empty if the question has no other words."""
    about = subject(question.text)
    words = " ".join(query_terms([about]))
    return [words] if words.casefold() != about.casefold() else []


@dataclass(frozen=True)
class Expand(Stage):
    """A stage that runs `stage` for the question and for other wordings, and fuses the rankings.

    The rankings are fused by reciprocal rank. The wordings, at most `queries`, are: those of the model in the
    role "expand", if there is one (see `model_calls.reword`); the question with terms that distinguish its
    best moments (pseudo-relevance feedback); the question with terms that occur with its words in the
    archive; its content words alone. No passage is in two moments.
    """

    stage: Stage
    queries: int = 3
    ranges: ClassVar = {"queries": (0, inf)}

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        first = self.stage(evidence, tools)
        texts = self.others(first, tools)
        others = [self.stage(asking(evidence, text), tools) for text in texts]
        moments = fused([each.moments for each in (first, *others)])
        whole = with_more(first, others, moments, tools.store.timeline(evidence.question.scope))
        return remarked(whole, "Expand", "also asked: " + "; ".join(texts)) if texts else whole

    def others(self, first: Evidence, tools: Tools) -> list[str]:
        """Return other wordings of the question, given the evidence for its own wording."""
        question, store = first.question, tools.store
        timeline = store.timeline(question.scope)
        feedback_terms = feedback(question.text, first.moments[:_BEST], timeline, store, _ADDED)
        terms_beside = company(question, timeline, store, each=2)[:_ADDED]
        about = subject(question.text)
        widened = [" ".join((about, *terms)) for terms in (feedback_terms, terms_beside) if terms]
        texts = [*reword(question.text, tools.roles), *widened, *bare_words(question)]
        return list(dict.fromkeys(texts))[: self.queries]
