"""Detection of dialogue acts by the reader, which reads passages with a question for an act.

The questions are in ``data/act_questions.yaml``, and the labels that the reader was trained on in
`training/labels`. Besides acts there are two more kinds: `aside`, text that does not belong to the subject,
and `key`, a main point.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from io import BytesIO
from typing import TYPE_CHECKING

import numpy as np

from onrecord.errors import ModelError
from onrecord.models.base import Embedder
from onrecord.retrieve.read import read_in_context
from onrecord.retrieve.sentences import Sentence
from onrecord.retrieve.stage import Tools, Watch
from onrecord.types import Moment, Recording
from onrecord.understand.lexicon import read_data

if TYPE_CHECKING:
    from onrecord.types import Vector

MODEL = "all-MiniLM-L6-v2/"
"""Prefix of the fingerprint of the embedder for which the directions of acts are known."""
_BATCH = 4
"""Number of passages that are read between two checks of the clock."""
_READS = "en"
"""The ISO 639-1 code of the language that the reader reads."""


@cache
def act_questions() -> Mapping[str, Sequence[str]]:
    """Return the questions for each act that the reader was trained on; it reads with the first of them."""
    questions: Mapping[str, Sequence[str]] = read_data("act_questions.yaml")
    return questions


@cache
def _directions() -> Mapping[str, Vector]:
    file = resources.files("onrecord.models.minilm") / "acts.npz"
    with np.load(BytesIO(file.read_bytes()), allow_pickle=False) as directions:
        return {act: directions[act].astype(np.float32) for act in directions.files}


def direction_of(act: str, embedder: Embedder | None) -> Vector | None:
    """Return the unit vector whose dot product with a passage's vector rises with the likelihood of an act.

    None for an embedder whose directions are not known. The directions are made by `training/directions.py`.
    """
    known = embedder is not None and embedder.fingerprint.startswith(MODEL)
    return _directions().get(act) if known else None


def in_readers_language(recordings: Iterable[Recording]) -> frozenset[str]:
    """Return the ids of the recordings in the reader's language, or in an unknown language."""
    return frozenset(r.id for r in recordings if (r.details.language or _READS).split("-")[0] == _READS)


@dataclass(frozen=True, slots=True)
class ActReading:
    """The probability that a sentence performs an act, by its passage's row and its start.

    `problem` says why not all passages were read; it is empty if they were.
    """

    chances: Mapping[tuple[int, int], float]
    problem: str = ""


def read_for(act: str, said: Sequence[Sentence], tools: Tools) -> ActReading:
    """Read the passages of `said` for sentences that perform an act.

    Passages in languages that the reader does not read are left out, and so are passages left over when the
    reading time is up. The reading is empty if the reader fails, if there is none, or if it was not trained
    on the act.
    """
    if tools.reader is None or act not in act_questions():
        return ActReading({})
    passages = {sentence.passage.row: sentence.passage for sentence in said}
    names = {passage.recording for passage in passages.values()}
    names &= in_readers_language(filter(None, map(tools.store.recording, names)))
    stretches = [Moment((passage,), 0.0) for passage in passages.values() if passage.recording in names]
    chances: dict[tuple[int, int], float] = {}
    watch = Watch(tools)
    try:
        for at in range(0, len(stretches), _BATCH):
            if at and watch.milliseconds > tools.reader_milliseconds:
                return ActReading(chances, f"the time was over after {at} of {len(stretches)}")
            some = stretches[at : at + _BATCH]
            for read in read_in_context(act_questions()[act][0], some, tools.reader, tools.store):
                for sentence, chance in zip(read.sentences[read.before :], read.own.relevant, strict=True):
                    chances[sentence.passage.row, sentence.begin] = float(chance)
    except ModelError as error:
        return ActReading({}, f"the reader failed: {error}")
    return ActReading(chances)
