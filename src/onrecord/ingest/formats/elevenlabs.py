"""Reader of ElevenLabs' speech to text: `words` with a `type` and a `speaker_id`.

The type is "word", "spacing" or "audio_event".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from onrecord.ingest.formats.fields import Field, Speech, details_of, first_object, json_format
from onrecord.ingest.formats.words import Token, speaker_name, with_channel


def is_own(value: dict[str, Any]) -> bool:
    for holder in (value, first_object(value.get("transcripts"))):
        word = first_object(holder.get("words"))
        if "type" in word and "text" in word and ("speaker_id" in word or "language_code" in holder):
            return True
    return False


def read(root: Field) -> Speech:
    channels = list(root["transcripts"]) or [root]
    lines = [list(_tokens(channel, len(channels) > 1)) for channel in channels]
    details = details_of(channels[0]["language_code"], root["audio_duration_secs"])
    return Speech([line for line in lines if line], details)


FORMAT = json_format("elevenlabs", is_own, read, "words speaker_id type")


def _tokens(channel: Field, several: bool) -> Iterator[Token]:
    """Yield the words and sounds.

    If the channel has items of type "spacing", a word without a space before it joins the previous word.
    """
    code = channel["channel_index"].code if several else None
    if not channel["words"] and channel["text"]:
        yield Token(channel["text"].text, speaker=with_channel(None, code))
    spaced = any(word["type"].text == "spacing" for word in channel["words"])
    apart = True
    for word in channel["words"]:
        text = word["text"].words
        if word["type"].text == "spacing" or not text.strip():
            apart = True
            continue
        speaker = with_channel(speaker_name(word["speaker_id"].code or "", "speaker_"), code)
        joined = spaced and not apart and not text[:1].isspace() and word["type"].text == "word"
        yield Token(text.strip(), *word.span(), speaker, joined)
        apart = text[-1:].isspace() or word["type"].text != "word"
