"""Quotes, the sentences that one speaker says in one go, and their citations: speaker, recording and time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from onrecord.answer.marks import renumber_marks
from onrecord.answer.talk import sentences_adjoin
from onrecord.answer.verify import ELLIPSIS, citation_fault, verbatim
from onrecord.ingest.links import deep_link
from onrecord.ingest.people import roles_of
from onrecord.retrieve.diversity.same import adds
from onrecord.retrieve.sentences import Sentence, sentences
from onrecord.retrieve.wording import stems
from onrecord.stores.base import Snapshot
from onrecord.types import Answer, Citation, Evidence, Fact, Passage, Recording, one_line
from onrecord.understand.lexicon import Messages

_REPEATED = 0.6
"""The share of a quote's words above which it repeats another quote that contains them."""


@dataclass(frozen=True, slots=True)
class Quote:
    """Consecutive sentences of one speaker; others may interject a "Yeah.".

    `score` is how likely the sentences answer. `core` is the index of the likeliest sentence. `moment` is the
    rank of the moment that they come from.
    """

    sentences: tuple[Sentence, ...]
    score: float
    moment: int
    core: int = 0

    @property
    def text(self) -> str:
        """The speaker's words, with single spaces.

        ``[...]`` stands for interjections of others. At either end it shows that a sentence is incomplete.
        """
        parts = [] if self.sentences[0].opens else [ELLIPSIS]
        previous = None
        for sentence in self.sentences:
            if previous and not sentences_adjoin(previous, sentence):
                parts.append(ELLIPSIS)
            parts += sentence.text.split()
            previous = sentence
        if not self.sentences[-1].closes:
            parts.append(ELLIPSIS)
        return " ".join(parts)

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
        return sum([sentence.words for sentence in self.sentences])


@dataclass(frozen=True, slots=True)
class QuoteSelection:
    """The chosen `quotes`, best first and each with new content, and the `echoes` that repeat one of them."""

    quotes: list[Quote] = field(default_factory=list)
    echoes: list[Quote] = field(default_factory=list)

    def duplicates(self) -> list[Quote]:
        """Return the first quote and its near-verbatim echoes, if they dominate; else an empty list.

        They dominate if they are at least three, and at least three in five of all quotes and echoes.
        """
        first = self.quotes[:1]
        same = [echo for echo in self.echoes if repeats(echo, first[0]) and repeats(first[0], echo)]
        enough = len(same) >= 2 and len(same) + 1 >= 0.6 * (len(self.quotes) + len(self.echoes))
        return first + same if enough else []


def repeats(quote: Quote, shown: Quote) -> bool:
    """Return whether a quote repeats one that is already shown.

    It does if most of its words stand in the other quote, and all words of its best sentence in one run.
    """
    own = stems(quote.text)
    common = own & stems(shown.text)
    return len(common) > _REPEATED * len(own) and not adds(quote.sentences[quote.core].text, shown.text)


def by_recording(quotes: Sequence[Quote]) -> list[Quote]:
    """Group quotes by recording. Recordings keep the order of their best quote."""
    recordings = list(dict.fromkeys([quote.recording for quote in quotes]))
    return sorted(quotes, key=lambda quote: recordings.index(quote.recording))


def in_speaking_order(quotes: Sequence[Quote]) -> list[Quote]:
    """Return quotes in speaking order, the recording of the best quote first. Merge adjoining quotes."""
    recordings = list(dict.fromkeys([quote.recording for quote in quotes]))

    def place(quote: Quote) -> tuple[int, int, int]:
        first = quote.sentences[0]
        return recordings.index(quote.recording), first.passage.position, first.begin

    ordered: list[Quote] = []
    for quote in sorted(quotes, key=place):
        last = ordered[-1] if ordered else None
        own = last if last and last.speaker == quote.speaker else None
        if own and sentences_adjoin(own.sentences[-1], quote.sentences[0]):
            both = own.sentences + quote.sentences
            ordered[-1] = Quote(both, max(own.score, quote.score), min(own.moment, quote.moment))
        else:
            ordered.append(quote)
    return ordered


# ---------------------------------------------------------------- citations


def cite(
    quote: Quote, number: int, recording: Recording, confidence: float, section: str | None = None
) -> Citation:
    """Return the citation ``[number]`` of a quote.

    `confidence` is in 0..1. `section` is the path of the quote's section.
    """
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


def cite_all(
    quotes: Sequence[Quote], sure: float, section_paths: Mapping[tuple[str, str], str], store: Snapshot
) -> tuple[Citation, ...]:
    """Return citations for the quotes that stand in the store as it is now.

    Args:
        sure: the confidence, in 0..1, in all quotes together.
        section_paths: the path of each section, by recording and title.
    """
    rows: dict[int, None] = {}
    for quote in quotes:
        rows.update(dict.fromkeys([passage.row for passage in quote.passages]))
    stored = {passage.row: passage for passage in store.passages(list(rows))}
    citations: list[Citation] = []
    for quote in quotes:
        recording = store.recording(quote.recording)
        if recording is None:
            continue
        path = section_paths.get((recording.id, quote.sentences[0].passage.section or ""))
        citation = cite(quote, len(citations) + 1, recording, sure * min(quote.score, 1.0), path)
        passages = tuple([stored[p.row] for p in citation.passages if p.row in stored])
        if citation_fault(citation, passages) is None:
            citations.append(replace(citation, passages=passages))
    return tuple(citations)


def in_context(citation: Citation, words: int, store: Snapshot) -> Citation:
    """Return the citation with `words` words of the same recording before and after its quote."""
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


def _beside(store: Snapshot, passage: Passage, step: int) -> list[str]:
    """Return the words of the passage before or after another passage."""
    at = passage.position + step
    passages = store.transcript(passage.recording, at, at) if at >= 0 else []
    return passages[0].text.split() if passages else []


def renumber(citations: tuple[Citation, ...], after: int) -> tuple[Citation, ...]:
    """Return citations with numbers that continue after `after`."""
    return tuple(replace(citation, number=citation.number + after) for citation in citations)


@dataclass(frozen=True, slots=True)
class CatalogFacts:
    """The facts of the catalog that begin an answer, with citations if a speaker said them."""

    text: str
    citations: tuple[Citation, ...]

    def prepend_to(self, answer: Answer, messages: Messages) -> Answer:
        """Return the answer with these facts first, then a line that introduces the quotes."""
        after = len(self.citations)
        if answer.verdict == "nothing_found":
            answer = replace(answer, text="", citations=())
        over = messages.say("nearest") if answer.verdict == "low_relevance" else answer.heading
        text = renumber_marks(answer.text, after)
        parts = (self.text, over, text) if answer.text else (self.text,)
        return replace(
            without_doubt(answer),
            text="\n\n".join(filter(None, parts)),
            citations=(*self.citations, *renumber(answer.citations, after)),
        )


def without_doubt(answer: Answer) -> Answer:
    """Return the answer as certain and without a heading, because facts stand first."""
    return replace(answer, heading="", verdict="answered", confidence=1.0, measured=False)


def catalog_facts(evidence: Evidence, store: Snapshot) -> CatalogFacts | None:
    """Return the facts of a question's plan, which begin its answer; None without facts."""
    facts = evidence.plan.facts if evidence.plan else ()
    if not facts:
        return None
    paragraphs: list[str] = []
    citations: list[Citation] = []
    for fact in facts:
        source = _source_of(fact, len(citations) + 1, store)
        citations += [source] if source else []
        mark = f" [{source.number}]" if source else ""
        paragraphs.append("\n".join(map(one_line, (fact.text + mark, *fact.items))))
    return CatalogFacts("\n\n".join(paragraphs), tuple(citations))


def settled_answer(evidence: Evidence) -> Answer | None:
    """Return an empty answer if facts of the catalog settle the question, else None."""
    if not evidence.plan or not evidence.plan.settled:
        return None
    return Answer(evidence.question.text, "", "", "answered", (), evidence, confidence=1.0)


def _source_of(fact: Fact, number: int, store: Snapshot) -> Citation | None:
    """Return the citation of the sentences that state a fact.

    Return None if no single place states the fact, or if it no longer does.
    """
    if fact.place is None:
        return None
    name, position, character = fact.place
    recording, passages = store.recording(name), store.transcript(name, position, position)
    if recording is None or not passages:
        return None
    end = character + 1 if fact.until is None else fact.until
    in_passage = sentences(passages[0], recording.details.language)
    stating = [sentence for sentence in in_passage if sentence.begin < end and character < sentence.end]
    shown = " ".join(fact.items)
    if stating and ELLIPSIS in shown:  # the fact quotes sentences that do not adjoin
        after = (sentence for sentence in in_passage if character < sentence.end)
        own = (sentence for sentence in after if sentence.speaker == stating[0].speaker)
        stating = [sentence for sentence in own if one_line(sentence.text) in shown]
    if not stating:
        return None
    citation = replace(cite(Quote(tuple(stating), 1.0, 0), number, recording, 1.0), graph=fact.graph)
    return None if citation_fault(citation, passages) else citation
