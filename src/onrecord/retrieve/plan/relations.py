"""Words that make a limit of a date, in the language of the question: "since", "between ... and"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from onrecord.retrieve.plan.asked import low

if TYPE_CHECKING:
    from onrecord.retrieve.plan.foreign_words import Around

_NEVER = re.compile(r"(?!)")
_THE = r"(?:(?:the|le|la|les)\s+|l')?"
_RELATIONS = {
    "since": r"(?:ever since|since|starting(?: in| on| from)?|depuis|a partir d[eu]|a compter d[eu])",
    "after": r"(?:after|following|apres)",
    "before": r"(?:before|prior to|avant)",
    "until": r"(?:until|till|up to|up until|through|jusqu'(?:en|a|au|aux)?)",
    "in": r"(?:^and|^et|what about|how about|only|just|in|on|of|from|during|over|within|throughout|"
    r"en|au|a|le|du|de|d'|pendant|durant|courant)",
}
RELATION = re.compile(
    rf"\b(?:(?P<since>{_RELATIONS['since']})|(?P<after>{_RELATIONS['after']})|"
    rf"(?P<before>{_RELATIONS['before']})|(?P<until>{_RELATIONS['until']}))(?:(?<=')|\s+){_THE}$"
)
"""What may stand before the name of a recording or an event and makes a date of it, in English and French."""


@dataclass(frozen=True, slots=True)
class Relations:
    """Patterns of what stands around a date. `before` it, by what it makes of it, with the group `part` where
    that is "the end of" or the like; `behind` it, with a group for each; before the first of two dates
    (`opening`) and between them (`joining`); `and_` between those of a list; `for_` before one on which
    nothing need have been said; `not_bare` before a bare one that is none ("the 2008 crisis")."""

    before: dict[str, re.Pattern[str]]
    opening: re.Pattern[str]
    joining: re.Pattern[str]
    and_: re.Pattern[str]
    behind: re.Pattern[str] = _NEVER
    for_: re.Pattern[str] = _NEVER
    not_bare: re.Pattern[str] = _NEVER


@cache
def relations(language: str) -> Relations:
    """Those of a language, by its ISO 639-1 code; English and French ones together."""
    if language in ("en", "fr"):
        return _english_and_french()
    if language in ("ja", "zh", "ko"):
        return _behind()
    from onrecord.retrieve.plan.foreign_words import AROUND  # of use to few questions

    return _foreign(AROUND[language]) if language in AROUND else _english_and_french()


def _english_and_french() -> Relations:
    part = r"(?:(?:end|beginning|start|middle) of |early |late |(?:debut|fin|mi|milieu)(?: de)?[ -])"
    return Relations(
        before={
            name: re.compile(rf"\b{words}(?:(?<=')|\s+){_THE}(?P<part>{part})?$")
            for name, words in _RELATIONS.items()
        },
        opening=re.compile(r"(?:\b(?:between|from|entre|de|d'|du)\s*)$"),
        joining=re.compile(
            r"\s*(?:and|et|to|until|till|through|-|a|au|jusqu'(?:en|a|au))\s*(?:le |the )?(?:early |late )?"
        ),
        and_=re.compile(r"(?:,| and| et| or| ou)+ (?:in |on |en )?"),
        not_bare=re.compile(r"\b(?:the|a|le|la|les) $|\bl'$"),
    )


def _foreign(words: Around) -> Relations:
    gap = r"(?:(?<=')|\s+)"
    the = rf"(?:(?:{words.the}){gap})*"

    def ending_in(pattern: str) -> re.Pattern[str]:
        return re.compile(rf"(?<!\w)(?:{pattern}){gap}{the}(?P<part>(?:{words.part})\s+{the})?$")

    before = {
        "since": words.since,
        "after": words.after,
        "before": words.before,
        "until": words.until,
        "in": words.within,
    }
    return Relations(
        before={name: ending_in(pattern) for name, pattern in before.items()},
        opening=ending_in(words.opening),
        joining=re.compile(rf"\s+(?:{words.joining}){gap}{the}|\s*-\s*"),
        and_=re.compile(rf",? (?:{words.joining}) (?:(?:{words.within}){gap})?{the}|, "),
        for_=ending_in(words.for_),
    )


def _behind() -> Relations:
    """Of Japanese, Chinese and Korean, whose relations stand behind the date."""
    behind = {
        "after": "以后|以後|之后|之後|の後|より後",
        "before": r"以前|之前|の前|より前|이전|전(?!\w)|전에",
        "until": "まで|까지|为止|為止",
        "since": "以降|以来|から|より|이후|부터|起",
    }
    groups = "|".join(f"(?P<{name}>{low(words)})" for name, words in behind.items())
    return Relations({}, _NEVER, _NEVER, _NEVER, behind=re.compile(rf" ?(?:{groups})"))
