"""Sentences of a draft, and faults in them that need no judgment of meaning.

The faults are citations that do not exist, quotations that nobody said, and figures and names that the
sources do not have.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from onrecord.answer.figures import TextContent, figures, merged
from onrecord.answer.verify import verbatim
from onrecord.retrieve.quantities import PART, Quantity, is_rounded, measures, tokens
from onrecord.retrieve.wording import stems
from onrecord.stores.words import STOP, fold, terms

if TYPE_CHECKING:
    from onrecord.answer.context import Source

_NUMBER = r"(?:sources?\s*)?#?\d{1,3}"
MARKS = re.compile(
    rf"(?<![ \t])[ \t]*+[\[［]\s*+({_NUMBER}(?:\s*+(?:,|;|&|and|et|und|y)\s*+{_NUMBER})*+)\s*+[\]］]",
    re.IGNORECASE,
)
"""Citations as models write them."""
LEAD = re.compile(r"\s*(?:(?:[-*•]|\d{1,2}[.)]|#{1,6})\s+)?")
_HEADING = 12  # the most words of a heading: a longer line is a sentence, whatever stands before it
_QUOTED = re.compile(r"“([^“”]+)”|«([^«»]+)»|\"([^\"]+)\"|„([^„“]+)“")
_ADDRESS = re.compile(r"\b(?:https?://|www\.)\S", re.IGNORECASE)
_LINK = re.compile(r"\[[^\[\]]*\]\(")  # the words of a link in Markdown, and the bracket before its address
_TOKEN = re.compile(r"<[|｜][^<>\n]{1,40}>|<[^<>\n]{1,40}[|｜]>")
_NAME = re.compile(r"(?<![\w'’])[A-ZÀ-ÖØ-Þ][\w'’&-]+")
_QUARTER = re.compile(r"\bQ[1-4]\b")
# Words that a line before a list may have without anybody having said them.
_LEADING = frozenset(
    terms(
        "thing point reason cause factor example speaker guest name mention give list follow following "
        "main key several different other many few first second third two three four five six seven "
        "eight nine ten answer question summary short brief view opinion side argue describe explain "
        "according discuss talk topic issue step part people person raise offer present chose raison "
        "facteur exemple orateur nommer citer donner suivant suivante principal plusieurs différent "
        "autre deux trois quatre cinq sept huit neuf dix réponse résumé avis côté selon sujet partie "
        "personne voici expliquer "
    )
)
_PARTED = re.compile(r"[,;]\s")
_EDGES = ".,;:!?…"
_COUNTED = 10
"""The largest number of things that the writer of a sentence may have counted."""
_SCALES = (1e3, 1e6, 1e9)
"""The scales that people leave out of figures: "thirty" for thirty thousand."""
_SAME_ROOT = 4
"""The number of initial letters that a name and a word in the sources must share to count as one."""
NO_ANSWER = "[no answer]"
MISSING = "[missing]"
_QUOTATION = 3  # the least words of a quotation: fewer in quotation marks are a term or irony


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence of a draft.

    `lead` is the white space and list mark before it, `plain` the rest as it was written, and `cited` the
    numbers of the sources that it cites.
    """

    lead: str
    plain: str
    cited: tuple[int, ...] = ()

    @property
    def text(self) -> str:
        """The words of the sentence, without citations."""
        return MARKS.sub("", self.plain).strip()

    @property
    def heading(self) -> bool:
        """Whether the sentence is a heading in Markdown: "## Margins"."""
        return self.lead.lstrip().startswith("#") and len(self.text.split()) <= _HEADING

    def marked(self, numbers: Mapping[int, int | None]) -> str:
        """Return the sentence with new citation numbers. A citation without a new number loses its mark."""

        def renumbered(match: re.Match[str]) -> str:
            own = [numbers.get(int(number)) for number in re.findall(r"\d+", match[1])]
            marks = "".join(f"[{number}]" for number in dict.fromkeys(own) if number)
            return f" {marks}" if marks else ""

        return MARKS.sub(renumbered, self.plain).strip()

    def introduces(self, content: TextContent) -> bool:
        """Return whether the sentence only leads to the text after it: "Ann Bell names two reasons:".

        Each of its words was said, or is typical of such a line. It names no amount and says one thing only.
        """
        if not re.search(r"\w", self.text):
            return True
        if not (self.text.endswith(":") or self.heading) or address(self.text):
            return False
        if _names_amounts(self.text) or _says_several_things(self.text):
            return False
        return content.terms.issuperset(set(terms(self.text)) - STOP - _LEADING)


def claim(sentence: str) -> Claim:
    """Split a sentence of a draft into its lead, its words and its citations."""
    cited = [int(n) for mark in MARKS.finditer(sentence) for n in re.findall(r"\d+", mark[1])]
    lead = LEAD.match(sentence)
    begin = lead.end() if lead else 0
    return Claim(sentence[:begin], sentence[begin:].strip(), tuple(dict.fromkeys(cited)))


def _names_amounts(text: str) -> bool:
    """Return whether a text has figures, except for a small count of what follows: "two points"."""
    amounts = [token.quantity for token in tokens(text) if token.quantity]
    measured = any(measures(one.unit) and not _LEADING.issuperset(terms(one.unit)) for one in amounts)
    return bool(figures(text)) or measured or any(one.value > _COUNTED for one in amounts)


def _says_several_things(text: str) -> bool:
    """Return whether two parts of a text, parted by commas, have content besides names and usual words."""
    parts = (" ".join(word for word in part.split() if word.islower()) for part in _PARTED.split(text))
    return sum(len(set(terms(part)) - STOP - _LEADING) > 1 for part in parts) > 1


def is_of_answer(sentence: str) -> bool:
    """Return whether a sentence is part of an answer, not marked as "[no answer]" or "[missing]"."""
    return NO_ANSWER not in sentence.lower() and MISSING not in sentence.lower()


def claim_fault(claim: Claim, sources: Mapping[int, Source]) -> str | None:
    """Return the fault of a sentence, such as a figure that its sources do not have; None without one.

    Args:
        sources: all sources that were shown, by number. A sentence without citations is checked against all.
    """
    if any(number not in sources for number in claim.cited):
        return "it cites a source that does not exist"
    if address(claim.text):
        return "it holds an address"
    if _TOKEN.search(claim.text):
        return "it holds a control token of the model"
    cited = [sources[number] for number in claim.cited] or list(sources.values())
    for quotation in quotations(claim.text):
        quote = quotation.strip(_EDGES)
        spellings = {quote, quote[:1].swapcase() + quote[1:]}
        if not any(verbatim(spelling, source.passages) for spelling in spellings for source in cited):
            return "it quotes what nobody said"
    if strange_figures(claim.text, merged(source.content for source in cited)):
        return "its figures are not in its sources"
    return None


def address(text: str) -> bool:
    """Return whether a text contains an address, or a link in Markdown."""
    link = _LINK.search(text)
    return _ADDRESS.search(text) is not None or (link is not None and ")" in text[link.end() :])


def quotations(text: str) -> list[str]:
    """Return the texts in quotation marks that are long enough to be quotations."""
    quotes = [next(filter(None, match.groups())).strip() for match in _QUOTED.finditer(text)]
    return [quote for quote in quotes if len(quote.split()) >= _QUOTATION]


def strange_figures(text: str, content: TextContent) -> list[str]:
    """Return the figures of a text whose value nobody named, with or without its scale.

    Figures may be in digits or in words.
    """
    return [
        token.text
        for token in tokens(text)
        if token.quantity and not _is_named(token.quantity, token.text, content)
    ]


def _is_named(quantity: Quantity, text: str, content: TextContent) -> bool:
    value, written = quantity.value, figures(text)
    if quantity.is_year and value % 100 >= 10 and value % 100 in content.values:
        return True  # "in sixty-three"
    if value in content.values:
        return True
    if not quantity.is_year and any(is_rounded(value, named) for named in content.values):
        return True
    if written:
        return all(number in content.values for _, number in written)
    # For figures in words: the writer may have counted a few things, and fractions have several wordings.
    counted = value <= _COUNTED and (quantity.ordinal or not measures(quantity.unit))
    if quantity.weak or counted or value == 1 or quantity.unit == PART:
        return True
    return any(value == named * scale for named in content.values for scale in _SCALES)


def strange_names(text: str, content: TextContent) -> list[str]:
    """Return the capitalized words of a text that nobody said, its first word aside.

    A word of the same root may have been said: "Norwegian" is no strange name where Norway was said.
    """
    names = [match[0] for match in _NAME.finditer(_QUARTER.sub("quarter", text)) if match.start() > 0]
    begun = {term[:_SAME_ROOT] for term in content.terms}
    return [
        name
        for name in names
        if stems(name)
        and not content.terms.issuperset(terms(name))
        and not (len(name) > _SAME_ROOT and fold(name)[:_SAME_ROOT] in begun)
    ]
