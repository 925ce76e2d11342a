"""Training examples: a question with passages that answer it, and similar passages that do not.

A passage is a run of sentences around the sentence with the answer. Its size and the number of words before
the answer vary, so that the reader cannot learn from the position of the answer. Negative passages are
chosen to be hard (Karpukhin et al., Dense Passage Retrieval, 2020): the nearest passages of the same window,
which is what a near miss is about, and the nearest passages of all other windows, by the cosine of onrecord's
embedder.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from data import Claim, Material, Pair, Question, Window, act_questions
from onrecord.models.base import Embedder

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

MIX = {"questions": 11, "pairs": 1, "discussions": 0, "squad": 1, "claims": 2, "acts": 0}
"""Examples of each source among `sum(MIX.values())`."""
SIZES = (90, 120, 140, 160)
"""Words of a passage."""
TILE = 130
"""Words of the passages among which hard negatives are mined."""
MINED = 24
"""Nearest passages of other windows from which a question's negatives are drawn."""
PERFORMED = 0.75
"""Share of the questions for acts that are about a window in which some sentence performs the act."""
CLAIM_SIZE, CLAIM_LEAD = 150, 40
"""Words of a claim's passage, and most of its words before the sentences that the claim rests on."""


@dataclass(frozen=True)
class Passage:
    """Sentences with their labels.

    `relevant`: the numbers of the sentences that answer or are needed to understand the answer (None:
    unknown). `answers`: whether they answer the question, or support the claim.
    """

    sentences: tuple[str, ...]
    relevant: frozenset[int] | None
    answers: bool


@dataclass(frozen=True)
class Example:
    """A question or a claim with its passages, answering passages first.

    `core` is the number of the sentence in the first passage that holds the answer; None if no sentence does,
    or if that is unknown.
    """

    text: str
    passages: tuple[Passage, ...]
    core: int | None = None
    claim: bool = False


@dataclass(frozen=True)
class Mined:
    """The nearest tiles of a question's own window, and of others, as numbers in `Tiles.places`."""

    own: tuple[int, ...]
    other: tuple[int, ...]


@dataclass(frozen=True)
class Tiles:
    """All windows cut into passages.

    `places` has the window's id and the sentence numbers of each passage, `of_window` the passages of each
    window.
    """

    places: Sequence[tuple[str, range]]
    of_window: Mapping[str, range]

    @staticmethod
    def of(windows: Mapping[str, Window], size: int = TILE) -> Tiles:
        """Cut windows into passages of about `size` words."""
        places: list[tuple[str, range]] = []
        of_window = {}
        for key, window in windows.items():
            begin = len(places)
            places += [(key, part) for part in cut(window.words, size)]
            of_window[key] = range(begin, len(places))
        return Tiles(places, of_window)

    def texts(self, windows: Mapping[str, Window]) -> list[str]:
        """Return the text of each passage."""
        return [" ".join(windows[key].render(numbers)) for key, numbers in self.places]


def around(words: Sequence[int], at: int, size: int, lead: int) -> range:
    """Return consecutive sentences around number `at`, of about `size` words.

    Up to `lead` words come before it. `words` has the number of each sentence's words. If the text ends too
    early, more sentences come from before.
    """
    first, last, total = at, at + 1, words[at]
    while first > 0 and total + words[first - 1] <= words[at] + lead:
        first -= 1
        total += words[first]
    while last < len(words) and total + words[last] <= size:
        total += words[last]
        last += 1
    while first > 0 and total + words[first - 1] <= size:
        first -= 1
        total += words[first]
    return range(first, last)


def cut(words: Sequence[int], size: int) -> list[range]:
    """Cut all sentences into runs of at most `size` words, or of one longer sentence."""
    parts, first, total = [], 0, 0
    for number, count in enumerate(words):
        if number > first and total + count > size:
            parts.append(range(first, number))
            first, total = number, 0
        total += count
    return [*parts, range(first, len(words))] if words else []


def mine(question: Question, scores: Array, tiles: Tiles, limit: int = MINED) -> Mined:
    """Find the tiles nearest to a question, given its cosine with each tile.

    These are the tiles of its own window without a sentence that answers, and the `limit` best of others.
    """
    own = tiles.of_window[question.window]
    free = [n for n in own if not question.sentences.intersection(tiles.places[n][1])]
    elsewhere = scores.astype(np.float32)
    elsewhere[own.start : own.stop] = -np.inf
    others = np.argsort(-elsewhere, kind="stable")[: min(limit, len(scores) - len(own))]
    return Mined(tuple(sorted(free, key=lambda n: -scores[n])), tuple(others.tolist()))


def vectors(embedder: Embedder, texts: Sequence[str], cache: Path | None = None) -> Array:
    """Embed texts, or read their vectors from the folder `cache`, in files named by the texts' digest."""
    if cache is None:
        return embedder.embed(texts)
    key = hashlib.sha256("\0".join([embedder.fingerprint, *texts]).encode()).hexdigest()
    file = cache / f"vectors-{key[:16]}.npy"
    if not file.exists():
        cache.mkdir(parents=True, exist_ok=True)
        np.save(file, embedder.embed(texts))
    array: Array = np.load(file, allow_pickle=False)
    return array


def mine_all(material: Material, tiles: Tiles, embedder: Embedder, cache: Path | None) -> list[Mined]:
    """Mine tiles for each question, in their order."""
    passages = vectors(embedder, tiles.texts(material.windows), cache)
    question_vectors = vectors(embedder, [question.text for question in material.questions], cache)
    return [
        mine(question, passages @ vector, tiles)
        for question, vector in zip(material.questions, question_vectors, strict=True)
    ]


class Batches:
    """Draws examples from all sources: each question once before any repeats, the others at random."""

    def __init__(
        self,
        material: Material,
        tiles: Tiles,
        mined: Sequence[Mined],
        *,
        size: int = 15,
        mix: Mapping[str, int] = MIX,
        negatives: int = 2,
        seed: int = 1,
    ) -> None:
        """Set up the sources of the examples.

        Args:
            size: examples in a batch.
            mix: shares of the sources.
            negatives: passages of an answerable question that do not answer it.

        Raises ValueError for an unknown source.
        """
        if unknown := mix.keys() - MIX.keys():
            raise ValueError(f"no source is called {', '.join(sorted(unknown))}; there are {', '.join(MIX)}")
        self._material, self._tiles = material, tiles
        self._asked = list(zip(material.questions, mined, strict=True))
        self._shares = {source: share * size // sum(mix.values()) for source, share in mix.items()}
        self._act_questions = act_questions() if material.acts else {}
        self._performed = {
            kind: [acts for acts in material.acts if acts.sentences.get(kind)] for kind in self._act_questions
        }
        self._negative_count = negatives
        self._random = random.Random(seed)
        self._turn: list[tuple[Question, Mined]] = []

    def draw(self) -> list[Example]:
        """Return the next batch."""
        makers: dict[str, tuple[Sequence[Any], Callable[[], Example]]] = {
            "questions": (self._asked, self._question),
            "pairs": (self._material.pairs, lambda: self._pair(self._material.pairs)),
            "discussions": (
                self._material.discussions,
                lambda: self._pair(self._material.discussions),
            ),
            "squad": (self._material.spoken, self._squad),
            "claims": (self._material.claims, self._claim),
            "acts": (self._material.acts, self._act),
        }
        drawn = []
        for source, share in self._shares.items():
            stock, make = makers[source]
            drawn += [make() for _ in range(share if stock else 0)]
        return drawn

    def _question(self) -> Example:
        if not self._turn:
            self._turn = self._random.sample(self._asked, len(self._asked))
        question, mined = self._turn.pop()
        size = self._random.choice(SIZES)
        wrong = tuple(self._wrong(n, question, size) for n in self._negatives(question, mined))
        if not question.sentences:
            return Example(question.text, wrong)
        window = self._material.windows[question.window]
        numbers = around(window.words, question.cores[0], size, self._random.randint(0, 100))
        core = self._random.choices(question.cores, (0.6, 0.4)[: len(question.cores)])[0]
        core = core if core in numbers else question.cores[0]
        right = _passage(window, numbers, question.sentences, True)
        return Example(question.text, (right, *wrong), numbers.index(core))

    def _negatives(self, question: Question, mined: Mined) -> list[int]:
        """Return tiles that do not answer, half of them of the same window; one more for a near miss."""
        draw, count = self._random, self._negative_count + (not question.sentences)
        nearest = mined.own[: count + 1]
        chosen = draw.sample(nearest, min((count + 1) // 2, len(nearest)))
        while len(chosen) < count and mined.other:
            chosen.append(mined.other[min(len(mined.other) - 1, int(draw.expovariate(1 / 6)))])
        return chosen

    def _wrong(self, tile: int, question: Question, size: int) -> Passage:
        """Return a tile unchanged, if it is of the question's window; else a run of `size` words from it."""
        key, numbers = self._tiles.places[tile]
        window = self._material.windows[key]
        if key != question.window:
            numbers = around(window.words, self._random.choice(numbers), size, self._random.randint(0, 60))
        return _passage(window, numbers, frozenset(), False)

    def _pair(self, stock: Sequence[Sequence[Pair]]) -> Example:
        """Return a question with up to two passages that answer it, and two for other questions.

        The other questions are about the same recording.
        """
        pairs = self._random.choice(stock)
        pair = self._random.choice(pairs)
        right = self._random.sample(pair.passages, min(2, len(pair.passages)))
        others = [
            passage for other_pair in pairs for passage in other_pair.passages if passage not in pair.passages
        ]
        wrong = self._random.sample(others, min(2, len(others)))
        answering = (Passage(passage, None, True) for passage in right)
        return Example(pair.question, (*answering, *map(_as_unrelated, wrong)))

    def _squad(self) -> Example:
        spoken = self._random.choice(self._material.spoken)
        right = Passage(spoken.passage, spoken.relevant, True)
        wrong = self._random.sample(spoken.others, min(2, len(spoken.others)))
        return Example(spoken.question, (right, *map(_as_unrelated, wrong)), min(spoken.relevant))

    def _claim(self) -> Example:
        claim = self._random.choice(self._material.claims)
        window = self._material.windows[claim.window]
        at, lead = _anchor(claim), self._random.randint(0, CLAIM_LEAD)
        numbers = around(window.words, at, CLAIM_SIZE, lead)
        passage = _passage(window, numbers, frozenset(claim.sentences), claim.supported)
        return Example(claim.text, (passage,), claim=True)

    def _act(self) -> Example:
        """Return a question for an act, with a passage that performs it in most cases.

        All kinds of acts are equally frequent.
        """
        draw, kind = self._random, self._random.choice(list(self._act_questions))
        performed = self._performed[kind] if draw.random() < PERFORMED else ()
        acts, text = draw.choice(performed or self._material.acts), draw.choice(self._act_questions[kind])
        window, marked = self._material.windows[acts.window], acts.sentences.get(kind, frozenset())
        free = [n for n in self._tiles.of_window[acts.window] if not marked & set(self._tiles.places[n][1])]
        chosen = draw.sample(free, min(self._negative_count + (not marked), len(free)))
        wrong = tuple(_passage(window, self._tiles.places[n][1], frozenset(), False) for n in chosen)
        if not marked:
            return Example(text, wrong)
        core = draw.choice(sorted(marked))
        numbers = around(window.words, core, draw.choice(SIZES), draw.randint(0, 100))
        return Example(text, (_passage(window, numbers, marked, True), *wrong), numbers.index(core))


def _anchor(claim: Claim) -> int:
    """Return the sentence around which a claim's passage is cut.

    It is the first sentence that the claim rests on, or the middle one if they are too far apart for one
    passage.
    """
    near = max(claim.sentences) - min(claim.sentences) < 12
    return min(claim.sentences) if near else claim.sentences[len(claim.sentences) // 2]


def _passage(window: Window, numbers: Sequence[int], relevant: frozenset[int], answers: bool) -> Passage:
    here = frozenset(at for at, number in enumerate(numbers) if number in relevant)
    return Passage(tuple(window.render(numbers)), here, answers)


def _as_unrelated(sentences: tuple[str, ...]) -> Passage:
    return Passage(sentences, frozenset(), False)
