"""Citations: quotes with who said them, where and when, and where what the archive knows was said."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from onrecord.answer.quotes import Quote
from onrecord.answer.verify import fault
from onrecord.ingest.links import deep_link
from onrecord.ingest.people import roles_of
from onrecord.retrieve.sentences import sentences
from onrecord.stores.base import Reader
from onrecord.types import Answer, Citation, Evidence, Fact, Recording, mark, one_line
from onrecord.understand.lexicon import Messages

_MARKS = re.compile(r"(“[^”]*”|« [^»]* »)|\[(\d{1,3})\]")
"""A quotation, whose words stay as they are, or the mark of a citation."""


def cited(
    quote: Quote, number: int, recording: Recording, confidence: float, section: str | None = None
) -> Citation:
    """The citation ``[number]`` of a quote; `confidence` in 0..1, `section` is the way to it."""
    details = recording.details
    return Citation(
        number=number,
        recording=recording,
        quote=quote.text,
        passages=quote.passages,
        speaker=quote.speaker,
        start=quote.start,
        end=quote.end,
        link=deep_link(details.link, details.media, quote.start),
        confidence=confidence,
        section=section or quote.passages[0].section,
        role=roles_of(recording).get(quote.speaker or ""),
    )


def renumbered(citations: tuple[Citation, ...], after: int) -> tuple[Citation, ...]:
    """Citations with numbers that follow others."""
    return tuple(replace(citation, number=citation.number + after) for citation in citations)


def restyled(text: str, style: str) -> str:
    """The text of an answer with its marks in one of `STYLES`; quotations keep theirs."""
    if style == "numbers":
        return text
    return _MARKS.sub(lambda found: found[1] or mark(int(found[2]), style), text)


def remarked(text: str, after: int) -> str:
    """The text of an answer with the marks of citations that follow others."""
    return _MARKS.sub(lambda found: found[1] or f"[{int(found[2]) + after}]", text)


@dataclass(frozen=True, slots=True)
class Lead:
    """The beginning of an answer: what is known, with citations of where it is said, where it was said."""

    text: str
    citations: tuple[Citation, ...]

    def before(self, answer: Answer, said: Messages) -> Answer:
        """The answer behind it, under a line that says what the quotes are."""
        after = len(self.citations)
        if answer.verdict == "nothing_found":
            answer = replace(answer, text="", citations=())
        over = said.say("nearest") if answer.verdict == "low_relevance" else answer.heading
        text = remarked(answer.text, after)
        parts = (self.text, over, text) if answer.text else (self.text,)
        return replace(
            self.heading(answer),
            text="\n\n".join(filter(None, parts)),
            citations=(*self.citations, *renumbered(answer.citations, after)),
        )

    def heading(self, answer: Answer) -> Answer:
        """The answer as one that is surely given: what is known stands first, so nothing is headed."""
        return replace(answer, heading="", verdict="answered", confidence=1.0, measured=False)


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
