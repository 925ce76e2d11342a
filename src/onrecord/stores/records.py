"""Rows of the archive file, to and from the values they keep."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from onrecord.stores.catalogue import Entry, Labels
from onrecord.stores.words import terms
from onrecord.types import Details, Marks, Passage, Recording, Section, Voices

if TYPE_CHECKING:
    from onrecord.types import Counts, Rows, Vectors

AT_ONCE = 500
"""Recordings read with one question to SQLite, which takes 999 values at most in older versions."""


def insert(connection: sqlite3.Connection, table: str, values: Mapping[str, Any]) -> int:
    """Insert a row; gives its rowid. Table and columns are this package's own names."""
    columns = ", ".join(f'"{column}"' for column in values)
    marks = ", ".join("?" * len(values))
    sql = f"INSERT INTO {table} ({columns}) VALUES ({marks})"  # noqa: S608 - no value is in it
    return connection.execute(sql, tuple(values.values())).lastrowid or 0


# ---------------------------------------------------------------- recordings


def recording_columns(recording: Recording) -> dict[str, Any]:
    details = recording.details
    return {
        "id": recording.id,
        "source": recording.source,
        "checksum": recording.checksum,
        "format": recording.format,
        "title": details.title,
        "date": details.date,
        "language": details.language,
        "people": json.dumps(details.people),
        "link": details.link,
        "media": details.media,
        "attributes": json.dumps(dict(details.attributes)),
        "passages": recording.passages,
        "words": recording.words,
        "seconds": recording.seconds,
        "speakers": json.dumps(recording.speakers),
        "turns": recording.turns,
    }


def read_recording(row: sqlite3.Row) -> Recording:
    details = Details(
        title=row["title"],
        date=row["date"],
        language=row["language"],
        people=tuple(json.loads(row["people"])),
        link=row["link"],
        media=row["media"],
        attributes=json.loads(row["attributes"]),
    )
    return Recording(
        id=row["id"],
        source=row["source"],
        checksum=row["checksum"],
        format=row["format"],
        details=details,
        passages=row["passages"],
        words=row["words"],
        seconds=row["seconds"],
        speakers=tuple(json.loads(row["speakers"])),
        turns=row["turns"],
    )


def read_entries(connection: sqlite3.Connection, keys: Sequence[int]) -> dict[int, Entry]:
    """What a catalogue keeps of the recordings with these keys, by key."""
    cursor = connection.cursor()
    cursor.row_factory = sqlite3.Row
    found = {}
    for begin in range(0, len(keys), AT_ONCE):
        some = keys[begin : begin + AT_ONCE]
        among = f"({', '.join('?' * len(some))})"
        labels = _read_labels(connection, some, among)
        for row in cursor.execute(
            "SELECT recordings.*, coalesce(dimensions, 0) AS dimensions FROM recordings "  # noqa: S608 - marks
            f"LEFT JOIN vectors ON vectors.recording = key WHERE key IN {among}",
            some,
        ):
            found[row["key"]] = _read_entry(row, labels[row["key"], "speaker"], labels[row["key"], "section"])
    return found


def _read_entry(row: sqlite3.Row, speakers: Labels, sections: Labels) -> Entry:
    return Entry(
        key=row["key"],
        version=row["version"],
        recording=read_recording(row),
        first=row["first_row"],
        lengths=np.frombuffer(row["lengths"], "<i4"),
        speakers=speakers,
        sections=sections,
        dimensions=row["dimensions"],
    )


def _read_labels(
    connection: sqlite3.Connection, keys: Sequence[int], among: str
) -> defaultdict[tuple[int, str], dict[str, Counts]]:
    """The labels of each recording and kind, by number."""
    labels: defaultdict[tuple[int, str], dict[str, Counts]] = defaultdict(dict)
    for key, kind, name, positions in connection.execute(
        "SELECT recording, kind, name, positions FROM labels "  # noqa: S608 - marks
        f"WHERE recording IN {among} ORDER BY recording, kind, number",
        keys,
    ):
        labels[key, kind][name] = np.frombuffer(positions, "<i4")
    return labels


def insert_labels(connection: sqlite3.Connection, key: int, kind: str, labels: Labels) -> dict[str, int]:
    """Gives the number of each label."""
    numbers = {name: number for number, name in enumerate(labels)}
    connection.executemany(
        "INSERT INTO labels (recording, kind, number, name, positions) VALUES (?, ?, ?, ?, ?)",
        ((key, kind, numbers[name], name, at.astype("<i4").tobytes()) for name, at in labels.items()),
    )
    return numbers


# ---------------------------------------------------------------- sections


def insert_sections(connection: sqlite3.Connection, key: int, sections: Sequence[Section]) -> None:
    connection.executemany(
        'INSERT INTO sections (recording, number, title, start, "end", first, last, kind, "under", summary) '
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (key, i, s.title, s.start, s.end, s.first, s.last, s.kind, s.under, s.summary)
            for i, s in enumerate(sections)
        ),
    )


def read_sections(connection: sqlite3.Connection, key: int) -> list[Section]:
    found = connection.execute(
        'SELECT title, start, "end", first, last, kind, "under", summary FROM sections '
        "WHERE recording = ? ORDER BY number",
        (key,),
    )
    return [Section(*row) for row in found]


# ---------------------------------------------------------------- passages


def insert_passages(
    connection: sqlite3.Connection,
    entry: tuple[int, int],
    passages: Sequence[Passage],
    speakers: Mapping[str, int],
    sections: Mapping[str, int],
) -> None:
    """`entry` is the recording's key and its first row."""
    key, first = entry
    connection.executemany(
        'INSERT INTO passages ("row", recording, position, text, speaker, start, "end", '
        'marks, voices, section, importance, "before", "after") '
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (
                first + p.position,
                key,
                p.position,
                p.text,
                p.speaker if p.speaker is None else speakers[p.speaker],
                p.start,
                p.end,
                pack_marks(p.marks),
                _pack_voices(p.voices, speakers),
                p.section if p.section is None else sections[p.section],
                p.importance,
                p.before,
                p.after,
            )
            for p in passages
        ),
    )


def update_passages(
    connection: sqlite3.Connection, first: int, passages: Sequence[Passage], sections: Mapping[str, int]
) -> None:
    """What is thought of passages, in place of what was: their sections, importance, `before`, `after`."""
    connection.executemany(
        'UPDATE passages SET section = ?, importance = ?, "before" = ?, "after" = ? WHERE "row" = ?',
        (
            (
                p.section if p.section is None else sections[p.section],
                p.importance,
                p.before,
                p.after,
                first + p.position,
            )
            for p in passages
        ),
    )


def read_passages(connection: sqlite3.Connection, entry: Entry, first: int, last: int) -> Iterator[Passage]:
    """Passages at positions `first`..`last` (inclusive) of a recording."""
    speakers = dict(enumerate(entry.speakers))
    sections = dict(enumerate(entry.sections))
    found = connection.execute(
        'SELECT "row", position, text, speaker, start, "end", marks, voices, section, importance, "before", '
        '"after" FROM passages WHERE "row" BETWEEN ? AND ? ORDER BY "row"',
        (entry.first + first, entry.first + min(last, entry.size - 1)),
    )
    for row, position, text, speaker, start, end, marks, voices, section, *judged in found:
        yield Passage(
            recording=entry.recording.id,
            position=position,
            text=text,
            speaker=speakers.get(speaker),
            start=start,
            end=end,
            marks=unpack_marks(marks),
            voices=_unpack_voices(voices, speakers),
            section=sections.get(section),
            row=row,
            importance=judged[0],
            before=judged[1],
            after=judged[2],
        )


def _pack_voices(voices: Voices, numbers: Mapping[str, int]) -> str | None:
    pairs = [(at, None if name is None else numbers[name]) for at, name in voices]
    return json.dumps(pairs) if pairs else None


def _unpack_voices(packed: str | None, speakers: Mapping[int, str]) -> Voices:
    return tuple((at, speakers.get(number)) for at, number in json.loads(packed or "[]"))


def pack_marks(marks: Marks) -> bytes:
    """Offsets as uint32, then seconds as float64."""
    if not marks:
        return b""
    offsets, seconds = zip(*marks, strict=True)
    return np.array(offsets, "<u4").tobytes() + np.array(seconds, "<f8").tobytes()


def unpack_marks(packed: bytes) -> Marks:
    count = len(packed) // 12
    offsets, seconds = np.frombuffer(packed, "<u4", count), np.frombuffer(packed, "<f8", count, 4 * count)
    return tuple(zip(offsets.tolist(), seconds.tolist(), strict=True))


# ---------------------------------------------------------------- words


def indexed(workspace: int, passage: Passage) -> str:
    """What the word index is given of a passage: its terms, each after the number of the workspace. One
    that stands three times is given as 3:freight 3:freight^2 3:freight^3."""
    counts = Counter(terms(passage.spoken))
    return " ".join(_token(workspace, term, n) for term, count in counts.items() for n in range(1, count + 1))


def read_postings(connection: sqlite3.Connection, workspace: int, term: str) -> tuple[Rows, Counts]:
    """Rows of the passages that hold the term, rising, and how often they do.

    BM25 is made of these rather than by bm25() of FTS5, which takes 20 ms at 200,000 passages for a term
    in 8% of them, where this takes 2 ms, and which counts over all workspaces. Keeping how often in the
    tokens lets the index do without positions: it takes half the room, and two thirds of the time to read.
    """
    rows = _rows_with(connection, _token(workspace, term, 1))
    counts = np.ones(len(rows), np.int32)
    more, times = rows, 2
    while len(more):
        more = _rows_with(connection, _token(workspace, term, times))
        counts[np.searchsorted(rows, more)] = times
        times += 1
    return rows, counts


def read_terms(connection: sqlite3.Connection, workspace: int, letters: str) -> frozenset[str]:
    """The terms that begin with these letters, a thousand in a millisecond or two: SQLite counts how many
    passages have each, asked or not. It joins them, as fetching them one by one takes half as long again."""
    connection.execute("CREATE VIRTUAL TABLE IF NOT EXISTS temp.said USING fts5vocab(main, words, row)")
    first = _token(workspace, letters, 1)
    sql = "SELECT group_concat(substr(term, ?), ' ') FROM temp.said WHERE term >= ? AND term < ?"
    begin = len(first) - len(letters) + 1
    found = connection.execute(sql, (begin, first, first + "\U0010ffff")).fetchone()[0] or ""
    return frozenset(term for term in found.split(" ") if term and "^" not in term)


def _token(workspace: int, term: str, times: int) -> str:
    return f"{workspace}:{term}" if times == 1 else f"{workspace}:{term}^{times}"


def _rows_with(connection: sqlite3.Connection, token: str) -> Rows:
    """A term has no quotes in it, so it cannot leave those around it. SQLite joins the numbers: fetching
    them one by one takes three times as long."""
    sql = "SELECT group_concat(rowid) FROM words WHERE words MATCH ?"
    found = connection.execute(sql, (f'"{token}"',)).fetchone()[0]
    return np.fromstring(found or "", np.int64, sep=",")


# ---------------------------------------------------------------- vectors


def pack_vectors(vectors: Vectors) -> tuple[float, bytes]:
    """The scale, and int16 that times the scale give the vectors within half a scale."""
    scale = float(np.abs(vectors).max(initial=0)) / 32767 or 1.0
    return scale, np.rint(vectors / scale).astype("<i2").tobytes()


def read_vectors(connection: sqlite3.Connection, key: int, into: Vectors) -> None:
    """Write the vectors of a recording into an array of their shape."""
    scale, data = connection.execute("SELECT scale, data FROM vectors WHERE recording = ?", (key,)).fetchone()
    np.multiply(np.frombuffer(data, "<i2").reshape(into.shape), np.float32(scale), out=into)
