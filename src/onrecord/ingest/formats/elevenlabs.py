"""ElevenLabs' speech to text: `words` of a `type` (word, spacing, audio_event), each with a `speaker_id`."""

from __future__ import annotations

from collections.abc import Iterator

from onrecord.ingest.formats.base import Format, Source
from onrecord.ingest.formats.fields import Field, broken_json, details_of, document, first_object
from onrecord.ingest.formats.words import Token, transcript
from onrecord.types import Transcript


def fits(source: Source) -> bool:
    value = source.json
    if not isinstance(value, dict):
        return broken_json(source, "words", "speaker_id", "type")
    for holder in (value, first_object(value.get("transcripts"))):
        word = first_object(holder.get("words"))
        if "type" in word and "text" in word and ("speaker_id" in word or "language_code" in holder):
            return True
    return False


def read(source: Source) -> tuple[Transcript, ...]:
    root = document(source)
    channels = list(root["transcripts"]) or [root]
    lines = [list(_tokens(channel, len(channels) > 1)) for channel in channels]
    details = details_of(channels[0]["language_code"], root["audio_duration_secs"])
    return (transcript(source, FORMAT.name, *(line for line in lines if line), details=details),)


FORMAT = Format("elevenlabs", (".json",), fits, read)


def _tokens(channel: Field, several: bool) -> Iterator[Token]:
    """Yield words and sounds; if the file has its own spaces, a word without one before it is joined."""
    number = channel["channel_index"].value
    spaced = any(word["type"].text == "spacing" for word in channel["words"])
    apart = True
    for word in channel["words"]:
        text = word["text"].words
        if word["type"].text == "spacing" or not text.strip():
            apart = True
            continue
        speaker = _speaker_name(word["speaker_id"].label) or (f"Channel {number}" if several else None)
        joined = spaced and not apart and not text[:1].isspace() and word["type"].text == "word"
        yield Token(text.strip(), *word.span(), speaker, joined)
        apart = text[-1:].isspace() or word["type"].text != "word"


def _speaker_name(label: str | None) -> str | None:
    """Return Speaker 1 for "speaker_1"."""
    kind, _, number = (label or "").partition("_")
    return f"Speaker {number}" if kind == "speaker" and number.isdecimal() else label
