"""Quotes, sentences that one speaker says in one go, and their citations: who said them, where and when."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

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

_SIGNS = re.compile(r"“|”|« | »|\[(\d{1,3})\]")
"""The beginning or the end of a quotation, or the mark of a citation."""
_CLOSING = {"“": "”", "« ": " »"}
_REPEATED = 0.6
"""The share of a quote's words beyond which it repeats a quote that has them too."""


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
        parts = [] if self.sentences[0].opens else [ELLIPSIS]
        previous = None
        for sentence in self.sentences:
            if previous and not adjoin(previous, sentence):
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
    """`quotes`, best first, each with something of its own; `echoes` repeat one of them."""

    quotes: list[Quote] = field(default_factory=list)
    echoes: list[Quote] = field(default_factory=list)

    def duplicates(self) -> list[Quote]:
        """The first quote and its echoes in nearly the same words, if they are three quotes in five or more,
        and three at least; else none."""
        first = self.quotes[:1]
        same = [echo for echo in self.echoes if repeats(echo, first[0]) and repeats(first[0], echo)]
        enough = len(same) >= 2 and len(same) + 1 >= 0.6 * (len(self.quotes) + len(self.echoes))
        return first + same if enough else []


def repeats(quote: Quote, shown: Quote) -> bool:
    """Whether most of a quote's words stand in one that is shown, and its best sentence has no figure,
    name or negation of its own."""
    own = stems(quote.text)
    common = own & stems(shown.text)
    return len(common) > _REPEATED * len(own) and not adds(quote.sentences[quote.core].text, shown.text)


def by_recording(quotes: Sequence[Quote]) -> list[Quote]:
    """Quotes, the best first, with those of one recording together."""
    recordings = list(dict.fromkeys([quote.recording for quote in quotes]))
    return sorted(quotes, key=lambda quote: recordings.index(quote.recording))


def in_speaking_order(quotes: Sequence[Quote]) -> list[Quote]:
    """Quotes as they were spoken, the recording of the best quote first; quotes that adjoin become one."""
    recordings = list(dict.fromkeys([quote.recording for quote in quotes]))

    def place(quote: Quote) -> tuple[int, int, int]:
        first = quote.sentences[0]
        return recordings.index(quote.recording), first.passage.position, first.begin

    ordered: list[Quote] = []
    for quote in sorted(quotes, key=place):
        last = ordered[-1] if ordered else None
        if last and last.speaker == quote.speaker and adjoin(last.sentences[-1], quote.sentences[0]):
            both = last.sentences + quote.sentences
            ordered[-1] = Quote(both, max(last.score, quote.score), min(last.moment, quote.moment))
        else:
            ordered.append(quote)
    return ordered


# ---------------------------------------------------------------- citations


def cite(
    quote: Quote, number: int, recording: Recording, confidence: float, section: str | None = None
) -> Citation:
    """The citation ``[number]`` of a quote; `confidence` in 0..1, `section` is the path of its section."""
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
    quotes: Sequence[Quote], sure: float, section_paths: Mapping[tuple[str, str], str], store: Reader
) -> tuple[Citation, ...]:
    """The quotes that stand in the store as it is now, as citations; `sure` is the confidence in all of them.

    Args:
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
    passages = store.transcript(passage.recording, at, at) if at >= 0 else []
    return passages[0].text.split() if passages else []


def renumber(citations: tuple[Citation, ...], after: int) -> tuple[Citation, ...]:
    """Citations with numbers that follow others."""
    return tuple(replace(citation, number=citation.number + after) for citation in citations)


def restyle_marks(text: str, style: str) -> str:
    """The text of an answer with its marks in one of `STYLES`; quotations keep theirs."""
    if style == "numbers":
        return text
    return _replace_marks(text, lambda number: mark(number, style))


def renumber_marks(text: str, after: int) -> str:
    """The text of an answer with numbers in its marks that follow others."""
    return _replace_marks(text, lambda number: f"[{number + after}]")


def _replace_marks(text: str, written: Callable[[int], str]) -> str:
    """The text with its marks as `written` has them, except those within a quotation that is closed."""
    last = {sign: text.rfind(sign) for sign in _CLOSING.values()}
    closing = None

    def replaced(match: re.Match[str]) -> str:
        nonlocal closing
        sign = match[0]
        if closing is None and sign in _CLOSING and last[_CLOSING[sign]] >= match.end():
            closing = _CLOSING[sign]
        elif sign == closing:
            closing = None
        elif closing is None and match[1]:
            return written(int(match[1]))
        return sign

    return _SIGNS.sub(replaced, text)


@dataclass(frozen=True, slots=True)
class Lead:
    """The beginning of an answer: facts of the catalogue, with citations if somebody said them."""

    text: str
    citations: tuple[Citation, ...]

    def before(self, answer: Answer, messages: Messages) -> Answer:
        """The answer with these facts in front, and a line that says what the quotes are."""
        after = len(self.citations)
        if answer.verdict == "nothing_found":
            answer = replace(answer, text="", citations=())
        over = messages.say("nearest") if answer.verdict == "low_relevance" else answer.heading
        text = renumber_marks(answer.text, after)
        parts = (self.text, over, text) if answer.text else (self.text,)
        return replace(
            self.heading(answer),
            text="\n\n".join(filter(None, parts)),
            citations=(*self.citations, *renumber(answer.citations, after)),
        )

    def heading(self, answer: Answer) -> Answer:
        """The answer as sure and without a heading, as its facts stand first."""
        return replace(answer, heading="", verdict="answered", confidence=1.0, measured=False)


def lead(evidence: Evidence, store: Reader) -> Lead | None:
    """The facts of a question's plan, as the beginning of its answer; None without facts."""
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
    return Lead("\n\n".join(paragraphs), tuple(citations))


def answer_of_facts(evidence: Evidence) -> Answer | None:
    """The empty answer to a question that facts of the catalogue settle; None for any other question."""
    if not evidence.plan or not evidence.plan.settled:
        return None
    return Answer(evidence.question.text, "", "", "answered", (), evidence, confidence=1.0)


def _source_of(fact: Fact, number: int, store: Reader) -> Citation | None:
    """The citation of the sentences that state a fact; None if no single place does, or no longer."""
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
    if stating and ELLIPSIS in shown:  # sentences with words left out between them
        after = (sentence for sentence in in_passage if character < sentence.end)
        own = (sentence for sentence in after if sentence.speaker == stating[0].speaker)
        stating = [sentence for sentence in own if one_line(sentence.text) in shown]
    if not stating:
        return None
    citation = replace(cite(Quote(tuple(stating), 1.0, 0), number, recording, 1.0), graph=fact.graph)
    return None if fault(citation, passages) else citation
