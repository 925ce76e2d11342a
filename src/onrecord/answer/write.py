"""An answer that a language model writes, every sentence checked before anybody sees it.

Draft, verify, refine, final: the draft is read sentence by sentence. One that stands is given out at once.
One that does not is left out, or, where a model sits in the seat "check", it and all that follow wait for the
end of the draft, when one call judges and corrects all that is in doubt. So what is shown was checked, and
stands in the order in which it was written. Without a model, or when it fails, the answer is made of quotes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from onrecord.answer.facts import Lead, lead
from onrecord.answer.manner import Manner
from onrecord.answer.phrases import phrases
from onrecord.models.seats import Seats
from onrecord.retrieve.stage import Tools
from onrecord.types import Answer, Heading

if TYPE_CHECKING:
    from onrecord.answer.draft import Piece


@dataclass(frozen=True, slots=True)
class Room:
    """How many `tokens` of sources a model is shown in one call: the best of them; or, where the `whole` is
    wanted, all, part by part where it must be. `manner` is how it is to write."""

    tokens: int = 4000
    whole: bool = False
    manner: Manner = Manner()


def write(stand_in: Answer, tools: Tools, language: str | None, room: Room) -> Iterator[Piece]:
    """The answer as it is made: its Heading, where it has one, then text piece by piece, each citation before
    the piece that cites it, the Answer last. What is needed of the store is read before this returns.

    Args:
        stand_in: the answer without a model, which is given where none sits in the seat "answer", where
            nothing was found that is worth asking about, and where the model fails. What the plan of the
            question knows is told before either.
    """
    known = lead(stand_in.evidence, tools.store)
    plan = stand_in.evidence.plan
    if not tools.seats.taken("answer") or stand_in.verdict == "nothing_found" or (plan and plan.settled):
        whole = known.before(stand_in, phrases(language)) if known else stand_in
        return given(whole, tools.seats)
    return written(stand_in, tools, language, room, known)


def written(
    stand_in: Answer, tools: Tools, language: str | None, room: Room, known: Lead | None
) -> Iterator[Piece]:
    """By a model, after what is `known`: what that takes is loaded where one writes."""
    from onrecord.answer.context import context, parts
    from onrecord.answer.draft import Draft
    from onrecord.answer.parts import InParts

    manner = room.manner
    shown = context(stand_in.evidence, tools, room.tokens, manner.scores)
    if room.whole and (shown.cut or shown.missing):
        several = parts(stand_in.evidence, tools, room.tokens, manner.scores)
        return InParts(several, tools.seats, stand_in, language, known, room.tokens, manner).events()
    return Draft(shown, tools.seats, stand_in, language, known, manner).events()


def given(answer: Answer, seats: Seats) -> Iterator[Piece]:
    """An answer that is whole already."""
    if answer.heading:
        yield Heading(answer.heading)
    yield from answer.citations
    if answer.text:
        yield answer.text
    yield replace(answer, calls=seats.calls)
