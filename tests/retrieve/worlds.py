"""Small archives for tests, and curves made by hand."""

from collections.abc import Mapping, Sequence

import numpy as np

from onrecord.models.double import HashingEmbedder
from onrecord.retrieve import Tools
from onrecord.stores.memory import MemoryStore
from onrecord.types import Curve, Details, Evidence, Moment, Passage, PassageTimeline, Question, Recording

EMBEDDER = HashingEmbedder()


def store_of(recordings: Mapping[str, Sequence[str]], vectors: bool = True) -> MemoryStore:
    """Return a store of recordings, each a list of its passages' texts."""
    store = MemoryStore()
    for name, texts in recordings.items():
        passages = [Passage(name, at, text) for at, text in enumerate(texts)]
        recording = Recording(name, name, name, "test", Details(), len(texts))
        store.add(recording, passages, vectors=EMBEDDER.embed(texts) if vectors else None)
    return store


def tools_of(recordings: Mapping[str, Sequence[str]], vectors: bool = True) -> Tools:
    return Tools(store_of(recordings, vectors), EMBEDDER)


def lively_tools(*talks: list[str], turns: int = 0) -> Tools:
    """Return tools for recordings with one turn for each passage, or `turns` turns in all."""
    store = MemoryStore()
    for number, texts in enumerate(talks):
        passages = [Passage(f"r{number}", at, text) for at, text in enumerate(texts)]
        recording = Recording(f"r{number}", "", "", "test", Details(), len(texts), words=100, turns=turns)
        store.add(recording if turns else recording.counted(passages), passages, (), EMBEDDER.embed(texts))
    return Tools(store, EMBEDDER)


def timeline_of(places: Sequence[tuple[int, int]], words: int = 10) -> PassageTimeline:
    """Return a timeline of passages (recording, position), rows 0, 1, 2, ..."""
    recordings, positions = np.array(places, np.int32).reshape(-1, 2).T
    names = tuple(f"r{i}" for i in range(int(recordings.max(initial=-1)) + 1))
    lengths = np.full(len(places), words, np.int32)
    return PassageTimeline(np.arange(len(places), dtype=np.int64), recordings, positions, lengths, names)


def curve_of(tools: Tools, scores: Sequence[float]) -> Evidence:
    """Return evidence with a curve of these scores over the whole store."""
    curve = Curve(tools.store.timeline(), np.array(scores, np.float32))
    return Evidence(Question("anything"), curve=curve)


def moment(recording: str, first: int, last: int, score: float = 0.0, name: str = "") -> Moment:
    passages = tuple(Passage(recording, at, f"{recording} says {at}") for at in range(first, last + 1))
    return Moment(passages, score, {name: score} if name else {})


def places(moments: Sequence[Moment]) -> list[tuple[str, list[int]]]:
    return [(m.recording, [p.position for p in m.passages]) for m in moments]
