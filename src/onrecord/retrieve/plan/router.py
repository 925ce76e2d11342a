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
_AUX = r"(?:is|are|was|were|do|does|did|will|would|can|could|has|have|had|should)"
_FIGURE = (
    r"(?:year|month|day|date|time|hour|number|percent|percentage|share|price|cost|amount|age|name|city|country|"
    r"town|size|height|rate|salary|budget|version|temperature|distance)"
)
_CHIFFRE = (
    r"(?:annee|mois|jour|date|heure|nombre|pourcentage|part|prix|cout|montant|age|nom|ville|pays|taille|hauteur|"
    r"taux|salaire|budget|version|temperature|distance)"
)
_ONE_LINE = re.compile(
    r"^(?:(?:so|and|but|now|et|mais|alors),? )?(?:"
    rf"who(?:se|m)?\b|(?:when|where) {_AUX}\b|"
    r"how (?:many|much|long|old|far|often|big|large|high|tall|deep|wide|fast|heavy|loud|hot|cold|late|"
    r"early|soon)\b|"
    rf"(?:(?:in|at|on|by|from|up to|to|for) )?(?:what|which) (?:\w+ )?{_FIGURE}\b|"
    rf"what (?:is|was|are|were) (?:the|his|her|their|its) (?:\w+ )?{_FIGURE}\b|which \w+(?: \w+)? {_AUX}\b|"
    r"by how much\b|qui\b|quand\b|ou (?:est|sont|a|ont|se)\b|(?:de )?combien\b|"
    rf"(?:(?:a|en|de|pour|depuis) )?quel(?:le)?s? (?:est (?:le |la |l'))?(?:\w+ )?{_CHIFFRE}\b)"
)
"""A person, a place, a day, a number: what one line tells."""
_MANY = re.compile(
    r"\b(?:sa(?:y|ys|id)|talk\w*|sp(?:eak|oke)\w*|mention\w*|discuss\w*|think\w*|thought|argu\w+|(?:dis)?agree\w*|"
    r"believ\w+|feel\w*|di(?:t|sent)|parl\w+|pens\w+|evoqu\w+|each|every|all|chaque|tous|toutes)\b"
)
"""Words of a question to which anybody may have spoken, at any length: "who talks about tariffs?", "how many
shops has each of them?"."""
_EACH = re.compile(
    r"(?:(?!\b(?:about|on|regarding|concerning|against|answer\w*|respon\w+|repl\w+|sur|repond\w*)\b).)*"
    r"\b(?:and|or|et|ou|as well as|ainsi que)\b"
)
"""Names side by side, before what they are asked about: "what did Ann and Bo say about rates", and not "how
did Ann answer Bo on rates and tariffs"."""
_LINE = 25
"""A question of more words is hardly answered in one line."""
_STORY = 40
"""A question of more words tells what it is about; it needs no searching widely."""
OTHERWISE = "balanced"
"""The way of a question for which no other is better."""


def route(
    asked: Asked,
    text: str,
    intent: str,
    bare: bool,
    sides: int,
    strategies: Collection[str],
    *,
    acts: bool = False,
    given: bool = False,
) -> str:
    """The name of the strategy: the first that fits and exists, else "balanced". `text` is what is left of
    the question to search for; `acts` is true where it asks for what is done in speaking and nothing else,
    `given` where the user said what the intent is: then it alone decides.

    A question that names no subject gets an overview of its scope; a summary of a subject is best served by
    the moments that speak of it.
    """
    wishes = ("acts",) * acts + _wishes(asked, text, intent, bare, sides)
    wishes = _given(intent, bare, sides) if given else wishes
    return next((name for name in wishes if name in strategies), OTHERWISE)


def _given(intent: str, bare: bool, sides: int) -> tuple[str, ...]:
    """The way of the same name, that of a comparison for several people or things; an overview for a summary
    of no subject."""
    if intent == "multi_entity" and sides > 1:
        return ("comparison",)
    return ("overview",) * (bare and intent == "summary") + (intent,)


def _wishes(asked: Asked, text: str, intent: str, bare: bool, sides: int) -> tuple[str, ...]:
    if _FULL.search(asked.low):
        return ("full", "overview")
    if bare:
        return ("overview", "summary")
    if _SECTIONS.search(asked.low):
        return ("section",)
    if intent == "comparison" or (intent == "multi_entity" and _EACH.match(asked.low)):
        return ("comparison",) if sides > 1 else ()
    if intent == "factual" and sides < 2 and _wants_one_line(Asked.of(text)):
        return ("factual",)
    return (intent,) if intent == "exploratory" and len(asked.text.split()) <= _STORY else ()


def _wants_one_line(asked: Asked) -> bool:
    """Whether a line answers the question, so that a chapter need not be read for it."""
    short = len(asked.text.split()) <= _LINE
    return short and bool(_ONE_LINE.search(asked.low)) and not _MANY.search(asked.low)
