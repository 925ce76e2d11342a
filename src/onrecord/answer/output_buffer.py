"""The text of an answer as it is written: sentence by sentence, each with its citations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import overload

from onrecord.answer.check import Support
from onrecord.answer.context import Source
from onrecord.answer.proof import Finding
from onrecord.answer.quotes import cite
from onrecord.answer.verify import citation_fault
from onrecord.models.reasoning import Reset
from onrecord.retrieve.sentences import INITIAL
from onrecord.types import Citation

_STOP = re.compile(r"\n|[.!?…。！？]+[\"'”’»)*_]*")
_MARK = re.compile(r"(?<![ \t])[ \t]*+\[[^\]\n]{0,60}\][.,;]?")
_LONGEST_MARK = 64
LONGEST = 2000
"""The most characters of a sentence."""
_BEYOND = 200  # the characters after the longest sentence that may show where it ends
_ABBREVIATIONS = frozenset(
    "mr. mrs. ms. dr. prof. st. vs. e.g. i.e. etc. approx. inc. ltd. co. corp. jr. sr. fig. "
    "m. mm. mme. mlle. env. cf. p. pp. c.-à-d. art.".split()
)


@overload
def split_stream(pieces: Iterable[str]) -> Iterator[str]: ...
@overload
def split_stream(pieces: Iterable[str | Reset]) -> Iterator[str | Reset]: ...
def split_stream(pieces: Iterable[str | Reset]) -> Iterator[str | Reset]:
    """Yield the sentences of a text that comes in pieces.

    Joined, the sentences are the text: the white space between two belongs to the second. RESET is passed on
    and drops a sentence that has not ended. A sentence that does not end in `LONGEST` characters is cut.
    """
    waiting, tried = "", 0
    for piece in pieces:
        if isinstance(piece, Reset):
            waiting, tried = "", 0
            yield piece
            continue
        sentences, waiting, tried = _split(waiting + piece, tried, final=False)
        yield from sentences
    yield from _split(waiting, tried, final=True)[0]


def _split(text: str, tried: int, final: bool) -> tuple[list[str], str, int]:
    """Split off the sentences that have ended.

    Also return the rest, and the offset in it before which no sentence ends. `tried` is the same for `text`.
    """
    sentences: list[str] = []
    begin = 0
    while begin < len(text):
        seen = text[begin : begin + LONGEST + _BEYOND]
        end, tried = _end(seen, tried, final and begin + len(seen) == len(text))
        if end is None and len(seen) < LONGEST + _BEYOND:
            if not final:
                return sentences, text[begin:], tried
            end = len(seen)
        if end is None or end > LONGEST:
            end = _cut(seen)
        sentences.append(seen[:end])
        begin, tried = begin + end, 0
    return sentences, "", 0


def _end(text: str, tried: int, final: bool) -> tuple[int | None, int]:
    """Return the offset at which the first sentence ends, and the offset before which none ends.

    The first is None if it has not ended, or if more text is needed to decide.
    """
    begin = len(text) - len(text.lstrip())
    for stop in _STOP.finditer(text, max(begin, tried)):
        if stop[0] == "\n":
            return stop.start(), stop.start()
        end, known = _with_marks(text, stop.end(), final)
        if not known:
            return None, stop.start()
        if _ends(text, stop.start(), end):
            return end, stop.start()
    return None, len(text)


def _cut(text: str) -> int:
    """Return the offset of the last white space of a sentence that is too long, or else `LONGEST`."""
    begin = len(text) - len(text.lstrip())
    return next((at for at in range(LONGEST, begin, -1) if text[at].isspace()), LONGEST)


def _with_marks(text: str, end: int, final: bool) -> tuple[int, bool]:
    """Return the end of a sentence with the marks after it, and whether the text so far decides it."""
    while True:
        after = end + len(text[end:]) - len(text[end:].lstrip(" \t"))
        if after == len(text):
            return end, final
        if text[after] != "[":
            return end, True
        mark = _MARK.match(text, end)
        if mark is None:
            undecided = len(text) - after < _LONGEST_MARK and not {"\n", "]"} & set(text[after:])
            return end, final or not undecided
        if mark.end() == len(text) and not final:
            return end, False
        end = mark.end()


def _ends(text: str, stop: int, end: int) -> bool:
    """Return whether a sentence ends here.

    White space must follow, and then a possible beginning of another sentence.
    """
    rest = text[end:].lstrip(" \t")
    if not rest or rest[0] == "\n":
        return True
    if len(rest) == len(text) - end or rest[0].islower():
        return False
    if text[stop] != ".":
        return True
    word = text[: stop + 1].rsplit(None, 1)[-1].lstrip("(«\"'“").lower()
    if word == "no." and rest[0].isdigit():
        return False
    return word not in _ABBREVIATIONS and not INITIAL.search(text[max(0, stop - 2) : stop + 1])


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
