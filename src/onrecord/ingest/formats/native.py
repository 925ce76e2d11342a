"""onrecord's own JSON format, which holds complete transcripts of one or several recordings.

::

    {"onrecord": 1,
     "format": "webvtt",
     "details": {"title": "Prices and people", "date": "2024-03-05", "people": ["Ann Lee"], "show": "Desk"},
     "sections": [{"title": "Questions", "start": 61.5, "end": 300.0, "kind": "qa", "summary": "Is it?"}],
     "turns": [{"speaker": "Ann Lee", "start": 0.5, "end": 1.2, "text": "Good day.", "marks": [[0, 0.5]]},
               {"speaker": "Bo", "start": 2.2, "end": 3.0, "text": "Good morning."}]}

Only `onrecord` (the version) and the `text` of each turn are required. `details` has the same fields as a
sidecar file. A mark is a character offset in the text and a second. A list `recordings` holds several
recordings, each with a different `part`. Reading a written Transcript returns an equal Transcript.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from onrecord.ingest.details import details_from
from onrecord.ingest.formats.base import Format, Source
from onrecord.ingest.formats.fields import Field, broken_json, document
from onrecord.ingest.formats.words import backwards_warning, in_order, tidy
from onrecord.ingest.plain import Plain
from onrecord.types import Details, Section, Transcript, Turn

VERSION = 1


def fits(source: Source) -> bool:
    value = source.json
    return "onrecord" in value if isinstance(value, dict) else broken_json(source, "onrecord")


def read(source: Source) -> tuple[Transcript, ...]:
    root = document(source)
    version = root["onrecord"].value
    if version != VERSION or isinstance(version, bool):
        raise root["onrecord"].error(f"{VERSION}, the version that is read here (update to read a newer one)")
    recordings = list(root["recordings"]) if "recordings" in root else [root]
    if not recordings:
        raise source.error("recordings", "a transcript with words", "no words")
    return tuple(_transcript(source, recording) for recording in recordings)


FORMAT = Format("onrecord", (".json",), fits, read)


def write(transcripts: Sequence[Transcript]) -> str:
    """Return the JSON text of one or several transcripts, with one line per turn."""
    if len(transcripts) == 1:
        return f'{{"onrecord": {VERSION},\n{_recording_text(transcripts[0])}}}\n'
    bodies = ",\n".join(f"{{{_recording_text(transcript)}}}" for transcript in transcripts)
    return f'{{"onrecord": {VERSION},\n"recordings": [\n{bodies}\n]}}\n'


def plain_details(details: Details) -> dict[str, Plain]:
    """Return details as in a sidecar file: field names and values, without unknown fields."""
    fields: Mapping[str, Plain] = {
        "title": details.title,
        "date": details.date,
        "language": details.language,
        "people": list(details.people) or None,
        "link": details.link,
        "media": details.media,
    }
    return {**{name: value for name, value in fields.items() if value}, **details.attributes}


# ---------------------------------------------------------------- reading


def _transcript(source: Source, recording: Field) -> Transcript:
    turns, moved = in_order(_turns(recording["turns"]))
    if not turns:
        raise recording["turns"].error("turns with words")
    warnings = [warning.text for warning in recording["warnings"]]
    return Transcript(
        turns=tuple(turns),
        format=recording["format"].text or FORMAT.name,
        details=details_from(_as_sidecar(recording["details"]), source.name, recording["details"].place),
        sections=tuple(_section(section, len(turns)) for section in recording["sections"]),
        part=recording["part"].text,
        warnings=(*warnings, *([backwards_warning(moved)] if moved else [])),
    )


def _turns(turns: Field) -> Iterator[Turn]:
    for turn in turns:
        text = tidy(turn["text"].words)
        if not text:
            raise turn["text"].error("words")
        if turn["marks"] and text != turn["text"].value:
            raise turn["text"].error("text with single spaces, because marks point into it")
        marks = tuple(_marks(turn["marks"], len(text)))
        start, end = turn["start"].seconds(), turn["end"].seconds()
        if start is None and (marks or end is not None):
            raise turn["start"].error("a number from 0, as the turn has other times")
        yield Turn(text, tidy(turn["speaker"].text) or None, start, end, marks)


def _marks(marks: Field, length: int) -> Iterator[tuple[int, float]]:
    last = -1
    for mark in marks:
        pair = list(mark)
        second = pair[1].seconds() if len(pair) == 2 else None
        if second is None:
            raise mark.error("[offset, second]")
        offset = pair[0].value
        if isinstance(offset, bool) or not isinstance(offset, int) or not last < offset <= length:
            raise pair[0].error(f"an offset in the text ({length} characters), above the one before")
        yield offset, second
        last = offset


def _section(section: Field, turns: int) -> Section:
    first, last = _position(section["first"], turns), _position(section["last"], turns)
    if first > last or (first < 0 <= last):
        raise section["first"].error("the position of a turn, up to `last`")
    return Section(
        tidy(section["title"].words),
        section["start"].seconds(),
        section["end"].seconds(),
        first,
        last,
        kind=tidy(section["kind"].text) or None,
        under=tidy(section["under"].text) or None,
        summary=tidy(section["summary"].text),
    )


def _position(field: Field, turns: int) -> int:
    if field.value is None:
        return -1
    if isinstance(field.value, bool) or not isinstance(field.value, int) or not 0 <= field.value < turns:
        raise field.error(f"the position of one of {turns} turns, counted from 0")
    return field.value


def _as_sidecar(details: Field) -> Plain:
    """Return details with numbers converted to strings, as in a sidecar file."""
    if not isinstance(details.value, dict):
        return None if details.value is None else details.text
    return {
        name: str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value
        for name, value in details.value.items()
    }


# ---------------------------------------------------------------- writing


def _recording_text(transcript: Transcript) -> str:
    """Return the JSON text of a recording's members that have a value, without the braces."""
    members: list[str] = []
    for name, value in (
        ("part", transcript.part),
        ("format", transcript.format),
        ("details", plain_details(transcript.details)),
        ("warnings", list(transcript.warnings)),
    ):
        if value:
            members.append(f'"{name}": {_json_text(value)}')
    sections = [_section_text(section) for section in transcript.sections]
    if sections:
        members.append('"sections": [\n' + ",\n".join(sections) + "]")
    turns = [
        _object_text(speaker=t.speaker, start=t.start, end=t.end, text=t.text, marks=t.marks)
        for t in transcript.turns
    ]
    members.append('"turns": [\n' + ",\n".join(turns) + "]")
    return ",\n".join(members)


def _section_text(section: Section) -> str:
    place = {"first": section.first, "last": section.last} if section.first >= 0 else {}
    return _object_text(
        title=section.title,
        start=section.start,
        end=section.end,
        **place,
        kind=section.kind,
        under=section.under,
        summary=section.summary or None,
    )


def _object_text(**members: Any) -> str:
    return _json_text({name: value for name, value in members.items() if value is not None and value != ()})


def _json_text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
