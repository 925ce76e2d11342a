"""Formats text and seconds for people and programs, and folds text for comparison."""

import unicodedata
from collections.abc import Iterable

# Characters that control a terminal, reorder text or are invisible: transcripts are untrusted input.
_UNSEEN = (
    *((0x00, 0x09), (0x0B, 0x1F), (0x7F, 0x9F), (0xAD, 0xAD), (0x061C, 0x061C), (0x180E, 0x180E)),
    *((0x200B, 0x200B), (0x200E, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0xFEFF, 0xFEFF)),
    *((0xFFF9, 0xFFFB), (0xE0000, 0xE007F)),
)
_PRINTABLE: dict[int, str | None] = {
    **{code: None for first, last in _UNSEEN for code in range(first, last + 1)},
    **dict.fromkeys(range(0xD800, 0xE000), "\ufffd"),
    **dict.fromkeys((0x09, 0x0B, 0x0C, 0x0D, 0x85, 0x2028, 0x2029), " "),
}


def printable(text: str) -> str:
    """Remove characters that control a terminal, reorder text or are invisible; line feeds stay."""
    return text.translate(_PRINTABLE)


def one_line(text: str) -> str:
    """Return the printable text with single spaces for all white space, so that any text fits into a line."""
    return " ".join(printable(text).split())


def several(texts: str | Iterable[str]) -> tuple[str, ...]:
    """Return texts as a tuple; a single text is one of them, not its letters."""
    return (texts,) if isinstance(texts, str) else tuple(texts)


def collapsed(text: str) -> str:
    """Return the text with single spaces within lines, at most one empty line in a row, and none around."""
    lines: list[str] = []
    for line in text.splitlines():
        words = " ".join(line.split())
        if words or (lines and lines[-1]):
            lines.append(words)
    return "\n".join(lines).rstrip("\n")


def without_accents(text: str) -> str:
    """Return the text in lower case, without accents, other combining marks and compatibility forms."""
    if text.isascii():
        return text.lower()
    return "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))


def primary_language(tag: str | None) -> str:
    """Return the language of a tag (BCP 47) without its region: "fr" for "fr-CA"; "" for None."""
    return (tag or "").lower().split("-")[0]


def to_millisecond(seconds: float | None) -> float | None:
    """Round seconds into a recording to the millisecond for programs: 12.34 for 12.340000000001."""
    return None if seconds is None else round(seconds, 3)


def clock(seconds: float) -> str:
    """Format seconds as ``12:31``, and as ``1:02:03`` from the first hour on; rounded down."""
    minutes, second = divmod(max(0, int(seconds)), 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02}:{second:02}" if hours else f"{minute}:{second:02}"
