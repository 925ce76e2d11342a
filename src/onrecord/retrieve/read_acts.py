"""Reads passages with a question for a dialogue act, from which the reader has learnt what performs it.

The questions are in ``data/act_questions.yaml``, the marks from which it has learnt in `training/labels`.
Besides acts there are `aside`, what does not belong to the subject, and `key`, a main point.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib import resources
from io import BytesIO
from typing import TYPE_CHECKING

import numpy as np

from onrecord.errors import ModelError
from onrecord.models.base import Embedder
from onrecord.retrieve.read import read_in_context
from onrecord.retrieve.sentences import Sentence
from onrecord.retrieve.stage import Tools
from onrecord.types import Moment, Recording

if TYPE_CHECKING:
    from onrecord.types import Vector

MODEL = "all-MiniLM-L6-v2/"
"""What the fingerprint of the embedder begins with whose directions of acts are known."""
_BATCH = 4
"""Passages that are read between two looks at the clock."""
_READS = "en"
"""The language that the reader reads."""


@cache
def act_questions() -> Mapping[str, Sequence[str]]:
    """Questions for each act that the reader has learnt; it reads with the first."""
    from onrecord.understand.lexicon import read_data  # takes a while: only where it is needed

    questions: Mapping[str, Sequence[str]] = read_data("act_questions.yaml")
    return questions


@cache
def _directions() -> Mapping[str, Vector]:
    file = resources.files("onrecord.models.minilm") / "acts.npz"
    with np.load(BytesIO(file.read_bytes()), allow_pickle=False) as directions:
        return {act: directions[act].astype(np.float32) for act in directions.files}


def direction_of(act: str, embedder: Embedder | None) -> Vector | None:
    """The unit vector whose dot product with a passage's vector tells how likely it performs an act.

    None for an embedder whose directions are not known. They are made by `training/directions.py`.
    """
    known = embedder is not None and embedder.fingerprint.startswith(MODEL)
    return _directions().get(act) if known else None


def readable(recordings: Iterable[Recording]) -> frozenset[str]:
    """The ids of recordings in the language that the reader reads, or in one that is not known."""
    return frozenset(r.id for r in recordings if (r.details.language or _READS).split("-")[0] == _READS)


def read_for(act: str, said: Sequence[Sentence], tools: Tools) -> dict[tuple[int, int], float]:
    """How likely each sentence of the passages of these performs an act, by the passage's row and its begin.

    Left out are passages in languages that the reader does not read, what is left when the time for reading
    is over, and all of them if it fails, if there is none, or if it has not learnt the act.
    """
    if tools.reader is None or act not in act_questions():
        return {}
    passages = {sentence.passage.row: sentence.passage for sentence in said}
    names = {passage.recording for passage in passages.values()}
    names &= readable(filter(None, map(tools.store.recording, names)))
    stretches = [Moment((passage,), 0.0) for passage in passages.values() if passage.recording in names]
    chances: dict[tuple[int, int], float] = {}
    ends = tools.clock() + tools.reader_milliseconds / 1000
    with suppress(ModelError):
        for at in range(0, len(stretches), _BATCH):
            some = stretches[at : at + _BATCH]
            for read in read_in_context(act_questions()[act][0], some, tools.reader, tools.store):
                for sentence, chance in zip(read.sentences[read.before :], read.own.relevant, strict=True):
                    chances[sentence.passage.row, sentence.begin] = float(chance)
            if tools.clock() > ends:
                break
        return chances
    return {}
