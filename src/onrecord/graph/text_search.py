"""Search of the text for the words of a name, with the word index."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from onrecord.graph.nouns import ENDS, words_in
from onrecord.ingest.sounds import without_sounds
from onrecord.stores.base import Snapshot
from onrecord.stores.words import STOP, fold, terms
from onrecord.types import Passage
from onrecord.types.graph import Mention

MOST_PASSAGES = 150
"""Most passages with a word of a name that are searched for the name."""
_BESIDE = 12
"""Extra characters of text read for each word of a name: a possessive "s", punctuation, an elided article."""


class TextSearch:
    """Finds the places in an archive where the words of a key follow one another."""

    def __init__(self, reader: Snapshot) -> None:
        self._reader = reader

    def mentions(self, key: str) -> list[Mention]:
        """Return the mentions of a key, as a phrase: see `places`."""
        return [mention for _, mention in self.places(key)]

    def places(self, key: str) -> Iterator[tuple[Passage, Mention]]:
        """Yield the mentions of a key in the passages with its rarest word, each with its passage."""
        parts = key.split()
        cuts = {part: terms(part) for part in parts if part not in STOP}
        frequencies = self._reader.frequencies(chain.from_iterable(cuts.values()))
        passages = {part: min((frequencies[term] for term in cut), default=0) for part, cut in cuts.items()}
        rarest = min(passages, key=passages.__getitem__, default="")
        rows = self._reader.holding(rarest, MOST_PASSAGES) if passages.get(rarest) else ()
        for passage in self._reader.passages(rows):
            for mention in _said_in(passage, parts):
                yield passage, mention


def begins_sentence(text: str, begin: int) -> bool:
    """Check whether no word of its sentence comes before a position."""
    at = begin
    while at and not text[at - 1].isalnum():
        at -= 1
    return not at or not ENDS.isdisjoint(text[at:begin])


def _said_in(passage: Passage, parts: Sequence[str]) -> Iterator[Mention]:
    """Yield the places in a passage where the words of a key follow one another.

    Only the text behind a word that begins like the first word of the key is tokenized, if the letters of the
    others follow. This takes a tenth of the time.
    """
    length = sum(map(len, parts)) + _BESIDE * (len(parts) + 1)
    text = without_sounds(passage.text)
    for begin in _begins(text, parts, length):
        words = [word for word in words_in(text[begin : begin + length]) if word.key and not word.elided]
        said = words[: len(parts)]
        if [word.key for word in said] == list(parts):
            end = begin + said[-1].end
            yield Mention(
                " ".join(parts), passage.recording, passage.position, begin, end,
                text[begin:end], "concept", "phrase", passage.speaker_at(begin),
            )  # fmt: skip


def _begins(text: str, parts: Sequence[str], length: int) -> Iterator[int]:
    """Yield the positions where a word begins with the first part of a key, in singular or plural.

    The letters of the other parts follow within `length` characters.
    """
    folded = fold(text)
    if len(folded) != len(text):  # one letter became two, so positions in the two texts differ
        yield from (word.begin for word in words_in(text) if word.key == parts[0])
        return
    first, *others = (part[:-1] if len(part) > 2 else part for part in parts)
    at = folded.find(first)
    while at >= 0:
        begins_word = not at or not folded[at - 1].isalnum()
        if begins_word and all(folded.find(letters, at, at + length) >= 0 for letters in others):
            yield at
        at = folded.find(first, at + 1)
