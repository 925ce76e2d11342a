"""Quotes, sentences that one speaker says in one go, and their citations: who said them, where and when."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from onrecord.answer.talk import adjoin
from onrecord.answer.verify import ELLIPSIS, fault, verbatim
from onrecord.ingest.links import deep_link
from onrecord.ingest.people import roles_of
from onrecord.retrieve.diversity.same import adds
from onrecord.retrieve.sentences import Sentence, sentences
from onrecord.retrieve.wording import stems
from onrecord.stores.base import Reader
from onrecord.types import Answer, Citation, Evidence, Fact, Passage, Recording, mark, one_line
from onrecord.understand.lexicon import Messages

_MARKS = re.compile(r"(“[^”]*”|« [^»]* »)|\[(\d{1,3})\]")
"""A quotation, whose words stay as they are, or the mark of a citation."""


@dataclass(frozen=True, slots=True)
class Quote:
    """Sentences said by one speaker in one go (others may put in a "Yeah."); `score` is how likely they
    answer, number `core` likeliest, and `moment` the rank of the moment that they were found in."""

    sentences: tuple[Sentence, ...]
    score: float
    moment: int
    core: int = 0

    @property
    def text(self) -> str:
        """What was said, with single spaces; ``[...]`` stands for what others put in, and shows that a
        sentence has begun before or goes on."""
        parts = [
            self.sentences[0].text if self.sentences[0].opens else f"{ELLIPSIS} {self.sentences[0].text}"
        ]
        for before, after in pairwise(self.sentences):
            parts.append(after.text if adjoin(before, after) else f"{ELLIPSIS} {after.text}")
        if not self.sentences[-1].closes:
            parts.append(ELLIPSIS)
        return " ".join(" ".join(parts).split())

    @property
    def speaker(self) -> str | None:
        return self.sentences[0].speaker

    @property
    def passages(self) -> tuple[Passage, ...]:
        return tuple({s.passage.position: s.passage for s in self.sentences}.values())

    @property
    def recording(self) -> str:
        return self.sentences[0].passage.recording

    @property
    def start(self) -> float | None:
        return self.sentences[0].passage.time_at(self.sentences[0].begin)

    @property
    def end(self) -> float | None:
        return self.sentences[-1].passage.time_at(self.sentences[-1].end)

    @property
    def words(self) -> int:
        return sum(s.words for s in self.sentences)


@dataclass(frozen=True, slots=True)
class Chosen:
    """`quotes`, best first, each saying something of its own; `echoes` say again what one of them says."""

    quotes: list[Quote] = field(default_factory=list)
    echoes: list[Quote] = field(default_factory=list)

    @property
    def twins(self) -> list[Quote]:
        """The echoes that are the first quote in nearly the same words."""
        first = self.quotes[:1]
        return [q for q in self.echoes for one in first if adds_little(q, one) and adds_little(one, q)]

    @property
    def all_alike(self) -> bool:
        """Whether it is little more than one thing said again and again: of three quotes or more, three in
        five are the best one and its twins."""
        twins = len(self.twins)
        return twins >= 2 and twins + 1 >= 0.6 * (len(self.quotes) + len(self.echoes))


def adds_little(quote: Quote, shown: Quote, alike: float = 0.6) -> bool:
    """Whether more than the share `alike` of a quote's words stand in one that is shown, and its best
    sentence has no figure, name or negation of its own."""
    mine, theirs = stems(quote.text), stems(shown.text)
    return len(mine & theirs) > alike * len(mine) and not adds(quote.sentences[quote.core].text, shown.text)


def likeliest_first(quotes: Sequence[Quote]) -> list[Quote]:
    """Quotes as they are read where the best one answers: those of a recording together, the best first."""
    recordings = list(dict.fromkeys(quote.recording for quote in quotes))
    return sorted(quotes, key=lambda quote: recordings.index(quote.recording))


def in_order(quotes: Sequence[Quote]) -> list[Quote]:
    """Quotes as they are read: those of a recording together, the recording of the best quote first, each
    recording's as they were spoken; what was said in one go is one quote."""
    recordings = list(dict.fromkeys(quote.recording for quote in quotes))
    ordered: list[Quote] = []

    def place(quote: Quote) -> tuple[int, int, int]:
        first = quote.sentences[0]
        return recordings.index(quote.recording), first.passage.position, first.begin

    for quote in sorted(quotes, key=place):
        last = ordered[-1] if ordered else None
        if last and last.speaker == quote.speaker and adjoin(last.sentences[-1], quote.sentences[0]):
            both = last.sentences + quote.sentences
            ordered[-1] = Quote(both, max(last.score, quote.score), min(last.moment, quote.moment))
        else:
            ordered.append(quote)
    return ordered


# ---------------------------------------------------------------- citations


def cited(
    quote: Quote, number: int, recording: Recording, confidence: float, section: str | None = None
) -> Citation:
    """The citation ``[number]`` of a quote; `confidence` in 0..1, `section` is the way to it."""
    details, start = recording.details, quote.start
    return Citation(
        number=number,
        recording=recording,
        quote=quote.text,
        passages=quote.passages,
        speaker=quote.speaker,
        start=start,
        end=quote.end,
        link=deep_link(details.link, details.media, start),
        confidence=confidence,
        section=section or quote.passages[0].section,
        role=roles_of(recording).get(quote.speaker or ""),
    )


def citations_of(
    quotes: Sequence[Quote], sure: float, section_paths: Mapping[tuple[str, str], str], store: Reader
) -> tuple[Citation, ...]:
    """The quotes that stand in the store as it is now, as citations; `sure` is the confidence in all of them.

    Args:
        section_paths: the path of each section, by recording and title.
    """
    known = [(quote, recording) for quote in quotes if (recording := store.recording(quote.recording))]
    rows = dict.fromkeys(passage.row for quote, _ in known for passage in quote.passages)
    stored = {passage.row: passage for passage in store.passages(list(rows))}
    citations: list[Citation] = []
    for quote, recording in known:
        path = section_paths.get((recording.id, quote.passages[0].section or ""))
        citation = cited(quote, len(citations) + 1, recording, sure * min(quote.score, 1.0), path)
        passages = tuple(stored[p.row] for p in citation.passages if p.row in stored)
        if fault(citation, passages) is None:
            citations.append(replace(citation, passages=passages))
    return tuple(citations)


def in_context(citation: Citation, words: int, store: Reader) -> Citation:
    """The citation with so many words from before and after its quote, of the same recording."""
    place = verbatim(citation.quote, citation.passages, citation.start) if words else None
    if place is None:
        return citation
    first, last = place.passages[0], place.passages[-1]
    before = first.text[: place.begin].split()
    after = last.text[place.end :].split()
    if len(before) < words:
        before = [*_beside(store, first, -1), *before]
    if len(after) < words:
        after = [*after, *_beside(store, last, 1)]
    return replace(citation, before=" ".join(before[-words:]), after=" ".join(after[:words]))


def _beside(store: Reader, passage: Passage, step: int) -> list[str]:
    """The words of the passage before or after another one."""
    at = passage.position + step
    found = store.transcript(passage.recording, at, at) if at >= 0 else []
    return found[0].text.split() if found else []


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
    citation = replace(cited(Quote(tuple(at), 1.0, 0), number, recording, 1.0), graph=fact.graph)
    return None if fault(citation, passages) else citation
