"""Amberscript's JSON: `segments` of `words` (`text`, `start`, `end`), speakers named in a table."""

from __future__ import annotations

from dataclasses import replace

from onrecord.ingest.formats.base import Format, Source
from onrecord.ingest.formats.fields import broken_json, details_of, document, first_object
from onrecord.ingest.formats.words import Token, space_words, transcript
from onrecord.types import Transcript


def fits(source: Source) -> bool:
    value = source.json
    if not isinstance(value, dict):
        return broken_json(source, "segments", "words", "spkid")
    if "segments" not in value:
        return False
    if "spkid" in first_object(value.get("speakers")):
        return True
    segment = first_object(value["segments"])
    return "text" not in segment and "text" in first_object(segment.get("words"))


def read(source: Source) -> tuple[Transcript, ...]:
    root = document(source)
    names = {str(speaker["spkid"].value): speaker["name"].label for speaker in root["speakers"]}
    tokens: list[Token] = []
    for segment in root["segments"]:
        speaker = names.get(str(segment["speaker"].value)) or segment["speaker"].label
        words = space_words(Token(word["text"].words, *word.span(), speaker) for word in segment["words"])
        tokens += [replace(word, opens=number == 0) for number, word in enumerate(words)]
    details = details_of(root["language"], root.first("duration", "nrAudioSeconds"))
    return (transcript(source, FORMAT.name, tokens, details=details),)


FORMAT = Format("amberscript", (".json",), fits, read)
