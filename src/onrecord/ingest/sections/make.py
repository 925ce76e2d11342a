"""Sections of a recording: the source's chapters with kinds and summaries, or parts by topic."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from onrecord.ingest.sections.genres import EARNINGS, Genre, genre_of
from onrecord.ingest.sections.judge import importance, links
from onrecord.ingest.sections.kinds import Span, kind_of, outline, parts_of
from onrecord.ingest.sections.titles import Titles, summarize
from onrecord.ingest.sections.topics import Topics
from onrecord.ingest.sections.words import Words
from onrecord.types import Details, Passage, Section

if TYPE_CHECKING:
    from onrecord.types import Scores, Vectors

_MIN_SECTIONS = 2
"""Fewest sections of a recording. A single section would only be a heading over everything."""


def make_sections(
    passages: Sequence[Passage], named: Sequence[Section], vectors: Vectors | None, details: Details
) -> tuple[list[Passage], list[Section]]:
    """Return passages with section, importance, `before` and `after`, and sections with kind and summary.

    A source's own chapters are kept, and get a kind from their titles. Without chapters, passages are divided
    by topic, and in recordings of a known genre by purpose: see docs/sections.md. A section comes before the
    sections within it. `named` are the source's own sections, with positions of passages; `vectors` have unit
    length and the shape (passages, dimensions), or are None without a model.
    """
    if not passages:
        return [], list(named)
    words = Words(passages)
    rows = words.matrix() if vectors is None else vectors
    language = details.language or "en"
    genre = genre_of([p.text for p in passages], details, [p.speaker for p in passages])
    speakers = {name for p in passages for name in (p.speaker, *(v for _, v in p.voices)) if name}
    titles = Titles(words, language, (s.title for s in named), speakers)
    if len(named) >= _MIN_SECTIONS:
        sections = list(_chapters(named, passages, genre, titles))
    else:
        begins = Topics().begins(passages, words, vectors)
        sections = [replace(s, kind=s.kind or kind_of(s.title)) for s in named]
        for made in _sections(outline(passages, begins, genre), passages, titles):
            # each goes under the source's section that contains it
            around = (g.title for g in named if g.first <= made.first and made.last <= g.last)
            sections.append(replace(made, under=made.under or next(around, None)))
    worth = importance(passages, words, rows)
    summarized: list[Section] = []
    for section in sections:
        inside = passages[max(section.first, 0) : section.last + 1]
        if inside and not section.summary:
            section = replace(section, summary=summarize(inside, words, rows, worth, language))
        summarized.append(section)
    return _with_importance(passages, sections, worth, rows), summarized


def _chapters(
    named: Sequence[Section], passages: Sequence[Passage], genre: Genre | None, titles: Titles
) -> Iterator[Section]:
    """Yield the source's own sections with kinds.

    In an earnings call, their parts follow, unless the source's sections are nested already.
    """
    ordered = sorted(named, key=lambda s: (s.first, -s.last))
    nested = any(b.last <= a.last for a, b in pairwise(ordered))
    for section in named:
        kind = section.kind or kind_of(section.title)
        yield replace(section, kind=kind)
        if genre is EARNINGS and not nested and section.first >= 0:
            for part in parts_of(kind, passages, section.first, section.last):
                yield replace(_section(part, passages, titles), under=section.title)


def _sections(outline: Sequence[Span], passages: Sequence[Passage], titles: Titles) -> Iterator[Section]:
    """Yield a section for every span and every part of it; nothing if there is only one span."""
    if len(outline) < _MIN_SECTIONS:
        return
    for span in outline:
        section = _section(span, passages, titles)
        yield section
        for part in span.parts:
            yield replace(_section(part, passages, titles), under=section.title)


def _section(span: Span, passages: Sequence[Passage], titles: Titles) -> Section:
    ends = [p.end for p in passages[span.first : span.last + 1] if p.end is not None]
    return Section(
        title=titles.of(span),
        start=passages[span.first].start,
        end=max(ends, default=None),
        first=span.first,
        last=span.last,
        kind=span.kind,
    )


def _with_importance(
    passages: Sequence[Passage], sections: Sequence[Section], worth: Scores, rows: Vectors
) -> list[Passage]:
    borders = sorted({section.first for section in sections if not section.under})
    before, after = links(passages, rows, borders)
    titles: list[str | None] = [None] * len(passages)
    for section in sorted(sections, key=lambda s: s.first - s.last):  # the innermost come last and win
        for at in range(max(section.first, 0), min(section.last + 1, len(passages))):
            titles[at] = section.title
    return [
        replace(
            passage,
            section=titles[at] or passage.section,
            importance=round(float(worth[at]), 4),
            before=round(float(before[at]), 4),
            after=round(float(after[at]), 4),
        )
        for at, passage in enumerate(passages)
    ]
