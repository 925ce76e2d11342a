"""Which strategy a question takes."""

from __future__ import annotations

import re
from collections.abc import Collection

from onrecord.retrieve.plan.asked import Asked
from onrecord.retrieve.plan.known import Known
from onrecord.stores.base import Reader
from onrecord.types import Scope

_FULL = re.compile(
    r"\b(?:(?:full|whole|entire|complete) (?:transcript|recording|text)|everything (?:that )?(?:was |is )?said|word for word|"
    r"transcription (?:complete|integrale)|texte integral|tout ce qui (?:a ete|est) dit|mot a mot)\b"
)
_SECTIONS = re.compile(
    r"\b(?:(?:the|which|what) (?:sections?|chapters?|agenda|parts)|section by section|prepared remarks|management discussion|"
    r"(?:la|les|quelles?) (?:sections?|chapitres?|parties)|ordre du jour)\b"
)
_SHORT = 3000
"""Words of a recording that is summed up from all of it."""


def route(
    asked: Asked,
    intent: str,
    bare: bool,
    scope: Scope,
    known: Known,
    reader: Reader,
    strategies: Collection[str],
) -> str:
    """The name of the strategy: the first that fits and exists, else "balanced".

    Summaries of a whole recording take `full` where it is short and `summary` where it is long; summaries
    of a subject are best served by the moments that speak of it.
    """
    for name in _wishes(asked, intent, bare, scope, known):
        if name in strategies:
            return name
    return "balanced"


def _wishes(asked: Asked, intent: str, bare: bool, scope: Scope, known: Known) -> list[str]:
    one = [r for r in known.recordings if r.id in scope.recordings]
    if _FULL.search(asked.low):
        return ["full", "summary"]
    if _SECTIONS.search(asked.low):
        return ["section", "summary"]
    if intent == "summary" and bare:
        return ["full", "summary"] if len(one) == 1 and one[0].words <= _SHORT else ["summary"]
    return {"comparison": ["comparison"], "exploratory": ["exploratory"]}.get(intent, [])
