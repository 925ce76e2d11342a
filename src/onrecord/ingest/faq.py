"""FAQ entries from CSV, YAML and JSON files: question, answer, variants, tags, link, and an optional id."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePath

from onrecord.errors import FormatError, did_you_mean, nearest
from onrecord.ingest import folders
from onrecord.ingest.details import web_address
from onrecord.ingest.plain import Plain, csv_separator, decode_text, read_csv, read_json, read_yaml, type_name
from onrecord.types import FaqEntry, one_line, printable, without_accents

FIELDS = ("id", "question", "answer", "variants", "tags", "link")
MOST_BYTES = 64_000_000
LABELS = ("question", "entry")
LONGEST = {"id": 100, "entry": 1000, "question": 1000, "answer": 20_000, "link": 2000}
MOST_VARIANTS = 1000

Row = Mapping[str, Plain]
Names = tuple[str, ...]


def read_bytes(path: Path) -> bytes:
    """Read a file of FAQ entries or labeled questions. Raises IngestError, NotFoundError."""
    return folders.read_bytes(path, MOST_BYTES)


def read_faq(name: str, data: bytes) -> list[FaqEntry]:
    """Read the entries of a file, as drafts, in their order.

    ``|`` separates variants and tags; YAML and JSON may use lists. A missing id is derived from the words of
    the question. Raises FormatError with the row and the expected content: one bad row refuses the file.
    """
    text = decode_text(name, data)
    entries: dict[str, FaqEntry] = {}
    places: dict[str, str] = {}
    for place, row in _rows(name, text, FIELDS, ("question", "answer")):
        entry = _entry(name, place, row)
        earlier = places.setdefault(entry.question.casefold(), place)
        if earlier != place:
            raise FormatError(
                name, f"{place}, question", f"another question than in {earlier}", entry.question
            )
        if entry.id in entries:
            raise FormatError(name, f"{place}, id", "each id once", f"{entry.id!r} again")
        entries[entry.id] = entry
    if not entries:
        raise FormatError(name, "the file", "at least one question with its answer", "none")
    return list(entries.values())


def read_labelled(name: str, data: bytes) -> list[tuple[str, str]]:
    """Read questions, each with the id or question of the entry that answers it.

    The entry is "" if no entry answers the question (an empty cell, "none" or "oos"). Columns: question,
    entry. Raises FormatError.
    """
    questions = []
    for place, row in _rows(name, decode_text(name, data), LABELS, LABELS):
        entry = _text(name, place, "entry", row)
        question = _text(name, place, "question", row, needed=True)
        questions.append((question, "" if entry.lower() in ("none", "oos") else entry))
    if not questions:
        raise FormatError(name, "the file", "at least one question with its entry", "none")
    return questions


def entry_id(question: str) -> str:
    """Return the id of a question: its first words joined by hyphens.

    If the id lacks anything of the question (punctuation, accents, more words), a checksum keeps ids
    distinct.
    """
    folded = question.casefold().rstrip("? ")
    parts = re.findall(r"[^\W_]+", without_accents(folded))
    while len("-".join(parts)) > 60:
        parts.pop()
    checksum = f"{zlib.crc32(folded.encode('utf-8', 'surrogatepass')):08x}"
    return "-".join(parts if " ".join(parts) == folded else [*parts, checksum])


def _rows(name: str, text: str, fields: Names, required: Names) -> Iterator[tuple[str, Row]]:
    """Yield every row with its place, for messages, after a check of its column names.

    The names must be in `fields` and include `required`. Raises FormatError.
    """
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
        _check_names(name, place, names, fields, required)
        if values:  # a table's header row has none
            yield place, dict(zip(names, values, strict=False))


def _listed(name: str, values: Plain) -> Iterator[tuple[str, Names, Sequence[Plain]]]:
    if not isinstance(values, list):
        raise FormatError(name, "line 1", "a list of entries (- question: ...)", type_name(values))
    for number, value in enumerate(values, 1):
        if not isinstance(value, dict):
            raise FormatError(name, f"entry {number}", "names and values (question: ...)", type_name(value))
        yield f"entry {number}", tuple(value), tuple(value.values())


def _table(name: str, text: str) -> Iterator[tuple[str, Names, Sequence[Plain]]]:
    names: Names = ()
    for line, cells in read_csv(name, text):
        if not any(cell.strip() for cell in cells):
            continue
        if len(cells) > len(names) > 0:
            fault = f"{len(cells)}: quote cells that hold {csv_separator(text)!r}"
            raise FormatError(name, f"line {line}", f"{len(names)} cells", fault)
        head = not names
        names = names or tuple(cell.strip().lower() for cell in cells)
        yield f"line {line}", names, () if head else cells


def _check_names(name: str, place: str, names: Names, fields: Names, required: Names) -> None:
    for column in names:
        if column not in fields:
            hint = did_you_mean(nearest(column, fields), ": ")
            raise FormatError(name, place, f"only {', '.join(fields)}", repr(column) + hint)
        if names.count(column) > 1:
            raise FormatError(name, place, "each name once", f"{column!r} twice")
    for required_name in required:
        if required_name not in names:
            raise FormatError(name, place, required_name, ", ".join(names) or "nothing")


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
    lines = (value or "").strip().splitlines() if field == "answer" else []
    text = "\n".join(printable(line).rstrip() for line in lines) if lines else one_line(value or "")
    if needed and not text:
        raise FormatError(name, f"{place}, {field}", "a text", "nothing")
    if len(text) > LONGEST[field]:
        raise FormatError(
            name, f"{place}, {field}", f"at most {LONGEST[field]:,} characters", f"{len(text):,}"
        )
    return text


def _list(name: str, place: str, field: str, row: Row) -> list[str]:
    """Return the texts of a list, without duplicates that differ only in case."""
    value = row.get(field)
    items = value.split("|") if isinstance(value, str) else value or []
    texts: dict[str, str] = {}
    for item in items:
        if not isinstance(item, str):
            raise FormatError(name, f"{place}, {field}", "texts, parted by |", type_name(item))
        text = one_line(item)
        if len(text) > LONGEST["question"]:
            expected = f"texts of at most {LONGEST['question']:,} characters"
            raise FormatError(name, f"{place}, {field}", expected, f"{len(text):,}")
        if text:
            texts.setdefault(text.casefold(), text)
    if len(texts) > MOST_VARIANTS:
        raise FormatError(name, f"{place}, {field}", f"at most {MOST_VARIANTS:,} texts", f"{len(texts):,}")
    return list(texts.values())


def _link(name: str, place: str, row: Row) -> str | None:
    text = _text(name, place, "link", row)
    try:
        return web_address(text) if text else None
    except ValueError as error:
        raise FormatError(name, f"{place}, link", str(error), text) from None
