"""The language of a question, told by its small words, or by its script. No model is loaded for it: the one
that knows ninety languages takes a second to load, and guesses on texts of five words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from onrecord.ingest.language import language_of_question
from onrecord.retrieve.plan.asked import low

_SMALL = {
    "de": "der die das den dem des ein eine einen einem und oder ist sind war hat haben hatte was wer wie "
    "wo wann warum uber von mit fur nicht auf im in zu zum zur vom bei seit nach vor bis als sie ihr "
    "wir es dass an er gesagt sagt sagte gesprochen wurde wurden wird worden letzte letzten gestern "
    "am dieser diese dieses welche welcher ob man",
    "es": "el los las la una unos un y o es son fue ha han que quien como cuando donde por para con sobre "
    "de del al no se en su lo este esta hace hasta desde entre ayer dijo dijeron dice hablo cual "
    "cuanto pasado pasada",
    "it": "il lo la gli uno una un e di che chi come quando dove perche con su del della dei delle nel "
    "nella non si ha hanno detto cosa quale sono stato stata per ieri scorso scorsa dello degli nei "
    "nelle alla alle ad i quali",
    "pt": "o os as a um uma e ou que quem como quando onde porque por com sobre de do da dos das no na em "
    "ate desde nao foi foram disse dito qual sao ontem passado passada nas nos dois duas quantos "
    "quantas",
    "nl": "de het een en of is zijn was heeft hebben wat wie hoe waar wanneer waarom over van met voor er "
    "ze hij aan sinds niet op werd zei gezegd zegt gisteren vorige",
}
"""Small words, and those of saying and of the past, which questions to an archive are full of."""
_WORDS = {code: frozenset(words.split()) for code, words in _SMALL.items()}
_SCRIPTS = (
    ("ja", "\u3040", "\u30ff"),
    ("zh", "\u4e00", "\u9fff"),
    ("ko", "\uac00", "\ud7af"),
    ("ru", "\u0400", "\u04ff"),
    ("el", "\u0370", "\u03ff"),
    ("ar", "\u0600", "\u06ff"),
    ("he", "\u0590", "\u05ff"),
)
"""The first and the last character of each script: compiled to patterns they take 2 ms to be ready."""
_OURS = frozenset(
    (
        "the a an of and or is are was were has have had who what which how why when where do does did in "
        "on with for by this that he she they we you i it not to be about said say at from le la les un une "
        "des du de et ou est sont ont qui que quoi quel quelle comment pourquoi combien quand dans sur avec "
        "pour par ce cette il elle nous vous je ne pas se sa son au aux dit parle as no so am me over one "
        "out go all well"
    ).split()
)
"""Small words of English and French."""


@lru_cache(64)  # asked several times of each question
def question_language(text: str) -> str:
    """ISO 639-1 code of the language a question is in; "en" or "fr", whichever is nearer, where no other one
    is clearly told: by its script, or by small words that neither English nor French has."""
    if "¿" in text:
        return "es"
    letters = sum(map(str.isalpha, text))
    for code, first, last in () if text.isascii() else _SCRIPTS:
        if 2 * sum(first <= character <= last for character in text) > letters:
            return code
    return _by_small_words(re.findall(r"[^\W\d_]+", low(text))) or language_of_question(text)


def _by_small_words(words: Sequence[str]) -> str | None:
    """The language with most of its own small words here: more than of words that only English or French has,
    and with those that they share a third of all words."""
    said = set(words)
    counts = {code: (len(said & small - _OURS), len(said & small)) for code, small in _WORDS.items()}
    best = max(counts, key=lambda code: counts[code])
    own, here = counts[best]
    theirs = len(said & _OURS - _WORDS[best])
    return best if own >= 2 and own > theirs and 3 * here > len(said) else None
