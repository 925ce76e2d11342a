"""The test data, and the helpers, of the store contract."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from onrecord.stores.base import Snapshot, Store
from onrecord.types import Details, Passage, Recording, Scope, Section

if TYPE_CHECKING:
    from onrecord.types import Vectors

SPEAKERS = ("Brendan Kelly", "Amélie Roux")
TEXTS = (
    "Margins fell because freight cost twice what we had planned.",
    "And the plant in Lyon stood still for a week.",
    "We expect margins to recover by the third quarter, Q3.",
)


def recording(name: str, passages: int = 3, **details: Any) -> Recording:
    """Return a recording to put into a store under test."""
    return Recording(
        id=name,
        source=f"talks/{name}.vtt",
        checksum=f"checksum of {name}",
        format="webvtt",
        details=Details(**details),
        passages=passages,
        words=30,
        seconds=10.0 * passages - 0.5,
        speakers=SPEAKERS,
        turns=passages,
    )


def passages(name: str, texts: tuple[str, ...] = TEXTS) -> list[Passage]:
    """Return passages of ten seconds each, spoken in turn by Brendan Kelly and Amélie Roux."""
    return [
        Passage(
            name,
            at,
            text,
            SPEAKERS[at % 2],
            10.0 * at,
            10.0 * at + 9.5,
            ((0, 10.0 * at), (5, 10.0 * at + 1.25)),
        )
        for at, text in enumerate(texts)
    ]


def unit(*rows: tuple[float, ...]) -> Vectors:
    """Return the rows scaled to unit length."""
    matrix = np.array(rows, np.float32)
    return np.asarray(matrix / np.linalg.norm(matrix, axis=1, keepdims=True), np.float32)


VECTORS = unit((1, 0, 0, 0), (0, 1, 0, 0), (1, 1, 0, 0))


def refused(kind: type[Exception], call: Callable[[], object]) -> str:
    """Return the message of the error that a call must raise."""
    try:
        call()
    except kind as error:
        return str(error)
    raise AssertionError(f"{kind.__name__} was not raised")


def places(store: Snapshot, scope: Scope) -> str:
    """Return the passages in scope, as "recording position position recording position"."""
    timeline = store.timeline(scope)
    words: list[str] = []
    for place, position in zip(timeline.recordings, timeline.positions, strict=True):
        if timeline.names[place] not in words:
            words.append(timeline.names[place])
        words.append(str(position))
    return " ".join(words)


class World:
    """The base class of the contract: opens the store under test and fills it."""

    zero = "\x00"
    """A character that a text may contain. Empty for a store that rejects such a text with StoreError."""

    def open(self, workspace: str = "default") -> Store:
        raise NotImplementedError

    def filled(self) -> Store:
        """Return a store with three recordings: call (2024-03-05), talk (2023, French), chat (undated)."""
        store = self.open()
        call = recording(
            "call", title="First Quarter", date="2024-03-05", language="en", attributes={"Bank": "TD Bank"}
        )
        talk = recording("talk", title="Über Lyon", date="2023", language="fr", people=("Kelly",))
        store.add(call, passages("call"), [Section("Q&A", 10.0, 29.5, 1, 2)], VECTORS)
        store.add(talk, [replace(p, section="Économie") for p in passages("talk")], vectors=VECTORS[::-1])
        store.add(recording("chat", 1), passages("chat", ("Freight, freight and nothing else.",)))
        return store
