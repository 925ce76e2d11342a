"""What kind of question it is: by the vote of ``data/intents.yaml`` and ``paraphrases.yaml``.

In the same way ``data/roles.yaml`` tells what part a mention has in a question, and ``data/acts.yaml`` what a
sentence does in speaking (dialogue acts as annotators of meetings call them: Core and Allen's DAMSL;
"decision", "action item" and "suggestion" of the AMI corpus).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import cache, lru_cache

from onrecord.understand.examples import (
    ITSELF,
    Examples,
    Shape,
    example_words,
    examples_in,
    mask,
    of_anything,
)
from onrecord.understand.lexicon import Token, lexicon, read_data, read_derived, tokens, words

ACTS = (
    *("decision", "task", "promise", "question", "open", "risk"),
    *("disagreement", "agreement", "recommendation", "complaint"),
)
"""Kinds that ask for what is done in speaking."""
OF_WORDS = ("frequency", "mentioned_in", "first_said", "last_said")
"""Kinds that ask for words, and so have a subject."""
CATALOGUE = (
    *("count", "list", "latest", "oldest", "longest", "shortest", "speakers", "talkative", "appearances"),
    *("identity", "companions", "roles", "length", "when", "title", "values"),
    *OF_WORDS,
)
"""Kinds that the catalogue may answer."""
OF_PEOPLE = ("speakers", "talkative", "appearances", "companions", "roles", "identity")
"""Those that ask for people."""
OF_ONE = ("length", "when", "title", "speakers", "talkative", "roles", "values")
"""Those that are mostly asked of one recording."""
GRAPH = ("connection", "common_ground", "contrast", "alone", "mentioned_by", "causes", "defined")
"""Kinds that the graph may answer."""
COURTESY = ("greeting", "thanks", "parting", "trial", "help")
"""Kinds that ask nothing."""
WITHOUT_SUBJECT = frozenset((*COURTESY, *CATALOGUE)).difference(OF_WORDS)
"""Kinds of questions that have no subject."""
PLAIN = ("search", "one_line", "definition", "causal")
"""Kinds that are a plain search."""
SURE, ENOUGH = 0.52, 0.3
"""The least likeness with which a question is of a kind, and of one that changes only the intent."""


@cache
def kinds() -> Examples:
    """The examples of the kinds of questions."""
    return examples_in("intents.yaml", "paraphrases.yaml")


@cache
def connections() -> Examples:
    """The examples of ``data/connections.yaml``, with shapes `of_anything`.

    They are apart from the others so that they do not change what the n-grams of those weigh."""
    return examples_in("connections.yaml", cut=of_anything)


@cache
def _example_words() -> list[tuple[str, str, frozenset[str]]]:
    """The words of the examples of each kind that asks something in each language; of a kind, a language."""

    def derive(*data: Mapping[str, Mapping[str, list[str]]]) -> list[tuple[str, str, list[str]]]:
        rows = (
            (kind, code, texts) for each in data for kind, by in each.items() for code, texts in by.items()
        )
        known = (
            (kind, code, {word for text in texts for word in example_words(text)})
            for kind, code, texts in rows
        )
        return [(kind, code, sorted(some)) for kind, code, some in known if kind not in COURTESY]

    derived = read_derived(["intents.yaml", "connections.yaml"], "words", derive)
    return [(kind, code, frozenset(some)) for kind, code, some in derived]


@cache
def frame_words(kind: str) -> frozenset[str]:
    """The words of the examples of one kind."""
    return frozenset().union(*(some for each, _, some in _example_words() if each == kind))


@cache
def asking_words() -> frozenset[str]:
    """The words of the examples in ``data/intents.yaml``: words that ask, and are no subject."""
    asking = (some for kind, _, some in _example_words() if kind not in GRAPH)
    return frozenset().union(*asking) - lexicon().sets["recordings"]


@cache
def courtesies() -> Mapping[Shape, tuple[str, str]]:
    """The language and the kind of every text that asks nothing, by its words."""
    data = read_data("intents.yaml")
    return {
        words(text): (code, kind) for kind in COURTESY for code, texts in data[kind].items() for text in texts
    }


def subject_words(text: str) -> list[str]:
    """The words of a question that only say what it is about."""
    return [token.word for token in tokens(text) if token.word not in asking_words() and len(token.word) > 2]


# ---------------------------------------------------------------- the part of a mention

_LEAST = {"presence": 0.7, "excepted": 0.6}
"""How alike an example of a part must be at least."""
_AROUND = 4
"""Words before and behind a mention that tell what part it has."""


def part_of(
    topic: str,
    tokens: Sequence[Token],
    named: Mapping[int, str],
    at: Collection[int],
    least: float = ENOUGH,
) -> str:
    """The part that a mention has in a question, by the nearest example of ``data/roles.yaml``.

    Args:
        topic: "person", "date", "where" or "language": a heading of that file.
        at: the tokens of the mention.
        least: how alike an example must be, unless the part needs more.

    Returns:
        The part; empty where no example is near enough.
    """
    examples = _parts(topic)
    shape = mask(tokens, {**named, **dict.fromkeys(at, ITSELF)}, examples.known)
    guess = examples.guess(_window(shape))
    return guess.kind if guess.likeness >= max(least, _LEAST.get(guess.kind, 0)) else ""


@cache
def _parts(topic: str) -> Examples:
    """The examples of ``data/roles.yaml`` under one of its headings."""
    return examples_in("roles.yaml", topic=topic, cut=_window)


def _window(shape: Shape) -> Shape:
    """The part of a shape around the mention that is asked of."""
    at = shape.index(ITSELF) if ITSELF in shape else 0
    return shape[max(0, at - _AROUND) : at + _AROUND + 1]


def warm() -> None:
    """Read the examples that questions are compared with."""
    kinds()
    for topic in ("person", "date", "where", "language"):
        _parts(topic)


# ---------------------------------------------------------------- acts

LEAST = 0.45
"""How alike its nearest example must be for a sentence to do what that does."""
_COMMA = re.compile(r"[,;:] ")
_CLAUSE = 5
"""Words of a clause that may do something by itself."""
_TELLING = 40.0
"""The least norm of a sentence: "For once." is like many an example, and says next to nothing."""
_AHEAD = 0.03
"""How much more alike than an example in which nothing is done."""
_STATED = ("decision", "promise", "agreement", "disagreement")
"""Acts that a question does not perform, except those that an example has: "No objections?"."""
_PUT = 0.9
"""How alike an example must be for a question to perform one of these."""


@cache
def _act_examples() -> Examples:
    return examples_in("acts.yaml")


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
    shape = mask(tokens(text), {}, examples.known)
    if shape in examples:
        return {examples.guess(shape).kind: 1.0}
    return {act: likeness for act, (likeness, _) in examples.near(shape, _TELLING).items()}


# ---------------------------------------------------------------- languages

_FEWEST, _SHARE = 4, 4
"""Of so many words, at least one in so many is of a language that a question is in."""


@cache
def _by_language() -> Mapping[str, frozenset[str]]:
    """The words of the example questions of each language."""
    rows = _example_words()
    return {
        code: frozenset().union(*(some for _, each, some in rows if each == code))
        for code in dict.fromkeys(code for _, code, _ in rows)
    }


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
