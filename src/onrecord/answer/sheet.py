"""The answer as far as it has been given out: its text, its citations, and what was left out of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from onrecord.answer.check import Support
from onrecord.answer.cite import cited
from onrecord.answer.context import Source
from onrecord.answer.proof import Finding
from onrecord.answer.verify import fault
from onrecord.types import Citation


class Sheet:
    """Takes findings and gives out text with our marks, each citation before the text that cites it.

    `sure` is how likely what was found speaks to the question: a citation is that sure at most. A heading
    waits for the first sentence under it that stands, and falls where `headings` are not wanted.
    """

    def __init__(self, sources: Mapping[int, Source], sure: float, headings: bool = False) -> None:
        self._sources, self._sure, self._headings = sources, sure, headings
        self._heading = ""
        self._pieces: list[str] = []
        self._kept = ""  # what stood before a sentence that was left out: a new paragraph, a list mark
        self._places: dict[tuple[str, str, float | None], int] = {}
        self.citations: list[Citation] = []
        self.supports: list[float] = []
        self.unsupported: list[str] = []
        self.marked = 0  # of those, how many are shown with a mark

    @property
    def text(self) -> str:
        return "".join(self._pieces)

    def give(self, finding: Finding) -> Iterator[Citation | str]:
        """The new citations of a sentence, then the sentence, with a mark where it is in doubt; nothing where
        it falls."""
        if finding.claim.heading:
            self._heading = finding.claim.text if finding.stands and self._headings else ""
            self._kept = "\n\n"
            return
        lead = self._kept if "\n" in self._kept and "\n" not in finding.claim.lead else finding.claim.lead
        before = len(self.citations)
        marked = self._marked(finding) if finding.verdict in ("stands", "doubtful") else None
        if marked is None or not finding.stands:
            self.unsupported.append(finding.claim.text)
        if marked is None:
            self._kept = lead
            return
        if not finding.stands:
            self.marked += 1
            marked += " [?]"
        self._kept = ""
        if self._heading:
            lead = f"\n\n## {self._heading}\n\n{lead.lstrip()}"
            self._heading = ""
        if finding.support is not None:
            self.supports.append(finding.support.probability)
        yield from self.citations[before:]
        self._pieces.append((lead if self._pieces else lead.lstrip()) + marked)
        yield self._pieces[-1]

    def add(self, text: str, citations: tuple[Citation, ...] = ()) -> Iterator[Citation | str]:
        """Text that was checked elsewhere, with its citations."""
        self.citations += citations
        yield from citations
        if text:
            self._pieces.append(("\n\n" if self._pieces else "") + text)
            self._kept = "\n\n"
            yield self._pieces[-1]

    def _marked(self, finding: Finding) -> str | None:
        """The sentence with our marks for the model's; None where no citation of it stands."""
        if finding.support is None:
            return finding.claim.marked({})
        numbers = {n: self._number(n, finding.support) for n in finding.claim.cited}
        if numbers:
            return finding.claim.marked(numbers) if any(numbers.values()) else None
        best = next(iter(finding.support.quotes), 0)  # it names no source
        number = self._number(best, finding.support)
        return f"{finding.claim.text} [{number}]" if number else None

    def _number(self, source: int, support: Support) -> int | None:
        """The number of the citation of what a source says for a sentence; None where there is none."""
        quote = support.quotes.get(source)
        if quote is None:
            return None
        place = quote.recording, quote.text, quote.start
        if place not in self._places:
            number, cites = len(self.citations) + 1, self._sources[source]
            sure, way = self._sure * support.probability, cites.way(quote.passages[0])
            citation = cited(quote, number, cites.recording, sure, way)
            if fault(citation, quote.passages):
                return None
            self._places[place] = number
            self.citations.append(citation)
        return self._places[place]
