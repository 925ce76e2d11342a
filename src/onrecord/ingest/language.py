"""Languages: language codes, language detection, and sentence boundaries."""

from __future__ import annotations

import re
from collections.abc import Iterable
from math import exp
from pathlib import Path

_SAMPLE_SIZE = 2000
"""Characters used for detection; more do not change the result."""
_MIN_PROBABILITY = 0.99
"""Lowest probability of a detected language.

A few words of greeting look like many languages, so a less probable language counts as unknown.
"""


def language_of(texts: Iterable[str]) -> str | None:
    """Return the ISO 639-1 code of the language of the first words, detected by py3langid.

    Returns None if there are too few words to be certain. The same texts always give the same result.
    """
    sample = ""
    for text in texts:
        sample = f"{sample} {text}"
        if len(sample) > _SAMPLE_SIZE:
            break
    from py3langid import rank  # loads its model in over 1 s

    (best, highest), *others = rank(sample[:_SAMPLE_SIZE])
    likely = 1 / (1 + sum(exp(logarithm - highest) for _, logarithm in others))
    return str(best) if likely >= _MIN_PROBABILITY else None


# ---------------------------------------------------------------- codes

_CODE = re.compile(r"([a-z]{2,3})(?:[-_][a-z0-9]+)*")
# Each line has the codes of a language, the two-letter code first, and the English names that Whisper uses.
_LANGUAGES = [
    (codes.split(), names.strip().split(", "))
    for line in (Path(__file__).parents[1] / "data" / "languages.txt")
    .read_text(encoding="utf-8")
    .splitlines()
    for codes, _, names in [line.partition(":")]
]
CODES = {name: codes[0] for codes, names in _LANGUAGES for name in names if name}
"""Language codes by English name."""
_OF_THREE = {three: two for (two, *threes), _ in _LANGUAGES for three in threes}
"""Two-letter codes by three-letter code."""


def language_code(label: str) -> str | None:
    """Return the ISO 639 code of a language: "en" for "en", "en-US", "en_us" and "English".

    Returns None for any other text ("auto", "multi").
    """
    label = label.strip().lower()
    code = _CODE.fullmatch(label)
    return CODES.get(label) or _OF_THREE.get(label) or (code[1] if code else None)


# ---------------------------------------------------------------- sentences

_NO_BREAK_AFTER = ".?!:;\"'”’"
"""Marks that need a space after them to end a sentence (".NET"). Full stops of other scripts do not."""


def sentence_spans(text: str, language: str = "en") -> list[tuple[int, int]]:
    """Return (begin, end) of every sentence, in characters, in order, without surrounding whitespace.

    `language` is an ISO 639 code; the rules of English apply to an unknown language.
    """
    from sentencex import get_sentence_boundaries

    spans: list[tuple[int, int]] = []
    for boundary in get_sentence_boundaries(language, text):
        begin, end = boundary["start_index"], boundary["end_index"]
        begin += len(text[begin:end]) - len(text[begin:end].lstrip())
        end = begin + len(text[begin:end].rstrip())
        if spans and begin == spans[-1][1] and text[begin - 1] in _NO_BREAK_AFTER:
            begin = spans.pop()[0]
        if end > begin:
            spans.append((begin, end))
    return spans
