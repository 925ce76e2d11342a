"""What meeting tools write above and below a transcript: who was there, keywords, how it was made."""

from __future__ import annotations

import re
from collections.abc import Sequence

from onrecord.ingest.dates import iso_date
from onrecord.ingest.formats.lines import Line
from onrecord.types import Details

_PEOPLE = frozenset({"speakers", "attendees", "participants"})
_BELOW = re.compile(
    r"Transcribed by https?://otter\.ai/?|https?://otter\.ai/\S*"
    r"|(?:Meeting|Transcription|Recording) ended after \d[\d:]*\b.{0,10}"
    r"|\S[^:.!?]{0,80} (?:started|stopped) transcription"
    r"|This editable transcript was computer[- ]generated and might contain errors\..{0,100}",
    re.IGNORECASE,
)
_LENGTH = re.compile(r"(?:\d{1,2}h ?)?(?:\d{1,2}m ?)?\d{1,2}s")
_STAMPED = re.compile(r"-\d{8}_\d{6}(?:UTC)?-Meeting Recording$")
_ASIDE = (["transcript"], ["invited"], ["attachments"])
_ROOM = 20
"""Lines: a letterhead is no longer."""


def without_letterhead(lines: Sequence[Line]) -> tuple[list[Line], Details]:
    """The lines that were spoken, and what the lines above them tell: title, date and people.

    Otter's letterhead has SUMMARY KEYWORDS and SPEAKERS, Google Meet's has Attendees and Transcript, each
    on a line of its own, or a title that ends in "- Transcript" and a date. Teams has a title, a date and how
    long the meeting was.
    """
    spoken = [line for line in lines if len(line.text) > 200 or not _BELOW.fullmatch(line.words)]
    heads = [line.words.strip(":📖📝 ").lower() for line in spoken[:_ROOM]]
    at = next((at for at, head in enumerate(heads) if head in _PEOPLE), None)
    if at is not None and at + 1 < len(spoken):
        if "transcript" in heads[at + 2 :]:
            end = heads.index("transcript", at + 2)
            return spoken[end + 1 :], _details(spoken[:at], spoken[at + 1 : end])
        if "summary keywords" in heads[:at]:
            above = spoken[: heads.index("summary keywords")]
            return spoken[at + 2 :], _details(above, spoken[at + 1 : at + 2])
    length = next((at for at, head in enumerate(heads[:4]) if _LENGTH.fullmatch(head)), 0)
    if length and _date(spoken[length - 1].words):
        return spoken[length + 1 :], _details(spoken[:length], [])
    return _without_title(spoken, heads)


def _without_title(spoken: list[Line], heads: Sequence[str]) -> tuple[list[Line], Details]:
    """The lines below a title that ends in "- Transcript", and a date or who was invited beside it."""
    at = next((at for at, head in enumerate(heads[:6]) if head.endswith(" - transcript")), None)
    if at is None or any(len(line.words) > 200 for line in spoken[:at]):
        return spoken, Details()
    end = at + 1
    while end < len(spoken) and (_date(spoken[end].words) or heads[end : end + 1] in _ASIDE):
        end += 1
    above = [spoken[at], *spoken[:at], *spoken[at + 1 : end]]
    return spoken[end:], _details(above, [])


def _details(above: Sequence[Line], people: Sequence[Line]) -> Details:
    title = _STAMPED.sub("", above[0].words.removesuffix(" - Transcript")) if above else None
    names = (name.strip() for line in people for name in line.words.split(","))
    dates = (date for line in above if (date := _date(line.words)))
    return Details(title=title, date=next(dates, None), people=tuple(name for name in names if name))


def _date(text: str) -> str | None:
    """The date that a line is, or that stands in brackets in it."""
    bracketed = re.search(r"\((\d{4}-\d\d-\d\d)\b[^()]*\)", text)
    try:
        return iso_date(bracketed[1] if bracketed else text[:100])
    except ValueError:
        return None
