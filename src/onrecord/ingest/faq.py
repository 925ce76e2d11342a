"""FAQ entries from CSV, YAML and JSON: question, answer, variants, tags, link, and an id where it is kept
elsewhere too."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePath

from onrecord.errors import FormatError, IngestError, NotFoundError, did_you_mean, nearest
from onrecord.ingest.details import web_address
from onrecord.ingest.plain import Plain, decode_text, read_json, read_yaml, type_name
from onrecord.types import FaqEntry, one_line, printable

FIELDS = ("id", "question", "answer", "variants", "tags", "link")
MOST_BYTES = 64_000_000
LABELS = ("question", "entry")
LONGEST = {"id": 100, "entry": 1000, "question": 1000, "answer": 20_000, "link": 2000}
MOST_VARIANTS = 1000

Row = Mapping[str, Plain]
Names = tuple[str, ...]


def read_bytes(path: Path) -> bytes:
    """What a file of entries or of labelled questions holds. Raises NotFoundError, IngestError, or
    FormatError where it is too large."""
    try:
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise FormatError(str(path), "size", f"at most {MOST_BYTES:,} bytes", f"{size:,} bytes")
        return path.read_bytes()
    except FileNotFoundError:
        raise NotFoundError(f"there is no file {path}") from None
    except OSError as error:
        raise IngestError(f"cannot read {path}: {error.strerror}") from error


def read_faq(name: str, data: bytes) -> list[FaqEntry]:
    """The entries in a file of this name, as drafts, in their order.

    Variants and tags are parted by ``|``, or are lists in YAML and JSON. Whoever gives no id gets one made
    of the question's words. Raises FormatError that names the row and what was expected in it: the file
    is good wholly or not at all.
    """
    text = decode_text(name, data)
    entries: dict[str, FaqEntry] = {}
    asked: dict[str, str] = {}
    for place, row in _rows(name, text, FIELDS, ("question", "answer")):
        entry = _entry(name, place, row)
        again = asked.setdefault(entry.question.casefold(), place)
        if again != place:
            raise FormatError(name, f"{place}, question", f"another question than in {again}", entry.question)
        if entry.id in entries:
            raise FormatError(name, f"{place}, id", "each id once", f"{entry.id!r} again")
        entries[entry.id] = entry
    if not entries:
        raise FormatError(name, "the file", "at least one question with its answer", "none")
    return list(entries.values())


def read_labelled(name: str, data: bytes) -> list[tuple[str, str]]:
    """Questions with the entry that answers each, by its id or its question; "" where none does (an empty
    cell, "none" or "oos"). Columns: question, entry. Raises FormatError."""
    found = []
    for place, row in _rows(name, decode_text(name, data), LABELS, LABELS):
        entry = _text(name, place, "entry", row)
        question = _text(name, place, "question", row, needed=True)
        found.append((question, "" if entry.lower() in ("none", "oos") else entry))
    if not found:
        raise FormatError(name, "the file", "at least one question with its entry", "none")
    return found


def entry_id(question: str) -> str:
    """The id of a question: its first words with hyphens. Where that leaves something out (signs, accents,
    further words), a checksum follows, so that other questions have other ids."""
    asked = question.casefold().rstrip("? ")
    plain = "".join(c for c in unicodedata.normalize("NFKD", asked) if not unicodedata.combining(c))
    parts = re.findall(r"[^\W_]+", plain)
    while len("-".join(parts)) > 60:
        parts.pop()
    checksum = f"{zlib.crc32(asked.encode('utf-8', 'surrogatepass')):08x}"
    return "-".join(parts if " ".join(parts) == asked else [*parts, checksum])


def _rows(name: str, text: str, fields: Names, needed: Names) -> Iterator[tuple[str, Row]]:
    """Every row with its place, for messages; names are among `fields`, and all that are `needed`."""
    suffix = PurePath(name).suffix.lower()
    if suffix in (".yaml", ".yml"):
        rows = _listed(name, read_yaml(name, text, MOST_BYTES))
    elif suffix == ".json":
        rows = _listed(name, read_json(name, text, MOST_BYTES))
    elif suffix in (".csv", ".tsv"):
        rows = _table(name, text)
    else:
        raise FormatError(name, "the name", "a file that ends in .csv, .yaml or .json", suffix or "no ending")
    for place, names, values in rows:
        _check_names(name, place, names, fields, needed)
        if values:  # a table's head has none
            yield place, dict(zip(names, values, strict=False))


def _listed(name: str, values: Plain) -> Iterator[tuple[str, Names, Sequence[Plain]]]:
    if not isinstance(values, list):
        raise FormatError(name, "line 1", "a list of entries (- question: ...)", type_name(values))
    for number, value in enumerate(values, 1):
        if not isinstance(value, dict):
            raise FormatError(name, f"entry {number}", "names and values (question: ...)", type_name(value))
        yield f"entry {number}", tuple(value), tuple(value.values())


def _table(name: str, text: str) -> Iterator[tuple[str, Names, Sequence[Plain]]]:
    head = text.lstrip("\r\n").split("\n", 1)[0]
    separator = max(",;\t", key=head.count)
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    names: Names = ()
    before = 1
    try:
        for cells in lines:
            place, before = f"line {before}", lines.line_num + 1
            if not any(cell.strip() for cell in cells):
                continue
            if len(cells) > len(names) > 0:
                found = f"{len(cells)}: quote cells that hold {separator!r}"
                raise FormatError(name, place, f"{len(names)} cells", found)
            if names:
                yield place, names, cells
            else:
                names = tuple(cell.strip().lower() for cell in cells)
                yield place, names, ()
    except csv.Error as error:
        raise FormatError(name, f"line {lines.line_num}", "CSV", str(error)) from None


def _check_names(name: str, place: str, names: Names, fields: Names, needed: Names) -> None:
    for given in names:
        if given not in fields:
            hint = did_you_mean(nearest(given, fields), ": ")
            raise FormatError(name, place, f"only {', '.join(fields)}", repr(given) + hint)
        if names.count(given) > 1:
            raise FormatError(name, place, "each name once", f"{given!r} twice")
    for wanted in needed:
        if wanted not in names:
            raise FormatError(name, place, wanted, ", ".join(names) or "nothing")


def _entry(name: str, place: str, row: Row) -> FaqEntry:
    question = _text(name, place, "question", row, needed=True)
    variants = [v for v in _list(name, place, "variants", row) if v.casefold() != question.casefold()]
    return FaqEntry(
        id=_text(name, place, "id", row) or entry_id(question),
        question=question,
        answer=_text(name, place, "answer", row, needed=True),
        variants=tuple(variants),
        tags=tuple(_list(name, place, "tags", row)),
        link=_link(name, place, row),
    )


def _text(name: str, place: str, field: str, row: Row, needed: bool = False) -> str:
    value = row.get(field)
    if value is not None and not isinstance(value, str):
        raise FormatError(name, f"{place}, {field}", "a text", type_name(value))
    text = _paragraphs(value or "") if field == "answer" else one_line(value or "")
    if needed and not text:
        raise FormatError(name, f"{place}, {field}", "a text", "nothing")
    if len(text) > LONGEST[field]:
        raise FormatError(
            name, f"{place}, {field}", f"at most {LONGEST[field]:,} characters", f"{len(text):,}"
        )
    return text


def _list(name: str, place: str, field: str, row: Row) -> list[str]:
    """The texts of a list, each once whatever its case."""
    value = row.get(field)
    items = value.split("|") if isinstance(value, str) else value or []
    found: dict[str, str] = {}
    for item in items:
        if not isinstance(item, str):
            raise FormatError(name, f"{place}, {field}", "texts, parted by |", type_name(item))
        text = one_line(item)
        if len(text) > LONGEST["question"]:
            expected = f"texts of at most {LONGEST['question']:,} characters"
            raise FormatError(name, f"{place}, {field}", expected, f"{len(text):,}")
        if text:
            found.setdefault(text.casefold(), text)
    if len(found) > MOST_VARIANTS:
        raise FormatError(name, f"{place}, {field}", f"at most {MOST_VARIANTS:,} texts", f"{len(found):,}")
    return list(found.values())


def _link(name: str, place: str, row: Row) -> str | None:
    text = _text(name, place, "link", row)
    try:
        return web_address(text) if text else None
    except ValueError as error:
        raise FormatError(name, f"{place}, link", str(error), text) from None


def _paragraphs(text: str) -> str:
    """An answer keeps its lines."""
    return "\n".join(printable(line).rstrip() for line in text.strip().splitlines())
