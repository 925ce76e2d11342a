"""What a recording is called, in English and in French: one set, for all who read it from a question."""

from __future__ import annotations

from onrecord.retrieve.plan.calendar_words import either

GENERIC = frozenset("episode recording podcast transcript enregistrement emission transcription".split())
"""What any recording may be called: "the last episode" is the last recording. Others are looked for in titles
and attributes."""
RECORDINGS = GENERIC.union(
    "talk meeting call interview show keynote lecture video webinar presentation hearing session".split(),
    "conversation conference reunion seance entretien expose appel".split(),
)
"""All of them, in the singular, in small letters, without accents."""
BODIES = frozenset("council committee panel conseil".split())
"""Whose meeting may be called after them."""
KIND = either(RECORDINGS)
"""A pattern for one of them."""
KINDS = rf"(?:{KIND}s?)"
"""A pattern for one of them, or several."""
