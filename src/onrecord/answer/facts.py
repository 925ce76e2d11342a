"""What the archive knows, told before anything that was said: it is the answer, and needs no search."""

from __future__ import annotations

from dataclasses import dataclass, replace

from onrecord.answer.cite import cited, remarked, renumbered
from onrecord.answer.phrases import English
from onrecord.answer.quotes import Quote
from onrecord.answer.verify import fault
from onrecord.retrieve.sentences import sentences
from onrecord.stores.base import Reader
from onrecord.types import Answer, Citation, Evidence, Fact, one_line


@dataclass(frozen=True, slots=True)
class Lead:
    """The beginning of an answer: what is known, with citations of where it is said, where it was said."""

    text: str
    citations: tuple[Citation, ...]

    def before(self, answer: Answer, said: English) -> Answer:
        """The answer behind it, under a line that says what the quotes are."""
        after = len(self.citations)
        if answer.verdict == "nothing_found":
            answer = replace(answer, text="", citations=())
        over = said.nearest if answer.verdict == "low_relevance" else answer.heading
        text = remarked(answer.text, after)
        parts = (self.text, over, text) if answer.text else (self.text,)
        return replace(
            self.heading(answer),
            text="\n\n".join(filter(None, parts)),
            citations=(*self.citations, *renumbered(answer.citations, after)),
        )

    def heading(self, answer: Answer) -> Answer:
        """The answer as one that is surely given: what is known stands first, so nothing is headed."""
        return replace(answer, heading="", verdict="answered", confidence=1.0)


def lead(evidence: Evidence, store: Reader) -> Lead | None:
    """What is told first; None where the plan of the question has no facts."""
    facts = evidence.plan.facts if evidence.plan else ()
    if not facts:
        return None
    paragraphs: list[str] = []
    citations: list[Citation] = []
    for fact in facts:
        heard = _heard(fact, len(citations) + 1, store)
        citations += [heard] if heard else []
        mark = f" [{heard.number}]" if heard else ""
        paragraphs.append("\n".join(map(one_line, (fact.text + mark, *fact.items))))
    return Lead("\n\n".join(paragraphs), tuple(citations))


def settled(evidence: Evidence) -> Answer | None:
    """An answer of nothing but facts, which are still to be put before it; None where more is asked."""
    if not evidence.plan or not evidence.plan.settled:
        return None
    return Answer(evidence.question.text, "", "", "answered", (), evidence, confidence=1.0)


def _heard(fact: Fact, number: int, store: Reader) -> Citation | None:
    """The sentences in which it is said; None where it is not said in one place, or no longer there."""
    if fact.place is None:
        return None
    name, position, character = fact.place
    recording, passages = store.recording(name), store.transcript(name, position, position)
    if recording is None or not passages:
        return None
    spoken = sentences(passages[0], recording.details.language)
    last = character + 1 if fact.until is None else fact.until
    at = [sentence for sentence in spoken if sentence.begin < last and character < sentence.end]
    if not at:
        return None
    citation = cited(Quote(tuple(at), 1.0, 0), number, recording, 1.0)
    return None if fault(citation, passages) else citation
