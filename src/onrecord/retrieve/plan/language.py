"""The language of a question, told by its small words, or by its script. No model is loaded for it: the one
that knows ninety languages takes a second to load, and guesses on texts of five words."""

from __future__ import annotations

import re

from onrecord.ingest.language import language_of_question
from onrecord.retrieve.plan.asked import low

_SMALL = {
    "de": "der die das den dem des ein eine einen einem und oder ist sind war hat haben hatte was wer "
    "wie wo wann "
    "warum uber von mit fur nicht auf im zu gesagt sagt",
    "es": "el los las una unos y o es son fue ha han que quien como cuando donde por para con sobre "
    "del al no "
    "dijo dice cual cuanto",
    "it": "il lo gli uno e di che chi come quando dove perche con su del della dei delle nel non ha "
    "hanno detto "
    "cosa quale sono",
    "pt": "o os as um uma e ou que quem como quando onde porque por com sobre do da dos das no na nao "
    "foi disse "
    "qual sao",
    "nl": "de het een en of is zijn was heeft hebben wat wie hoe waar wanneer waarom over van met voor "
    "niet op "
    "gezegd zegt",
}
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
    "the a an of and or is are was were has have had who what which how why when where do does "
    "did in on with for by "
    "this that he she they we you i it not to be about said say at from le la les un une des du "
    "de et ou est sont "
    "ont qui que quoi quel quelle comment pourquoi combien quand dans sur avec pour par ce cette "
    "il elle nous vous "
    "je on ne pas se sa son au aux dit parle".split()
)
"""Small words of English and French."""


def question_language(text: str) -> str:
    """ISO 639-1 code of the language a question is in; "en" or "
    ""fr", whichever is nearer, where no other one is
    clearly told: by its script, or by small words, of which it has more than of English and French ones."""
    letters = len(re.findall(r"\w", text))
    for code, first, last in () if text.isascii() else _SCRIPTS:
        if 2 * sum(first <= character <= last for character in text) > letters:
            return code
    near = language_of_question(text)
    words = re.findall(r"[^\W\d_]+", low(text))
    counts = {code: sum(word in small for word in words) for code, small in _WORDS.items()}
    best = max(counts, key=lambda code: counts[code])
    ours = sum(word in _OURS for word in words)
    return best if counts[best] >= 2 and counts[best] > ours and 3 * counts[best] > len(words) else near
