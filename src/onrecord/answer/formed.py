"""An answer in the form in which it is wanted: its marks, words around its quotes, what to ask instead."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice

from onrecord.answer.cite import restyled
from onrecord.answer.conversation import follow_ups
from onrecord.answer.verify import verbatim
from onrecord.stores.base import Reader
from onrecord.types import Answer, Citation, Event, FaqHit, Passage


@dataclass(frozen=True, slots=True)
class Look:
    """`style` is one of `STYLES`; `context` counts words before and after each quote; `suggestions` are
    questions at most that are suggested where nothing answers; `budgets` are seconds by part of the work."""

    style: str = "numbers"
    context: int = 0
    suggestions: int = 3
    budgets: Mapping[str, float] = field(default_factory=dict)


def formed(pieces: Iterable[Event], look: Look, store: Reader, faq: FaqHit | None = None) -> Iterator[Event]:
    """The pieces of an answer as they come, each in the form that is wanted; the answer with what the FAQ
    said before it, if it was asked."""
    around: dict[int, Citation] = {}
    for piece in pieces:
        if isinstance(piece, Citation):
            around[piece.number] = piece = in_context(piece, look.context, store)
        elif isinstance(piece, str) and look.style != "numbers":
            piece = restyled(piece, look.style)
        elif isinstance(piece, Answer):
            piece = replace(_answer(piece, around, look, store), faq=faq)
        yield piece


def _answer(answer: Answer, around: Mapping[int, Citation], look: Look, store: Reader) -> Answer:
    next_ones = follow_ups(answer, store) if answer.verdict in ("low_relevance", "nothing_found") else ()
    return replace(
        answer,
        text=restyled(answer.text, look.style),
        citations=tuple(
            replace(c, before=around[c.number].before, after=around[c.number].after)
            if c.number in around
            else c
            for c in answer.citations
        ),
        style=look.style,
        suggestions=tuple(each.text for each in islice(next_ones, look.suggestions)),
        budgets=look.budgets,
    )


def in_context(citation: Citation, words: int, store: Reader) -> Citation:
    """The citation with so many words from before and after its quote, of the same recording."""
    place = verbatim(citation.quote, citation.passages, citation.start) if words else None
    if place is None:
        return citation
    first, last = place.passages[0], place.passages[-1]
    before = first.text[: place.begin].split()
    after = last.text[place.end :].split()
    if len(before) < words:
        before = [*_beside(store, first, -1), *before]
    if len(after) < words:
        after = [*after, *_beside(store, last, 1)]
    return replace(citation, before=" ".join(before[-words:]), after=" ".join(after[:words]))


def _beside(store: Reader, passage: Passage, step: int) -> list[str]:
    """The words of the passage before or after another one."""
    at = passage.position + step
    found = store.transcript(passage.recording, at, at) if at >= 0 else []
    return found[0].text.split() if found else []
