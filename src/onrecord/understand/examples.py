"""Examples of questions and sentences, and which of them are nearest to a text.

A text is masked first: whatever it names becomes a sign for people, places or dates, words for recordings
become one sign, and every word that no example has becomes a sign for a subject. What remains is its shape.
Shapes are compared by their runs of two to four characters (n-grams), each worth its idf over all examples:
the cosine of tf-idf vectors, after Cavnar and Trenkle, N-Gram-Based Text Categorization (1994).
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from onrecord.understand.lexicon import Token, lexicon, read_derived, words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[Any]

PERSON, WHERE, DATE, KEY, SUBJECT, RECORDING, ITSELF = "P", "W", "D", "K", "x", "R", "M"
SIGNS = {"person": PERSON, "where": WHERE, "date": DATE, "key": KEY, "x": SUBJECT, "it": ITSELF}
_FIELD_SIGNS = {"speaker": PERSON, "role": PERSON, "date": DATE}
BRACES = re.compile(r"\{(\w+)\}")

Shape = tuple[str, ...]
"""Words and signs. What a question mentions is a sign, and so is each word that no example has."""
Texts = Mapping[str, Mapping[str, Sequence[str]]]
"""Example texts by kind and language."""


@dataclass(frozen=True, slots=True)
class Guess:
    """A kind, how alike its nearest example is, how much more than that of any other kind, and its shape."""

    kind: str
    likeness: float
    margin: float
    example: Shape = ()


# ---------------------------------------------------------------- shapes


def shape_of(signs: Iterable[str]) -> Shape:
    """Signs and words without articles, each run of one sign as one."""
    lex = lexicon()
    shape: list[str] = []
    for sign in signs:
        last = shape[-1] if shape else ""
        if sign == "s" and last in lex.sets["contracted"]:
            sign = "is"
        elif sign in lex.sets["articles"] and sign != "s":
            continue
        if sign == DATE and last in lex.limits:
            shape[-1] = DATE  # "since 2024" is a date
        elif {last, sign} == {WHERE, RECORDING}:
            shape[-1] = WHERE
        elif sign != last or sign not in (SUBJECT, WHERE, RECORDING):
            shape.append(sign)
    return tuple(shape)


def mask(tokens: Sequence[Token], named: Mapping[int, str], known: Collection[str]) -> Shape:
    """The shape of a question.

    Args:
        named: the sign of every token of a mention, by its place.
        known: the words of the examples.
    """
    recordings, titles = lexicon().sets["recordings"], lexicon().sets["titles"]
    signs: list[str] = []
    for at, token in enumerate(tokens):
        if at in named:
            signs += (named[at],) * (named.get(at - 1) != named[at])
        elif token.word in titles and named.get(at + 1) in (PERSON, ITSELF):
            continue  # "Ms Halden"
        elif token.word in known and token.word not in recordings:
            signs.append(token.word)
        else:
            signs.append(RECORDING if token.word in recordings else SUBJECT)
    return shape_of(signs)


def sign_of(field: str) -> str:
    """The sign of what a mention of a field names."""
    return _FIELD_SIGNS.get(field, WHERE)


def shape_of_example(text: str) -> Shape:
    """The shape of an example, in which mentions stand in braces: "what did {person} say about {x}"."""
    recordings = lexicon().sets["recordings"]
    signs: list[str] = []
    for at, part in enumerate(BRACES.split(text)):
        if at % 2:
            signs.append(SIGNS[part])
        else:
            signs += (RECORDING if word in recordings else word for word in words(part))
    return shape_of(signs)


@lru_cache(1 << 12)
def example_words(text: str) -> tuple[str, ...]:
    """The words of an example, without what it leaves open."""
    return words(BRACES.sub(" ", text))


def of_anything(shape: Shape) -> Shape:
    """A shape with one sign for people, places and subjects: the graph has them all alike."""
    return shape_of(SUBJECT if sign in (PERSON, WHERE, KEY) else sign for sign in shape)


# ---------------------------------------------------------------- n-grams

_LENGTHS = (2, 3, 4)
_BUCKETS = 1 << 16
"""Numbers that n-grams are hashed to."""


@dataclass(frozen=True, slots=True, eq=False)
class GramIndex:
    """The n-grams of some texts: their numbers, text after text, and at which of them each text begins."""

    grams: Numbers
    starts: Numbers
    weights: Numbers
    """The idf of every number that an n-gram may have."""
    norms: Numbers

    @classmethod
    def of(cls, grams: Numbers, sizes: Numbers) -> GramIndex:
        """Of the numbers of all n-grams, and how many each text has."""
        counts, starts = np.bincount(grams, minlength=_BUCKETS), np.cumsum(sizes) - sizes
        weights = np.log1p(len(sizes) / np.maximum(counts, 1)).astype(np.float32)
        return cls(grams, starts, weights, np.sqrt(np.add.reduceat(weights[grams] ** 2, starts)))

    def cosines(self, text: str, least_norm: float = 1.0) -> Numbers:
        """The cosine of a text with each. A text whose vector is shorter than `least_norm` is less alike."""
        grams, _ = grams_of([text])
        products = np.zeros(_BUCKETS, np.float32)
        products[grams] = self.weights[grams] ** 2
        norm = max(least_norm, float(np.sqrt(products.sum())))
        cosines: Numbers = np.add.reduceat(products[self.grams], self.starts) / (self.norms * norm)
        return cosines

    def kernel(self) -> Numbers:
        """The cosine of each text with each: a symmetric matrix, of which only one half is computed."""
        products, kernel = np.zeros(_BUCKETS, np.float32), np.empty((len(self.starts),) * 2, np.float32)
        for row, (begin, end) in enumerate(pairwise((*self.starts.tolist(), len(self.grams)))):
            own, norms = self.grams[begin:end], self.norms[row] * self.norms[row:]
            products[own] = self.weights[own] ** 2
            sums = np.add.reduceat(products[self.grams[begin:]], self.starts[row:] - begin)
            kernel[row, row:] = kernel[row:, row] = sums / norms
            products[own] = 0.0
        return kernel


def grams_of(texts: Sequence[str]) -> tuple[Numbers, Numbers]:
    """The n-grams of texts as numbers, each once a text, and how many of them every text has."""
    joined = "".join(f" {text} \n" for text in texts) + max(_LENGTHS) * "\n"  # windows need some width
    codes = np.frombuffer(joined.encode("latin-1", "replace"), np.uint8).astype(np.uint32)
    texts_at = np.cumsum(codes == ord("\n")).astype(np.uint64)
    pairs: list[Numbers] = []
    for length in _LENGTHS:
        windows = np.lib.stride_tricks.sliding_window_view(codes, length)
        within = (windows != ord("\n")).all(axis=1)
        numbers = windows[within] @ np.array([31337**n for n in range(length)], np.uint64).astype(np.uint32)
        hashed = (numbers * np.uint32(2654435761)) >> np.uint32(16)
        pairs.append(texts_at[: len(within)][within] << np.uint64(16) | hashed)
    unique = np.unique(np.concatenate(pairs))
    sizes = np.bincount((unique >> np.uint64(16)).astype(np.int64), minlength=len(texts))
    return (unique & np.uint64(_BUCKETS - 1)).astype(np.uint16), sizes


# ---------------------------------------------------------------- examples

_RIDGE = 0.3
"""The ridge of the regression, chosen by leaving out one example after another."""
_DOUBT, _NEAREST = 0.1, 0.25
"""What is added to what speaks against a kind, and the weight of its nearest example in its likeness."""


class Examples:
    """Examples by kind, and which of them are nearest to a shape."""

    def __init__(
        self,
        known: Iterable[str],
        shapes: Iterable[tuple[str, str]],
        files: Sequence[str] = (),
        name: str = "",
    ) -> None:
        """Examples with these words, and the kind and the shape of each.

        Args:
            files: of the package, from which they are; their n-grams are cached under the `name`.
        """
        self.known = frozenset(known)
        pairs = list(shapes)
        self.kinds = [kind for kind, _ in pairs]
        plain_last = sorted(pairs, key=lambda pair: pair[0] == "search")
        self.exact: dict[str, str] = {shape: kind for kind, shape in reversed(plain_last)}
        self.shapes, self._files, self._name = [shape for _, shape in pairs], files, name

    @classmethod
    def of(
        cls, kinds: Mapping[str, Iterable[str]], cut: Callable[[Shape], Shape] = lambda shape: shape
    ) -> Examples:
        """Of texts by kind; of each shape the part that `cut` leaves."""
        texts = [(kind, text) for kind, of_kind in kinds.items() for text in of_kind]
        known = {word for _, text in texts for word in example_words(text)}
        shapes = dict.fromkeys((kind, " ".join(cut(shape_of_example(text)))) for kind, text in texts)
        return cls(known - lexicon().sets["recordings"], shapes)

    def to_json(self) -> tuple[list[str], list[tuple[str, str]]]:
        """The arguments of an equal one, as JSON has them."""
        return sorted(self.known), list(zip(self.kinds, self.shapes, strict=True))

    @cached_property
    def _index(self) -> GramIndex:
        def derive(*_: object) -> list[str]:
            return [b64encode(array.astype(np.uint16).tobytes()).decode() for array in grams_of(self.shapes)]

        stored = read_derived(self._files, f"{self._name}-grams", derive) if self._files else derive()
        grams, sizes = (np.frombuffer(b64decode(text), np.uint16) for text in stored)
        return GramIndex.of(grams, sizes.astype(np.int64))

    def __contains__(self, shape: Shape) -> bool:
        """Whether an example has that shape."""
        return " ".join(shape) in self.exact

    @cached_property
    def _votes(self) -> tuple[list[str], Numbers]:
        """The kinds, and what each example adds to the score of each: kernel ridge regression on the cosines.

        Shapes that are alike share their weight, so that many examples of one wording count as one."""
        names = sorted(set(self.kinds))

        def derive(*_: object) -> str:
            kernel = self._index.kernel()
            kernel.flat[:: len(kernel) + 1] += _RIDGE
            weights = np.linalg.solve(kernel, np.equal.outer(self.kinds, names).astype(np.float32))
            return b64encode(weights.astype(np.float16).tobytes()).decode()

        stored = read_derived(self._files, f"{self._name}-votes", derive) if self._files else derive()
        return names, np.frombuffer(b64decode(stored), np.float16).astype(np.float32).reshape(-1, len(names))

    def vote(self, shape: Shape, but: Collection[str] = (), plain: Collection[str] = ()) -> Guess:
        """The kind that all examples vote for, but for some kinds; of one of the same shape its kind, surely.

        Its likeness is the share of its score in those of itself, of the next kind and of all `plain` ones,
        and to a quarter that of its nearest example. Plain kinds do not compete with one another."""
        same = self.exact.get(" ".join(shape))
        if same and same not in but:
            return Guess(same, 1.0, 1.0, shape)
        names, weights = self._votes
        cosines = self._index.cosines(" ".join(shape))
        summed = np.maximum(cosines @ weights, 0.0).tolist()
        scores = {kind: score for kind, score in zip(names, summed, strict=True) if kind not in but}
        kind = max(scores, key=scores.__getitem__)
        alike = plain if kind in plain else (kind,)
        own = sum(scores.get(each, 0.0) for each in alike)
        searches = sum(scores.get(each, 0.0) for each in plain if each not in alike)
        rival = max(score for each, score in scores.items() if each not in (*plain, *alike))
        share = own / (own + searches + rival + _DOUBT)
        likest, number = max(near for each, near in self._nearest(cosines).items() if each in alike)
        likeness = (1 - _NEAREST) * share + _NEAREST * likest
        return Guess(kind, likeness, share, tuple(self.shapes[number].split()))

    def near(self, shape: Shape, least_norm: float = 1.0) -> dict[str, tuple[float, int]]:
        """How alike the nearest example of every kind is, in 0..1, and its number.

        A shape whose vector is shorter than `least_norm` is less like any, by as much."""
        return self._nearest(self._index.cosines(" ".join(shape), least_norm))

    @cached_property
    def _of_kind(self) -> Mapping[str, Numbers]:
        """The numbers of the examples of each kind."""
        kinds = np.array(self.kinds)
        return {kind: np.flatnonzero(kinds == kind) for kind in dict.fromkeys(self.kinds)}

    def _nearest(self, cosines: Numbers) -> dict[str, tuple[float, int]]:
        """The cosine and the number of the nearest example of every kind."""
        nearest = ((kind, numbers[cosines[numbers].argmax()]) for kind, numbers in self._of_kind.items())
        return {kind: (float(cosines[number]), int(number)) for kind, number in nearest}

    def guess(self, shape: Shape, but: Collection[str] = ()) -> Guess:
        """The kind of the nearest example, but for some kinds; of one of the same shape its kind, surely."""
        same = self.exact.get(" ".join(shape))
        if same and same not in but:
            return Guess(same, 1.0, 1.0, shape)
        ranked = sorted((*cosine, kind) for kind, cosine in self.near(shape).items() if kind not in but)
        if not ranked:
            return Guess("search", 0.0, 0.0)
        likeness, number, kind = ranked[-1]
        margin = likeness - ranked[-2][0] if len(ranked) > 1 else likeness
        return Guess(kind, likeness, margin, tuple(self.shapes[number].split()))


def examples_in(*files: str, cut: Callable[[Shape], Shape] = lambda shape: shape) -> Examples:
    """The examples of files, by kind and language; of each shape the part that `cut` leaves."""

    def derive(*data: Texts) -> Any:
        kinds: defaultdict[str, list[str]] = defaultdict(list)
        for kind, by_language in (item for of_file in data for item in of_file.items()):
            kinds[kind] += (text for texts in by_language.values() for text in texts)
        return Examples.of(kinds, cut).to_json()

    known, shapes = read_derived(files, "shapes", derive)
    return Examples(known, shapes, files)
