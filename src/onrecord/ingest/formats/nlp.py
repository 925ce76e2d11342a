"""Reader of Rev's .nlp: one token per line, in columns separated by "|".

The first line names the columns, in any order. `token` is required. `ts` and `endTs` (in seconds) may be
absent, or empty for some or all tokens. `punctuation` follows its token, `prepunctuation` precedes it, and
`case` gives its capitalization.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from onrecord.ingest.formats.base import Format, Source
from onrecord.ingest.formats.words import (
    Token,
    bracket_remark,
    seconds,
    space_words,
    speaker_name,
    transcript,
)
from onrecord.types import Transcript

_NO_TIME = {"", "N/A", "NA", "None"}
_NOBODY = "UU"  # Speechmatics' mark for an unknown speaker


def fits(source: Source) -> bool:
    columns = _columns(source.text.lstrip().split("\n", 1)[0])
    return "token" in columns and bool({"speaker", "punctuation", "ts", "endTs"} & set(columns))


def read(source: Source) -> tuple[Transcript, ...]:
    return (transcript(source, FORMAT.name, space_words(_tokens(source))),)


FORMAT = Format("nlp", (".nlp",), fits, read)


def _columns(header: str) -> list[str]:
    return [column.strip() for column in header.split("|")]


def _tokens(source: Source) -> Iterator[Token]:
    lines = enumerate(source.text.split("\n"), start=1)
    columns: list[str] = []
    for number, line in lines:
        if not line.strip():
            continue
        cells = line.split("|")
        if not columns:
            columns = _columns(line)
            if "token" not in columns:
                raise source.error(f"line {number}", "columns parted by |, one named token", line)
        elif len(cells) != len(columns):
            raise source.error(f"line {number}", f"{len(columns)} columns", f"{len(cells)}: {line}")
        else:
            yield _token(source, number, dict(zip(columns, cells, strict=True)))


def _token(source: Source, number: int, row: Mapping[str, str]) -> Token:
    word, case = row["token"].strip(), row.get("case", "")
    if case == "UC" and word[:1].islower():  # UC: the first letter is a capital
        word = word[0].upper() + word[1:]
    elif case == "CA" and word.islower():  # CA: all letters are capitals
        word = word.upper()
    before, after = row.get("prepunctuation", "").strip(), row.get("punctuation", "").strip()
    label = row.get("speaker", "").strip()
    return Token(
        text=f"{before}{bracket_remark(word)}{after}",
        start=_time(source, number, "ts", row),
        end=_time(source, number, "endTs", row),
        speaker=None if label == _NOBODY else speaker_name(label),
    )


def _time(source: Source, number: int, column: str, row: Mapping[str, str]) -> float | None:
    cell = row.get(column, "").strip()
    if cell in _NO_TIME:
        return None
    second = seconds(cell)
    if second is None:
        raise source.error(f"line {number}, column {column}", "a number of seconds from 0", repr(cell))
    return second
