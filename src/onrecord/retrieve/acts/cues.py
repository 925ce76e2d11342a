"""What a table of cues for one act of speaking looks like."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Cues:
    """Patterns of the words by which something is done in speaking, in one language.

    A sentence with one of `sure` does it, one with one of `likely` nearly always; `hints` count together, and
    `replies` where somebody else has just spoken. What matches one of `never` counts for none of them.
    `words` are some without which little of it is done: by them passages of large archives are found.
    Patterns read what `onrecord.retrieve.acts.performed.heard` makes of a text.
    """

    sure: tuple[str, ...]
    likely: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    replies: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    words: str = ""
