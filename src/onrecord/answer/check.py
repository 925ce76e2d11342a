"""Is a sentence supported by what was said? Without a language model, from the words alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from onrecord.answer.context import Source
from onrecord.answer.quotes import Quote
from onrecord.answer.sentences import Sentence, sentences
from onrecord.answer.wording import stems

SUPPORTED = 0.5
"""From here on a sentence counts as supported."""
_LONGEST = 60  # words of a quote


@dataclass(frozen=True, slots=True)
class Support:
    """How likely it is, in 0..1, that sources say what a sentence says; and by source, best first, the words
    that say it."""

    probability: float
    quotes: Mapping[int, Quote]


class Checker:
    """Judges sentences against sources."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self._sources = {source.number: source for source in sources}
        self._said: dict[int, list[Sentence]] = {}

    def support(self, text: str, numbers: Sequence[int] = ()) -> Support:
        """How well the sources of these numbers (all of them, where there are none) support a sentence."""
        words = set(stems(text))
        found: dict[int, tuple[float, Quote]] = {}
        heard: set[str] = set()
        for number in numbers or self._sources:
            said = self._sentences(number)
            heard |= {stem for sentence in said for stem in stems(sentence.text)}
            found[number] = self._best(said, words)
        share = len(words & heard) / len(words) if words else 1.0
        best = sorted(found, key=lambda number: -found[number][0])
        return Support(share, {number: found[number][1] for number in best})

    def _sentences(self, number: int) -> list[Sentence]:
        if number not in self._said:
            source = self._sources[number]
            language = source.recording.details.language
            self._said[number] = [s for p in source.passages for s in sentences(p, language)]
        return self._said[number]

    def _best(self, said: Sequence[Sentence], words: set[str]) -> tuple[float, Quote]:
        scores = [len(words & set(stems(sentence.text))) for sentence in said]
        at = max(range(len(said)), key=lambda i: scores[i])
        return scores[at], Quote((said[at],), scores[at], 0)
