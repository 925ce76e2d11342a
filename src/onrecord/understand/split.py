"""A text that asks several questions which have nothing to do with one another."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from onrecord.understand.intents import CATALOGUE, Guess

_MOST, _LONGEST, _ENOUGH = 5, 25, 0.55


@dataclass(frozen=True, slots=True)
class Part:
    """One question of a text, and those before it."""

    text: str
    before: tuple[str, ...] = ()


def split_questions(text: str, guess: Callable[[str], Guess]) -> tuple[Part, ...]:
    """The questions of a text that consists of several short ones; empty where it is searched as a whole.

    Each is of a kind that an example shows. One that goes on from the question before stays with it, unless
    either is known without a search. What is asked twice is asked once."""
    text = re.sub(r"\?+", "?", text).strip()
    said = [part.strip() for part in re.split(r"(?<=\?)(?=\s)", text)]
    if not 1 < len(said) <= 2 * _MOST or not all(part.endswith("?") for part in said):
        return ()
    said = list({re.sub(r"\W+", " ", one.casefold()): one for one in reversed(said)}.values())[::-1]
    if any(len(one.split()) > _LONGEST for one in said):
        return ()
    guesses = [guess(one) for one in said]
    if any(each.likeness < _ENOUGH for each in guesses):
        return ()
    parts: list[str] = []
    for one, each, before in zip(said, guesses, [None, *guesses], strict=False):
        known = each.kind in CATALOGUE or (before is not None and before.kind in CATALOGUE)
        if parts and each.kind == "followup" and not known:
            parts[-1] = f"{parts[-1]} {one}"
        else:
            parts.append(one)
    if len(parts) > _MOST:
        return ()
    return tuple(Part(part, tuple(parts[:at])) for at, part in enumerate(parts))
