"""An answer that a language model writes, every sentence checked before anybody sees it.

Draft, verify, refine, final: the draft is read sentence by sentence. One that stands is given out at once. One
that does not is left out, or, where the seat `check` is taken, it and all that follow wait for the end of the
draft, when one call judges and corrects every sentence in doubt. So what is shown was checked, and stands in
the order in which it was written. Without a model, or when it fails, the answer is made of quotes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from pydantic import BaseModel

from onrecord.answer.check import SUPPORTED, Checker, Support
from onrecord.answer.cite import cited
from onrecord.answer.claims import MARKS, Claim, claim, fault, strange_names
from onrecord.answer.context import Context, block, context, conversation
from onrecord.answer.extract import quoted
from onrecord.answer.phrases import English, phrases
from onrecord.answer.prompts import prompt
from onrecord.answer.stream import sentences_of
from onrecord.answer.verify import fault as citation_fault
from onrecord.errors import ModelError
from onrecord.models.base import Completion
from onrecord.models.seats import Seats
from onrecord.retrieve.stage import Tools
from onrecord.stores.words import terms
from onrecord.types import Answer, Citation, printable

Piece = Citation | str | Answer
_NO_ANSWER = "[no answer]"
_MISSING = "[missing]"
_REMARK = 200  # characters of a remark of the model's own


class Judged(BaseModel):
    """What the check says of one statement."""

    number: int
    supported: bool
    correction: str = ""


class Verdicts(BaseModel):
    """What the check says of all statements."""

    verdicts: list[Judged]


@dataclass(frozen=True, slots=True)
class Finding:
    """A sentence of the draft and what became of it: `why` says what is wrong with it, None where nothing
    is; `sure` that no judgement of its meaning can change that."""

    claim: Claim
    support: Support | None = None
    why: str | None = None
    sure: bool = False


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
    return Draft(context(stand_in.evidence, tools, room.tokens), tools.seats, stand_in, language).events()


def _given(answer: Answer, seats: Seats) -> Iterator[Piece]:
    yield from answer.citations
    if answer.text:
        yield answer.text
    yield replace(answer, calls=seats.calls)


@dataclass
class Draft:
    """One answer in the making. `stand_in` is the answer without a model; `begun` is None, or what was
    written and checked already."""

    context: Context
    seats: Seats
    stand_in: Answer
    language: str | None = "en"
    instructions: str = "answer"
    material: str | None = None
    _text: list[str] = field(default_factory=list, init=False)
    _lead: str = field(default="", init=False)
    _citations: dict[tuple[str, str, float | None], Citation] = field(default_factory=dict, init=False)
    _supports: list[float] = field(default_factory=list, init=False)
    _unsupported: list[str] = field(default_factory=list, init=False)
    _notes: list[str] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        self._sources = {source.number: source for source in self.context.sources}
        self._checker = Checker(self.context.sources)
        self._said: English = phrases(self.language)
        self._silent = False

    # ---------------------------------------------------------------- draft

    def events(self) -> Iterator[Piece]:
        """Text piece by piece, each citation before the piece that cites it, the Answer last."""
        failure = ""
        try:
            yield from self._write()
        except ModelError as error:
            failure = str(error)
        if failure or not self._text:
            yield from self._quotes(failure)
        yield self._answer()

    def _write(self) -> Iterator[Piece]:
        held: list[Finding] = []
        for sentence in sentences_of(self._pieces()):
            if self._remarked(sentence):
                continue
            finding = self._verified(claim(sentence))
            if held or (finding.why and self._may_ask(finding)):
                held.append(finding)
            else:
                yield from self._give(finding)
        for finding in self._refined(held):
            yield from self._give(finding)

    def _pieces(self) -> Iterator[str]:
        material = self.material or self.asked(str(self.context))
        for piece in self.seats.write("answer", prompt(self.instructions, self.language), material):
            if isinstance(piece, Completion):
                self._notes += [self._said.shortened()] * (not piece.whole)
            else:
                yield printable(piece)

    def asked(self, data: str) -> str:
        """What a model is shown: data, the conversation so far, the question."""
        question = self.stand_in.evidence.question
        parts = (data, conversation(question.history), block("question", [question.text]))
        return "\n\n".join(part for part in parts if part)

    def _remarked(self, sentence: str) -> bool:
        """Take a remark of the model for the user out of the text: that, or what, the sources do not tell."""
        plain = sentence.strip()
        if plain.lower().startswith(_NO_ANSWER):
            self._silent = True
        elif plain.lower().startswith(_MISSING):
            remark = " ".join(MARKS.sub("", plain[len(_MISSING) :]).split()).strip(": ")
            self._notes += [self._said.missing(remark)] * (0 < len(remark) <= _REMARK)
        return plain.lower().startswith((_NO_ANSWER, _MISSING))

    # ---------------------------------------------------------------- verify

    def _verified(self, claimed: Claim) -> Finding:
        if claimed.hollow:
            return Finding(claimed)
        why = fault(claimed, self._sources)
        if why:
            return Finding(claimed, why=why, sure=True)
        support = self._checker.support(claimed.text, claimed.cited)
        known = " ".join(self._sources[n].known for n in claimed.cited or self._sources)
        if strange_names(claimed.text, f"{known} {self.stand_in.question}"):
            return Finding(claimed, support, "its names are not in its sources")
        return Finding(claimed, support, None if support.probability >= SUPPORTED else "nobody said so")

    def _may_ask(self, finding: Finding) -> bool:
        return self.seats.taken("check") and self.seats.left("check") > 0

    # ---------------------------------------------------------------- refine

    def _refined(self, held: Sequence[Finding]) -> Iterator[Finding]:
        """The findings that waited, those in doubt as the check decides, or as they were."""
        doubtful = {number: finding for number, finding in enumerate(held, 1) if finding.why}
        verdicts = self._judged(doubtful) if doubtful else {}
        for number, finding in enumerate(held, 1):
            judged = verdicts.get(number)
            yield self._revised(finding, judged) if judged and finding.why else finding

    def _judged(self, doubtful: dict[int, Finding]) -> dict[int, Judged]:
        wanted = {n for f in doubtful.values() for n in f.claim.cited or self._sources}
        shown = Context(tuple(s for s in self.context.sources if s.number in wanted))
        marks = {n: "".join(f"(Source {s})" for s in f.claim.cited) for n, f in doubtful.items()}
        lines = [f"{n}. {finding.claim.text} {marks[n]}" for n, finding in doubtful.items()]
        material = f"{shown}\n\n{block('statements', lines)}"
        verdicts = self.seats.decide("check", prompt("check", self.language), material, Verdicts)
        return {judged.number: judged for judged in verdicts.verdicts} if verdicts else {}

    def _revised(self, finding: Finding, judged: Judged) -> Finding:
        """A sentence that is in doubt after it was judged. What is wrong for sure stays wrong; a correction
        has to stand by itself."""
        if judged.supported and not finding.sure:
            return replace(finding, why=None)
        if not judged.correction.strip():
            return finding
        corrected = claim(" " + " ".join(printable(judged.correction).split()))
        corrected = replace(corrected, lead=finding.claim.lead)
        again = self._verified(corrected)
        return again if again.why is None and not corrected.hollow else finding

    # ---------------------------------------------------------------- final

    def _give(self, finding: Finding) -> Iterator[Piece]:
        lead = self._lead if "\n" in self._lead and "\n" not in finding.claim.lead else finding.claim.lead
        new: list[Citation] = []
        marked = None if finding.why else self._marked(finding, new)
        if marked is None:
            self._lead = lead
            self._unsupported.append(finding.claim.text)
            return
        self._lead = ""
        if finding.support:
            self._supports.append(finding.support.probability)
        yield from new
        text = (lead if self._text else lead.lstrip()) + marked
        self._text.append(text)
        yield text

    def _marked(self, finding: Finding, new: list[Citation]) -> str | None:
        """The sentence with our marks for the model's; None where no citation of it stands."""
        if finding.support is None:
            return finding.claim.plain
        numbers = {n: self._number(n, finding.support, new) for n in finding.claim.cited}
        if not numbers:  # it names no source: the one that says it best
            best = next(iter(finding.support.quotes))
            number = self._number(best, finding.support, new)
            return f"{finding.claim.text} [{number}]" if number else None
        return finding.claim.marked(numbers) if any(numbers.values()) else None

    def _number(self, source: int, support: Support, new: list[Citation]) -> int | None:
        quote = support.quotes.get(source)
        if quote is None:
            return None
        key = (quote.recording, quote.text, quote.start)
        if key not in self._citations:
            confidence = self.stand_in.confidence * support.probability
            recording = self._sources[source].recording
            citation = cited(quote, len(self._citations) + 1, recording, confidence)
            if citation_fault(citation, quote.passages):
                return None
            self._citations[key] = citation
            new.append(citation)
        return self._citations[key].number

    def _quotes(self, failure: str) -> Iterator[Piece]:
        """The answer without a model, after what was written of the one with it."""
        if failure:
            told = self._said.broken_off if self._text else self._said.unwritten
            self._notes.append(told(failure))
        elif not self._silent:
            self._notes.append(self._said.unwritten(self._said.removed(len(self._unsupported)).rstrip(".")))
        first = len(self._citations)
        for citation in self.stand_in.citations:
            moved = replace(citation, number=citation.number + first)
            self._citations[moved.recording.id, f"quoted {moved.number}", moved.start] = moved
            yield moved
        moved_all = list(self._citations.values())[first:]
        text = quoted(moved_all, self.stand_in.verdict, self._said) if first else self.stand_in.text
        if text:
            self._text.append("\n\n" * bool(first) + text)
            yield self._text[-1]

    def _answer(self) -> Answer:
        written = bool(self._supports)
        citations = tuple(self._citations.values())
        sure = self.stand_in.confidence
        answer = replace(
            self.stand_in,
            text="".join(self._text),
            citations=citations,
            confidence=sure * sum(self._supports) / len(self._supports) if written else sure,
            notes=(*self.stand_in.notes, *self._remarks()),
            unsupported=tuple(self._unsupported),
            calls=self.seats.calls,
        )
        if written:
            titles = list(dict.fromkeys(c.recording.title for c in citations))
            return replace(answer, verdict="answered", heading=self._said.sure(titles))
        if self._silent:
            return replace(answer, verdict="low_relevance", heading=self._said.no_answer())
        return answer

    def _remarks(self) -> Iterator[str]:
        if self.context.cut or self.context.missing:
            yield self._said.left_out(self.context.cut, self.context.missing)
        yield from self._notes
        if self._unsupported and self._supports:
            yield self._said.removed(len(self._unsupported))
        missing = self._uncovered() if self._supports else []
        if missing:
            yield self._said.uncovered(missing)
        for call in self.seats.calls:
            if call.failure and call.seat != "answer":
                yield self._said.undecided(call.seat, call.failure)

    def _uncovered(self) -> list[str]:
        """The entities that the question asks about and the answer does not speak of."""
        plan = self.stand_in.evidence.plan
        heard = set(terms(" ".join((*self._text, *map(str, self._citations.values())))))
        return [name for name in plan.entities if not set(terms(name)) & heard] if plan else []
