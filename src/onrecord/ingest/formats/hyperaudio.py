"""Reader of Hyperaudio: HTML in which each word has a start (`data-m`) and a duration (`data-d`).

Both are in milliseconds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from onrecord.ingest.formats.base import Format, Source
from onrecord.ingest.formats.lines import check_count
from onrecord.ingest.formats.markup import page_title, unescape
from onrecord.ingest.formats.words import MILLISECONDS, Token, transcript
from onrecord.types import Details, Transcript, one_line

_SPAN = re.compile(r"<(?P<name>span|a)\b(?P<rest>[^<>]*)>(?P<text>[^<>]*)", re.IGNORECASE)
_TIMED = re.compile(r"\bdata-m\s*=", re.IGNORECASE)
_BLOCK = re.compile(r"<(?:p|div|section|article|h[1-6])\b[^<>]*>", re.IGNORECASE)
_START = re.compile(r"\bdata-m\s*=\s*[\"']?(\d{1,12}(?:\.\d{1,6})?)")
_LENGTH = re.compile(r"\bdata-d\s*=\s*[\"']?(\d{1,12}(?:\.\d{1,6})?)")
_SPEAKER = re.compile(r"\bclass\s*=\s*[\"'][^\"'<>]*\bspeaker\b", re.IGNORECASE)


def fits(source: Source) -> bool:
    text = source.text
    if "data-m" not in text or text.lstrip()[:1] != "<":
        return False
    words = (span for span in _SPAN.finditer(text) if _TIMED.search(span["rest"]))
    return sum(1 for _ in zip(range(2), words, strict=False)) == 2


def read(source: Source) -> tuple[Transcript, ...]:
    check_count(source, source.text.count("<"), "tags")
    details = Details(title=page_title(source.text))
    return (transcript(source, FORMAT.name, _tokens(source.text), details=details),)


FORMAT = Format("hyperaudio", (".html", ".htm"), fits, read)


def _tokens(text: str) -> Iterator[Token]:
    """Yield the words; a word without a space before it joins the previous word.

    Each paragraph begins a turn. A speaker continues until another speaker is named, with or without a time.
    """
    blocks = [block.start() for block in _BLOCK.finditer(text)]
    speaker, opens, apart, block = None, True, True, 0
    for word in _SPAN.finditer(text):
        if not (_TIMED.search(word["rest"]) or _SPEAKER.search(word["rest"])):
            continue
        while block < len(blocks) and blocks[block] < word.start():
            block, opens, apart = block + 1, True, True
        words = unescape(word["text"])
        if _SPEAKER.search(word["rest"]):
            speaker, opens, apart = one_line(words).strip(" :[]") or None, True, True
            continue
        if not words.strip():
            apart = apart or bool(words)
            continue
        start, length = _START.search(word["rest"]), _LENGTH.search(word["rest"])
        begin = float(start[1]) / MILLISECONDS if start else None
        end = begin + float(length[1]) / MILLISECONDS if begin is not None and length else None
        joined = not (opens or apart or words[:1].isspace() or "\n" in text[word.start() - 1 : word.start()])
        yield Token(words.strip(), begin, end, speaker, joined, opens)
        opens = False
        after = text[word.end() : word.end() + len("</span>") + 1]
        apart = words[-1:].isspace() or after.removeprefix(f"</{word['name'].lower()}>")[:1].isspace()
