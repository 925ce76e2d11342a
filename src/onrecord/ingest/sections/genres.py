"""Genres of recordings, and the phrases that mark their parts, English and French.

Phrases match the words of passages without regard to case. Chairs, operators and hosts use them everywhere;
none is the name of a company or a show.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter

from onrecord.types import Details


def _any(phrases: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{phrases})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Genre:
    """A genre of recordings: its signs and its kinds of parts.

    `signs` in the first or last passages speak for it. `parts` mark passages of a kind anywhere, `opening`
    and `closing` the first and last ones; `topic` is the kind of all between.
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
            "earnings (?:conference )?call|(?:results|investor) (?:conference )?call|quarterly results|"
            "résultats (?:annuels|semestriels|trimestriels|du (?:premier|deuxième|troisième|quatrième))"
        ),
        _any("forward[- ]looking (?:statements|information)|déclarations prospectives|safe harbor"),
        _any(
            "(?:first|second|third|fourth|full)[- ](?:quarter|year)|fiscal (?:year|quarter|20)|"
            "(?:premier|deuxième|troisième|quatrième) trimestre|exercice 20"
        ),
        _any("question[- ]and[- ]answer (?:session|period)|séance de questions|questions (?:et|-) ?réponses"),
        _any("non-?gaap|adjusted ebitda|earnings per share|chiffre d'affaires|résultat net"),
        _any(
            r"investors?\b|shareholders?\b|analysts?\b|dividend|ebitda|year[- ]o(?:n|ver)[- ]year|"
            "actionnaires?|dividende|marge opérationnelle"
        ),
        _any(r"listen-only|press (?:star|\*)|conférence téléphonique|appuyez sur"),
    ),
    opening=_any(
        "forward[- ]looking|safe harbor|non-?gaap|listen-only|déclarations prospectives|"
        "turn (?:the |this )?(?:call|conference|floor|it) over|cède la parole|laisse la parole"
    ),
    closing=_any(
        "no (?:further|more|other|additional) questions|"
        "(?:concludes?|concluded|conclusion of) (?:today's |our |the |this )|closing (?:remarks|comments)|"
        "(?:has|is) now concluded|may now disconnect|plus (?:de|d'autres?) questions?|"
        "(?:termine|conclut|clôt) (?:la|notre|cette)|mot de (?:la fin|conclusion)"
    ),
    parts={},
    topic=None,
)
TALK = Genre(
    "talk",
    signs=(
        _any(
            "(?:this|my|today's|the) (?:talk|presentation|keynote)|(?:cette|ma) (?:présentation|conférence)"
        ),
        _any(
            "(?:going to|gonna|like to|want to|here to) (?:talk|speak|tell you) (?:to you )?about|"
            "(?:vais|voudrais|allons) (?:vous )?(?:parler|présenter|montrer|raconter)"
        ),
        _any("my name is|je m'appelle|je suis (?:développeu|ingénieur|professeur|chercheu)"),
        _any(r"slides?\b|next slide|diapo|transparent suivant"),
        _any(
            "questions from the (?:audience|room|floor)|applause|applaudissements|"
            "questions (?:de|dans) la salle"
        ),
    ),
    opening=_any(
        "my name is|je m'appelle|(?:welcome|bienvenue)|(?:please )?welcome|thank you for (?:coming|having)|"
        "merci (?:d'être|de m'(?:avoir|inviter)|pour l'invitation)"
    ),
    closing=_any(
        "thank you (?:very much|so much|all|everyone|for (?:coming|listening|your attention))|"
        "merci (?:beaucoup|à tous|pour votre attention|de votre attention)|"
        "that's (?:all|it) (?:from me|for today)"
    ),
    parts={
        "demo": _any(
            r"(?:live |quick |short )?demo\b|let me show you|i'll show you|démonstration|"
            "je vais vous montrer"
        ),
        "qa": _any(
            "(?:take|have|any|time for|open (?:it )?(?:up )?for|first|next) "
            r"(?:a few |some |your |the )?questions?\b|"
            r"questions from the|place aux questions|(?:des|vos|première|prochaine) questions?\b"
        ),
    },
    topic="talk",
)
PODCAST = Genre(
    "podcast",
    signs=(
        _any("podcast|balado"),
        _any(
            "(?:this|last|next|today's|our first|an) (?:week's )?episode|"
            "(?:cet|dernier|prochain|d'un|nouvel) épisode"
        ),
        _any(
            "welcome (?:back )?to (?:the |our |another )|(?:today's|my|our|special) guest|"
            "joined (?:today )?by|joining (?:me|us)|bienvenue (?:dans|sur|à tous)|(?:mon|notre) invitée?"
        ),
        _any(
            r"(?:this|the|our|my|your) show\b|(?:your|my|our) hosts?\b|co-?hosts?\b|"
            "(?:cette|notre) émission"
        ),
        _any(r"listeners?\b|show notes|subscribe|auditeur|auditrice|abonnez-vous"),
        _any("brought to you by|our (?:friends|sponsors?)|sponsor|soutenu par|partenaire"),
    ),
    opening=_any(
        "welcome|i'm your host|(?:this|you're listening to) (?:is )?(?:the|a) |bienvenue|"
        "bonjour (?:à tous|et)"
    ),
    closing=_any(
        "thanks? (?:you )?(?:so much |again )?for (?:listening|tuning in|joining|coming on|being)|"
        "subscribe|(?:see|talk to|catch) you (?:next|again|soon)|until next time|next (?:week|episode)|"
        "merci (?:de nous avoir|d'avoir|pour votre écoute)|à (?:la prochaine|bientôt)|abonnez-vous"
    ),
    parts={
        "advertisement": _any(
            r"brought to you by|sponsored by|our sponsors?\b|(?:promo|discount|offer) code|"
            "use (?:the )?code|free trial|percent off|sign up (?:at|today|for free)|learn more at|"
            "code promo|soutenu par|nos partenaires|essai gratuit|% de réduction"
        ),
    },
    topic="interview",
)
MEETING = Genre(
    "meeting",
    signs=(
        _any(
            "(?:this|the|our|today's|last|next|first|second) meeting|"
            "(?:cette|la|notre|prochaine|dernière) réunion|séance du conseil"
        ),
        _any("(?:on the|the|our|today's|first|next) agenda|ordre du jour"),
        _any("minutes (?:of|from)|(?:take|taking|the) (?:minutes|notes)|compte[- ]rendu|procès-verbal"),
        _any(
            "action (?:item|point)s?|any other business|motion|quorum|committee|council|comité|commission|"
            "conseil municipal"
        ),
        _any(
            r"(?:call(?:ed)?|come) to order|chair(?:man|woman|person)?\b|président(?:e)? de séance|"
            "la parole est"
        ),
        _any("project manager|kick[- ]?off|chef de projet"),
    ),
    opening=_any(
        "call(?:ed)? (?:this |the )?(?:meeting )?to order|welcome|good (?:morning|afternoon|evening)|"
        "apologies|declarations? of interest|roll call|agenda|bienvenue|bonjour|ouvre la séance"
    ),
    closing=_any(
        "adjourn(?:ed)?|(?:close|end|finish|conclude)s? (?:the|this|our) meeting|"
        "meeting (?:is )?(?:over|closed)|that's (?:it|all|everything)|see you (?:all )?(?:next|later|then)|"
        r"thank you,? (?:all|everyone|everybody)|bye\b|lève la séance|séance (?:est )?levée|merci à tous|"
        "au revoir"
    ),
    parts={},
    topic="item",
)

DECISION = _any(
    "(?:motion|amendment|resolution) (?:is |was )?(?:carrie[sd]|passe[sd]|adopted|approved|agreed)|"
    "all (?:those )?in favou?r|(?:we|we've|we have) (?:all )?(?:decided|agreed|resolved) (?:to|that|on)|"
    "so (?:we're|we are) (?:decided|agreed)|(?:that's|it's) (?:decided|settled)|"
    "let's (?:decide on|settle on)|(?:nous avons|on a|il est|c'est) (?:décidé|convenu|adopté)|"
    "(?:motion|proposition|résolution) (?:est )?adoptée"
)
"""Phrases of chairs and members for a decision."""

GENRES = (EARNINGS, PODCAST, MEETING, TALK)
_ATTRIBUTES_OF = {
    EARNINGS.name: {"bank", "company", "ticker", "fiscal_year", "fiscal year", "quarter"},
    PODCAST.name: {"show", "episode", "podcast", "season"},
    MEETING.name: {"committee", "council", "meeting"},
    TALK.name: {"conference", "event", "track"},
}
"""Names of attributes of a genre; any of them counts as two signs."""
_END_PASSAGES = 6
"""Passages at the beginning and at the end that may have signs."""


def genre_of(texts: Sequence[str], details: Details, voices: Sequence[str | None]) -> Genre | None:
    """Return the genre with most different signs in the title and the first and last passages.

    It needs two signs, and more than any other genre; else None. `voices` are the speakers of the passages:
    the speaker of a talk says most of it.
    """
    ends = " ".join([details.title or "", *texts[:_END_PASSAGES], *texts[_END_PASSAGES:][-_END_PASSAGES:]])
    attributes = {name.casefold() for name in details.attributes}
    scores: list[tuple[int, Genre]] = []
    for genre in GENRES:
        if genre is not TALK or _has_main_speaker(voices):
            signs = sum(bool(sign.search(ends)) for sign in genre.signs)
            scores.append((signs + 2 * bool(attributes & _ATTRIBUTES_OF[genre.name]), genre))
    (best, genre), (second, _), *_ = sorted(scores, key=itemgetter(0), reverse=True)
    return genre if best >= 2 and best > second else None


def _has_main_speaker(voices: Sequence[str | None]) -> bool:
    (_, most), *_ = Counter(voices).most_common(1) or [(None, 0)]
    return most >= 0.6 * len(voices)
