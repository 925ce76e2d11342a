"""Quotes in paragraphs, and what stands above them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from onrecord.answer.confidence import SURE
from onrecord.answer.sides import Side, labels_of
from onrecord.types import Citation, PassageTimeline, Recording, one_line
from onrecord.understand.lexicon import Messages

_NOBODY: Mapping[int, str] = {}


def heading_for(
    verdict: str,
    sure: float,
    whole: bool,
    citations: Sequence[Citation],
    timeline: PassageTimeline,
    said: Messages,
) -> str:
    """What to think of it, in a line; `whole` where all of a recording was asked for. Without citations
    nothing was found, whatever the verdict."""
    titles = list(dict.fromkeys(one_line(c.recording.title) for c in citations))
    if verdict == "nothing_found" or not titles:
        return said.say("nothing_found", searched=said.say("searched", len(timeline.names)))
    if verdict == "low_relevance":
        return said.say("low_relevance", searched=said.say("searched", len(timeline.names)))
    if verdict == "low_diversity":
        return said.say("low_diversity", len(titles), times=len(citations))
    key = "outlined" if whole else "sure" if sure >= SURE else "likely"
    return said.say(key, len(titles), title=titles[0])


def quoted(
    citations: Sequence[Citation], verdict: str, said: Messages, labels: Mapping[int, str] | None = None
) -> str:
    """The quotes, each with its mark, in a paragraph for each of the `labels`, which are by the number of a
    citation, under its label, unless that is who says all of it; by default a paragraph a recording."""
    if verdict == "low_diversity":
        again = said.introduced(said.say("told_again"), " ".join(f"[{c.number}]" for c in citations[1:]))
        return "\n".join((*_lines(citations[:1], said), again))
    known = labels_for(citations, (), False) if labels is None else labels
    paragraphs = []
    for label, some in groupby(citations, key=lambda c: known[c.number]):
        group = list(some)
        told = not label or {one_line(c.speaker or "") for c in group} == {label}
        paragraphs.append("\n".join((*([] if told else [said.introduced(label)]), *_lines(group, said))))
    return "\n\n".join(paragraphs)


def labels_for(
    citations: Sequence[Citation], sides: Sequence[Side], outline: bool, owners: Mapping[int, str] = _NOBODY
) -> dict[int, str]:
    """What stands above each citation: the side of a comparison; the recording where there are several, and
    in an outline the section; of `owners` who is to do what is quoted."""
    if sides:
        return {number: one_line(label) for number, label in labels_of(citations, sides).items()}
    several = len({c.recording.id for c in citations}) > 1
    labels = {}
    for citation in citations:
        recording = [_dated(citation.recording)] if several else []
        section = [one_line(citation.section)] if outline and citation.section else []
        owner = [one_line(owners[citation.number])] if citation.number in owners else []
        labels[citation.number] = ", ".join(recording + section + owner)
    return labels


def _lines(citations: Iterable[Citation], said: Messages) -> list[str]:
    """``Ann Bell: “...” [1] “...” [2]``, a line for each change of speaker."""
    lines = []
    for speaker, group in groupby(citations, key=lambda c: c.speaker):
        quotes = " ".join(f"{said.quote(one_line(c.quote))} [{c.number}]" for c in group)
        lines.append(said.introduced(one_line(speaker), quotes) if speaker else quotes)
    return lines


def _dated(recording: Recording) -> str:
    title, date = one_line(recording.title), one_line(recording.details.date or "")
    return title if date in title else f"{title} ({date})"
