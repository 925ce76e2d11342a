"""Kinds of sections by their titles in the source, English and French."""

from __future__ import annotations

import re

_TITLES = {
    "qa": r"q ?(?:&|and|\+|/) ?a|questions?(?: and answers| et réponses|[- ]réponses)?",
    "opening": r"intro(?:duction)?|opening|welcome|ouverture|accueil|bienvenue|cold open",
    "closing": r"outro|closing|conclusion|wrap[- ]?up|goodbye|farewell|clôture|au revoir|credits|fin",
    "demo": r"(?:live )?demo(?:nstration)?|démo(?:nstration)?",
    "advertisement": r"(?:ad|sponsor|advert|advertisement|our sponsor|publicité|partenaire)s?",
    "discussion": r"(?:management|prepared) (?:discussion|remarks|presentation)|présentation de la direction",
    "decision": r"decisions?|décisions?|votes?",
}
_KINDS = {
    kind: re.compile(rf"(?:the |la |le |les )?(?:{titles})", re.IGNORECASE)
    for kind, titles in _TITLES.items()
}


def kind_of(title: str) -> str | None:
    """Return the kind that a title names, also before a colon or "with"; else None.

    "Sponsor: Acme" is an advertisement, "Why demos fail" is nothing.
    """
    name = re.split(r"[:\u2013\u2014|(]| - | with | from | avec | de ", title, maxsplit=1)[0].strip(
        " .!#0123456789"
    )
    return next((kind for kind, titles in _KINDS.items() if titles.fullmatch(name)), None)
