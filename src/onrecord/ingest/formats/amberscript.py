"""Reader of Amberscript's JSON: `segments` of `words` (`text`, `start`, `end`) and a table of speakers."""

from __future__ import annotations

from typing import Any

from onrecord.ingest.formats.fields import Field, Speech, details_of, first_object, json_format, speaker_table
from onrecord.ingest.formats.words import Token, turn_tokens


def is_own(value: dict[str, Any]) -> bool:
    if "segments" not in value:
        return False
    if "spkid" in first_object(value.get("speakers")):
        return True
    segment = first_object(value["segments"])
    return "text" not in segment and "text" in first_object(segment.get("words"))


def read(root: Field) -> Speech:
    names = speaker_table(root["speakers"], "spkid", "name")
    tokens: list[Token] = []
    for segment in root["segments"]:
        speaker = segment["speaker"].named(names)
        words = [Token(word["text"].words, *word.span(), speaker) for word in segment["words"]]
        tokens += turn_tokens(segment["text"].text, words, Token("", *segment.span(), speaker, opens=True))
    details = details_of(root["language"], root.first("duration", "nrAudioSeconds"))
    return Speech([tokens], details)


FORMAT = json_format("amberscript", is_own, read, "segments words spkid")
