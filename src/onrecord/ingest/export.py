"""Export of recordings to files that read back with the same words, speakers and times.

==== ========================================================================================
json words, speakers, times, details, sections (`onrecord.ingest.formats.native`)
md   words, speakers, the start and end of each turn (only the start if turns overlap),
     details, sections as headings
vtt  words, speakers, the start and end of each caption (captions of overlapping turns
     alternate), the language; no details, no sections
srt  the same, without the language
==== ========================================================================================
"""

from __future__ import annotations

import html
import json
import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from onrecord.errors import InputError
from onrecord.ingest.captioning import Caption, captions
from onrecord.ingest.formats import native
from onrecord.ingest.formats.captions import EXACT as EXACT_CAPTIONS
from onrecord.ingest.formats.clock import write_clock
from onrecord.ingest.formats.labels import label_at, opening_at
from onrecord.ingest.formats.lines import EXACT
from onrecord.ingest.formats.markup import SPOKEN
from onrecord.ingest.formats.voices import beginnings
from onrecord.ingest.passages import cut_turn
from onrecord.types import Details, Passage, Recording, Section, Transcript, Turn


def export(kind: str, recording: Recording, sections: Sequence[Section], passages: Sequence[Passage]) -> str:
    """Return a recording as the text of a file of this kind: "vtt", "srt", "json" or "md".

    Raises InputError for another kind, and for captions of a recording without times.
    """
    writer = WRITERS.get(kind)
    if writer is None:
        raise InputError(f"cannot export as {kind!r}: choose one of {', '.join(WRITERS)}")
    return writer(transcript_of(recording, sections, passages))


def transcript_of(
    recording: Recording, sections: Sequence[Section], passages: Sequence[Passage]
) -> Transcript:
    """Turn a recording back into a transcript: one turn for each voice of each passage."""
    turns: list[Turn] = []
    begins = [0]
    for passage in passages:
        turns += _turns(passage)
        begins.append(len(turns))
    spans = {p.position: (a, b - 1) for p, (a, b) in zip(passages, pairwise(begins), strict=True)}
    nowhere = (-1, -1)
    return Transcript(
        turns=tuple(turns),
        format=recording.format,
        details=recording.details,
        sections=tuple(
            replace(s, first=spans.get(s.first, nowhere)[0], last=spans.get(s.last, nowhere)[1])
            for s in sections
        ),
    )


def _turns(passage: Passage) -> list[Turn]:
    whole = Turn(passage.text, passage.speaker, passage.start, passage.end, passage.marks)
    return [replace(cut_turn(whole, begin, end), speaker=speaker) for begin, end, speaker in passage.turns]


# ---------------------------------------------------------------- captions

_ENTITIES = {"<": "&lt;", "&": "&amp;", ">": "&gt;", "\\": "&#92;"}
_IN_VTT = re.compile(r"[<>&\\]")
_IN_SRT = re.compile(r"<(?=[/a-zA-Z\d])|(?<=--)>|(?<=\{)\\|\\(?=[Nh])")
_MAYBE_ENTITY = re.compile(r"&#?\w{1,32};?")
_SIGN_OF_LABEL = re.compile(r"[\[(:：]")
_NUMBERED = {ord(stand_in): f"&#{ord(sign)};" for sign, stand_in in SPOKEN.items()}
_COLON = re.compile(r":(?=\s|$)")


def _captions(transcript: Transcript) -> list[Caption]:
    """Return the captions; one that repeats the times and words of another ends a millisecond later.

    Otherwise players and readers would take the second for a copy of the first.
    """
    if all(turn.start is None for turn in transcript.turns):
        raise InputError("captions need times, and this recording has none: export it as json or md")
    unique: list[Caption] = []
    seen: set[tuple[int, int, tuple[str, ...]]] = set()
    for caption in captions(transcript.turns):
        start, end = round(caption.start * 1000), round(caption.end * 1000)
        end = max(end, start + 1)
        while (start, end, caption.lines) in seen:
            end += 1
        seen.add((start, end, caption.lines))
        unique.append(replace(caption, end=end / 1000))
    return unique


def _write_vtt(transcript: Transcript) -> str:
    """Write WebVTT, with speakers in voice tags and possible markup as entities."""
    language = transcript.details.language
    blocks = [f"WEBVTT\nKind: captions\nLanguage: {language}\n" if language else "WEBVTT\n"]
    for caption in _captions(transcript):
        voice = f"<v {_escape_signs(_IN_VTT, caption.speaker, set())}>" if caption.speaker else ""
        text = "\n".join(_escape_words(_IN_VTT, line, labels=not voice) for line in caption.lines)
        blocks.append(f"{_span(caption, '.')}\n{voice}{text}\n")
    return "\n".join(blocks)


def _write_srt(transcript: Transcript) -> str:
    """Write SubRip with "Name: " before each caption of a speaker; possible markup becomes entities.

    A setting of the last caption, which players ignore, says so, and the reader does not guess.
    """
    cut, blocks = _captions(transcript), []
    for number, (before, caption) in enumerate(zip([None, *cut], cut, strict=False), start=1):
        exact = f" {EXACT_CAPTIONS}" if number == len(cut) else ""
        blocks.append(f"{number}\n{_span(caption, ',')}{exact}\n{_srt_text(caption, before)}\n")
    return "\n".join(blocks)


def _srt_text(caption: Caption, before: Caption | None) -> str:
    """Return a caption's words behind its speaker's name, or behind ">>" where nobody known goes on.

    The label ends at the first colon before a space, so such colons in names and before words of nobody
    known become entities.
    """
    if caption.speaker:
        words = "\n".join(_escape_words(_IN_SRT, line, labels=False) for line in caption.lines)
        return f"{_escape_signs(_IN_SRT, caption.speaker, _colons(caption.speaker))}: {words}"
    first, *others = caption.lines
    lines = [_escape_signs(_IN_SRT, first, _label_signs(first) | _colons(first))]
    lines += [_escape_words(_IN_SRT, line, labels=True) for line in others]
    return (">> " if before and before.speaker else "") + "\n".join(lines)


def _colons(text: str) -> set[int]:
    return {colon.start() for colon in _COLON.finditer(text)}


def _escape(markup: re.Pattern[str], line: str) -> str:
    return markup.sub(lambda match: _ENTITIES[match[0]], line)


def _escape_words(markup: re.Pattern[str], line: str, *, labels: bool) -> str:
    """Return a line of words with markup escaped.

    With `labels`, words that look like a speaker's label are escaped, too, so that they are read as words.
    """
    return _escape_signs(markup, line, _label_signs(line) if labels else set())


def _label_signs(line: str) -> set[int]:
    """Return the offsets of signs that make words look like a speaker's label."""
    signs: set[int] = set()
    for beginning in beginnings(line, True, True):
        if beginning.sure:
            signs.add(beginning.at)
        if label := label_at(line, beginning.words) or opening_at(line, beginning.words):
            signs |= {sign.start() for sign in _SIGN_OF_LABEL.finditer(line, beginning.words, label.end)}
    return signs


def _escape_signs(markup: re.Pattern[str], text: str, signs: set[int]) -> str:
    """Return a text with markup, possible entities, and the signs at some offsets as entities."""
    entities = {match.start() for match in _MAYBE_ENTITY.finditer(text) if _is_entity(match)}
    spoken = "".join(SPOKEN.get(c, c) if at in signs | entities else c for at, c in enumerate(text))
    return _escape(markup, spoken).translate(_NUMBERED)


def _is_entity(match: re.Match[str]) -> bool:
    return html.unescape(match[0]) != match[0]


def _span(caption: Caption, point: str) -> str:
    """Return the line with the times of a caption.

    The caption lasts at least a millisecond, or players would not show it.
    """
    end = max(caption.end, round(caption.start, 3) + 0.001)
    return f"{write_clock(caption.start, point)} --> {write_clock(end, point)}"


# ---------------------------------------------------------------- documents

_MARKS = re.compile(r"[\\`*_\[\]<>~&|]|\((?=\d{1,4}:)")
_BLOCK = re.compile(r"\A(\d{0,9})(?=[-+=#.):])")
_KEY = re.compile(r"[\w.-]+")
_DEEPEST = 6
"""The deepest level of headings in Markdown."""


def _write_md(transcript: Transcript) -> str:
    """Write Markdown: details as front matter, ``## Section``, ``**Name** [start - end]: words``.

    A comment at the end says that every turn has its speaker's name, so that the reader does not guess.
    """
    blocks = [_front_matter(transcript.details)] if transcript.details != Details() else []
    next_starts = [turn.start for turn in transcript.turns[1:]] + [None]
    headings = _headings(transcript.sections)
    for at, (turn, next_start) in enumerate(zip(transcript.turns, next_starts, strict=True)):
        blocks += headings.get(at, ())
        blocks.append(_paragraph(turn, next_start))
    return "\n\n".join([*blocks, EXACT]) + "\n"


def _headings(sections: Sequence[Section]) -> Mapping[int, Sequence[str]]:
    """Return the headings of the sections that begin at each turn, nested by level."""
    headings: defaultdict[int, list[str]] = defaultdict(list)
    ends: list[int] = []  # of the earlier sections that go on longest, as many as there are levels
    for section in sorted(sections, key=lambda section: section.first):
        level = 2 + sum(section.last <= end for end in ends)
        headings[section.first].append(f"{'#' * level} {_escape_markdown(section.title)}")
        ends = sorted([*ends, section.last], reverse=True)[: _DEEPEST - 2]
    return headings


def _paragraph(turn: Turn, next_start: float | None) -> str:
    """Return a turn with its name and start, and its end unless another turn begins before it."""
    words = _escape_markdown(turn.text)
    times = ""
    if turn.start is not None:
        overlapped = next_start is not None and turn.end is not None and next_start < turn.end
        end = "" if turn.end is None or overlapped else f" - {write_clock(turn.end)}"
        times = f"[{write_clock(turn.start)}{end}]"
    if not turn.speaker:
        return f"{times} {words}" if times else _BLOCK.sub(r"\1\\", words)
    name = _escape_markdown(turn.speaker)
    return f"**{name}** {times}: {words}" if times else f"**{name}:** {words}"


def _escape_markdown(text: str) -> str:
    return _MARKS.sub(r"\\\g<0>", text)


def _front_matter(details: Details) -> str:
    """Return details as YAML with JSON strings. It always begins with a title, perhaps empty."""
    lines = ["---"]
    for name, value in {"title": None, **native.plain_details(details)}.items():
        key = name
        if not _KEY.fullmatch(name):  # escaped spaces and colons, so that no sentence looks like a key
            key = re.sub(r"[\s:]", lambda match: f"\\u{ord(match[0]):04x}", _json(name))
        lines.append(f"{key}: {_json(value) if value else ''}".rstrip())
    return "\n".join([*lines, "---"])


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


WRITERS: Mapping[str, Callable[[Transcript], str]] = {
    "vtt": _write_vtt,
    "srt": _write_srt,
    "json": lambda transcript: native.write([transcript]),
    "md": _write_md,
}
"""Writers by the kind of file."""
