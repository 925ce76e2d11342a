"""Reader of SAMI (.smi), the captions of old players: `<SYNC Start=1000><P Class=ENCC>words`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import zip_longest

from onrecord.ingest.formats.base import Format, Source
from onrecord.ingest.formats.cues import transcript
from onrecord.ingest.formats.lines import check_count, skip_prologue
from onrecord.ingest.formats.markup import Caption, lines_of, page_title, unescape
from onrecord.ingest.language import language_code
from onrecord.types import Details, Transcript

_BEGINS = re.compile(r"<SAMI\b", re.IGNORECASE)
_SYNC = re.compile(r"<SYNC\b[^<>]*?\bStart\s*=\s*[\"']?(\d{1,12})", re.IGNORECASE)
_PARAGRAPH = re.compile(r"<P\b(?:[^<>]*?\bClass\s*=\s*[\"']?([\w-]+))?[^<>]*>", re.IGNORECASE)
_BREAK = re.compile(r"<br\b[^<>]*>", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*>")


def fits(source: Source) -> bool:
    return bool(_BEGINS.match(source.text, skip_prologue(source.text)))


def read(source: Source) -> tuple[Transcript, ...]:
    text = source.text
    check_count(source, text.count("<"), "tags")
    pieces = list(_pieces(text))
    classes = Counter(name for _, name, words in pieces if words)
    chosen = classes.most_common(1)[0][0] if classes else ""
    kept = [(second, words) for second, name, words in pieces if name == chosen or not words]
    captions = []
    for (second, words), following in zip_longest(kept, kept[1:]):
        lines, _ = lines_of(words)
        end = following[0] if following else second + 3.0
        if lines:  # a paragraph without words only ends the previous caption
            captions.append(Caption(f"second {second:g}", second, max(second, end), lines))
    style = rf"\.{re.escape(chosen)}\s*\{{[^{{}}]*?lang:\s*([\w-]+)"
    language = re.search(style, text, re.IGNORECASE) if chosen else None
    details = Details(
        title=page_title(text),
        language=language_code(language[1]) if language else None,
    )
    others = len(classes) - 1
    warnings = [f"dropped captions in other languages: {others}"] if others > 0 else []
    return (transcript(source, FORMAT.name, captions, details, warnings),)


FORMAT = Format("sami", (".smi", ".sami"), fits, read)


def _pieces(text: str) -> Iterator[tuple[float, str, str]]:
    """Yield (second, class, words) for each paragraph."""
    syncs = [*_SYNC.finditer(text)]
    ends = [*(sync.start() for sync in syncs[1:]), len(text)][: len(syncs)]
    for sync, end in zip(syncs, ends, strict=True):
        inside = text[sync.end() : end]
        marks = [*_PARAGRAPH.finditer(inside)]
        stops = [*(mark.start() for mark in marks[1:]), len(inside)][: len(marks)]
        for mark, stop in zip(marks, stops, strict=True):
            words = unescape(_TAG.sub("", _BREAK.sub("\n", inside[mark.end() : stop].replace("\n", " "))))
            yield int(sync[1]) / 1000, mark[1] or "", words.replace("\xa0", " ").strip()
