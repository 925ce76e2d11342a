"""An answer about more than a model can read at once: notes on each part, then the answer.

The method is map and reduce. The model reads every part in full, in order, and its notes are checked like the
sentences of an answer. If the limit on calls is reached, or a call fails, the part's own words serve as its
note. A remark counts such parts. The answer is written from all notes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from time import perf_counter

from onrecord.answer.claims import claim, is_of_answer
from onrecord.answer.context import Context, Source
from onrecord.answer.draft import Draft
from onrecord.answer.draft_sentences import split_stream
from onrecord.answer.manner import Brief
from onrecord.answer.proof import Finding
from onrecord.errors import ModelError
from onrecord.models.base import Completion
from onrecord.models.prompts import as_data, block, prompt
from onrecord.models.reasoning import Reset
from onrecord.models.roles import PART
from onrecord.retrieve.moments.budget import tokens_of
from onrecord.retrieve.sentences import sentences
from onrecord.types import Citation, Step, printable

_WORDS = 40  # the most words to copy from each source of an unread part


class InParts(Draft):
    """A draft from parts, each of which fits into `manner.tokens` of the brief."""

    def __init__(self, parts: Sequence[Context], brief: Brief) -> None:
        everything = Context(tuple(source for part in parts for source in part.sources))
        super().__init__(everything, brief)
        self._parts = parts
        self._noted: list[Finding] = []
        self._unread = 0

    def written(self) -> Iterator[Citation | str | Step]:
        """Yield a Step for each part that was read, then the text."""
        for number, part in enumerate(self._parts, 1):
            began = perf_counter()
            noted, note = self._notes_of(part, number == 1)
            self._noted += noted
            stage = f"part {number} of {len(self._parts)}"
            yield Step(stage, len(part.sources), len(noted), perf_counter() - began, note)
        if self._unread:
            self.remarks.append(
                self.messages.say("unread", of=len(self._parts), read=len(self._parts) - self._unread)
            )
        self._noted = list(self._standing_notes())
        lines = [  # the notes as data, followed by our own marks
            as_data(finding.claim.text) + "".join(f" [Source {number}]" for number in finding.claim.cited)
            for finding in self._noted
        ]
        if tokens_of("\n".join(lines)) <= self.brief.manner.tokens:
            self.data, self.instructions = "\n".join(("<notes>", *lines, "</notes>")), "whole"
            yield from super().written()
            return
        for finding in self.proof.refined(self._noted):  # too many notes for one call: they are the answer
            yield from self.output.give(finding)

    def _notes_of(self, part: Context, first: bool) -> tuple[list[Finding], str]:
        """Return the notes on a part, and the reason if the model wrote none.

        Raise the ModelError of the first part, because a model that cannot be reached is not asked again and
        again.
        """
        try:
            return self._model_notes(part), ""
        except ModelError as error:
            if first:
                raise
            self._unread += 1
            return [self._own_words(source) for source in part.sources], str(error)

    def _model_notes(self, part: Context) -> list[Finding]:
        material = f"{part}\n\n{block('question', [self.brief.stand_in.question])}"
        pieces = self.brief.roles.write(PART, prompt("answer", "part", self.brief.language), material)
        text = ""
        for piece in pieces:
            text = "" if isinstance(piece, Reset) else text + ("" if isinstance(piece, Completion) else piece)
        numbers = {source.number for source in part.sources}
        noted = []
        for sentence in filter(is_of_answer, split_stream([printable(text)])):
            finding = self.proof.of(claim(sentence))
            if finding.support and numbers.issuperset(finding.claim.cited):
                cited = finding.claim.cited or tuple(finding.support.quotes)[:1]
                noted.append(replace(finding, claim=replace(finding.claim, cited=cited)))
            elif finding.support:
                self.output.unsupported.append(finding.claim.text)
        return noted

    def _standing_notes(self) -> Iterator[Finding]:
        """Yield the notes that stand.

        The model in the role "check" judges doubtful notes if the limit on calls still leaves a call for the
        answer.
        """
        may_check = self.proof.can_refine and self.brief.roles.calls_left("check") > 1
        for finding in self.proof.refined(self._noted) if may_check else self._noted:
            if finding.stands:
                yield finding
            else:
                self.output.unsupported.append(finding.claim.text)

    def _own_words(self, source: Source) -> Finding:
        """Return the first words of the best passage of a source."""
        best = source.moment.passages[source.moment.peak]
        texts: list[str] = []
        for sentence in sentences(best, source.recording.details.language):
            if texts and len(" ".join((*texts, sentence.text)).split()) > _WORDS:
                break
            texts.append(sentence.text)
        return self.proof.of(claim(f"\n\n{as_data(' '.join(texts))} [Source {source.number}]"))
