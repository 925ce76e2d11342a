"""How strongly a sentence does something in speaking: decides, promises, asks, warns, ...

Dialogue acts, as annotators of meetings call them (Core and Allen's DAMSL; "decision", "action item" and
"suggestion" of the AMI corpus), told by the words of the sentence itself.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache

import onrecord.retrieve.acts.english as english
import onrecord.retrieve.acts.french as french
from onrecord.retrieve.acts.cues import Cues
from onrecord.stores.words import fold

_TABLES = {"en": english.TABLE, "fr": french.TABLE}
ACTS = tuple(act for act in english.TABLE if act != "relayed")
"""What can be asked for."""
LEAST = 0.7
"""From here on a sentence is taken to do it."""
_SURE, _LIKELY, _TWO_HINTS, _HINT = 1.0, 0.8, 0.7, 0.4

_SAME = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "\x00": " "})
_APART = re.compile(r"(?: '|' ?)(?=(?:ll|ve|re|m|s|d|t)\b)")
"""An ending that a transcript writes apart: "I 'll", "don 't"."""
_STUTTER = re.compile(r"\b(\w++(?:'\w++)?),? (?=\1\b)")
_HUMS = re.compile(r"\b(?:um+|uh+|er+|euh|hm+|mm+)\b[ ,]*")
_TAKEN = "\x00"


@dataclass(frozen=True, slots=True)
class _Reader:
    """The cues of one act in one language, compiled; `cue` is any of them: most sentences have none, and
    are done with. `near` and `hints_near` are what is left of them where nobody knows where sentences begin
    and end: a text that has neither one of `near` nor two of `hints_near` has no sentence that does it."""

    cue: re.Pattern[str]
    sure: re.Pattern[str]
    likely: re.Pattern[str] | None
    hints: tuple[re.Pattern[str], ...]
    replies: re.Pattern[str] | None
    never: re.Pattern[str] | None
    near: re.Pattern[str]
    hint_near: re.Pattern[str] | None
    hints_near: tuple[re.Pattern[str], ...]

    @classmethod
    def of(cls, cues: Cues) -> _Reader:
        return cls(
            re.compile(_any((*cues.sure, *cues.likely, *cues.hints, *cues.replies))),
            re.compile(_any(cues.sure)),
            re.compile(_any(cues.likely)) if cues.likely else None,
            tuple(re.compile(hint) for hint in cues.hints),
            re.compile(_any(cues.replies)) if cues.replies else None,
            re.compile(_any(cues.never)) if cues.never else None,
            re.compile(_any(_anywhere((*cues.sure, *cues.likely, *cues.replies)))),
            re.compile(_any(_anywhere(cues.hints))) if cues.hints else None,
            tuple(re.compile(hint) for hint in _anywhere(cues.hints)),
        )

    def possible(self, said: str) -> bool:
        """Whether any sentence of what is said may do it."""
        if self.near.search(said):
            return True
        if self.hint_near is None or not self.hint_near.search(said):
            return False
        return sum(1 for hint in self.hints_near if hint.search(said)) > 1

    def strength(self, said: str, reply: bool) -> float:
        if not self.cue.search(said):
            return 0.0
        left = self.never.sub(_TAKEN, said) if self.never else said
        if self.sure.search(left):
            return _SURE
        if self.likely and self.likely.search(left):
            return _LIKELY
        hints = sum(1 for hint in self.hints if hint.search(left))
        answers = bool(reply and self.replies and self.replies.search(left))
        return (0.0, _HINT, _TWO_HINTS)[min(hints + 2 * answers, 2)]


def heard(text: str) -> str:
    """A text as cues read it: lower case, no accents, plain quotes, single spaces, no "um", nothing twice."""
    plain = " ".join(fold(text.translate(_SAME)).split())
    return _STUTTER.sub("", _HUMS.sub("", _APART.sub("'", plain))).strip()


def strength(text: str, act: str, language: str | None = None, reply: bool = False) -> float:
    """How surely a sentence performs one of `ACTS`, in 0..1; at least `LEAST` where it is taken to.

    Args:
        language: ISO 639 code; English where it has no cues of its own.
        reply: whether it is the first that is said after somebody else has spoken.
    """
    said = heard(text)
    if act in _STATED and said.endswith("?") and not _PUT.search(said):
        return 0.0
    return _reader(act, _known(language)).strength(said, reply)


def possible(text: str, act: str, language: str | None = None) -> bool:
    """Whether any sentence of a text may perform one of `ACTS`: much quicker to see than which one does."""
    return _reader(act, _known(language)).possible(heard(text))


_STATED = frozenset(("decision", "promise", "disagreement", "agreement"))
"""Acts that a question does not perform: "have we decided on the colour?"."""
_PUT = re.compile(r"\bno objections|\ball in favou?r|\bpas d'objections?")
"""A question of the chair with which something is decided."""


def words_of(act: str, languages: Iterable[str | None]) -> Collection[str]:
    """Words by which passages that perform an act are found in an archive of these languages."""
    known = dict.fromkeys(map(_known, languages))
    return tuple(dict.fromkeys(word for code in known for word in _TABLES[code][act].words.split()))


def _any(patterns: Sequence[str]) -> str:
    r"""One of several patterns. What begins with "\b" stands behind one for all of them: inside of words,
    where most characters are, none is tried."""
    anchored = [pattern.removeprefix(r"\b") for pattern in patterns if pattern.startswith(r"\b")]
    others = [pattern for pattern in patterns if not pattern.startswith(r"\b")]
    whole = [rf"\b(?:{_either(anchored)})"] if anchored else []
    return _either([*whole, *others])


def _either(patterns: Iterable[str]) -> str:
    return "|".join(f"(?:{pattern})" for pattern in patterns)


def _anywhere(patterns: Sequence[str]) -> list[str]:
    """Patterns without the beginnings and ends of sentences: they find all that they found, and more."""
    words = (pattern.replace("(?:^|", r"\b(?:|").replace("[^", _TAKEN) for pattern in patterns)
    return [word.replace("^", r"\b").replace("$", "").replace(_TAKEN, "[^") for word in words]


def _known(language: str | None) -> str:
    code = (language or "en").lower().split("-")[0]
    return code if code in _TABLES else "en"


@cache
def _reader(act: str, language: str) -> _Reader:
    return _Reader.of(_TABLES[language][act])
