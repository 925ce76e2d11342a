"""Words and paragraphs in two lists (BBC's paper edit and others): `words`, `paragraphs` with speakers.

Also the BBC's Kaldi: `retval.words`, and `segmentation.segments` with speakers.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace

from onrecord.ingest.formats.base import Format, Source
from onrecord.ingest.formats.fields import Field, broken_json, document, first_object
from onrecord.ingest.formats.words import Token, space_words, transcript
from onrecord.types import Transcript


def fits(source: Source) -> bool:
    value = source.json
    if not isinstance(value, dict):
        return broken_json(source, "words", "paragraphs", "speaker")
    inner = value.get("retval") if isinstance(value.get("retval"), dict) else {}
    if isinstance(inner, dict) and "word" in first_object(inner.get("words")):
        return True
    paragraph = first_object(value.get("paragraphs"))
    return {"start", "text"} <= first_object(value.get("words")).keys() and {
        "start",
        "speaker",
    } <= paragraph.keys()


def read(source: Source) -> tuple[Transcript, ...]:
    root = document(source)
    if "retval" in root:
        root = root["retval"]
        paragraphs = [_segment(segment) for segment in root["segmentation"]["segments"]]
    else:
        paragraphs = [(p["start"].seconds() or 0.0, p["speaker"].label) for p in root["paragraphs"]]
    words = [
        Token(word.first("punct", "text", "word").words, word["start"].seconds(), word["end"].seconds())
        for word in root["words"]
        if word.first("punct", "text", "word").text.strip()
    ]
    return (
        transcript(source, FORMAT.name, _named(space_words(words), sorted(paragraphs, key=lambda p: p[0]))),
    )


FORMAT = Format("paragraphed", (".json",), fits, read)


def _segment(segment: Field) -> tuple[float, str | None]:
    return segment["start"].seconds() or 0.0, segment["speaker"]["@id"].label


def _named(words: Sequence[Token], paragraphs: Sequence[tuple[float, str | None]]) -> list[Token]:
    """The words, each said by whoever speaks in the paragraph that has begun last."""
    begins = [begin for begin, _ in paragraphs]
    named, before = [], -1
    for word in words:
        at = before if word.start is None else bisect_right(begins, word.start + 0.01) - 1
        speaker = paragraphs[at][1] if at >= 0 else None
        named.append(replace(word, speaker=speaker, opens=at != before))
        before = at
    return named
