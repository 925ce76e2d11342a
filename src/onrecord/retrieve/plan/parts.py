"""Sections and languages read from a question: "in the Q&A", "in the chapter on rates", "in French"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from onrecord.retrieve.plan.asked import GONE, Asked, Reading, Span
from onrecord.retrieve.plan.kinds import KIND
from onrecord.retrieve.plan.known import Known, content
from onrecord.stores.base import Reader
from onrecord.types import Filter, Scope

_IN = (
    r"(?:\b(?:in|during|from|at|within|dans|pendant|lors de|durant|au cours de)\s+|"
    r"(?P<of>\b(?:of|de)\s+|(?<=montre )|(?<=montrait )))(?:the |this |its |their |la |le |cette |ce |"
    r"les |l')?"
    r"(?:live |final |closing |audience )?"
)
_KINDS = {
    "qa": (
        r"(?:q ?(?:&|and|n) ?a(?: (?:session|part|section))?|questions?[ -](?:and|&)[ -]answers?(?: "
        r"session)?|"
        r"question (?:session|period|round|time)|audience questions|"
        r"(?:sessions?|seances?|partie) (?:de |des )?questions?(?:[ -](?:et )?reponses?)?|"
        r"questions?-reponses?|"
        r"questions du public)"
    ),
    "demo": r"(?:demo|demonstration)s?",
    "opening": r"(?:opening(?: remarks| section)?|introduction|intro)",
    "closing": r"(?:closing(?: remarks| section)?|conclusion|outro|mot de la fin)",
    "discussion": r"(?:management discussion|prepared remarks|discussion section)",
    "advertisement": r"(?:ads?|adverts?|advertisements?|sponsor messages?|publicites?)",
}
_SHOWN = ("qa", "demo")
"""Kinds that are meant in "what was shown of the demo" too; "of the conclusion" says nothing of a section."""


@cache
def _of_kind() -> dict[str, re.Pattern[str]]:
    return {kind: re.compile(rf"{_IN}{words}\b") for kind, words in _KINDS.items()}


@cache
def _of_recording() -> dict[str, re.Pattern[str]]:
    """ "The opening" before a call or a talk that was read: "the opening of the Halden call"."""
    return {kind: re.compile(rf"\b(?:the |la |le |l'){words}(?= {GONE})") for kind, words in _KINDS.items()}


_NAMES = frozenset(
    "q qa qna question questions demo demos demonstration demonstrations opening introduction intro closing "
    "conclusion outro fin management prepared discussion ad ads advert adverts advertisement advertisements "
    "sponsor publicite publicites chapter section segment chapitre partie".split()
)
"""One of these words is in every name of a section: without one no pattern need be compiled."""
_QA = re.compile(rf"(?P<of>(?<!after )(?<!before )\b(?:the|la|les) ){_KINDS['qa']}\b")
"""Nobody speaks of "the Q&A" as of a subject."""
_TITLED = re.compile(
    r"(?:(?:in|from|of|dans|de)\s+)?(?:the|le|la)\s+(?:chapter|section|segment|chapitre|partie)\s+"
    r"(?:about|on|called|titled|sur|de|du|intitulee?)?\s*[\"']?(?P<title>[^\"?.!,;\x00]{3,80})"
)


_ENDS = re.compile(rf"\s*(?:[?.!,;{GONE}]|$)")
"""What stands behind a section that is named: not "in the opening of trade talks"."""
_DEFINITE = re.compile(r"\b(?:the|this|its|their|la|le|cette|ce|les) |l'")
"""Which one there should be: not "revenue from ads"."""


def _place(kind: str, asked: Asked) -> Span | None:
    """Where a section of a kind is named."""
    found = _of_kind()[kind].search(asked.low)
    if not found and kind == "qa":
        found = _QA.search(asked.low)
    if found and (kind in _SHOWN or not found["of"]):
        return found.span()
    named = _of_recording()[kind].search(asked.low)
    behind = named and re.match(r" (?:of|from|de|du|d')\b", asked.text[named.end() :])
    return named.span() if named and behind else None


def sections(asked: Asked, known: Known, reader: Reader) -> Iterator[Reading]:
    """Sections by their kind, or by their title where the question says "chapter" or "section". A kind of
    which no recording has one is a filter without a field."""
    if _NAMES.isdisjoint(re.findall(r"[^\W\d_]+", asked.low)):
        return
    for kind in _KINDS:
        span = _place(kind, asked)
        if span and len(reader.line(Scope(sections=(kind,)))):
            yield Reading(Filter("section", kind, asked.said(span)), span)
        elif span and _DEFINITE.search(asked.low[slice(*span)]) and _ENDS.match(asked.low[span[1] :]):
            yield Reading(Filter("", "", asked.said(span)), span)
    for found in _TITLED.finditer(asked.low):
        wanted = content(found["title"])
        titles = {
            section.title
            for recording in known.recordings
            for section in reader.sections(recording.id)
            if wanted and wanted <= content(section.title)
        }
        if len(titles) == 1:
            yield Reading(Filter("section", titles.pop(), asked.said(found.span())), found.span())


_LANGUAGES = {
    "en": "english anglais anglaise anglaises anglophone",
    "fr": "french francais francaise francaises francophone",
    "de": "german allemand allemande",
    "es": "spanish espagnol espagnole",
    "it": "italian italien italienne",
    "pt": "portuguese portugais portugaise",
    "nl": "dutch neerlandais",
}
_CODES = {name: code for code, names in _LANGUAGES.items() for name in names.split()}
_NAME = f"(?P<name>{'|'.join(_CODES)})"
_THINGS = rf"(?:{KIND}|source|material)s?"


@cache
def _spoken() -> tuple[re.Pattern[str], ...]:
    return tuple(
        re.compile(pattern)
        for pattern in (
            rf"(?:\b(?:in|from|of|among|within|on|only)\s+)?(?:the\s+)?\b{_NAME}(?:[ -]language)?\s+"
            rf"{_THINGS}\b",
            rf"(?:\b(?:dans|parmi|de)\s+)?(?:les\s+|des\s+)?\b{_THINGS}\s+(?:en\s+)?{_NAME}\b",
            rf"\b(?:in|en)\s+{_NAME}(?=\s*(?:[?.!,;:]|$|(?:on|about|sur|and|et)\b))",
        )
    )


_ANSWER_IN = re.compile(
    rf"(?:please\s+)?\b(?:answer|reply|respond|reponds|repondez|repondre|traduis|"
    rf"translate)\b[^?.!:;,]{{0,30}}?"
    rf"\b(?:in|en|into)\s+{_NAME}\b[\s:,]*"
)


def answer_language(asked: Asked) -> tuple[str, tuple[int, int]] | None:
    """The language that the answer is wanted in, and where the question says so: "answer in French"."""
    found = _ANSWER_IN.search(asked.low)
    return (_CODES[found["name"]], found.span()) if found else None


def languages(asked: Asked, known: Known) -> Iterator[Reading]:
    """The language of the recordings that are asked for."""
    if _CODES.keys().isdisjoint(re.findall(r"[^\W\d_]+", asked.low)):
        return
    for pattern in _spoken():
        found = pattern.search(asked.low)
        if found:
            yield Reading(Filter("language", _CODES[found["name"]], asked.said(found.span())), found.span())
            return
