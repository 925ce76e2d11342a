"""Reader of Whisper's JSON, as written by its many tools.

Reads openai-whisper, faster-whisper dumps, WhisperX and whisper-timestamped (`segments`, with or without
`words`), whisper.cpp (`transcription`, with or without `tokens`), the OpenAI API (`verbose_json`,
`diarized_json`, `json`), the Transformers pipeline (`chunks`), and bare lists of segments. A segment has the
text. Its words have the times and perhaps speakers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import reduce
from typing import Any

from onrecord.ingest.formats.fields import Field, Speech, details_of, first_object, json_format
from onrecord.ingest.formats.tables import speaker_keys
from onrecord.ingest.formats.words import (
    MILLISECONDS,
    Token,
    align,
    match_words,
    per_second,
    space_words,
    tidy,
)

_PLAIN = {"text", "task", "language", "duration", "usage", "logprobs"}
_TURN = "[SPEAKER_TURN]"  # whisper.cpp's mark of a speaker change, besides `speaker_turn_next`
_NO_WORD = "[*]"  # whisper-timestamped's mark for a disfluency


def is_own(value: dict[str, Any]) -> bool:
    segment = first_object(value.get("segments"))
    worded = segment.keys() >= {"text", "start"} or "word" in first_object(segment.get("words"))
    if (worded and "body" not in segment) or "word" in first_object(value.get("words")):
        return True
    if "text" in first_object(value.get("transcription")) or "timestamp" in first_object(value.get("chunks")):
        return True
    if "word" in first_object(value.get("word_segments")):
        return True
    return isinstance(value.get("text"), str) and value.keys() <= _PLAIN


def read(root: Field) -> Speech:
    reader = _Reader()
    if isinstance(root.value, list):
        reader = _Reader(_units_per_second(root))
        root = root.with_value({"segments": root.value})
    tokens = list(reader.tokens(root))
    language = root.first("language", "detected_language")
    if isinstance(root["result"].value, dict):
        language = root["result"]["language"]
    warnings = []
    if reader.unlike:
        texts = "one text has" if reader.unlike == 1 else f"{reader.unlike} texts have"
        warnings.append(f"{texts} other words than the word list beside it: onrecord kept the text")
    return Speech([tokens], details_of(language, root["duration"]), warnings=warnings)


FORMAT = json_format("whisper", is_own, read, "segments text", "transcription offsets", listed="segments")


class _Reader:
    """A reader of tokens that counts the texts (`unlike`) which differ from their word lists."""

    def __init__(self, units: float = 1.0) -> None:
        self.units = units
        self.unlike = 0

    def tokens(self, root: Field) -> Iterable[Token]:
        if root["transcription"] and isinstance(root["transcription"].value, list):
            return self._whisper_cpp(root["transcription"])
        if root["words"] and not any(_speaker(segment) or segment["words"] for segment in root["segments"]):
            words = list(_words(root["words"], None))  # the OpenAI API lists the words without punctuation
            texts = [root["text"]] if root["text"] else [segment["text"] for segment in root["segments"]]
            text = tidy(" ".join(part.text for part in texts))
            return self._fit(text, words) if text else space_words(words)
        if root["segments"]:
            return self._segments(root["segments"])
        if root["speakers"] or root["chunks"]:
            chunks = list(_chunks(root["speakers"] or root["chunks"]))
            return align(tidy(root["text"].text), chunks) or space_words(chunks)
        if root["word_segments"]:
            return space_words(_words(root["word_segments"], None))
        return [Token(root["text"].text)]

    def _segments(self, segments: Field) -> Iterator[Token]:
        for segment in segments:
            span = segment.span(per_second=self.units, length="duration")
            whole = Token(tidy(segment["text"].text), *span, _speaker(segment))
            words = list(_words(segment["words"], whole.speaker, self.units))
            yield from self._by_words(whole, words, segment)

    def _whisper_cpp(self, segments: Field) -> Iterator[Token]:
        opens, before = False, " "
        for segment in segments:
            start, end = _span(segment)
            speaker = _speaker(segment)
            speaker = None if speaker == "?" else speaker
            text = segment["text"].words.replace(_TURN, "")
            # With a maximum segment length (-ml), a segment may begin in the middle of a word.
            joined = before[-1:].isalnum() and not text[:1].isspace()
            whole = Token(tidy(text), start, end, speaker, joined, opens)
            yield from self._by_words(whole, list(_pieces(segment["tokens"], speaker)), segment)
            opens = segment["speaker_turn_next"].value is True
            opens = opens or segment["text"].words.rstrip().endswith(_TURN)
            before = text

    def _by_words(self, whole: Token, words: list[Token], segment: Field) -> list[Token]:
        """Return a segment's words with their times, or the whole segment if no word has a time."""
        if not words:
            return [replace(whole, text=segment["text"].words.replace(_TURN, ""))]
        if not whole.text:
            return space_words(words)
        tokens = self._fit(whole.text, words)
        if all(token.start is None for token in tokens):
            return [replace(whole, speaker=whole.speaker or words[0].speaker)]
        first, *others = tokens
        start = whole.start if first.start is None else first.start
        return [replace(first, start=start, joined=whole.joined, opens=whole.opens), *others]

    def _fit(self, text: str, words: list[Token]) -> list[Token]:
        """Return the words of a text with the times of a word list, and count a text that differs."""
        if tokens := align(text, words):
            return tokens
        self.unlike += 1
        return match_words(text, words)


def _speaker(item: Field) -> str | None:
    """Return the speaker of a segment or a word, under any key that names a speaker in a table."""
    keys = speaker_keys(item.value) if isinstance(item.value, dict) else ()
    return reduce(Field.__getitem__, keys or ("speaker",), item).label


def _units_per_second(segments: Field) -> float:
    """Guess the time units per second of a bare list of segments: some services count milliseconds."""
    starts = [segment["start"].value for segment in segments]
    if not all(isinstance(start, int) for start in starts if start is not None):
        return 1.0
    lengths = [
        (segment["end"].seconds() or 0.0) - (segment["start"].seconds() or 0.0) for segment in segments
    ]
    return per_second((segment["text"].text for segment in segments), sum(lengths))


def _words(words: Field, speaker: str | None, units: float = 1.0) -> Iterator[Token]:
    """Yield the words; a word without a speaker gets the speaker of the previous word."""
    for word in words:
        speaker = _speaker(word) or speaker
        text = word.first("word", "text").words
        if text.strip() and text.strip() != _NO_WORD:
            yield Token(text, *word.span(per_second=units), speaker)


def _chunks(chunks: Field) -> Iterator[Token]:
    for chunk in chunks:
        times = [time.seconds() for time in chunk["timestamp"]]
        start, end = [*times, None, None][:2]
        text = chunk["text"].words
        if text.strip():
            yield Token(text, start, end, _speaker(chunk))


def _span(segment: Field) -> tuple[float | None, float | None]:
    """Return the start and end, in seconds, of a whisper.cpp segment or token.

    They are `offsets` in milliseconds, or clock times in `timestamps`.
    """
    if segment["offsets"]:
        return segment["offsets"].span("from", "to", MILLISECONDS)
    return segment["timestamps"].span("from", "to")


def _pieces(tokens: Field, speaker: str | None) -> Iterator[Token]:
    """Join whisper.cpp's tokens into words.

    A token without a leading space continues the previous word. Marks such as "[_BEG_]" are skipped.
    """
    word: Token | None = None
    for token in tokens:
        text = token["text"].words
        if text.startswith(("[_", "<|")):
            continue
        start, end = _span(token)
        if word is not None and not text.startswith(" "):
            word = replace(word, text=word.text + text, end=end or word.end)
            continue
        if word is not None and word.text.strip():
            yield word
        word = Token(text, start, end, speaker)
    if word is not None and word.text.strip():
        yield word
