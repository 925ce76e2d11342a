"""What sort of recording it is, and the phrases that mark its parts, English and French.

A phrase is looked for in what is said, without regard to case. They are what chairs, operators and hosts
say everywhere; none is the name of a company or a show.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from onrecord.types import Details


def _any(*phrases: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(phrases)})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Genre:
    """How a sort of recording is known and what its parts are called.

    `signs` speak for it, where they stand in the first or last passages. `parts` mark passages that are of a
    kind wherever they stand; `opening` and `closing` mark the first and last ones; `topic` is the kind of
    everything between.
    """

    name: str
    signs: tuple[re.Pattern[str], ...]
    opening: re.Pattern[str]
    closing: re.Pattern[str]
    parts: Mapping[str, re.Pattern[str]]
    topic: str | None


EARNINGS = Genre(
    "earnings",
    signs=(
        _any(
            r"earnings (?:conference )?call",
            r"(?:results|investor) (?:conference )?call",
            r"quarterly results",
            r"résultats (?:annuels|semestriels|trimestriels|du (?:premier|deuxième|troisième|quatrième))",
        ),
        _any(r"forward[- ]looking (?:statements|information)", r"déclarations prospectives", r"safe harbor"),
        _any(
            r"(?:first|second|third|fourth|full)[- ](?:quarter|year)",
            r"fiscal (?:year|quarter|20)",
            r"(?:premier|deuxième|troisième|quatrième) trimestre",
            r"exercice 20",
        ),
        _any(
            r"question[- ]and[- ]answer (?:session|period)",
            r"séance de questions",
            r"questions (?:et|-) ?réponses",
        ),
        _any(r"non-?gaap", r"adjusted ebitda", r"earnings per share", r"chiffre d'affaires", r"résultat net"),
        _any(
            r"investors?\b",
            r"shareholders?\b",
            r"analysts?\b",
            r"dividend",
            r"ebitda",
            r"year[- ]o(?:n|ver)[- ]year",
            r"actionnaires?",
            r"dividende",
            r"marge opérationnelle",
        ),
        _any(r"listen-only", r"press (?:star|\*)", r"conférence téléphonique", r"appuyez sur"),
    ),
    opening=_any(
        r"forward[- ]looking",
        r"safe harbor",
        r"non-?gaap",
        r"listen-only",
        r"déclarations prospectives",
        r"turn (?:the |this )?(?:call|conference|floor|it) over",
        r"cède la parole",
        r"laisse la parole",
    ),
    closing=_any(
        r"no (?:further|more|other|additional) questions",
        r"(?:concludes?|concluded|conclusion of) (?:today's |our |the |this )",
        r"closing (?:remarks|comments)",
        r"(?:has|is) now concluded",
        r"may now disconnect",
        r"plus (?:de|d'autres?) questions?",
        r"(?:termine|conclut|clôt) (?:la|notre|cette)",
        r"mot de (?:la fin|conclusion)",
    ),
    parts={},
    topic=None,
)
TALK = Genre(
    "talk",
    signs=(
        _any(
            r"(?:this|my|today's|the) (?:talk|presentation|keynote)",
            r"(?:cette|ma) (?:présentation|conférence)",
        ),
        _any(
            r"(?:going to|gonna|like to|want to|here to) (?:talk|speak|tell you) (?:to you )?about",
            r"(?:vais|voudrais|allons) (?:vous )?(?:parler|présenter|montrer|raconter)",
        ),
        _any(r"my name is", r"je m'appelle", r"je suis (?:développeu|ingénieur|professeur|chercheu)"),
        _any(r"slides?\b", r"next slide", r"diapo", r"transparent suivant"),
        _any(
            r"questions from the (?:audience|room|floor)",
            r"applause",
            r"applaudissements",
            r"questions (?:de|dans) la salle",
        ),
    ),
    opening=_any(
        r"my name is",
        r"je m'appelle",
        r"(?:welcome|bienvenue)",
        r"(?:please )?welcome",
        r"thank you for (?:coming|having)",
        r"merci (?:d'être|de m'(?:avoir|inviter)|pour l'invitation)",
    ),
    closing=_any(
        r"thank you (?:very much|so much|all|everyone|for (?:coming|listening|your attention))",
        r"merci (?:beaucoup|à tous|pour votre attention|de votre attention)",
        r"that's (?:all|it) (?:from me|for today)",
    ),
    parts={
        "demo": _any(
            r"(?:live |quick |short )?demo\b",
            r"let me show you",
            r"i'll show you",
            r"démonstration",
            r"je vais vous montrer",
        ),
        "qa": _any(
            r"(?:take|have|any|time for|open (?:it )?(?:up )?for|first|next) "
            r"(?:a few |some |your |the )?questions?\b",
            r"questions from the",
            r"place aux questions",
            r"(?:des|vos|première|prochaine) questions?\b",
        ),
    },
    topic="talk",
)
PODCAST = Genre(
    "podcast",
    signs=(
        _any(r"podcast", r"balado"),
        _any(
            r"(?:this|last|next|today's|our first|an) (?:week's )?episode",
            r"(?:cet|dernier|prochain|d'un|nouvel) épisode",
        ),
        _any(
            r"welcome (?:back )?to (?:the |our |another )",
            r"(?:today's|my|our|special) guest",
            r"joined (?:today )?by",
            r"joining (?:me|us)",
            r"bienvenue (?:dans|sur|à tous)",
            r"(?:mon|notre) invitée?",
        ),
        _any(
            r"(?:this|the|our|my|your) show\b",
            r"(?:your|my|our) hosts?\b",
            r"co-?hosts?\b",
            r"(?:cette|notre) émission",
        ),
        _any(r"listeners?\b", r"show notes", r"subscribe", r"auditeur", r"auditrice", r"abonnez-vous"),
        _any(r"brought to you by", r"our (?:friends|sponsors?)", r"sponsor", r"soutenu par", r"partenaire"),
    ),
    opening=_any(
        r"welcome",
        r"i'm your host",
        r"(?:this|you're listening to) (?:is )?(?:the|a) ",
        r"bienvenue",
        r"bonjour (?:à tous|et)",
    ),
    closing=_any(
        r"thanks? (?:you )?(?:so much |again )?for (?:listening|tuning in|joining|coming on|being)",
        r"subscribe",
        r"(?:see|talk to|catch) you (?:next|again|soon)",
        r"until next time",
        r"next (?:week|episode)",
        r"merci (?:de nous avoir|d'avoir|pour votre écoute)",
        r"à (?:la prochaine|bientôt)",
        r"abonnez-vous",
    ),
    parts={
        "advertisement": _any(
            r"brought to you by",
            r"sponsored by",
            r"our sponsors?\b",
            r"(?:promo|discount|offer) code",
            r"use (?:the )?code",
            r"free trial",
            r"percent off",
            r"sign up (?:at|today|for free)",
            r"learn more at",
            r"code promo",
            r"soutenu par",
            r"nos partenaires",
            r"essai gratuit",
            r"% de réduction",
        ),
    },
    topic="interview",
)
MEETING = Genre(
    "meeting",
    signs=(
        _any(
            r"(?:this|the|our|today's|last|next|first|second) meeting",
            r"(?:cette|la|notre|prochaine|dernière) réunion",
            r"séance du conseil",
        ),
        _any(r"(?:on the|the|our|today's|first|next) agenda", r"ordre du jour"),
        _any(
            r"minutes (?:of|from)",
            r"(?:take|taking|the) (?:minutes|notes)",
            r"compte[- ]rendu",
            r"procès-verbal",
        ),
        _any(
            r"action (?:item|point)s?",
            r"any other business",
            r"motion",
            r"quorum",
            r"committee",
            r"council",
            r"comité",
            r"commission",
            r"conseil municipal",
        ),
        _any(
            r"(?:call(?:ed)?|come) to order",
            r"chair(?:man|woman|person)?\b",
            r"président(?:e)? de séance",
            r"la parole est",
        ),
        _any(r"project manager", r"kick[- ]?off", r"chef de projet"),
    ),
    opening=_any(
        r"call(?:ed)? (?:this |the )?(?:meeting )?to order",
        r"welcome",
        r"good (?:morning|afternoon|evening)",
        r"apologies",
        r"declarations? of interest",
        r"roll call",
        r"agenda",
        r"bienvenue",
        r"bonjour",
        r"ouvre la séance",
    ),
    closing=_any(
        r"adjourn(?:ed)?",
        r"(?:close|end|finish|conclude)s? (?:the|this|our) meeting",
        r"meeting (?:is )?(?:over|closed)",
        r"that's (?:it|all|everything)",
        r"see you (?:all )?(?:next|later|then)",
        r"thank you,? (?:all|everyone|everybody)",
        r"bye\b",
        r"lève la séance",
        r"séance (?:est )?levée",
        r"merci à tous",
        r"au revoir",
    ),
    parts={},
    topic="item",
)

DECISION = _any(
    r"(?:motion|amendment|resolution) (?:is |was )?(?:carrie[sd]|passe[sd]|adopted|approved|agreed)",
    r"all (?:those )?in favou?r",
    r"(?:we|we've|we have) (?:all )?(?:decided|agreed|resolved) (?:to|that|on)",
    r"so (?:we're|we are) (?:decided|agreed)",
    r"(?:that's|it's) (?:decided|settled)",
    r"let's (?:decide on|settle on)",
    r"(?:nous avons|on a|il est|c'est) (?:décidé|convenu|adopté)",
    r"(?:motion|proposition|résolution) (?:est )?adoptée",
)
"""A decision, as chairs and members put it."""

GENRES = (EARNINGS, PODCAST, MEETING, TALK)
_TOLD_BY = {
    EARNINGS.name: {"bank", "company", "ticker", "fiscal_year", "fiscal year", "quarter"},
    PODCAST.name: {"show", "episode", "podcast", "season"},
    MEETING.name: {"committee", "council", "meeting"},
    TALK.name: {"conference", "event", "track"},
}
"""Names of attributes, any of which is worth two signs."""
_ENDS = 6
"""Passages at the beginning and at the end in which signs are looked for."""


def genre_of(texts: Sequence[str], details: Details, voices: Sequence[str | None]) -> Genre | None:
    """The sort of recording: the one with most different signs in its title, its first and its last passages,
    at least two, and more than any other; None where that is not clear. `voices` says who speaks each
    passage: somebody who gives a talk says most of it."""
    ends = " ".join([details.title or "", *texts[:_ENDS], *texts[_ENDS:][-_ENDS:]])
    attributes = {name.casefold() for name in details.attributes}
    found = [
        (sum(bool(sign.search(ends)) for sign in g.signs) + 2 * bool(attributes & _TOLD_BY[g.name]), g)
        for g in GENRES
        if g is not TALK or _alone(voices)
    ]
    most = sorted((count for count, _ in found), reverse=True)
    return next(g for count, g in found if count == most[0]) if most[0] >= 2 and most[0] > most[1] else None


def _alone(voices: Sequence[str | None]) -> bool:
    (_, most), *_ = Counter(voices).most_common(1) or [(None, 0)]
    return most >= 0.6 * len(voices)
