"""Labeled questions about recordings, and the folders that they are read from.

A folder contains ``corpus.jsonl`` (units of speech: id, recording_id, position, speaker, start, end, title,
text), ``queries.jsonl`` (id, text, and if they apply recording_id, type, exclude) and ``qrels.tsv`` (query,
unit, grade). Labels refer to units, so they do not depend on how a strategy cuts passages.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from onrecord.errors import FormatError, NotFoundError
from onrecord.graph.extract import knowledge_of
from onrecord.ingest.passages import Cutter, texts_to_embed
from onrecord.ingest.people import unify_speakers
from onrecord.models.base import Embedder
from onrecord.stores.base import Store
from onrecord.types import Details, Passage, Recording, Transcript, Turn

if TYPE_CHECKING:
    from onrecord.types import Vectors


@dataclass(frozen=True, slots=True)
class Unit:
    """A stretch of speech that a label can refer to: a turn, a paragraph."""

    id: str
    recording: str
    text: str
    speaker: str | None = None
    start: float | None = None
    end: float | None = None
    title: str | None = None


@dataclass(frozen=True, slots=True)
class Labelled:
    """A question, and the relevance of units to it; units that are not in `grades` are irrelevant.

    `recording` is the recording that the question was asked about, if any. `exclude` are units that the
    search must neither show nor use, such as the turn in which the question was asked.
    """

    id: str
    text: str
    grades: Mapping[str, float]
    recording: str | None = None
    exclude: tuple[str, ...] = ()
    type: str = ""


@dataclass(frozen=True, slots=True)
class Dataset:
    """Units by recording, in the order of speech, and questions about them."""

    name: str
    units: Mapping[str, Sequence[Unit]]
    questions: Sequence[Labelled] = field(default=())


def load(folder: Path) -> Dataset:
    """Read a dataset from a folder, without the questions that have no relevant unit.

    Raises NotFoundError for a missing file, FormatError for a malformed one.
    """
    units: dict[str, list[Unit]] = {}
    unit_ids: set[str] = set()
    for row in sorted(_rows(folder / "corpus.jsonl"), key=lambda row: row.get("position") or 0):
        details = (row.get(name) for name in ("speaker", "start", "end", "title"))
        unit = Unit(row["id"], row["recording_id"], row["text"], *details)
        units.setdefault(unit.recording, []).append(unit)
        unit_ids.add(row["id"])
    grades = _grades(folder / "qrels.tsv", unit_ids)
    questions = [
        Labelled(
            id=row["id"],
            text=row["text"],
            grades=grades[row["id"]],
            recording=row.get("recording_id"),
            exclude=tuple(row.get("exclude") or ()),
            type=row.get("type") or "",
        )
        for row in _rows(folder / "queries.jsonl", needs=("id", "text"))
        if row["id"] in grades
    ]
    return Dataset(folder.name, units, questions)


def recordings(dataset: Dataset, cutter: Cutter | None = None) -> Iterator[tuple[Recording, list[Passage]]]:
    """Yield a dataset's recordings with their passages.

    A `cutter` cuts them like any transcript, and every speaker gets one name. Without a cutter, each unit is
    a passage.
    """
    for name, units in dataset.units.items():
        if cutter:
            turns = tuple(Turn(unit.text, unit.speaker, unit.start, unit.end) for unit in units)
            passages = cutter.cut(unify_speakers(Transcript(turns, "dataset")), name)[0]
        else:
            passages = [Passage(name, at, u.text, u.speaker, u.start, u.end) for at, u in enumerate(units)]
        details = Details(title=units[0].title or name)
        yield Recording(name, f"{dataset.name}/{name}", "", "dataset", details).counted(passages), passages


def fill(
    store: Store, dataset: Dataset, embedder: Embedder | None = None, cutter: Cutter | None = None
) -> None:
    """Add a dataset's recordings to a store, cut as by `recordings`."""
    for recording, passages in recordings(dataset, cutter):
        vectors: Vectors | None = (
            embedder.embed(texts_to_embed(recording.details.title, passages)) if embedder else None
        )
        store.add(recording, passages, vectors=vectors, knowledge=knowledge_of(recording, passages))


def _grades(file: Path, unit_ids: set[str]) -> dict[str, dict[str, float]]:
    grades: dict[str, dict[str, float]] = {}
    for number, line in enumerate(_lines(file), 1):
        try:
            query, unit, grade = line.split("\t")
            value = float(grade)
        except ValueError:
            raise FormatError(file.name, f"line {number}", "query, unit and grade, by tabs", line) from None
        if unit not in unit_ids:
            raise FormatError(file.name, f"line {number}", "the id of a unit in corpus.jsonl", unit)
        if value > 0:
            grades.setdefault(query, {})[unit] = value
    return grades


def _rows(file: Path, needs: Sequence[str] = ("id", "recording_id", "text")) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(_lines(file), 1):
        try:
            row = json.loads(line)
        except json.JSONDecodeError:
            raise FormatError(file.name, f"line {number}", "a JSON object", line) from None
        missing = [name for name in needs if not isinstance(row, dict) or not isinstance(row.get(name), str)]
        if missing:
            raise FormatError(file.name, f"line {number}", f"a text {missing[0]!r}", line)
        if not isinstance(row.get("position"), int | None):
            raise FormatError(file.name, f"line {number}", "a whole number 'position'", line)
        yield row


def _lines(file: Path) -> Iterator[str]:
    if not file.is_file():
        raise NotFoundError(f"there is no {file}: a dataset has corpus.jsonl, queries.jsonl and qrels.tsv")
    with file.open(encoding="utf-8") as lines:
        yield from (line.rstrip("\n") for line in lines if line.strip())
