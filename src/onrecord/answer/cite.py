"""A quote as a citation: who said it, in which recording, at which second, with a link that opens there."""

from __future__ import annotations

import re
from dataclasses import replace

from onrecord.answer.quotes import Quote
from onrecord.ingest.links import deep_link
from onrecord.ingest.roles import roles_of
from onrecord.types import Citation, Recording, mark

_MARKS = re.compile(r"(“[^”]*”|« [^»]* »)|\[(\d{1,3})\]")
"""A quotation, whose words stay as they are, or the mark of a citation."""


def cited(
    quote: Quote, number: int, recording: Recording, confidence: float, section: str | None = None
) -> Citation:
    """The citation ``[number]`` of a quote; `confidence` in 0..1, `section` is the way to it."""
    details = recording.details
    return Citation(
        number=number,
        recording=recording,
        quote=quote.text,
        passages=quote.passages,
        speaker=quote.speaker,
        start=quote.start,
        end=quote.end,
        link=deep_link(details.link, details.media, quote.start),
        confidence=confidence,
        section=section or quote.passages[0].section,
        role=roles_of(recording).get(quote.speaker or ""),
    )


def renumbered(citations: tuple[Citation, ...], after: int) -> tuple[Citation, ...]:
    """Citations with numbers that follow others."""
    return tuple(replace(citation, number=citation.number + after) for citation in citations)


def restyled(text: str, style: str) -> str:
    """The text of an answer with its marks in one of `STYLES`; quotations keep theirs."""
    if style == "numbers":
        return text
    return _MARKS.sub(lambda found: found[1] or mark(int(found[2]), style), text)


def remarked(text: str, after: int) -> str:
    """The text of an answer with the marks of citations that follow others."""
    return _MARKS.sub(lambda found: found[1] or f"[{int(found[2]) + after}]", text)
