"""What kind of question it is, told by the nearest of the examples in ``data/intents.yaml``.

A question is masked first: whatever it names becomes a sign for people, places or dates, words for recordings
become one sign, and every word that no example has becomes a sign for a subject. What is left is the shape of
the question, compared by its words and pairs of words, each worth its idf over all examples. In the same way
``data/acts.yaml`` tells what a sentence does in speaking (dialogue acts as annotators of meetings call them:
Core and Allen's DAMSL; "decision", "action item" and "suggestion" of the AMI corpus).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import pairwise
from math import log, sqrt
from typing import Any

from onrecord.understand.lexicon import Token, lexicon, read_data, read_made, tokens, words

PERSON, WHERE, DATE, KEY, SUBJECT, RECORDING, ITSELF = "P", "W", "D", "K", "x", "R", "M"
_SIGNS = {"person": PERSON, "where": WHERE, "date": DATE, "key": KEY, "x": SUBJECT, "it": ITSELF}
_BRACES = re.compile(r"\{(\w+)\}")

ACTS = (
    *("decision", "task", "promise", "question", "open", "risk"),
    *("disagreement", "agreement", "recommendation", "complaint"),
)
"""Kinds that ask for what is done in speaking."""
CATALOGUE = (
    *("count", "list", "latest", "oldest", "longest", "shortest", "speakers", "talkative", "appearances"),
    *("companions", "roles", "length", "when", "title", "values", "frequency", "first_said", "last_said"),
)
"""Kinds that the catalogue may answer."""
GRAPH = ("connection", "common_ground", "mentioned_by")
"""Kinds that the graph may answer."""
COURTESY = ("greeting", "thanks", "parting", "trial", "help")
"""Kinds that ask nothing."""
SURE, ENOUGH = 0.62, 0.3
"""How alike an example is from which on a question is of its kind; below `ENOUGH` it is a plain search."""

_LITTLE = 0.4
_SAYS_LITTLE = (SUBJECT, f"{SUBJECT} $", f"^ {SUBJECT}")
"""That a question has a subject says little of its kind: so much of what it is worth by its idf."""

Shape = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Guess:
    """A kind, how alike its nearest example is, and how much more than that of any other kind."""

    kind: str
    likeness: float
    margin: float


def shape_of(signs: Iterable[str]) -> Shape:
    """Signs and words without articles, each run of one sign as one."""
    articles = lexicon().sets["articles"]
    found: list[str] = []
    for sign in signs:
        if sign in articles and sign not in ("s",):
            continue
        if sign == DATE and found and found[-1] in lexicon().limits:
            found.pop()  # "since 2024" is a date
        if found and sign == found[-1] and sign in (SUBJECT, WHERE, RECORDING):
            continue
        if found and {found[-1], sign} == {WHERE, RECORDING}:
            found[-1] = WHERE
            continue
        found.append(sign)
    return tuple(found)


def mask(some: Sequence[Token], named: Mapping[int, str], known: Collection[str]) -> Shape:
    """The shape of a question: `named` has the sign of every token of a mention, `known` the words of the
    examples."""
    recordings = lexicon().sets["recordings"]
    signs = []
    for at, token in enumerate(some):
        sign = named.get(at)
        if sign is None:
            sign = RECORDING if token.word in recordings else token.word if token.word in known else SUBJECT
        signs.append(sign)
    return shape_of(_once(signs, named))


def _once(signs: Sequence[str], named: Mapping[int, str]) -> Iterable[str]:
    """Signs with one for each mention, however many words it has."""
    for at, sign in enumerate(signs):
        if at and at in named and at - 1 in named and signs[at - 1] == sign:
            continue
        yield sign


@lru_cache(1 << 12)
def example_words(text: str) -> tuple[str, ...]:
    """The words of an example, without what it leaves open."""
    return words(_BRACES.sub(" ", text))


class Examples:
    """Examples by kind, and which of them are nearest to a shape."""

    def __init__(self, known: Iterable[str], shapes: Iterable[tuple[str, Shape]]) -> None:
        self.known = frozenset(known)
        each = list(shapes)
        self.kinds = [kind for kind, _ in each]
        self.shapes = [shape for _, shape in each]
        self.exact: dict[Shape, str] = {shape: kind for kind, shape in reversed(each)}

    @classmethod
    def of(
        cls, kinds: Mapping[str, Iterable[str]], cut: Callable[[Shape], Shape] = lambda shape: shape
    ) -> Examples:
        """Of texts by kind; of each shape the part that `cut` leaves."""
        texts = [(kind, text) for kind, some in kinds.items() for text in some]
        recordings = lexicon().sets["recordings"]
        known = {word for _, text in texts for word in example_words(text)} - recordings
        return cls(known, dict.fromkeys((kind, cut(cls._shape(text))) for kind, text in texts))

    @classmethod
    def kept(cls, made: Mapping[str, Any]) -> Examples:
        """As they were kept by `plain`."""
        return cls(made["known"], [(kind, tuple(shape)) for kind, shape in made["shapes"]])

    def plain(self) -> dict[str, Any]:
        """As JSON has them."""
        return {"known": sorted(self.known), "shapes": list(zip(self.kinds, self.shapes, strict=True))}

    @cached_property
    def _index(self) -> tuple[Mapping[str, float], Mapping[str, Sequence[tuple[int, float]]]]:
        """What every feature is worth, and the examples that have it, each with its share of their length."""
        features = [_features(shape) for shape in self.shapes]
        holding = Counter(feature for some in features for feature in some)
        worth = {feature: log(1 + len(features) / count) for feature, count in holding.items()}
        worth |= {feature: _LITTLE * worth[feature] for feature in _SAYS_LITTLE if feature in worth}
        postings: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
        for number, some in enumerate(features):
            norm = sqrt(sum(worth[feature] ** 2 for feature in some)) or 1.0
            for feature in some:
                postings[feature].append((number, worth[feature] / norm))
        return worth, postings

    @staticmethod
    def _shape(text: str) -> Shape:
        parts = _BRACES.split(text)
        signs: list[str] = []
        recordings = lexicon().sets["recordings"]
        for at, part in enumerate(parts):
            if at % 2:
                signs.append(_SIGNS[part])
            else:
                signs += (RECORDING if word in recordings else word for word in words(part))
        return shape_of(signs)

    def near(self, shape: Shape, telling: float = 1.0) -> dict[str, float]:
        """How alike the nearest example of every kind is, in 0..1 (cosine).

        A shape that is `telling` less than so much, by the length of its vector, is as much less like any."""
        worth, postings = self._index
        unknown = log(1 + len(self.shapes))
        some = {feature: worth.get(feature, unknown) for feature in _features(shape)}
        norm = max(telling, sqrt(sum(each**2 for each in some.values())))
        scores: defaultdict[int, float] = defaultdict(float)
        for feature, each in some.items():
            for number, weight in postings.get(feature, ()):
                scores[number] += each * weight
        best: dict[str, float] = {}
        for number, score in scores.items():
            kind = self.kinds[number]
            if score > best.get(kind, 0.0):
                best[kind] = score
        return {kind: score / norm for kind, score in best.items()}

    def guess(self, shape: Shape, but: Collection[str] = ()) -> Guess:
        """The kind of the nearest example, but for some kinds; of one of the same shape its kind, surely."""
        same = self.exact.get(shape)
        if same and same not in but:
            return Guess(same, 1.0, 1.0)
        best, second = Guess("search", 0.0, 0.0), 0.0
        for kind, likeness in self.near(shape).items():
            if kind not in but and likeness > best.likeness:
                best, second = Guess(kind, likeness, 0.0), best.likeness
            elif kind not in but:
                second = max(second, likeness)
        return Guess(best.kind, best.likeness, best.likeness - second)


def _features(shape: Shape) -> Iterable[str]:
    """The words of a shape and its pairs of neighbours, among them its beginning and its end; each once."""
    pairs = map(" ".join, pairwise(("^", *shape, "$")))
    return dict.fromkeys((*shape, *pairs))


def _shapes(data: Mapping[str, Mapping[str, Sequence[str]]]) -> dict[str, Any]:
    """The shapes of examples by kind and language, as JSON has them."""
    return Examples.of(_by_kind(data)).plain()


def _by_kind(data: Mapping[str, Mapping[str, Sequence[str]]]) -> dict[str, list[str]]:
    return {kind: [text for some in by.values() for text in some] for kind, by in data.items()}


@cache
def kinds() -> Examples:
    """The examples of ``data/intents.yaml``."""
    return _examples_in("intents.yaml")


def _examples_in(name: str) -> Examples:
    """The examples of a file, by kind and language."""
    return Examples.kept(read_made(name, "shapes", _shapes))


@cache
def connections() -> Examples:
    """The examples of ``data/connections.yaml``, kept apart: they change what no other kind is worth. Their
    shapes are `of_anything`."""

    def make(data: Mapping[str, Mapping[str, Sequence[str]]]) -> dict[str, Any]:
        return Examples.of(_by_kind(data), of_anything).plain()

    return Examples.kept(read_made("connections.yaml", "shapes-of-anything", make))


def of_anything(shape: Shape) -> Shape:
    """A shape with one sign for people, places and subjects: the graph has them all alike."""
    return shape_of(SUBJECT if sign in (PERSON, WHERE) else sign for sign in shape)


@cache
def frame_words(kind: str) -> frozenset[str]:
    """The words of the examples of one kind."""
    data = read_data("connections.yaml" if kind in GRAPH else "intents.yaml")[kind]
    return frozenset(
        word for some in data.values() for text in some for word in words(_BRACES.sub(" ", text))
    )


@cache
def courtesies() -> Mapping[Shape, tuple[str, str]]:
    """What asks nothing, word by word, with its language and kind."""

    def make(data: Mapping[str, Mapping[str, Sequence[str]]]) -> list[Any]:
        texts = [(t, of, kind) for kind in COURTESY for of, some in data[kind].items() for t in some]
        return [[words(text), language, kind] for text, language, kind in texts]

    made = read_made("intents.yaml", "courtesies", make)
    return {tuple(phrase): (language, kind) for phrase, language, kind in made}


_AROUND = 4
"""Words before and behind a mention that tell what part it has."""


def _window(shape: Shape) -> Shape:
    """The part of a shape around the mention that is asked of."""
    at = shape.index(ITSELF) if ITSELF in shape else 0
    return shape[max(0, at - _AROUND) : at + _AROUND + 1]


class Roles:
    """What part a person or a date has in a question, by the nearest window of ``data/roles.yaml``."""

    @cached_property
    def _examples(self) -> Mapping[str, Examples]:
        def make(data: Mapping[str, Mapping[str, Sequence[str]]]) -> dict[str, Any]:
            return {of: Examples.of(parts, _window).plain() for of, parts in data.items()}

        made = read_made("roles.yaml", "windows", make)
        return {of: Examples.kept(plain) for of, plain in made.items()}

    def warm(self) -> None:
        """Read the examples."""
        _ = self._examples

    def part(
        self,
        of: str,
        some: Sequence[Token],
        named: Mapping[int, str],
        at: Collection[int],
        least: float = ENOUGH,
        ahead: float = 0.0,
    ) -> str:
        """The part that the mention of those tokens has: "voice" or "subject", "recorded" or "content", ...

        Empty where no example is at least so much alike, or none is ahead of those of the other parts."""
        examples = self._examples[of]
        signs = {**named, **dict.fromkeys(at, ITSELF)}
        near = examples.near(_window(mask(some, signs, examples.known)))
        ranked = sorted(near, key=near.__getitem__, reverse=True)
        if not ranked or near[ranked[0]] < least:
            return ""
        second = near[ranked[1]] if len(ranked) > 1 else 0.0
        return ranked[0] if near[ranked[0]] - second >= ahead else ""


@cache
def roles() -> Roles:
    return Roles()


def warm() -> None:
    """Read the examples that questions are held against."""
    kinds()
    roles().warm()


def subject_words(text: str) -> list[str]:
    """The words of a question that no example has: what it is about."""
    return [token.word for token in tokens(text) if token.word not in kinds().known and len(token.word) > 2]


LEAST = 0.45
"""How alike its nearest example is, at least, for a sentence to do what that does."""
_COMMA = re.compile(r"[,;:] ")
_CLAUSE = 5
"""Words of a clause that may do something by itself."""
_TELLING = 10.0
"""How much a sentence must tell: "For once." is like many an example, and says next to nothing."""
_AHEAD = 0.03
"""How much more alike than an example in which nothing is done."""


_STATED = ("decision", "promise", "agreement", "disagreement")
"""Acts that a question does not perform, but for those that an example has: "No objections?"."""
_PUT = 0.9


@cache
def _act_examples() -> Examples:
    return _examples_in("acts.yaml")


@lru_cache(1 << 14)
def _near(text: str) -> dict[str, float]:
    examples = _act_examples()
    return examples.near(mask(tokens(text), {}, examples.known), _TELLING)


def strength(text: str, act: str) -> float:
    """How surely a sentence does what an act is, in 0..1; 0 where it does not."""
    if act == "question" and text.rstrip("\"'”’») ").endswith("?"):
        return 1.0
    return max(_strength(part, act) for part in (text, *_clauses(text)))


def _clauses(text: str) -> list[str]:
    """The parts of a long sentence: of "we ask for the money, and we decide in May" either may do it."""
    parts = [part.strip() for part in _COMMA.split(text)]
    return [part for part in parts if len(part.split()) >= _CLAUSE] if len(parts) > 1 else []


def _strength(text: str, act: str) -> float:
    near = _near(text)
    likeness = near.get(act, 0.0)
    if act in _STATED and text.rstrip().endswith("?") and likeness < _PUT:
        return 0.0
    return likeness if likeness >= max(LEAST, near.get("none", 0.0) + _AHEAD) else 0.0


_ENOUGH, _SHARE = 4, 4
"""Of so many words, at least one in so many is of a language that a question is in."""


@cache
def _by_language() -> Mapping[str, frozenset[str]]:
    """The words of the example questions of each language."""

    def make(data: Mapping[str, Mapping[str, Sequence[str]]]) -> dict[str, list[str]]:
        found: dict[str, set[str]] = {}
        for by in data.values():
            for language, texts in by.items():
                found.setdefault(language, set()).update(word for t in texts for word in example_words(t))
        return {language: sorted(some) for language, some in found.items()}

    made = read_made("intents.yaml", "languages", make)
    return {language: frozenset(some) for language, some in made.items()}


def language_of(text: str) -> str | None:
    """The language whose example questions have most of the words of a text; None for another one.

    Of few words, and where none has more, it is the first."""
    some = words(text[:1000])
    counts = {code: sum(word in known for word in some) for code, known in _by_language().items()}
    best = max(counts, key=lambda code: counts[code])
    if len(some) >= _ENOUGH and counts[best] * _SHARE < len(some):
        return None
    return best if counts[best] else next(iter(counts))
