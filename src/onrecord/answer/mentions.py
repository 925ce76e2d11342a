"""Questions that ask where something is spoken of: "Which calls mention hydrogen?"."""

from __future__ import annotations

import re

import numpy as np

from onrecord.retrieve.wording import Wording, inflected, stems
from onrecord.stores.base import Reader
from onrecord.types import Answer, Line, one_line

_SPOKEN = (
    r"(?:mention(?:s|ed)?|discuss(?:es|ed)?|talk(?:s|ed)?|speaks?|spoke|brings? up|brought up|"
    r"touch(?:es|ed)? on|mentionn\w+|parl(?:e|ent|é)|évoqu\w+|abord\w+)\b"
)
_HELPING = r"(?:is|are|was|were|be|been|do|does|did|has|have|had|can|could|should|est|sont|a|ont)\b"
_ONE = r"(?:an?|la|le|l['\u2019]|une?)\b"
_WHERE_SAID = re.compile(
    rf"^\W*+(?:(?:what|which|whom?|quel(?:le)?s?|qui)(?: (?!{_HELPING}|{_ONE})\S+){{0,3}} |"
    r"(?:(?:in|on|at|dans|à) (?:what|which|quel(?:le)?s?)|where|when|où|quand)(?: \S+){0,4}? )"
    rf"(?<!the )(?<!les ){_SPOKEN}",
    re.IGNORECASE,
)
"""Something speaks of it ("which calls mention"), or it is spoken of somewhere ("in which is it mentioned");
not something that is spoken of itself ("which risks were mentioned")."""


def asks_where_said(text: str) -> bool:
    """Whether a question asks where, when or by whom something is spoken of, and nothing about it."""
    return _WHERE_SAID.match(text) is not None


def also_said_in(answer: Answer, words: Wording, line: Line, store: Reader) -> list[str]:
    """The titles of all other recordings in which somebody says, in one passage, all of the words that such a
    question asks for; most often said first. One look at the index of words for each."""
    match = _WHERE_SAID.match(answer.question)
    asked = stems(answer.question[match.end() :]) & words.weights.keys() if match else set()
    if not asked or not len(line):
        return []
    said = np.ones(len(line), bool)
    for stem in asked:
        said &= store.keyword(list(inflected(stem)), line) > 0
    quoted = {citation.recording.id for citation in answer.citations}
    numbers, times = np.unique(line.recordings[said], return_counts=True)
    names = [line.names[n] for n in numbers[np.argsort(-times, kind="stable")].tolist()]
    found = [recording for name in names if name not in quoted and (recording := store.recording(name))]
    return [one_line(recording.title) for recording in found]
