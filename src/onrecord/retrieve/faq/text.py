"""Question texts: normal forms for comparison and caching, character n-grams, and spelling correction."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from onrecord.types import Rows, Scores


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


def normalize(text: str) -> str:
    """Return the text in NFKC, without control characters, and with single spaces.

    Full-width and mathematical letters become plain letters.
    """
    plain = unicodedata.normalize("NFKC", text)
    visible = "".join(" " if unicodedata.category(c) == "Cc" else c for c in plain)
    return _SPACES.sub(" ", visible.translate(_IGNORED)).strip()


def words(text: str) -> list[str]:
    """Return the words of a text, in lower case and in order."""
    return _WORD.findall(text.lower())


def is_negated(text: str) -> bool:
    """Return whether the text has a negation in English, French or German."""
    return _NEGATION.search(text) is not None


def cache_key(question: str) -> str:
    """Return the key of a question in the cache. Questions with the same key have the same meaning.

    A key that is too specific costs one more search; a key that is too general gives a wrong answer. So the
    key drops only differences that do not change the meaning: composed or decomposed letters, full or half
    width, kinds of space and quotation mark, the mark at the end, and case. It keeps signs within a text
    ("5+3", "C++", ".net"), the exclamation mark of a factorial, superscripts (NFKC would turn 2⁵ into the
    number 25), accents, and ß (case folding would merge Maße and Masse).

    Short words with a capital after their first letter keep their case, because most are names: "US" and
    "us", "IT" and "it", "mW" and "MW". In a text without lower-case letters, capitals carry no meaning and
    are lowered too. "Turkey" and "turkey" share a key, because many people do not type capitals.
    """
    folded = []
    for character in unicodedata.normalize("NFC", question):
        kind, _, plain = unicodedata.decomposition(character).partition(" ")
        is_wide = kind in _ONLY_WIDTH
        folded.append("".join(chr(int(code, 16)) for code in plain.split()) if is_wide else character)
    text = "".join(folded)
    text = _SPACES.sub(" ", text.translate(_IGNORED).translate(_TYPEWRITER)).strip()
    text = unicodedata.normalize("NFC", text)
    shouted = text.upper() == text and len(words(text)) > 1
    return _without_end(text.lower() if shouted else _lower(text))


def _lower(text: str) -> str:
    """Return the text in lower case, except short words that have a capital after their first letter."""
    parts, at = [], 0
    for match in _KEEPS_CASE.finditer(text):
        has_capital = match[0][1:] != match[0][1:].lower()
        parts += [text[at : match.start()].lower(), match[0] if has_capital else match[0].lower()]
        at = match.end()
    return "".join([*parts, text[at:].lower()])


def _without_end(text: str) -> str:
    """Return the text without the marks that end a sentence, unless it has nothing else.

    Exclamation marks before the first question mark stay.
    """
    before = None
    while text != before:
        before, text = text, _END.sub(r"\1", text).rstrip() or text
    return text


BITS = 16
BUCKETS = 1 << BITS
SIZES = (2, 3, 4)
_MIX = np.uint32(2654435761)


class Grams:
    """An index of TF-IDF vectors over character n-grams of 2-4 letters within words.

    The spaces around a word are part of its n-grams. Character n-grams: Cavnar and Trenkle 1994; hashed to
    2^16 buckets: Weinberger et al. 2009; idf = ln((1 + n) / (1 + df)) + 1, with occurrences in place of
    documents. The similarity is the cosine.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self._buckets, counts = _grams(texts)
        self._ends = np.concatenate(([0], np.cumsum(counts)))
        times = np.bincount(self._buckets, minlength=BUCKETS)
        self._idf = (np.log((1 + len(texts)) / (1 + np.minimum(times, len(texts)))) + 1).astype(np.float32)
        squares = np.concatenate(([0], np.cumsum(self._idf[self._buckets].astype(np.float64) ** 2)))
        self._norms = np.sqrt(np.maximum(np.diff(squares[self._ends]), 1e-9)).astype(np.float32)

    def likeness(self, text: str, rows: Rows) -> Scores:
        """Return the cosine, in 0..1, of `text` with the texts of these rows."""
        buckets, _ = _grams([text])
        weights = np.zeros(BUCKETS, np.float32)
        np.add.at(weights, buckets, self._idf[buckets])
        norm = float(np.linalg.norm(weights)) or 1.0
        weights *= self._idf
        sizes = self._ends[rows + 1] - self._ends[rows]
        if not sizes.sum():
            return np.zeros(len(rows), np.float32)
        begins = np.cumsum(sizes) - sizes
        places = np.repeat(self._ends[rows] - begins, sizes) + np.arange(sizes.sum())
        sums = np.concatenate(([0], np.cumsum(weights[self._buckets[places]], dtype=np.float64)))
        products = sums[begins + sizes] - sums[begins]
        cosines: Scores = np.minimum(products / (norm * self._norms[rows]), 1).astype(np.float32)
        return cosines


def _grams(texts: Sequence[str]) -> tuple[NDArray[np.int32], Rows]:
    """Return the buckets of all texts, one text after the other, and the number of buckets of each text."""
    lines = [f" {' '.join(of_text)} " if (of_text := words(text)) else "" for text in texts]
    joined = "\n".join([*lines, "\n\n\n"])
    codes = np.frombuffer(joined.encode("utf-32-le", "replace"), "<u4")
    size = len(codes) - max(SIZES) + 1
    gap = codes == ord(" ")
    end = codes == ord("\n")
    buckets = np.empty((size, len(SIZES)), np.int32)
    valid = np.empty((size, len(SIZES)), bool)
    for column, length in enumerate(SIZES):
        code = np.full(size, length, np.uint32)
        inside = np.zeros(size, bool)
        for step in range(length):
            here = slice(step, step + size)
            code = (code ^ codes[here]) * _MIX
            code ^= code >> np.uint32(15)
            inside |= end[here] | (gap[here] if 0 < step < length - 1 else False)
        buckets[:, column] = code >> np.uint32(32 - BITS)
        valid[:, column] = ~inside
    starts = np.concatenate(([0], np.cumsum([len(line) + 1 for line in lines])))[:-1].astype(np.int64)
    counts = np.add.reduceat(valid.sum(axis=1), starts) if lines else np.zeros(0, np.int64)
    return buckets[valid], counts


SHORTEST = 4
_LONG_WORD = re.compile(rf"\b[^\W\d_]{{{SHORTEST},}}\b")


class Spelling:
    """A spelling corrector, which replaces a word unknown to the FAQ by the most frequent similar word in it.

    Similar words begin with the same letter and are one edit apart (Damerau 1964).
    """

    def __init__(self, texts: Iterable[str]) -> None:
        counts = Counter(word for text in texts for word in words(text))
        self._vocabulary = frozenset(counts)
        self._by_shape: dict[tuple[str, int], list[str]] = defaultdict(list)
        for word, _ in counts.most_common():
            if len(word) >= SHORTEST and word.isalpha():
                self._by_shape[word[0], len(word)].append(word)

    def correct(self, text: str) -> str:
        """Return the text with corrected spelling."""
        return _LONG_WORD.sub(self._correct_word, text)

    def _correct_word(self, match: re.Match[str]) -> str:
        from rapidfuzz.distance import OSA

        word = match[0].lower()
        if word in self._vocabulary:
            return match[0]
        near = (w for size in (0, 1, -1) for w in self._by_shape.get((word[0], len(word) + size), ()))
        return next((each for each in near if OSA.distance(word, each, score_cutoff=1) == 1), match[0])
