"""Which strategy a question takes."""

from __future__ import annotations

import re
from collections.abc import Collection

from onrecord.retrieve.plan.asked import Asked

_FULL = re.compile(
    r"\b(?:(?:full|whole|entire|complete) (?:transcript|recording|text)|everything (?:that )?(?:was |is "
    r")?said|word for word|"
    r"transcription (?:complete|integrale)|texte integral|tout ce qui (?:a ete|est) dit|mot a mot)\b"
)
_SECTIONS = re.compile(
    r"\b(?:(?:the|which|what) (?:sections?|chapters?|agenda|parts)|section by section|prepared remarks|"
    r"management discussion|"
    r"(?:la|les|quelles?) (?:sections?|chapitres?|parties)|ordre du jour)\b"
)
_STORY = 40
"""A question of more words tells what it is about; it needs no searching widely."""
OTHERWISE = "balanced"
"""The way of a question for which no other is better."""


def route(asked: Asked, intent: str, bare: bool, sides: int, strategies: Collection[str]) -> str:
    """The name of the strategy: the first that fits and exists, else "balanced".

    A question that names no subject gets an overview of its scope; a summary of a subject is best served by
    the moments that speak of it.
    """
    return next((name for name in _wishes(asked, intent, bare, sides) if name in strategies), OTHERWISE)


def _wishes(asked: Asked, intent: str, bare: bool, sides: int) -> tuple[str, ...]:
    if _FULL.search(asked.low):
        return ("full", "overview")
    if bare:
        return ("overview", "summary")
    if _SECTIONS.search(asked.low):
        return ("section",)
    if intent == "comparison":
        return ("comparison",) if sides > 1 else ()
    return (intent,) if intent == "exploratory" and len(asked.text.split()) <= _STORY else ()
