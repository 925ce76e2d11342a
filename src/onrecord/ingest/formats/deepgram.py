"""Reader of Deepgram's JSON: `results.channels[].alternatives[]` or `results.utterances`.

An alternative has words, paragraphs or only text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from onrecord.ingest.formats.fields import Field, Speech, by_channel, details_of, json_format
from onrecord.ingest.formats.words import Token, turn_tokens, with_channel


def is_own(value: dict[str, Any]) -> bool:
    results = value.get("results")
    return isinstance(results, dict) and ("channels" in results or "utterances" in results)


def read(root: Field) -> Speech:
    results = root["results"]
    numbered = enumerate(map(_channel, results["channels"]))
    spoken: list[tuple[str | None, list[Token]]] = [(str(at), tokens) for at, tokens in numbered if tokens]
    if not spoken:
        channels = by_channel(results["utterances"], "channel")
        spoken = [(channel, list(_utterances(own))) for channel, own in channels]
    several = len(spoken) > 1  # each channel counts its speakers from 0
    lines = [
        [
            replace(token, speaker=with_channel(token.speaker, channel if several else None))
            for token in tokens
        ]
        for channel, tokens in spoken
    ]
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


def _words(words: Field) -> Iterator[Token]:
    for word in words:
        yield Token(word.first("punctuated_word", "word").words, *word.span(), word["speaker"].label)


def _utterances(utterances: Sequence[Field]) -> Iterator[Token]:
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
