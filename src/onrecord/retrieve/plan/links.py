"""Recordings named by their address: pasted into a question, or all of it. Nothing is fetched."""

from __future__ import annotations

import re
from collections.abc import Sequence

from onrecord.ingest.links import opened
from onrecord.retrieve.plan.asked import Asked, low, taken_out
from onrecord.retrieve.plan.follow import subject_words
from onrecord.retrieve.plan.known import Known
from onrecord.retrieve.plan.notes import Notes
from onrecord.retrieve.plan.recordings import Reference

_ADDRESS = re.compile(
    r"(?<![\w/.@])(?:https?://|www\.|(?=(?:\w+\.)?(?:youtube\.com|youtu\.be|vimeo\.com)/))[^\s<>\"«»“”]+",
    re.IGNORECASE,
)
_BEHIND = ".,;:!?)]}'’*_"


def read(asked: Asked, known: Known, notes: Notes) -> tuple[Asked, Sequence[Reference], Sequence[str]]:
    """The question with the title of a recording in place of each address that opens one, where those stand,
    and what there is to say of addresses that open none: they are left out, unless nothing else is asked."""
    text, foreign = _without_foreign(asked, known)
    said = [notes.unlinked(address) for address in foreign]
    by = known.by_address
    places = [(begin, end, by[place]) for begin, end, place in _addresses(text) if place in by]
    if len(places) == 1 and not text[: places[0][0]].strip() and subject_words(low(text[places[0][1] :])):
        (_, end, recordings), *_ = places  # "LINK what about rents?" asks it of the recording
        text = text[end:].strip()
        places = [(len(text) + 2, len(text) + 2, recordings)]
        text += " ()"
    written, end, found = "", 0, list[Reference]()
    for begin, stop, recordings in places:
        written, title = written + text[end:begin], Asked.of(recordings[0].title).text
        found.append(Reference((len(written), len(written) + len(title)), recordings))
        written, end = written + title, stop
    written += text[end:]
    return Asked(written, low(written)), found, said


def _addresses(text: str) -> list[tuple[int, int, str]]:
    """Where addresses stand, and what they open ("" for what cannot be told)."""
    places = []
    for found in _ADDRESS.finditer(text):
        address = found[0].rstrip(_BEHIND)
        places.append((found.start(), found.start() + len(address), opened(address) or ""))
    return places


def _without_foreign(asked: Asked, known: Known) -> tuple[str, list[str]]:
    """The text without the addresses that open no recording, and these. Where nothing but such an address is
    asked of, it is kept: an overview of all the others would not be what was asked for."""
    places = [(begin, end) for begin, end, place in _addresses(asked.text) if place not in known.by_address]
    foreign = [asked.text[begin:end] for begin, end in places]
    left = Asked.of(taken_out(asked.text, places))
    return (left.text if subject_words(left.low) else asked.text), foreign
