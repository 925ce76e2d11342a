"""CHAT (.cha), the transcripts of TalkBank and CHILDES: `*MOT:` lines, times in milliseconds behind them."""

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
_TURN = re.compile(r"\*(\w{1,10}):\s*(.*)", re.DOTALL)
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
    lines = list(_joined(split_lines(source)))
    names = _participants(next((rest for head, rest in lines if head == "@Participants"), ""))
    tokens = [token for head, rest in lines if head.startswith("*") for token in _turn(head, rest, names)]
    language = next((rest for head, rest in lines if head == "@Languages"), "").split(",")[0].strip()
    return (transcript(source, FORMAT.name, tokens, details=Details(language=language_code(language))),)


FORMAT = Format("chat", (".cha",), fits, read)


def _joined(lines: list[str]) -> Iterator[tuple[str, str]]:
    """(what stands before the colon, the rest) of each line with those below it that go on with it."""
    held: list[str] = []
    for line in [*lines, "@End"]:
        if line[:1] in ("\t", " ") and held:
            held.append(line.strip())
            continue
        if held:
            head, _, rest = " ".join(held).partition(":")
            yield head.strip(), rest.strip()
        held = [line] if line.strip() else []


def _participants(text: str) -> Mapping[str, str]:
    """Names by code; of one without a name the role ("Target_Child")."""
    found: dict[str, str] = {}
    for entry in text.split(","):
        code, *words = entry.split()[:6] or [""]
        if code and words:
            found[code] = " ".join(words[:-1] or words).replace("_", " ")
    several = (
        [name for name in found.values() if list(found.values()).count(name) > 1] if len(found) < 100 else []
    )
    return {code: f"{name} {code}" if name in several else name for code, name in found.items()}


def _turn(head: str, rest: str, names: Mapping[str, str]) -> Iterator[Token]:
    """The utterances of a turn, each up to its time."""
    code = head.lstrip("*").strip()
    speaker = names.get(code) or code or None
    pieces = _TIMES.split(rest)
    for at in range(0, len(pieces), 3):
        words = _plain(pieces[at])
        times = [int(each) / 1000 for each in pieces[at + 1 : at + 3]]
        if any(map(str.isalnum, words)):
            start, end = times if len(times) == 2 else (None, None)
            yield Token(words, start, end, speaker)


def _plain(text: str) -> str:
    """Words without the codes around them."""
    text = _CODE.sub(" ", text + " ")
    text = _END.sub("…", _FORM.sub("", _LETTERS.sub(r"\1", _FILLER.sub(r"\1", text))))
    return _SPACED.sub(r"\1", " ".join(text.replace("_", " ").split()))
