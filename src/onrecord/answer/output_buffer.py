"""The text of an answer as it is written: sentence by sentence, each with its citations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from onrecord.answer.check import Support
from onrecord.answer.context import Source
from onrecord.answer.proof import Finding
from onrecord.answer.quotes import cite
from onrecord.answer.verify import citation_fault
from onrecord.types import Citation


class OutputBuffer:
    """A buffer that turns findings into text with our marks, each citation before the text that cites it.

    `sure` is the probability that the evidence answers the question, and the upper limit of a citation's
    confidence. A heading waits for the first sentence under it that stands. Without `headings` it is dropped.
    """

    def __init__(self, sources: Mapping[int, Source], sure: float, headings: bool = False) -> None:
        self._sources, self._sure, self._headings = sources, sure, headings
        self._heading = ""
        self._pieces: list[str] = []
        self._lead = ""  # the lead of a sentence that was left out: a new paragraph, a list mark
        self._places: dict[tuple[str, str, float | None], int] = {}
        self.citations: list[Citation] = []
        self.supports: list[float] = []
        self.unsupported: list[str] = []
        self.marked = 0  # how many of the unsupported sentences are shown with a mark
        self.last = 0  # the number of the last citation
        self._begun = (0, 0, 0, 0, 0)

    @property
    def text(self) -> str:
        return "".join(self._pieces)

    def give(self, finding: Finding) -> Iterator[Citation | str]:
        """Yield the new citations of a sentence, then the sentence.

        A doubtful sentence gets a mark. A sentence that falls or is wrong yields nothing.
        """
        if finding.claim.heading:
            self._heading = finding.claim.text if finding.stands and self._headings else ""
            self._lead = "\n\n"
            return
        lead = self._lead if "\n" in self._lead and "\n" not in finding.claim.lead else finding.claim.lead
        before = len(self.citations)
        marked = self._marked(finding) if finding.verdict in ("stands", "doubtful") else None
        if marked is None or not finding.stands:
            self.unsupported.append(finding.claim.text)
        if marked is None:
            self._lead = lead
            return
        if not finding.stands:
            self.marked += 1
            marked += " [?]"
        self._lead = ""
        if self._heading:
            lead = f"\n\n## {self._heading}\n\n{lead.lstrip()}"
            self._heading = ""
        if finding.support is not None:
            self.supports.append(finding.support.probability)
        yield from self.citations[before:]
        self._pieces.append((lead if self._pieces else lead.lstrip()) + marked)
        yield self._pieces[-1]

    def begin_draft(self) -> None:
        """Remember the present content, which `drop_draft` leaves in place."""
        pieces, unsupported = len(self._pieces), len(self.unsupported)
        self._begun = (pieces, len(self.citations), len(self.supports), unsupported, self.marked)

    def drop_draft(self) -> bool:
        """Drop the content of the draft, and return whether there was any.

        Later citations get new numbers, because a reader may have seen the numbers of the dropped ones.
        """
        pieces, citations, supports, unsupported, self.marked = self._begun
        was_any = len(self._pieces) > pieces
        del self._pieces[pieces:], self.citations[citations:]
        del self.supports[supports:], self.unsupported[unsupported:]
        self._places.clear()
        self._heading, self._lead = "", "\n\n"
        return was_any

    def add(self, text: str, citations: tuple[Citation, ...] = ()) -> Iterator[Citation | str]:
        """Yield text that was checked elsewhere, after its citations."""
        self.citations += citations
        self.last = max((self.last, *(citation.number for citation in citations)))
        yield from citations
        if text:
            self._pieces.append(("\n\n" if self._pieces else "") + text)
            self._lead = "\n\n"
            yield self._pieces[-1]

    def _marked(self, finding: Finding) -> str | None:
        """Return the sentence with our marks for the model's; None if none of its citations stands."""
        if finding.support is None:
            return finding.claim.marked({})
        numbers = {n: self._number(n, finding.support) for n in finding.claim.cited}
        if numbers:
            return finding.claim.marked(numbers) if any(numbers.values()) else None
        best = next(iter(finding.support.quotes), 0)  # the sentence cites no source: cite the best one
        number = self._number(best, finding.support)
        return f"{finding.claim.text} [{number}]" if number else None

    def _number(self, source: int, support: Support) -> int | None:
        """Return the number of the citation of a source's quote for a sentence; None without a quote.

        Return None also if the quote does not stand in the source.
        """
        quote = support.quotes.get(source)
        if quote is None:
            return None
        place = quote.recording, quote.text, quote.start
        if place not in self._places:
            number, cites = self.last + 1, self._sources[source]
            sure, path = self._sure * support.probability, cites.section_path(quote.passages[0])
            citation = cite(quote, number, cites.recording, sure, path)
            if citation_fault(citation, quote.passages):
                return None
            self._places[place] = self.last = number
            self.citations.append(citation)
        return self._places[place]
