"""An answer that a language model writes, every sentence checked before anybody sees it.

Draft, verify, refine, final: the draft is read sentence by sentence. One that stands is given out at once.
One that does not is left out, or, where a model sits in the seat "check", it and all that follow wait for the
end of the draft, when one call judges and corrects all that is in doubt. So what is shown was checked, and
stands in the order in which it was written. Without a model, or when it fails, the answer is made of quotes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from onrecord.answer.check import Checker
from onrecord.answer.claims import MARKS, claim
from onrecord.answer.context import Context, context
from onrecord.answer.extract import quoted
from onrecord.answer.phrases import phrases
from onrecord.answer.proof import Finding, Proof
from onrecord.answer.sheet import Sheet, renumbered
from onrecord.answer.stream import sentences_of
from onrecord.errors import ModelError
from onrecord.models.base import Completion
from onrecord.models.prompts import block, conversation, prompt
from onrecord.models.seats import Seats
from onrecord.retrieve.stage import Tools
from onrecord.stores.words import terms
from onrecord.types import Answer, Citation, Step, printable

Piece = Citation | str | Step | Answer
_NO_ANSWER = "[no answer]"
_MISSING = "[missing]"
_REMARK = 200  # characters of a remark of the model's own


@dataclass(frozen=True, slots=True)
class Room:
    """How many `tokens` of sources a model is shown in one call; where `parts` is not 0, what is more is
    told part by part, in at most so many calls besides."""

    tokens: int = 4000
    parts: int = 0


def write(stand_in: Answer, tools: Tools, language: str | None, room: Room) -> Iterator[Piece]:
    """The answer as it is made: text piece by piece, each citation before the piece that cites it, the Answer
    last. What is needed of the store is read before this returns.

    Args:
        stand_in: the answer without a model, which is given where none sits in the seat "answer", where
            nothing was found that is worth asking about, and where the model fails.
    """
    if not tools.seats.taken("answer") or stand_in.verdict == "nothing_found":
        return _given(stand_in, tools.seats)
    shown = context(stand_in.evidence, tools, room.tokens)
    return Draft(shown, tools.seats, stand_in, language).events()


def _given(answer: Answer, seats: Seats) -> Iterator[Piece]:
    yield from answer.citations
    if answer.text:
        yield answer.text
    yield replace(answer, calls=seats.calls)


class Draft:
    """One answer in the making."""

    def __init__(self, shown: Context, seats: Seats, stand_in: Answer, language: str | None) -> None:
        self._context, self._seats, self._stand_in, self._language = shown, seats, stand_in, language
        self._said = phrases(language)
        self._proof = Proof(shown, seats, Checker(shown.sources), stand_in.question)
        self._sheet = Sheet(self._proof.sources, stand_in.confidence)
        self._remarks: list[str] = []
        self._silent = False

    def events(self) -> Iterator[Piece]:
        """See `write`."""
        failure = ""
        try:
            yield from self._written()
        except ModelError as error:
            failure = str(error)
        if failure or not self._sheet.text:
            yield from self._quotes(failure)
        yield self._answer()

    def _written(self) -> Iterator[Piece]:
        held: list[Finding] = []
        for sentence in sentences_of(self._pieces()):
            if self._is_remark(sentence):
                continue
            finding = self._proof.of(claim(sentence))
            if held or (finding.why and self._proof.can_refine):
                held.append(finding)
            else:
                yield from self._sheet.give(finding)
        for finding in self._proof.refined(held):
            yield from self._sheet.give(finding)

    def _pieces(self) -> Iterator[str]:
        question = self._stand_in.evidence.question
        parts = (str(self._context), conversation(question.history), block("question", [question.text]))
        material = "\n\n".join(part for part in parts if part)
        for piece in self._seats.write("answer", prompt("answer", "answer", self._language), material):
            if not isinstance(piece, Completion):
                yield printable(piece)
            elif not piece.whole:
                self._remarks.append(self._said.shortened)

    def _is_remark(self, sentence: str) -> bool:
        """Take what the model says about the sources out of the text: that, or what, they do not tell."""
        plain = sentence.strip()
        if plain.lower().startswith(_NO_ANSWER):
            self._silent = True
        elif plain.lower().startswith(_MISSING):
            remark = " ".join(MARKS.sub("", plain[len(_MISSING) :]).split()).strip(": ")
            self._remarks += [self._said.missing(remark)] * (0 < len(remark) <= _REMARK)
        return plain.lower().startswith((_NO_ANSWER, _MISSING))

    def _quotes(self, failure: str) -> Iterator[Piece]:
        """The answer without a model, after what was written of the one with it."""
        if failure:
            told = self._said.broken_off if self._sheet.text else self._said.unwritten
            self._remarks.append(told(failure))
        elif not self._silent:
            self._remarks.append(self._said.unwritten(self._said.none_stands))
        first, text, citations = len(self._sheet.citations), self._stand_in.text, self._stand_in.citations
        if first:
            citations = renumbered(citations, first)
            text = quoted(citations, self._stand_in.verdict, self._said)
        yield from self._sheet.add(text, citations)

    # ---------------------------------------------------------------- final

    def _answer(self) -> Answer:
        supports = self._sheet.supports
        answer = replace(
            self._stand_in,
            text=self._sheet.text,
            citations=tuple(self._sheet.citations),
            notes=(*self._stand_in.notes, *self._notes()),
            unsupported=tuple(self._sheet.unsupported),
            calls=self._seats.calls,
        )
        if supports:
            sure = self._stand_in.confidence * sum(supports) / len(supports)
            titles = list(dict.fromkeys(citation.recording.title for citation in answer.citations))
            return replace(answer, verdict="answered", heading=self._said.sure(titles), confidence=sure)
        if self._silent:
            return replace(answer, verdict="low_relevance", heading=self._said.no_answer)
        return answer

    def _notes(self) -> Iterator[str]:
        if self._context.cut or self._context.missing:
            yield self._said.left_out(self._context.cut, self._context.missing)
        yield from self._remarks
        if self._sheet.supports:
            if self._sheet.unsupported:
                yield self._said.removed(len(self._sheet.unsupported))
            if missing := self._uncovered():
                yield self._said.uncovered(missing)
        for call in self._seats.calls:
            if call.failure and call.seat != "answer":
                yield self._said.undecided(call.seat, call.failure)

    def _uncovered(self) -> list[str]:
        """The entities that the question asks about and the answer does not speak of."""
        plan = self._stand_in.evidence.plan
        heard = set(terms(" ".join((self._sheet.text, *map(str, self._sheet.citations)))))
        return [name for name in plan.entities if not set(terms(name)) & heard] if plan else []
