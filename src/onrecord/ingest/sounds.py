"""Sounds that transcribers note among the words, such as "[laughter]"."""

from __future__ import annotations

import re

_SOUND = (
    r"(?:(?:audience|crowd|background|all|both|everyone|le public|tous) )?"
    r"(?:laugh(?:s|ing|ter)?|chuckl(?:es?|ing)|giggl(?:es?|ing)|applau(?:se|ds)|applaudissements?|clapping|"
    r"cheer(?:s|ing)|music|jingle|crosstalk|inaudible|unintelligible|indistinct|silence|pause|beep(?:s|ing)?|"
    r"cough(?:s|ing)?|sigh(?:s|ing)?|sniffs?|gasps?|noise|rires?|rit|musique|bruit|toux|soupirs?)"
    r"[.!]?(?: [\d:.]+)?"
)
_SOUNDS = re.compile(
    rf"\[(?:(?-i:[a-z])[^\[\]]{{0,40}}|{_SOUND})\](?!\()|\{{[^{{}}]{{1,40}}\}}|<[^<>]{{1,40}}>|\({_SOUND}\)|"
    rf"\*{_SOUND}\*",
    re.IGNORECASE,
)
"""Sounds that transcribers note: "[win sound]", "(applause)", "<disfmarker>".

Other words in round brackets, or a name or link in square ones, may be spoken.
"""


def without_sounds(text: str) -> str:
    """Return a text with blanks in place of noted sounds. Every other character keeps its position."""
    return _SOUNDS.sub(lambda noted: " " * len(noted[0]), text)
