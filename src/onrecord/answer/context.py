"""The sources that a language model reads: numbered, recording by recording, within a budget of tokens.

The words of a transcript are data. Each passage stands on one line, without the characters of our marks. So
no passage can close the block that it stands in, begin a new source, or pass for one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from onrecord.answer.figures import TextContent, content_of
from onrecord.ingest.links import deep_link
from onrecord.models.prompts import as_data
from onrecord.retrieve.candidates.sections import paths
from onrecord.retrieve.candidates.whole import pieces
from onrecord.retrieve.moments.budget import around_peak, tokens_of
from onrecord.retrieve.moments.order import by_rank
from onrecord.retrieve.stage import Tools
from onrecord.types import Evidence, Moment, Passage, Recording, clock

_AROUND = 25  # words to show of the passage before a source and of the passage after it
_MARGIN = 250  # tokens of a source besides its passages: its title, its link, the words beside it
_SCORES = ("dense", "lexical", "rerank", "graph", "importance", "relevance", "read")
_CUT = 16  # tokens of the line that reports a cut


@dataclass(frozen=True)
class Source:
    """A moment that a model is shown as ``[Source number]``.

    `before` and `after` are the passages beside it, of which a few words are shown. `omitted` counts the
    moment's passages that did not fit. `section_paths` has the path "primary > secondary" for the title of a
    section. `scored` is whether the moment's scores are shown too.
    """

    number: int
    recording: Recording
    moment: Moment
    before: tuple[Passage, ...] = ()
    after: tuple[Passage, ...] = ()
    omitted: int = 0
    section_paths: Mapping[str, str] = field(default_factory=dict)
    scored: bool = False

    def section_path(self, passage: Passage) -> str | None:
        """Return the path of a passage's section, as "primary > secondary"; None without a section."""
        return self.section_paths.get(passage.section, passage.section) if passage.section else None

    @property
    def passages(self) -> tuple[Passage, ...]:
        """All passages that the source may be cited for, in order."""
        return (*self.before, *self.moment.passages, *self.after)

    @property
    def link(self) -> str | None:
        details = self.recording.details
        return deep_link(details.link, details.media, self.moment.start)

    @cached_property
    def content(self) -> TextContent:
        """The figures and terms of the source's passages, people, title and date."""
        details = self.recording.details
        texts = (passage.spoken for passage in self.passages)
        return content_of((*texts, self.recording.title, details.date or "", *details.people))

    def __str__(self) -> str:
        """Return the source as the model sees it: a line about its place, then one line for each passage.

        A passage's line begins with a bar, so that no passage can pass for one of our lines.
        """
        times = "-".join(clock(s) for s in (self.moment.start, self.moment.end) if s is not None)
        section = self.section_path(self.moment.passages[self.moment.peak])
        score = ""
        if self.scored:  # "score 0.82 (dense 0.61, lexical 0.40)"
            made_of = {name: value for name, value in self.moment.scores.items() if name in _SCORES}
            parts = ", ".join(f"{name} {value:.2f}" for name, value in made_of.items())
            score = f"score {self.moment.score:.2f}" + (f" ({parts})" if parts else "")
        head = (
            f"[Source {self.number}]",
            times,
            as_data(self.link or ""),
            as_data(f"in {section}" if section else ""),
            score,
        )
        lines = [" ".join(part for part in head if part)]
        before, after = (
            as_data(" ".join(passage.spoken for passage in passages)).split()
            for passages in (self.before, self.after)
        )
        shown = len(self.moment.passages)
        lines += [f"(before: {' '.join(before[-_AROUND:])})"] if before else []
        lines += [f"| {as_data(passage.spoken)}" for passage in self.moment.passages]
        lines += [f"(after: {' '.join(after[:_AROUND])})"] if after else []
        lines += [f"(cut: {shown} of its {shown + self.omitted} passages are shown)"] if self.omitted else []
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Context:
    """The sources for one call. `missing` counts the moments that did not fit at all."""

    sources: tuple[Source, ...]
    missing: int = 0

    @property
    def cut(self) -> int:
        """The number of sources that are not shown in full."""
        return sum(source.omitted > 0 for source in self.sources)

    def __str__(self) -> str:
        """Return all sources as one block.

        The block begins with ``<sources>`` and ends with ``</sources>``. Each recording's title, date and
        relevance stand above its sources.
        """
        lines, recording = ["<sources>"], None
        for source in self.sources:
            if source.recording.id != recording:
                recording = source.recording.id
                relevance = max(s.moment.score for s in self.sources if s.recording.id == recording)
                lines.append(_heading(source.recording, relevance))
            lines.append(str(source))
        return "\n".join([*lines, "</sources>"])


def context(evidence: Evidence, tools: Tools, tokens: int, scored: bool = False) -> Context:
    """Return the best moments that fit into `tokens`, counted by `tokens_of`, headings included.

    A moment that does not fit is cut to the passages around its best one, and a line says so. All moments of
    lower rank are then left out and counted. Recordings come in the order of their best moment. `scored` adds
    the moments' scores.
    """
    shown: list[Source] = []
    room, moments = tokens, by_rank(evidence.moments)
    for source in _sources(moments, tools, scored):
        fitting = _fitted(source, room)
        if fitting is not None:
            shown.append(fitting)
            room -= _cost(fitting)
        if fitting is None or fitting.omitted:
            break
    order = list(dict.fromkeys(source.recording.id for source in shown))
    shown.sort(key=lambda source: order.index(source.recording.id))
    numbered = tuple(replace(source, number=n) for n, source in enumerate(shown, 1))
    return Context(numbered, len(moments) - len(shown))


def contexts(evidence: Evidence, tools: Tools, tokens: int, scored: bool = False) -> tuple[Context, ...]:
    """Return all moments, in order, in as few contexts as have room for them within `tokens` each.

    Sources are numbered across all contexts. A moment that is too long becomes several sources, cut between
    passages.
    """
    most = max(1, tokens - _MARGIN)
    moments = [piece for moment in evidence.moments for piece in pieces(moment, most)]
    groups: list[list[Source]] = [[]]
    room = tokens
    for number, source in enumerate(_sources(moments, tools, scored), 1):
        source = replace(source, number=number)
        if groups[-1] and _cost(source) > room:
            groups.append([])
            room = tokens
        groups[-1].append(source)
        room -= _cost(source)
    return tuple(Context(tuple(group)) for group in groups if group)


def _sources(moments: Iterable[Moment], tools: Tools, scored: bool) -> Iterator[Source]:
    for moment in moments:
        recording = tools.store.recording(moment.recording)
        if recording is None:
            continue
        first, last = moment.passages[0].position, moment.passages[-1].position
        before = tools.store.transcript(recording.id, first - 1, first - 1) if first else []
        after = tools.store.transcript(recording.id, last + 1, last + 1)
        yield Source(
            number=99,  # the final number comes later: until then two digits count toward the budget
            recording=recording,
            moment=moment,
            before=tuple(before),
            after=tuple(after),
            section_paths=paths(tools.store.sections(recording.id)),
            scored=scored,
        )


def _fitted(source: Source, room: int) -> Source | None:
    """Return the source, cut if necessary; None if not even its best passage fits."""
    if _cost(source) <= room:
        return source
    of_passages = sum(tokens_of(f"| {as_data(p.spoken)}\n") for p in source.moment.passages)
    around = _cost(source) - of_passages + _CUT
    most = room - around
    for tokens in (most, most * 2 // 3, most // 3):  # speakers' names take room as well
        for cut in around_peak(source.moment, tokens, tokens_of):
            fitting = replace(source, moment=cut, omitted=len(source.moment.passages) - len(cut.passages))
            if _cost(fitting) <= room:
                return fitting
    return None


def _cost(source: Source) -> int:
    return tokens_of(f"{_heading(source.recording, 1.0)}\n{source}\n")


def _heading(recording: Recording, relevance: float) -> str:
    date = f" ({recording.details.date})" if recording.details.date else ""
    return f"# {as_data(recording.title + date)}, relevance {min(1.0, max(0.0, relevance)):.2f}"
