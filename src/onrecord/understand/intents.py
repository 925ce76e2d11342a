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

from onrecord.understand.lexicon import Token, lexicon, read_data, read_derived, tokens, words

PERSON, WHERE, DATE, KEY, SUBJECT, RECORDING, ITSELF = "P", "W", "D", "K", "x", "R", "M"
SIGNS = {"person": PERSON, "where": WHERE, "date": DATE, "key": KEY, "x": SUBJECT, "it": ITSELF}
_FIELD_SIGNS = {"speaker": PERSON, "role": PERSON, "date": DATE}
BRACES = re.compile(r"\{(\w+)\}")

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
OF_PEOPLE = ("speakers", "talkative", "appearances", "companions", "roles")
"""Those that ask for people."""
GRAPH = ("connection", "common_ground", "contrast", "mentioned_by", "causes", "defined")
"""Kinds that the graph may answer."""
COURTESY = ("greeting", "thanks", "parting", "trial", "help")
"""Kinds that ask nothing."""
SURE, ENOUGH = 0.62, 0.3
"""How alike an example must be for a question to be of its kind; below `ENOUGH` it is a plain search."""

_LITTLE = 0.4
_SAYS_LITTLE = (SUBJECT, f"{SUBJECT} $", f"^ {SUBJECT}")
"""That a question has a subject says little of its kind: this share of what it is worth by its idf."""

Shape = tuple[str, ...]
"""Words and signs. What a question mentions is a sign, and so is each word that no example has."""
ByLanguage = Mapping[str, Sequence[str]]
"""Example texts by language."""


@dataclass(frozen=True, slots=True)
class Guess:
    """A kind, how alike its nearest example is, and how much more than that of any other kind."""

    kind: str
    likeness: float
    margin: float


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
    recordings = lexicon().sets["recordings"]
    signs: list[str] = []
    for at, token in enumerate(tokens):
        if at not in named:
            other = RECORDING if token.word in recordings else SUBJECT
            signs.append(token.word if token.word in known and other == SUBJECT else other)
        elif named.get(at - 1) != named[at]:
            signs.append(named[at])
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
    return shape_of(SUBJECT if sign in (PERSON, WHERE) else sign for sign in shape)


# ---------------------------------------------------------------- examples


class Examples:
    """Examples by kind, and which of them are nearest to a shape."""

    def __init__(self, known: Iterable[str], shapes: Iterable[tuple[str, Shape]]) -> None:
        """`known` are their words, `shapes` the kind and the shape of each."""
        self.known = frozenset(known)
        pairs = [(kind, tuple(shape)) for kind, shape in shapes]
        self.kinds = [kind for kind, _ in pairs]
        self.shapes = [shape for _, shape in pairs]
        self.exact: dict[Shape, str] = {shape: kind for kind, shape in reversed(pairs)}

    @classmethod
    def of(
        cls, kinds: Mapping[str, Iterable[str]], cut: Callable[[Shape], Shape] = lambda shape: shape
    ) -> Examples:
        """Of texts by kind; of each shape the part that `cut` leaves."""
        texts = [(kind, text) for kind, of_kind in kinds.items() for text in of_kind]
        known = {word for _, text in texts for word in example_words(text)}
        shapes = dict.fromkeys((kind, cut(shape_of_example(text))) for kind, text in texts)
        return cls(known - lexicon().sets["recordings"], shapes)

    def to_json(self) -> tuple[list[str], list[tuple[str, Shape]]]:
        """The arguments of an equal one, as JSON has them."""
        return sorted(self.known), list(zip(self.kinds, self.shapes, strict=True))

    @cached_property
    def _index(self) -> tuple[Mapping[str, float], Mapping[str, Sequence[tuple[int, float]]]]:
        """The weight of every feature, and the examples that have it, each with its share of their length."""
        features = [_features(shape) for shape in self.shapes]
        counts = Counter(feature for of_shape in features for feature in of_shape)
        weights = {feature: log(1 + len(features) / count) for feature, count in counts.items()}
        weights |= {feature: _LITTLE * weights[feature] for feature in _SAYS_LITTLE if feature in weights}
        postings: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
        for number, of_shape in enumerate(features):
            norm = sqrt(sum(weights[feature] ** 2 for feature in of_shape)) or 1.0
            for feature in of_shape:
                postings[feature].append((number, weights[feature] / norm))
        return weights, postings

    def near(self, shape: Shape, least_norm: float = 1.0) -> dict[str, float]:
        """How alike the nearest example of every kind is, in 0..1 (cosine of tf-idf vectors).

        A shape whose vector is shorter than `least_norm` is less like any, by as much."""
        weights, postings = self._index
        unknown = log(1 + len(self.shapes))
        scores: defaultdict[int, float] = defaultdict(float)
        squares = 0.0
        for feature in _features(shape):
            weight = weights.get(feature, unknown)
            squares += weight**2
            for number, share in postings.get(feature, ()):
                scores[number] += weight * share
        norm = max(least_norm, sqrt(squares))
        best: dict[str, float] = {}
        for number, score in scores.items():
            kind = self.kinds[number]
            best[kind] = max(best.get(kind, 0.0), score / norm)
        return best

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


@cache
def kinds() -> Examples:
    """The examples of ``data/intents.yaml``."""
    return _examples_in("intents.yaml")


@cache
def connections() -> Examples:
    """The examples of ``data/connections.yaml``, with shapes `of_anything`.

    They are apart from the others so that they do not change what the features of those weigh."""
    return _examples_in("connections.yaml", of_anything)


def _examples_in(name: str, cut: Callable[[Shape], Shape] = lambda shape: shape) -> Examples:
    """The examples of a file, by kind and language."""

    def derive(data: Mapping[str, ByLanguage]) -> Any:
        texts = {kind: [t for some in by.values() for t in some] for kind, by in data.items()}
        return Examples.of(texts, cut).to_json()

    return Examples(*read_derived(name, "shapes", derive))


@cache
def frame_words(kind: str) -> frozenset[str]:
    """The words of the examples of one kind."""
    by_language = read_data("connections.yaml" if kind in GRAPH else "intents.yaml")[kind]
    return frozenset(word for texts in by_language.values() for text in texts for word in example_words(text))


@cache
def courtesies() -> Mapping[Shape, tuple[str, str]]:
    """The language and the kind of every text that asks nothing, by its words."""

    def derive(data: Mapping[str, ByLanguage]) -> list[Any]:
        texts = [(t, code, kind) for kind in COURTESY for code, some in data[kind].items() for t in some]
        return [[words(text), code, kind] for text, code, kind in texts]

    derived = read_derived("intents.yaml", "courtesies", derive)
    return {tuple(phrase): (code, kind) for phrase, code, kind in derived}


def subject_words(text: str) -> list[str]:
    """The words of a question that no example has: what it is about."""
    return [token.word for token in tokens(text) if token.word not in kinds().known and len(token.word) > 2]


# ---------------------------------------------------------------- the part of a mention

_AROUND = 4
"""Words before and behind a mention that tell what part it has."""


def part_of(
    topic: str,
    tokens: Sequence[Token],
    named: Mapping[int, str],
    at: Collection[int],
    least: float = ENOUGH,
    ahead: float = 0.0,
) -> str:
    """The part that a mention has in a question, by the nearest example of ``data/roles.yaml``.

    Args:
        topic: "person", whose part is "voice" or "subject", "date" ("recorded" or "content") or "where".
        at: the tokens of the mention.
        least: how alike an example must be.
        ahead: how much more alike than those of all other parts.

    Returns:
        The part; empty where no example is near enough.
    """
    examples = _parts()[topic]
    shape = mask(tokens, {**named, **dict.fromkeys(at, ITSELF)}, examples.known)
    guess = examples.guess(_window(shape))
    return guess.kind if guess.likeness >= least and guess.margin >= ahead else ""


@cache
def _parts() -> Mapping[str, Examples]:
    """The examples of ``data/roles.yaml``, by what they are of."""

    def derive(data: Mapping[str, ByLanguage]) -> Any:
        return {topic: Examples.of(parts, _window).to_json() for topic, parts in data.items()}

    return {topic: Examples(*made) for topic, made in read_derived("roles.yaml", "windows", derive).items()}


def _window(shape: Shape) -> Shape:
    """The part of a shape around the mention that is asked of."""
    at = shape.index(ITSELF) if ITSELF in shape else 0
    return shape[max(0, at - _AROUND) : at + _AROUND + 1]


def warm() -> None:
    """Read the examples that questions are compared with."""
    kinds()
    _parts()


# ---------------------------------------------------------------- acts

LEAST = 0.45
"""How alike its nearest example must be for a sentence to do what that does."""
_COMMA = re.compile(r"[,;:] ")
_CLAUSE = 5
"""Words of a clause that may do something by itself."""
_TELLING = 10.0
"""The least norm of a sentence: "For once." is like many an example, and says next to nothing."""
_AHEAD = 0.03
"""How much more alike than an example in which nothing is done."""
_STATED = ("decision", "promise", "agreement", "disagreement")
"""Acts that a question does not perform, except those that an example has: "No objections?"."""
_PUT = 0.9
"""How alike an example must be for a question to perform one of these."""


@cache
def _act_examples() -> Examples:
    return _examples_in("acts.yaml")


def strength(text: str, act: str) -> float:
    """How surely a sentence does what an act is, in 0..1; 0 where it does not."""
    if act == "question" and text.rstrip("\"'”’») ").endswith("?"):
        return 1.0
    parts = [part.strip() for part in _COMMA.split(text)]  # either part of a long sentence may do it
    clauses = [part for part in parts if len(part.split()) >= _CLAUSE] if len(parts) > 1 else []
    return max(_strength(part, act) for part in (text, *clauses))


def _strength(text: str, act: str) -> float:
    near = _near_acts(text)
    likeness = near.get(act, 0.0)
    if act in _STATED and text.rstrip().endswith("?") and likeness < _PUT:
        return 0.0
    return likeness if likeness >= max(LEAST, near.get("none", 0.0) + _AHEAD) else 0.0


@lru_cache(1 << 14)
def _near_acts(text: str) -> dict[str, float]:
    examples = _act_examples()
    return examples.near(mask(tokens(text), {}, examples.known), _TELLING)


# ---------------------------------------------------------------- languages

_FEWEST, _SHARE = 4, 4
"""Of so many words, at least one in so many is of a language that a question is in."""


@cache
def _by_language() -> Mapping[str, frozenset[str]]:
    """The words of the example questions of each language."""

    def derive(data: Mapping[str, ByLanguage]) -> dict[str, list[str]]:
        known: defaultdict[str, set[str]] = defaultdict(set)
        for by_language in data.values():
            for code, texts in by_language.items():
                known[code].update(word for text in texts for word in example_words(text))
        return {code: sorted(of_language) for code, of_language in known.items()}

    derived = read_derived("intents.yaml", "languages", derive)
    return {code: frozenset(of_language) for code, of_language in derived.items()}


@lru_cache(1 << 8)
def language_of(text: str) -> str | None:
    """The language whose example questions have most of the words of a text; None for another one.

    Of few words, and where no language has more, it is the first."""
    asked = words(text[:1000])
    counts = {code: len([w for w in asked if w in known]) for code, known in _by_language().items()}
    best = max(counts, key=counts.__getitem__)
    if len(asked) >= _FEWEST and counts[best] * _SHARE < len(asked):
        return None
    return best if counts[best] else next(iter(counts))
