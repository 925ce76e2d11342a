"""Stages that select the sections of recordings that answer a question, and drop the irrelevant ones."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from onrecord.retrieve.curve.curves import recordings_by_score
from onrecord.retrieve.model_calls import choose
from onrecord.retrieve.stage import Stage, Tools
from onrecord.retrieve.wording import Wording, subject, wording
from onrecord.stores.base import Snapshot
from onrecord.types import Curve, Evidence, Moment, Passage, PassageTimeline, Question, Section

if TYPE_CHECKING:
    from onrecord.types import Rows, Scores


_WORDS = 1200
"""Most words of a part if a recording, or a span of it, has no sections."""
_RECORDINGS, _JUDGED = 8, 12
"""Most recordings whose sections are candidates, and most candidates that are judged."""


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Consecutive passages of one recording on a timeline.

    `at` has their indices on the timeline. `section` is None if they are not in a section.
    """

    recording: str
    section: Section | None
    at: Rows

    @property
    def text(self) -> str:
        """The title and the summary of the section, or an empty string without a section."""
        return description(self.section) if self.section else ""


def description(section: Section) -> str:
    """Return the title and the summary of a section."""
    return f"{section.title}. {section.summary}".strip()


def primary(sections: Iterable[Section]) -> list[Section]:
    """Return the sections that divide a recording, in order.

    They are the highest level of the sections with a known place, or, if that is a single section
    ("Transcript"), the level below it.
    """
    placed = sorted((s for s in sections if 0 <= s.first <= s.last), key=lambda s: s.first)
    level, above = [s for s in placed if not s.under], set[str]()
    while len(level) == 1 and level[0].title not in above:
        above.add(level[0].title)
        level = [s for s in placed if s.under == level[0].title] or level
    return level


def outline(timeline: PassageTimeline, recording: int, store: Snapshot) -> list[Part]:
    """Return the parts of one recording, which together contain all of its passages.

    `recording` is its number in `PassageTimeline.names`.
    """
    at = np.arange(*np.searchsorted(timeline.recordings, (recording, recording + 1)))
    name = timeline.names[recording]
    sections = primary(store.sections(name))
    positions, labels = timeline.positions[at], np.full(len(at), -1, np.int64)
    for number, section in enumerate(sections):  # if two sections overlap, the later one wins
        labels[(positions >= section.first) & (positions <= section.last)] = number
    bare = labels < 0
    labels[bare] = -1 - np.cumsum(np.where(bare, timeline.words[at], 0))[bare] // _WORDS
    borders = np.flatnonzero(np.diff(labels)) + 1
    return [
        Part(name, sections[labels[run[0]]] if labels[run[0]] >= 0 else None, at[run])
        for run in np.split(np.arange(len(at)), borders)
        if len(run)
    ]


def runs(passages: Sequence[Passage]) -> list[tuple[Passage, ...]]:
    """Return passages of one recording as runs without a gap. Passages in a gap may be out of scope."""
    stretches: list[list[Passage]] = []
    for passage in passages:
        if stretches and stretches[-1][-1].position + 1 == passage.position:
            stretches[-1].append(passage)
        else:
            stretches.append([passage])
    return [tuple(run) for run in stretches]


def paths(sections: Iterable[Section]) -> dict[str, str]:
    """Return the path of every section by its title: "Questions and answers > Freight costs"."""
    above = {section.title: section.under for section in sections}
    path_by_title: dict[str, str] = {}
    for title in above:
        titles = [title]
        while (under := above.get(titles[0])) and under not in titles:
            titles.insert(0, under)
        path_by_title[title] = " > ".join(titles)
    return path_by_title


_MEANING = 0.6
"""The weight of the cosine. The rest is the weight of the question's words in title and summary."""


def likeness(
    question: str, words: Wording, descriptions: Sequence[str], rows: Sequence[Rows], tools: Tools
) -> Scores:
    """Return the similarity of each section to a question, with shape (sections,), in 0..1.

    `descriptions` are title and summary of each section, and `rows` are its passages. The mean of their
    stored vectors represents the section, so only the question is embedded. Without an embedder, only words
    count.
    """
    covered = np.array([words.coverage(text) for text in descriptions], np.float32)
    if tools.embedder is None or not len(descriptions):
        return covered
    vectors = tools.store.vectors(np.concatenate(rows))
    begins = np.cumsum([0, *map(len, rows)])[:-1]
    centres = np.add.reduceat(vectors, begins, axis=0)
    lengths = np.linalg.norm(centres, axis=1)
    cosines = centres @ tools.embedder.embed_query(question) / np.where(lengths > 0, lengths, 1)
    near: Scores = _MEANING * np.clip(cosines, 0, 1) + (1 - _MEANING) * covered
    return near


@dataclass(frozen=True)
class Sections(Stage):
    """A stage that selects the `most` best sections, with all of their passages.

    The candidates are the primary sections of the best recordings on the curve. Those with the highest scores
    on the curve are judged by title, summary and vectors (see `likeness`), and by the best of their passages
    on the curve:

        score = 1/2 * best on the curve / best of all + 1/2 * likeness / best of all

    The best section is taken, and others that reach the share `least` of its score; a language model in the
    role "sections" chooses among them instead, if there is one. Moments are ranked, and each is a section; a
    section with passages out of scope may become several moments.
    """

    most: int = 2
    least: float = 0.85
    ranges: ClassVar = {"most": (1, inf), "least": (0, 1)}

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        curve = evidence.curve
        if curve is None or not len(curve.timeline):
            return evidence
        near = recordings_by_score(curve)[:_RECORDINGS]
        parts = [part for number in near for part in outline(curve.timeline, number, tools.store)]
        parts = sorted(parts, key=lambda part: -float(curve.score[part.at].max()))[:_JUDGED]
        if not parts:
            return evidence.with_moments(())
        scores = section_scores(evidence.question, parts, curve, tools)
        order = np.argsort(-scores, kind="stable")[: self.most].tolist()
        best = [at for at in order if scores[at] >= self.least * scores[order[0]]]
        named = choose("sections", evidence.question.text, [part.text for part in parts], tools.roles)
        moments = (
            m
            for at in (named or best)[: self.most]
            for m in moments_of(parts[at], curve, tools, float(scores[at]))
        )
        return replace(evidence, moments=tuple(moments))

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        titles = dict.fromkeys(m.passages[0].section or "a part without a name" for m in after.moments)
        return ", ".join(titles)


def section_scores(question: Question, parts: Sequence[Part], curve: Curve, tools: Tools) -> Scores:
    """Return the score of each part, in 0..1 (see `Sections`)."""
    heard = np.array([curve.score[part.at].max() for part in parts], np.float32)
    words = wording(subject(question.text), curve.timeline, tools.store)
    rows = [curve.timeline.rows[part.at] for part in parts]
    described = likeness(subject(question.text), words, [part.text for part in parts], rows, tools)
    scores: Scores = 0.5 * heard / max(float(heard.max()), 1e-9) + 0.5 * described / max(
        float(described.max()), 1e-9
    )
    return scores


def moments_of(part: Part, curve: Curve, tools: Tools, score: float) -> list[Moment]:
    """Return a part as one moment, or as several if the timeline leaves out passages of it."""
    index = dict(zip(curve.timeline.rows[part.at].tolist(), part.at.tolist(), strict=True))
    moments = []
    for passages in runs(tools.store.passages(curve.timeline.rows[part.at])):
        at = [index[passage.row] for passage in passages]
        scores = {name: float(signal[at].max()) for name, signal in curve.parts.items()}
        peak = int(curve.score[at].argmax())
        moments.append(Moment(passages, score, {**scores, "section": score}, peak))
    return moments


Place = tuple[str, Section]
"""A section with the id of its recording."""


EMPTY_KINDS = ("opening", "closing", "disclaimer", "advertisement")
"""Kinds of sections without anything about the subject."""
UNSUMMARIZED_KINDS = ("closing", "disclaimer", "advertisement")
"""Kinds of sections that a summary ignores. An opening is not one of them, as it may state the subject."""


def titles_of_kinds(recording: str, kinds: Collection[str], store: Snapshot) -> frozenset[str]:
    """Return the titles of a recording's sections of the given kinds."""
    return frozenset(section.title for section in store.sections(recording) if section.kind in kinds)


@dataclass(frozen=True)
class DropIrrelevant(Stage):
    """A stage that drops moments whose section is irrelevant, judged by the section of their best passage.

    A section is irrelevant if it is of one of `kinds`, or if its similarity (title, summary and vectors) is
    below `least` times that of the best. Moments without a section stay. At least `keep` moments stay, if
    necessary the best of those to drop. A language model in the role "filter" decides instead, if there is
    one.
    """

    kinds: tuple[str, ...] = EMPTY_KINDS
    least: float = 0.25
    keep: int = 3
    ranges: ClassVar = {"least": (0, 1), "keep": (0, inf)}

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        sections = [section_of(moment, tools) for moment in evidence.moments]
        places = list(dict.fromkeys(section for section in sections if section))
        descriptions = [description(section) for _, section in places]
        numbers = choose("filter", evidence.question.text, descriptions, tools.roles)
        if numbers:
            wanted = {None, *(places[number] for number in numbers)}
            pairs = zip(evidence.moments, sections, strict=True)
            return evidence.with_moments(tuple(moment for moment, place in pairs if place in wanted))
        near = _nearness(places, descriptions, evidence, tools)
        enough = self.least * max(near.values(), default=0.0)
        good = [s is None or (s[1].kind not in self.kinds and near[s] >= enough) for s in sections]
        spare = self.keep - sum(good)
        relevant = []
        for moment, is_good in zip(evidence.moments, good, strict=True):
            if is_good or spare > 0:
                relevant.append(moment)
                spare -= not is_good
        return evidence.with_moments(tuple(relevant))

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        dropped = len(before.moments) - len(after.moments)
        return f"{dropped} dropped by their section" if dropped else ""


def _nearness(
    places: Sequence[Place], descriptions: Sequence[str], evidence: Evidence, tools: Tools
) -> dict[Place, float]:
    """Return the similarity of each section to the question (see `likeness`)."""
    if not places:
        return {}
    text = subject(evidence.question.text)
    words = wording(text, tools.store.timeline(evidence.question.scope), tools.store)
    talks = [tools.store.transcript(name, section.first, section.last) for name, section in places]
    rows = [np.array([passage.row for passage in talk], np.int64) for talk in talks]
    return dict(zip(places, likeness(text, words, descriptions, rows, tools).tolist(), strict=True))


def section_of(moment: Moment, tools: Tools) -> Place | None:
    """Return the narrowest section that contains the best passage of a moment, or None."""
    position = moment.passages[moment.peak].position
    around = [s for s in tools.store.sections(moment.recording) if s.first <= position <= s.last]
    narrowest = min(around, key=lambda section: section.last - section.first, default=None)
    return (moment.recording, narrowest) if narrowest else None
