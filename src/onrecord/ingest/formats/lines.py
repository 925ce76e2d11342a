"""Lines of a document, without markup: what plain text, Markdown and HTML are read into first."""

from __future__ import annotations

from dataclasses import dataclass

from onrecord.ingest.formats.base import Source

MOST = 1_000_000
"""Lines, or tags of a page: a text with more is no transcript, and would fill the memory."""
BOLD, END = "\x02", "\x03"
"""What stands around bold words; neither character is ever in a source's text."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a document: single spaces, no markup but `BOLD` ... `END`.

    `number` counts from 1; `opens` says that a paragraph begins; `level` is that of a heading, or 0.
    """

    number: int
    text: str
    opens: bool = False
    level: int = 0

    @property
    def words(self) -> str:
        return unmarked(self.text)


def split_lines(source: Source) -> list[str]:
    """The lines of a source. Raises FormatError where there are more than `MOST`."""
    check_number(source, source.text.count("\n"), "lines")
    return source.text.split("\n")


def check_number(source: Source, count: int, what: str) -> None:
    if count > MOST:
        raise source.error("the whole of it", f"a transcript of at most {MOST:,} {what}", f"{count:,}")


def unmarked(text: str) -> str:
    """The text without the marks of bold words, with single spaces."""
    if BOLD not in text and END not in text:
        return text
    return " ".join(text.replace(BOLD, "").replace(END, "").split())
