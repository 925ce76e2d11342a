"""Questions as they are compared: one form for matching, a stricter one that the cache is keyed by."""

from __future__ import annotations

import re
import unicodedata

_SPACES = re.compile(r"\s+")
_IGNORED = dict.fromkeys((0x00AD, 0x2060, 0xFEFF))  # soft hyphen, word joiner, byte order mark
_TYPEWRITER = str.maketrans("‘’ʼ“”«»‐‑\u200b", '\'\'\'""""-- ')
_ONLY_WIDTH = ("<wide>", "<narrow>", "<noBreak>")
_END = re.compile(r"(?<![?!])(!*+)\?[?!]*+\s*+$|(?<=[^\W\d_][^\W\d_])[.!…。]+$|(?<=[^\W\d_])[.。]+$")
_KEEPS_CASE = re.compile(r"\b\w[^\W\d_]{0,3}\b")
_NEGATION = re.compile(
    r"\b(?:no|not|never|none|nothing|cannot|unable|without|cant|wont|dont|doesnt|didnt|isnt|arent|wasnt|nor"
    r"|pas|jamais|aucune?|sans|rien|nicht|kein\w*|ohne|nie)\b|n['’]t\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]+")


def for_matching(text: str) -> str:
    """The text in compatible forms (full-width and mathematical letters become plain ones), without
    control characters, with single spaces."""
    plain = unicodedata.normalize("NFKC", text)
    shown = "".join(" " if unicodedata.category(c) == "Cc" else c for c in plain)
    return _SPACES.sub(" ", shown.translate(_IGNORED)).strip()


def words(text: str) -> list[str]:
    """The words of a text, lower case, in order."""
    return _WORD.findall(text.lower())


def is_negated(text: str) -> bool:
    """Whether the text holds a negation: English, French or German."""
    return _NEGATION.search(text) is not None


def cache_key(question: str) -> str:
    """The form under which a reply to the question is kept: questions that share it mean the same.

    A key too fine costs one more search, a key too coarse a wrong answer, so only differences without a
    meaning go: composed or decomposed letters, full or half width, kinds of space and quotation mark, the
    mark at the end, and case. What may carry a meaning stays: signs within ("5+3", "C++", ".net"), the
    exclamation mark of a factorial, superscripts (NFKC would make 2⁵ the number 25), accents, ß (case
    folding would make Maße and Masse one).

    Case goes but for short words with a capital after their first letter, which are mostly names: "US"
    and "us", "IT" and "it", "mW" and "MW". In a text without any lower-case letter capitals say nothing,
    so there they go too. "Turkey" and "turkey" do meet: people type too carelessly to tell them apart, and
    the models that read no case answer both alike.
    """
    text = "".join(_width_folded(c) for c in unicodedata.normalize("NFC", question))
    text = _SPACES.sub(" ", text.translate(_IGNORED).translate(_TYPEWRITER)).strip()
    text = unicodedata.normalize("NFC", text)
    shouted = text.upper() == text and len(words(text)) > 1
    return _without_end(text.lower() if shouted else _lower(text))


def _width_folded(character: str) -> str:
    kind, _, plain = unicodedata.decomposition(character).partition(" ")
    return "".join(chr(int(code, 16)) for code in plain.split()) if kind in _ONLY_WIDTH else character


def _lower(text: str) -> str:
    def word(found: re.Match[str]) -> str:
        return found[0] if found[0][1:] != found[0][1:].lower() else found[0].lower()

    parts, at = [], 0
    for found in _KEEPS_CASE.finditer(text):
        parts += [text[at : found.start()].lower(), word(found)]
        at = found.end()
    return "".join([*parts, text[at:].lower()])


def _said_aloud(end: re.Match[str]) -> str:
    """The exclamation marks before the first question mark, which stay."""
    return end[1] or ""


def _without_end(text: str) -> str:
    """Without the marks that end a sentence; a text of nothing but marks stays."""
    before = None
    while text != before:
        before, text = text, _END.sub(_said_aloud, text).rstrip() or text
    return text
