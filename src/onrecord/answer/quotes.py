"""Quotes: sentences that one speaker says in one go, which of them say the same, and how they are ordered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from onrecord.answer.talk import adjoin
from onrecord.answer.verify import ELLIPSIS
from onrecord.retrieve.diversity.same import adds
from onrecord.retrieve.sentences import Sentence
from onrecord.retrieve.wording import stems
from onrecord.types import Passage


@dataclass(frozen=True, slots=True)
class Quote:
    """Sentences said by one speaker in one go (others may put in a "Yeah."); `score` is how likely they
    answer, number `core` likeliest, and `moment` the rank of the moment that they were found in."""

    sentences: tuple[Sentence, ...]
    score: float
    moment: int
    core: int = 0

    @property
    def text(self) -> str:
        """What was said, with single spaces; ``[...]`` stands for what others put in, and shows that a
        sentence has begun before or goes on."""
        parts = [
            self.sentences[0].text if self.sentences[0].opens else f"{ELLIPSIS} {self.sentences[0].text}"
        ]
        for before, after in pairwise(self.sentences):
            parts.append(after.text if adjoin(before, after) else f"{ELLIPSIS} {after.text}")
        if not self.sentences[-1].closes:
            parts.append(ELLIPSIS)
        return " ".join(" ".join(parts).split())

    @property
    def speaker(self) -> str | None:
        return self.sentences[0].speaker

    @property
    def passages(self) -> tuple[Passage, ...]:
        return tuple({s.passage.position: s.passage for s in self.sentences}.values())

    @property
    def recording(self) -> str:
        return self.sentences[0].passage.recording

    @property
    def place(self) -> tuple[int, int]:
        """Where it begins in its recording: position and character."""
        return self.sentences[0].passage.position, self.sentences[0].begin

    @property
    def start(self) -> float | None:
        return self.sentences[0].passage.time_at(self.sentences[0].begin)

    @property
    def end(self) -> float | None:
        return self.sentences[-1].passage.time_at(self.sentences[-1].end)

    @property
    def words(self) -> int:
        return sum(s.words for s in self.sentences)


@dataclass(frozen=True, slots=True)
class Chosen:
    """`quotes`, best first, each saying something of its own; `echoes` say again what one of them says."""

    quotes: list[Quote] = field(default_factory=list)
    echoes: list[Quote] = field(default_factory=list)

    @property
    def twins(self) -> list[Quote]:
        """The echoes that are the first quote in nearly the same words."""
        first = self.quotes[:1]
        return [q for q in self.echoes for one in first if adds_little(q, one) and adds_little(one, q)]

    @property
    def all_alike(self) -> bool:
        """Whether it is little more than one thing said again and again: of three quotes or more, three in
        five are the best one and its twins."""
        twins = len(self.twins)
        return twins >= 2 and twins + 1 >= 0.6 * (len(self.quotes) + len(self.echoes))


def adds_little(quote: Quote, shown: Quote, alike: float = 0.6) -> bool:
    """Whether more than the share `alike` of a quote's words stand in one that is shown, and its best
    sentence has no figure, name or negation of its own."""
    mine, theirs = stems(quote.text), stems(shown.text)
    return len(mine & theirs) > alike * len(mine) and not adds(quote.sentences[quote.core].text, shown.text)


def likeliest_first(quotes: Sequence[Quote]) -> list[Quote]:
    """Quotes as they are read where the best one answers: those of a recording together, the best first."""
    recordings = list(dict.fromkeys(quote.recording for quote in quotes))
    return sorted(quotes, key=lambda quote: recordings.index(quote.recording))


def in_order(quotes: Sequence[Quote]) -> list[Quote]:
    """Quotes as they are read: those of a recording together, the recording of the best quote first, each
    recording's as they were spoken; what was said in one go is one quote."""
    recordings = list(dict.fromkeys(quote.recording for quote in quotes))
    ordered: list[Quote] = []
    for quote in sorted(quotes, key=lambda q: (recordings.index(q.recording), q.place)):
        last = ordered[-1] if ordered else None
        if last and last.speaker == quote.speaker and adjoin(last.sentences[-1], quote.sentences[0]):
            both = last.sentences + quote.sentences
            ordered[-1] = Quote(both, max(last.score, quote.score), min(last.moment, quote.moment))
        else:
            ordered.append(quote)
    return ordered
