"""The words of a speaker, or of the passages that mention an entity, looked up in the word index."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import cached_property, reduce
from typing import TYPE_CHECKING

import numpy as np

from onrecord.stores.base import Snapshot
from onrecord.stores.words import query_terms, terms
from onrecord.types.graph import Mention

if TYPE_CHECKING:
    from numpy.typing import NDArray


_READ = 60
"""Most passages that are read to see who says the words. With more, the speaker is assumed to say them."""


class OwnWords:
    """The words in all turns of a speaker, or in the passages that mention an entity that never speaks."""

    def __init__(self, reader: Snapshot, mentions: Iterable[Mention]) -> None:
        self._reader = reader
        self._turns: defaultdict[tuple[str, int], list[tuple[int, int]]] = defaultdict(list)
        mentions = list(mentions)
        turns = [m for m in mentions if m.rule == "speaker"]
        for mention in turns or mentions:
            turn = (mention.begin, mention.end) if turns else (0, -1)
            self._turns[mention.recording, mention.position].append(turn)

    def has(self, name: str) -> bool:
        """Check whether one passage has all words of a name, in any form and order."""
        wanted = set(query_terms([name]))
        timeline = self._reader.timeline()
        held = [np.asarray(at) for at, _ in self._reader.term_scores([name], timeline)]
        if not held:
            return False
        together = reduce(np.intersect1d, held)
        own = together[self._is_own[together]]
        if len(own) > _READ:
            return True
        for passage in self._reader.passages(timeline.rows[own]):
            turns = self._turns[passage.recording, passage.position]
            texts = (passage.text[begin : end if end >= 0 else None] for begin, end in turns)
            if wanted <= {term for text in texts for term in terms(text)}:
                return True
        return False

    @cached_property
    def _is_own(self) -> NDArray[np.bool_]:
        """A mask of the passages of the timeline that contain a turn or a mention."""
        timeline = self._reader.timeline()
        own = np.zeros(len(timeline), np.bool_)
        firsts = timeline.firsts
        own[[firsts[name] + position for name, position in self._turns if name in firsts]] = True
        return own
