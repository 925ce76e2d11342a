"""The text of a question in a form that rules can read, and what rules find in it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from onrecord.types import Filter

Span = tuple[int, int]
"""Characters of a text: the first, and the one behind the last."""

GONE = "\x00"
"""Stands in `Asked.low` for a character that has been read: no rule reads across it."""

_WORD = re.compile(r"\w+")
_SAME = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "«": '"', "»": '"', "–": "-", "—": "-"})


def low(text: str) -> str:
    """The text in lower case, without accents, with plain quotes; character for character as long."""
    if text.isascii():
        return text.lower()
    return "".join(map(_low, text.translate(_SAME)))


def _low(character: str) -> str:
    parts = unicodedata.normalize("NFKD", character)
    plain = parts[0].lower()  # a Korean syllable is no letter with marks
    return plain if len(plain) == 1 and all(map(unicodedata.combining, parts[1:])) else character


def words_of(text: str) -> tuple[str, ...]:
    """The words of a text as rules compare them."""
    return tuple(_WORD.findall(low(text)))


class Token(NamedTuple):
    """A word: its characters, `low`, and whether it is written with a capital."""

    low: str
    begin: int
    end: int
    capital: bool


@lru_cache(64)  # several rules look at the same words
def _tokens(text: str, plain: str) -> Sequence[Token]:
    found = _WORD.finditer(plain)
    return tuple(Token(word[0], word.start(), word.end(), text[word.start()].isupper()) for word in found)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question: `text` as asked, and `low`, the same length, in which rules look for things."""

    text: str
    low: str

    @classmethod
    def of(cls, text: str) -> Asked:
        plain = " ".join(unicodedata.normalize("NFC", text).replace(GONE, " ").split())
        return cls(plain, low(plain))

    def without(self, spans: Iterable[Span]) -> Asked:
        """The same question in which nothing more can be read in these places."""
        left = self.low
        for begin, end in spans:
            left = left[:begin] + GONE * (end - begin) + left[end:]
        return Asked(self.text, left)

    def tokens(self) -> Sequence[Token]:
        return _tokens(self.text, self.low)

    def said(self, span: Span) -> str:
        return self.text[span[0] : span[1]].strip(" ,;:")


@dataclass(frozen=True, slots=True)
class Reading:
    """A filter that was read at `span`, and further at `also`. Where `aside` is true its words only say where
    to look ("in March 2024"), and can be taken out of the question without harm to what is left."""

    filter: Filter
    span: Span
    aside: bool = True
    also: tuple[Span, ...] = ()


_LEFT_OVER = re.compile(
    r"(?:(?:^|\s+)(?:and|or|in|on|at|of|from|during|for|by|the|et|en|dans|de|du|des|au|aux|le|la|les|lors|"
    r"pendant))+(?=\s*(?:[?.!,;]|$))",
    re.IGNORECASE,
)


def taken_out(text: str, spans: Iterable[Span]) -> str:
    """The text without these spans, and without the little words and commas that are left hanging."""
    places = sorted(set(spans), reverse=True)
    if not places:
        return text
    for begin, end in places:
        text = f"{text[:begin].rstrip(' ,')} {text[end:].lstrip(' ,')}"
    text = re.sub(r"\s+(?=[?.!,;])(?![?!;] )", "", " ".join(text.split()))
    return " ".join(_LEFT_OVER.sub("", text).strip(" ,;:").split())


_BEFORE = re.compile(
    r"(?:(?<!&)(?<!& )\b(?:in|at|on|for|from|of|during|by|with|within|among|chez|a|au|aux|de|du|des|"
    r"dans|pour|en|sur|lors|pendant|parmi|the|le|la|les|that|this)\s+|\b[ld]'|[,(]\s*)+$"
)

_ARTICLES = re.compile(r"(?:(?:the|le|la|les|that|this)\s+|l')+")


def aside(asked: Asked, span: Span) -> Span | None:
    """The span with the preposition before it ("at TD Bank"), or None where its words carry the sentence
    ("TD Bank's branches", "what did TD Bank say")."""
    before = _BEFORE.search(asked.low[: span[0]].replace(GONE, " "))
    after = asked.low[span[1] :]
    if before is None or _ARTICLES.fullmatch(before[0]) or re.match(r"'s?\b|\w|-", after):
        return None
    return before.start(), span[1] + (before[0][0] == "(" and after.startswith(")"))
