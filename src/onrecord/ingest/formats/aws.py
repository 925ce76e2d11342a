"""Reader of Amazon Transcribe's JSON, its call analytics, and its post-call analytics.

`results.items` are words and punctuation. Each item names its speaker, or `speaker_labels` and
`channel_labels` next to `items` do, by the start times of items. Call analytics has turns in `Transcript`,
with times in milliseconds. Post-call analytics has `SpeechSegments`, with times in seconds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from onrecord.ingest.formats.fields import (
    Field,
    Speech,
    check_done,
    details_of,
    first_object,
    json_format,
    speaker_table,
)
from onrecord.ingest.formats.words import MILLISECONDS, Token, space_words, turn_tokens, with_channel


def is_own(value: dict[str, Any]) -> bool:
    results = value.get("results")
    if isinstance(results, dict) and ("items" in results or "transcripts" in results):
        return True
    turn = first_object(value.get("Transcript"))
    return "SpeechSegments" in value or bool({"ParticipantRole", "ParticipantId"} & turn.keys())


def read(root: Field) -> Speech:
    check_done(root.first("status", "JobStatus"))
    if "SpeechSegments" in root:
        about = root["ConversationAnalytics"]
        return Speech([_segments(root)], details_of(about["LanguageCode"], about["Duration"]))
    if "Transcript" in root:
        return Speech([_call(root)], details_of(root["LanguageCode"]))
    return Speech(_results(root["results"]), details_of(root["results"]["language_code"]))


FORMAT = json_format("aws", is_own, read, "results items transcripts", "SpeechSegments")


# ---------------------------------------------------------------- transcription jobs


def _results(results: Field) -> list[list[Token]]:
    speakers: dict[float | None, str | None] = {}
    for segment in results["speaker_labels"]["segments"]:
        for item in list(segment["items"]) or [segment]:
            label = item["speaker_label"].label or segment["speaker_label"].label
            speakers[item["start_time"].seconds()] = label
    channels = list(results["channel_labels"]["channels"])
    lines = [_channel(channel, speakers, several=len(channels) > 1) for channel in channels]
    if any(lines):
        return lines
    if tokens := space_words(_items(results["items"], speakers)):
        return [tokens]
    return [[Token(" ".join(result["transcript"].text for result in results["transcripts"]))]]


def _channel(channel: Field, speakers: Mapping[float | None, str | None], *, several: bool) -> list[Token]:
    """Return the words of a channel, which names their speaker if nothing else does.

    The list of speakers does not tell the channel of an item, so it names speakers only if there is one.
    """
    code = channel["channel_label"].code
    return [
        replace(word, speaker=with_channel(word.speaker, code if several or not word.speaker else None))
        for word in space_words(_items(channel["items"], {} if several else speakers))
    ]


def _items(items: Field, speakers: Mapping[float | None, str | None]) -> Iterator[Token]:
    """Yield the words, each with the punctuation after it."""
    speaker = None
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
        speaker = label or (None if speakers else speaker)
        word = Token(text, start, item["end_time"].seconds(), speaker)
    if word:
        yield word


# ---------------------------------------------------------------- calls


def _call(root: Field) -> Iterator[Token]:
    """Yield the tokens of call analytics, whose turns name a role or a participant."""
    roles = speaker_table(root["Participants"], "ParticipantId", "ParticipantRole")
    for turn in root["Transcript"]:
        speaker = turn["ParticipantRole"].label or turn["ParticipantId"].named(roles)
        keys = ("BeginOffsetMillis", "EndOffsetMillis", MILLISECONDS)
        words = [Token(item["Content"].words, *item.span(*keys), speaker) for item in turn["Items"]]
        whole = Token("", *turn.span(*keys), speaker, opens=True)
        yield from turn_tokens(turn["Content"].words, words, whole)


def _segments(root: Field) -> Iterator[Token]:
    """Yield the tokens of post-call analytics, which lists the speakers' names in a table."""
    names = speaker_table(root["ConversationAnalytics"]["SpeakerLabels"], "Speaker", "DisplayText")
    for segment in root["SpeechSegments"]:
        speaker = segment["SegmentSpeaker"].named(names)
        words = [
            Token(word["Text"].words, *word.span("StartTime", "EndTime"), speaker)
            for word in segment["WordConfidence"]
        ]
        whole = Token("", *segment.span("SegmentStartTime", "SegmentEndTime"), speaker, opens=True)
        text = segment.first("DisplayText", "OriginalText").words
        yield from turn_tokens(text, words, whole)
