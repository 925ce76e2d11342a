"""Reader of Google Speech-to-Text: `results` with `alternatives`, from the API and from jobs (v1 and v2).

With diarization, v1 repeats all words, with a `speakerTag`, in its last result. A time is a string such as
"1.300s", or an object with `seconds` and `nanos`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from onrecord.ingest.formats.fields import Field, Speech, by_channel, details_of, first_object, json_format
from onrecord.ingest.formats.words import Token, turn_tokens, with_channel

_STARTS = ("startTime", "start_time", "startOffset", "start_offset")
_SPEAKERS = ("speakerLabel", "speaker_label", "speakerTag", "speaker_tag")


def is_own(value: dict[str, Any]) -> bool:
    results = _results_of(value)
    if results is None:
        return False
    for result in results[:20] if isinstance(results, list) else []:
        best = first_object(result.get("alternatives")) if isinstance(result, dict) else {}
        word = first_object(best.get("words"))
        if "transcript" in best or ("word" in word and not word.keys().isdisjoint(_STARTS)):
            return True
    return False


def read(root: Field) -> Speech:
    results = list(root.with_value(_results_of(root.value)))
    channels = by_channel(results, "channelTag", "channel_tag")
    lines = [list(_channel(own, channel)) for channel, own in channels]
    language = next((r.first("languageCode", "language_code") for r in results), root["languageCode"])
    return Speech(lines, details_of(language))


FORMAT = json_format("google", is_own, read, "results alternatives words startTime")


def _results_of(value: Any) -> Any:
    """Return the list of results, perhaps from an operation's `response` or the only file of a batch."""
    for _ in range(6):
        if not isinstance(value, dict):
            return None
        results = value.get("results")
        if isinstance(results, list):
            return results
        inner = (value.get(key) for key in ("response", "transcript", "inlineResult"))
        batch = results if isinstance(results, dict) else {}
        only_file = next(iter(batch.values())) if len(batch) == 1 else None
        value = next((item for item in inner if isinstance(item, dict)), None) or only_file
    return None


def _channel(results: Sequence[Field], channel: str | None) -> Iterator[Token]:
    pairs = [(result, best) for result in results for best in islice(result["alternatives"], 1)]
    tagged = [any(word.first(*_SPEAKERS) for word in best["words"]) for _, best in pairs]
    if tagged and tagged[-1] and not any(tagged[:-1]):  # the last result repeats the words of all others
        pairs = pairs[-1:]
    for result, best in pairs:
        yield from _tokens(result, best, channel)


def _tokens(result: Field, best: Field, channel: str | None) -> Iterator[Token]:
    speaker = with_channel(None, channel)
    words = []
    for word in best["words"]:
        start = _second(word.first(*_STARTS))
        word_end = _second(word.first("endTime", "end_time", "endOffset", "end_offset"))
        label = word.first(*_SPEAKERS)
        named = with_channel(label.label, channel) if label and label.value != 0 else None
        if start is None and word_end is not None:
            start = 0.0
        words.append(Token(word["word"].words, start, word_end, named or speaker))
    end = _second(result.first("resultEndTime", "result_end_time", "resultEndOffset")) if words else None
    whole = Token("", None, end, speaker, opens=not (words[0].speaker if words else speaker))
    yield from turn_tokens(best["transcript"].text, words, whole)


def _second(time: Field) -> float | None:
    if isinstance(time.value, dict):
        return (time["seconds"].seconds() or 0.0) + (time["nanos"].seconds(1e9) or 0.0)
    if isinstance(time.value, str):
        return time.with_value(time.value.removesuffix("s")).seconds()
    return time.seconds()
