"""The cache of vectors and results, which makes repeated questions cheap (see docs/store.md)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from time import perf_counter
from types import TracebackType
from typing import TYPE_CHECKING, Any

import numpy as np

from onrecord.models.caching import CachedEmbedder, CachedReader
from onrecord.retrieve.curve.curves import part_of
from onrecord.retrieve.stage import Tools
from onrecord.stores.base import Snapshot, Store
from onrecord.types import (
    Curve,
    Evidence,
    Judgement,
    Moment,
    PassageTimeline,
    Plan,
    Question,
    Step,
)

if TYPE_CHECKING:
    from pydantic import TypeAdapter

FORMAT = 13
"""A part of each result's key, like the package's version.

Raise it when `pack` or the results of a stage change, so that no cached result outlives the code that made
it.
"""
_LARGEST = 1 / 64
"""The share of the cache that one result may take.

Writing a megabyte takes 7 ms, which is wasted if the question is never asked again.
"""


@dataclass(slots=True)
class ResultCache:
    """The caches of a store, for one question on one `snapshot` of it.

    `embeddings` and `results` are the most bytes for each cache; 0 disables it. Readings are cached among the
    embeddings: both are what a model made of texts. As a context manager it writes new entries on exit,
    unless an error was raised.
    """

    store: Store
    snapshot: Snapshot
    embeddings: int
    results: int
    embedder: CachedEmbedder | None = None
    _reader: CachedReader | None = None
    _new: dict[bytes, bytes] = field(default_factory=dict)
    _hits: int = 0
    _misses: int = 0

    def tools(self, tools: Tools) -> Tools:
        """Return the tools with a caching embedder, which also measures its seconds, and a caching reader."""
        lookup = partial(self.snapshot.cached, "embeddings") if self.embeddings else None
        self.embedder = CachedEmbedder(tools.embedder, lookup) if tools.embedder else None
        self._reader = CachedReader(tools.reader, lookup) if tools.reader else None
        return replace(tools, embedder=self.embedder, reader=self._reader)

    def evidence(self, *basis: object, find: Callable[[], Evidence]) -> Evidence:
        """Return the evidence from the cache, or from `find`.

        `basis` is everything that the evidence depends on besides the workspace. Evidence of a stage that ran
        out of time is not cached: the stage may have more time when the question is asked again.
        """
        if not self.results:
            return find()
        began = perf_counter()
        text = configuration((FORMAT, _version(), data_digest(DATA), *basis))
        key = sha256(text.encode("utf-8", "surrogatepass")).digest()
        packed = self.snapshot.cached("results", (key,)).get(key)
        if packed is not None:
            self._hits += 1
            return unpack(packed, self.snapshot, began)
        self._misses += 1
        result = find()
        if any(step.cut for step in result.trace):
            return result
        if _least_bytes(result) <= self.results * _LARGEST:
            value = pack(result, self.snapshot)
            if value and len(value) <= self.results * _LARGEST:
                self._new[key] = value
        return result

    def __enter__(self) -> ResultCache:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None or isinstance(error, GeneratorExit):
            self.write()

    def write(self) -> None:
        """Write new entries, unless the workspace has changed meanwhile, and count hits and misses."""
        generation = self.snapshot.version
        if not generation:  # nothing was ever added: a question must not create an archive
            return
        models = [model for model in (self.embedder, self._reader) if model]
        fresh = {key: value for model in models for key, value in model.fresh.items()}
        hits = sum(model.hits for model in models)
        if fresh:
            self.store.cache("embeddings", fresh, generation, self.embeddings)
        if self._new:
            self.store.cache("results", self._new, generation, self.results)
        if hits or fresh:
            self.store.count("embeddings", hits, len(fresh))
        if self._hits or self._misses:
            self.store.count("results", self._hits, self._misses)


@cache
def _version() -> str:
    from importlib.metadata import version

    return version("onrecord")


DATA = Path(__file__).parent.parent / "data"
"""The folder of the examples, words and cues used to understand questions.

A change in it may change the evidence, so its digest is a part of each result's key.
"""


@cache
def data_digest(folder: Path) -> str:
    """Return a digest of the YAML files of a folder, which are read once."""
    digest = sha256()
    for file in sorted(folder.glob("*.yaml")):
        digest.update(b"%b %d " % (file.name.encode(), file.stat().st_size) + file.read_bytes())
    return digest.hexdigest()


def _least_bytes(evidence: Evidence) -> int:
    """Return a lower bound on the bytes that the evidence's curves take."""
    own = 4 * len(evidence.curve.timeline) * (1 + len(evidence.curve.parts)) if evidence.curve else 0
    return own + sum(map(_least_bytes, evidence.parts))


def configuration(value: Any) -> str:
    """Return a value as text with the classes and fields of all nested values.

    Equal values have equal texts, and stages that differ in any setting have different texts.
    """
    names = _fields(type(value))  # type: ignore[arg-type]  # a class can be hashed
    if names is not None:
        inside = ", ".join([f"{name}={configuration(getattr(value, name))}" for name in names])
        return f"{type(value).__module__}.{type(value).__qualname__}({inside})"
    if isinstance(value, tuple | list):
        return f"({', '.join(map(configuration, value))})"
    if isinstance(value, dict):
        pairs = sorted((configuration(key), configuration(of)) for key, of in value.items())
        return f"{{{', '.join(f'{key}: {of}' for key, of in pairs)}}}"
    if isinstance(value, set | frozenset):
        return f"{{{', '.join(sorted(map(configuration, value)))}}}"
    return repr(value)


@cache
def _fields(kind: type) -> tuple[str, ...] | None:
    """Return the names of a dataclass's fields, or None for any other class."""
    return tuple(field.name for field in fields(kind)) if is_dataclass(kind) else None


# ---------------------------------------------------------------- evidence as bytes


@dataclass(frozen=True, slots=True)
class _CurveHead:
    """A curve without its arrays.

    It holds the names of the curve's parts, the number of its passages, whether they are all passages of the
    workspace, and the names of its recordings if they differ from those of the workspace.
    """

    parts: tuple[str, ...]
    size: int
    is_whole: bool
    names: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class _Head:
    """Evidence without its arrays.

    A moment is the rows of its passages, its score, its scores by leg, and its peak. `parts` is the size in
    bytes of each part.
    """

    question: Question
    plan: Plan | None
    grade: Judgement | None
    moments: tuple[tuple[tuple[int, ...], float, dict[str, float], int], ...]
    parts: tuple[int, ...]
    curve: _CurveHead | None = None
    __pydantic_config__ = {"ser_json_inf_nan": "constants"}  # noqa: RUF012 - a number may be infinite


@cache
def _heads() -> TypeAdapter[_Head]:
    from pydantic import TypeAdapter  # takes 5 ms, once

    return TypeAdapter(_Head)


def pack(evidence: Evidence, snapshot: Snapshot) -> bytes | None:
    """Return evidence as bytes, or None if it cannot be packed.

    It cannot if its curve has passages that are not in the workspace, or if a text is not valid Unicode.

    The bytes are a length, then that many bytes of JSON. Then follows the curve: the indices of its passages
    on the timeline of the whole workspace, as int32, unless it has all of them, and the score and parts as
    float32. Last comes the evidence for each of several questions, in the same format.
    """
    parts = [packed for part in evidence.parts if (packed := pack(part, snapshot)) is not None]
    curve = _packed_curve(evidence.curve, snapshot.timeline()) if evidence.curve else (None, b"")
    if len(parts) < len(evidence.parts) or curve is None:
        return None
    moments = tuple(
        (
            tuple(passage.row for passage in m.passages),
            float(m.score),
            {name: float(score) for name, score in m.scores.items()},
            m.peak,
        )
        for m in evidence.moments
    )
    sizes = tuple(map(len, parts))
    head = _Head(evidence.question, evidence.plan, evidence.grade, moments, sizes, curve[0])
    try:
        written = _heads().dump_json(head)
    except ValueError:  # the question contains a lone surrogate
        return None
    return b"".join((len(written).to_bytes(4, "little"), written, curve[1], *parts))


def _packed_curve(curve: Curve, whole: PassageTimeline) -> tuple[_CurveHead, bytes] | None:
    """Return a curve as its head and arrays.

    Return None if it has passages that the whole timeline does not have.
    """
    timeline = curve.timeline
    places = np.minimum(np.searchsorted(whole.rows, timeline.rows), max(len(whole) - 1, 0))
    if not np.array_equal(whole.rows[places], timeline.rows):
        return None
    is_whole = len(timeline) == len(whole)
    names = None if timeline.names == whole.names else timeline.names
    arrays = [] if is_whole else [places.astype("<i4").tobytes()]
    arrays += [scores.astype("<f4").tobytes() for scores in (curve.score, *curve.parts.values())]
    return _CurveHead(tuple(curve.parts), len(timeline), is_whole, names), b"".join(arrays)


def unpack(packed: bytes, snapshot: Snapshot, began: float) -> Evidence:
    """Return the packed evidence, read from the same state of the workspace.

    Its trace says that it comes from the cache, and how long reading it took since `began`.
    """
    size = 4 + int.from_bytes(packed[:4], "little")
    head = _heads().validate_json(packed[4:size])
    moments = tuple(
        Moment(tuple(snapshot.passages(list(rows))), score, scores, peak)
        for rows, score, scores, peak in head.moments
    )
    curve = _unpacked_curve(head.curve, packed[size:], snapshot.timeline()) if head.curve else None
    parts, at = [], len(packed) - sum(head.parts)
    for length in head.parts:
        parts.append(unpack(packed[at : at + length], snapshot, began))
        at += length
    step = Step("Remembered", 0, len(moments), perf_counter() - began, "as found when it was asked before")
    return Evidence(head.question, moments, curve, (step,), head.plan, head.grade, tuple(parts))


def _unpacked_curve(head: _CurveHead, packed: bytes, whole: PassageTimeline) -> Curve:
    timeline = whole
    if not head.is_whole:
        timeline = part_of(whole, np.frombuffer(packed, "<i4", head.size))
        packed = packed[4 * head.size :]
    if head.names is not None:
        number = {name: at for at, name in enumerate(head.names)}
        numbers = np.array([number.get(name, -1) for name in whole.names], np.int32)
        timeline = replace(timeline, recordings=numbers[timeline.recordings], names=head.names)
    count = 1 + len(head.parts)
    rows = np.frombuffer(packed, "<f4", count * head.size).reshape(count, head.size)
    return Curve(timeline, rows[0], dict(zip(head.parts, rows[1:], strict=True)))
