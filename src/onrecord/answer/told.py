"""Whether quotes tell the number, or who holds the office, that a question asks for.

A quote may be near to a question and have its words without an answer in it: "the microphone was on" to "how
many microphones", "my CFO cares" to "who is the CFO of Halden". No number is told without one, and nobody's
office without the office and the name of what it is held in, side by side.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from onrecord.answer.numbers import values
from onrecord.answer.quotes import Quote
from onrecord.retrieve.stage import Tools
from onrecord.retrieve.wording import Wording, common, small_names, stems
from onrecord.stores.words import STOP, fold, terms
from onrecord.types import Evidence

ELSEWHERE = 0.5
"""How much of what is asked is spoken to where a number is told, but not near what is counted."""

_COUNTED = re.compile(
    r"^\W*(?:(?:and|so|but|et|mais|in|at|on|by|to|with|à|dans) )*"
    r"(?:how many|what (?:percentage|percent|proportion|share|number)(?: of)?|combien (?:de |d['\u2019])|"
    r"quel(?:le)? (?:pourcentage|proportion|part|nombre) (?:de |d['\u2019]))"
    r"(?: (?:the|of|his|her|their|its|our|more|other|different|new|all|total))*\s*(\w[\w'\u2019-]*)?"
    r"(?: (\w[\w-]*))?",
    re.IGNORECASE,
)
_HARDLY = re.compile(
    r"\b(?:one|ones|first|second|seconds|third|quarters?|un|une|(?:in |since |by |of |year )?(?:19|20)\d\d)\b"
)
"""What is no count by itself: "one of them", "the first quarter", years."""
_ROUGHLY = re.compile(
    r"\b(?:(?:only|just|exactly|than|seulement) (?:one|une?)|(?:a|one) single|one (?:of each|each)|none|both|"
    r"a couple|a few|several|twice|once|dozens?|hundreds?|thousands?|millions?|billions?|majority|"
    r"aucune?|plusieurs|quelques|dizaines?|centaines?|milliers?|la plupart|une? seule?)\b"
)
"""How many, without a number."""

_OFFICE = (
    r"(?:c[efto]o|chief \w+ officer|chief executive|chief of staff|pdg|(?:vice[ -])?president|"
    r"(?:vice[ -])?chair(?:man|woman|person)?|(?:managing |executive |general )?director|"
    r"(?:general |project |product )?manager|minister|mayor|governor|treasurer|secretary|spokes\w+|principal|"
    r"dean|head|boss|owner|directeur(?: général| financier)?|directrice(?: générale| financière)?|"
    r"président[e]?|ministre|maire)"
)
_HOLDER = re.compile(
    rf"^\W*(?:(?:and|so|but|et|mais) )*(?:who(?:['\u2019]s| is| was)|qui (?:est|était)) "
    r"(?:(?:the|now|currently|le|la|a) |l['\u2019]){0,5}(?:(?P<whose>\S.{0,200}?)['\u2019]s )?"
    rf"(?P<office>{_OFFICE})"
    r"(?: (?:of|at|for|in|du|des?|chez|à) (?P<place>.{1,200}?)| d['\u2019](?P<lieu>.{1,200}?))?\W*$",
    re.IGNORECASE,
)
_SAME = (
    r"c\W?e\W?o|chief executive|pdg|directeur général|directrice générale",
    r"c\W?f\W?o|chief financial|finance chief|financial officer|directeur financier|directrice financière",
    r"c\W?t\W?o|chief tech\w+|directeur technique|directrice technique",
    r"c\W?o\W?o|chief operating",
    r"chair(?:man|woman|person)?s?",
)
"""Offices that are called by several names."""


def told_by(evidence: Evidence, quotes: Sequence[Quote], tools: Tools) -> float:
    """How much of an answer quotes can hold, in 0..1, where a question asks for a number or for who holds an
    office somewhere: 0 where no quote has a number, or both office and place; 1 of other questions."""
    text = " ".join(evidence.question.text.split())
    if found := _COUNTED.match(text):
        return _number_in(evidence, quotes, " ".join(filter(None, found.groups())))
    if (found := _HOLDER.match(text)) and (place := found["whose"] or found["place"] or found["lieu"]):
        return float(any(_held(quote, found["office"], place, tools) for quote in quotes))
    return 1.0


def named_in(question: str, words: Wording, quotes: Sequence[Quote]) -> bool:
    """Whether what is quoted, or its passages, has the names among a question's words that are written as
    function words are: of "what is hard about learning Go", Go."""
    names = small_names(question) & words.weights.keys()
    said = (stems(passage.text) for quote in quotes for passage in quote.passages)
    return not names or any(names <= found for found in said)


def _number_in(evidence: Evidence, quotes: Sequence[Quote], counted: str) -> float:
    thing = stems(" ".join(word for word in counted.split() if not common(word)))
    telling = [quote for quote in quotes if _has_number(quote.text, counted)]
    if not telling or not thing:
        return float(bool(telling))
    near = (p.text for q in telling for p in (*q.passages, *evidence.moments[q.moment].passages))
    return 1.0 if any(thing & stems(text) for text in near) else ELSEWHERE


def _has_number(text: str, counted: str) -> bool:
    """Whether a text has a number that may count something: "one microphone" has, "one of them" has not."""
    said = fold(text)
    one = rf"\b(?:one|une?) (?:\w+ )?{re.escape(fold(counted).split()[0].rstrip('s'))}" if counted else r"\Z."
    return bool(_ROUGHLY.search(said) or re.search(one, said) or values(_HARDLY.sub(" ", said)))


def _held(quote: Quote, office: str, place: str, tools: Tools) -> bool:
    """Whether some sentence, or two side by side, tell of the office and the place; where the title of a
    recording, or an attribute, names the place, it need not be said."""
    where = {term for term in terms(place) if term not in STOP}
    recording = tools.store.recording(quote.recording)
    known = terms(" ".join((recording.title, *recording.details.attributes.values()))) if recording else []
    called = _called(office)
    return any(
        called.search(text) and 2 * len(where & {*terms(text), *known}) >= len(where)
        for text in _stretches(quote)
    )


def _called(office: str) -> re.Pattern[str]:
    known = next((same for same in _SAME if re.fullmatch(same, office, re.IGNORECASE)), re.escape(office))
    return re.compile(rf"\b(?:{known})\b", re.IGNORECASE)


def _stretches(quote: Quote) -> Iterator[str]:
    """Its sentences, each with the next one."""
    texts = [sentence.text for sentence in quote.sentences]
    yield from (f"{one} {other}" for one, other in pairwise(texts)) if len(texts) > 1 else texts
