"""An answer drafted by a language model: each sentence is checked, then shown or left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from onrecord.answer.check import Checker
from onrecord.answer.claims import MARKS, MISSING, NO_ANSWER, address, claim, is_of_answer
from onrecord.answer.confidence import heading_key
from onrecord.answer.context import Context
from onrecord.answer.draft_sentences import split_stream
from onrecord.answer.manner import Brief
from onrecord.answer.marks import renumber_marks
from onrecord.answer.output_buffer import OutputBuffer
from onrecord.answer.proof import Finding, Proof
from onrecord.answer.quotes import renumber, without_doubt
from onrecord.errors import ModelError
from onrecord.models.base import Completion
from onrecord.models.prompts import block, conversation
from onrecord.models.reasoning import Reset
from onrecord.stores.words import terms
from onrecord.types import Answer, Citation, Heading, Nearest, Step, one_line, printable
from onrecord.understand.lexicon import messages_in

Piece = Nearest | Heading | Citation | str | Step | Answer
_LONGEST_MARK = 100  # the most characters of a citation that is recognized across two pieces
_REMARK = 200  # the most characters of a model's remark that becomes a note


def hold_until_cited(pieces: Iterable[str | Reset]) -> Iterator[str | Reset]:
    """Yield the pieces of a draft from its first citation on, with all text before it in one piece.

    Text before the first citation may turn out to be the model's reasoning. RESET is passed on if this turns
    out after the first citation.
    """
    buffer: str | None = ""
    for piece in pieces:
        if isinstance(piece, Reset):
            if buffer is None:
                yield piece
            buffer = ""
        elif buffer is None:
            yield piece
        else:
            buffer += piece
            if MARKS.search(buffer, max(0, len(buffer) - len(piece) - _LONGEST_MARK)):
                yield buffer
                buffer = None
    if buffer:
        yield buffer


class Draft:
    """An answer drafted from the sources that one call shows."""

    def __init__(self, shown: Context, brief: Brief) -> None:
        self.brief, stand_in = brief, brief.stand_in
        self.messages = messages_in(brief.language)
        self.proof = Proof(shown, brief.roles, Checker(shown.sources), stand_in.question, brief.language)
        self.output = OutputBuffer(self.proof.sources, stand_in.confidence, brief.manner.markdown)
        self.remarks: list[str] = []
        self.instructions, self.data = "answer", str(shown)
        if shown.cut or shown.missing:
            # note how many moments the model reads only in part, or not at all
            names = self._counted(in_part=shown.cut, not_at_all=shown.missing)
            self.remarks.append(self.messages.say("left_out", names=names))
        self._says_no_answer = False
        self._text_of_facts = ""
        self._heading: str | None = None

    def events(self) -> Iterator[Piece]:
        """Yield the Heading before any text, then the text piece by piece, and the Answer last.

        Each citation comes before the piece of text that cites it.
        """
        for piece in self._unheaded():
            if isinstance(piece, str) and self._heading is None:
                self._heading = self._heading_now()
                if self._heading:
                    yield Heading(self._heading)
            yield piece

    def _unheaded(self) -> Iterator[Piece]:
        failure = ""
        if self.brief.facts:
            yield from self.output.add(self.brief.facts.text, self.brief.facts.citations)
        self._text_of_facts = self.output.text
        try:
            yield from self.written()
        except ModelError as error:
            failure = str(error)
        if failure or self.output.text == self._text_of_facts:
            yield from self._quotes(failure)
        yield self._answer()

    def written(self) -> Iterator[Citation | str | Step]:
        """Yield the sentences of the draft that pass the checks, with their citations. Raises ModelError.

        A model that is not known may begin with reasoning that is marked only at its end. Its first draft is
        therefore streamed only if its first sentence has a citation and passes the check.
        """
        waiting: list[Finding] = []
        remarks = tuple(self.remarks)
        may_reason = not self.brief.roles.marks_thoughts("answer")
        self.output.begin_draft()
        for sentence in split_stream(hold_until_cited(self._pieces())):
            if isinstance(sentence, Reset):
                waiting, self.remarks, self._says_no_answer = [], [*remarks], False
                may_reason = False
                yield from self._drop_thoughts()
                continue
            if self._is_remark(sentence):
                continue
            finding = self.proof.of(claim(sentence))
            begins_otherwise = may_reason and finding.support and not (finding.claim.cited and finding.stands)
            may_reason = may_reason and not finding.support
            if waiting or begins_otherwise or (not finding.sure and self.proof.can_refine):
                waiting.append(finding)
            else:
                yield from self.output.give(finding)
        for finding in self.proof.refined(waiting):
            yield from self.output.give(finding)

    def _pieces(self) -> Iterator[str | Reset]:
        history = conversation(self.brief.stand_in.evidence.question.history)
        parts = (self.data, history, block("question", [self.brief.stand_in.question]))
        material = "\n\n".join(part for part in parts if part)
        instructions = self.brief.manner.prompt(self.instructions, self.brief.language)
        for piece in self.brief.roles.write("answer", instructions, material):
            if isinstance(piece, Completion):
                self.remarks += [] if piece.whole else [self.messages.say("shortened")]
            else:
                yield piece if isinstance(piece, Reset) else printable(piece)

    def _drop_thoughts(self) -> Iterator[str]:
        """Drop everything that was written, because it was the model's reasoning.

        Text that a stream has already shown cannot be taken back. A break follows it, and a note explains it.
        """
        if self.output.drop_draft():
            self.remarks.append(self.messages.say("thoughts"))
            self._heading = ""  # the heading was shown already; the final answer gets a new one
            yield "\n\n"

    def _is_remark(self, sentence: str) -> bool:
        """Return whether a sentence is the model's remark on what the sources lack, and note it."""
        plain = sentence.strip()
        self._says_no_answer = self._says_no_answer or plain.lower().startswith(NO_ANSWER)
        if plain.lower().startswith(MISSING):
            remark = " ".join(MARKS.sub("", plain[len(MISSING) :]).split()).strip(": ")
            if 0 < len(remark) <= _REMARK and not address(remark):
                self.remarks.append(self.messages.say("missing", text=remark))
        return not is_of_answer(sentence)

    def _quotes(self, failure: str) -> Iterator[Piece]:
        """Yield the answer without a model, after any text that the model has written."""
        if failure:
            is_empty = self.output.text == self._text_of_facts
            self.remarks.append(self.messages.say("unwritten" if is_empty else "broken_off", why=failure))
        elif not self._says_no_answer:
            self.remarks.append(self.messages.say("unwritten", why=self.messages.say("none_stands")))
        first, text, citations = self.output.last, self.brief.stand_in.text, self.brief.stand_in.citations
        if first:
            text, citations = renumber_marks(text, first), renumber(citations, first)
        yield from self.output.add(text, citations)

    # ---------------------------------------------------------------- final

    def _answer(self) -> Answer:
        supports = self.output.supports
        answer = replace(
            self.brief.stand_in,
            text=self.output.text,
            citations=tuple(self.output.citations),
            notes=(*self.brief.stand_in.notes, *self._notes()),
            unsupported=tuple(self.output.unsupported),
            marked=self.output.marked,
            calls=self.brief.roles.calls,
            markdown=self.brief.manner.markdown,
        )
        if self.brief.facts:
            return without_doubt(answer)
        answer = replace(answer, heading=self._heading or self._heading_now())
        if supports:
            sure = self.brief.stand_in.confidence * sum(supports) / len(supports)
            return replace(answer, verdict="answered", confidence=sure, measured=False)
        return replace(answer, verdict="low_relevance") if self._says_no_answer else answer

    def _heading_now(self) -> str:
        """Return the heading at the time when the first words are shown.

        It names the recordings that answer, or else the recordings that the first sentence cites.
        """
        if self.brief.facts:
            return ""
        if not self.output.supports:
            return self.messages.say("no_answer") if self._says_no_answer else self.brief.stand_in.heading
        answered = self.brief.stand_in.verdict == "answered"
        cited = self.brief.stand_in.citations if answered else tuple(self.output.citations)
        titles = list(dict.fromkeys(one_line(citation.recording.title) for citation in cited))
        if not titles:
            return self.brief.stand_in.heading
        key = heading_key(self.brief.stand_in.confidence) if answered else "likely"
        return self.messages.say(key, len(titles), title=titles[0])

    def _notes(self) -> Iterator[str]:
        yield from self.remarks
        failed = {call.role: call.failure for call in self.brief.roles.calls if call.failure}
        removed = len(self.output.unsupported) - self.output.marked
        if "check" in failed:
            among = self._counted(with_mark=self.output.marked, omitted=removed)
            yield self.messages.say("unchecked", among=among and f" ({among})", why=failed["check"])
        elif self.output.supports:
            yield from [self.messages.say("removed", removed)] * (removed > 0)
            yield from [self.messages.say("marked", self.output.marked)] * (self.output.marked > 0)
        plan = self.brief.stand_in.evidence.plan
        if self.output.supports and plan:  # note entities of the question that the answer does not mention
            mentioned = set(terms(" ".join((self.output.text, *map(str, self.output.citations)))))
            missing = [name for name in plan.entities if mentioned.isdisjoint(terms(name))]
            if missing:
                names = self.messages.listed([self.messages.quote(name) for name in missing])
                yield self.messages.say("uncovered", names=names)
        for role in sorted(failed.keys() - {"answer", "check"}):
            yield self.messages.say("undecided", role=role, why=failed[role])

    def _counted(self, **counts: int) -> str:
        """Return the counts that are not zero, worded by the messages of their keys, in one list."""
        parts = [self.messages.say(key, n) for key, n in counts.items() if n]
        return self.messages.listed(parts) if parts else ""
