"""What fits into the window of a language model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import ClassVar

from onrecord.errors import SettingError
from onrecord.retrieve.stage import Stage, Tools
from onrecord.types import Evidence, Moment, Passage


def words_of(text: str) -> int:
    return len(text.split())


def tokens_of(text: str) -> int:
    """Tokens, by the rule of thumb that a token is four bytes of UTF-8, rounded up: without the model's
    own tokenizer no better figure can be had, and for European languages it errs on the safe side."""
    return -(-len(text.encode("utf-8", "replace")) // 4)


@dataclass(frozen=True)
class Budget(Stage):
    """Keeps the best moments that fit into so many `words`, or so many `tokens`.

    A moment that does not fit whole is cut to the passages around its best, and that is the last one; a
    passage is never cut. The note says what was cut or left out.
    """

    words: int | None = None
    tokens: int | None = None
    ranges: ClassVar = {"words": (0, inf), "tokens": (0, inf)}

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.words is None) == (self.tokens is None):
            raise SettingError("Budget", (self.words, self.tokens), "words or tokens, one of the two")

    def run(self, evidence: Evidence, tools: Tools) -> Evidence:
        size = words_of if self.words is not None else tokens_of
        left = self.words if self.words is not None else self.tokens or 0
        kept: list[Moment] = []
        for moment in evidence.moments:
            need = sum(size(passage.text) for passage in moment.passages)
            if need > left:
                kept += around_peak(moment, left, size)
                break
            left -= need
            kept.append(moment)
        return evidence.with_moments(tuple(kept))

    def note(self, before: Evidence, after: Evidence, tools: Tools) -> str:
        left_out = len(before.moments) - len(after.moments)
        cut = any(
            len(m.passages) > len(k.passages) for m, k in zip(before.moments, after.moments, strict=False)
        )
        said = [f"{left_out} moments did not fit"] * bool(left_out) + ["the last one was cut"] * cut
        return "; ".join(said)


def around_peak(moment: Moment, left: int, size: Callable[[str], int]) -> list[Moment]:
    """The moment cut to what fits: its best passage, then what follows, then what went before."""
    first = last = moment.peak
    left -= size(moment.passages[moment.peak].text)
    if left < 0:
        return []
    sizes = [size(passage.text) for passage in moment.passages]
    while last + 1 < len(sizes) and sizes[last + 1] <= left:
        last += 1
        left -= sizes[last]
    while first > 0 and sizes[first - 1] <= left:
        first -= 1
        left -= sizes[first]
    passages: Sequence[Passage] = moment.passages[first : last + 1]
    return [replace(moment, passages=tuple(passages), peak=moment.peak - first)]
