"""Reader of Deepgram's JSON: `results.channels[].alternatives[]` or `results.utterances`.

An alternative has words, paragraphs or only text.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from onrecord.ingest.formats.fields import Field, Speech, details_of, json_format
from onrecord.ingest.formats.words import Token, turn_tokens


def is_own(value: dict[str, Any]) -> bool:
    results = value.get("results")
    return isinstance(results, dict) and ("channels" in results or "utterances" in results)


def read(root: Field) -> Speech:
    results = root["results"]
    channels = [_channel(channel) for channel in results["channels"]]
    lines = [tokens for tokens in channels if tokens]
    if len(lines) > 1:  # each channel counts its speakers from 0
        lines = [_name_channel(tokens, number) for number, tokens in enumerate(channels) if tokens]
    lines = lines or [list(_utterances(results["utterances"]))]
    return Speech(lines, details_of(_language(results, root["metadata"]), root["metadata"]["duration"]))


FORMAT = json_format("deepgram", is_own, read, "results channels")


def _channel(channel: Field) -> list[Token]:
    """Return the tokens of a channel's best alternative, which is the first."""
    best = next(iter(channel["alternatives"]), None)
    if best is None:
        return []
    words = list(_words(best["words"]))
    if not words and best["paragraphs"]:
        return [
            Token(sentence["text"].words, *sentence.span(), paragraph["speaker"].label)
            for paragraph in best["paragraphs"]["paragraphs"]
            for sentence in paragraph["sentences"]
        ]
    return list(turn_tokens(best["transcript"].text, words, Token("")))


def _name_channel(tokens: list[Token], number: int) -> list[Token]:
    """Add the channel to the speakers' names."""
    return [
        replace(token, speaker=f"{token.speaker}, channel {number}" if token.speaker else f"Channel {number}")
        for token in tokens
    ]


def _words(words: Field) -> Iterator[Token]:
    for word in words:
        text = word.first("punctuated_word", "word").words
        if text.strip():
            yield Token(text.strip(), *word.span(), word["speaker"].label)


def _utterances(utterances: Field) -> Iterator[Token]:
    for utterance in utterances:
        speaker = utterance["speaker"].label
        words = [replace(word, speaker=word.speaker or speaker) for word in _words(utterance["words"])]
        yield from turn_tokens(utterance["transcript"].text, words, Token("", *utterance.span(), speaker))


def _language(results: Field, metadata: Field) -> Field:
    """Return the language that Deepgram detected in the first channel, or the language in the metadata."""
    for channel in results["channels"]:
        if "detected_language" in channel:
            return channel["detected_language"]
        for alternative in channel["alternatives"]:
            for language in alternative["languages"]:
                return language
        break
    return metadata["language"]
