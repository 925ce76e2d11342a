"""The questions of a text that asks several, each of which stands by itself: "What was decided? How many
episodes are there?"."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from onrecord.retrieve.plan.asked import Asked
from onrecord.retrieve.plan.follow import opens, refers, subject_words, without_courtesy
from onrecord.types import Plan, Question

_MOST = 5
"""So many questions share the words of an answer; a text of more is searched for as a whole."""
_LONGEST = 25
"""Words of a question; one of more tells a story."""
LEAD_IN = (
    r"(?i)^[^?.!:\n]{0,40}\b"
    r"(?:questions?|need|know|wonder\w*|ask|asking|things?|points?|answers?|savoir|demande)\b"
    r"[^?.!:\n]{0,20}:\s+"
)
"""What leads to questions: "Two questions: "."""
_HELLO = r"(?i)^(?:hi|hello|hey|bonjour|bonsoir|salut)(?: [a-z]+){0,2}[,!.]\s+(?=\S)"
_THANKS = r"(?:(?:many )?thanks?|thank you|thx|cheers|merci)(?: [a-z']+){0,3}[ .!]*"
_BULLET = r"^(?:[-*•–]|\(?\d{1,2}[.)]|\(?[a-e]\))\s+"
_ASKING = (
    r"(?:please )?(?:(?:in|at|on|by|from|for|to|of|with|a|dans|de|par|pour|avec|sur) )?"
    r"(?:what|who|whom|whose|when|where|why|how|which|is|are|was|were|do|does|did|has|have|had|can|could|will|"
    r"would|should|summari[sz]e|list|compare|tell|show|que|qu'|qui|quoi|quand|ou|comment|pourquoi|combien|quel|"
    r"quels|quelle|quelles|est-ce|y a-t-il|resume|resumez|compare[rz]?|lister?)\b"
)
"""What a question begins with."""
_AND = r"(?:and|also|et|aussi)(?: also| then| alors)?,? "
_ENDS = (
    r"(?i)(?<=\?)\s+|\n+|(?<=\.)(?<!^\d\.)(?<![?.]\s\d\.)(?<!\b[A-Z]\.)\s+"
    rf"(?={_ASKING})"
)
"""Between two questions, or behind "Summarize episode 41."."""
_IN_TALK = (
    r"\b(?:you|your|yours|yourself|we|us|our|ours|i|i'm|i've|me|my|mine|myself|tu|te|toi|ton|ta|tes|vous|votre|"
    r"vos|nous|notre|nos|je|j|moi|mon|ma|mes)\b"
)
"""Words of people who speak with one another: what they ask in one breath is one thing."""
_TO_US = (
    r"^(?:(?:can|could|would|will) you (?:please |also )*|(?:pouvez|pourriez)-vous |(?:peux|pourrais)-tu )?"
    r"(?:tell|show|give|dire|montrer|donner|(?=list|name|summari|compare|check|find|explain|resumer))"
    r"(?: me| us)? |"
    r"^(?:do you know|i would like to know|i'd like to know) |"
    r"\b(?:in|of|on|from) (?:my|our|your) (?:archive|library|collection|recordings?|meetings?|calls?)\b|"
    r"\bdo (?:you|we|i) have\b|\bavez-vous\b"
)
"""The same of who asks and whoever answers here."""


@dataclass(frozen=True, slots=True)
class Part:
    """A question of a text that asks several, after those of it that it leans on."""

    text: str
    before: tuple[str, ...] = ()

    @property
    def turns(self) -> tuple[str, ...]:
        return *self.before, self.text


Judge = Callable[[Sequence[str]], bool]
"""Says something of the last of some questions, as it is asked after the others."""


def several(text: str, complete: Judge, known: Judge) -> tuple[Part, ...]:
    """The questions of a text in their order. One that leans on the one before it is a part of that ("What
    did Kelly say? And why?"), unless the catalogue answers either ("How long is it?"). Empty for one, and
    where the text does not consist of short questions that could be put to an archive.

    `complete` says whether a question without a subject is one all the same ("What was decided?"), `known`
    whether the catalogue answers it.
    """
    text = text.strip()
    if not re.search(r"[?.]\s|\n", text):  # one: no other pattern need be compiled
        return ()
    told = re.sub(LEAD_IN, "", re.sub(_HELLO, "", text))
    asked = [part for part in map(_bare, re.split(_ENDS, told)) if part]
    if not 1 < len(asked) <= 2 * _MOST:
        return ()
    if not all(map(_is_question, asked)) or refers(Asked.of(asked[0]).low):
        return ()
    parts = _parted(asked, complete, known)
    return tuple(parts) if 1 < len(parts) <= _MOST else ()


def _bare(part: str) -> str:
    """A question without its number, and without thanks for the one before it."""
    asked = without_courtesy(Asked.of(re.sub(_BULLET, "", part)))
    return "" if re.fullmatch(_THANKS, asked.low) else re.sub(r"\?{2,}", "?", asked.text)


def _is_question(part: str) -> bool:
    low = Asked.of(part).low
    short = len(low.split()) <= _LONGEST and "? " not in low
    asks = low.endswith("?") or re.match(_ASKING, low) is not None
    return short and asks and not re.search(_IN_TALK, re.sub(_TO_US, " ", low))


def _parted(asked: Sequence[str], complete: Judge, known: Judge) -> list[Part]:
    parts = [Part(asked[0])]
    for text in asked[1:]:
        last = parts[-1]
        goes_on = known((*last.turns, text))
        alone = known([text]) and not refers(Asked.of(text).low)
        if alone or (not goes_on and _stands(text, last.text, complete)):
            parts.append(Part(text))
        elif goes_on or known(last.turns) or _goes_on(text, complete):
            parts.append(Part(text, last.turns))
        else:
            parts[-1] = Part(f"{last.text} {text}", last.before)
    return parts


def _goes_on(part: str, complete: Judge) -> bool:
    """Whether a question is a whole one, though it begins with "and"."""
    found = re.match(_AND, Asked.of(part).low)
    return found is not None and _stands(part[found.end() :], "", complete)


def _stands(part: str, before: str, complete: Judge) -> bool:
    """Whether a question is one without the one before: "What is the cost? What is a normal cost?" is one."""
    asked = Asked.of(part)
    if not re.match(_ASKING, asked.low) or opens(asked) or refers(asked.low):
        return False
    words, others = {*subject_words(asked.low)}, {*subject_words(Asked.of(before).low)}
    return not others <= words if words and others else bool(words) or complete([part])


def as_one(question: Question, asked: Sequence[Part], plans: Sequence[Plan]) -> Plan:
    """The plan of a text from those of the questions that are asked in it. What can be but one thing is that
    of the first question that is searched for; its facts are all that is asked for only where those of each
    of them are."""
    searched = [each for each in plans if not each.settled]
    facts = chain.from_iterable(each.facts for each in plans)
    return replace(
        (searched or plans)[0],
        text=question.text,
        entities=tuple(dict.fromkeys(chain.from_iterable(each.entities for each in plans))),
        filters=tuple(dict.fromkeys(chain.from_iterable(each.filters for each in plans))),
        scope=question.scope,
        queries=tuple(part.text for part in asked),
        notes=tuple(dict.fromkeys(chain.from_iterable(each.notes for each in plans))),
        facts=tuple(replace(fact, whole=fact.whole and not searched) for fact in facts),
        parts=tuple(plans),
    )
