"""What somebody does in speaking, where a question asks for that: decisions, tasks, questions, risks, ...

"What was decided about the gate?" is about the gate, and asks for what is decided; "What are the action
items?" has no subject at all. Only whole frames are read: a question that has the word "decided" somewhere
is as it was.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache

from onrecord.retrieve.plan.asked import GONE, Asked, Reading, Span, low
from onrecord.retrieve.plan.follow import subject_words
from onrecord.retrieve.plan.notes import notes_in
from onrecord.retrieve.plan.reading import Found
from onrecord.retrieve.plan.wish_forms import FRAMES, GROUP, OFFICE, TRIGGERS
from onrecord.types import Filter

_GROUP = re.compile(GROUP)
_BEGIN = (
    r"^(?:(?:and|so|but|ok|okay|please|now|then|et|mais|alors|donc|bon)(?: ?,)? ?)*"
    r"(?:(?:can|could|would|will) you (?:please )?(?:tell|show|give) (?:me |us )?|tell (?:me|us) |"
    r"do you know |remind me |"
    r"i(?:'d| would) like to know |(?:dis|dites|peux-tu|pouvez-vous)(?:-moi| me| nous)?(?: dire)? )?"
    r"(?:(?:in|at|during|from|of|on|dans|lors de|pendant|a) [^,?]{2,40}, )?(?:exactly |precisely |just )?"
)
_END = r"(?:-(?:t-)?(?:ils?|elles?|on|nous|vous))?(?![\w'-])"
_SMALL = re.compile(
    r"\b(?:today|so far|overall|exactly|mainly|mostly|most|specifically|actually|finally|in the end|"
    r"at the end|here|please|"
    r"anything|something|kind|sort|each|next|else|other|them|anyone|there|aujourd'hui|finalement|exactement|surtout|ici)\b"
)
"""Words that name no subject beside a frame."""

_TOWARDS = ("disagreement", "agreement")
_WITH = re.compile(
    r"\b(?:(?:dis)?agree[sd]?|differ(?:s|ed)?|argue[sd]?|d'accord) (?:with|avec) (?:the |le |la )?$"
)
_NOBODY = frozenset("they we i you people everyone everybody ils elles on nous vous others gens".split())
"""Words for a group that do not tell which."""
_OFFICE = re.compile(rf"(?:(?:the|our|their|all the|la|le|les) )?{OFFICE}")
_WHOM = re.compile(rf"(?: of)?(?: the| our| their| la| le| les|) ({OFFICE}|[\w.'-]+(?: [\w.'-]+)?)$")
_LONGEST = 40
"""A question of more words, and one in several, is a story."""


@dataclass(frozen=True, slots=True)
class Wish:
    """An act of speaking that is asked for (see `onrecord.retrieve.acts`). `span` are the words that ask for
    it, `who` those in them for somebody who does it, where that is no group ("they", "the committee");
    `several` are those for such a group, `to` those for whom they ask something."""

    act: str
    span: Span
    who: tuple[Span, ...] = ()
    several: Span = (0, 0)
    to: Span = (0, 0)

    def group(self, asked: Asked) -> str:
        """The words for a group whose doing is asked for, or for who does it."""
        return asked.said(self.who[0] if self.who and self.several == (0, 0) else self.several)

    def whom(self, asked: Asked) -> str:
        """The words for whom somebody asks something: a name, or what they are."""
        return asked.said(self.to)

    def bare(self, left: Asked) -> bool:
        """Whether nothing else is asked for in what is left of the question without filters and names."""
        begin, end = self.span
        told = " ".join(left.low[slice(*span)] for span in self.who)
        rest = f"{left.low[:begin]} {told} {left.low[end:]}"
        return not subject_words(_SMALL.sub(" ", rest.replace(GONE, " ")))

    def does(self, span: Span) -> bool:
        """Whether a name is of who does it, or has to, or is asked: not whom it is about."""
        return self.act == "task" or any(_meet(span, who) for who in (*self.who, self.to))

    def asked_of(self, asked: Asked, found: Found) -> Found:
        """What was read of the question, with whoever does it as one who is asked for: "what is Kelly worried
        about?" asks for what Kelly says. Tasks and disagreement are also told by others."""
        doing = [m for m in found.others if len(m.people) == 1 and self._speaks(m.span, asked, found)]
        new = [
            Reading(Filter("speaker", m.people[0].name, asked.said(m.span)), m.span, aside=False)
            for m in doing
        ]
        others = tuple(mention for mention in found.others if mention not in doing)
        return replace(
            found,
            readings=(*found.readings, *new),
            asked_for=(*found.asked_for, *doing),
            others=others,
            notes=self._clear(asked, found),
        )

    def _speaks(self, span: Span, asked: Asked, found: Found) -> bool:
        """Whether a name is of one whose words are asked for: who does it; of two who may agree, either.
        Why somebody disagrees they tell themselves."""
        if self.act in _TOWARDS:
            both = bool(found.asked_for) and not asked.low.startswith(("why", "pourquoi"))
            return both and bool(_WITH.search(asked.low[: span[0]]))
        return self.act != "task" and any(_meet(span, who) for who in self.who)

    def _clear(self, asked: Asked, found: Found) -> tuple[str, ...]:
        """The notes on a question without those that ask which one of a group is meant: all of them are."""
        several = [m for m in found.asked_for if len(m.people) > 1 and _meet(m.span, self.several)]
        unclear = {
            notes_in(code).several(asked.said(m.span), [person.name for person in m.people])
            for m in several
            for code in ("en", "fr")
        }
        return tuple(note for note in found.notes if note not in unclear)


def _meet(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def is_office(words: str) -> bool:
    """Whether words for somebody tell what they are, which recordings may tell of their speakers."""
    return _OFFICE.fullmatch(low(words)) is not None


def wish(asked: Asked) -> Wish | None:
    """What a question asks for of what is done in speaking; None where it asks for something else."""
    text = asked.low.rstrip(" ?.!")
    if "?" in text or len(text.split()) > _LONGEST:
        return None
    acts = (act for act in FRAMES if re.search(TRIGGERS[act], text))
    frames = ((act, _frame(words)) for act in acts for words in FRAMES[act])
    matches = ((act, frame.match(text)) for act, frame in frames)
    return next((_wish(act, found) for act, found in matches if found), None)


def _wish(act: str, found: re.Match[str]) -> Wish:
    text = found.string
    spans = [found.span(number) for number in range(1, found.re.groups + 1) if found.start(number) >= 0]
    who = tuple(span for span in spans if not _GROUP.fullmatch(text[slice(*span)]))
    groups = [span for span in spans if span not in who and text[slice(*span)] not in _NOBODY]
    asks = act == "question" and text[: found.end()].endswith(("ask", "asked"))
    to = _WHOM.match(text, found.end()) if asks else None
    office = to is not None and is_office(to[1])
    return Wish(
        act,
        (found.start(), to.end() if to and office else found.end()),
        who,
        groups[0] if groups else (0, 0),
        to.span(1) if to else (0, 0),
    )


@cache
def _frame(words: str) -> re.Pattern[str]:
    """Compiled where it is first needed: that takes a millisecond."""
    return re.compile(f"{_BEGIN}(?:{words}){_END}")
