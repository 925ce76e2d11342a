"""Amazon Transcribe's JSON, its call analytics, and the post-call analytics made of them.

`results.items` are words and punctuation; who speaks stands in each item, or in `speaker_labels` or
`channel_labels` beside them, by the time at which an item starts. Call analytics has a list `Transcript` of
turns in milliseconds, post-call analytics `SpeechSegments` in seconds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from onrecord.ingest.formats.base import Format, Source
from onrecord.ingest.formats.fields import Field, broken_json, details_of, document, first_object
from onrecord.ingest.formats.words import Token, space_words, tidy, transcript, turn_tokens
from onrecord.types import Transcript

_MILLISECONDS = 1000.0


def fits(source: Source) -> bool:
    value = source.json
    if not isinstance(value, dict):
        return broken_json(source, "results", "items", "transcripts") or broken_json(source, "SpeechSegments")
    results = value.get("results")
    if isinstance(results, dict) and ("items" in results or "transcripts" in results):
        return True
    return "SpeechSegments" in value or "ParticipantRole" in first_object(value.get("Transcript"))


def read(source: Source) -> tuple[Transcript, ...]:
    root = document(source)
    status = root.first("status", "JobStatus").text
    if status and status.upper() != "COMPLETED":
        raise source.error("status", "a completed job", status)
    if "SpeechSegments" in root:
        tokens = list(_segments(root))
        about = root["ConversationAnalytics"]
        details = details_of(about["LanguageCode"], about["Duration"])
    elif "Transcript" in root:
        tokens = list(_call(root["Transcript"]))
        details = details_of(root["LanguageCode"], Field(source, None))
    else:
        tokens = _results(root["results"])
        details = details_of(root["results"]["language_code"], Field(source, None))
    return (transcript(source, FORMAT.name, tokens, details=details),)


FORMAT = Format("aws", (".json",), fits, read)


# ---------------------------------------------------------------- transcription jobs


def _results(results: Field) -> list[Token]:
    speakers = dict(_labels(results["speaker_labels"]["segments"]))
    channels = list(results["channel_labels"]["channels"])
    if channels:
        lines = [
            space_words(_items(channel["items"], speakers, channel["channel_label"])) for channel in channels
        ]
        return sorted(
            (token for line in lines for token in _timed(line)), key=lambda token: token.start or 0.0
        )
    tokens = space_words(_items(results["items"], speakers, None))
    if tokens:
        return tokens
    text = tidy(" ".join(each["transcript"].text for each in results["transcripts"]))
    return [Token(text)] if text else []


def _labels(segments: Field) -> Iterator[tuple[float | None, str | None]]:
    """Who speaks from which second on, of every item; of the whole segment where it has no items."""
    for segment in segments:
        items = list(segment["items"])
        for item in items or [segment]:
            label = item.first("speaker_label").label or segment["speaker_label"].label
            yield item["start_time"].seconds(), label


def _items(items: Field, speakers: dict[float | None, str | None], channel: Field | None) -> Iterator[Token]:
    """Words with the punctuation behind them."""
    speaker = channel.label if channel else None
    held: Token | None = None
    for item in items:
        text = next(iter(item["alternatives"]), item)["content"].words
        if item["type"].text == "punctuation":
            held = replace(held, text=held.text + text) if held else Token(text, speaker=speaker)
            continue
        if held:
            yield held
        start = item["start_time"].seconds()
        named = item["speaker_label"].label or speakers.get(start)
        speaker = named or (channel.label if channel else speaker if not speakers else None)
        held = Token(text, start, item["end_time"].seconds(), speaker)
    if held:
        yield held


def _timed(tokens: list[Token]) -> Iterator[Token]:
    """The tokens, with the time of the one before where one has none, so that they can be sorted."""
    start = 0.0
    for token in tokens:
        start = token.start if token.start is not None else start
        yield token if token.start is not None else replace(token, start=start, end=start)


# ---------------------------------------------------------------- calls


def _call(turns: Field) -> Iterator[Token]:
    """Turns of call analytics."""
    for turn in turns:
        speaker = turn.first("ParticipantRole", "ParticipantId").label
        words = [
            Token(
                item["Content"].words,
                item["BeginOffsetMillis"].seconds(_MILLISECONDS),
                item["EndOffsetMillis"].seconds(_MILLISECONDS),
                speaker,
            )
            for item in turn["Items"]
        ]
        start = turn["BeginOffsetMillis"].seconds(_MILLISECONDS)
        end = turn["EndOffsetMillis"].seconds(_MILLISECONDS)
        yield from turn_tokens(turn["Content"].words, words, Token("", start, end, speaker))


def _segments(root: Field) -> Iterator[Token]:
    """Segments of post-call analytics; the names that were given to speakers stand in a table."""
    names = {
        each["Speaker"].text: each["DisplayText"].label
        for each in root["ConversationAnalytics"]["SpeakerLabels"]
    }
    for segment in root["SpeechSegments"]:
        label = segment["SegmentSpeaker"].text
        speaker = names.get(label) or segment["SegmentSpeaker"].label
        words = [
            Token(word["Text"].words, word["StartTime"].seconds(), word["EndTime"].seconds(), speaker)
            for word in segment["WordConfidence"]
        ]
        start, end = segment["SegmentStartTime"].seconds(), segment["SegmentEndTime"].seconds()
        text = segment.first("DisplayText", "OriginalText").words
        yield from turn_tokens(text, words, Token("", start, end, speaker))
