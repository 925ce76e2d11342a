"""Text cut into the terms that are looked up: the same for what is stored and what is asked."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

_TERM = re.compile(r"\w+(?:[.,'\u2019-]\w+)*(?:\+\+|#)?")
_ENGLISH = """
a an and are as at be been but by did do does for from had has have he her his how i if in into is it its
me my of on or our she so that the their them then there these they this to was we were what when where
which who whom why will with would you your"""
_FRENCH = """
au aux avec ce ces cette dans de des du elle elles en est et eux il ils je la le les leur leurs lui ma mais
mes mon ne nos notre nous ont ou par pas pour qu que qui sa se ses son sont sur ta te tes ton tu un une vos
votre vous"""
STOP = frozenset((_ENGLISH + _FRENCH).split())


def fold(text: str) -> str:
    """The text without regard to case, accents and compatibility forms."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in plain if not unicodedata.combining(c)).casefold()


def terms(text: str) -> list[str]:
    """The terms of a text, in order, repeats included."""
    return [part for term in _TERM.findall(fold(text)) for part in _parts(term)]


def asked(words: Iterable[str]) -> list[str]:
    """The distinct terms to look up for a question's words: without stop words, unless there are
    only such."""
    found = list(dict.fromkeys(term for word in words for term in terms(word)))
    return [term for term in found if term not in STOP] or found


def _parts(term: str) -> list[str]:
    parts = re.findall(r"\w+(?:\+\+|#)?", term)
    return parts if len(parts) == 1 else [*parts, re.sub(r"\W", "", term)]
