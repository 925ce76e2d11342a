"""Stages that search again, for missing parts (`Iterate`) or by the cause of poor evidence (`Correct`).

After Yan, Gu, Zhu and Ling, Corrective Retrieval Augmented Generation, 2024. There a judge decides whether
and where to search again. Here each cause has its own correction, made of words from the archive, without a
model.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from math import inf
from typing import ClassVar

from onrecord.retrieve.curve.curves import with_more
from onrecord.retrieve.loops.expand import bare_words, company, feedback
from onrecord.retrieve.loops.grade import grade_evidence, mentions, with_judgement
from onrecord.retrieve.moments.moments import fused, interleaved
from onrecord.retrieve.stage import Stage, Tools, Watch, asking, remarked
from onrecord.retrieve.wording import subject
from onrecord.stores.words import fold
from onrecord.types import Evidence, Judgement, Recording

_OF_A_GAP = 3  # most moments that fill one gap


@dataclass(frozen=True)
class Correct(Stage):
    """A stage that judges the evidence of `stage`, and searches again by the cause of a failure.

    The evidence is judged by `grade`. These are the causes and the new searches:

    nothing found, low relevance: with words that the archive uses for the subject (see `expand`);
    entity not found: for the name in the archive that it may be a misspelling of, else for the name alone;
    relation missing: for each pair of entities separately;
    aspect missing: for each aspect separately.

    The new evidence is fused with the evidence before, and kept only if that raises the quality. The stage
    stops if there is nothing to correct, if the quality is `enough`, after `rounds`, after `milliseconds`, or
    if a correction did not help; a round that has begun is finished. The judgement is stored with the
    evidence.
    """

    stage: Stage
    rounds: int = 2
    enough: float = 0.6
    milliseconds: float = 400
    ranges: ClassVar = {"rounds": (0, inf), "enough": (0, 1), "milliseconds": (0, inf)}

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        evidence = self.stage(evidence, tools)
        watch = Watch(tools)  # the first pass is the requested search, however long it takes
        judgement = grade_evidence(evidence, tools)
        for number in range(1, self.rounds + 1):
            if not judgement.retry or judgement.quality >= self.enough:
                break
            if watch.milliseconds >= self.milliseconds:
                evidence = remarked(
                    evidence, f"Correct, round {number}", "left out: the time was over", cut=True
                )
                break
            questions = _corrections(evidence, judgement, tools)
            again = self._search_again(evidence, questions, tools)
            after = grade_evidence(again, tools)
            better = bool(questions) and after.quality > judgement.quality
            outcome = again if better else replace(evidence, trace=again.trace)
            evidence = remarked(
                outcome, f"Correct, round {number}", _describe(judgement, questions, after, better)
            )
            if not better:
                break
            judgement = after
        return with_judgement(evidence, judgement)

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        return str(after.grade)

    def _search_again(self, evidence: Evidence, questions: list[str], tools: Tools) -> Evidence:
        others = [self.stage(asking(evidence, text), tools) for text in questions]
        moments = fused([evidence.moments, *(other.moments for other in others)])
        return with_more(evidence, others, moments, tools.store.timeline(evidence.question.scope))


def _describe(before: Judgement, questions: list[str], after: Judgement, better: bool) -> str:
    asked = "; ".join(questions) or "nothing else to ask"
    outcome = f"quality {after.quality:.2f}" if better else "no better, left as it was"
    return f"{before}; asked: {asked}; {outcome}"


def _corrections(evidence: Evidence, judgement: Judgement, tools: Tools) -> list[str]:
    """Return the questions to ask instead, by the cause of the failure (see `Correct`)."""
    question, store = evidence.question, tools.store
    if judgement.cause == "relation missing":
        return [f"{one} {other}" for one, other in combinations(judgement.coverage, 2)][:3]
    if judgement.cause == "aspect missing":
        return list(judgement.gaps)[:3]
    if judgement.cause == "entity not found":
        from rapidfuzz import fuzz, process

        names = _names_by_spelling(store.recordings(question.scope))
        questions = []
        for entity in (gap for gap in judgement.gaps if gap in judgement.coverage):
            similar = process.extractOne(fold(entity), names.keys(), scorer=fuzz.ratio, score_cutoff=75)
            name = names[similar[0]] if similar else entity
            is_misspelt = name != entity and entity in question.text
            questions.append(question.text.replace(entity, name) if is_misspelt else name)
        return questions[:3]
    timeline = store.timeline(question.scope)
    near = company(question, timeline, store, each=2)
    near = near or feedback(question.text, evidence.moments[:3], timeline, store, 5)
    widened = [" ".join((subject(question.text), *near[:5]))] if near else []
    return [*widened, *bare_words(question)][:2]


def _names_by_spelling(recordings: Iterable[Recording]) -> Mapping[str, str]:
    """Return the names of people and recordings, whole and in parts, by folded spelling."""
    names: dict[str, str] = {}
    for recording in recordings:
        for name in (*recording.speakers, *recording.details.people, recording.title):
            for part in (name, *name.split()):
                names.setdefault(fold(part), part)
    return names


@dataclass(frozen=True)
class Iterate(Stage):
    """A stage that runs `stage`, then again for each entity and aspect of the question without evidence.

    The best moments that mention a gap are interleaved with the first ones, no passage twice. The
    stage stops if nothing is missing, if no gap is new, after `rounds`, or after `milliseconds`; a pass that
    has begun is finished.
    """

    stage: Stage
    rounds: int = 2
    milliseconds: float = 300
    ranges: ClassVar = {"rounds": (0, inf), "milliseconds": (0, inf)}

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        evidence = self.stage(evidence, tools)
        watch = Watch(tools)  # the first pass is the requested search, however long it takes
        tried: set[str] = set()
        for number in range(1, self.rounds + 1):
            gaps = [gap for gap in grade_evidence(evidence, tools).gaps if gap not in tried]
            if not gaps:
                break
            if watch.milliseconds >= self.milliseconds:
                return remarked(
                    evidence, f"Iterate, pass {number + 1}", "left out: the time was over", cut=True
                )
            tried.update(gaps)
            evidence = self._fill_gaps(evidence, gaps, number, tools)
        return evidence

    def _fill_gaps(self, evidence: Evidence, gaps: list[str], number: int, tools: Tools) -> Evidence:
        aspects = evidence.plan.queries if evidence.plan else ()
        passes, extra = [], []
        for gap in gaps:
            # An aspect is a question of its own. Other gaps are combined with the question's subject.
            query = gap if gap in aspects else f"{gap} {subject(evidence.question.text)}"
            passes.append(self.stage(asking(evidence, query), tools))
            mentioning = [moment for moment in passes[-1].moments if mentions(gap, moment)]
            extra.append(mentioning[:_OF_A_GAP])
        timeline = tools.store.timeline(evidence.question.scope)
        after = with_more(evidence, passes, interleaved([evidence.moments, *extra]), timeline)
        note = "; ".join(f"{gap}: {len(new)} found" for gap, new in zip(gaps, extra, strict=True))
        return remarked(after, f"Iterate, pass {number + 1}", note)
