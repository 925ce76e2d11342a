"""Reader of CHAT (.cha), the format of TalkBank and CHILDES: `*MOT:` lines that end in milliseconds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from onrecord.ingest.formats.base import Format, Source
from onrecord.ingest.formats.lines import split_lines
from onrecord.ingest.formats.words import Token, transcript
from onrecord.ingest.language import language_code
from onrecord.types import Details, Transcript

_BEGINS = re.compile(r"\s*@(?:UTF8|Begin|Font|PID|Window|ColorWords)\b")
_TIMES = re.compile(r"(?<![\w])(\d{1,10})_(\d{1,10})(?!\w)")
_CODE = re.compile(
    r"\[[^\[\]]*\]|&=\S+|&\*\w+:\S+|\(\.{1,3}\)|\(\d+(?:[.:]\d*)*\)|[<>↑↓⌈⌉⌊⌋∆∇≈≋ˈˌ„‡°]|(?<!\S)0\w*|(?<!\S)(?:xxx|yyy|www)(?=\s)"
)
_FILLER = re.compile(r"&[-+~]?(\w+)")
_LETTERS = re.compile(r"\((\w+)\)")
_FORM = re.compile(r"(?<=\w)@\w+(?::\w+)?")
_END = re.compile(r"\+(?:\.\.\.|/+[.?]|\.\.\?|\"/?\.|\.|\^|,|\+|<|\")")
_SPACED = re.compile(r" ([.,!?;:…])(?= |$)")


def fits(source: Source) -> bool:
    text = source.text
    return bool(_BEGINS.match(text)) and ("@Participants" in text[:5000] or "\n*" in text)


def read(source: Source) -> tuple[Transcript, ...]:
    lines = list(_join_lines(split_lines(source)))
    names = _participants(next((rest for head, rest in lines if head == "@Participants"), ""))
    tokens = [token for head, rest in lines if head.startswith("*") for token in _turn(head, rest, names)]
    language = next((rest for head, rest in lines if head == "@Languages"), "").split(",")[0].strip()
    return (transcript(source, FORMAT.name, tokens, details=Details(language=language_code(language))),)


FORMAT = Format("chat", (".cha",), fits, read)


def _join_lines(lines: list[str]) -> Iterator[tuple[str, str]]:
    """Yield (text before the colon, text after it) for each line, joined with its continuation lines."""
    parts: list[str] = []
    for line in [*lines, "@End"]:
        if line[:1] in ("\t", " ") and parts:
            parts.append(line.strip())
            continue
        if parts:
            head, _, rest = " ".join(parts).partition(":")
            yield head.strip(), rest.strip()
        parts = [line] if line.strip() else []


def _participants(text: str) -> Mapping[str, str]:
    """Return the participants' names by code; the role ("Target Child") replaces a missing name.

    If several participants share a name, the code is appended to it.
    """
    names: dict[str, str] = {}
    for entry in text.split(","):
        code, *words = entry.split()[:6] or [""]
        if code and words:
            names[code] = " ".join(words[:-1] or words).replace("_", " ")
    repeated = (
        [name for name in names.values() if list(names.values()).count(name) > 1] if len(names) < 100 else []
    )
    return {code: f"{name} {code}" if name in repeated else name for code, name in names.items()}


def _turn(head: str, rest: str, names: Mapping[str, str]) -> Iterator[Token]:
    """Yield a token for each timed utterance of a turn, without CHAT's codes."""
    code = head.lstrip("*").strip()
    speaker = names.get(code) or code or None
    pieces = _TIMES.split(rest)
    for at in range(0, len(pieces), 3):
        words = _CODE.sub(" ", pieces[at] + " ")
        words = _END.sub("…", _FORM.sub("", _LETTERS.sub(r"\1", _FILLER.sub(r"\1", words))))
        words = _SPACED.sub(r"\1", " ".join(words.replace("_", " ").split()))
        times = [int(milliseconds) / 1000 for milliseconds in pieces[at + 1 : at + 3]]
        if any(map(str.isalnum, words)):
            start, end = times if len(times) == 2 else (None, None)
            yield Token(words, start, end, speaker)
