"""Reader of Azure Speech: batch transcription (`recognizedPhrases`) and fast transcription (`phrases`).

Times are ticks of 100 nanoseconds, milliseconds, or ISO 8601 durations.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from onrecord.ingest.formats.fields import Field, Speech, by_channel, details_of, first_object, json_format
from onrecord.ingest.formats.words import MILLISECONDS, Token, end_time, turn_tokens, with_channel

_TICKS = 1e7
_DURATION = re.compile(r"PT(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6}(?:\.\d{1,9})?)S)?")


def is_own(value: dict[str, Any]) -> bool:
    if "recognizedPhrases" in value or "combinedRecognizedPhrases" in value:
        return True
    return "combinedPhrases" in value or "offsetMilliseconds" in first_object(value.get("phrases"))


def read(root: Field) -> Speech:
    phrases = list(root.first("recognizedPhrases", "phrases"))
    channels = by_channel(phrases, "channel")
    lines = [[token for phrase in own for token in _phrase(phrase, channel)] for channel, own in channels]
    if not any(lines):
        whole = root.first("combinedRecognizedPhrases", "combinedPhrases")
        lines = [[Token(phrase.first("display", "text").text) for phrase in whole]]
    language = next((phrase["locale"] for phrase in phrases if phrase["locale"]), root["locale"])
    length = root.with_value(_time(root, "duration"))
    return Speech(lines, details_of(language, length))


FORMAT = json_format("azure", is_own, read, "recognizedPhrases", "combinedPhrases")


def _phrase(phrase: Field, channel: str | None) -> Iterator[Token]:
    status = phrase["recognitionStatus"].text
    if status not in ("", "Success"):
        return
    best = next(iter(phrase["nBest"]), phrase)
    speaker = with_channel(phrase["speaker"].label, channel)
    words = [
        Token(word.first("displayText", "word", "text").words, *_span(word), speaker)
        for word in best.first("displayWords", "words", "displayPhraseElements")
    ]
    whole = Token("", *_span(phrase), speaker, opens=True)
    yield from turn_tokens(best.first("display", "text", "lexical").text, words, whole)


def _span(item: Field) -> tuple[float | None, float | None]:
    start = _time(item, "offset")
    return start, end_time(start, None, _time(item, "duration"))


def _time(item: Field, name: str) -> float | None:
    """Return the time with this name in seconds, or None if absent; the suffix of its key tells the unit.

    Raises FormatError if the value is not a time.
    """
    if (ticks := f"{name}InTicks") in item:
        return item[ticks].seconds(_TICKS)
    if (milliseconds := f"{name}Milliseconds") in item:
        return item[milliseconds].seconds(MILLISECONDS)
    if name not in item:
        return None
    written = item[name]
    match = _DURATION.fullmatch(written.text) if isinstance(written.value, str) else None
    if not match:
        raise written.error("a duration such as PT1.5S")
    hours, minutes, seconds = match.groups()
    return int(hours or 0) * 3600 + int(minutes or 0) * 60 + float(seconds or 0)
