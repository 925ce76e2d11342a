"""Conversion of rows in an archive's tables to values, and back."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from onrecord.stores.catalogue import Entry, Labels
from onrecord.stores.database import AT_ONCE, Connection, rows_among
from onrecord.types import Details, Marks, Passage, Recording, Section, Voices

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from onrecord.types import Counts, Vectors

    Integers = NDArray[np.int16]


# ---------------------------------------------------------------- recordings


_PLAIN = ("id", "source", "checksum", "format", "passages", "words", "seconds", "turns")
_DETAILS = ("title", "date", "language", "link", "media")
RECORDING = (*_PLAIN, *_DETAILS, "people", "attributes", "speakers")
"""Columns of a recording's metadata; the last three are JSON."""


def recording_values(recording: Recording) -> tuple[Any, ...]:
    """Return the values of the columns `RECORDING`."""
    details = recording.details
    return (
        *(getattr(recording, name) for name in _PLAIN),
        *(getattr(details, name) for name in _DETAILS),
        json.dumps(details.people),
        json.dumps(dict(details.attributes)),
        json.dumps(recording.speakers),
    )


def read_recording(values: Sequence[Any]) -> Recording:
    """Return the recording with these values of the columns `RECORDING`."""
    row: dict[str, Any] = dict(zip(RECORDING, values, strict=True))
    people, attributes, speakers = map(json.loads, values[-3:])
    plain = {name: row[name] for name in _DETAILS}
    return Recording(
        **{name: row[name] for name in _PLAIN},
        details=Details(**plain, people=tuple(people), attributes=attributes),
        speakers=tuple(speakers),
    )


def read_entries(connection: Connection, keys: Sequence[int]) -> dict[int, Entry]:
    """Return the catalogue entries of the recordings with these keys, by key."""
    labels: defaultdict[tuple[int, str], dict[str, Counts]] = defaultdict(dict)
    sql = (
        "SELECT recording, kind, name, positions FROM labels WHERE recording IN ({}) "
        "ORDER BY recording, kind, number"
    )
    for key, kind, name, positions in rows_among(connection, sql, keys):
        labels[key, kind][name] = np.frombuffer(positions, "<i4")
    columns = ", ".join(f"recordings.{name}" for name in RECORDING)
    sql = (
        f"SELECT key, version, first_row, lengths, coalesce(dimensions, 0), {columns} "  # noqa: S608 - ours
        "FROM recordings LEFT JOIN vectors ON vectors.recording = key WHERE key IN ({})"
    )
    return {
        key: Entry(
            key=key,
            version=version,
            recording=read_recording(values),
            first=first,
            lengths=np.frombuffer(lengths, "<i4"),
            speakers=labels[key, "speaker"],
            sections=labels[key, "section"],
            dimensions=dimensions,
        )
        for key, version, first, lengths, dimensions, *values in rows_among(connection, sql, keys)
    }


def insert_labels(connection: Connection, key: int, kind: str, labels: Labels) -> dict[str, int]:
    """Insert the labels of a recording. Return the number of each label, by name."""
    numbers = {name: number for number, name in enumerate(labels)}
    connection.insert(
        "labels",
        ("recording", "kind", "number", "name", "positions"),
        ((key, kind, numbers[name], name, at.astype("<i4").tobytes()) for name, at in labels.items()),
    )
    return numbers


# ---------------------------------------------------------------- sections


_SECTION = tuple(field.name for field in fields(Section))


def insert_sections(connection: Connection, key: int, sections: Sequence[Section]) -> None:
    connection.insert(
        "sections",
        ("recording", "number", *_SECTION),
        ((key, number, *astuple(section)) for number, section in enumerate(sections)),
    )


SECTIONS = ", ".join(f'"{name}"' for name in _SECTION)
"""The columns of a section, in the order of its fields, for a SELECT statement."""


def read_sections(connection: Connection, key: int) -> list[Section]:
    sql = f"SELECT {SECTIONS} FROM sections WHERE recording = ? ORDER BY number"  # noqa: S608 - our columns
    return [Section(*row) for row in connection.execute(sql, (key,))]


# ---------------------------------------------------------------- passages


PASSAGE = ("text", "speaker", "start", "end", "marks", "voices", "section", "importance", "before", "after")
"""The columns of a passage that its values are read from."""


def insert_passages(
    connection: Connection,
    key: int,
    passages: Sequence[Passage],
    speakers: Mapping[str, int],
    sections: Mapping[str, int],
) -> None:
    """Insert the passages of the recording with this key. The passages must have their rows."""
    connection.insert(
        "passages",
        ("row", "recording", "position", *PASSAGE),
        (
            (
                p.row, key, p.position, p.text, None if p.speaker is None else speakers[p.speaker], p.start,
                p.end, pack_marks(p.marks), _pack_voices(p.voices, speakers), *_judgement(p, sections),
            )
            for p in passages
        ),
    )  # fmt: skip


def update_passages(
    connection: Connection, first: int, passages: Sequence[Passage], sections: Mapping[str, int]
) -> None:
    """Replace the section, importance, `before` and `after` of passages."""
    connection.executemany(
        'UPDATE passages SET section = ?, importance = ?, "before" = ?, "after" = ? WHERE "row" = ?',
        ((*_judgement(passage, sections), first + passage.position) for passage in passages),
    )


def _judgement(passage: Passage, sections: Mapping[str, int]) -> tuple[Any, ...]:
    """Return the values of the last four columns of `PASSAGE`."""
    section = None if passage.section is None else sections[passage.section]
    return section, passage.importance, passage.before, passage.after


def read_passages(connection: Connection, runs: Iterable[tuple[Entry, int, int]]) -> Iterator[Passage]:
    """Yield the passages at positions first to last (inclusive) of each entry."""
    columns = ", ".join(f'"{name}"' for name in ("row", *PASSAGE))
    entries = {
        entry.first + at: entry
        for entry, first, last in runs
        for at in range(first, min(last + 1, entry.size))
    }
    sql = f'SELECT {columns} FROM passages WHERE "row" IN ({{}}) ORDER BY "row"'  # noqa: S608 - our columns
    for values in rows_among(connection, sql, list(entries)):
        yield as_passage(entries[values[0]], values)


def as_passage(entry: Entry, values: Sequence[Any]) -> Passage:
    """Return the passage with this row and these values of the columns `PASSAGE`."""
    row, text, speaker, start, end, marks, voices, section, importance, before, after = values
    return Passage(
        recording=entry.recording.id,
        position=row - entry.first,
        text=text,
        speaker=None if speaker is None else entry.speaker_names[speaker],
        start=start,
        end=end,
        marks=unpack_marks(marks),
        voices=_unpack_voices(voices, entry.speaker_names),
        section=None if section is None else entry.section_names[section],
        row=row,
        importance=importance,
        before=before,
        after=after,
    )


def with_rows(passages: Sequence[Passage], first: int) -> list[Passage]:
    """Return the passages with their rows; the passage at position 0 gets the row `first`."""
    return [replace(passage, row=first + passage.position) for passage in passages]


def _pack_voices(voices: Voices, numbers: Mapping[str, int]) -> str | None:
    pairs = [(at, None if name is None else numbers[name]) for at, name in voices]
    return json.dumps(pairs) if pairs else None


def _unpack_voices(packed: str | None, speakers: Sequence[str]) -> Voices:
    if not packed:
        return ()
    return tuple((at, None if number is None else speakers[number]) for at, number in json.loads(packed))


def pack_marks(marks: Marks) -> bytes:
    """Pack marks as their offsets in uint32, followed by their seconds in float64."""
    if not marks:
        return b""
    offsets, seconds = zip(*marks, strict=True)
    return np.array(offsets, "<u4").tobytes() + np.array(seconds, "<f8").tobytes()


def unpack_marks(packed: bytes) -> Marks:
    count = len(packed) // 12
    offsets, seconds = np.frombuffer(packed, "<u4", count), np.frombuffer(packed, "<f8", count, 4 * count)
    return tuple(zip(offsets.tolist(), seconds.tolist(), strict=True))


# ---------------------------------------------------------------- vectors


def pack_vectors(vectors: Vectors) -> tuple[float, bytes]:
    """Return a scale and int16 data. Their product gives the vectors within half a scale."""
    scale = float(np.abs(vectors).max(initial=0)) / 32767 or 1.0
    return scale, np.rint(vectors / scale).astype("<i2").tobytes()


_VECTORS = ("int8", "int8", "float8", "bytea")


def unpack_vectors(scale: float, data: bytes, dimensions: int) -> Vectors:
    """Return the vectors that `pack_vectors` packed, float32 of shape (passages, dimensions)."""
    rows = np.frombuffer(data, "<i2").reshape(-1, dimensions)
    vectors: Vectors = np.multiply(rows, np.float32(scale), dtype=np.float32)
    return vectors


def read_vectors(connection: Connection, keys: Sequence[int]) -> Iterator[tuple[int, float, Integers]]:
    """Yield the stored vectors of the recordings with these keys: key, scale, and integers.

    The integers have shape (passages, dimensions). Integers times scale give the vectors.
    """
    for at in range(0, len(keys), AT_ONCE):
        batch = keys[at : at + AT_ONCE]
        marks = ", ".join("?" * len(batch))
        sql = f"SELECT recording, dimensions, scale, data FROM vectors WHERE recording IN ({marks})"  # noqa: S608
        for key, dimensions, scale, data in connection.stream(sql, _VECTORS, batch):
            yield key, scale, np.frombuffer(data, "<i2").reshape(-1, dimensions)
