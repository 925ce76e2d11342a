"""Reader of JSON with two lists, `words` and `paragraphs` with speakers (BBC's paper edit and others).

It also reads the BBC's Kaldi: `retval.words`, and `segmentation.segments` with speakers.
"""

from __future__ import annotations

from typing import Any

from onrecord.ingest.formats.fields import Field, Speech, assign_speakers, first_object, json_format
from onrecord.ingest.formats.words import Token


def is_own(value: dict[str, Any]) -> bool:
    inner = value.get("retval") if isinstance(value.get("retval"), dict) else {}
    if isinstance(inner, dict) and "word" in first_object(inner.get("words")):
        return True
    word, paragraph = first_object(value.get("words")), first_object(value.get("paragraphs"))
    return {"start", "text"} <= word.keys() and {"start", "speaker"} <= paragraph.keys()


def read(root: Field) -> Speech:
    if "retval" in root:
        root = root["retval"]
        turns = [(turn["start"], turn["speaker"]["@id"].label) for turn in root["segmentation"]["segments"]]
    else:
        turns = [(turn["start"], turn["speaker"].label) for turn in root["paragraphs"]]
    words = [Token(word.first("punct", "text", "word").text, *word.span()) for word in root["words"]]
    return Speech([assign_speakers(words, turns)])


FORMAT = json_format("paragraphed", is_own, read, "words paragraphs speaker")
