"""The answer without a language model: what was said, word for word, by whom and when."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from onrecord.answer import honesty
from onrecord.answer.cite import cited
from onrecord.answer.phrases import English, phrases
from onrecord.answer.quotes import Choice, Quote, in_order
from onrecord.answer.verify import fault
from onrecord.retrieve.question import subject
from onrecord.retrieve.stage import Tools
from onrecord.retrieve.wording import Wording, wording
from onrecord.stores.base import Reader
from onrecord.types import Answer, Citation, Evidence, Line, Recording, printable

_NEAREST = 3
"""How many quotes are shown where none is an answer."""
_FAINT = 1 / 3
"""A quote is left out where it is less than this as likely as the best one."""


@dataclass(frozen=True, slots=True)
class Extractive:
    """Answers with the best sentences of the best moments, verbatim, grouped by recording.

    `quotes` and `words` are the most that is shown; `choice` says how sentences are chosen.
    """

    quotes: int = 5
    words: int = 220
    choice: Choice = field(default_factory=Choice)

    def answer(self, evidence: Evidence, tools: Tools, language: str | None = "en") -> Answer:
        """An answer whose every quote was checked against the store as it is now; `Answer.verdict` says
        what to think of it. Fixed phrases are in `language` (English or French)."""
        said = phrases(language)
        line = evidence.curve.line if evidence.curve else tools.store.line(evidence.question.scope)
        if not len(line):
            empty = said.empty_scope if evidence.question.scope else said.empty_archive
            return Answer(evidence.question.text, empty, "", "nothing_found", (), evidence)
        words = wording(subject(evidence.question.text), line, tools.store)
        calibration = tools.embedder.calibration if tools.embedder else None
        sure = honesty.confidence(honesty.signs(evidence, words, calibration))
        verdict, quotes = self._quotes(evidence, words, sure, tools)
        ordered = in_order(quotes)
        citations = _checked(_cited(ordered, sure, tools.store), tools.store)
        if not citations:
            verdict = "nothing_found"
        return Answer(
            question=evidence.question.text,
            heading=_heading(verdict, sure, citations, line, said),
            text=quoted(citations, verdict, said),
            verdict=verdict,
            citations=citations,
            evidence=evidence,
            confidence=sure,
            notes=tuple(_notes(verdict, words, len(ordered) - len(citations), tools, said)),
        )

    def _quotes(
        self, evidence: Evidence, words: Wording, sure: float, tools: Tools
    ) -> tuple[str, list[Quote]]:
        """The verdict, and the quotes to show for it, best first."""
        verdict = honesty.verdict(evidence, sure)
        if verdict == "nothing_found":
            return verdict, []
        choice = replace(self.choice, quotes=self.quotes, words=self.words)
        text = subject(evidence.question.text)
        chosen = choice.choose(text, evidence, words, tools)
        found = len(chosen.quotes) + len(chosen.echoes)
        if verdict == "answered" and honesty.all_alike(found, len(chosen.twins)):
            return "low_diversity", [chosen.quotes[0], *chosen.twins][: self.quotes]
        likely = sorted(chosen.quotes, key=_likelihood, reverse=True)
        clear = [quote for quote in likely if _likelihood(quote) >= _FAINT * _likelihood(likely[0])]
        return verdict, clear if verdict == "answered" else clear[:_NEAREST]


def _likelihood(quote: Quote) -> float:
    return honesty.quote_confidence(quote.score, quote.moment)


def _cited(quotes: Sequence[Quote], sure: float, store: Reader) -> list[Citation]:
    """Quotes as citations, without those of recordings that are gone."""
    citations = []
    for number, quote in enumerate(quotes, 1):
        recording = store.recording(quote.recording)
        if recording is None:
            continue
        citations.append(cited(quote, number, recording, sure * _likelihood(quote)))
    return citations


def _checked(citations: Sequence[Citation], store: Reader) -> tuple[Citation, ...]:
    """The citations that stand in the store as it is now, numbered anew."""
    rows = list(dict.fromkeys(p.row for c in citations for p in c.passages))
    stored = {p.row: p for p in store.passages(rows)}
    sound: list[Citation] = []
    for citation in citations:
        passages = tuple(stored[p.row] for p in citation.passages if p.row in stored)
        if fault(citation, passages) is None:
            sound.append(replace(citation, number=len(sound) + 1, passages=passages))
    return tuple(sound)


# ---------------------------------------------------------------- in words


def _heading(verdict: str, sure: float, citations: Sequence[Citation], line: Line, said: English) -> str:
    titles = list(dict.fromkeys(_line(c.recording.title) for c in citations))
    if verdict == "nothing_found":
        return said.nothing_found(len(line.names))
    if verdict == "low_relevance":
        return said.low_relevance(len(line.names))
    if verdict == "low_diversity":
        return said.low_diversity(len(citations), len(titles))
    return said.sure(titles) if sure >= honesty.SURE else said.likely(titles)


def quoted(citations: Sequence[Citation], verdict: str, said: English) -> str:
    """The quotes, each with its mark, in a paragraph a recording."""
    if verdict == "low_diversity":
        again = said.introduced(said.told_again, " ".join(f"[{c.number}]" for c in citations[1:]))
        return "\n".join((*_lines(citations[:1], said), again))
    groups = [list(group) for _, group in groupby(citations, key=lambda c: c.recording.id)]
    paragraphs = []
    for group in groups:
        title = [said.introduced(_dated(group[0].recording))] if len(groups) > 1 else []
        paragraphs.append("\n".join((*title, *_lines(group, said))))
    return "\n\n".join(paragraphs)


def _lines(citations: Iterable[Citation], said: English) -> list[str]:
    """``Ann Bell: “...” [1] “...” [2]``, a line for each change of speaker."""
    lines = []
    for speaker, group in groupby(citations, key=lambda c: c.speaker):
        quotes = " ".join(f"{said.quoted(_line(c.quote))} [{c.number}]" for c in group)
        lines.append(said.introduced(_line(speaker), quotes) if speaker else quotes)
    return lines


def _notes(verdict: str, words: Wording, dropped: int, tools: Tools, said: English) -> Iterable[str]:
    if verdict in ("nothing_found", "low_relevance") and words.absent:
        yield said.unheard([_line(word) for word in words.absent[:3]])
    if tools.embedder is None:
        yield said.words_alone
    if dropped:
        yield said.dropped(dropped)


def _dated(recording: Recording) -> str:
    title, date = _line(recording.title), _line(recording.details.date or "")
    return title if date in title else f"{title} ({date})"


def _line(text: str) -> str:
    """A text of unknown make as a part of one line."""
    return " ".join(printable(text).split())
