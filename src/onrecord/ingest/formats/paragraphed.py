"""Reader of JSON with two lists, `words` and `paragraphs` with speakers (BBC's paper edit and others).

It also reads the BBC's Kaldi: `retval.words`, and `segmentation.segments` with speakers.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import replace
from operator import itemgetter
from typing import Any

from onrecord.ingest.formats.fields import Field, Speech, first_object, json_format
from onrecord.ingest.formats.words import Token, space_words


def is_own(value: dict[str, Any]) -> bool:
    inner = value.get("retval") if isinstance(value.get("retval"), dict) else {}
    if isinstance(inner, dict) and "word" in first_object(inner.get("words")):
        return True
    word, paragraph = first_object(value.get("words")), first_object(value.get("paragraphs"))
    return {"start", "text"} <= word.keys() and {"start", "speaker"} <= paragraph.keys()


def read(root: Field) -> Speech:
    if "retval" in root:
        root = root["retval"]
        segments = root["segmentation"]["segments"]
        paragraphs = [(s["start"].seconds() or 0.0, s["speaker"]["@id"].label) for s in segments]
    else:
        paragraphs = [(p["start"].seconds() or 0.0, p["speaker"].label) for p in root["paragraphs"]]
    paragraphs.sort(key=itemgetter(0))
    words = [
        Token(word.first("punct", "text", "word").words, *word.span())
        for word in root["words"]
        if word.first("punct", "text", "word").text.strip()
    ]
    begins = [begin for begin, _ in paragraphs]
    tokens, before = [], -1
    for word in space_words(words):  # a word belongs to the last paragraph that has begun
        at = before if word.start is None else bisect_right(begins, word.start + 0.01) - 1
        speaker = paragraphs[at][1] if at >= 0 else None
        tokens.append(replace(word, speaker=speaker, opens=at != before))
        before = at
    return Speech([tokens])


FORMAT = json_format("paragraphed", is_own, read, "words paragraphs speaker")
