"""One answer in the making: a draft read sentence by sentence, proved, and given out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from onrecord.answer.check import Checker
from onrecord.answer.claims import MARKS, address, claim
from onrecord.answer.context import Context
from onrecord.answer.judging import SURE
from onrecord.answer.manner import Manner
from onrecord.answer.output_buffer import OutputBuffer, sentences_of
from onrecord.answer.proof import Finding, Proof
from onrecord.answer.quotes import Lead, renumber, renumber_marks
from onrecord.errors import GenerationReplyError, ModelError
from onrecord.models.base import Completion
from onrecord.models.prompts import block, conversation
from onrecord.models.reasoning import Reset
from onrecord.models.roles import ModelRoles
from onrecord.stores.words import terms
from onrecord.types import Answer, Citation, Heading, Nearest, Step, one_line, printable
from onrecord.understand.lexicon import messages_in

Piece = Nearest | Heading | Citation | str | Step | Answer
_NO_ANSWER = "[no answer]"
_MISSING = "[missing]"
_REMARK = 200  # characters of a remark of the model's own


def silent(sentence: str) -> bool:
    """Whether a model says, in the way it was told to, that there is no answer."""
    return sentence.strip().lower().startswith(_NO_ANSWER)


def speaks(sentence: str) -> bool:
    """Whether a sentence is one of an answer: none of the marks that tell of a missing one stands in it."""
    return _NO_ANSWER not in sentence.lower() and _MISSING not in sentence.lower()


def once_cited(pieces: Iterable[str | Reset]) -> Iterator[str]:
    """The pieces of a draft from where it first cites a source, all before in one. Until then it may turn out
    that all of it was thought, and not said. Raises GenerationReplyError where that turns out later."""
    held: str | None = ""
    for piece in pieces:
        if isinstance(piece, Reset):
            if held is None:
                raise GenerationReplyError("the language model wrote its thoughts into the answer")
            held = ""
        elif held is None:
            yield piece
        else:
            held += piece
            if MARKS.search(held):
                yield held
                held = None
    if held:
        yield held


class Draft:
    """An answer from sources that are shown all at once. `stand_in` is the answer without a model, `known`
    what the archive knows, which is told before all."""

    def __init__(
        self,
        shown: Context,
        roles: ModelRoles,
        stand_in: Answer,
        language: str | None,
        known: Lead | None = None,
        manner: Manner = Manner(),  # noqa: B008 - frozen
    ) -> None:
        self.roles, self.stand_in, self.language, self.known = roles, stand_in, language, known
        self.manner = manner
        self.said = messages_in(language)
        self.proof = Proof(shown, roles, Checker(shown.sources), stand_in.question, language)
        self.output = OutputBuffer(self.proof.sources, stand_in.confidence, manner.markdown)
        self.remarks: list[str] = []
        self.instructions, self.data = "answer", str(shown)
        if shown.cut or shown.missing:
            self.remarks.append(self._left_out(shown))
        self._silent = False
        self._begun = ""
        self._heading: str | None = None

    def events(self) -> Iterator[Piece]:
        """The Heading before any text, text piece by piece, each citation before the piece that cites it, the
        Answer last."""
        for piece in self._unheaded():
            if isinstance(piece, str) and self._heading is None:
                self._heading = self._heading_now()
                if self._heading:
                    yield Heading(self._heading)
            yield piece

    def _unheaded(self) -> Iterator[Piece]:
        failure = ""
        if self.known:
            yield from self.output.add(self.known.text, self.known.citations)
        self._begun = self.output.text
        try:
            yield from self.written()
        except ModelError as error:
            failure = str(error)
        if failure or self.output.text == self._begun:
            yield from self._quotes(failure)
        yield self._answer()

    def written(self) -> Iterator[Citation | str | Step]:
        """What stands of the draft. Raises ModelError."""
        held: list[Finding] = []
        for sentence in sentences_of(once_cited(self._pieces())):
            if self._is_remark(sentence):
                continue
            finding = self.proof.of(claim(sentence))
            if held or (not finding.sure and self.proof.can_refine):
                held.append(finding)
            else:
                yield from self.output.give(finding)
        for finding in self.proof.refined(held):
            yield from self.output.give(finding)

    def _pieces(self) -> Iterator[str | Reset]:
        history = conversation(self.stand_in.evidence.question.history)
        parts = (self.data, history, block("question", [self.stand_in.question]))
        material = "\n\n".join(part for part in parts if part)
        told = self.manner.prompt(self.instructions, self.language)
        for piece in self.roles.write("answer", told, material):
            if isinstance(piece, Completion):
                self.remarks += [] if piece.whole else [self.said.say("shortened")]
            else:
                yield piece if isinstance(piece, Reset) else printable(piece)

    def _is_remark(self, sentence: str) -> bool:
        """Take what the model says about the sources out of the text: that, or what, they do not tell."""
        plain = sentence.strip()
        self._silent = self._silent or silent(sentence)
        if plain.lower().startswith(_MISSING):
            remark = " ".join(MARKS.sub("", plain[len(_MISSING) :]).split()).strip(": ")
            if 0 < len(remark) <= _REMARK and not address(remark):
                self.remarks.append(self.said.say("missing", text=remark))
        return not speaks(sentence)

    def _quotes(self, failure: str) -> Iterator[Piece]:
        """The answer without a model, after what was written of the one with it."""
        if failure:
            told = "unwritten" if self.output.text == self._begun else "broken_off"
            self.remarks.append(self.said.say(told, why=failure))
        elif not self._silent:
            self.remarks.append(self.said.say("unwritten", why=self.said.say("none_stands")))
        first, text, citations = len(self.output.citations), self.stand_in.text, self.stand_in.citations
        if first:
            text, citations = renumber_marks(text, first), renumber(citations, first)
        yield from self.output.add(text, citations)

    # ---------------------------------------------------------------- final

    def _answer(self) -> Answer:
        supports = self.output.supports
        answer = replace(
            self.stand_in,
            text=self.output.text,
            citations=tuple(self.output.citations),
            notes=(*self.stand_in.notes, *self._notes()),
            unsupported=tuple(self.output.unsupported),
            calls=self.roles.calls,
            markdown=self.manner.markdown,
        )
        if self.known:
            return self.known.heading(answer)
        answer = replace(answer, heading=self._heading or self._heading_now())
        if supports:
            sure = self.stand_in.confidence * sum(supports) / len(supports)
            return replace(answer, verdict="answered", confidence=sure, measured=False)
        return replace(answer, verdict="low_relevance") if self._silent else answer

    def _heading_now(self) -> str:
        """What to think of the answer, by what is known when its first words are given out: the recordings
        that were found to speak to it, else those that its first sentence cites."""
        if self.known:
            return ""
        if not self.output.supports:
            return self.said.say("no_answer") if self._silent else self.stand_in.heading
        answered = self.stand_in.verdict == "answered"
        cited = self.stand_in.citations if answered else tuple(self.output.citations)
        titles = list(dict.fromkeys(one_line(citation.recording.title) for citation in cited))
        if not titles:
            return self.stand_in.heading
        sure = answered and self.stand_in.confidence >= SURE
        return self.said.say("sure" if sure else "likely", len(titles), title=titles[0])

    def _notes(self) -> Iterator[str]:
        yield from self.remarks
        failed = {call.role: call.failure for call in self.roles.calls if call.failure}
        removed = len(self.output.unsupported) - self.output.marked
        if "check" in failed:
            yield self._unchecked(self.output.marked, removed, failed["check"])
        elif self.output.supports:
            yield from [self.said.say("removed", removed)] * (removed > 0)
            yield from [self.said.say("marked", self.output.marked)] * (self.output.marked > 0)
        if self.output.supports and (missing := self._uncovered()):
            yield self.said.say(
                "uncovered", names=self.said.listed([self.said.quote(one) for one in missing])
            )
        for role in sorted(failed.keys() - {"answer", "check"}):
            yield self.said.say("undecided", role=role, why=failed[role])

    def _unchecked(self, marked: int, removed: int, why: str) -> str:
        """All that there is to say of sentences that were to be checked by a model which failed."""
        counts = {"with_mark": marked, "omitted": removed}
        parts = [self.said.say(key, n) for key, n in counts.items() if n]
        among = f" ({self.said.listed(parts)})" if parts else ""
        return self.said.say("unchecked", among=among, why=why)

    def _left_out(self, shown: Context) -> str:
        """How many of the moments found are shown in part, and how many not at all."""
        counts = {"in_part": shown.cut, "not_at_all": shown.missing}
        parts = [self.said.say(key, n) for key, n in counts.items() if n]
        return self.said.say("left_out", names=self.said.listed(parts))

    def _uncovered(self) -> list[str]:
        """The entities that the question asks about and the answer does not speak of."""
        plan = self.stand_in.evidence.plan
        heard = set(terms(" ".join((self.output.text, *map(str, self.output.citations)))))
        return [name for name in plan.entities if not set(terms(name)) & heard] if plan else []
