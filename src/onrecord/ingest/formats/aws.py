"""Reader of Amazon Transcribe's JSON, its call analytics, and its post-call analytics.

`results.items` are words and punctuation. Each item names its speaker, or `speaker_labels` and
`channel_labels` next to `items` do, by the start times of items. Call analytics has turns in `Transcript`,
with times in milliseconds. Post-call analytics has `SpeechSegments`, with times in seconds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from onrecord.ingest.formats.fields import Field, Speech, details_of, first_object, json_format
from onrecord.ingest.formats.words import Token, space_words, tidy, turn_tokens

_MILLISECONDS = 1000.0


def is_own(value: dict[str, Any]) -> bool:
    results = value.get("results")
    if isinstance(results, dict) and ("items" in results or "transcripts" in results):
        return True
    turn = first_object(value.get("Transcript"))
    return "SpeechSegments" in value or bool({"ParticipantRole", "ParticipantId"} & turn.keys())


def read(root: Field) -> Speech:
    status = root.first("status", "JobStatus").text
    if status and status.upper() != "COMPLETED":
        raise root["status"].error("a completed job", status)
    if "SpeechSegments" in root:
        about = root["ConversationAnalytics"]
        return Speech([_segments(root)], details_of(about["LanguageCode"], about["Duration"]))
    if "Transcript" in root:
        return Speech([_call(root)], details_of(root["LanguageCode"]))
    return Speech([_results(root["results"])], details_of(root["results"]["language_code"]))


FORMAT = json_format("aws", is_own, read, "results items transcripts", "SpeechSegments")


# ---------------------------------------------------------------- transcription jobs


def _results(results: Field) -> list[Token]:
    speakers: dict[float | None, str | None] = {}
    for segment in results["speaker_labels"]["segments"]:
        for item in list(segment["items"]) or [segment]:
            label = item["speaker_label"].label or segment["speaker_label"].label
            speakers[item["start_time"].seconds()] = label
    tokens: list[Token] = []
    channels = list(results["channel_labels"]["channels"])
    for channel in channels:
        start = 0.0
        for token in space_words(_items(channel["items"], speakers, channel["channel_label"])):
            if token.start is None:  # use the previous token's time, so that the channels can be merged
                token = replace(token, start=start, end=start)
            start = token.start or 0.0
            tokens.append(token)
    if channels:
        return sorted(tokens, key=lambda token: token.start or 0.0)
    if tokens := space_words(_items(results["items"], speakers, None)):
        return tokens
    text = tidy(" ".join(result["transcript"].text for result in results["transcripts"]))
    return [Token(text)] if text else []


def _items(items: Field, speakers: dict[float | None, str | None], channel: Field | None) -> Iterator[Token]:
    """Yield the words, each with the punctuation after it."""
    speaker = channel.label if channel else None
    word: Token | None = None
    for item in items:
        text = next(iter(item["alternatives"]), item)["content"].words
        if item["type"].text == "punctuation":
            word = replace(word, text=word.text + text) if word else Token(text, speaker=speaker)
            continue
        if word:
            yield word
        start = item["start_time"].seconds()
        label = item["speaker_label"].label or speakers.get(start)
        speaker = label or (channel.label if channel else speaker if not speakers else None)
        word = Token(text, start, item["end_time"].seconds(), speaker)
    if word:
        yield word


# ---------------------------------------------------------------- calls


def _call(root: Field) -> Iterator[Token]:
    """Yield the tokens of call analytics, whose turns name a role or a participant."""
    roles = {
        participant["ParticipantId"].label: participant["ParticipantRole"].label
        for participant in root["Participants"]
    }
    for turn in root["Transcript"]:
        participant = turn["ParticipantId"].label
        speaker = turn["ParticipantRole"].label or roles.get(participant) or participant
        keys = ("BeginOffsetMillis", "EndOffsetMillis", _MILLISECONDS)
        words = [Token(item["Content"].words, *item.span(*keys), speaker) for item in turn["Items"]]
        whole = Token("", *turn.span(*keys), speaker, opens=True)
        yield from turn_tokens(turn["Content"].words, words, whole)


def _segments(root: Field) -> Iterator[Token]:
    """Yield the tokens of post-call analytics, which lists the speakers' names in a table."""
    names = {
        label_entry["Speaker"].text: label_entry["DisplayText"].label
        for label_entry in root["ConversationAnalytics"]["SpeakerLabels"]
    }
    for segment in root["SpeechSegments"]:
        label = segment["SegmentSpeaker"].text
        speaker = names.get(label) or segment["SegmentSpeaker"].label
        words = [
            Token(word["Text"].words, *word.span("StartTime", "EndTime"), speaker)
            for word in segment["WordConfidence"]
        ]
        whole = Token("", *segment.span("SegmentStartTime", "SegmentEndTime"), speaker, opens=True)
        text = segment.first("DisplayText", "OriginalText").words
        yield from turn_tokens(text, words, whole)
