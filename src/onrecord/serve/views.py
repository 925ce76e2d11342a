"""JSON values of recordings, sections, passages and moments, for the command line and the server.

Fields may be added; none is changed or removed. Times are seconds from the start of the recording, to the
millisecond; unknown values are null.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from onrecord.ingest.people import roles_of
from onrecord.retrieve.moments.budget import tokens_of
from onrecord.types import Moment, Passage, Recording, Section, to_millisecond

if TYPE_CHECKING:
    from onrecord.archive import Archive

View = dict[str, Any]


def recording_view(recording: Recording, link: str | None, media: str | None) -> View:
    """Return a recording as JSON.

    `roles` are the speakers' roles, if known: {"Tobias Brandt": "CFO"}. `link` opens the recording for
    people; `media` is an audio or video file or address. Both are as the reader may see them.
    """
    details = recording.details
    return {
        "id": recording.id,
        "title": recording.title,
        "date": details.date,
        "language": details.language,
        "people": list(details.people),
        "speakers": list(recording.speakers),
        "roles": roles_of(recording),
        "link": link,
        "media": media,
        "attributes": dict(details.attributes),
        "seconds": to_millisecond(recording.seconds),
        "words": recording.words,
        "turns": recording.turns,
        "passages": recording.passages,
        "format": recording.format,
    }


def stats_view(archive: Archive) -> View:
    """Return counts and sizes of the workspace; `faq` counts its live entries."""
    return {**archive.stats(), "faq": len(archive.faq.entries("live"))}


def section_view(section: Section, passages: Sequence[Passage]) -> View:
    """Return a section as JSON.

    `first` and `last` are positions of passages; `tokens` counts the tokens of its passages.
    """
    return {
        "title": section.title,
        "kind": section.kind,
        "under": section.under,
        "start": to_millisecond(section.start),
        "end": to_millisecond(section.end),
        "first": section.first,
        "last": section.last,
        "summary": section.summary,
        "tokens": sum(tokens_of(p.text) for p in passages if section.first <= p.position <= section.last),
    }


def passage_view(passage: Passage) -> View:
    """Return a passage as JSON.

    `voices` are pairs of a character offset in the text and the speaker from there on. `marks` are pairs of a
    character offset and a second.
    """
    return {
        "position": passage.position,
        "speaker": passage.speaker,
        "voices": [list(voice) for voice in passage.voices],
        "marks": [[at, round(second, 2)] for at, second in passage.marks],
        "start": to_millisecond(passage.start),
        "end": to_millisecond(passage.end),
        "section": passage.section,
        "importance": passage.importance,
        "text": passage.text,
    }


def moment_view(moment: Moment, recording: Recording, link: str | None, media: str | None) -> View:
    """Return a moment as JSON.

    `link` opens at the moment's beginning; `best` is the index, in `passages`, of the best match.
    """
    return {
        "recording": recording.id,
        "title": recording.title,
        "date": recording.details.date,
        "start": to_millisecond(moment.start),
        "end": to_millisecond(moment.end),
        "link": link,
        "media": media,
        "score": round(moment.score, 4),
        "scores": {name: round(score, 4) for name, score in moment.scores.items()},
        "best": moment.peak,
        "passages": [passage_view(passage) for passage in moment.passages],
    }
