"""Example-based classification of questions, mentions, dialogue acts and languages.

The text is masked first: mentions of people, places and dates, words for recordings, and words that no
example has each become a sign. The result is the shape of the text. Shapes are compared by the cosine of
tf-idf vectors over runs of two to four characters (Cavnar and Trenkle, N-Gram-Based Text Categorization,
1994).

``data/intents.yaml`` and ``paraphrases.yaml`` vote for the kind of a question. ``data/roles.yaml``
determines the role of a mention in a question, and ``data/acts.yaml`` the dialogue act of a sentence.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from onrecord.stores.words import FUNCTION_WORDS
from onrecord.understand.lexicon import Token, Tokens, lexicon, read_data, read_derived, words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[Any]

PERSON, WHERE, DATE, KEY, SUBJECT, RECORDING, ITSELF = "P", "W", "D", "K", "x", "R", "M"
SIGNS = {"person": PERSON, "where": WHERE, "date": DATE, "key": KEY, "x": SUBJECT, "it": ITSELF}
FIELD_SIGNS = {"speaker": PERSON, "role": PERSON, "date": DATE}
"""The sign of mentions of each field; mentions of any other field have the sign of a place."""
BRACES = re.compile(r"\{(\w+)\}")

Shape = tuple[str, ...]
"""The words and signs of a masked text: mentions and words that no example has are signs."""


@dataclass(frozen=True, slots=True)
class Guess:
    """A kind, its likeness in 0..1, and the shape of the nearest example.

    A likeness of 1 means that an example has the same shape."""

    kind: str
    likeness: float
    example: Shape = ()


# ---------------------------------------------------------------- shapes


def shape_of(signs: Iterable[str]) -> Shape:
    """Return the shape of words and signs: drop articles, and merge runs of one sign."""
    lex = lexicon()
    shape: list[str] = []
    for sign in signs:
        last = shape[-1] if shape else ""
        if sign == "s" and last in lex.contracted:
            sign = "is"
        elif sign in lex.articles and sign != "s":
            continue
        if sign == DATE and last in lex.limits:
            shape[-1] = DATE  # "since 2024" is a date
        elif {last, sign} == {WHERE, RECORDING}:
            shape[-1] = WHERE
        elif sign != last or sign not in (SUBJECT, WHERE, RECORDING):
            shape.append(sign)
    return tuple(shape)


def mask(tokens: Sequence[Token], named: Mapping[int, str], known: Collection[str]) -> Shape:
    """Return the shape of a question.

    `named` are the signs of the tokens of mentions, by position; `known` are the words of the examples."""
    recordings, titles = lexicon().recordings, lexicon().titles
    signs: list[str] = []
    for at, token in enumerate(tokens):
        if at in named:
            signs += (named[at],) * (named.get(at - 1) != named[at])
        elif token.word in titles and named.get(at + 1) in (PERSON, ITSELF):
            continue  # a courtesy title belongs to the name: "Ms Halden"
        elif token.word in known and token.word not in recordings:
            signs.append(token.word)
        else:
            signs.append(RECORDING if token.word in recordings else SUBJECT)
    return shape_of(signs)


def shape_of_example(text: str) -> Shape:
    """Return the shape of an example with mentions in braces: "what did {person} say about {x}"."""
    recordings = lexicon().recordings
    signs: list[str] = []
    for at, part in enumerate(BRACES.split(text)):
        if at % 2:
            signs.append(SIGNS[part])
        else:
            signs += (RECORDING if word in recordings else word for word in words(part))
    return shape_of(signs)


def example_words(text: str) -> tuple[str, ...]:
    """Return the words of an example, without its placeholders in braces."""
    return words(BRACES.sub(" ", text))


def texts_in(examples: Any) -> Iterator[str]:
    """Yield all example texts in nested lists and mappings."""
    if isinstance(examples, str):
        yield examples
    else:
        for each in examples.values() if isinstance(examples, Mapping) else examples:
            yield from texts_in(each)


def of_anything(shape: Shape) -> Shape:
    """Return a shape with one sign for people, places and subjects, which are all entities in the graph."""
    return shape_of(SUBJECT if sign in (PERSON, WHERE, KEY) else sign for sign in shape)


# ---------------------------------------------------------------- examples

_LENGTHS = (2, 3, 4)
_BUCKETS = 1 << 16
"""Number of buckets that n-grams are hashed to."""
_POWERS = np.array([31337**n for n in range(max(_LENGTHS))], np.uint64).astype(np.uint32)
_RIDGE = 0.3
"""The ridge parameter of the regression, chosen by leave-one-out cross-validation."""
_DOUBT, _NEAREST = 0.1, 0.25
"""The constant added to the scores against a kind, and the weight of the nearest example in the likeness."""


def grams_of(text: str) -> Numbers:
    """Return the distinct n-grams of a text as sorted bucket numbers of dtype uint16."""
    codes = np.frombuffer(f" {text} ".encode("latin-1", "replace"), np.uint8).astype(np.uint32)
    windows = (np.lib.stride_tricks.sliding_window_view(codes, n) for n in _LENGTHS if n <= len(codes))
    sums = np.concatenate([window @ _POWERS[: window.shape[1]] for window in windows])
    return np.unique(sums * np.uint32(2654435761) >> np.uint32(16)).astype(np.uint16)


class Examples:
    """Examples by kind, with methods that find the kind nearest to a shape."""

    def __init__(
        self,
        known: Iterable[str],
        kinds: Sequence[str],
        shapes: Sequence[str],
        files: Sequence[str] = (),
        topic: str = "",
    ) -> None:
        """Store the known words, and the kind and shape of each example.

        Arrays learnt from examples under a topic of the package's files are cached."""
        self.known, self.kinds, self.shapes = frozenset(known), kinds, shapes
        self._files, self._topic = files, topic
        pairs = [*zip(shapes, kinds, strict=True)][::-1]  # of equal shapes, the first example counts
        self.exact: dict[str, str] = {shape: kind for shape, kind in pairs if kind == "search"}
        self.exact |= {shape: kind for shape, kind in pairs if kind != "search"}

    @classmethod
    def of(cls, kinds: Mapping[str, Any], cut: Callable[[Shape], Shape] = lambda shape: shape) -> Examples:
        """Build examples from texts by kind; `cut` reduces each shape to the part that matters."""
        texts = [(kind, text) for kind, of_kind in kinds.items() for text in texts_in(of_kind)]
        known = {word for _, text in texts for word in example_words(text)}
        pairs = dict.fromkeys((kind, " ".join(cut(shape_of_example(text)))) for kind, text in texts)
        recordings = lexicon().recordings
        return cls(known - recordings, [kind for kind, _ in pairs], [shape for _, shape in pairs])

    def _learnt(self, what: str, derive: Callable[[], list[Numbers]], number: type) -> list[Numbers]:
        """Return arrays derived from the examples; cache them if the examples come from files."""

        def packed(*_: object) -> list[str]:
            return [b64encode(array.astype(number).tobytes()).decode() for array in derive()]

        stored = read_derived(self._files, f"{self._topic}-{what}", packed) if self._files else packed()
        return [np.frombuffer(b64decode(text), number) for text in stored]

    @cached_property
    def _index(self) -> tuple[Numbers, Numbers, Numbers, Numbers]:
        """The examples with each n-gram, the bounds of each n-gram's examples, each idf², and the norms.

        Shapes: (n-grams of all examples,), (buckets + 1,), (buckets,) and (examples,)."""

        def derive() -> list[Numbers]:
            grams = [grams_of(shape) for shape in self.shapes]
            numbers = np.repeat(np.arange(len(grams)), [len(each) for each in grams])
            joined = np.concatenate(grams)
            return [numbers[np.argsort(joined, kind="stable")], *np.unique(joined, return_counts=True)]

        numbers, distinct, shares = self._learnt("postings", derive, np.uint16)
        counts = np.zeros(_BUCKETS, np.int64)
        counts[distinct] = shares
        weights = np.log1p(len(self.shapes) / np.maximum(counts, 1)).astype(np.float32) ** 2
        norms = np.sqrt(np.bincount(numbers, np.repeat(weights, counts))).astype(np.float32)
        return numbers, np.append(0, np.cumsum(counts)), weights, norms

    def _cosines(self, text: str, least_norm: float = 1.0) -> Numbers:
        """Return the cosine of a text with each example."""
        numbers, bounds, weights, norms = self._index
        own = grams_of(text).astype(np.int64)
        begins, ends = bounds[own], bounds[own + 1]
        having = np.concatenate([numbers[begin:end] for begin, end in zip(begins, ends, strict=True)])
        products = np.bincount(having, np.repeat(weights[own], ends - begins), len(norms))
        norm = max(least_norm, float(np.sqrt(weights[own].sum())))
        cosines: Numbers = (products / (norms * norm)).astype(np.float32)
        return cosines

    @cached_property
    def _votes(self) -> Numbers:
        """The weight of each example for each kind, of shape (examples, kinds).

        The weights are those of a kernel ridge regression on the cosines. Similar shapes share their weight,
        so that many examples of one wording count as one."""

        def derive() -> list[Numbers]:
            kernel = np.array([self._cosines(shape) for shape in self.shapes], np.float32)
            kernel.flat[:: len(kernel) + 1] += _RIDGE
            wanted = np.equal.outer(self.kinds, list(self._of_kind))
            return [np.linalg.solve(kernel, wanted.astype(np.float32))]

        (votes,) = self._learnt("votes", derive, np.float16)
        return votes.astype(np.float32).reshape(len(self.shapes), -1)

    def vote(self, shape: Shape, but: Collection[str] = (), plain: Collection[str] = ()) -> Guess:
        """Return the kind that all examples vote for, without the kinds `but`.

        An example of the same shape decides the kind alone, with a likeness of 1. Otherwise a quarter of the
        likeness is the cosine of the kind's nearest example. Three quarters are the share of the kind's
        score in the sum of its score, the next kind's, those of all `plain` kinds, and a constant. Plain
        kinds do not compete with one another."""
        same = self.exact.get(" ".join(shape))
        if same and same not in but:
            return Guess(same, 1.0, shape)
        cosines = self._cosines(" ".join(shape))
        summed = np.maximum(cosines @ self._votes, 0.0).tolist()
        scores = {kind: score for kind, score in zip(self._of_kind, summed, strict=True) if kind not in but}
        kind = max(scores, key=scores.__getitem__)
        alike = plain if kind in plain else (kind,)
        own = sum(scores.get(each, 0.0) for each in alike)
        searches = sum(scores.get(each, 0.0) for each in plain if each not in alike)
        rival = max(score for each, score in scores.items() if each not in (*plain, *alike))
        share = own / (own + searches + rival + _DOUBT)
        likest, number = max(near for each, near in self._nearest(cosines).items() if each in alike)
        likeness = (1 - _NEAREST) * share + _NEAREST * likest
        return Guess(kind, likeness, tuple(self.shapes[number].split()))

    def near(self, shape: Shape, least_norm: float = 1.0) -> dict[str, tuple[float, int]]:
        """Return the cosine, in 0..1, and the number of the nearest example of every kind.

        A shape whose vector is shorter than `least_norm` has its cosines reduced in proportion."""
        return self._nearest(self._cosines(" ".join(shape), least_norm))

    @cached_property
    def _of_kind(self) -> Mapping[str, Numbers]:
        kinds = np.array(self.kinds)
        return {kind: np.flatnonzero(kinds == kind) for kind in dict.fromkeys(self.kinds)}

    def _nearest(self, cosines: Numbers) -> dict[str, tuple[float, int]]:
        """Return the cosine and the index of the nearest example of every kind."""
        nearest = ((kind, numbers[cosines[numbers].argmax()]) for kind, numbers in self._of_kind.items())
        return {kind: (float(cosines[number]), int(number)) for kind, number in nearest}

    def guess(self, shape: Shape) -> Guess:
        """Return the kind of the nearest example; one of the same shape has a likeness of 1."""
        if same := self.exact.get(" ".join(shape)):
            return Guess(same, 1.0, shape)
        (likeness, number), kind = max((near, kind) for kind, near in self.near(shape).items())
        return Guess(kind, likeness, tuple(self.shapes[number].split()))


@cache
def examples_in(
    *files: str, topic: str = "", cut: Callable[[Shape], Shape] = lambda shape: shape
) -> Examples:
    """Return the examples in files of the data folder, or under one topic; cache them in memory and on disk.

    `cut` reduces each shape to the part that matters."""

    def derive(*data: Any) -> Any:
        kinds: dict[str, list[Any]] = {}
        for kind, texts in (item for each in data for item in (each[topic] if topic else each).items()):
            kinds.setdefault(kind, []).append(texts)
        found = Examples.of(kinds, cut)
        return sorted(found.known), found.kinds, found.shapes

    known, of_each, shapes = read_derived(files, f"{topic}-examples", derive)
    return Examples(known, of_each, shapes, files, topic)


# ---------------------------------------------------------------- kinds of questions

SURE, ENOUGH = 0.52, 0.3
"""The minimum likeness, in 0..1, for most kinds, and for a kind that changes only the intent."""
Family = Literal["plain", "followup", "wide", "comparison", "whole", "act", "catalogue", "words", "graph"]
"""A plain search, a follow-up, a wider search, a comparison, a request for a whole recording, or a question
that asks for dialogue acts, a fact of the catalog, where words occur, or a fact of the graph."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of question, by the name that its examples have, with the intent and strategy of its plan.

    Below the likeness `least`, in 0..1, the question is a plain search. `recordings` tells whether the kind
    is mostly about "one" recording, or about "some". Questions `of_people` are about people; one that
    `refers` needs an earlier turn ("who else was there"). A kind that chooses among recordings names the kind
    to use `for_one`."""

    name: str
    family: Family
    intent: str = "factual"
    strategy: str = "balanced"
    least: float = SURE
    recordings: Literal["", "one", "some"] = ""
    of_people: bool = False
    refers: bool = False
    for_one: str = ""

    @property
    def in_catalog(self) -> bool:
        """Whether the catalog may answer."""
        return self.family in ("catalogue", "words")


def _alike(names: str, family: Family, **fields: Any) -> Iterator[Kind]:
    """Yield kinds that differ only in their names."""
    return (Kind(name, family, **fields) for name in names.split())


_KINDS = (
    Kind("search", "plain", least=ENOUGH),
    Kind("one_line", "plain", strategy="factual", least=0.65),
    Kind("definition", "plain", "definition", least=ENOUGH),
    Kind("causal", "plain", "causal", least=ENOUGH),
    Kind("followup", "followup", least=ENOUGH),
    Kind("summary", "wide", "summary"),
    Kind("exploratory", "wide", "exploratory", "exploratory"),
    Kind("section", "wide", "exploratory", "section"),
    Kind("comparison", "comparison", "comparison", "comparison"),
    Kind("overview", "whole", "summary", "overview"),
    Kind("full", "whole", "summary", "full"),
    *_alike("decision task promise question open risk recommendation complaint", "act"),
    *_alike("disagreement agreement", "act", refers=True),
    *_alike("count list", "catalogue"),
    *_alike("latest oldest", "catalogue", recordings="some", for_one="when"),
    *_alike("longest shortest", "catalogue", recordings="some", for_one="length"),
    *_alike("speakers roles", "catalogue", recordings="one", of_people=True),
    Kind("talkative", "catalogue", recordings="one", of_people=True),
    Kind("appearances", "catalogue", recordings="some", of_people=True),
    Kind("identity", "catalogue", of_people=True),
    Kind("companions", "catalogue", of_people=True, refers=True),
    Kind("when", "catalogue", recordings="one"),
    *_alike("length title values", "catalogue", recordings="one"),
    Kind("mentioned_in", "words", "exploratory", "exploratory"),
    *_alike("frequency first_said last_said", "words", least=0.8),
    Kind("mentioned_by", "graph", least=0.8),
    Kind("connection", "graph", "multi_entity", least=0.8),
    Kind("common_ground", "graph", "multi_entity", "comparison", 0.8),
    Kind("contrast", "graph", "comparison", "comparison", 0.8),
    Kind("alone", "graph", "comparison", least=0.85),  # "what does x say that ..." has .81
    Kind("causes", "graph", "causal", least=0.8),
    Kind("defined", "graph", "definition", least=0.8),
)
KINDS = {kind.name: kind for kind in _KINDS}
PLAIN = tuple(kind.name for kind in _KINDS if kind.family == "plain")
WITHOUT_SUBJECT = frozenset(kind.name for kind in _KINDS if kind.family == "catalogue")


@cache
def kinds() -> Examples:
    """Return the examples of the kinds of questions."""
    return examples_in("intents.yaml", "paraphrases.yaml")


@cache
def connections() -> Examples:
    """Return the examples of ``data/connections.yaml``; with the others, they would change their weights."""
    return examples_in("connections.yaml", cut=of_anything)


@cache
def _example_words() -> list[tuple[str, str, frozenset[str]]]:
    """Return each kind and language code with the words of its examples."""

    def derive(*data: Mapping[str, Mapping[str, list[str]]]) -> list[tuple[str, str, list[str]]]:
        rows = (
            (kind, code, texts) for each in data for kind, by in each.items() for code, texts in by.items()
        )
        return [(kind, code, sorted(set(chain(*map(example_words, texts))))) for kind, code, texts in rows]

    derived = read_derived(["intents.yaml", "connections.yaml"], "words", derive)
    return [(kind, code, frozenset(some)) for kind, code, some in derived]


@cache
def frame_words(kind: str) -> frozenset[str]:
    """Return the words of the examples of one kind."""
    return frozenset().union(*(some for each, _, some in _example_words() if each == kind))


@cache
def asking_words() -> frozenset[str]:
    """Return the words of the examples in ``data/intents.yaml``, but for recordings: they are no subject."""
    asking = (some for kind, _, some in _example_words() if KINDS[kind].family != "graph")
    return frozenset().union(*asking) - lexicon().recordings


@cache
def courtesies() -> Mapping[Shape, tuple[str, str]]:
    """Return the language and the kind of every courtesy, by its words."""
    data = read_data("courtesies.yaml").items()
    return {words(text): (code, kind) for kind, by in data for code, texts in by.items() for text in texts}


def without_preamble(tokens: Tokens) -> str:
    """Return a text without the courtesies that it begins and ends with: "hello, can you tell me"."""
    behind = {first: last + 1 for first, last, _ in tokens.phrases(courtesies())}
    begin, end = 0, len(tokens)
    while begin in behind:
        begin = behind[begin]
    while (first := next((at for at in range(begin, end) if behind.get(at) == end), None)) is not None:
        end = first
    if begin >= end:
        return ""
    start = tokens[begin].begin if begin else 0
    stop = tokens[end].begin if end < len(tokens) else len(tokens.text)
    return tokens.text[start:stop].rstrip(" ,;:-")


def subject_words(text: str) -> list[str]:
    """Return the words of a question that describe its subject: no question words, three letters or more."""
    return [token.word for token in Tokens(text) if token.word not in asking_words() and len(token.word) > 2]


# ---------------------------------------------------------------- the role of a mention

_LEAST = {"presence": 0.7, "excepted": 0.6}
"""The minimum likeness of an example, in 0..1, for roles that need more than the default."""
_AROUND = 4
"""Number of words before and after a mention that determine its role."""


def part_of(
    topic: str,
    tokens: Sequence[Token],
    named: Mapping[int, str],
    at: Collection[int],
    least: float = ENOUGH,
) -> str:
    """Return the role of a mention in a question, by the nearest example of ``data/roles.yaml``.

    Return "" if no example is near enough.

    Args:
        topic: "person", "date", "where" or "language": a heading of that file.
        named: the sign of every token of a mention, by the token's position.
        at: the positions of the mention's tokens.
        least: the minimum likeness of an example, unless the role needs more.
    """
    examples = examples_in("roles.yaml", topic=topic, cut=_window)
    shape = mask(tokens, {**named, **dict.fromkeys(at, ITSELF)}, examples.known)
    guess = examples.guess(_window(shape))
    return guess.kind if guess.likeness >= max(least, _LEAST.get(guess.kind, 0)) else ""


def _window(shape: Shape) -> Shape:
    """Return the part of a shape around the mention in question."""
    at = shape.index(ITSELF) if ITSELF in shape else 0
    return shape[max(0, at - _AROUND) : at + _AROUND + 1]


def warm() -> None:
    """Load the examples of questions and roles, so that the first question does not wait for them."""
    kinds()
    for topic in ("person", "date", "where", "language"):
        examples_in("roles.yaml", topic=topic, cut=_window)


# ---------------------------------------------------------------- acts

LEAST = 0.45
"""The minimum likeness of the nearest example, in 0..1, for a sentence to perform its act."""
_COMMA = re.compile(r"[,;:] ")
_CLAUSE = 5
"""Minimum number of words of a clause that may perform an act by itself."""
_TELLING = 40.0
"""The minimum norm of a sentence: short ones such as "For once." resemble many examples but say little."""
_AHEAD = 0.03
"""The margin by which an act's likeness must exceed that of the examples without an act."""
_STATED = ("decision", "promise", "agreement", "disagreement")
"""Acts that a sentence in question form performs only if it is close to an example: "No objections?"."""
_PUT = 0.9
"""The minimum likeness for a sentence in question form to perform one of these acts."""


def strength(text: str, act: str) -> float:
    """Return how likely a sentence performs an act, in 0..1; 0 if it does not."""
    if act == "question" and text.rstrip("\"'”’») ").endswith("?"):
        return 1.0
    parts = [part.strip() for part in _COMMA.split(text)]  # a clause of a long sentence may perform the act
    clauses = [part for part in parts if len(part.split()) >= _CLAUSE] if len(parts) > 1 else []
    strongest = 0.0
    for part in (text, *clauses):
        near = _near_acts(part)
        likeness = near.get(act, 0.0)
        only_asked = act in _STATED and part.rstrip().endswith("?") and likeness < _PUT
        if not only_asked and likeness >= max(LEAST, near.get("none", 0.0) + _AHEAD):
            strongest = max(strongest, likeness)
    return strongest


@lru_cache(1 << 14)
def _near_acts(text: str) -> dict[str, float]:
    """Return the likeness of a sentence to the nearest example of each act, in 0..1."""
    examples = examples_in("acts.yaml")
    shape = mask(Tokens(text), {}, examples.known)
    if same := examples.exact.get(" ".join(shape)):
        return {same: 1.0}
    return {act: likeness for act, (likeness, _) in examples.near(shape, _TELLING).items()}


# ---------------------------------------------------------------- languages

_FEWEST, _SHARE = 4, 4
"""Of this many words or more, at least one in this many must be a known word of the question's language."""


@cache
def _by_language() -> Mapping[str, Collection[str]]:
    """Return the function words of each language, with the words of its example questions if it has any."""
    by_language = {code: set(words(" ".join(some))) for code, some in FUNCTION_WORDS.items()}
    for _, code, some in _example_words():
        by_language[code].update(some)
    others = {code: set(some.split()) for code, some in read_data("function_words.yaml").items()}
    return by_language | others


@lru_cache(1 << 8)
def language_of(text: str) -> str | None:
    """Return the code of the language that has the most words of a question; None if it is unknown.

    If languages have equally many, or a short text has no known word, the result is the first language."""
    asked = words(text[:1000])
    evidence = (*asked, *(mark for mark in "¿¡" if mark in text))
    counts = {code: len([w for w in evidence if w in known]) for code, known in _by_language().items()}
    best = max(counts, key=counts.__getitem__)
    if len(asked) >= _FEWEST and counts[best] * _SHARE < len(asked):
        return None
    return best if counts[best] else next(iter(counts))
