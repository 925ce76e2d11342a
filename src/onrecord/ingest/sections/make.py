"""Sections made of passages: where a recording has none of its own, and what each of its own is about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from onrecord.ingest.sections.genres import EARNINGS, Genre, genre_of
from onrecord.ingest.sections.judge import importance, links
from onrecord.ingest.sections.kinds import Span, parts_of, spans
from onrecord.ingest.sections.named import kind_of
from onrecord.ingest.sections.summaries import summary
from onrecord.ingest.sections.titles import Titles
from onrecord.ingest.sections.topics import Topics
from onrecord.ingest.sections.words import Words
from onrecord.types import Details, Passage, Section

if TYPE_CHECKING:
    from onrecord.types import Scores, Vectors

_CHAPTERS = 2
"""Sections of a source that are its chapters; a single one is but a heading over all of it."""


@dataclass(frozen=True, slots=True)
class Sectioner:
    """Makes sections, judges passages. See docs/sections.md.

    A source's own chapters are kept, and told by their titles what kind they are of. Where it has none, its
    passages are parted by topic, and in recordings of a known sort by what the parts are for.
    """

    topics: Topics = field(default_factory=Topics)

    def make(
        self,
        passages: Sequence[Passage],
        given: Sequence[Section],
        vectors: Vectors | None,
        details: Details,
    ) -> tuple[list[Passage], list[Section]]:
        """The passages with their section, importance, `before` and `after`, and all sections, each with its
        kind and summary, primary ones before those within them. `given` are the source's own, placed on the
        passages; `vectors` has a unit row a passage, None where there is no model."""
        if not passages:
            return [], list(given)
        words = Words(passages)
        rows = words.matrix() if vectors is None else vectors
        language = details.language or "en"
        genre = genre_of([p.text for p in passages], details, [p.speaker for p in passages])
        titles = Titles(words, language, (s.title for s in given), _everybody(passages))
        if len(given) >= _CHAPTERS:
            sections = list(_chapters(given, passages, genre, titles))
        else:
            begins = self.topics.begins(passages, words, vectors)
            made = _sections(spans(passages, begins, genre), passages, titles)
            own = [replace(s, kind=s.kind or kind_of(s.title)) for s in given]
            sections = own + [replace(s, under=s.under or _around(s, given)) for s in made]
        worth = importance(passages, words, rows)
        judged = _judged(passages, sections, worth, rows)
        return judged, [_summed_up(s, passages, words, rows, worth, language) for s in sections]


def _chapters(
    given: Sequence[Section], passages: Sequence[Passage], genre: Genre | None, titles: Titles
) -> Iterator[Section]:
    """The source's own sections with their kinds; in an earnings call with what they are made of, unless
    the source itself says that."""
    nested = any(a is not b and a.first <= b.first and b.last <= a.last for a in given for b in given)
    for section in given:
        kind = section.kind or kind_of(section.title)
        yield replace(section, kind=kind)
        if genre is EARNINGS and not nested and section.first >= 0:
            for part in parts_of(kind, passages, section.first, section.last):
                yield replace(_section(part, passages, titles), under=section.title)


def _sections(found: Sequence[Span], passages: Sequence[Passage], titles: Titles) -> Iterator[Section]:
    """A section for every part and for every part of it; one part alone needs no name."""
    if len(found) < _CHAPTERS:
        return
    for span in found:
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


def _around(section: Section, given: Sequence[Section]) -> str | None:
    """The title of the source's own section that a made one lies in."""
    return next((g.title for g in given if g.first <= section.first and section.last <= g.last), None)


def _judged(
    passages: Sequence[Passage], sections: Sequence[Section], worth: Scores, rows: Vectors
) -> list[Passage]:
    borders = sorted({section.first for section in sections if not section.under})
    before, after = links(passages, rows, borders)
    inside = _innermost(sections, len(passages))
    return [
        replace(
            passage,
            section=inside[at] or passage.section,
            importance=round(float(worth[at]), 4),
            before=round(float(before[at]), 4),
            after=round(float(after[at]), 4),
        )
        for at, passage in enumerate(passages)
    ]


def _innermost(sections: Sequence[Section], count: int) -> list[str | None]:
    """For each passage the title of the smallest section that it lies in."""
    titles: list[str | None] = [None] * count
    for section in sorted(sections, key=lambda s: s.first - s.last):
        for at in range(max(section.first, 0), min(section.last + 1, count)):
            titles[at] = section.title
    return titles


def _summed_up(
    section: Section,
    passages: Sequence[Passage],
    words: Words,
    rows: Vectors,
    worth: Scores,
    language: str,
) -> Section:
    inside = passages[max(section.first, 0) : section.last + 1]
    if section.summary or not inside:
        return section
    return replace(section, summary=summary(inside, words, rows, worth, language))


def _everybody(passages: Sequence[Passage]) -> set[str]:
    """Who speaks: their names tell nothing of what is talked about."""
    return {name for p in passages for name in (p.speaker, *(v for _, v in p.voices)) if name}
