"""What is said to somebody and asks nothing: "hello", "thanks", "test". It gets a word back, not a search."""

from __future__ import annotations

from collections.abc import Sequence

from onrecord.answer.phrases import phrases
from onrecord.stores.base import Reader
from onrecord.types import Answer, Evidence, Exchange, Question, one_line

_LONGEST = 60
"""Characters: what is longer asks something."""


def courtesy(text: str) -> tuple[str, str] | None:
    """The language and the kind of what is said out of courtesy, or to try whether somebody is there:
    ("en", "greeting") for "Hello!"; of several, those of the first. None for all that asks something."""
    from onrecord.understand.intents import courtesies  # examples take a while: only where somebody asks
    from onrecord.understand.tokens import words

    left = words(text) if len(text) <= _LONGEST else ()
    known, first = courtesies(), None
    most = max(map(len, known))
    while left:
        size = next((n for n in range(min(most, len(left)), 0, -1) if left[:n] in known), 0)
        if not size:
            return None
        first = first or known[left[:size]]
        left = left[size:]
    return first


def answered(question: Question, store: Reader) -> Answer | None:
    """The word back: what can be asked, with a recording in scope as the example, in its language if there is
    one. None where something is asked. Nothing was searched: there are no moments and no citations."""
    said = courtesy(question.text)
    if said is None:
        return None
    language, kind = said
    words, there = phrases(language), store.recordings(question.scope)
    told = words.empty_scope if question.scope else words.empty_archive
    if there:
        example = next((r for r in there if (r.details.language or "").startswith(language)), there[0])
        told = words.can_ask(len(there), one_line(example.title))
    heading = f"{words.replies[kind]} {told}"
    return Answer(question.text, heading, "", "nothing_found", (), Evidence(question))


def asking(history: Sequence[Exchange]) -> tuple[Exchange, ...]:
    """The turns of a conversation that ask something, which later ones may lean on."""
    return tuple(turn for turn in history if courtesy(turn.question) is None)
