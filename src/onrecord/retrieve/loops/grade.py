"""A grade of evidence before it is read: its relevance, its gaps, and whether to search again.

    quality = 3/5 * mean relevance of the best three moments + 2/5 * mean coverage of the entities

Only the first mean counts if the question names no entity. The relevance of a moment is the mean of two
values. One is how near its cosine is to the model's threshold for a sure match (0 at the floor of its
calibration, 1 at that threshold). The other is the share of the question's weight that its words carry;
without a model, only this one counts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import ClassVar

from onrecord.retrieve.model_calls import grade
from onrecord.retrieve.stage import Stage, Tools
from onrecord.retrieve.wording import Wording, stems, subject, wording
from onrecord.stores.words import STOP, terms
from onrecord.types import Evidence, Judgement, Moment

RELEVANCE = "relevance"
"""The key in `Moment.scores` for the judged relevance of a moment, in 0..1."""
_SPELT = 82
"""The least similarity of two spellings of a name, in 0..100 (rapidfuzz's ratio).

It accepts "halden" and "haldan", but not "kelly" and "belly".
"""
_ENOUGH = 0.4  # least relevance of evidence that need not be searched for again
_TOGETHER = ("causal", "multi_entity", "comparison")


def grade_evidence(evidence: Evidence, tools: Tools) -> Judgement:
    """Return a judgement of evidence. The relevance is low if that of the best moment is below `_ENOUGH`.

    A language model in the role "grade", if there is one, judges the relevance instead, and names further
    gaps.
    """
    timeline = tools.store.timeline(evidence.question.scope)
    words = wording(subject(evidence.question.text), timeline, tools.store)
    relevance = tuple(_relevance(moment, words, tools) for moment in evidence.moments)
    judged = grade(evidence.question.text, [moment.text for moment in evidence.moments], tools.roles)
    relevance = tuple(judged.relevance) if judged else relevance
    coverage = {entity: entity_coverage(entity, evidence) for entity in entities_of(evidence)}
    aspects = evidence.plan.queries if evidence.plan else ()
    unmet = [query for query in aspects if not _is_covered(query, evidence)]
    unmet += judged.missing if judged else []
    absent = [entity for entity, share in coverage.items() if share < 0.5]
    best = sorted(relevance, reverse=True)[:3]
    mean = sum(best) / len(best) if best else 0.0
    quality = 0.6 * mean + 0.4 * sum(coverage.values()) / len(coverage) if coverage else mean
    if not evidence.moments:
        cause = "nothing found"
    elif absent:
        cause = "entity not found"
    elif best[0] < _ENOUGH:
        cause = "low relevance"
    elif _are_apart(evidence, list(coverage)):
        cause = "relation missing"
    else:
        cause = "aspect missing" if unmet else ""
    return Judgement(quality, relevance, coverage, tuple(dict.fromkeys((*absent, *unmet))), cause)


@dataclass(frozen=True)
class Grade(Stage):
    """A stage that judges the evidence, and drops moments whose relevance is below `least` (0: none).

    The judgement is stored with the evidence and noted in the trace. If all moments are below `least`, the
    best one stays.
    """

    least: float = 0.0
    ranges: ClassVar = {"least": (0, 1)}

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        judged = with_judgement(evidence, grade_evidence(evidence, tools))
        floor = min(self.least, max((m.scores[RELEVANCE] for m in judged.moments), default=0.0))
        return judged.with_moments(tuple(m for m in judged.moments if m.scores[RELEVANCE] >= floor))

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        return str(after.grade)


def with_judgement(evidence: Evidence, judgement: Judgement) -> Evidence:
    """Return evidence with its judgement, and each moment with its relevance among its scores."""
    moments = tuple(
        replace(moment, scores={**moment.scores, RELEVANCE: share})
        for moment, share in zip(evidence.moments, judgement.relevance, strict=True)
    )
    return replace(evidence, moments=moments, grade=judgement)


_CAPITAL = r"[A-ZÀ-Ý](?:\w++|['’&.-]++(?=\w))++"
_NAME = re.compile(rf"(?<![^\W\d_])[^\W\d_A-ZÀ-Ý]*+{_CAPITAL}(?: (?:{_CAPITAL}|\d++))*+")
_QUOTED = re.compile(r"[\"“«]([^\"“«”»]{2,80})[\"”»]")


def entities_of(evidence: Evidence) -> list[str]:
    """Return the people and things that a question names.

    They are the entities of its plan, or without a plan its quoted texts and the capitalized words within it.
    """
    if evidence.plan is not None:
        return list(evidence.plan.entities)
    text = evidence.question.text.strip()
    named = [match[0] for match in _NAME.finditer(text) if match.start() or len(match[0].split()) > 1]
    quoted = (words.strip() for words in _QUOTED.findall(text))
    return list(dict.fromkeys((*(words for words in quoted if len(words) > 1), *named)))


def entity_coverage(entity: str, evidence: Evidence) -> float:
    """Return the largest share of an entity's words in one moment, including the speakers' names.

    A word of five letters or more may be spelled slightly differently.
    """
    return max((_share(entity, _terms_in(moment)) for moment in evidence.moments), default=0.0)


def mentions(entity: str, moment: Moment) -> bool:
    """Return whether at least half of an entity's words are in a moment."""
    return _share(entity, _terms_in(moment)) >= 0.5


def _share(entity: str, said: set[str]) -> float:
    from rapidfuzz import fuzz, process

    words = set(terms(entity)) - STOP or set(terms(entity))
    mentioned = [
        word in said
        or (len(word) > 4 and bool(process.extractOne(word, said, scorer=fuzz.ratio, score_cutoff=_SPELT)))
        for word in words
    ]
    return sum(mentioned) / len(words) if words else 1.0


def _terms_in(moment: Moment) -> set[str]:
    return {term for passage in moment.passages for term in terms(passage.spoken)}


def _relevance(moment: Moment, words: Wording, tools: Tools) -> float:
    share = max((words.coverage(passage.spoken) for passage in moment.passages), default=0.0)
    cosine = moment.scores.get("dense")
    if tools.embedder is None or cosine is None:
        return share
    calibration = tools.embedder.calibration
    near = (cosine - calibration.floor) / (calibration.sure - calibration.floor)
    return (min(max(near, 0.0), 1.0) + share) / 2


def _is_covered(query: str, evidence: Evidence) -> bool:
    """Return whether some moment has at least half of the words of an aspect."""
    words = stems(query)
    in_moments = ({s for p in m.passages for s in stems(p.spoken)} for m in evidence.moments)
    return not words or any(2 * len(words & spoken) >= len(words) for spoken in in_moments)


def _are_apart(evidence: Evidence, entities: list[str]) -> bool:
    """Return whether the question relates entities that no single moment mentions together."""
    related = evidence.plan is not None and evidence.plan.intent in _TOGETHER and len(entities) > 1
    return related and not any(all(mentions(e, m) for e in entities) for m in evidence.moments)
